//go:build unix

package atomicfile_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/suffixcl/suffixcl/internal/atomicfile"
)

// A process that has not asked to ignore the signal outlives a write beyond the limit, and can tell of it.
func TestSizeLimit(t *testing.T) {
	const limited = "ATOMICFILE_TEST_LIMITED"
	if name := os.Getenv(limited); name != "" {
		require.NoError(t, unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 4096, Max: 4096}))
		f, err := atomicfile.Create(name, 0o644)
		require.NoError(t, err)
		defer f.Discard()
		_, err = f.Write(make([]byte, 4096))
		require.NoError(t, err)
		_, err = f.Write(make([]byte, 1))
		require.ErrorIs(t, err, syscall.EFBIG)
		_, err = f.WriteAt(make([]byte, 2), 4095)
		require.ErrorIs(t, err, syscall.EFBIG)
		_, err = f.WriteAt(make([]byte, 2), 4094)
		require.NoError(t, err)

		file, err := os.CreateTemp(filepath.Dir(name), "")
		require.NoError(t, err)
		defer os.Remove(file.Name())
		defer file.Close()
		l := atomicfile.Limit(file)
		_, err = l.WriteAt(make([]byte, 2), 4095)
		require.ErrorIs(t, err, syscall.EFBIG)
		_, err = l.WriteAt(make([]byte, 2), 4094)
		require.NoError(t, err)
		require.ErrorIs(t, l.Truncate(4097), syscall.EFBIG)
		require.NoError(t, l.Truncate(4096))
		return
	}
	dir := t.TempDir()
	c := exec.Command(os.Args[0], "-test.run", "^TestSizeLimit$")
	c.Env = append(os.Environ(), limited+"="+filepath.Join(dir, "file"))
	output, err := c.CombinedOutput()
	require.NoError(t, err, "%s", output)
	require.Empty(t, names(t, dir))
}
