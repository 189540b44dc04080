package operation

import (
	"context"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/session"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/hooks"
)

// Planner tells what memory the operation of a verb takes on the devices of its session, and how it is done there.
type Planner struct {
	*session.Session
	Op     Operation
	Blocks bool // what is checked is read part by part: the last plan says so
}

// Plan returns the memory for n bytes of text.
func (p *Planner) Plan(n int64) (device.MemoryPlan, error) {
	defer hooks.Begin("plan")()
	ctx, width := context.Background(), p.Flags.SymbolBytes()
	if r := p.Op.Ranges; r != nil && width == 1 && p.Flags.RanksInRanges() {
		return r.planRanks(p.Device, n)
	} else if r != nil && width == 1 && p.alwaysRanges(n) {
		return p.Engine.Ranges(suffixcl.Length(1, int(n)), r.Options).Plan(ctx)
	}
	plan, err := p.Op.Plan(ctx, p.Engine, width, (int(n)+width-1)/width)
	if p.Op.checked == nil || width > 1 {
		return plan, err
	}
	if p.TooLarge(plan, err) {
		blocks := p.Engine.VerifyArrays(suffixcl.Length(1, int(n)), *p.Op.checked)
		if plan, failed := blocks.Plan(ctx); failed == nil {
			p.Blocks = true
			return plan, nil
		}
	}
	return plan, err
}

// TooLarge tells whether a plan was refused for its memory, or does not fit.
func (p *Planner) TooLarge(plan device.MemoryPlan, err error) bool {
	if err == nil {
		err = plan.Fits(p.Device)
	}
	return err != nil && device.IsTooLarge(err)
}

// Fits returns an error if n bytes of text are too many.
func (p *Planner) Fits(n int64) error {
	plan, err := p.Plan(n)
	if err != nil {
		return err
	}
	return plan.Fits(p.Device)
}

// InRanges tells whether a text of n bytes is sorted in ranges, and says so.
func (p *Planner) InRanges(what string, n int64) (bool, error) {
	if p.alwaysRanges(n) {
		return true, nil
	}
	plan, err := p.Plan(n)
	if err != nil || !IsOfRanges(plan) {
		return false, err
	}
	p.NoteRanges(what, plan)
	return true, nil
}

// alwaysRanges tells whether a text of n bytes is sorted in ranges whatever the memory.
func (p *Planner) alwaysRanges(n int64) bool {
	return p.Flags.AlwaysRanges() || n > suffixcl.MaxLen
}

// NoteRanges says that a result is made in ranges, unless that was asked for.
func (p *Planner) NoteRanges(what string, plan device.MemoryPlan) {
	if p.Flags.Sorter() == suffixcl.AlgorithmAuto {
		p.Note("the %s does not fit in one piece: sorted in %s", what, bytesize.Count(RangesOf(plan), "range"))
	}
}
