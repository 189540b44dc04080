package atomicfile_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/suffixcl/suffixcl/internal/atomicfile"
)

// names lists a directory.
func names(t *testing.T, dir string) []string {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	list := []string{}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func content(t *testing.T, name string) string {
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(data)
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	for _, want := range []string{"first", "second, longer", ""} {
		require.NoError(t, atomicfile.WriteFile(name, []byte(want), 0o644))
		require.Equal(t, want, content(t, name))
		require.Equal(t, []string{"file"}, names(t, dir))
	}
}

func TestFailureLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	require.NoError(t, atomicfile.WriteFile(name, []byte("old"), 0o644))
	failure := errors.New("out of ink")
	err := atomicfile.Write(name, 0o644, func(w io.Writer) error {
		_, err := w.Write([]byte("half"))
		return errors.Join(err, failure)
	})
	require.ErrorIs(t, err, failure)
	require.Equal(t, "old", content(t, name))
	require.Equal(t, []string{"file"}, names(t, dir))
}

// A destination that became a directory fails at the very end.
func TestFailedRename(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	f, err := atomicfile.Create(name, 0o644)
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(name, 0o755))
	require.Error(t, f.Commit())
	require.Equal(t, []string{"file"}, names(t, dir))
}

func TestDiscard(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	f, err := atomicfile.Create(name, 0o644)
	require.NoError(t, err)
	require.Equal(t, dir, filepath.Dir(f.Name()), "a rename must not cross file systems")
	require.Len(t, names(t, dir), 1)
	f.Discard()
	f.Discard()
	require.Empty(t, names(t, dir))

	f, err = atomicfile.Create(name, 0o644)
	require.NoError(t, err)
	require.NoError(t, f.Commit())
	f.Discard()
	require.Equal(t, []string{"file"}, names(t, dir))
}

func TestNoDirectory(t *testing.T) {
	_, err := atomicfile.Create(filepath.Join(t.TempDir(), "missing", "file"), 0o644)
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has none")
	}
	name := filepath.Join(t.TempDir(), "file")
	mode := func() fs.FileMode {
		info, err := os.Stat(name)
		require.NoError(t, err)
		return info.Mode().Perm()
	}
	plain := filepath.Join(filepath.Dir(name), "plain")
	require.NoError(t, os.WriteFile(plain, nil, 0o666))
	info, err := os.Stat(plain)
	require.NoError(t, err)

	require.NoError(t, atomicfile.WriteFile(name, nil, 0o666))
	require.Equal(t, info.Mode().Perm(), mode(), "the umask counts")
	require.NoError(t, os.Chmod(name, 0o600))
	require.NoError(t, atomicfile.WriteFile(name, nil, 0o666))
	require.Equal(t, fs.FileMode(0o600), mode(), "a file that is replaced keeps its own")
}

func TestLink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(target, []byte("old"), 0o644))
	if err := os.Symlink("target", link); err != nil {
		t.Skip(err)
	}
	require.NoError(t, atomicfile.WriteFile(link, []byte("new"), 0o644))
	require.Equal(t, "new", content(t, target))
	info, err := os.Lstat(link)
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&fs.ModeSymlink)
}

// begun are files that are complete but for their names.
func begun(t *testing.T, dir string, names ...string) (files []*atomicfile.File) {
	for _, name := range names {
		f, err := atomicfile.Create(filepath.Join(dir, name), 0o644)
		require.NoError(t, err)
		_, err = io.WriteString(f, "new "+name)
		require.NoError(t, err)
		files = append(files, f)
	}
	return files
}

func TestCommitAll(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, atomicfile.CommitAll())
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b"), []byte("old"), 0o600))
	require.NoError(t, atomicfile.CommitAll(begun(t, dir, "a", "b", "c")...))
	require.Equal(t, []string{"a", "b", "c"}, names(t, dir))
	for _, name := range names(t, dir) {
		require.Equal(t, "new "+name, content(t, filepath.Join(dir, name)))
	}
	require.NoError(t, atomicfile.CommitAll(begun(t, dir, "d")...))
	require.Equal(t, "new d", content(t, filepath.Join(dir, "d")))
}

// When one cannot be put in place, those before it are as they were: old ones back, new ones gone.
func TestCommitAllUndone(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "old")
	require.NoError(t, os.WriteFile(old, []byte("precious"), 0o644))
	files := begun(t, dir, "old", "new", "blocked")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "blocked"), 0o755)) // meanwhile
	require.Error(t, atomicfile.CommitAll(files...))
	require.Equal(t, "precious", content(t, old))
	require.ElementsMatch(t, []string{"old", "blocked"}, names(t, dir))
}

// A file that was committed already, or discarded, makes the whole set fail.
func TestCommitAllIncomplete(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), []byte("old"), 0o600))
	files := begun(t, dir, "a", "b")
	files[1].Discard()
	require.Error(t, atomicfile.CommitAll(files...))
	require.Equal(t, "old", content(t, filepath.Join(dir, "a")))
	require.Equal(t, []string{"a"}, names(t, dir))
}

// What a process that was killed has left is told from files of others.
func TestUnfinished(t *testing.T) {
	dir := t.TempDir()
	killed, err := atomicfile.Create(filepath.Join(dir, "kept"), 0o666)
	require.NoError(t, err)
	defer killed.Discard()
	for _, name := range []string{"kept", ".kept", "kept1", ".kept1x", ".other12"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o666))
	}
	match := func(name string) bool { return name == "kept" }
	require.Equal(t, []string{killed.Name()}, atomicfile.Unfinished(dir, match))
	require.Empty(t, atomicfile.Unfinished(filepath.Join(dir, "missing"), match))
}

// What is brought to disk while it is written is the same, by Write and by WriteAt of several goroutines, and may be
// discarded at any time.
func TestWriteback(t *testing.T) {
	const part, parts = 9 << 20, 11 // more than twice what begins it
	data := make([]byte, part*parts)
	for i := range data {
		data[i] = byte(i >> 10)
	}
	dir := t.TempDir()
	for name, write := range map[string]func(f *atomicfile.File) error{
		"in order": func(f *atomicfile.File) error {
			_, err := io.Copy(f, struct{ io.Reader }{bytes.NewReader(data)})
			return err
		},
		"anywhere": func(f *atomicfile.File) error {
			var all errgroup.Group
			for k := range parts {
				all.Go(func() error {
					_, err := f.WriteAt(data[k*part:(k+1)*part], int64(k*part))
					return err
				})
			}
			return all.Wait()
		},
	} {
		path := filepath.Join(dir, name)
		for _, commit := range []bool{false, true} {
			f, err := atomicfile.Create(path, 0o644)
			require.NoError(t, err)
			require.NoError(t, write(f), name)
			if !commit {
				f.Discard()
				require.NoFileExists(t, path)
				continue
			}
			require.NoError(t, f.Sync())
			require.NoError(t, f.Commit())
			require.True(t, content(t, path) == string(data), name)
		}
	}
	require.Equal(t, []string{"anywhere", "in order"}, names(t, dir))
}
