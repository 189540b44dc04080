package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
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

// shortFile takes so many bytes.
type shortFile struct {
	*os.File
	room int64
}

func (f shortFile) WriteAt(b []byte, at int64) (int, error) {
	if at+int64(len(b)) <= f.room {
		return f.File.WriteAt(b, at)
	}
	n, err := f.File.WriteAt(b[:max(f.room-at, 0)], at)
	return n, errors.Join(err, io.ErrShortWrite)
}

// A file that is written on several processors has the bytes in their order, from a place on. What is written without
// a gap counts where there is no room for more.
func TestPieceWriter(t *testing.T) {
	all := make([]byte, 5*leastWritten+17)
	for i := range all {
		all[i] = byte(i * i >> 9)
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	require.NoError(t, err)
	defer f.Close()
	_, err = f.WriteString("before")
	require.NoError(t, err)
	w := &PieceWriter{File: f, At: 6}
	for from := 0; from < len(all); {
		to := min(from+3*leastWritten+5, len(all))
		n, err := w.Write(all[from:to])
		require.NoError(t, err)
		from += n
	}
	got, err := os.ReadFile(f.Name())
	require.NoError(t, err)
	require.True(t, bytes.Equal(append([]byte("before"), all...), got))
	parts := slices.Collect(slices.Chunk(all, leastWritten/3))
	parts = append([][]byte{nil}, parts...)
	require.NoError(t, (&PieceWriter{File: f, At: 3}).WriteParts(parts))
	got, err = os.ReadFile(f.Name())
	require.NoError(t, err)
	require.True(t, bytes.Equal(all, got[3:3+len(all)]))
	for _, room := range []int64{0, 9, 2 * leastWritten, 4*leastWritten + 1} {
		w := &PieceWriter{File: shortFile{f, room}}
		n, err := w.Write(all)
		require.ErrorIs(t, err, io.ErrShortWrite)
		require.LessOrEqual(t, int64(n), room)
		require.Equal(t, int64(n), w.At)
		got, err := os.ReadFile(f.Name())
		require.NoError(t, err)
		require.True(t, bytes.Equal(all[:n], got[:n]), "%d of %d", n, room)
		w = &PieceWriter{File: shortFile{f, room}}
		require.ErrorIs(t, w.WriteParts(parts), io.ErrShortWrite)
		require.Equal(t, int64(n), w.At)
	}
}
