package verify_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/internal/verify"
)

// given are arrays in memory; transform may be nil.
func given(sa []uint32, transform []byte, primary int) verify.Given {
	g := verify.Given{Len: len(sa), Primary: primary, SuffixArray: func(entries []uint64, first int) error {
		for i := range entries {
			entries[i] = uint64(sa[first+i])
		}
		return nil
	}}
	if transform != nil {
		g.Transform = func(part []byte, first int) error {
			copy(part, transform[first:first+len(part)])
			return nil
		}
	}
	return g
}

func checkBuckets(ctx context.Context, s *device.Session, text []byte, g verify.Given) error {
	plan := verify.NewBuckets
	if g.LCP != nil {
		plan = verify.NewBucketsLCP
	}
	c, err := plan(s, len(text))
	if err != nil {
		return err
	}
	defer c.Release()
	if err := c.Allocate(); err != nil {
		return err
	}
	return c.Run(ctx, text, g, nil)
}

// The checker by buckets.
func TestBuckets(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		e.Suite.MaxExhaustive2, e.Suite.MaxExhaustive3 = min(e.Suite.MaxExhaustive2, 4), -1
		e.Suite.PerSize, e.Suite.Random, e.Suite.Large = 1, min(e.Suite.Random, 5), min(e.Suite.Large, 3000)
		e.Suite.Tile = tuned.Of(e.Session).Map.WG * tuned.Of(e.Session).Map.Items
		conformance.Run(t, conformance.Verify(func(ctx context.Context, text []byte, sa []uint32) error {
			return checkBuckets(ctx, e.Session, text, given(sa, nil, 0))
		}, e.Suite))
	})
}

// A text of several blocks, its transform, and every kind of damage to that.
func TestBucketsTransform(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		rng := rand.New(rand.NewPCG(7, 8))
		sizes := []int{1, 2, 5, 1000, 9000}
		if e.Suite.Large > 1<<16 {
			sizes = append(sizes, 1<<21+77)
		}
		for _, n := range sizes {
			text := make([]byte, n)
			for i := range text {
				text[i] = byte(rng.IntN(3)) * 127
			}
			sa := conformance.ReferenceSuffixArray(text)
			transform, primary := conformance.ReferenceBWT(text, sa)
			require.NoError(t, checkBuckets(t.Context(), e.Session, text, given(sa, transform, primary)), n)
			var wrong *verify.MismatchError
			for _, at := range []int{0, n / 3, n - 1} {
				transform[at]++
				err := checkBuckets(t.Context(), e.Session, text, given(sa, transform, primary))
				require.ErrorAs(t, err, &wrong)
				require.Equal(t, at, wrong.At, n)
				transform[at]--
			}
			for _, other := range []int{0, primary - 1, primary + 1, n + 1} {
				require.ErrorAs(t, checkBuckets(t.Context(), e.Session, text, given(sa, transform, other)), &wrong, n)
			}
			if n < 1000 {
				continue
			}
			sa[n/2], sa[n/2+1] = sa[n/2+1], sa[n/2]
			require.ErrorAs(t, checkBuckets(t.Context(), e.Session, text, given(sa, nil, 0)), &wrong)
			require.ErrorAs(t, checkBuckets(t.Context(), e.Session, text, given(sa[1:], nil, 0)), &wrong)
			gone := errors.New("the disk is gone")
			err := checkBuckets(t.Context(), e.Session, text, verify.Given{Len: n,
				SuffixArray: func([]uint64, int) error { return gone }})
			require.ErrorIs(t, err, gone)
			require.Zero(t, e.Session.LiveBytes())
		}
	})
}

// withLCP adds an LCP array in memory.
func withLCP(g verify.Given, lcp []uint32) verify.Given {
	g.LCP = func(entries []uint64, first int) error {
		for i := range entries {
			entries[i] = uint64(lcp[first+i])
		}
		return nil
	}
	return g
}

// LCP arrays of texts of every kind, of one block and of several, and every entry that is wrong.
func TestBucketsLCP(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		check := func(text []byte, sa, lcp []uint32) error {
			return checkBuckets(t.Context(), e.Session, text, withLCP(given(sa, nil, 0), lcp))
		}
		var wrong *verify.MismatchError
		for name, text := range conformance.Texts(200, 34) {
			sa := conformance.ReferenceSuffixArray(text)
			lcp := conformance.ReferenceLCP(text, sa)
			require.NoError(t, check(text, sa, lcp), name)
			if len(lcp) == 0 {
				continue
			}
			for _, at := range []int{0, len(lcp) - 1} {
				lcp[at]++
				require.ErrorAs(t, check(text, sa, lcp), &wrong, name)
				require.Equal(t, "LCP array", wrong.What)
				lcp[at]--
			}
		}
		n := 9000 // of three blocks
		switch {
		case e.Suite.Large >= 1<<18:
			n = 1<<21 + 77
		case e.Suite.Large >= 1<<16:
			n = 1<<17 + 5
		}
		rng := rand.New(rand.NewPCG(7, 34))
		text := make([]byte, n)
		for i := range text {
			text[i] = byte(rng.IntN(3)) * 127
		}
		text[n/3] = 5 // of a character that many blocks have none of
		copy(text[n/2:], text[:min(n/4, 3000)])
		sa := conformance.ReferenceSuffixArray(text)
		lcp := conformance.ReferenceLCP(text, sa)
		require.NoError(t, check(text, sa, lcp))
		for range 4 {
			at, by := rng.IntN(n), uint32(rng.IntN(3)+1)
			lcp[at] += by
			err := check(text, sa, lcp)
			require.ErrorAs(t, err, &wrong)
			lcp[at] -= by
			if lcp[at] == 0 {
				continue
			}
			lcp[at]--
			require.ErrorAs(t, check(text, sa, lcp), &wrong)
			lcp[at]++
		}
		lcp[n/5] = uint32(n)
		require.ErrorAs(t, check(text, sa, lcp), &wrong)
		require.Equal(t, n/5, wrong.At)
		gone := errors.New("the disk is gone")
		g := given(sa, nil, 0)
		g.LCP = func([]uint64, int) error { return gone }
		require.ErrorIs(t, checkBuckets(t.Context(), e.Session, text, g), gone)
		require.Zero(t, e.Session.LiveBytes())
		c, err := verify.NewBuckets(e.Session, n)
		require.NoError(t, err)
		require.ErrorContains(t, c.Run(t.Context(), text, g, nil), "without")
	})
}
