package dedup

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/duplicates"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
)

// Found are ranges of a text that its duplicates cover, in the order of the text.
type Found struct {
	Ranges []duplicates.Range // those that touch or overlap are one, but for the ends of documents
	// Result counts all duplicates. Parts have it when all is known: the last one.
	Result duplicates.Result
}

// Duplicates are windows of o.Length symbols, in one document, that occur several times. The last part may be without
// ranges.
//
// The text has whole symbols, little-endian. documents has where each document begins, in symbols, ascending from 0,
// and the length of the text; nil: it is one document. The number of them goes for that of the options.
//
// The text may be longer than the device's memory. All takes 16 bytes of host memory a range. Cost: linear for texts of
// the usual kinds; many windows that differ in one symbol take up to 32 bytes of lists each, in turns. Errors: a
// *LengthError for a text longer than duplicates.MaxLen symbols; options out of their bounds; documents that are not as
// said.
func Find(e *call.Engine, text input.Text, documents []uint64, o duplicates.Options) call.Job[*Found, *Found] {
	if wrong := text.InMemory(); wrong != nil {
		return call.Refused[*Found, *Found](e, wrong)
	}
	if documents != nil {
		o.Documents = max(len(documents)-1, 0)
	}
	n := text.Len()
	if bytes := text.Bytes(); bytes != nil {
		n = len(bytes) / max(o.SymbolBytes, 1)
	}
	return call.NewJob(e, func() (*deduplicating, error) { return newDeduplicating(e, n, o) },
		func(c *call.Call, f *deduplicating, yield func(*Found) error) error {
			var last Found
			err := c.Compute(func() (err error) {
				last.Result, err = f.finder.Run(c.Ctx, text.Bytes(), documents, func(ranges []duplicates.Range) error {
					return yield(&Found{Ranges: ranges})
				}, c.Progress)
				return err
			})
			if err != nil {
				return err
			}
			return yield(&last)
		}, func(run func(yield func(*Found) error) error) (*Found, error) {
			all := &Found{}
			err := run(func(part *Found) error {
				all.Ranges, all.Result = append(all.Ranges, part.Ranges...), part.Result
				return nil
			})
			if err != nil {
				return nil, err
			}
			return all, nil
		}).NeedsSymbols(text)
}

// deduplicating finds the duplicates of a text.
type deduplicating struct{ finder *duplicates.Finder }

func newDeduplicating(e *call.Engine, n int, o duplicates.Options) (*deduplicating, error) {
	f, err := duplicates.New(e.Session, n, o)
	if err != nil {
		return nil, err
	}
	return &deduplicating{f}, nil
}

func (o *deduplicating) Plan() device.MemoryPlan { return o.finder.Memory() }

func (o *deduplicating) Free(*device.Session) {} // the finder holds none after a run
