package device

import (
	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/tune"
)

// lookBack is memory in which the tiles of a launch tell each other what is before them: kernels/lookback.cl. It stays
// with the session. Words carry the number of their launch, so none is cleared before the next. It is in no plan.
// Package segsort leaves there what the host reads.
type lookBack struct {
	buffer *Buffer[uint64] // nil before the first launch
	run    uint32          // of the last launch
	ticket uint32          // that the next one gets
	known  bool            // no word is of a run to come, and the counter of tickets is at `ticket`
}

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
