package verify_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
	"github.com/suffixcl/suffixcl/internal/verify"
)

// Of all arrays of places of short texts one alone is right, and of a longer one none that differs from it.
func TestBucketsSpecials(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, env devicetest.Env) {
		check := func(text []byte, sa []uint32, letters string) error {
			g := given(sa, nil, 0)
			g.Letters = append([]byte{}, letters...)
			return checkBuckets(t.Context(), env.Session, text, g)
		}
		reference := func(text []byte, letters string) []uint32 {
			sa, _ := jobsuites.ReferenceSpecials(text, func(c byte) bool { return bytes.IndexByte([]byte(letters), c) < 0 })
			return sa
		}
		for _, text := range []string{"abab", "a#b#", "##a", "baa", "####", "b", "#"} {
			want := reference([]byte(text), "ab")
			n := len(text)
			right, arrays := 0, 1
			for range n {
				arrays *= n
			}
			for number := range arrays {
				sa := make([]uint32, n)
				for k := range sa {
					sa[k], number = uint32(number%n), number/n
				}
				if check([]byte(text), sa, "ab") == nil {
					require.Equal(t, want, sa, text)
					right++
				}
			}
			require.Equal(t, 1, right, text)
		}
		rng := rand.New(rand.NewPCG(1, 9))
		text := make([]byte, 20_000)
		for i := range text {
			if text[i] = "ACGTNN\n"[rng.IntN(7)]; i > 3000 && rng.IntN(3) > 0 {
				text[i] = text[i-3000]
			}
		}
		var wrong *verify.MismatchError
		for _, letters := range []string{"ACGT", "A", "", "ACGTN\n", string(everyByte())} {
			for _, end := range []int{len(text), len(text) - 1, len(text) - 2} {
				sa := reference(text[:end], letters)
				require.NoError(t, check(text[:end], sa, letters), "%q", letters)
				for range 5 {
					a, b := rng.IntN(end), rng.IntN(end)
					if a != b {
						sa[a], sa[b] = sa[b], sa[a]
						require.ErrorAs(t, check(text[:end], sa, letters), &wrong)
						sa[a], sa[b] = sa[b], sa[a]
					}
				}
				before := sa[end/2]
				sa[end/2] = uint32(end)
				require.ErrorAs(t, check(text[:end], sa, letters), &wrong)
				sa[end/2] = before
			}
		}
		g := given(nil, []byte{}, 0)
		g.Letters = []byte("A")
		require.ErrorContains(t, checkBuckets(t.Context(), env.Session, nil, g), "is checked alone")
	})
}

func everyByte() (all []byte) {
	for b := range 256 {
		all = append(all, byte(b))
	}
	return all
}
