package cli

import (
	"os"
	"sync"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

// Progress shows one bar, of the current phase, on standard error. Nil shows
// nothing.
type Progress struct {
	mu    sync.Mutex
	bars  *mpb.Progress
	bar   *mpb.Bar
	phase string
	total int64
	done  int64
}

// NewProgress returns nil unless standard error is a terminal.
func NewProgress(quiet bool) *Progress {
	if quiet || !term.IsTerminal(int(os.Stderr.Fd())) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return new(Progress)
}

// Update shows done of total units of a phase.
func (p *Progress) Update(phase string, done, total int64) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bars == nil {
		p.bars = mpb.New(mpb.WithOutput(os.Stderr), mpb.WithWidth(60))
	}
	if phase != p.phase || total != p.total || done < p.done {
		p.drop()
		p.bar = p.bars.New(max(total, 1), mpb.BarStyle(), mpb.BarRemoveOnComplete(),
			mpb.PrependDecorators(decor.Name(phase, decor.WC{W: 16, C: decor.DindentRight})),
			mpb.AppendDecorators(decor.Percentage(decor.WC{W: 5}), decor.Elapsed(decor.ET_STYLE_GO, decor.WC{W: 7})))
		p.phase, p.total = phase, total
	}
	p.done = done
	p.bar.SetCurrent(done)
}

// Of returns the Update function of one phase.
func (p *Progress) Of(phase string) func(done, total int64) {
	return func(done, total int64) { p.Update(phase, done, total) }
}

func (p *Progress) drop() {
	if p.bar != nil {
		p.bar.Abort(true)
		p.bar.Wait()
		p.bar = nil
	}
}

// Stop takes the bar off the screen. A later Update shows one again.
func (p *Progress) Stop() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bars != nil {
		p.drop()
		p.bars.Wait()
		p.bars, p.phase, p.done = nil, "", 0
	}
}
