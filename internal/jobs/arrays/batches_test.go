package arrays_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// manyTexts are texts of 0 to n bytes, and their suffix arrays.
func manyTexts(t *testing.T, count, n int) (texts [][]byte, arrays [][]uint32) {
	for i := range count {
		text, err := conformance.NewText([]string{"random/sigma=4", "fibonacci", "equal/0"}[i%3], i*37%(n+1), uint64(i+1))
		require.NoError(t, err)
		texts = append(texts, text)
		arrays = append(arrays, conformance.ReferenceSuffixArray(text))
	}
	return texts, arrays
}

// launches counts those of a kernel in a call of an engine that records them.
func launches(kernel string, run func(context.Context) error) (int, error) {
	var st suffixcl.Stats
	err := run(suffixcl.WithStats(context.Background(), &st))
	count := 0
	for _, k := range st.Profile {
		if k.Kernel == kernel {
			count += k.Calls
		}
	}
	return count, err
}

// A stream of small texts has a launch for each batch, and gives every result in the order of the texts, whatever
// texts a batch has room for.
func TestBatches(t *testing.T) {
	for _, d := range devicetest.Devices(t) {
		s, err := tuned.Open(device.Config{Device: d, Profile: true}, tuned.Edits{TuningFile: "off"})
		require.NoError(t, err)
		e, err := suffixcl.New(s, suffixcl.EngineOptions{KeepMemory: -1})
		require.NoError(t, err)
		defer e.Close()
		const n = 100
		texts, arrays := manyTexts(t, 61, n)
		for _, batch := range []int{1, n, 3 * n, 1000, 1 << 16} {
			tuned.Of(s).SmallTexts.Batch = max(1, batch/s.Caps().ComputeUnits)
			done := 0
			count, err := launches("smalltexts", func(ctx context.Context) error {
				return enginetest.SuffixArrays(ctx, e, n, enginetest.TextsOf(texts...), func(sa []uint32) error {
					assert.True(t, slices.Equal(arrays[done], sa), "text %d, batches of %d bytes", done, batch)
					done++
					return nil
				})
			})
			require.NoError(t, err)
			require.Equal(t, len(texts), done)
			if batch >= 1<<16 {
				require.Equal(t, 1, count)
			} else {
				require.Greater(t, count, 2)
			}
			done = 0
			source := enginetest.TextsOf(texts...)
			require.NoError(t, enginetest.Transforms(t.Context(), e, n, source, func(transform []byte, primary int) error {
				want, row := conformance.ReferenceBWT(texts[done], arrays[done])
				assert.True(t, bytes.Equal(want, transform), "text %d, batches of %d bytes", done, batch)
				assert.Equal(t, row, primary)
				done++
				return nil
			}))
			require.Equal(t, len(texts), done)
		}
	}
}

// Where an error ends a stream, no result comes twice, out of turn or after it.
func TestBatchesEnd(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		tuned.Of(e.Session).SmallTexts.Batch = max(1, 300/e.Caps().ComputeUnits)
		engine, err := suffixcl.New(e.Session, suffixcl.EngineOptions{KeepMemory: -1})
		require.NoError(t, err)
		texts, arrays := manyTexts(t, 40, 100)
		stopped := errors.New("stopped")
		for at := range texts {
			for _, reading := range []bool{true, false} {
				read, used := 0, 0
				source := enginetest.TextsOf(texts...)
				err := enginetest.SuffixArrays(t.Context(), engine, 100, func(to []byte) (int, error) {
					if read++; reading && read == at+1 {
						return 0, stopped
					}
					return source(to)
				}, func(sa []uint32) error {
					assert.True(t, slices.Equal(arrays[used], sa), "text %d", used)
					if used++; !reading && used == at+1 {
						return stopped
					}
					return nil
				})
				require.ErrorIs(t, err, stopped)
				require.LessOrEqual(t, used, at+1)
			}
		}
	})
}

// With less memory batches are smaller; where there is not enough for one text, the error has the numbers.
func TestBatchesMemory(t *testing.T) {
	d := devicetest.Devices(t)[0]
	open := func(limit int64) *suffixcl.Engine {
		s, err := device.Open(device.Config{Device: d, MaxMemory: limit})
		require.NoError(t, err)
		e, err := suffixcl.New(s, suffixcl.EngineOptions{})
		require.NoError(t, err)
		t.Cleanup(func() { e.Close() })
		return e
	}
	const n = 1000
	texts, arrays := manyTexts(t, 30, n)
	plan, err := enginetest.PlanOf(t.Context(), open(0), enginetest.OpSuffixArrays, n)
	require.NoError(t, err)
	for limit, smaller := plan.Device(), false; ; limit /= 3 {
		e := open(limit)
		var st suffixcl.Stats
		done := 0
		ctx, source := suffixcl.WithStats(t.Context(), &st), enginetest.TextsOf(texts...)
		err := enginetest.SuffixArrays(ctx, e, n, source, func(sa []uint32) error {
			assert.True(t, slices.Equal(arrays[done], sa))
			done++
			return nil
		})
		if err != nil {
			var memory *device.MemoryError
			require.ErrorAs(t, err, &memory)
			require.True(t, smaller, "no batch is smaller than the whole")
			return
		}
		require.Equal(t, len(texts), done)
		require.LessOrEqual(t, st.PeakBytes, limit)
		now, err := enginetest.PlanOf(t.Context(), e, enginetest.OpSuffixArrays, n)
		require.NoError(t, err)
		require.Equal(t, now.Device(), st.PeakBytes)
		smaller = smaller || now.Device() < plan.Device()
	}
}
