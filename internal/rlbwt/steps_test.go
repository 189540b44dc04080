package rlbwt_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/rlbwt"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
)

// Walkers are where the counts of letters lead them.
func TestWalkers(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		const n, steps = 20, 5
		rng := rand.New(rand.NewPCG(8, 9))
		letters := make([]byte, 3000)
		for i := range letters {
			if letters[i] = byte(rng.IntN(fmd.Letters)); i > 0 && rng.IntN(3) > 0 {
				letters[i] = letters[i-1]
			}
		}
		before := make([][fmd.Letters]uint64, len(letters)+1) // of each row
		for i, c := range letters {
			before[i+1] = before[i]
			before[i+1][c]++
		}
		x, err := rlbwt.Load(t.Context(), e.Session, inParts(rng, runsOf(letters)))
		require.NoError(t, err)
		defer x.Release()
		_, err = x.Walkers([]uint64{uint64(len(letters))})
		require.ErrorContains(t, err, "row 3000 of 3000")
		rows := make([]uint64, n)
		for i := range rows {
			rows[i] = rng.Uint64N(uint64(len(letters)))
		}
		w, err := x.Walkers(rows)
		require.NoError(t, err)
		defer w.Release()
		step := func(row uint64, letter byte) (next uint64) {
			for c := range letter {
				next += before[len(letters)][c]
			}
			return next + before[row][letter]
		}
		for _, size := range []uint64{0, 70} {
			for i := range rows {
				for _, c := range w.Letters(i, steps) {
					low, high := step(rows[i], c), step(min(rows[i]+size, uint64(len(letters))), c)
					rows[i] = low + (high-low)/2
				}
			}
			require.NoError(t, w.Walk(t.Context(), steps, size))
			got, err := w.Rows()
			require.NoError(t, err)
			assert.Equal(t, rows, got, "size %d", size)
		}
	})
}
