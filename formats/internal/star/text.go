package star

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"sync/atomic"

	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/separated"
)

// strands are the genome and its reverse complement, coded for sorters, without what is between sequences. They are
// made once, and take memory for each sequence and junction alone.
func (r *Reference) strands() (*separated.Text, error) {
	if r.both != nil {
		return r.both, nil
	}
	var spans []separated.Span
	for place := 0; place < len(r.genome); {
		if r.genome[place] == Spacer {
			place++
			continue
		}
		length := bytes.IndexByte(r.genome[place:], Spacer)
		if length < 0 {
			length = len(r.genome) - place
		}
		spans = append(spans, separated.Span{Place: place, Length: length})
		place += length
	}
	for k := len(spans) - 1; k >= 0; k-- {
		f := spans[k]
		spans = append(spans, separated.Span{Place: 2*len(r.genome) - f.Place - f.Length, Length: f.Length})
	}
	both, err := separated.New(letters, spans, r.read)
	r.both = both
	return both, err
}

// read reads letters from a place of both strands on, all of the same strand.
func (r *Reference) read(to []byte, place int) error {
	if place < len(r.genome) {
		copy(to, r.genome[place:])
		return nil
	}
	last := 2*len(r.genome) - 1 - place
	from := r.genome[last-len(to)+1 : last+1]
	for ; len(to) >= 8; to, from = to[8:], from[:len(from)-8] {
		big.PutUint64(to, complements(little.Uint64(from[len(from)-8:])))
	}
	for i := range to {
		to[i] = complement(from[len(from)-1-i])
	}
	return nil
}

// complements are those of eight codes.
func complements(codes uint64) uint64 {
	base := ^codes >> 2 & 0x0101010101010101
	return codes ^ 3*base
}

// prefix is the code of the bases with which the suffix of a place of both strands begins, at most so many, two bits
// each, and how many these are.
func (r *Reference) prefix(place, most int) (code uint32, length int) {
	n := len(r.genome)
	if place < n {
		if place+16 <= n {
			high, low := big.Uint64(r.genome[place:]), big.Uint64(r.genome[place+8:])
			if (high|low)&^allBases == 0 {
				return (packBases(high)<<16 | packBases(low)) >> (2 * (16 - most)), most
			}
		}
		for _, c := range r.genome[place:min(place+most, n)] {
			if c >= Other {
				break
			}
			code = code<<2 | uint32(c)
			length++
		}
		return code, length
	}
	end := 2*n - place // of what is read backward
	if end >= 16 {
		high, low := little.Uint64(r.genome[end-8:]), little.Uint64(r.genome[end-16:])
		if (high|low)&^allBases == 0 {
			return ^(packBases(high)<<16 | packBases(low)) >> (2 * (16 - most)), most
		}
	}
	for k := end - 1; k >= max(end-most, 0) && r.genome[k] < Other; k-- {
		code = code<<2 | uint32(3-r.genome[k])
		length++
	}
	return code, length
}

// big has the first base in the highest bits.
var big = binary.BigEndian

// allBases has a bit for each that a base in each byte may have.
const allBases = 0x0303030303030303

// packBases packs eight bases, one a byte.
func packBases(bytes uint64) uint32 {
	pairs := (bytes | bytes>>6) & 0x000F000F000F000F
	fours := (pairs | pairs>>12) & 0x000000FF000000FF
	return uint32(fours>>24 | fours&0xFF)
}

// bases counts those of a stretch of the genome.
func (r *Reference) bases(from, end int) int {
	var n atomic.Int64
	parallel.Do(end-from, 1<<20, func(lo, hi int) {
		count := 0
		b := r.genome[from+lo : from+hi]
		for ; len(b) >= 8; b = b[8:] {
			count += bits.OnesCount64(^little.Uint64(b) & 0x0404040404040404)
		}
		for _, c := range b {
			if c < Other {
				count++
			}
		}
		n.Add(int64(count))
	})
	return int(n.Load())
}

// plainRows is the number of rows of the genome without junctions, and inserted that of the junctions' rows. Both
// strands count; a sparse array has those of the first at some distances from its end, and all of the second.
func (r *Reference) plainRows() int {
	d := r.options.Sparse
	if d == 1 {
		return 2 * r.bases(0, r.plain)
	}
	var n atomic.Int64
	parallel.Do(r.plain, 1<<20, func(lo, hi int) {
		count := 0
		for place, c := range r.genome[lo:hi] {
			if c < Other {
				for _, from := range [2]int{2*r.plain - 1 - lo - place, lo + place} { // the end of either strand
					if from%d == 0 {
						count++
					}
				}
			}
		}
		n.Add(int64(count))
	})
	return int(n.Load())
}

func (r *Reference) insertedRows() int { return 2 * r.bases(r.plain, len(r.genome)) }
