package distributed_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/distributed"
)

func TestDerived(t *testing.T) {
	s := sessions(t, slices.Max(numbers()))
	for _, p := range numbers() {
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
				var mismatch *suffixcl.MismatchError
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

// TestLongBlocks has blocks that are as long as possible, and one that is longer: all ranks refuse that, and send
// nothing but the lengths.
func TestLongBlocks(t *testing.T) {
	text := []byte("mississippi")
	var sa []uint64
	for _, v := range conformance.ReferenceSuffixArray(text) {
		sa = append(sa, uint64(v))
	}
	const p = 5 // blocks of 3, 2, 2, 2 and 2
	s := sessions(t, p)
	for name, call := range map[string]func(b *distributed.Builder, block []byte, sa []uint64) error{
		"LCP": func(b *distributed.Builder, block []byte, sa []uint64) error {
			_, err := b.LCP(t.Context(), block, sa)
			return err
		},
		"BWT": func(b *distributed.Builder, block []byte, sa []uint64) error {
			_, _, err := b.BWT(t.Context(), block, sa)
			return err
		},
		"Verify": func(b *distributed.Builder, block []byte, sa []uint64) error {
			return b.Verify(t.Context(), block, sa)
		},
	} {
		t.Run(name, func(t *testing.T) {
			var sent [p]int64
			run := func(limit int, a distributed.Algorithm) []error {
				defer distributed.SetMaxRouted(limit)()
				return each(s, p, distributed.Options{Algorithm: a}, func(r int, b *distributed.Builder) error {
					err := call(b, blockOf(text, p, r), blockOf(sa, p, r))
					sent[r] = b.Stats().BytesSent
					return err
				})
			}
			require.NoError(t, errors.Join(run(3, distributed.PCSS)...))
			require.Error(t, errors.Join(run(3, "none")...), "which the ranks find out by their lengths")
			lengths := sent
			for r, err := range run(2, distributed.PCSS) {
				assert.Equal(t, &device.LengthError{What: "block", Len: 3, Max: 2}, err, "rank %d", r)
			}
			assert.Equal(t, lengths, sent)
		})
	}
}
