package smems

import (
	"errors"
	"fmt"
	"io"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/rlbwt"
	"github.com/suffixcl/suffixcl/internal/runfiles"
	"github.com/suffixcl/suffixcl/internal/smem"
	"github.com/suffixcl/suffixcl/patterns"
)

// Options is suffixcl.SMEMOptions.
type Options struct {
	Transform          *smem.Transform
	Pangenome          *io.SectionReader
	Runs               runfiles.Files
	MinLength, MinHits int
	MaxLocated         int
	Next               func() (*patterns.Batch, error)
	Letters, Queries   int
}

// Found is suffixcl.SMEMs.
type Found struct {
	First, Queries int
	Matches        []smem.Match
	Positions      []uint64
	Lengths        []uint32
}

// IndexError says that an index is wrong.
type IndexError struct{ Err error }

func (e *IndexError) Error() string { return e.Err.Error() }

func (e *IndexError) Unwrap() error { return e.Err }

// check tells what is wrong with options.
func (o *Options) check() error {
	if o.pseudo() {
		return o.checkPseudo()
	}
	switch {
	case (o.Transform == nil) == (o.Pangenome == nil):
		return errors.New("suffixcl: SMEMs are those of a transform, or of a pangenome")
	case o.MinLength < 1 || o.MinHits < 1 || o.MaxLocated < 0:
		return fmt.Errorf("suffixcl: SMEMs of %d letters and %d hits, %d of them with positions", o.MinLength, o.MinHits,
			o.MaxLocated)
	case o.MaxLocated > 0 && (o.Transform == nil || o.Transform.Every == 0):
		return errors.New("suffixcl: the index has no positions")
	}
	return o.checkBatch()
}

func (o *Options) checkBatch() error {
	if o.Letters < 0 || o.Queries < 0 {
		return fmt.Errorf("suffixcl: %d queries of %d letters", o.Queries, o.Letters)
	}
	return nil
}

// Find is suffixcl.Engine.SMEMs.
func Find(e *call.Engine, o Options) call.Job[*Found, *Found] {
	if wrong := o.check(); wrong != nil {
		return call.Refused[*Found, *Found](e, wrong)
	}
	if o.pseudo() {
		return findPseudo(e, o)
	}
	return call.NewJob(e, func() (call.Combined, error) { return o.plan(e) },
		func(c *call.Call, _ call.Combined, yield func(*Found) error) error { return o.find(c, yield) }, all)
}

// all are the matches of all parts.
func all(run func(yield func(*Found) error) error) (*Found, error) {
	f := &Found{}
	err := run(func(part *Found) error {
		for _, m := range part.Matches {
			m.Query += uint32(part.First)
			f.Matches = append(f.Matches, m)
		}
		f.Positions = append(f.Positions, part.Positions...)
		f.Lengths = append(f.Lengths, part.Lengths...)
		f.Queries = part.First + part.Queries
		return nil
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Bytes of the host: of a base while a transform is brought to the device, and of a letter of a batch.
const (
	hostBase   = 2
	hostLetter = 2
)

// plan is the memory of the index, and that of a batch beside it.
func (o *Options) plan(e *call.Engine) (call.Combined, error) {
	var index device.PhaseMemory
	var loading []device.BufferMemory // beside it
	if o.Transform != nil {
		n := len(o.Transform.Bases)
		m, err := smem.Memory(e.Session, n, o.Transform.Every)
		if err != nil {
			return call.Combined{}, err
		}
		m.Phase, m.Host = "load", int64(n)*hostBase+8*int64(len(o.Transform.Samples))
		index = m
	} else {
		file := o.Pangenome
		h, err := fmd.ReadHeader(io.NewSectionReader(file, 0, file.Size()), file.Size())
		if err != nil {
			return call.Combined{}, &IndexError{err}
		}
		runs := int(rlbwt.RunsOf(file.Size(), h.Rows))
		rlbwt.Prepare(e.Session)
		index = smem.RunsMemory(e.Session, runs, h.Counts[0])
		index.Phase = "load"
		loading = append(loading, rlbwt.Loading(runs))
	}
	search := smem.SearchMemory(e.Session, o.Letters, o.Queries)
	search.Buffers = append(search.Buffers, index.Buffers...)
	search.Host = int64(o.Letters) * hostLetter
	index.Buffers = append(index.Buffers, loading...)
	return call.Combined{Phases: device.MemoryPlan{index, search}}, nil
}

func (o *Options) decode(yield fmd.Yield) (fmd.Header, error) {
	return fmd.DecodeParts(io.NewSectionReader(o.Pangenome, 0, o.Pangenome.Size()), o.Pangenome.Size(), yield)
}

// open brings the index to the device.
func (o *Options) open(c *call.Call) (*smem.Index, error) {
	c.Phase("load")
	if o.Transform != nil {
		return smem.Open(c.Ctx, c.Session, o.Transform)
	}
	runs, err := rlbwt.Load(c.Ctx, c.Session, func(yield fmd.Yield) error {
		_, err := o.decode(yield)
		return err
	})
	if err != nil {
		return nil, err
	}
	return smem.Runs(c.Ctx, c.Session, runs)
}

func (o *Options) find(c *call.Call, yield func(*Found) error) error {
	x, err := o.open(c)
	if err != nil {
		return &IndexError{err}
	}
	defer x.Release()
	search, err := smem.NewSearch(x, smem.Options{Least: o.MinLength, Hits: uint64(o.MinHits),
		Located: uint64(o.MaxLocated)})
	if err != nil {
		return err
	}
	defer search.Release()
	c.Phase("search")
	return o.each(func(batch *patterns.Batch, begin int) error {
		return c.ComputeAround(func(aside func(func() error) error) error {
			return search.Each(c.Ctx, batch.Text, batch.Offsets[1:], func(from, to int, f *smem.Found) error {
				for i := range f.Matches {
					f.Matches[i].Query -= uint32(from)
				}
				found := &Found{First: begin + from, Queries: to - from, Matches: f.Matches, Positions: f.Positions}
				return aside(func() error { return yield(found) })
			})
		})
	})
}

// each calls find for each batch, with the number of the first query.
func (o *Options) each(find func(batch *patterns.Batch, first int) error) error {
	for first := 0; o.Next != nil; {
		batch, err := o.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case batch.Len() == 0:
			continue
		}
		if err := find(batch, first); err != nil {
			return err
		}
		first += batch.Len()
	}
	return nil
}
