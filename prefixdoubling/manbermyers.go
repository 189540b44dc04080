package prefixdoubling

import (
	"context"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/doubling"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// manberMyers is prefix doubling that sorts all suffixes in every round.
type manberMyers struct {
	s     *device.Session
	h0    int
	order *hOrder
	ws    *device.WorkspaceSlot
}

// NewManberMyers plans Manber & Myers' algorithm and sizes its memory: 24 bytes a character, without the 5 of text and
// result; Allocate takes it. Errors: n over suffixcl.MaxLen.
func NewManberMyers(s *device.Session, n int) (*Sorter, error) {
	if err := limits.CheckLen("text", n, limits.MaxLen); err != nil {
		return nil, err
	}
	m := &manberMyers{s: s, h0: tuned.Of(s).GPULS.H0, order: newHOrder(s, n, false, true)}
	if err := checkH0(m.h0); err != nil {
		return nil, err
	}
	l := device.NewLayout("sort")
	m.order.reserve(l)
	m.ws = device.ReserveWorkspace(l, m.order.workspace())
	return &Sorter{s, n, l, m}, nil
}

func (m *manberMyers) sort(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32],
	progress progress) error {
	n := text.Len()
	r := m.order.run(m.ws.Workspace(m.s), n, sa)
	report(progress, doubling.PhaseInitial, 0, n)
	m.s.Phase(doubling.PhaseInitial)
	h, err := r.initial(text, m.h0)
	for round := 0; err == nil; round++ {
		if err = m.s.Check(ctx); err != nil {
			break
		}
		done, err := r.sorted()
		if err != nil {
			return err
		}
		report(progress, phaseSort, done, n)
		if done == n {
			return nil
		}
		if err := doubling.CheckRound(m.s, round, n-done, n); err != nil {
			return err
		}
		m.s.Phase(phaseSort)
		r.sortByRanks(h)
		m.s.Phase(phaseRank)
		h *= 2
		r.rank(h)
	}
	return err
}
