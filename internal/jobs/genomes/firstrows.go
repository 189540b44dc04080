package genomes

import (
	"errors"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/prefixes"
)

// FirstRowsOptions of FirstRows.
type FirstRowsOptions struct {
	Letters  int           // that suffixes are told apart by: 1 to prefixes.Longest
	Codes    *[256]uint8   // of the letters of the text, prefixes.NoLetter for all other bytes
	Plain    prefixes.Part // whose suffixes are rows
	Inserted prefixes.Part // the same, in an index of Plain; From is End where there is none
	Last     int           // row of the last suffix of Plain
	Width    int           // bits of an entry
	Sizes    RowSizes      // with none those of FirstRowsSizes
}

// RowSizes are how much FirstRows takes at a time: letters that a table of sequences may have, a piece of the text, and
// groups of entries that are packed.
type RowSizes struct{ Free, Piece, Chunk int }

// ErrShortFirst is of a genome whose first suffix has fewer letters than others are told apart by.
var ErrShortFirst = errors.New("the first suffix has fewer letters than the index")

// FirstRowsSizes are those of FirstRows. Tests make them smaller.
var FirstRowsSizes = RowSizes{prefixes.Longest, 1 << 26, 1 << 15}

// FirstRows makes the index that STAR has before the suffix array of both strands of a genome, whose entries are those
// of kernels/prefixes_rows.cl. Its blocks come in order. Memory of the device: 3/8 bytes a character; 4.3 for each
// sequence, 4.4 with Inserted; two blocks. Where it is short there are parts of the sequences, and the text is counted
// for each. Errors: those of prefixes.NewFirstRows; ErrShortFirst.
//
// STAR goes over rows in steps, from the start of each run of rows that begin with the same letters. It does not see a
// last run of one row that the step lands before: that has no entry. With Inserted its index is that of Plain, into
// which the others are inserted: marks stay, and so does the row that is not seen.
func FirstRows(e *call.Engine, text []byte, o FirstRowsOptions) call.Job[call.Packed, struct{}] {
	return call.NewJob(e, func() (*firstRows, error) { return newFirstRows(e, len(text), o) },
		func(c *call.Call, p *firstRows, yield func(call.Packed) error) error {
			if err := p.load(c, text); err != nil {
				return err
			}
			return p.run(c, yield)
		}, func(run func(func(call.Packed) error) error) (none struct{}, err error) {
			return none, run(func(call.Packed) error { return nil })
		})
}

// firstRows is an index that is made of tables. The first one has the levels of as many letters as fit. Each further
// level has tables of its own, by the letters that are fixed, with as many free ones.
type firstRows struct {
	o    FirstRowsOptions
	n    int
	free int
	rows *prefixes.FirstRows

	table    prefixes.Table // that is counted and numbered
	inserted bool           // with what is inserted
	marked   prefixes.Table // whose marks are kept

	plain int // rows
	skip  prefixes.Skipped
	below int // the level whose last entry has a mark if it is there; 0: none
}

// newFirstRows plans a table as a whole, or parts of it that fit.
func newFirstRows(e *call.Engine, n int, o FirstRowsOptions) (p *firstRows, err error) {
	if o.Sizes == (RowSizes{}) {
		o.Sizes = FirstRowsSizes
	}
	for free := max(min(o.Letters, o.Sizes.Free), 1); ; free-- {
		p = &firstRows{o: o, n: n, free: free}
		p.rows, err = prefixes.NewFirstRows(e.Session, n, o.Letters, free, o.Sizes.Piece, o.Width,
			o.Sizes.Chunk, p.inserts())
		if err != nil {
			return nil, err
		}
		if p.Plan().Fits(e.Session) == nil || free <= (o.Letters+1)/2 {
			return p, nil
		}
	}
}

// inserts tells whether there is more than the plain text.
func (p *firstRows) inserts() bool { return p.o.Inserted.From < p.o.Inserted.End }

// Plan has the text, which is the caller's, too.
func (p *firstRows) Plan() device.MemoryPlan {
	return device.MemoryPlan{call.PhaseOf(p.rows.Layout().Memory(), int64(p.n))}
}

func (p *firstRows) Free(s *device.Session) { p.rows.Layout().Release(s) }

// load has the text on the device.
func (p *firstRows) load(c *call.Call, text []byte) error {
	if err := p.rows.Layout().Allocate(c.Session); err != nil {
		return err
	}
	p.rows.Begin(p.o.Codes)
	for at := 0; at < len(text); at += p.o.Sizes.Piece {
		part := p.rows.Piece(min(p.o.Sizes.Piece, len(text)-at))
		if err := call.Upload(c, part, text[at:at+part.Len()]); err != nil {
			return err
		}
		p.rows.Pack(part, at)
	}
	return c.Session.Check(c.Ctx)
}

// tables are those that tell suffixes apart by so many letters.
func (p *firstRows) tables(letters int) (all []prefixes.Table) {
	fixed := max(letters-p.free, 0)
	for part := range 1 << (2 * fixed) {
		all = append(all, prefixes.Table{Letters: letters, Fixed: fixed, Part: part})
	}
	return all
}

// fill counts and numbers a table, if that is not done, and finds what marks come before.
func (p *firstRows) fill(c *call.Call, t prefixes.Table, inserted bool) error {
	if p.table == t && p.inserted == inserted {
		return nil
	}
	p.table, p.inserted = t, inserted
	c.Phase("first letters")
	return c.Compute(func() error {
		p.rows.Clear(t)
		if inserted {
			p.rows.Count(p.o.Inserted)
			p.rows.Shorter(prefixes.Sequence{})
		}
		p.rows.Count(p.o.Plain)
		p.rows.Number()
		return c.Session.Check(c.Ctx)
	})
}

// look finds the states of a table. The marks of the plain text are made when it is known what is skipped.
func (p *firstRows) look(c *call.Call, of prefixes.Entries) error {
	c.Phase("first rows")
	return c.Compute(func() error {
		if !p.inserted {
			p.rows.Shorter(p.skip.Sequence)
		}
		p.rows.Look(of)
		return c.Session.Check(c.Ctx)
	})
}

// entries are those of a table with so many rows before it.
func (p *firstRows) entries(before int, after prefixes.State) prefixes.Entries {
	t := p.table
	of := prefixes.Entries{Before: before, Skip: p.skip, After: after, Below: -1, None: p.plain, Marks: p.inserted}
	if t.Fixed > 0 { // the last level
		of.First = prefixes.Start(t.Letters - t.Fixed)
	}
	last := t.Part == 1<<(2*t.Fixed)-1
	if !p.inserted && p.below > 0 && (t.Fixed == 0 || last && p.below == t.Letters) {
		of.Below = prefixes.Start(p.below-t.Fixed+1) - 1
	}
	return of
}

// run makes the index. Errors: ErrShortFirst; yield's.
func (p *firstRows) run(c *call.Call, yield func(call.Packed) error) error {
	if err := p.unseen(c); err != nil {
		return err
	}
	all := p.tables(p.o.Letters)
	longest, plain, err := p.survey(c, all, false)
	if err != nil {
		return err
	}
	if longest < p.o.Letters {
		p.below = longest
	}
	whole := plain
	if p.inserts() {
		if len(all) == 1 { // while it is there
			if err := p.mark(c, all[0], plain[0]); err != nil {
				return err
			}
		}
		if _, whole, err = p.survey(c, all, true); err != nil {
			return err
		}
	}
	for letters := min(p.free, p.o.Letters); letters <= p.o.Letters; letters++ {
		of, plain, whole := all, plain, whole
		if letters < p.o.Letters {
			of = p.tables(letters)
			if plain, err = p.places(c, of, false); err == nil && p.inserts() {
				whole, err = p.places(c, of, true)
			}
			if err != nil {
				return err
			}
		}
		if !p.inserts() {
			whole = plain
		}
		for k, t := range of {
			if p.inserts() {
				if err := p.mark(c, t, plain[k]); err != nil {
					return err
				}
			}
			if err := p.pack(c, t, whole[k], yield); err != nil {
				return err
			}
		}
	}
	return nil
}

// unseen counts the plain rows, and finds that which STAR does not look at.
func (p *firstRows) unseen(c *call.Call) error {
	var last, before prefixes.Ends // of the tables that have rows
	for _, t := range p.tables(p.o.Letters) {
		if err := p.fill(c, t, false); err != nil {
			return err
		}
		ends, err := p.rows.Ends()
		if err != nil {
			return err
		}
		if p.plain += ends.Rows; ends.Rows > 0 {
			last, before = ends, last
		}
	}
	run := last.Before
	if run == 0 {
		run = before.Same
	}
	n, step := p.plain, p.plain>>(2*p.o.Letters)+1
	if n >= 2 && step >= 2 && last.Same == 1 && (run-1)%step == 0 {
		p.skip = prefixes.Skipped{Sequence: last.Last, Row: p.o.Last}
	}
	return nil
}

// place is where the entries of a table are: the rows before them, and the state after them.
type place struct {
	before int
	after  prefixes.State
}

// places finds those of tables, of which one has no others before or after it.
func (p *firstRows) places(c *call.Call, tables []prefixes.Table, inserted bool) ([]place, error) {
	all, states := make([]place, len(tables)), make([]prefixes.State, len(tables))
	before := 0
	for k, t := range tables {
		all[k].before = before
		if len(tables) == 1 {
			break
		}
		if err := p.fill(c, t, inserted); err != nil {
			return nil, err
		}
		of := p.entries(before, prefixes.NoMore)
		if err := p.look(c, of); err != nil {
			return nil, err
		}
		ends, err := p.rows.Ends()
		if err != nil {
			return nil, err
		}
		before += ends.Rows
		if states[k], err = p.rows.State(of); err != nil {
			return nil, err
		}
	}
	after := prefixes.NoMore
	for k := len(tables) - 1; k >= 0; k-- {
		all[k].after = after
		after = after.Then(states[k])
	}
	return all, nil
}

// survey finds the places of the tables of all letters, and the most letters that rows have. Errors: ErrShortFirst.
func (p *firstRows) survey(c *call.Call, tables []prefixes.Table, inserted bool) (longest int, all []place, err error) {
	first := 0
	for _, t := range tables {
		if err := p.fill(c, t, inserted); err != nil {
			return 0, nil, err
		}
		ends, err := p.rows.Ends()
		if err != nil {
			return 0, nil, err
		}
		if first == 0 {
			first = ends.First
		}
		if first == p.o.Letters {
			longest = first
			break
		}
		most, err := p.rows.Longest(p.skip)
		if err != nil {
			return 0, nil, err
		}
		longest = max(longest, most)
	}
	if first < longest {
		return 0, nil, ErrShortFirst
	}
	all, err = p.places(c, tables, inserted)
	return longest, all, err
}

// mark keeps the marks of the plain text.
func (p *firstRows) mark(c *call.Call, t prefixes.Table, at place) error {
	if p.marked == t {
		return nil
	}
	p.marked = t
	if err := p.fill(c, t, false); err != nil {
		return err
	}
	of := p.entries(at.before, at.after)
	if err := p.look(c, of); err != nil {
		return err
	}
	return c.Compute(func() error {
		p.rows.Mark(of)
		return c.Session.Check(c.Ctx)
	})
}

// pack hands out the entries of a table, some at a time, while the next are packed and copied.
func (p *firstRows) pack(c *call.Call, t prefixes.Table, at place, yield func(call.Packed) error) error {
	if err := p.fill(c, t, p.inserts()); err != nil {
		return err
	}
	of := p.entries(at.before, at.after)
	if err := p.look(c, of); err != nil {
		return err
	}
	from, n := 0, p.rows.Len(of)
	return c.EachPacked(func(buffer int) (packed *device.Buffer[uint32], entries int, err error) {
		if from < n {
			packed, entries = p.rows.PackEntries(of, from, buffer)
			from += entries
		}
		return packed, entries, nil
	}, func(block call.Packed) error {
		c.Progress("first rows", int64(from), int64(n))
		return yield(block)
	})
}
