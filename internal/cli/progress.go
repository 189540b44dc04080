package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/term"
)

const (
	// progressTick is the time between two pictures of the line. The first one comes after it: what is
	// done sooner shows nothing.
	progressTick = 250 * time.Millisecond
	barWidth     = 30
)

// Progress shows one line, of the current phase, on standard error. It moves every tick,
// although a phase may tell nothing for long. Nil shows nothing. Within another program it tells that.
type Progress struct {
	tell  func(phase string, done, total int64) // Streams.Progress; nil where people look
	w     io.Writer
	width func() int // columns of the terminal

	mu          sync.Mutex
	within      string // what the phases are of
	phase       string
	done, total int64
	began       time.Time // of the phase
	compiling   time.Time // when that of a program began, or zero
	preparing   time.Time // when that of the first began
	programs    func() (built, all int)
	end         chan struct{}
	ended       *sync.WaitGroup
	off         bool
}

// NewProgress returns nil unless standard error is a terminal, or a program wants to be told.
func NewProgress(quiet bool) *Progress {
	if progressWithin != nil {
		return &Progress{tell: progressWithin}
	}
	fd := int(os.Stderr.Fd())
	if quiet || !term.IsTerminal(fd) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return &Progress{w: os.Stderr, width: func() int {
		columns, _, err := term.GetSize(fd)
		if err != nil || columns == 0 {
			return 80
		}
		return columns
	}}
}

// Update shows done of total units of a phase. A total of 0 is not known.
func (p *Progress) Update(phase string, done, total int64) {
	if p == nil {
		return
	}
	p.mu.Lock()
	if p.tell != nil {
		phase = p.named(phase)
		p.mu.Unlock()
		p.tell(phase, done, total)
		return
	}
	defer p.mu.Unlock()
	if phase != p.phase {
		p.phase, p.began = phase, time.Now()
	}
	p.done, p.total = done, total
	p.start()
}

// Within shows of what the phases are that follow, in front of them.
func (p *Progress) Within(what string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.within = what
}

// named is a phase with what it is within. The caller has the lock.
func (p *Progress) named(phase string) string {
	if p.within == "" {
		return phase
	}
	return p.within + ": " + phase
}

// Of returns the Update function of one phase.
func (p *Progress) Of(phase string) func(done, total int64) {
	return func(done, total int64) { p.Update(phase, done, total) }
}

// Sum shows parts that run at the same time as one phase. Each call of the function that it returns begins a part, and
// returns its Update function.
func (p *Progress) Sum(phase string) (part func() func(done, total int64)) {
	var done, total atomic.Int64
	return func() func(int64, int64) {
		var mine, all int64
		return func(partDone, partTotal int64) {
			done.Add(partDone - mine)
			total.Add(partTotal - all)
			mine, all = partDone, partTotal
			p.Update(phase, done.Load(), total.Load())
		}
	}
}

// Compiling shows that kernels are compiled, until Compiled. programs tells how many programs are ready, of how many
// that are known to be needed.
func (p *Progress) Compiling(programs func() (built, all int)) {
	if p == nil {
		return
	}
	if p.tell != nil {
		built, _ := programs()
		p.tell("compile", int64(built), 0) // as an engine tells it
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.programs = programs
	p.compiling = time.Now()
	if p.preparing.IsZero() {
		p.preparing = p.compiling
	}
	p.start()
}

// Compiled shows the phase again.
func (p *Progress) Compiled() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.compiling = time.Time{}
}

// Stop takes the line off the screen. A later Update shows it again.
func (p *Progress) Stop() {
	if p == nil {
		return
	}
	p.mu.Lock()
	end, ended := p.end, p.ended
	p.end, p.phase = nil, ""
	p.mu.Unlock()
	if end != nil {
		close(end)
		ended.Wait()
	}
}

// YieldTerminal ends the progress if standard output, where a result is about to be
// written, is a terminal, too.
func (p *Progress) YieldTerminal() {
	if p != nil && p.tell == nil && term.IsTerminal(int(os.Stdout.Fd())) {
		p.mu.Lock()
		p.off = true
		p.mu.Unlock()
		p.Stop()
	}
}

// start begins to show the line. The caller has the lock.
func (p *Progress) start() {
	if p.end != nil || p.off {
		return
	}
	p.end, p.ended = make(chan struct{}), new(sync.WaitGroup)
	end := p.end
	p.ended.Go(func() { p.show(end) })
}

// show draws the line until the end.
func (p *Progress) show(end chan struct{}) {
	tick := time.NewTicker(progressTick)
	defer tick.Stop()
	shown := 0 // columns
	draw := func(line string) {
		room := max(p.width()-1, 0)
		line = Harmless(line)
		line = line[:min(len(line), room)]
		fmt.Fprintf(p.w, "\r%-*s\r%s", min(shown, room), "", line)
		shown = len(line)
	}
	for i := 0; ; i++ {
		select {
		case <-end:
			if shown > 0 {
				draw("")
			}
			return
		case <-tick.C:
			draw(p.line(`|/-\`[i%4]))
		}
	}
}

// line is the picture.
func (p *Progress) line(spinner byte) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	elapsed := func(since time.Time) time.Duration { return time.Since(since).Truncate(time.Second) }
	if !p.compiling.IsZero() {
		built, all := p.programs()
		if all == 0 {
			return fmt.Sprintf("%c preparing kernels (first run on this device)  %v", spinner, elapsed(p.preparing))
		}
		return fmt.Sprintf("%c preparing kernels %s  %v", spinner,
			bar(float64(built)/float64(all)), elapsed(p.preparing))
	}
	if p.phase == "" {
		return "" // programs are compiled before the first phase
	}
	phase := fmt.Sprintf("%-12s", p.named(p.phase))
	if p.total <= 0 {
		return fmt.Sprintf("%c %s  %v", spinner, phase, elapsed(p.began))
	}
	return fmt.Sprintf("%c %s %s  %v", spinner, phase, bar(float64(p.done)/float64(p.total)), elapsed(p.began))
}

// bar is the picture of a part of the work.
func bar(part float64) string {
	part = min(max(part, 0), 1)
	filled := int(part * barWidth)
	return fmt.Sprintf("[%s%s] %3d%%", strings.Repeat("=", filled), strings.Repeat(" ", barWidth-filled), int(100*part))
}
