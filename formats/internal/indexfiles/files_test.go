package indexfiles_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/formats/internal/indexfiles"
)

// An index is there as a whole or not at all.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	prefix := filepath.Join(dir, "x")
	listed := func() (names []string) {
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		for _, entry := range entries {
			names = append(names, entry.Name())
		}
		return names
	}
	suffixes := []string{".a", ".b"}
	write := func(files *indexfiles.Set, suffix, content string) error {
		return files.Write(t.Context(), suffix, int64(len(content)), func(w io.Writer) error {
			_, err := io.WriteString(w, content)
			return err
		})
	}
	files, err := indexfiles.Create(prefix, suffixes, indexfiles.Options{})
	require.NoError(t, err)
	require.NoError(t, write(files, ".a", "one"))
	full := errors.New("no space left")
	require.ErrorIs(t, files.Write(t.Context(), ".b", 3, func(io.Writer) error { return full }), full)
	files.Discard()
	require.Empty(t, listed())

	require.NoError(t, write(files, ".a", "one"))
	require.NoError(t, write(files, ".b", "two"))
	require.NoError(t, files.Commit())
	require.Equal(t, []string{"x.a", "x.b"}, listed())

	_, err = indexfiles.Create(prefix, suffixes, indexfiles.Options{})
	require.ErrorIs(t, err, fs.ErrExist)
	files, err = indexfiles.Create(prefix, suffixes, indexfiles.Options{Force: true})
	require.NoError(t, err)
	require.NoError(t, write(files, ".a", "three"))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, files.Write(ended, ".b", 1, func(w io.Writer) error {
		_, err := w.Write([]byte{1})
		return err
	}), context.Canceled)
	files.Discard()
	old, err := os.ReadFile(prefix + ".a")
	require.NoError(t, err)
	require.Equal(t, "one", string(old))

	_, err = indexfiles.Create(filepath.Join(dir, "none", "x"), suffixes, indexfiles.Options{})
	require.ErrorIs(t, err, os.ErrNotExist)
}

// Files that are written at the same time are whole; the first failure ends the others. Progress comes in turn, and a
// context that has ended stops what is long.
func TestTogether(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "x")
	told := make(map[string]int64) // no lock
	o := indexfiles.Options{Force: true, Progress: func(file string, done, _ int64) { told[file] = done }}
	files, err := indexfiles.Create(prefix, nil, o)
	require.NoError(t, err)
	defer files.Discard()
	content := bytes.Repeat([]byte("ACGT"), 1<<18)
	content = bytes.Repeat(content, 20)
	write := func(suffix string) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			return files.Write(ctx, suffix, int64(len(content)), func(w io.Writer) error {
				_, err := w.Write(content)
				return err
			})
		}
	}
	require.NoError(t, indexfiles.Together(t.Context(), write(".a"), write(".b"), write(".c")))
	require.NoError(t, files.Commit())
	for _, suffix := range []string{".a", ".b", ".c"} {
		got, err := os.ReadFile(prefix + suffix)
		require.NoError(t, err)
		require.True(t, bytes.Equal(content, got), suffix)
		require.EqualValues(t, len(content), told[prefix+suffix])
	}
	full := errors.New("no space left")
	require.ErrorIs(t, indexfiles.Together(t.Context(), func(ctx context.Context) error {
		<-ctx.Done()
		return write(".a")(ctx)
	}, func(context.Context) error { return full }), full)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, indexfiles.Together(ended, write(".a")), context.Canceled)
}
