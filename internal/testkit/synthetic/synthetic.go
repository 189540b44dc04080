// Package synthetic makes texts when they are needed, the same everywhere: for tests and measurements.
package synthetic

import (
	"fmt"
	"maps"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/testkit/opticks"
)

// Text is a text that is not made yet.
type Text struct {
	Name string // "syn.genome.256M"
	Kind string
	Len  int
}

// GenomeStats say what Make put into a genome; what was overwritten later counts, too.
type GenomeStats struct {
	Copies          int `json:"copies"` // of members of repeat families
	CopiedBases     int `json:"copied_bases"`
	Duplications    int `json:"duplications"` // of 10 to 100 thousand bases
	DuplicatedBases int `json:"duplicated_bases"`
}

// kinds are those of the rates of libcubwt (lab/bench/data/libcubwt-h200.json), and those of pSFFX's tables. What is
// random there is as random here, but not the same.
var kinds = map[string]func(text []byte) *GenomeStats{
	"all_a":   func(text []byte) *GenomeStats { return each(text, func(int) byte { return 'a' }) },
	"period2": func(text []byte) *GenomeStats { return each(text, func(i int) byte { return "ab"[i&1] }) },
	"thue_morse": func(text []byte) *GenomeStats {
		return each(text, func(i int) byte { return "ab"[bits.OnesCount(uint(i))&1] })
	},
	"fibonacci": fibonacci,
	"random.byte": func(text []byte) *GenomeStats {
		return each(text, func(i int) byte { return byte(Mix(1, uint64(i/8)) >> (i % 8 * 8)) })
	},
	"random.dna": func(text []byte) *GenomeStats {
		return each(text, func(i int) byte { return base(Mix(2, uint64(i/32)) >> (i % 32 * 2)) })
	},
	"genome":      genome,
	"genome_gaps": gaps,
	"letters": func(text []byte) *GenomeStats {
		return each(text, func(i int) byte { return letters[Mix(10, uint64(i))%uint64(len(letters))] })
	},
	"trigrams": func(text []byte) *GenomeStats { return trigrams(text, rand.New(rand.NewPCG(11, 0))) },
	"markup":   markup,
	"mixed":    mixed,
	"strains":  strains,
	"versions": versions,
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// Kinds lists what may stand before the size.
func Kinds() []string { return slices.Sorted(maps.Keys(kinds)) }

// Parse takes a name such as "genome.3.1G" or "syn.all_a.64M"; sizes as
// bytesize.Parse takes them.
func Parse(name string) (Text, error) {
	rest := strings.TrimPrefix(name, "syn.")
	for kind := range kinds {
		if size, ok := strings.CutPrefix(rest, kind+"."); ok {
			n, err := bytesize.Parse(size)
			switch {
			case err != nil:
				return Text{}, err
			case n < 1 || n > suffixcl.MaxRangesLen:
				return Text{}, fmt.Errorf("%s: want 1 to %d bytes", name, suffixcl.MaxRangesLen)
			case n%(1<<20) == 0:
				size = fmt.Sprintf("%dM", n>>20)
			}
			return Text{"syn." + kind + "." + size, kind, int(n)}, nil
		}
	}
	return Text{}, fmt.Errorf("%q is no synthetic text: want KIND.SIZE with %s", name,
		strings.Join(Kinds(), ", "))
}

// Make writes the text to Len bytes. It takes no more memory. The statistics are those of a
// genome, else nil.
func (t Text) Make(text []byte) *GenomeStats { return kinds[t.Kind](text) }

// Mix is the i-th number of splitmix64, the same everywhere.
func Mix(seed, i uint64) uint64 {
	x := seed + (i+1)*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// grain is how many characters are worth a processor of their own.
const grain = 1 << 14

func each(text []byte, f func(i int) byte) *GenomeStats {
	parallel.Do(len(text), grain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			text[i] = f(i)
		}
	})
	return nil
}

// followers are the letters that follow two others in the bundled text, as often as they do.
var followers = sync.OnceValue(func() map[[2]byte][]byte {
	of := map[[2]byte][]byte{}
	text := opticks.Text
	for i := range text {
		pair := [2]byte{text[i], text[(i+1)%len(text)]}
		of[pair] = append(of[pair], text[(i+2)%len(text)])
	}
	return of
})

// trigrams is prose of which three letters in a row are as likely as in the bundled text.
func trigrams(text []byte, r *rand.Rand) *GenomeStats {
	n := copy(text, opticks.Text[:2])
	for of := followers(); n < len(text); n++ {
		next := of[[2]byte{text[n-2], text[n-1]}]
		text[n] = next[r.IntN(len(next))]
	}
	return nil
}

// markup is pages of such prose, in elements that are alike.
func markup(text []byte) *GenomeStats {
	r := rand.New(rand.NewPCG(12, 0))
	prose := make([]byte, 2000)
	for n, page := 0, 0; n < len(text); page++ {
		trigrams(prose, r)
		n += copy(text[n:], fmt.Sprintf("  <page>\n    <title>%s</title>\n    <id>%d</id>\n"+
			"    <revision>\n      <id>%d</id>\n      <contributor>\n        <username>%s</username>\n"+
			"      </contributor>\n      <text xml:space=\"preserve\">%s</text>\n    </revision>\n  </page>\n",
			prose[2:20], page, r.IntN(1<<24), prose[20:28], prose[28:28+r.IntN(1900)]))
	}
	return nil
}

// mixedPiece is the length of the parts of mixed text.
const mixedPiece = 1 << 16

// mixed is made in pieces: 5 of 8 are such prose, 2 pages of markup, and 1 repeats an earlier piece, shifted, with a
// change every 1000 characters, as web pages do.
func mixed(text []byte) *GenomeStats {
	var of [1 << 16][]byte
	for pair, letters := range followers() {
		of[int(pair[0])<<8|int(pair[1])] = letters
	}
	fill := func(piece []byte, r *rand.PCG) {
		a, b := opticks.Text[0], opticks.Text[1]
		for i := range piece {
			next := of[int(a)<<8|int(b)]
			a, b = b, next[(r.Uint64()>>32)*uint64(len(next))>>32]
			piece[i] = b
		}
	}
	pages := func(piece []byte, r *rand.PCG) {
		for n := 0; n < len(piece); {
			x := r.Uint64()
			n += copy(piece[n:], fmt.Sprintf("</p>\n<p id=%q class=%q>", fmt.Sprintf("%d", x%(1<<24)), "text"))
			prose := piece[n:min(n+int((x>>32)%1000), len(piece))]
			fill(prose, r)
			n += len(prose)
		}
	}
	var piece func(to []byte, p uint64)
	piece = func(to []byte, p uint64) {
		kind, r := Mix(13, p), rand.NewPCG(13, p)
		switch {
		case kind%8 < 5 || p == 0:
			fill(to, r)
		case kind%8 < 7:
			pages(to, r)
		default:
			shift := int((kind >> 8) % 1000)
			whole := make([]byte, len(to)+shift)
			piece(whole, (kind>>20)%p)
			copy(to, whole[shift:])
			for i := int(r.Uint64() % 1000); i < len(to); i += int(1 + r.Uint64()%2000) {
				to[i] = 'a' + byte(i%26)
			}
		}
	}
	pieces := (len(text) + mixedPiece - 1) / mixedPiece
	parallel.Do(pieces, 1, func(lo, hi int) {
		for p := lo; p < hi; p++ {
			piece(text[p*mixedPiece:min(len(text), (p+1)*mixedPiece)], uint64(p))
		}
	})
	return nil
}

func base(random uint64) byte { return "ACGT"[random&3] }

// fibonacci begins with a, ab, aba, abaab: each followed by the one before it.
func fibonacci(text []byte) *GenomeStats {
	copy(text, "ab")
	for previous, n := 1, 2; n < len(text); previous, n = n, n+previous {
		copy(text[n:], text[:previous])
	}
	return nil
}

// gaps is a genome of which a twentieth is not known: N, in runs of a thousandth of the length and of 50,000 bases, as
// in the assemblies of large genomes.
func gaps(text []byte) *GenomeStats {
	genome(text)
	n, r := len(text), rand.New(rand.NewPCG(13, 0))
	for _, length := range []int{n / 1000, min(50_000, n/1000)} {
		for put := 0; put < n/40; put += max(length, 1) {
			at := r.IntN(n)
			run := text[at:min(at+length, n)]
			each(run, func(int) byte { return 'N' })
		}
	}
	return nil
}

// editions is how many strains or versions a text has.
const editions = 50

// strains are genomes of one species: random bases, and in each strain 1 of 1,000 of them chosen anew, and 1 of 40,000
// lost, and as many more.
func strains(text []byte) *GenomeStats {
	ancestor := make([]byte, (len(text)+editions-1)/editions)
	each(ancestor, func(i int) byte { return base(Mix(14, uint64(i/32)) >> (i % 32 * 2)) })
	r := rand.NewPCG(14, 0)
	for n := 0; n < len(text); {
		for i := 0; i < len(ancestor) && n < len(text); i++ {
			x := r.Uint64()
			switch place := x >> 32; {
			case place%1000 == 0:
				text[n] = base(x)
			case place%40_000 == 1:
				continue
			case place%40_000 == 2:
				text[n] = base(x)
				i--
			default:
				text[n] = ancestor[i]
			}
			n++
		}
	}
	return nil
}

// versions are those of a source: trigrams, and each version has 1 in 100 lines of 40 characters changed, lost or new
// since the one before.
func versions(text []byte) *GenomeStats {
	const line = 40
	r := rand.New(rand.NewPCG(15, 0))
	version := make([]byte, (len(text)+editions-1)/editions)
	trigrams(version, r)
	fresh := make([]byte, line)
	for n := 0; n < len(text); {
		n += copy(text[n:], version)
		var next []byte
		for i := 0; i < len(version); i += line {
			old := version[i:min(i+line, len(version))]
			switch r.IntN(300) {
			case 0:
				next = append(next, old...)
				fallthrough
			case 1:
				trigrams(fresh, r)
				next = append(next, fresh...)
			case 2:
			default:
				next = append(next, old...)
			}
		}
		version = next
	}
	return nil
}

// genome is random bases with repeats, if it has more than 7000:
//
//	families       of 300, 6000 and 1500 bases
//	members        mutated, of at most 1500 bases, 30 % of the length
//	duplications   one for every 4 million bases, of 10 to 100 thousand, with 2 % of mutations
func genome(text []byte) *GenomeStats {
	n, made := len(text), new(GenomeStats)
	each(text, func(i int) byte { return base(Mix(3, uint64(i/32)) >> (i % 32 * 2)) })
	if n <= 7000 {
		return made
	}
	r := rand.NewPCG(8, uint64(n))
	below := func(n int) int { return int(r.Uint64() % uint64(n)) }
	place := func(at, from []byte, divergence float64) {
		limit := uint64(divergence * (1 << 32))
		for i, c := range from {
			if x := r.Uint64(); x>>32 < limit {
				c = base(x)
			}
			at[i] = c
		}
	}
	for f, family := range []struct {
		length            int
		share, divergence float64
	}{{300, 0.10, 0.12}, {6000, 0.15, 0.10}, {1500, 0.05, 0.05}} {
		ancestor := make([]byte, family.length)
		each(ancestor, func(i int) byte { return base(Mix(4+uint64(f), uint64(i))) })
		length := min(family.length, 1500)
		for range int(float64(n) * family.share / float64(length)) {
			at, from := below(n-7000), below(family.length-length+1)
			place(text[at:], ancestor[from:from+length], family.divergence)
			made.Copies, made.CopiedBases = made.Copies+1, made.CopiedBases+length
		}
	}
	for range max(1, n/4_000_000) {
		length := min(10_000+below(90_000), n/2)
		from, at := below(n-length), below(n-length)
		place(text[at:], slices.Clone(text[from:from+length]), 0.02)
		made.Duplications, made.DuplicatedBases = made.Duplications+1, made.DuplicatedBases+length
	}
	return made
}
