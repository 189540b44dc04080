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

// TextSorter is what every suffix sorter is, for texts of bytes or of symbols.
type TextSorter[T uint8 | uint16 | uint32] interface {
	Memory() device.PhaseMemory
	Allocate() error
	Run(ctx context.Context, text *device.Buffer[T], sa *device.Buffer[uint32],
		progress func(phase string, done, total int64)) error
	Release()
}

// Sorter is one of texts of bytes, which it only reads.
type Sorter = TextSorter[uint8]

// SymbolSorter is one of texts of symbols. Run overwrites the buffer of a text of n symbols, which has TextLen(n).
type SymbolSorter[T uint16 | uint32] interface {
	TextSorter[T]
	TextLen(n int) int
}

// NewSorter makes a sorter of texts of up to n characters.
type NewSorter func(s *device.Session, n int) (Sorter, error)

// SorterOf is the constructor of a package as a NewSorter.
func SorterOf[S Sorter](create func(*device.Session, int) (S, error)) NewSorter {
	return func(s *device.Session, n int) (Sorter, error) { return create(s, n) }
}

// NewSymbolSorter makes a sorter of texts of up to n symbols.
type NewSymbolSorter[T uint16 | uint32] func(s *device.Session, n int) (SymbolSorter[T], error)

// SorterService builds suffix arrays with one sorter for many texts, made anew only for a
// longer one.
func SorterService(t testing.TB, s *device.Session, create NewSorter) func(context.Context, []byte) ([]uint32, error) {
	v := &service[uint8, Sorter]{s: s, create: create}
	t.Cleanup(v.release)
	return func(ctx context.Context, text []byte) ([]uint32, error) {
		if err := v.reserve(t, len(text)); err != nil {
			return nil, err
		}
		return v.sort(ctx, text, len(text))
	}
}

// SymbolService is SorterService for texts of symbols. What follows a text in its buffer must stay.
func SymbolService[T uint16 | uint32](
	t testing.TB, s *device.Session, create NewSymbolSorter[T],
) func(context.Context, []T) ([]uint32, error) {
	v := &service[T, SymbolSorter[T]]{s: s, create: create, textLen: SymbolSorter[T].TextLen}
	t.Cleanup(v.release)
	return func(ctx context.Context, text []T) ([]uint32, error) {
		if err := v.reserve(t, len(text)); err != nil {
			return nil, err
		}
		device.Reinterpret[uint8](v.in.Buffer).Fill(Canary)
		length := v.sorter.TextLen(len(text))
		sa, err := v.sort(ctx, text, length)
		if err != nil {
			return nil, err
		}
		rest, err := v.in.Slice()
		if err != nil {
			return nil, err
		}
		return sa, Intact("after the text", rest[length:])
	}
}

// service is a sorter with room for texts of up to capacity symbols.
type service[T uint8 | uint16 | uint32, S TextSorter[T]] struct {
	s        *device.Session
	create   func(*device.Session, int) (S, error)
	textLen  func(sorter S, n int) int // of the buffer of a text; nil: n
	made     bool                      // whether there is a sorter
	sorter   S
	capacity int
	in       *Guarded[T]
	sa       *Guarded[uint32]
}

func (v *service[T, S]) release() {
	if v.made {
		v.sorter.Release()
		v.in.Release()
		v.sa.Release()
	}
	v.made = false
}

// reserve makes a sorter for texts of n symbols and more, unless there is one.
func (v *service[T, S]) reserve(t testing.TB, n int) error {
	if v.made && n <= v.capacity {
		return nil
	}
	v.release()
	capacity := max(2*n, 64)
	sorter, err := v.create(v.s, capacity)
	if err != nil {
		return err
	}
	v.made, v.sorter, v.capacity = true, sorter, capacity
	length := capacity
	if v.textLen != nil {
		length = v.textLen(sorter, capacity)
	}
	v.in, v.sa = Guard[T](t, v.s, length), Guard[uint32](t, v.s, capacity)
	return sorter.Allocate()
}

// sort returns the suffix array of a text whose buffer has that length.
func (v *service[T, S]) sort(ctx context.Context, text []T, length int) ([]uint32, error) {
	n := len(text)
	device.Reinterpret[uint8](v.sa.Buffer).Fill(Canary)
	if err := v.in.Upload(ctx, text, nil); err != nil {
		return nil, err
	}
	if err := v.sorter.Run(ctx, v.in.View(0, length), v.sa.View(0, n), nil); err != nil {
		return nil, err
	}
	got, err := v.sa.Slice()
	if err != nil {
		return nil, err
	}
	return got[:n], Intact("after the suffix array", got[n:])
}

// SorterMemory requires that what a sorter allocates is its plan, exactly.
func SorterMemory[S interface {
	Memory() device.PhaseMemory
	Allocate() error
	Release()
}](t *testing.T, e Env, create func(*device.Session, int) (S, error)) {
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
