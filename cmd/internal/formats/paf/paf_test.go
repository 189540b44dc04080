package paf

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
)

func TestWrite(t *testing.T) {
	var out bytes.Buffer
	w := tsv.New(&out)
	require.NoError(t, Write(&w, Match{Query: "q", QueryLength: 9, QueryStart: 2, Length: 4, Strand: "-", Target: "t",
		TargetLength: 100, TargetStart: 50}))
	require.NoError(t, WriteUnplaced(&w, "q", 9, 1000))
	require.NoError(t, w.Flush())
	assert.Equal(t, "q\t9\t2\t6\t-\tt\t100\t50\t54\t4\t4\t255\n"+
		"q\t9\t0\t0\t*\t*\t0\t0\t0\t0\t0\t0\tnh:i:1000\n", out.String())
}
