package enginetest

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
)

// Reads are texts of one length.
func Reads(t testing.TB, count, length int) [][]byte {
	text, err := conformance.NewText("random/sigma=4", count*length, 1)
	require.NoError(t, err)
	texts := make([][]byte, count)
	for k := range texts {
		texts[k] = text[k*length : (k+1)*length]
	}
	return texts
}

// Sets are none, one, many empty, equal, nested and different texts.
func Sets(t testing.TB) map[string][][]byte {
	all := map[string][][]byte{
		"none": nil, "one": {[]byte("banana")}, "empty": {{}}, "many empty": make([][]byte, 300),
		"equal":  {[]byte("abab"), []byte("abab"), []byte("abab")},
		"nested": {[]byte("b"), []byte("ab"), {}, []byte("aab"), []byte("aa"), {0, 255, 0}},
	}
	text, err := conformance.NewText("repeats/sigma=4", 1500, 1)
	require.NoError(t, err)
	for _, length := range []int{7, 100} {
		for start := 0; start < len(text); start += length {
			name := fmt.Sprintf("reads of %d", length)
			all[name] = append(all[name], text[start:min(start+length, len(text))])
		}
	}
	all["letters"] = bytes.SplitAfter(text[:400], nil)
	return all
}

// Wider are letters as symbols of 16 and of 32 bits.
func Wider(letters []byte) (narrow []uint16, wide []uint32) {
	narrow, wide = make([]uint16, len(letters)), make([]uint32, len(letters))
	for i, c := range letters {
		narrow[i], wide[i] = uint16(c)<<7, uint32(c)<<20
	}
	return narrow, wide
}

// WidthOf is the number of bytes of a symbol.
func WidthOf(text suffixcl.Text) int {
	switch {
	case text.Tokens16() != nil:
		return 2
	case text.Tokens32() != nil:
		return 4
	}
	return 1
}
