package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A file that is read on several processors has its bytes, whatever the reads are, and ends where it ends.
func TestPieces(t *testing.T) {
	all := make([]byte, 3*leastPiece+17)
	for i := range all {
		all[i] = byte(i * i >> 9)
	}
	for _, n := range []int{1, leastPiece, 2*leastPiece + 1, len(all)} {
		name := filepath.Join(t.TempDir(), "file")
		require.NoError(t, os.WriteFile(name, all[:n], 0o600))
		for _, most := range []int{1000, 2 * leastPiece, 8 * leastPiece} {
			in, err := OpenRaw(t.Context(), name)
			require.NoError(t, err)
			r, got := in.bytes(), []byte{}
			for buffer := make([]byte, most); err == nil; {
				var read int
				read, err = r.Read(buffer)
				got = append(got, buffer[:read]...)
			}
			require.Equal(t, io.EOF, err)
			require.True(t, bytes.Equal(all[:n], got), "%d by %d", n, most)
			require.NoError(t, in.Close())
			_, err = r.Read(make([]byte, 5))
			require.ErrorIs(t, err, os.ErrClosed)
		}
	}
}
