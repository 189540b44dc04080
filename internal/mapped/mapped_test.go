package mapped_test

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/mapped"
)

func TestReadAt(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	for _, content := range []string{"", "banana", string(make([]byte, 1<<20)) + "end"} {
		require.NoError(t, os.WriteFile(name, []byte(content), 0o644))
		f, err := mapped.Open(name)
		require.NoError(t, err)
		require.Equal(t, len(content), f.Len())
		data, err := io.ReadAll(io.NewSectionReader(f, 0, int64(f.Len())))
		require.NoError(t, err)
		require.True(t, string(data) == content)

		word := make([]byte, 2)
		n, err := f.ReadAt(word, max(int64(len(content))-1, 0))
		require.ErrorIs(t, err, io.EOF)
		require.Equal(t, min(1, len(content)), n)
		for _, at := range []int64{-1, int64(len(content)) + 1} {
			_, err = f.ReadAt(word, at)
			require.ErrorIs(t, err, fs.ErrInvalid)
		}
		require.NoError(t, f.Close())
		require.NoError(t, f.Close())
		_, err = f.ReadAt(word, 0)
		require.ErrorIs(t, err, os.ErrClosed)
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	_, err := mapped.Open(filepath.Join(dir, "missing"))
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = mapped.Open(dir)
	require.Error(t, err)
}
