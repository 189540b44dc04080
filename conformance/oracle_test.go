package conformance

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/testkit/divsufsort"
	"github.com/suffixcl/suffixcl/internal/testkit/needed"
)

// naiveSuffixArray sorts the suffixes by comparing them.
func naiveSuffixArray(text []byte) []uint32 {
	sa := make([]uint32, len(text))
	for i := range sa {
		sa[i] = uint32(i)
	}
	slices.SortFunc(sa, func(a, b uint32) int { return bytes.Compare(text[a:], text[b:]) })
	return sa
}

// naiveBWT takes the last column of the sorted rotations of the text and an end
// marker, smaller than all bytes.
func naiveBWT(text []byte) (bwt []byte, primary int) {
	n := len(text)
	marked := make([]int, n+1)
	for i, c := range text {
		marked[i] = int(c) + 1
	}
	rows := make([][]int, n+1)
	for i := range rows {
		rows[i] = slices.Concat(marked[i:], marked[:i])
	}
	slices.SortFunc(rows, slices.Compare)
	bwt = []byte{}
	for i, row := range rows {
		if row[n] == 0 {
			primary = i
		} else {
			bwt = append(bwt, byte(row[n]-1))
		}
	}
	if n == 0 {
		primary = 0
	}
	return bwt, primary
}

func naiveLCP(text []byte, sa []uint32) []uint32 {
	lcp := make([]uint32, len(sa))
	for i := 1; i < len(sa); i++ {
		a, b := text[sa[i-1]:], text[sa[i]:]
		for h := 0; h < min(len(a), len(b)) && a[h] == b[h]; h++ {
			lcp[i]++
		}
	}
	return lcp
}

// smallTexts are all short texts over two letters, and every class at some sizes.
func smallsamples() []sample {
	var texts []sample
	for data := range Exhaustive("ab", 10) {
		texts = append(texts, sample{name: "exhaustive", data: data})
	}
	for data := range Exhaustive("\x00\x7f\xff", 6) {
		texts = append(texts, sample{name: "exhaustive", data: data})
	}
	for _, n := range []int{1, 2, 3, 17, 64, 255, 300} {
		texts = append(texts, samples(n, 5)...)
	}
	return texts
}

func TestOraclesAgreeWithDefinitions(t *testing.T) {
	for _, text := range smallsamples() {
		sa := naiveSuffixArray(text.data)
		require.Equal(t, sa, ReferenceSuffixArray(text.data), "%v", text)
		require.NoError(t, CheckSuffixArray(text.data, sa), "%v", text)
		require.Equal(t, naiveLCP(text.data, sa), ReferenceLCP(text.data, sa), "%v", text)

		bwt, primary := ReferenceBWT(text.data, sa)
		wantBWT, wantPrimary := naiveBWT(text.data)
		require.Equal(t, wantBWT, bwt, "%v", text)
		require.Equal(t, wantPrimary, primary, "%v", text)
	}
}

func TestOraclesAgreeWithDivsufsort(t *testing.T) {
	if _, err := divsufsort.SuffixArray(nil); errors.Is(err, divsufsort.ErrNone) {
		needed.Missing(t, "", "libdivsufsort", "libdivsufsort3")
	}
	for _, text := range append(smallsamples(), samples(100_003, 6)...) {
		sa, err := divsufsort.SuffixArray(text.data)
		require.NoError(t, err)
		require.NoError(t, compareSuffixArrays(text.data, ReferenceSuffixArray(text.data), sa), "%v", text)
		require.NoError(t, CheckSuffixArray(text.data, sa), "%v", text)

		bwt, primary := ReferenceBWT(text.data, sa)
		wantBWT, wantPrimary, err := divsufsort.BWT(text.data)
		require.NoError(t, err)
		require.True(t, bytes.Equal(wantBWT, bwt), "%v", text)
		require.Equal(t, wantPrimary, primary, "%v", text)
	}
}

func TestReferencesOnBanana(t *testing.T) {
	text := []byte("banana")
	sa := ReferenceSuffixArray(text)
	assert.Equal(t, []uint32{5, 3, 1, 0, 4, 2}, sa)
	assert.Equal(t, []uint32{0, 1, 3, 0, 0, 2}, ReferenceLCP(text, sa))
	bwt, primary := ReferenceBWT(text, sa)
	assert.Equal(t, "annbaa", string(bwt))
	assert.Equal(t, 4, primary)
}

func TestDecodeIndexRejectsOtherEncodings(t *testing.T) {
	for _, encoded := range [][]byte{nil, make([]byte, 5), make([]byte, 10), bytes.Repeat([]byte{8}, 100)} {
		_, err := decodeIndex(encoded, []byte("text"))
		assert.ErrorIs(t, err, errEncoding)
	}
}

func TestCheckSuffixArrayNamesTheViolation(t *testing.T) {
	text := []byte("banana")
	for want, sa := range map[string][]uint32{
		"5 entries, want 6":              {5, 3, 1, 0, 4},
		"sa[2] = 6 is out of range":      {5, 3, 6, 0, 4, 2},
		"sa[0] = sa[5] = 5":              {5, 3, 1, 0, 4, 5},
		"sa[0] = 3 does not sort before": {3, 5, 1, 0, 4, 2},
	} {
		assert.ErrorContains(t, CheckSuffixArray(text, sa), want)
	}
}
