package dedup

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/duplicates"
	"github.com/suffixcl/suffixcl/internal/input"
)

// Found is suffixcl.Duplicates.
type Found struct {
	Ranges []duplicates.Range
	Result duplicates.Result
}

// Find is suffixcl.Engine.Duplicates.
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
	if _, wrong := o.Checked(n); wrong != nil {
		return call.Refused[*Found, *Found](e, wrong)
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
