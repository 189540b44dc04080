package prefixdoubling_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/devicetest"
	"github.com/suffixcl/suffixcl/prefixdoubling"
)

func TestOsipov(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		e.Suite.Tile = e.Tuning().Scan.WG * e.Tuning().Scan.Items
		conformance.SuffixArray(t, service(t, e.Session), e.Suite)
	})
}

// service builds suffix arrays with one sorter for many texts, made anew only for
// a longer one.
func service(t testing.TB, s *device.Session) conformance.Builder {
	var o *prefixdoubling.Osipov
	var in *devicetest.Guarded[uint8]
	var sa *devicetest.Guarded[uint32]
	capacity := -1
	release := func() {
		if capacity >= 0 {
			o.Release()
			in.Release()
			sa.Release()
		}
	}
	t.Cleanup(release)
	return func(ctx context.Context, text []byte) ([]uint32, error) {
		n := len(text)
		if n > capacity {
			release()
			capacity = max(2*n, 64)
			var err error
			if o, err = prefixdoubling.NewOsipov(s, capacity); err != nil {
				return nil, err
			}
			if err := o.Allocate(); err != nil {
				return nil, err
			}
			in, sa = devicetest.Guard[uint8](t, s, capacity), devicetest.Guard[uint32](t, s, capacity)
		}
		device.Reinterpret[uint8](sa.Buffer).Fill(devicetest.Canary)
		if err := in.Upload(ctx, text, nil); err != nil {
			return nil, err
		}
		if err := o.Run(ctx, in.View(0, n), sa.View(0, n), nil); err != nil {
			return nil, err
		}
		got, err := sa.Slice()
		if err != nil {
			return nil, err
		}
		return got[:n], devicetest.Intact("behind the suffix array", got[n:])
	}
}

// The memory that a run takes is the plan's, exactly.
func TestMemory(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		for _, n := range []int{0, 1, 1000, 1 << 16} {
			o, err := prefixdoubling.NewOsipov(e.Session, n)
			require.NoError(t, err)
			e.ResetPeak()
			before := e.PeakBytes()
			require.NoError(t, o.Allocate())
			require.Equal(t, o.Memory().Device(), e.PeakBytes()-before)
			o.Release()
			require.Equal(t, before, e.LiveBytes())
		}
	})
}

func TestProgressAndCancel(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		n := 1 << 12
		o, err := prefixdoubling.NewOsipov(e.Session, n)
		require.NoError(t, err)
		defer o.Release()
		require.NoError(t, o.Allocate())
		text := make([]byte, n)
		in, sa := devicetest.From(t, e.Session, text), devicetest.Guard[uint32](t, e.Session, n)

		var seen []int64
		require.NoError(t, o.Run(context.Background(), in.Buffer, sa.Buffer, func(_ string, done, total int64) {
			require.Equal(t, int64(n), total)
			seen = append(seen, done)
		}))
		require.IsNonDecreasing(t, seen)
		require.Equal(t, int64(n), seen[len(seen)-1])

		ctx, cancel := context.WithCancelCause(context.Background())
		reason := fmt.Errorf("enough")
		err = o.Run(ctx, in.Buffer, sa.Buffer, func(_ string, done, _ int64) {
			if done > 100 {
				cancel(reason)
			}
		})
		require.ErrorIs(t, err, reason)
		// The sorter works again after that.
		require.NoError(t, o.Run(context.Background(), in.Buffer, sa.Buffer, nil))
		got, err := sa.Slice()
		require.NoError(t, err)
		require.NoError(t, conformance.CheckSuffixArray(text, got))
	})
}

func TestTooLong(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		_, err := prefixdoubling.NewOsipov(e.Session, prefixdoubling.MaxLen+1)
		require.True(t, device.IsOutOfMemory(err), err)
		o, err := prefixdoubling.NewOsipov(e.Session, 10)
		require.NoError(t, err)
		defer o.Release()
		in, sa := devicetest.Guard[uint8](t, e.Session, 11), devicetest.Guard[uint32](t, e.Session, 11)
		require.ErrorContains(t, o.Run(context.Background(), in.Buffer, sa.Buffer, nil), "planned for 10")
	})
}
