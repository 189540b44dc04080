package resume

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"golang.org/x/sys/unix"
)

// A job is kept in a directory of the user's own, into which nobody else can put files; links there are not followed.
func TestResumeOwn(t *testing.T) {
	job := Identity{Verb: "sa", Width: 5, Bytes: 6, Checksum: Checksum([]byte("banana")), Device: "D"}
	dir := t.TempDir()
	clitest.Put(t, dir, "precious", []byte("mine"))
	kept := filepath.Join(dir, "kept")
	for _, mode := range []os.FileMode{0o777, 0o775, 0o757 | os.ModeSticky} {
		require.NoError(t, os.MkdirAll(kept, 0o755))
		require.NoError(t, os.Chmod(kept, mode))
		_, err := Open(kept, job)
		require.ErrorContains(t, err, "other users can write to the directory", "%v", mode)
	}
	require.NoError(t, os.Chmod(kept, 0o755))
	for _, name := range []string{lockName, StateFile, ResultFile} {
		for what, plant := range map[string]func(name string) error{
			"is a symbolic link": func(name string) error { return os.Symlink("../precious", name) },
			"is no regular file": func(name string) error { return unix.Mkfifo(name, 0o666) },
		} {
			require.NoError(t, plant(filepath.Join(kept, name)))
			_, err := Open(kept, job)
			require.ErrorContains(t, err, what, name)
			require.ErrorContains(t, err, name)
			require.NoError(t, os.RemoveAll(kept))
			require.NoError(t, os.Mkdir(kept, 0o755))
		}
	}
	assert.Equal(t, "mine", string(clitest.Get(t, dir, "precious")))
	require.NoError(t, os.Symlink("kept", filepath.Join(dir, "link")))
	r, err := Open(filepath.Join(dir, "link"), job) // one of the user's own
	require.NoError(t, err)
	r.Close()

	if os.Geteuid() == 0 {
		require.NoError(t, os.Chown(kept, 1, 1))
		_, err := Open(kept, job)
		require.ErrorContains(t, err, "the directory belongs to another user")
		require.NoError(t, os.Chown(kept, 0, 0))
		clitest.Put(t, kept, ResultFile, nil)
		require.NoError(t, os.Chown(filepath.Join(kept, ResultFile), 1, 1))
		_, err = Open(kept, job)
		require.ErrorContains(t, err, ResultFile+" belongs to another user")
	}

	// A directory that is made is one, whatever the umask.
	defer unix.Umask(unix.Umask(0))
	for range 2 {
		r, err := Open(filepath.Join(dir, "new"), job)
		require.NoError(t, err)
		r.State.State.First = 1 // so that it stays
		r.Close()
	}
}
