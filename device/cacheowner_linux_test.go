package device_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/suffixcl/suffixcl/device"
)

// asNobody runs a function with the access of a user who owns nothing, if root runs the tests.
func asNobody(t *testing.T, f func()) {
	if os.Geteuid() != 0 {
		f()
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	require.NoError(t, unix.Setfsuid(65534))
	defer func() { require.NoError(t, unix.Setfsuid(0)) }()
	f()
}

// TestSharedDirectory: a directory that cannot be written is read; what it lacks is kept elsewhere.
func TestSharedDirectory(t *testing.T) {
	shared, own := t.TempDir(), t.TempDir()
	device.NewDiskCache(shared, 1<<20).Store(keyOf(1), binaryOf(1))
	require.NoError(t, os.Chmod(filepath.Dir(shared), 0o755), "which tests alone may enter")
	require.NoError(t, os.Chmod(shared, 0o555))
	t.Cleanup(func() { require.NoError(t, os.Chmod(shared, 0o755)) })
	var c, none *device.DiskCache
	asNobody(t, func() {
		c, none = device.OpenDiskCache(shared, own), device.OpenDiskCache(shared, "")
	})
	before := list(t, shared)
	assert.Equal(t, binaryOf(1), c.Load(keyOf(1)))
	c.Store(keyOf(2), binaryOf(2))
	assert.Equal(t, binaryOf(2), c.Load(keyOf(2)))
	none.Store(keyOf(3), binaryOf(3))
	assert.Equal(t, binaryOf(1), none.Load(keyOf(1)))
	assert.Nil(t, none.Load(keyOf(3)))
	assert.Equal(t, before, list(t, shared))
	assert.Len(t, list(t, own), 1)

	path := none.SharedPath(keyOf(1))
	require.NoError(t, os.Chmod(path, 0o666))
	assert.Nil(t, none.Load(keyOf(1)), "a file that others can write")
}

// TestFullCache: where there is no room for a file nothing is kept, nothing is left, and what was there stays.
func TestFullCache(t *testing.T) {
	dir := t.TempDir()
	c := device.NewDiskCache(dir, 1<<30)
	c.Store(keyOf(1), binaryOf(1))
	// The limit holds for the whole process, for the log of the tests, too.
	const limit = 16 << 20
	large := make([]byte, 2*limit)
	rand.NewChaCha8([32]byte{1}).Read(large)
	signal.Ignore(unix.SIGXFSZ)
	defer signal.Reset(unix.SIGXFSZ)
	var kept unix.Rlimit
	require.NoError(t, unix.Getrlimit(unix.RLIMIT_FSIZE, &kept))
	require.NoError(t, unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: limit, Max: kept.Max}))
	c.Store(keyOf(1), large)
	c.Store(keyOf(2), large)
	require.NoError(t, unix.Setrlimit(unix.RLIMIT_FSIZE, &kept))
	assert.Equal(t, binaryOf(1), c.Load(keyOf(1)))
	assert.Nil(t, c.Load(keyOf(2)))
	assert.Len(t, list(t, dir), 1)
	c.Store(keyOf(2), large)
	assert.True(t, bytes.Equal(large, c.Load(keyOf(2))), "room again")
}

// TestTrust: directories that others can write are not used.
func TestTrust(t *testing.T) {
	for mode, used := range map[os.FileMode]bool{
		0o755: true, 0o700: true, 0o775: false, 0o757: false, 0o777 | os.ModeSticky: false,
	} {
		dir, own := t.TempDir(), t.TempDir()
		require.NoError(t, os.Chmod(dir, mode))
		device.OpenDiskCache(dir, own).Store(keyOf(1), binaryOf(1))
		written, kept := dir, own
		if !used {
			written, kept = own, dir
		}
		assert.Len(t, list(t, written), 1, "%v", mode)
		assert.Empty(t, list(t, kept), "%v", mode)
	}
	if os.Geteuid() == 0 {
		dir, own := t.TempDir(), t.TempDir()
		require.NoError(t, os.Chown(dir, 65534, 65534))
		device.OpenDiskCache(dir, own).Store(keyOf(1), binaryOf(1))
		assert.Empty(t, list(t, dir), "of another user")
		assert.Len(t, list(t, own), 1)
	}
}

// TestCacheVariable: the environment names the directory where the caller does not.
func TestCacheVariable(t *testing.T) {
	named, given, own := t.TempDir(), t.TempDir(), t.TempDir()
	t.Setenv("SUFFIXCL_CACHE", named)
	device.OpenDiskCache("", own).Store(keyOf(1), binaryOf(1))
	assert.Len(t, list(t, named), 1)
	device.OpenDiskCache(given, own).Store(keyOf(1), binaryOf(1))
	assert.Len(t, list(t, given), 1)
	t.Setenv("SUFFIXCL_CACHE", "off")
	device.OpenDiskCache("", own).Store(keyOf(1), binaryOf(1))
	assert.Empty(t, list(t, own))
}
