//go:build linux || darwin || freebsd

package cli

import "golang.org/x/sys/unix"

// FreeBytes are those that this user may write to the file system of a directory, if that is known.
func FreeBytes(dir string) (bytes int64, known bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil || s.Bsize <= 0 {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true
}

// SameFileSystem tells whether files can be renamed from one directory to the other, as far as is known.
func SameFileSystem(a, b string) bool {
	var s, t unix.Stat_t
	return unix.Stat(a, &s) == nil && unix.Stat(b, &t) == nil && s.Dev == t.Dev
}
