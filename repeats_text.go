package suffixcl

import (
	"context"
	"errors"

	"github.com/suffixcl/suffixcl/device"
)

// EachRepeatsOf is EachRepeats for texts of symbols and for sets. Starts and lengths count symbols, those of a set as
// its positions do. Repeats of a set lie inside of one of its texts, which may hold any bytes; terminators have none.
// RepeatOptions.Records and ReverseComplement are for EachRepeats.
//
// Memory: PlanRepeatsOf. Errors: those of Build and yield; a negative MinLength; options for bytes.
func (e *Engine) EachRepeatsOf(ctx context.Context, text Text, o RepeatOptions, yield func(*Repeats) error) error {
	if yield == nil {
		return ErrNoFunction
	}
	p, err := layText(text, o)
	if err != nil {
		return err
	}
	return e.repeatsOf(ctx, nil, func() (*repeating, error) { return newTextRepeats(e, text, p, o) },
		eachRepeats(p, o.All, yield))
}

// LongestRepeatsOf is LongestRepeats for texts of symbols and for sets. Memory and errors as EachRepeatsOf.
func (e *Engine) LongestRepeatsOf(ctx context.Context, text Text, o RepeatOptions) (*Repeats, error) {
	return collectRepeats(text.Len(), o, func(yield func(*Repeats) error) error {
		return e.EachRepeatsOf(ctx, text, o, yield)
	})
}

// PlanRepeatsOf is PlanRepeats for EachRepeatsOf. It calls no driver. The symbols of a text are not looked at, but for
// sets.
func (e *Engine) PlanRepeatsOf(ctx context.Context, text Text, o RepeatOptions) (device.MemoryPlan, error) {
	p, err := layText(text, o)
	if err != nil {
		return nil, err
	}
	return planAlone(ctx, e, func() (operation, error) { return newTextRepeats(e, text, p, o) })
}

// layText is layRecords of a text that goes to the device as it is.
func layText(text Text, o RepeatOptions) (*recordLayout, error) {
	if o.ReverseComplement || len(o.Records) > 0 {
		return nil, errors.New("suffixcl: RepeatOptions.ReverseComplement and Records are for LongestRepeats")
	}
	if long, ok := text.symbols.(tooLong); ok {
		return nil, long.error
	}
	return layRecords(text.Len(), o)
}

func newTextRepeats(e *Engine, text Text, p *recordLayout, o RepeatOptions) (*repeating, error) {
	var from comparison
	var err error
	switch symbols := text.symbols.(type) {
	case []uint16:
		from, err = newSymbolsCompared(e, symbols, len(symbols), newSymbolSorter[uint16])
	case []uint32:
		from, err = newSymbolsCompared(e, symbols, len(symbols), newSymbolSorter[uint32])
	case *Collection:
		from, err = compareSet(e, symbols)
	default:
		from, err = newBytesCompared(e, text.Bytes(), text.Len())
	}
	if err != nil {
		return nil, err
	}
	return newRepeating(e, from, text.Len(), int64(text.Len())*int64(text.symbolBytes()), p.query(o, o.All, 0))
}
