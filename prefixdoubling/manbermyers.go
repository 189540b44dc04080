package prefixdoubling

import (
	"cmp"
	"context"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// PhasePairs is what Manber-Myers does in a round besides ranking.
const PhasePairs = PhaseSort

// ManberMyersOptions are the parameters of [ManberMyers]. What is 0 is as tuned.
type ManberMyersOptions struct {
	// H0 is how many characters the initial sorting sorts by: 1, 4, 8, 16 or 32. Manber &
	// Myers begin with 1.
	H0 int
	// Rounds is the most rounds of doubling; a text that needs more is a
	// [RoundsError]. 0 is no limit: there are at most log2(n) of them.
	Rounds int
}

// ManberMyers is a sorter for texts of up to n characters: prefix doubling that sorts all
// suffixes in every round. It may be used again and again; it holds its device memory
// until Release.
type ManberMyers struct {
	s      *device.Session
	n      int
	o      ManberMyersOptions
	layout *device.Layout

	order *hOrder
	ws    *device.WorkspaceSlot
}

// NewManberMyers plans the sorter and sizes its memory: 24 bytes a character, without
// the 5 of text and result. Errors: n over device.MaxLen, an H0 that there is not.
func NewManberMyers(s *device.Session, n int, o ManberMyersOptions) (*ManberMyers, error) {
	if err := device.CheckLen("text", n, device.MaxLen); err != nil {
		return nil, err
	}
	o.H0 = cmp.Or(o.H0, tuned.Of(s).GPULS.H0)
	if err := checkH0(o.H0); err != nil {
		return nil, err
	}
	m := &ManberMyers{s: s, n: n, o: o}
	m.order = newHOrder(s, n, false, true)
	m.layout = device.NewLayout("sort")
	m.order.reserve(m.layout)
	m.ws = device.ReserveWorkspace(m.layout, m.order.workspace())
	return m, nil
}

// Memory is the sorter's device memory, without text and result.
func (m *ManberMyers) Memory() device.PhaseMemory { return m.layout.Memory() }

// Allocate takes the device memory.
func (m *ManberMyers) Allocate() error { return m.layout.Allocate(m.s) }

// Release frees the device memory.
func (m *ManberMyers) Release() { m.layout.Release(m.s) }

// Run sorts the suffixes of text[:n] into sa[:n], n being the length of the text.
// Allocate must have been called. It returns when the last round is known to be
// the last; sa may still be under way, as usual for enqueued work.
//
// Errors: a text longer than planned, more rounds than allowed ([RoundsError]), the
// context's, the device's (with the phase).
func (m *ManberMyers) Run(
	ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32], progress Progress,
) error {
	n := text.Len()
	if err := checkRun(n, m.n, sa.Len()); err != nil {
		return err
	}
	if n == 0 {
		return m.s.Check(ctx)
	}
	r := m.order.run(m.ws.Workspace(m.s), n, sa)
	report(progress, PhaseInitial, 0, n)
	m.s.Phase(PhaseInitial)
	h, err := r.initial(text, m.o.H0)
	for round := 0; err == nil; round++ {
		if err = m.s.Check(ctx); err != nil {
			break
		}
		done, err := r.sorted()
		if err != nil {
			return err
		}
		report(progress, PhasePairs, done, n)
		if done == n {
			return nil
		}
		if err := CheckRound(m.s, round, m.o.Rounds, n-done, n); err != nil {
			return err
		}
		m.s.Phase(PhasePairs)
		r.sortByRanks(h)
		m.s.Phase(PhaseRank)
		h *= 2
		r.rank(h)
	}
	return err
}
