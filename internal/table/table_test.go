package table_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/table"
)

// Rows come in order, whatever their number.
func TestWrite(t *testing.T) {
	for _, n := range []int{0, 1, 1000, 1 << 18, 1<<20 + 3} {
		var out bytes.Buffer
		require.NoError(t, table.Write(&out, n, 4, func(b []byte, lo, hi int) {
			for k := lo; k < hi; k++ {
				binary.LittleEndian.PutUint32(b[4*(k-lo):], uint32(k))
			}
		}))
		require.Equal(t, 4*n, out.Len())
		for k := range n {
			require.EqualValues(t, k, binary.LittleEndian.Uint32(out.Bytes()[4*k:]))
		}
	}
	err := table.Write(failing{}, 1<<24, 4, func([]byte, int, int) {})
	require.ErrorIs(t, err, io.ErrShortWrite)
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrShortWrite }
