//go:build !linux && !darwin && !freebsd && !windows

package cli

// FreeBytes are those that this user may write to the file system of a directory, if that is known.
func FreeBytes(string) (bytes int64, known bool) { return 0, false }

// SameFileSystem tells whether files can be renamed from one directory to the other, as far as is known.
func SameFileSystem(a, b string) bool { return a == b }
