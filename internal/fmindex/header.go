package fmindex

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"runtime"
	"sync"

	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/usage"
	"github.com/suffixcl/suffixcl/seqio"
)

// MaxRate bounds the rate of the sampled suffix array, and so the steps of a search.
const MaxRate = 1 << 16

// Alphabet says which characters of a text are symbols; see the package documentation.
type Alphabet uint32

// The alphabets.
const (
	Auto        Alphabet = iota // every byte that the text holds
	DNA                         // A, C, G, T
	BothStrands                 // the same, of a text that has no others and both strands: see Strands
)

// NoSeparator is Header.Separator of a text without records.
const NoSeparator = -1

// Header describes an index.
type Header struct {
	Length    int // of the text in bytes
	Primary   int // row of the whole text; 0 for the empty one
	Alphabet  Alphabet
	Rate      int         // of every Rate positions one is sampled; 0: none, for Count only
	Separator int         // byte that no pattern may hold, or NoSeparator
	Counts    [256]uint64 // of each byte in the text
	Runs      int         // of places that hold no symbol; the builder finds out
	Records   seqio.Table // what positions belong to, may be empty
	Coding    *Coding     // of a text of symbols, which the index has in digits; nil for bytes
}

// Histogram counts the bytes of a text, on all cores.
func Histogram(text []byte) *[256]uint64 {
	var total [256]uint64
	var mu sync.Mutex
	var wg sync.WaitGroup
	part := max(len(text)/runtime.GOMAXPROCS(0)+1, 1<<20)
	for at := 0; at < len(text); at += part {
		wg.Add(1)
		go func(text []byte) {
			defer wg.Done()
			var counts [256]uint64
			for _, c := range text {
				counts[c]++
			}
			mu.Lock()
			defer mu.Unlock()
			for c, n := range counts {
				total[c] += n
			}
		}(text[at:min(len(text), at+part)])
	}
	wg.Wait()
	return &total
}

const (
	none       = 256 // NONE of fmindex.cl
	tableWords = 512 + 8
	bitsBlock  = 96 // places of a block of bits
	sector     = 64 // places of a block of the layout for 4 symbols
	runWords   = 3  // of a run of escapes
)

// shape has the sizes that follow from a header.
type shape struct {
	wavelet                   bool
	levels                    int
	codes                     [256]uint32        // of the text's characters
	table                     [tableWords]uint32 // of fmindex_search.cl
	smaller                   [256]uint64        // C of the paper
	blocks                    int                // uint4 of the transform
	escapes, samples, markers int                // markers: uint4 of the marks
}

// maxRuns is a bound of Runs that the counts give.
func (h *Header) maxRuns() int {
	if h.Alphabet != DNA {
		return 0 // and both strands have no others
	}
	others := h.Length
	for _, c := range "ACGT" {
		others -= int(h.Counts[c])
	}
	return max(others, 0)
}

// shape checks a header.
func (h *Header) shape() (*shape, error) {
	switch {
	case h.Length < 0 || h.Length > limits.MaxLen:
		return nil, fmt.Errorf("a text of %d bytes", h.Length)
	case h.Primary < min(h.Length, 1) || h.Primary > h.Length:
		return nil, fmt.Errorf("primary index %d of a text of %d bytes", h.Primary, h.Length)
	case h.Alphabet > BothStrands:
		return nil, fmt.Errorf("unknown alphabet %d", h.Alphabet)
	case h.Rate < 0 || h.Rate > MaxRate:
		return nil, fmt.Errorf("sampling rate %d: 0 to %d", h.Rate, MaxRate)
	case h.Separator < NoSeparator || h.Separator > 255:
		return nil, fmt.Errorf("separator %d is no byte", h.Separator)
	}
	var s shape
	total := uint64(0)
	for c, n := range h.Counts {
		if n > uint64(h.Length) {
			return nil, fmt.Errorf("%d of byte %#02x in a text of %d", n, c, h.Length)
		}
		s.smaller[c] = 1 + total
		total += n
	}
	if total != uint64(h.Length) {
		return nil, fmt.Errorf("%d characters counted in a text of %d", total, h.Length)
	}
	if err := cmp.Or(h.checkRecords(), h.Coding.check(h), h.checkStrands()); err != nil {
		return nil, err
	}
	var symbols []int
	for c, n := range h.Counts {
		if s.codes[c] = none; h.Alphabet != Auto {
			continue
		}
		if n > 0 {
			s.codes[c] = uint32(len(symbols))
			symbols = append(symbols, c)
		}
	}
	if h.Alphabet != Auto {
		symbols = []int{'A', 'C', 'G', 'T'}
		for code, c := range symbols {
			s.codes[c] = uint32(code)
		}
	}
	for c, code := range s.codes {
		if s.table[c] = code; c == h.Separator {
			s.table[c] = none
		}
		if code == none {
			s.escapes += int(h.Counts[c])
		}
	}
	if h.Alphabet != Auto {
		for code, c := range symbols {
			s.table[c|0x20] = uint32(code)
		}
		s.table['U'], s.table['u'] = 3, 3
	}
	if h.Runs < min(s.escapes, 1) || h.Runs > s.escapes {
		return nil, fmt.Errorf("%d runs of %d escapes", h.Runs, s.escapes)
	}
	for code, c := range symbols {
		s.table[256+code] = uint32(s.smaller[c])
	}
	if len(symbols) <= 4 {
		s.blocks = 2 * (h.Length/sector + 1)
	} else {
		s.wavelet = true
		s.levels = bits.Len(uint(len(symbols) - 1))
		s.blocks = s.levels * (h.Length/bitsBlock + 1)
		// After all levels the symbols are in the order of their bits reversed.
		for code, c := range symbols {
			reversed := s.reverse(code)
			before := uint32(0)
			for other, d := range symbols {
				if s.reverse(other) < reversed {
					before += uint32(h.Counts[d])
				}
			}
			s.table[256+code] = uint32(s.smaller[c]) - before
			for l := range s.levels {
				if code>>(s.levels-1-l)&1 == 0 {
					s.table[512+l] += uint32(h.Counts[c])
				}
			}
		}
	}
	switch {
	case h.Rate > 0 && h.Alphabet == BothStrands: // of rows
		s.samples = h.Length / h.Rate
	case h.Rate > 0:
		s.markers = h.Length/bitsBlock + 1
		s.samples = (h.Length + h.Rate - 1) / h.Rate
	}
	return &s, nil
}

func (s *shape) reverse(code int) uint64 {
	return bits.Reverse64(uint64(code)) >> (64 - s.levels)
}

func (h *Header) checkRecords() error {
	end := 0
	for i, r := range h.Records {
		if r.Offset < end || r.Length < 0 || r.Offset > h.Length || r.Length > h.Length-r.Offset {
			return fmt.Errorf("record %d, characters %d to %d, does not fit between %d and %d", i, r.Offset, r.End(), end,
				h.Length)
		}
		end = r.End()
	}
	return nil
}

var errOtherCounts = errors.New("fmindex: the counts are not those of both strands")

// checkStrands compares a header with what an index of both strands has.
func (h *Header) checkStrands() error {
	if h.Alphabet != BothStrands {
		return nil
	}
	c := &h.Counts
	switch {
	case h.Length%2 != 0 || c['A'] != c['T'] || c['C'] != c['G'] || c['A']+c['C'] != uint64(h.Length/2):
		return errOtherCounts
	case h.Separator != NoSeparator || h.Coding != nil:
		return errors.New("both strands have no separator and no symbols")
	case len(h.Records) > 0 && h.Records[len(h.Records)-1].End() > h.Length/2:
		return errors.New("a record is on both strands")
	}
	return nil
}

// Bytes is the size of an index on the device and, but for the header, in a file: of
// what counts, and of what locates. Where Runs is 0, as before an index is built, it is the
// bound that the counts give.
func (h *Header) Bytes() (count, locate int64, err error) {
	planned := *h
	planned.Runs = cmp.Or(h.Runs, h.maxRuns())
	s, err := planned.shape()
	if err != nil {
		return 0, 0, err
	}
	return 16*int64(s.blocks) + 4*runWords*int64(planned.Runs), 16*int64(s.markers) + 4*int64(s.samples), nil
}

// FileBytes is the size of the file of an index in bytes, with the header. Where Runs is 0 it is a bound, as in Bytes.
// Primary need not be known. Errors as Bytes.
func (h *Header) FileBytes() (int64, error) {
	planned := *h
	planned.Primary = max(h.Primary, min(h.Length, 1))
	count, locate, err := planned.Bytes()
	if err != nil {
		return 0, err
	}
	bytes := headBytes + count + locate
	for _, r := range h.Records {
		bytes += recordBytes + int64(len(r.Name))
	}
	if h.Coding != nil {
		bytes += codingBytes + 4*int64(len(h.Coding.Values))
	}
	return bytes, nil
}

// ErrNoSamples is the error of places asked of an index without samples. It matches suffixcl.ErrUsage.
var ErrNoSamples = usage.New("fmindex: the index has no samples: it can count, and not locate")
