package genomes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/mappability"
)

// MappabilityOptions are suffixcl.MappabilityOptions.
type MappabilityOptions struct {
	K           []int
	Unique      bool
	BothStrands bool
	Letters     string
	Grouped     func(groups, sorts int)
}

// tell tells of groups.
func (o MappabilityOptions) tell(groups int) {
	if o.Grouped == nil || groups == 0 {
		return
	}
	sorts := groups * (groups - 1) / 2
	if groups > 2 {
		sorts += groups
	}
	o.Grouped(groups, sorts)
}

func (o MappabilityOptions) check() error {
	if len(o.K) == 0 && !o.Unique {
		return errors.New("suffixcl: mappability of no k")
	}
	for _, k := range o.K {
		if k < 1 || k > limits.MaxLen {
			return fmt.Errorf("suffixcl: mappability of %d-mers", k)
		}
	}
	return nil
}

// least is the shortest length that the LCP array has to tell.
func (o MappabilityOptions) least() int {
	if o.Unique {
		return 1
	}
	return slices.Min(o.K)
}

// Mappability is suffixcl.Mappability.
type Mappability struct {
	K      int
	Text   int
	First  int
	Values []uint32
}

// CountMappability is suffixcl.Engine.Mappability.
func CountMappability(e *call.Engine, of input.Text, o MappabilityOptions) call.Job[*Mappability, []*Mappability] {
	texts, err := of.AsSet()
	if err = cmp.Or(err, o.check()); err == nil && o.Letters == "" {
		err = texts.CheckTerminator(0)
	}
	if err != nil {
		return call.Refused[*Mappability, []*Mappability](e, err)
	}
	return call.Job[*Mappability, []*Mappability]{Engine: e, Collect: allMappability,
		Operation: func() (call.Operation, error) {
			var all call.Combined
			for _, part := range o.divide(e, texts) {
				plan, err := part.plan(e)
				if err != nil {
					return nil, err
				}
				all.Phases = append(all.Phases, plan...)
			}
			return all, nil
		},
		Run: func(ctx context.Context, yield func(*Mappability) error) error {
			c, err := e.Begin(ctx)
			if err != nil {
				return err
			}
			defer c.End()
			c.CallsBack()
			c.Alone() // what is kept for the next call is in no plan
			for _, part := range o.divide(e, texts) {
				if err := part.Run(c, yield); err != nil {
					return err
				}
			}
			return nil
		}}
}

// allMappability has one for each length and text.
func allMappability(run func(yield func(*Mappability) error) error) (all []*Mappability, err error) {
	err = run(func(part *Mappability) error {
		if last := len(all) - 1; last < 0 || all[last].K != part.K || all[last].Text != part.Text {
			all = append(all, &Mappability{K: part.K, Text: part.Text})
		}
		of := all[len(all)-1]
		of.Values = append(of.Values, part.Values...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// each yields the values of some texts among themselves, or of all, and zeros for the others.
func (m *mappabilityTexts) each(c *call.Call, members []bool, yield func(*Mappability) error) error {
	t, positions := m.delimit(members, m.strands())
	var counts *counting
	if positions > 0 {
		var err error
		counts, err = call.PrepareAlone(c, func() (*counting, error) {
			return newCounting(c.Engine, t.len(), len(t.ends), positions, m.o)
		})
		if err != nil {
			return err
		}
		defer counts.Free(c.Session)
		t.fill()
		if err := counts.index(c, t); err != nil {
			return err
		}
	}
	for _, k := range m.o.lengths() {
		sink := &mappabilitySink{k: k, texts: m.texts, t: t, yield: yield}
		if counts != nil {
			if err := counts.count(c, k, sink); err != nil {
				return err
			}
		}
		if err := sink.through(m.texts.Count()); err != nil {
			return err
		}
	}
	return nil
}

// lengths are those of o.K, and 0 where the shortest unique substrings are wanted.
func (o MappabilityOptions) lengths() []int {
	if o.Unique {
		return append(slices.Clone(o.K), 0)
	}
	return o.K
}

// counting makes the mappability of a text.
type counting struct {
	*delimiting
	o           MappabilityOptions
	positions   int
	plan        *mappability.Plan
	extra       *device.Layout
	values      *device.Slot[uint32]
	complements *device.Slot[uint8]
	work        *device.WorkspaceSlot
	x           *mappability.Index
}

// newCounting plans a text of n characters, of which so many are separators, and which begins with the positions that
// are wanted.
func newCounting(e *call.Engine, n, separators, positions int, o MappabilityOptions) (*counting, error) {
	host := int64(n) + int64(positions)
	m := &counting{o: o, positions: positions}
	var err error
	if m.delimiting, err = newDelimiting(e, n, separators, uint32(o.least()), host); err != nil {
		return nil, err
	}
	if m.plan, err = mappability.New(e.Session, n); err != nil {
		return nil, err
	}
	m.extra = device.NewLayout("mappability")
	m.values = device.Reserve[uint32](m.extra, "values", positions)
	m.complements = device.Reserve[uint8](m.extra, "complements", 256)
	m.work = device.ReserveWorkspace(m.extra, m.plan.Workspace())
	m.then(m.extra, host)
	return m, nil
}

func (m *counting) Free(s *device.Session) {
	m.extra.Release(s)
	m.delimiting.Free(s)
}

// index makes what all lengths share.
func (m *counting) index(c *call.Call, t *delimitedText) error {
	if err := m.load(c, t); err != nil {
		return err
	}
	if err := m.extra.Allocate(c.Session); err != nil {
		return err
	}
	if err := call.Upload(c, m.complements.Buffer(c.Session), complementOf[:]); err != nil {
		return err
	}
	c.Phase("mappability")
	return c.Compute(func() error {
		_, sa := m.ArraysOf(c.Session, m.N)
		m.x = m.plan.Index(m.work.Workspace(c.Session), sa, m.lcp.Buffer(c.Session))
		return c.Session.Check(c.Ctx)
	})
}

// count hands the values of one length to the sink.
func (m *counting) count(c *call.Call, k int, sink *mappabilitySink) error {
	values := m.values.Buffer(c.Session)
	c.Phase("mappability")
	err := c.Compute(func() error {
		if k == 0 {
			m.x.Unique(values)
			return c.Session.Check(c.Ctx)
		}
		m.x.Counts(uint32(k), values)
		if m.o.BothStrands {
			text, _ := m.ArraysOf(c.Session, m.N)
			m.x.Palindromes(text, m.complements.Buffer(c.Session), uint32(k), values)
		}
		return c.Session.Check(c.Ctx)
	})
	if err != nil {
		return err
	}
	return sink.all(c, m.positions, values)
}

// mappabilitySink yields values text by text, with zeros where there are none.
type mappabilitySink struct {
	k     int
	texts *input.Collection
	t     *delimitedText
	yield func(*Mappability) error
	piece int // the next stretch
	text  int // that was begun
	done  int // positions of it
	zeros []uint32
}

// all takes the values of n characters.
func (k *mappabilitySink) all(c *call.Call, n int, values *device.Buffer[uint32]) error {
	return c.EachBlock(n, 1, []*device.Buffer[uint32]{values}, func(first int, b [][]uint32) error {
		c.Progress("mappability", int64(first+len(b[0])), int64(n))
		return k.add(first, b[0])
	})
}

// emit yields values of the text, which follow those before.
func (k *mappabilitySink) emit(values []uint32) error {
	if len(values) == 0 {
		return nil
	}
	err := k.yield(&Mappability{K: k.k, Text: k.text, First: k.done, Values: values})
	k.done += len(values)
	return err
}

// none yields zeros up to a position of the text.
func (k *mappabilitySink) none(to int) error {
	if k.zeros == nil {
		k.zeros = make([]uint32, 1<<16)
	}
	for k.done < to {
		if err := k.emit(k.zeros[:min(len(k.zeros), to-k.done)]); err != nil {
			return err
		}
	}
	return nil
}

// through ends the texts before number `to`.
func (k *mappabilitySink) through(to int) error {
	for ; k.text < to; k.text, k.done = k.text+1, 0 {
		if err := k.none(len(k.texts.Text(k.text))); err != nil {
			return err
		}
	}
	return nil
}

// add takes the values of a block of the delimited text.
func (k *mappabilitySink) add(first int, values []uint32) error {
	end := first + len(values)
	for at := first; at < end; {
		piece := k.t.pieces[k.piece]
		if err := k.through(int(piece.owner)); err != nil {
			return err
		}
		from := at - int(piece.start)
		if from == int(piece.length) { // the separator
			k.piece, at = k.piece+1, at+1
			continue
		}
		to := min(int(piece.length), end-int(piece.start))
		if err := k.none(int(piece.offset) + from); err != nil {
			return err
		}
		part := values[at-first:][:to-from]
		if k.k > 0 {
			part = part[:max(min(int(piece.length)-k.k+1, to)-from, 0)]
		} else {
			for i := range part {
				if int(part[i]) > int(piece.length)-from-i {
					part[i] = 0
				}
			}
		}
		if err := k.emit(part); err != nil {
			return err
		}
		at = int(piece.start) + to
	}
	return nil
}
