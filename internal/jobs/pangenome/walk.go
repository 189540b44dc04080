package pangenome

import (
	"fmt"
	"io"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/rlbwt"
)

// String is suffixcl.PangenomeString.
type String struct {
	Row, Whole uint64
	Text       []byte
}

// walking reads an index row by row.
type walking struct {
	file *io.SectionReader
	more func(h fmd.Header) (samples, host int64) // bytes of samples, and of the host
}

func (w walking) plan(e *call.Engine) (call.Combined, error) {
	h, err := headerOf(w.file)
	if err != nil {
		return call.Combined{}, &IndexError{0, err}
	}
	runs := rlbwt.RunsOf(w.file.Size(), h.Rows)
	rlbwt.Prepare(e.Session)
	samples, host := w.more(h)
	onDevice, pieces := rlbwt.StringBytes(h.Rows, h.Counts[0], samples)
	there := device.BufferMemory{Name: "index", Bytes: runs * residentRun}
	return call.Combined{Phases: device.MemoryPlan{
		{Phase: "load", Buffers: []device.BufferMemory{there, rlbwt.Loading(int(runs))}},
		{Phase: "walk", Host: pieces + host,
			Buffers: []device.BufferMemory{there, {Name: "pieces and letters", Bytes: onDevice}}},
	}}, nil
}

// load makes the index on the device.
func (w walking) load(c *call.Call) (index, error) {
	c.Phase("load")
	x, err := load(c, func(yield fmd.Yield) error {
		_, err := decode(w.file, yield)
		return err
	})
	if err != nil {
		return nil, &IndexError{0, err}
	}
	return x, nil
}

// stringsAtOnce are bytes of strings that the host has at once, unless one is longer.
const stringsAtOnce = 1 << 30

// Strings is suffixcl.PangenomeIndex.Strings.
func Strings(e *call.Engine, file *io.SectionReader, rows []uint64) call.Job[*String, []*String] {
	w := walking{file, func(h fmd.Header) (samples, host int64) { return 0, 2 * int64(h.Rows) }}
	plan := func() (call.Combined, error) { return w.plan(e) }
	return call.NewJob(e, plan, func(c *call.Call, _ call.Combined, yield func(*String) error) error {
		x, err := w.load(c)
		if err != nil {
			return err
		}
		defer x.Release()
		n := total(x.Counts())
		for _, row := range rows {
			if row >= n {
				return fmt.Errorf("row %d: the index has %d", row, n)
			}
		}
		all := rows == nil
		if all {
			rows = numbers(x.Counts()[0])
		}
		done := uint64(0)
		read := func(i int, letters []byte, whole uint64) error {
			s := &String{Row: rows[i], Whole: whole, Text: make([]byte, len(letters))}
			parallel.Do(len(letters), 1<<20, func(lo, hi int) {
				for k := lo; k < hi; k++ {
					s.Text[k] = Letters[letters[k]]
				}
			})
			if done += uint64(len(letters)) + 1; all {
				c.Progress("walk", int64(done), int64(n))
			}
			return yield(s)
		}
		err = c.ComputeAround(func(aside func(func() error) error) error {
			return x.ExtractWithin(c.Ctx, rows, stringsAtOnce, func(i int, letters []byte, whole uint64) error {
				return aside(func() error { return read(i, letters, whole) })
			})
		})
		if err == nil && all && done != n {
			err = &IndexError{0, inNoString(n - done)}
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

// Sample is suffixcl.PangenomeIndex.Samples.
func Sample(e *call.Engine, file *io.SectionReader, rate int) call.Job[[]byte, []byte] {
	if rate < 0 || rate > fmd.MaxRate {
		return call.Refused[[]byte, []byte](e, fmt.Errorf("suffixcl: samples of every 2^%d rows", rate))
	}
	w := walking{file, func(h fmd.Header) (samples, host int64) {
		samples = fmd.SampledBytes(rate, h.Rows, h.Counts[0])
		return samples, min(samples, 1<<30) + 24*int64(h.Counts[0])
	}}
	plan := func() (call.Combined, error) { return w.plan(e) }
	return call.NewJob(e, plan, func(c *call.Call, _ call.Combined, yield func([]byte) error) error {
		x, err := w.load(c)
		if err != nil {
			return err
		}
		defer x.Release()
		return sample(c, x, rate, writer(yield))
	}, func(run func(yield func([]byte) error) error) (all []byte, err error) {
		err = run(func(part []byte) error {
			all = append(all, part...)
			return nil
		})
		return all, err
	})
}

// sample writes the file of samples.
func sample(c *call.Call, x index, rate int, w io.Writer) error {
	n, m := total(x.Counts()), x.Counts()[0]
	places, done := (n-m+1<<rate-1)>>rate, uint64(0)
	begin := func(wholes []uint64, rows uint64) error {
		if rows != n {
			return &IndexError{0, inNoString(n - rows)}
		}
		order, err := x.Rank(c.Ctx, make([]byte, m), wholes)
		if err != nil {
			return err
		}
		strings := make([]uint64, m)
		for i, place := range order {
			strings[place] = uint64(i)
		}
		return fmd.WriteSampledStrings(w, rate, strings, places)
	}
	return c.ComputeAround(func(aside func(func() error) error) error {
		return x.Places(c.Ctx, rate, fmd.Shift(m), begin, func(some []uint64) error {
			done += uint64(len(some))
			c.Progress("walk", int64(done), int64(places))
			return aside(func() error { return fmd.WritePlaces(w, some) })
		})
	})
}
