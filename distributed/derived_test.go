package distributed_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/verify"
)

func TestDerived(t *testing.T) {
	s := sessions(t, slices.Max(ranks))
	for _, p := range ranks {
		for _, n := range []int{1, 2, 3, 50, 1000} {
			for class, text := range conformance.Texts(n, 3) {
				sa := conformance.ReferenceSuffixArray(text)
				wide := make([]uint64, n)
				for j, v := range sa {
					wide[j] = uint64(v)
				}
				want, primary := conformance.ReferenceBWT(text, sa)
				lcp, bwt := make([][]uint64, p), make([][]byte, p)
				errs := each(s, p, distributed.Options{}, func(r int, b *distributed.Builder) error {
					block, part := blockOf(text, p, r), blockOf(wide, p, r)
					err := b.Verify(t.Context(), block, part)
					if err == nil {
						lcp[r], err = b.LCP(t.Context(), block, part)
					}
					if err == nil {
						var at uint64
						bwt[r], at, err = b.BWT(t.Context(), block, part)
						assert.EqualValues(t, primary, at)
					}
					return err
				})
				require.NoError(t, errors.Join(errs...), "%s of %d on %d ranks", class, n, p)
				require.True(t, bytes.Equal(want, slices.Concat(bwt...)), "BWT of %s on %d ranks", class, p)
				for j, v := range conformance.ReferenceLCP(text, sa) {
					require.EqualValues(t, v, slices.Concat(lcp...)[j], "LCP %d of %s on %d ranks", j, class, p)
				}
			}
		}
	}
}

// TestVerifyCatches has every exchange of two slots, every copied one, and entries that are no positions, on a device
// that the ranks share and by all of them.
func TestVerifyCatches(t *testing.T) {
	t.Run("one device", func(t *testing.T) { verifyCatches(t, false) })
	defer distributed.SetUnshared()()
	t.Run("all", func(t *testing.T) { verifyCatches(t, true) })
}

// verifyCatches has the first wrong slot by the order of the checks, or any.
func verifyCatches(t *testing.T, first bool) {
	text := []byte("mississippi")
	n := len(text)
	s := sessions(t, 4)
	right := make([]uint64, n)
	for j, v := range conformance.ReferenceSuffixArray(text) {
		right[j] = uint64(v)
	}
	wrong := func(sa []uint64, at int) {
		for _, p := range []int{1, 4} {
			for r, err := range each(s, p, distributed.Options{}, func(r int, b *distributed.Builder) error {
				return b.Verify(t.Context(), blockOf(text, p, r), blockOf(sa, p, r))
			}) {
				var mismatch *verify.MismatchError
				require.ErrorAs(t, err, &mismatch, "rank %d of %d: %v", r, p, sa)
				if at >= 0 && first && p > 1 {
					assert.Equal(t, at, mismatch.At)
				}
			}
		}
	}
	for i := range n {
		for j := range i {
			sa := slices.Clone(right)
			sa[i], sa[j] = sa[j], sa[i]
			wrong(sa, -1)
			sa = slices.Clone(right)
			sa[i] = sa[j]
			wrong(sa, i)
		}
		sa := slices.Clone(right)
		sa[i] = uint64(n)
		wrong(sa, i)
	}
}
