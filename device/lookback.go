package device

import (
	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/tune"
)

const (
	lookBackWords = 1 << 14 // 128 KiB
	mostRuns      = 1<<22 - 1
)

// status returns memory of so many words for a launch with so many tickets, which has to follow. !ok: there is none,
// and the launch needs words of its own, all 0.
func (s *Session) status(words int, tickets uint32) (of tune.Status, ok bool) {
	l := &s.lookBack
	if words > lookBackWords || s.context == nil || s.queue.err != nil {
		return of, false
	}
	if l.buffer == nil {
		root, err := s.context.CreateEmptyBuffer(cl.MemReadWrite, 8*lookBackWords)
		if err != nil {
			s.Fail(s.queue.inPhase(err))
			return of, false
		}
		mem := &allocation{root: root, bytes: 8 * lookBackWords, what: "status of tiles"}
		l.buffer = &Buffer[uint64]{mem: mem, s: s, n: lookBackWords}
	}
	if !l.known || l.run == mostRuns {
		l.buffer.Fill(0)
		l.run, l.ticket, l.known = 0, 0, true
	}
	l.run++
	of = tune.Status{Words: l.buffer, Ticket: l.ticket, Run: l.run}
	l.ticket += tickets
	return of, true
}

func (l *lookBack) release() {
	if l.buffer != nil {
		l.buffer.mem.root.Release()
		l.buffer.mem.root = nil
	}
}
