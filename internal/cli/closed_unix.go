//go:build unix

package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// outputClosed tells whether standard output was closed when the process began. Go opens the null device in its place
// before anything runs, for reading and writing: results would be lost without an error. `> /dev/null` opens it for
// writing alone.
func outputClosed() bool {
	fd := int(os.Stdout.Fd())
	var out, null unix.Stat_t
	if unix.Fstat(fd, &out) != nil || unix.Stat(os.DevNull, &null) != nil || out.Mode&unix.S_IFMT != unix.S_IFCHR ||
		out.Rdev != null.Rdev {
		return false
	}
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	return err == nil && flags&unix.O_ACCMODE == unix.O_RDWR
}
