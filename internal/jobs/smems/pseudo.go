package smems

import (
	"errors"
	"io"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/pml"
	"github.com/suffixcl/suffixcl/internal/rlbwt"
	"github.com/suffixcl/suffixcl/patterns"
)

// pseudo tells whether pseudo-matching lengths are wanted.
func (o *Options) pseudo() bool { return o.Runs != [len(o.Runs)]*io.SectionReader{} }

// checkPseudo tells what is wrong with options for them.
func (o *Options) checkPseudo() error {
	switch {
	case slices.Contains(o.Runs[:], nil):
		return errors.New("suffixcl: runs are in three files: .bwt.heads, .bwt.len and .thr_pos")
	case o.Transform != nil || o.Pangenome != nil || o.MinLength != 0 || o.MinHits != 0 || o.MaxLocated != 0:
		return errors.New("suffixcl: pseudo-matching lengths are those of runs alone; they have no least length and hits")
	}
	return o.checkBatch()
}

// pseudoPlan is the memory of the lengths, and what is known of the index.
type pseudoPlan struct {
	call.Combined
	survey *pml.Survey
}

func findPseudo(e *call.Engine, o Options) call.Job[*Found, *Found] {
	return call.NewJob(e, func() (pseudoPlan, error) { return o.planPseudo(e) },
		func(c *call.Call, p pseudoPlan, yield func(*Found) error) error {
			return o.findPseudo(c, p.survey, yield)
		}, all)
}

func (o *Options) planPseudo(e *call.Engine) (p pseudoPlan, err error) {
	if p.survey, err = pml.Look(o.Runs); err != nil {
		return p, &IndexError{err}
	}
	load, search := p.survey.Memory(e.Session), pml.SearchMemory(o.Letters, o.Queries)
	load.Phase = "load"
	search.Buffers = append(search.Buffers, load.Buffers...)
	load.Buffers = append(load.Buffers, rlbwt.Loading(p.survey.Pieces()))
	search.Host = int64(o.Letters) * (1 + 4)
	p.Phases = device.MemoryPlan{load, search}
	return p, nil
}

func (o *Options) findPseudo(c *call.Call, survey *pml.Survey, yield func(*Found) error) error {
	c.Phase("load")
	x, err := survey.Open(c.Ctx, c.Session)
	if err != nil {
		return &IndexError{err}
	}
	defer x.Release()
	search, err := pml.NewSearch(x)
	if err != nil {
		return err
	}
	defer search.Release()
	c.Phase("search")
	return o.each(func(batch *patterns.Batch, first int) error {
		return c.ComputeAround(func(aside func(func() error) error) error {
			return search.Each(c.Ctx, batch.Text, batch.Offsets[1:], func(from, to int, lengths []uint32) error {
				found := &Found{First: first + from, Queries: to - from, Lengths: lengths}
				return aside(func() error { return yield(found) })
			})
		})
	})
}
