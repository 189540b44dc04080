package verbs

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/mapped"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/sdsl"
)

// miniRows is what an index has of a sorted text.
type miniRows struct {
	transform    []byte
	rows, places []uint64 // samples
}

func newMiniRows(n int) *miniRows {
	return &miniRows{rows: addressspace.Make[uint64]((n-1)/sdsl.RowsBetween + 1),
		places: addressspace.Make[uint64]((n-1)/sdsl.PlacesBetween + 1)}
}

func (r *miniRows) parts() sdsl.Parts {
	return sdsl.Parts{Transform: r.transform, Rows: func(k int) uint64 { return r.rows[k] },
		Places: func(k int) uint64 { return r.places[k] }}
}

// rowsEach are worth a processor.
const rowsEach = 1 << 15

// sample keeps the place of a row, if it is a sample.
func (r *miniRows) sample(row int, place uint64) {
	if row%sdsl.RowsBetween == 0 {
		r.rows[row/sdsl.RowsBetween] = place
	}
	if place%sdsl.PlacesBetween == 0 {
		r.places[place/sdsl.PlacesBetween] = uint64(row)
	}
}

// takeSamples keeps the samples of rows from first on, whose places are given.
func takeSamples[P uint32 | uint64](r *miniRows, first int, places []P) {
	parallel.Do(len(places), rowsEach, func(lo, hi int) {
		for i, place := range places[lo:hi] {
			r.sample(first+lo+i, uint64(place))
		}
	})
}

// arrayWriter writes the entries of a suffix array.
type arrayWriter struct {
	w      io.Writer // nil: nowhere
	width  int
	buffer []byte
}

// entriesAtOnce are as many as are written by one call.
const entriesAtOnce = 1 << 20

func (a *arrayWriter) write(n int, at func(i int) uint64) error {
	if a.w == nil {
		return nil
	}
	if a.buffer == nil {
		a.buffer = make([]byte, entriesAtOnce*a.width+8)
	}
	for done := 0; done < n; done += entriesAtOnce {
		part := min(entriesAtOnce, n-done)
		parallel.Do(part, rowsEach, func(lo, hi int) {
			var entry [8]byte
			for i := lo; i < hi; i++ {
				binary.LittleEndian.PutUint64(entry[:], at(done+i))
				copy(a.buffer[i*a.width:(i+1)*a.width], entry[:])
			}
		})
		if _, err := a.w.Write(a.buffer[:part*a.width]); err != nil {
			return err
		}
	}
	return nil
}

// inRanges tells whether a text of n bytes does not fit in one piece, by its plan in one.
func (m *miniGram) inRanges(ctx context.Context, n int) (device.MemoryPlan, bool, error) {
	if n > suffixcl.MaxLen {
		return nil, true, nil
	}
	plan, err := m.Engine().Arrays(suffixcl.Length(1, n), suffixcl.Want{SA: true, BWT: true}).Plan(ctx)
	if length := (*device.LengthError)(nil); errors.As(err, &length) {
		return nil, true, nil
	}
	return plan, err == nil && m.fits(plan) != nil, err
}

// plan is the memory of both texts, and of making their indexes.
func (m *miniGram) plan(ctx context.Context) (plan device.MemoryPlan, err error) {
	if err := m.Session.OpenDevice(); err != nil {
		return nil, err
	}
	for _, t := range m.texts {
		n := len(t.text)
		of, ranges, err := m.inRanges(ctx, n)
		if ranges {
			of, err = m.Engine().Ranges(suffixcl.Length(1, n), suffixcl.RangeOptions{Transform: true}).Plan(ctx)
		}
		if err != nil {
			return nil, err
		}
		plan = append(plan, of...)
		if m.flags.makes(stageIndex) {
			plan = append(plan, indexPlan(m.Session.Device, t.name, n, t.bound())...)
		}
	}
	return plan, nil
}

// bound is an upper bound of the bytes of the index.
func (t *miniText) bound() int64 {
	if t.most == 0 {
		many := sdsl.Count(t.text)
		most, err := sdsl.Bound(&many)
		if err != nil { // which Encode tells
			most = 1
		}
		t.most = most
	}
	return t.most
}

// sort sorts a text, and writes its suffix array and transform if they stay.
func (m *miniGram) sort(ctx context.Context, t *miniText) (*miniRows, error) {
	n := len(t.text)
	_, ranges, err := m.inRanges(ctx, n)
	if err != nil {
		return nil, err
	}
	r := newMiniRows(n)
	primary := 0
	sorted := func(array *arrayWriter) error {
		if ranges {
			primary, err = m.sortRanges(ctx, t, r, array)
			return err
		}
		made, err := m.Engine().Arrays(suffixcl.Bytes(t.text), suffixcl.Want{SA: true, BWT: true}).All(m.Measured(ctx))
		if err != nil {
			return err
		}
		primary, r.transform = made.Primary, made.BWT.Bytes()
		takeSamples(r, 0, made.SA)
		return array.write(n, func(i int) uint64 { return uint64(made.SA[i]) })
	}
	if !m.flags.writes(stageArray) {
		err = sorted(&arrayWriter{})
	} else {
		err = m.write(ctx, t.arrayFile(), func(w io.Writer) error {
			if _, err := w.Write(sdsl.ArrayHeader(n)); err != nil {
				return err
			}
			if err := sorted(&arrayWriter{w: w, width: sdsl.EntryBytes(n)}); err != nil {
				return err
			}
			_, err := w.Write(make([]byte, sdsl.ArraySize(n)-9-int64(n*sdsl.EntryBytes(n))))
			return err
		})
	}
	if err != nil {
		return nil, err
	}
	// Of the rows the first, of the empty suffix, goes, and that of the whole text gets the last letter.
	var mover parallel.Mover[byte]
	mover.Move(r.transform, 0, 1, primary-1)
	r.transform[primary-1] = t.text[n-1]
	if !m.flags.writes(stageArray) {
		return r, nil
	}
	return r, m.write(ctx, t.bwtFile(), func(w io.Writer) error { return sdsl.WriteText(w, r.transform) })
}

// sortRanges sorts a text in ranges, and returns the primary index of the transform.
func (m *miniGram) sortRanges(ctx context.Context, t *miniText, r *miniRows, array *arrayWriter) (int, error) {
	r.transform = addressspace.Make[byte](len(t.text))
	o := suffixcl.RangeOptions{Transform: true, Yield: func(b suffixcl.SuffixBlock) error {
		parallel.Copy(r.transform[b.TransformFirst:], b.Transform)
		takeSamples(r, b.First, b.Positions)
		return array.write(b.Len, func(i int) uint64 { return b.Positions[i] })
	}}
	state, err := m.Engine().Ranges(suffixcl.Bytes(t.text), o).All(m.Measured(ctx))
	return state.Primary, err
}

// mapped maps a file of DIR.
func (m *miniGram) mapped(t *miniText, name string) ([]byte, error) {
	f, err := mapped.Open(m.path(name))
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", m.path(name), cli.WithoutPath(err))
	}
	t.opened = append(t.opened, f)
	return f.Bytes(), nil
}

// sorted reads the suffix array and the transform that DIR has.
func (m *miniGram) sorted(ctx context.Context, t *miniText) (*miniRows, error) {
	n := len(t.text)
	data, err := m.mapped(t, t.bwtFile())
	if err != nil {
		return nil, err
	}
	r := newMiniRows(n)
	if r.transform, err = sdsl.ParseText(data); err != nil {
		return nil, fmt.Errorf("%s: %w", m.path(t.bwtFile()), err)
	}
	if data, err = m.mapped(t, t.arrayFile()); err != nil {
		return nil, err
	}
	array, err := sdsl.ParseArray(data)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", m.path(t.arrayFile()), err)
	case array.Len() != uint64(n):
		return nil, fmt.Errorf("%s has %d entries, %s %d letters", m.path(t.arrayFile()), array.Len(), t.textFile(), n)
	case len(r.transform) != n:
		return nil, fmt.Errorf("%s has %d letters, %s %d", m.path(t.bwtFile()), len(r.transform), t.textFile(), n)
	}
	return r, cli.Timed(&m.Report.Seconds.Read, func() error {
		return parallel.Try(n, entriesAtOnce, func(lo, hi int) error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			for i := lo; i < hi; i++ {
				place := array.At(uint64(i))
				if place >= uint64(n) || r.transform[i] != t.text[(int(place)+n-1)%n] {
					return fmt.Errorf("%s: entry %d is not that of the text and of %s", m.path(t.arrayFile()), i, t.bwtFile())
				}
				r.sample(i, place)
			}
			return nil
		})
	})
}

func writeOffsets(w io.Writer, offsets []uint64) error {
	buffer := make([]byte, 0, 1<<16)
	for _, at := range offsets {
		if buffer = binary.LittleEndian.AppendUint64(buffer, at); len(buffer) == cap(buffer) {
			if _, err := w.Write(buffer); err != nil {
				return err
			}
			buffer = buffer[:0]
		}
	}
	_, err := w.Write(buffer)
	return err
}
