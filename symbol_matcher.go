package suffixcl

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"unsafe"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/match"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// symbolMatching searches in a text of symbols. On the device the text becomes bytes, the high one of a symbol first,
// as which symbols compare as numbers do.
type symbolMatching[T symbol] struct {
	*building[T]
	array *match.Array
}

func (o *symbolMatching[T]) release(s *device.Session) {
	o.array.Release()
	o.building.release(s)
}

// bytesOf are the bytes of symbols in memory.
func bytesOf[T symbol](text []T) []byte {
	if len(text) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&text[0])), len(text)*symbolBytes[T]())
}

// highFirst are the bytes of symbols, the high one first.
func highFirst[T uint16 | uint32](text []T) []byte {
	width := symbolBytes[T]()
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
	e *Engine, n int, given bool, counts *[256]uint64,
) (o *symbolMatching[T], err error) {
	o = &symbolMatching[T]{}
	if given {
		o.building, err = newChecking[T](e, n, Want{})
	} else {
		o.building, err = newBuilding(e, n, Want{}, newSymbolSorter[T])
	}
	if err != nil {
		return nil, err
	}
	if o.array, err = match.NewSymbolArray(e.session, n, symbolBytes[T](), counts); err != nil {
		return nil, err
	}
	host := 2 * int64(n) * int64(symbolBytes[T]())
	o.plan = append(o.plan, phaseOf(o.array.Memory(), host, o.arrays))
	return o, nil
}

// BuildMatcher prepares a text for searches, as NewMatcher does. Patterns for symbols of 16 and 32 bits are those of
// patterns.OfTokens16 and OfTokens32; positions count symbols. MatcherOptions.Records and DNA are for bytes. Patterns
// for sets are bytes; positions are those of the set, and no occurrence crosses terminators, whatever the texts hold.
// Memory: PlanMatcherOf.
//
// Errors: those of Arrays, with a suffix array those of VerifyArrays; options of other texts.
func (e *Engine) BuildMatcher(ctx context.Context, text Text, o MatcherOptions) (*Matcher, error) {
	switch symbols := text.symbols.(type) {
	case []uint16:
		return buildMatcher(ctx, e, symbols, o)
	case []uint32:
		return buildMatcher(ctx, e, symbols, o)
	case tooLong:
		return nil, symbols.error
	case *Collection:
		return e.matchSet(ctx, symbols, o)
	}
	return e.NewMatcher(ctx, text.Bytes(), o)
}

// PlanBuildMatcher returns the device and host memory of BuildMatcher for a text of n symbols of so many bytes, 2 or 4,
// with a suffix array or without. It calls no driver. Errors as Arrays.
func (e *Engine) PlanBuildMatcher(ctx context.Context, symbolBytes, n int, given bool) (device.MemoryPlan, error) {
	counts := &[256]uint64{'A': 1, 'C': 1, 'G': 1, 'T': 1} // such a text takes most
	return planSymbols(ctx, e, symbolBytes,
		func() (operation, error) {
			return nil, errors.New("suffixcl: Plan has the memory of a Matcher of bytes")
		},
		func() (operation, error) { return newSymbolMatching[uint16](e, n, given, counts) },
		func() (operation, error) { return newSymbolMatching[uint32](e, n, given, counts) })
}

func buildMatcher[T uint16 | uint32](
	ctx context.Context, e *Engine, text []T, o MatcherOptions,
) (_ *Matcher, err error) {
	if o.DNA || o.Records != nil || o.Documents {
		return nil, errors.New("suffixcl: MatcherOptions.DNA, Records and Documents are for texts of bytes and for sets")
	}
	given := o.SuffixArray != nil
	if given {
		if err := sameLength(suffixArrayName, len(o.SuffixArray), len(text)); err != nil {
			return nil, err
		}
	}
	counts := fmindex.Histogram(bytesOf(text))
	c, err := e.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer c.end()
	op, err := prepareAlone(c, func() (*symbolMatching[T], error) {
		return newSymbolMatching[T](e, len(text), given, counts)
	})
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			op.release(c.s)
		}
	}()
	if given {
		err = op.verify(c, text, o.SuffixArray)
	} else {
		err = op.sort(c, text)
	}
	if err != nil {
		return nil, err
	}
	in := device.Reinterpret[uint8](op.text.Buffer(c.s)).View(0, len(text)*symbolBytes[T]())
	if err := upload(c, in, highFirst(text)); err != nil {
		return nil, err
	}
	sa := op.sa.Buffer(c.s)
	if err := c.compute(func() error { return op.array.Build(in, sa) }); err != nil {
		return nil, err
	}
	f := arrayFinder{array: op.array, text: in, sa: sa, free: func() { op.release(c.s) }}
	return &Matcher{searcher: searcher{e: e, finder: f, symbolBytes: symbolBytes[T]()}}, nil
}

// planSymbols is planAlone of the operation for symbols of so many bytes.
func planSymbols(
	ctx context.Context, e *Engine, symbolBytes int, of1, of2, of4 func() (operation, error),
) (device.MemoryPlan, error) {
	return memoryAlone(ctx, e, func() (operation, error) {
		switch symbolBytes {
		case 1:
			return of1()
		case 2:
			return of2()
		case 4:
			return of4()
		}
		return nil, fmt.Errorf("suffixcl: symbols of %d bytes, wants 1, 2 or 4", symbolBytes)
	})
}
