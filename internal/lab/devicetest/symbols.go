package devicetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// SymbolSorter is what every suffix sorter of texts of symbols is. Run overwrites the text.
type SymbolSorter[T uint16 | uint32] interface {
	TextLen(n int) int
	Memory() device.PhaseMemory
	Allocate() error
	Run(ctx context.Context, text *device.Buffer[T], sa *device.Buffer[uint32],
		progress func(phase string, done, total int64)) error
	Release()
}

// NewSymbolSorter makes a sorter of texts of up to n symbols.
type NewSymbolSorter[T uint16 | uint32] func(s *device.Session, n int) (SymbolSorter[T], error)

// SymbolService is SorterService for texts of symbols.
func SymbolService[T uint16 | uint32](t testing.TB, s *device.Session,
	create NewSymbolSorter[T]) func(context.Context, []T) ([]uint32, error) {
	var sorter SymbolSorter[T] // nil where there is none yet, or the last could not be made
	var in *Guarded[T]
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
	return func(ctx context.Context, text []T) ([]uint32, error) {
		n := len(text)
		if n > capacity {
			release()
			made, err := create(s, max(2*n, 64))
			if err != nil {
				return nil, err
			}
			sorter, capacity = made, max(2*n, 64)
			in, sa = Guard[T](t, s, sorter.TextLen(capacity)), Guard[uint32](t, s, capacity)
			if err := sorter.Allocate(); err != nil {
				return nil, err
			}
		}
		device.Reinterpret[uint8](in.Buffer).Fill(Canary)
		device.Reinterpret[uint8](sa.Buffer).Fill(Canary)
		if err := in.Upload(ctx, text, nil); err != nil {
			return nil, err
		}
		if err := sorter.Run(ctx, in.View(0, sorter.TextLen(n)), sa.View(0, n), nil); err != nil {
			return nil, err
		}
		rest, err := in.Slice()
		if err != nil {
			return nil, err
		}
		if err := Intact("after the text", rest[sorter.TextLen(n):]); err != nil {
			return nil, err
		}
		got, err := sa.Slice()
		if err != nil {
			return nil, err
		}
		return got[:n], Intact("after the suffix array", got[n:])
	}
}

// SymbolSorterMemory requires that what a sorter allocates is its plan, exactly.
func SymbolSorterMemory[T uint16 | uint32](t *testing.T, e Env, create NewSymbolSorter[T]) {
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
