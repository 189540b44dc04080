package gsufsort

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl"
)

// The texts "b" and "a": rows of the end, of both terminators, of a and of b.
func TestRows(t *testing.T) {
	set, err := suffixcl.JoinTexts(0, []byte("b"), []byte("a"))
	require.NoError(t, err)
	assert.Equal(t, []uint32{0, 2, 4}, StartsOf(set))
	r := &suffixcl.Result{SA: []uint32{1, 3, 2, 0}, LCP: []uint32{0, 0, 0, 0}, Documents: []uint32{0, 1, 1, 0},
		BWT: suffixcl.Bytes([]byte("ba\x00\x00"))}
	rows := Rows{Result: r, Starts: StartsOf(set), DocumentWidth: 4, Width: 5, Common: true, Letters: true}
	var out bytes.Buffer
	require.NoError(t, rows.Write(&out, func(int64, int64) {}))
	require.Equal(t, 4+5+5+1, rows.Bytes())
	var got [][3]byte // text, place and letter of each row
	for at := 0; at < out.Len(); at += rows.Bytes() {
		row := out.Bytes()[at:]
		got = append(got, [3]byte{row[0], row[4], row[14]})
	}
	assert.Equal(t, [][3]byte{{2, 0, 1}, {0, 1, 'b'}, {1, 1, 'a'}, {1, 0, 1}, {0, 0, 0}}, got)
	assert.Equal(t, ".4.5.gsa", Suffix("gsa", 4, 5))
	assert.Equal(t, ".bwt", Suffix("bwt"))
}
