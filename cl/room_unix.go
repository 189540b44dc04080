//go:build linux || darwin || freebsd

package cl

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// privateDirectory makes or finds a directory of the user's own among the temporary files. PoCL loads code from
// there: it must be nobody else's.
func privateDirectory() (string, error) {
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("suffixcl-pocl-%d", os.Getuid()))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	var s unix.Stat_t
	if err := unix.Lstat(dir, &s); err != nil {
		return "", err
	}
	if uint32(s.Mode)&(unix.S_IFMT|0o077) != unix.S_IFDIR || int(s.Uid) != os.Getuid() {
		return "", fmt.Errorf("%s is not a directory of this user alone", dir)
	}
	return dir, nil
}

// freeSpace is the number of bytes that the user can write to the file system of a directory.
func freeSpace(dir string) (bytes int64, known bool) {
	var s unix.Statfs_t
	if unix.Statfs(dir, &s) != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true
}
