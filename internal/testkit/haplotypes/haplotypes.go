// Package haplotypes makes synthetic pangenomes: haplotypes of one genome that differ as those of people do. Any is
// made on its own, and is the same everywhere.
//
// A genome is one of package synthetic with tandem arrays of satellites. Founders have variants of its sites: 90 % of
// these are other bases, 5 % insertions and 5 % deletions of 1 to 20 bases, and how many founders have one is as in a
// population of constant size. A haplotype copies founders, another one from place to place, and has mutations of its
// own. Windows of 2 million bases without variants are the same in all.
package haplotypes

import (
	"math"
	"slices"
	"sort"

	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/testkit/synthetic"
)

// Of a pangenome of people, or nearly.
const (
	founders  = 64
	sites     = 0.005    // of a base
	switches  = 1 / 20e3 // of founders, by base
	mutations = 2e-5     // of a haplotype's own
	window    = 1 << 21
	same      = 25 // one window of so many has no variants

	arrays    = 50_000_000 // bases for each array of satellites
	arrayLen  = 1_000_000
	monomer   = 171
	higher    = 12 // monomers of a unit
	piece     = 1 << 20
	letters   = 4
	longIndel = 20
)

// Genome is what haplotypes are made of: letters 1 to 4, and the places of variants.
type Genome struct {
	base  []byte
	sites []int
}

// New makes the genome of n bases.
func New(n int) (*Genome, error) {
	text, err := synthetic.Parse("genome.1")
	if err != nil {
		return nil, err
	}
	base := make([]byte, n)
	text.Make(base)
	var code [256]byte
	for i, c := range []byte("ACGT") {
		code[c] = byte(i + 1)
	}
	parallel.Do(n, piece, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			base[i] = code[base[i]]
		}
	})
	for k := range n / arrays {
		satellites(base[k*arrays+arrays/2:][:arrayLen], uint64(k))
	}
	places := parallel.Collect(n, piece, func(lo, hi int) (places []int) {
		for i := lo; i < hi; i++ {
			if _, ok := siteOf(i); ok {
				places = append(places, i)
			}
		}
		return places
	})
	return &Genome{base, slices.Concat(places...)}, nil
}

// satellites writes an array: a unit of monomers that differ by 20 to 30 %, again and again with 1 % of mutations.
func satellites(to []byte, seed uint64) {
	unit := make([]byte, higher*monomer)
	for i := range unit {
		unit[i] = letter(synthetic.Mix(71, uint64(i%monomer)))
		if x := synthetic.Mix(72+seed<<8, uint64(i)); below(x, 0.3) {
			unit[i] = letter(x)
		}
	}
	for i := range to {
		to[i] = unit[i%len(unit)]
		if x := synthetic.Mix(73+seed<<8, uint64(i)); below(x, 0.01) {
			to[i] = letter(x)
		}
	}
}

func letter(x uint64) byte { return byte(x%letters) + 1 }

// Haplotype is number k: letters 1 to 4. It is made in memory that is given, if that is long enough.
func (g *Genome) Haplotype(k int, memory []byte) []byte {
	parts := parallel.Collect(len(g.base), piece, func(lo, hi int) []byte { return g.part(k, lo, hi) })
	at := make([]int, len(parts)+1)
	for i, part := range parts {
		at[i+1] = at[i] + len(part)
	}
	n := at[len(parts)]
	if cap(memory) < n {
		memory = make([]byte, n)
	}
	parallel.Do(len(parts), 1, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			copy(memory[at[i]:n], parts[i])
		}
	})
	return memory[:n]
}

// below tells whether a random number is in the first `share` of all.
func below(x uint64, share float64) bool { return x>>32 < uint64(share*(1<<32)) }

// siteOf tells whether a base has a variant, which founders may have, and what it is like.
func siteOf(i int) (site uint64, ok bool) {
	if site = synthetic.Mix(83, uint64(i)); !below(site, sites) {
		return 0, false
	}
	return site, !isSame(i)
}

// isSame tells whether a base is in a window without variants.
func isSame(i int) bool { return synthetic.Mix(84, uint64(i/window))%same == 0 }

// part is bases [from, to) as haplotype k has them.
func (g *Genome) part(k, from, to int) []byte {
	made := make([]byte, 0, to-from+(to-from)/256)
	seed := uint64(k) << 20
	founder := synthetic.Mix(81+seed, uint64(from)) % founders
	next := sort.Search(len(g.sites), func(i int) bool { return g.sites[i] >= from })
	for i := from; i < to; {
		end := to // of bases without a site
		for next < len(g.sites) && g.sites[next] < i {
			next++ // in a deletion
		}
		if next < len(g.sites) {
			end = min(end, g.sites[next])
		}
		for ; i < end; i++ {
			c := g.base[i]
			if x := synthetic.Mix(82+seed, uint64(i)); below(x, switches) || below(x>>1<<2, mutations) {
				if below(x, switches) {
					founder = x % founders
				}
				if below(x>>1<<2, mutations) && !isSame(i) {
					c = letter(x >> 8)
				}
			}
			made = append(made, c)
		}
		if i == to {
			break
		}
		x := synthetic.Mix(82+seed, uint64(i))
		if below(x, switches) {
			founder = x % founders
		}
		n := 1
		switch site, _ := siteOf(i); {
		case below(synthetic.Mix(85+founder<<20, uint64(i)), frequency(site)):
			n, made = g.variant(made, i, site)
		case below(x>>1<<2, mutations):
			made = append(made, letter(x>>8))
		default:
			made = append(made, g.base[i])
		}
		i += n
	}
	return made
}

// frequency is how many of the founders have a variant: from one of them to half, few more often than many.
func frequency(site uint64) float64 {
	u := float64(site&0xffff) / (1 << 16)
	return math.Exp(-u*math.Log(founders/2)) / 2
}

// variant writes the variant of a site at base i, and returns how many bases it stands for.
func (g *Genome) variant(made []byte, i int, site uint64) (n int, _ []byte) {
	length := int(site>>20%longIndel) + 1
	switch kind := site >> 16 & 0xf; {
	case kind == 0 && i%piece+length < piece:
		return min(length, len(g.base)-i), made
	case kind == 1:
		made = append(made, g.base[i])
		for k := range length {
			made = append(made, letter(synthetic.Mix(86+site, uint64(k))))
		}
		return 1, made
	}
	return 1, append(made, (g.base[i]+byte(site>>24%3))%letters+1)
}
