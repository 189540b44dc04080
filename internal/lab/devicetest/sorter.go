package devicetest

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Sorter is what every suffix sorter is.
type Sorter interface {
	Memory() device.PhaseMemory
	Allocate() error
	Run(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32],
		progress func(phase string, done, total int64)) error
	Release()
}

// NewSorter makes a sorter of texts of up to n characters.
type NewSorter func(s *device.Session, n int) (Sorter, error)

// SorterOf is the constructor of a package as a NewSorter.
func SorterOf[S Sorter](create func(*device.Session, int) (S, error)) NewSorter {
	return func(s *device.Session, n int) (Sorter, error) { return create(s, n) }
}

// SorterService builds suffix arrays with one sorter for many texts, made anew only for a
// longer one.
func SorterService(t testing.TB, s *device.Session, create NewSorter) func(context.Context, []byte) ([]uint32, error) {
	var sorter Sorter // nil where there is none yet, or the last could not be made
	var in *Guarded[uint8]
	var sa *Guarded[uint32]
	capacity := -1
	release := func() {
		if sorter != nil {
			sorter.Release()
			in.Release()
			sa.Release()
		}
		sorter, capacity = nil, -1
	}
	t.Cleanup(release)
	return func(ctx context.Context, text []byte) ([]uint32, error) {
		n := len(text)
		if n > capacity {
			release()
			made, err := create(s, max(2*n, 64))
			if err != nil {
				return nil, err
			}
			sorter, capacity = made, max(2*n, 64)
			in, sa = Guard[uint8](t, s, capacity), Guard[uint32](t, s, capacity)
			if err := sorter.Allocate(); err != nil {
				return nil, err
			}
		}
		device.Reinterpret[uint8](sa.Buffer).Fill(Canary)
		if err := in.Upload(ctx, text, nil); err != nil {
			return nil, err
		}
		if err := sorter.Run(ctx, in.View(0, n), sa.View(0, n), nil); err != nil {
			return nil, err
		}
		got, err := sa.Slice()
		if err != nil {
			return nil, err
		}
		return got[:n], Intact("after the suffix array", got[n:])
	}
}

// SorterMemory requires that what a sorter allocates is its plan, exactly.
func SorterMemory(t *testing.T, e Env, create NewSorter) {
	for _, n := range []int{0, 1, 1000, 1 << 16} {
		sorter, err := create(e.Session, n)
		require.NoError(t, err)
		tuned.ResetPeak(e.Session)
		before := tuned.PeakBytes(e.Session)
		require.NoError(t, sorter.Allocate())
		require.Equal(t, sorter.Memory().Device(), tuned.PeakBytes(e.Session)-before)
		sorter.Release()
		require.Equal(t, before, e.LiveBytes())
	}
}

// SorterProgress requires that progress ascends to the end. A stop says where a run is
// cancelled, by the number of the call and what is done. Such a run must end with the reason,
// and the sorter must work again after it. The result is what was reported of the whole run.
func SorterProgress(
	t *testing.T, e Env, create NewSorter, text []byte, stops ...func(call int, done int64) bool,
) []int64 {
	n := len(text)
	sorter, err := create(e.Session, n)
	require.NoError(t, err)
	defer sorter.Release()
	require.NoError(t, sorter.Allocate())
	in, sa := From(t, e.Session, text), Guard[uint32](t, e.Session, n)

	var seen []int64
	require.NoError(t, sorter.Run(t.Context(), in.Buffer, sa.Buffer, func(_ string, done, total int64) {
		require.Equal(t, int64(n), total)
		seen = append(seen, done)
	}))
	require.IsNonDecreasing(t, seen)
	require.Equal(t, int64(n), seen[len(seen)-1])

	for _, stop := range stops {
		ctx, cancel := context.WithCancelCause(t.Context())
		reason := errors.New("enough")
		calls := 0
		err = sorter.Run(ctx, in.Buffer, sa.Buffer, func(_ string, done, _ int64) {
			if calls++; stop(calls, done) {
				cancel(reason)
			}
		})
		require.ErrorIs(t, err, reason)
	}
	require.NoError(t, sorter.Run(t.Context(), in.Buffer, sa.Buffer, nil))
	got, err := sa.Slice()
	require.NoError(t, err)
	require.NoError(t, conformance.CheckSuffixArray(text, got))
	return seen
}

// SorterTooLong requires errors for texts longer than the most, and than planned.
func SorterTooLong(t *testing.T, e Env, create NewSorter, longest int) {
	_, err := create(e.Session, longest+1)
	require.True(t, device.IsTooLarge(err), err)
	sorter, err := create(e.Session, 10)
	require.NoError(t, err)
	defer sorter.Release()
	in, sa := Guard[uint8](t, e.Session, 11), Guard[uint32](t, e.Session, 11)
	require.ErrorContains(t, sorter.Run(t.Context(), in.Buffer, sa.Buffer, nil), "planned for 10")
}
