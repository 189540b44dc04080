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

// big has the first base in the highest bits.
var big = binary.BigEndian

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
