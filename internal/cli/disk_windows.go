package cli

import (
	"path/filepath"

	"golang.org/x/sys/windows"
)

// FreeBytes are those that this user may write to the file system of a directory, if that is known.
func FreeBytes(dir string) (bytes int64, known bool) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, false
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(name, &free, nil, nil); err != nil {
		return 0, false
	}
	return int64(free), true
}

// SameFileSystem tells whether files can be renamed from one directory to the other, as far as is known.
func SameFileSystem(a, b string) bool {
	a, errA := filepath.Abs(a)
	b, errB := filepath.Abs(b)
	return errA == nil && errB == nil && filepath.VolumeName(a) == filepath.VolumeName(b)
}
