package bed

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
	require.NoError(t, Write(&w, Feature{Sequence: "c", Start: 5, End: 12, Name: "r", Strand: "+"}))
	require.NoError(t, Write(&w, Feature{Sequence: "c", Start: 0, End: 2000, Name: "repeat", Score: MaxScore}))
	require.NoError(t, w.Flush())
	assert.Equal(t, "c\t5\t12\tr\t0\t+\nc\t0\t2000\trepeat\t1000\n", out.String())
}
