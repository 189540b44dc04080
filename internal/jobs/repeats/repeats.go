package repeats

import (
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/seqio"
)

// Options are suffixcl.RepeatOptions.
type Options struct {
	MinLength         int
	Records           seqio.Table
	ReverseComplement bool
	All               bool
}

// Repeats are suffixcl.Repeats.
type Repeats struct {
	First   int
	Start   []uint32
	Length  []uint32
	Offsets []uint64
	Starts  []uint32
}

// Find is suffixcl.Engine.Repeats.
func Find(e *call.Engine, text input.Text, o Options) call.Job[*Repeats, *Repeats] {
	if wrong := text.InMemory(); wrong != nil {
		return call.Refused[*Repeats, *Repeats](e, wrong)
	}
	j, err := repeatsOf(e, text, o)
	if err != nil {
		return call.Refused[*Repeats, *Repeats](e, err)
	}
	j.Collect = func(run func(yield func(*Repeats) error) error) (*Repeats, error) {
		return collectRepeats(text.Len(), o, run)
	}
	return j
}

func repeatsOf(e *call.Engine, text input.Text, o Options) (call.Job[*Repeats, *Repeats], error) {
	layout := layText
	if !text.IsSet() && text.SymbolBytes() == 1 {
		layout = layBytes
	}
	p, err := layout(text, o)
	if err != nil {
		return call.Job[*Repeats, *Repeats]{}, err
	}
	plan := func() (*repeating, error) { return newTextRepeats(e, text, p, o) }
	j := call.NewJob[*repeating, *Repeats, *Repeats](e, plan,
		func(c *call.Call, op *repeating, yield func(*Repeats) error) error {
			if err := op.join(p, text, o); err != nil {
				return err
			}
			x, ws, err := op.index(c, p.ends)
			if err != nil {
				return err
			}
			if o.All {
				return op.eachRow(c, x, ws, p, yield)
			}
			return op.eachLeftmost(c, x, p, yield)
		}, nil)
	return j.NeedsSymbols(text), nil
}

// collectRepeats are the repeats of all parts of a text of n symbols.
func collectRepeats(n int, o Options, run func(yield func(*Repeats) error) error) (*Repeats, error) {
	r := &Repeats{}
	room := func() { // not for a text that is refused
		if r.Start != nil {
			return
		}
		r.Start, r.Length = make([]uint32, n), make([]uint32, n)
		if o.All {
			r.Offsets = make([]uint64, n+1)
		}
	}
	row := 0 // of the next position
	skip := func(to int) {
		for ; o.All && row < to; row++ {
			r.Offsets[row+1] = r.Offsets[row]
		}
	}
	err := run(func(part *Repeats) error {
		room()
		copy(r.Start[part.First:], part.Start)
		copy(r.Length[part.First:], part.Length)
		skip(part.First) // positions between records
		for i := 1; i < len(part.Offsets); i++ {
			r.Offsets[row+1] = r.Offsets[row] + part.Offsets[i] - part.Offsets[i-1]
			row++
		}
		r.Starts = append(r.Starts, part.Starts...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	room()
	skip(n)
	return r, nil
}
