package pangenome

import (
	"context"
	"fmt"
	"io"
	"runtime"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/rope"
)

// String is suffixcl.PangenomeString.
type String struct {
	Row, Whole uint64
	Text       []byte
}

// walking is what reads an index row by row, on the host.
type walking struct {
	file *io.SectionReader
	more func(h fmd.Header) int64 // bytes of the host besides the index
}

// loadedRun are the bytes of the host of a run that is loaded.
const loadedRun = 12

// plan counts the runs.
func (w walking) plan() (call.Combined, error) {
	runs := int64(0)
	h, err := decode(w.file, func(part []fmd.Run) error {
		runs += int64(len(part))
		return nil
	})
	if err != nil {
		return call.Combined{}, &IndexError{0, err}
	}
	return call.Combined{Phases: device.MemoryPlan{{Phase: "walk", Host: runs*loadedRun + w.more(h)}}}, nil
}

func (w walking) load(c *call.Call) (*rope.Index, error) {
	c.Phase("load")
	x, err := rope.Load(func(yield func(fmd.Run) error) error {
		_, err := decode(w.file, func(part []fmd.Run) error { return eachRun(part, yield) })
		return err
	})
	if err != nil {
		return nil, &IndexError{0, err}
	}
	return x, nil
}

// eachRun yields the runs of a part.
func eachRun(part []fmd.Run, yield func(fmd.Run) error) error {
	for _, r := range part {
		if err := yield(r); err != nil {
			return err
		}
	}
	return nil
}

// Strings is suffixcl.PangenomeIndex.Strings.
func Strings(e *call.Engine, file *io.SectionReader, rows []uint64) call.Job[*String, []*String] {
	w := walking{file, func(h fmd.Header) int64 { return int64(h.Rows) }}
	return call.NewJob(e, w.plan, func(c *call.Call, _ call.Combined, yield func(*String) error) error {
		x, err := w.load(c)
		if err != nil {
			return err
		}
		if rows != nil {
			return eachString(c, x, rows, yield)
		}
		done, m := uint64(0), x.Strings()
		err = eachString(c, x, numbers(m), func(s *String) error {
			done += uint64(len(s.Text)) + 1
			c.Progress("walk", int64(done), int64(x.Len()))
			return yield(s)
		})
		if err == nil && done != x.Len() {
			err = &IndexError{0, inNoString(x.Len() - done)}
		}
		return err
	}, func(run func(yield func(*String) error) error) (all []*String, err error) {
		err = run(func(s *String) error {
			all = append(all, s)
			return nil
		})
		if err != nil {
			return nil, err
		}
		return all, nil
	})
}

// eachString walks from rows on all processors, and yields the strings in the order of the rows.
func eachString(c *call.Call, x *rope.Index, rows []uint64, yield func(*String) error) error {
	type walked struct {
		s   *String
		err error
	}
	for _, row := range rows {
		if row >= x.Len() {
			return fmt.Errorf("row %d: the index has %d", row, x.Len())
		}
	}
	ctx, stop := context.WithCancel(c.Ctx)
	defer stop()
	return parallel.InOrder(len(rows), 2*runtime.GOMAXPROCS(0), func(i int) (w walked) {
		s := &String{Row: rows[i]}
		err := x.Walk(ctx, rows[i], func(row uint64, letter byte) error {
			if s.Whole = row; letter != 0 {
				s.Text = append(s.Text, Letters[letter])
			}
			return nil
		})
		rope.Reverse(s.Text)
		return walked{s, err}
	}, func(_ int, w walked) error {
		if w.err != nil {
			stop()
			return w.err
		}
		return yield(w.s)
	}, func(walked) {})
}

// Sample is suffixcl.PangenomeIndex.Samples.
func Sample(e *call.Engine, file *io.SectionReader, rate int) call.Job[[]byte, []byte] {
	if rate < 0 || rate > fmd.MaxRate {
		return call.Refused[[]byte, []byte](e, fmt.Errorf("suffixcl: samples of every 2^%d rows", rate))
	}
	w := walking{file, func(h fmd.Header) int64 { return fmd.SampledBytes(rate, h.Rows, h.Counts[0]) }}
	return call.NewJob(e, w.plan, func(c *call.Call, _ call.Combined, yield func([]byte) error) error {
		x, err := w.load(c)
		if err != nil {
			return err
		}
		s, err := sample(c, x, rate)
		if err != nil {
			return err
		}
		_, err = s.WriteTo(writer(yield))
		return err
	}, func(run func(yield func([]byte) error) error) (all []byte, err error) {
		err = run(func(part []byte) error {
			all = append(all, part...)
			return nil
		})
		return all, err
	})
}

// sample walks all strings.
func sample(c *call.Call, x *rope.Index, rate int) (*fmd.Samples, error) {
	m := x.Strings()
	s := fmd.NewSamples(rate, x.Len(), m)
	type walked struct {
		rows uint64
		err  error
	}
	ctx, stop := context.WithCancel(c.Ctx)
	defer stop()
	done, shift, mask := uint64(0), fmd.Shift(m), uint64(1)<<rate-1
	err := parallel.InOrder(int(m), 4*runtime.GOMAXPROCS(0), func(i int) (w walked) {
		var places []uint64 // of samples of this string, which no other walk has
		w.err = x.Walk(ctx, uint64(i), func(row uint64, letter byte) error {
			if row >= m && (row-m)&mask == 0 {
				place := (row - m) >> rate
				s.Places[place] = w.rows // from the end
				places = append(places, place)
			}
			if letter == 0 {
				_, whole := x.Step(row)
				s.Strings[whole] = uint64(i)
			}
			w.rows++
			return nil
		})
		for _, place := range places {
			s.Places[place] = (w.rows-1-s.Places[place])<<shift | uint64(i)
		}
		return w
	}, func(_ int, w walked) error {
		if w.err != nil {
			stop()
			return w.err
		}
		done += w.rows
		c.Progress("walk", int64(done), int64(x.Len()))
		return nil
	}, func(walked) {})
	if err == nil && done != x.Len() {
		err = inNoString(x.Len() - done)
	}
	if err != nil {
		return nil, &IndexError{0, err}
	}
	return s, nil
}
