package search

import (
	"encoding/binary"
	"errors"
	"sync"
	"unsafe"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/jobs/arrays"
	"github.com/suffixcl/suffixcl/internal/match"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// symbolMatching searches in a text of symbols. On the device the text becomes bytes, the high one of a symbol first,
// as which symbols compare as numbers do.
type symbolMatching[T uint16 | uint32] struct {
	*arrays.Building[T]
	array *match.Array
}

func (o *symbolMatching[T]) Free(s *device.Session) {
	o.array.Release()
	o.Building.Free(s)
}

// bytesOf are the bytes of symbols in memory.
func bytesOf[T input.Symbol](text []T) []byte {
	if len(text) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&text[0])), len(text)*input.Width[T]())
}

// highFirst are the bytes of symbols, the high one first.
func highFirst[T uint16 | uint32](text []T) []byte {
	width := input.Width[T]()
	out := make([]byte, len(text)*width)
	parallel.Do(len(text), 1<<16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if width == 2 {
				binary.BigEndian.PutUint16(out[2*i:], uint16(text[i]))
			} else {
				binary.BigEndian.PutUint32(out[4*i:], uint32(text[i]))
			}
		}
	})
	return out
}

func newSymbolMatching[T uint16 | uint32](
	e *call.Engine, n int, given bool, counts *[256]uint64,
) (o *symbolMatching[T], err error) {
	o = &symbolMatching[T]{}
	if given {
		o.Building, err = arrays.NewChecking[T](e, n, arrays.Want{})
	} else {
		o.Building, err = arrays.NewBuilding(e, n, arrays.Want{}, sorter.OfSymbols[T])
	}
	if err != nil {
		return nil, err
	}
	if o.array, err = match.NewSymbolArray(e.Session, n, input.Width[T](), counts); err != nil {
		return nil, err
	}
	host := 2 * int64(n) * int64(input.Width[T]())
	o.Phases = append(o.Phases, call.PhaseOf(o.array.Memory(), host, o.Arrays))
	return o, nil
}

// symbolMatcher is Matcher of a text of symbols, which are nil where only their number is known.
func symbolMatcher[T uint16 | uint32](
	e *call.Engine, of input.Text, text []T, o MatcherOptions,
) call.Job[*Matcher, *Matcher] {
	if o.DNA || o.Records != nil || o.Documents {
		return call.Refused[*Matcher, *Matcher](e,
			errors.New("suffixcl: MatcherOptions.DNA, Records and Documents are for texts of bytes and for sets"))
	}
	given := o.SuffixArray != nil
	counts := sync.OnceValue(func() *[256]uint64 {
		if len(text) < of.Len() {
			return basesCounted
		}
		return fmindex.Histogram(bytesOf(text))
	})
	return matcherJob(e, func() (*symbolMatching[T], error) {
		return newSymbolMatching[T](e, of.Len(), given, counts())
	}, func(c *call.Call, op *symbolMatching[T]) (*Matcher, error) {
		if given {
			if err := call.SameLength(call.SuffixArrayName, len(o.SuffixArray), len(text)); err != nil {
				return nil, err
			}
		}
		return op.build(c, text, o.SuffixArray)
	})
}

// build makes all that searches need. given may be nil.
func (o *symbolMatching[T]) build(c *call.Call, text []T, given []uint32) (_ *Matcher, err error) {
	if given != nil {
		err = o.Verify(c, text, given)
	} else {
		err = o.Sort(c, text)
	}
	if err != nil {
		return nil, err
	}
	in := device.Reinterpret[uint8](o.Text.Buffer(c.Session)).View(0, len(text)*input.Width[T]())
	if err := call.Upload(c, in, highFirst(text)); err != nil {
		return nil, err
	}
	sa := o.SA.Buffer(c.Session)
	if err := c.Compute(func() error { return o.array.Build(in, sa) }); err != nil {
		return nil, err
	}
	f := arrayFinder{array: o.array, text: in, sa: sa, free: func() { o.Free(c.Session) }}
	return &Matcher{Searcher: Searcher{e: c.Engine, finder: f, symbolBytes: input.Width[T]()}}, nil
}
