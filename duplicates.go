package suffixcl

import (
	"context"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/duplicates"
)

// EachDuplicate calls yield with the ranges of a text that its duplicates cover: windows of o.Length symbols, in one
// document, that occur several times. Ranges come in the order of the text, block by block; those that touch or overlap
// are one, but for the ends of documents. A block is valid until yield returns. An error of yield ends the computation.
// yield may not call the engine: see ErrInCallback.
//
// The text has whole symbols, little-endian. documents has where each document begins, in symbols, ascending from 0,
// and the length of the text; nil: it is one document. The number of them goes for that of the options.
//
// The text may be longer than the device's memory. Memory: PlanDuplicates. Cost: linear for texts of the usual
// kinds; many windows that differ in one symbol take up to 32 bytes of lists each, in turns. Errors: a *LengthError
// for a text longer than duplicates.MaxLen symbols; options out of their bounds; documents that are not as said;
// those of Build and yield.
func (e *Engine) EachDuplicate(ctx context.Context, text []byte, documents []uint64, o duplicates.Options,
	yield func([]duplicates.Range) error) (duplicates.Result, error) {
	if yield == nil {
		return duplicates.Result{}, ErrNoFunction
	}
	c, err := e.begin(ctx)
	if err != nil {
		return duplicates.Result{}, err
	}
	defer c.end()
	o.Documents = max(len(documents)-1, 0)
	f, err := prepareAlone(c, func() (*deduplicating, error) {
		return newDeduplicating(e, len(text)/max(o.SymbolBytes, 1), o)
	})
	if err != nil {
		return duplicates.Result{}, err
	}
	c.callsBack()
	var result duplicates.Result
	err = c.compute(func() error {
		result, err = f.finder.Run(c.ctx, text, documents, yield, c.progress)
		return err
	})
	return result, err
}

// Duplicates returns the ranges that EachDuplicate yields: 16 bytes of host memory each.
func (e *Engine) Duplicates(ctx context.Context, text []byte, documents []uint64, o duplicates.Options) (
	[]duplicates.Range, duplicates.Result, error) {
	var all []duplicates.Range
	result, err := e.EachDuplicate(ctx, text, documents, o, func(block []duplicates.Range) error {
		all = append(all, block...)
		return nil
	})
	if err != nil {
		return nil, duplicates.Result{}, err
	}
	return all, result, nil
}

// PlanDuplicates returns the device and host memory of EachDuplicate on a text of n symbols, in o.Documents documents.
// Errors as Plan; options as in EachDuplicate.
func (e *Engine) PlanDuplicates(ctx context.Context, n int, o duplicates.Options) (device.MemoryPlan, error) {
	return planAlone(ctx, e, func() (operation, error) {
		f, err := newDeduplicating(e, n, o)
		if err != nil {
			return nil, err // not a nil *deduplicating
		}
		return f, nil
	})
}

// deduplicating finds the duplicates of a text.
type deduplicating struct{ finder *duplicates.Finder }

func newDeduplicating(e *Engine, n int, o duplicates.Options) (*deduplicating, error) {
	f, err := duplicates.New(e.session, n, o)
	if err != nil {
		return nil, err
	}
	return &deduplicating{f}, nil
}

func (o *deduplicating) memory() device.MemoryPlan { return o.finder.Memory() }

func (o *deduplicating) release(*device.Session) {} // the finder holds none after a run
