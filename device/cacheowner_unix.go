//go:build unix

package device

import (
	"os"

	"golang.org/x/sys/unix"
)

// trusted tells whether a file or directory is root's or the user's, and nobody else can write it. One that is not
// there is trusted: who makes it owns it.
func trusted(path string) bool {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return err == unix.ENOENT
	}
	return (st.Uid == 0 || int(st.Uid) == os.Geteuid()) && st.Mode&0o022 == 0
}
