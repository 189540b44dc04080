//go:build unix

package regular_test

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/regular"
)

// What is no regular file is told by what it is, and nothing waits for it.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	name := func(of string) string { return filepath.Join(dir, of) }
	require.NoError(t, os.WriteFile(name("file"), []byte("text"), 0o600))
	require.NoError(t, os.Symlink("file", name("link")))
	require.NoError(t, syscall.Mkfifo(name("pipe"), 0o600))
	require.NoError(t, os.Symlink("pipe", name("to pipe")))
	listener, err := net.Listen("unix", name("socket"))
	require.NoError(t, err)
	defer listener.Close()
	for _, of := range []string{"file", "link"} {
		data, err := regular.ReadFile(name(of))
		require.NoError(t, err)
		require.Equal(t, "text", string(data))
	}
	f, err := regular.OpenFile(name("file"), os.O_WRONLY)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	for of, want := range map[string]error{
		name("pipe"): regular.ErrPipe, name("to pipe"): regular.ErrPipe, name("socket"): regular.ErrSocket,
		os.DevNull: regular.ErrDevice, dir: syscall.EISDIR, name("none"): os.ErrNotExist,
	} {
		done := make(chan error, 2)
		go func() {
			_, err := regular.Open(of)
			done <- err
			done <- regular.Check(of)
		}()
		for range 2 {
			select {
			case err := <-done:
				require.ErrorIs(t, err, want)
				require.ErrorContains(t, err, of)
			case <-time.After(time.Minute):
				t.Fatal("it waits for ", of)
			}
		}
	}
}

// Short regular files are read whole, others not at all.
func TestReadShort(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	for _, n := range []int{0, 1, 99, 100, 101} {
		text := bytes.Repeat([]byte("x"), n)
		require.NoError(t, os.WriteFile(name, text, 0o600))
		if n == 0 || n > 100 {
			text = nil
		}
		require.Equal(t, text, regular.ReadShort(name, 100))
	}
	pipe := filepath.Join(dir, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	for _, other := range []string{dir, pipe, os.DevNull, filepath.Join(dir, "none")} {
		require.Nil(t, regular.ReadShort(other, 100), other)
	}
}
