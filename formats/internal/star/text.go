package star

import (
	"bytes"
	"encoding/binary"
	"sort"

	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// squeezed is the genome and its reverse complement, with one spacer where there are many.
type squeezed struct {
	text  []byte
	spans []span // of the text, without spacers
	first []int  // span at which each stretch of the text begins
	both  int    // positions of both strands, with all spacers
}

// span is where a sequence of letters is in the squeezed text, and in that of both strands.
type span struct{ at, place, length int }

// stretch is the number of positions between entries of squeezed.first.
const stretch = 1 << 12

// squeeze makes the text of a genome. Memory: two bytes a letter.
func squeeze(genome []byte) *squeezed {
	var forward []span
	at := 0
	for place := 0; place < len(genome); {
		if genome[place] == Spacer {
			place++
			continue
		}
		length := bytes.IndexByte(genome[place:], Spacer)
		if length < 0 {
			length = len(genome) - place
		}
		forward = append(forward, span{at, place, length})
		at += length + 1
		place += length
	}
	s := &squeezed{spans: forward, both: 2 * len(genome)}
	for k := len(forward) - 1; k >= 0; k-- {
		f := forward[k]
		s.spans = append(s.spans, span{at, s.both - f.place - f.length, f.length})
		at += f.length + 1
	}
	s.text = addressspace.Make[byte](at - 1) // the end of the text is a spacer, too
	for k, sp := range s.spans {
		to := s.text[sp.at:]
		if k < len(forward) {
			parallel.Copy(to, genome[sp.place:sp.place+sp.length])
		} else {
			from := forward[2*len(forward)-1-k]
			parallel.Do(sp.length, 1<<18, func(lo, hi int) {
				for i := lo; i < hi; i++ {
					to[i] = complement(genome[from.place+from.length-1-i])
				}
			})
		}
		if end := sp.at + sp.length; end < len(s.text) {
			s.text[end] = Spacer
		}
	}
	s.first = make([]int, len(s.text)/stretch+1)
	for i := range s.first {
		s.first[i] = sort.Search(len(s.spans), func(k int) bool {
			return s.spans[k].at+s.spans[k].length > i*stretch
		})
	}
	return s
}

// place is where a letter of the squeezed text is in that of both strands.
func (s *squeezed) place(at int) int {
	k := s.first[at/stretch]
	for s.spans[k].at+s.spans[k].length <= at {
		k++
	}
	return s.spans[k].place + at - s.spans[k].at
}

// prefix is the code of the bases with which a suffix begins, at most so many, two bits each, and how many these are.
func (s *squeezed) prefix(at, most int) (code uint32, length int) {
	if at+16 <= len(s.text) {
		high, low := big.Uint64(s.text[at:]), big.Uint64(s.text[at+8:])
		if (high|low)&^allBases == 0 {
			return (packBases(high)<<16 | packBases(low)) >> (2 * (16 - most)), most
		}
	}
	for _, c := range s.text[at:min(at+most, len(s.text))] {
		if c >= Other {
			break
		}
		code = code<<2 | uint32(c)
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
