package ranges

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// Run sorts the suffixes of text [n]. The state that it returns is the last one. Errors: see RunText.
func (p *Sorter[P]) Run(ctx context.Context, text []byte, job Job[P]) (State, error) {
	return p.RunText(ctx, NewText(text), job)
}

// RunText is Run for a text that has been read once, or whose code is guessed.
//
// Errors: a text of another length, or with more different characters than its width allows; ErrGuess; a state of
// another text; those of Yield and Saved; those of ReadText, and ErrTextChanged; the context's; the devices' (with the
// phase).
func (p *Sorter[P]) RunText(ctx context.Context, text *Text, job Job[P]) (state State, err error) {
	p.sorted = 0
	p.used = p.sparse
	sorters := append([]*Sorter[P]{p}, job.Others...)
	if err := p.check(text, sorters, job); err != nil || p.n == 0 {
		return job.From, cmp.Or(err, p.session.Check(ctx))
	}
	if job.Ranks == nil && job.From.Done == 0 && !p.options.sparse() && text.memory != nil && p.n >= periodicFrom {
		if period := periodOf(text.memory); period > 0 {
			p.sorted = 1
			return newPeriodic[P](text.memory, period).run(ctx, p.options, job)
		}
	}
	runs := newRuns(text, sorters, job)
	defer func() {
		for _, r := range runs {
			r.used = r.sampling
			r.release()
			err = withFailure(err, r.session) // memory that cannot be given back is one, too
		}
	}()
	if job.Ranks != nil {
		err = runs[0].runAsRank(ctx)
	} else {
		err = runAll(ctx, runs)
	}
	state = runs[0].order.state
	if p.sorted = runs[0].order.sorted; job.Anywhere {
		state = p.together(runs)
	}
	if err == nil && job.Ranks == nil && state.First != p.n {
		err = fmt.Errorf("ranges: %d suffixes of %d are in the ranges", state.First, p.n)
	}
	return state, err
}

// check returns an error for a text, sorters or a job that do not go together.
func (p *Sorter[P]) check(text *Text, sorters []*Sorter[P], job Job[P]) error {
	resumed, width := job.From.Bounds != nil || job.From.Done > 0 || job.Saved != nil, text.Width()
	switch {
	case slices.Contains(job.Others, nil):
		return errors.New("ranges: a sorter of Job.Others is nil")
	case job.Ranks != nil && (job.Ranks.Share == nil || job.Ranks.Desk == nil):
		return errors.New("ranges: Ranks without Share or Desk")
	case job.Ranks != nil && (resumed || len(job.Others) > 0):
		return errors.New("ranges: neither a state nor other devices go with ranks")
	case (job.Anywhere || job.Ranks != nil) && p.options.sparse():
		return errors.New("ranges: some of the positions have no places in any order")
	case job.Anywhere && (resumed || job.Ranks != nil):
		return errors.New("ranges: neither a state nor ranks go with blocks in any order")
	}
	for _, q := range sorters {
		switch {
		case text.n != q.n:
			return fmt.Errorf("ranges: text of %d characters, planned for %d", text.n, q.n)
		case width > q.shape.width:
			return fmt.Errorf("ranges: the text's characters take %d bits, planned for %d", width, q.shape.width)
		case q.shape != p.shape || q.sparse.cover.period != p.sparse.cover.period ||
			q.options.results() != p.options.results():
			return errors.New("ranges: sorters of different plans")
		}
	}
	state := job.From
	if job.Ranks != nil {
		state = State{Bounds: job.Ranks.Bounds}
	}
	if err := state.check(p.n); err != nil || job.Yield != nil {
		return err
	}
	return errors.New("ranges: Job.Yield is nil")
}

// newRuns are the runs of a job, a device each. They hand out their ranges in one order, or each in its own.
func newRuns[P uint32 | uint64](text *Text, sorters []*Sorter[P], job Job[P]) (runs []*run[P]) {
	var shared *table
	if job.Anywhere {
		shared, job.Progress = newTable(), oneAtATime(job.Progress)
	}
	o := newOrder(job, text)
	delivery := newDelivery(text, sorters[0].parcels(len(sorters)))
	for _, p := range sorters {
		if job.Anywhere {
			job.Ranks = &Ranks{Desk: &place{table: shared}}
			o = newOrder(job, text)
		}
		runs = append(runs, &run[P]{Sorter: p, sampling: p.sparse, text: text, order: o, table: shared, number: len(runs),
			delivery: delivery})
	}
	return runs
}

// oneAtATime is a function that several goroutines call.
func oneAtATime(progress func(phase string, done, total int64)) func(phase string, done, total int64) {
	if progress == nil {
		return nil
	}
	var mu sync.Mutex
	return func(phase string, done, total int64) {
		mu.Lock()
		defer mu.Unlock()
		progress(phase, done, total)
	}
}

// together is the state of runs each of which has handed out its own ranges.
func (p *Sorter[P]) together(runs []*run[P]) (state State) {
	p.sorted, state.Bounds = 0, runs[0].order.state.Bounds // others may have come too late
	for _, r := range runs {
		p.sorted += r.order.sorted
		state.Done += r.order.state.Done
		state.Primary = max(state.Primary, r.order.state.Primary)
		state.First += r.order.handed
	}
	return state
}
