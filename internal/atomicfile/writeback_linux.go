package atomicfile

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// begin begins to write all of a file to disk that is not there. A failure shows when it is synced.
func begin(file syscall.Conn) {
	if c, err := file.SyscallConn(); err == nil {
		_ = c.Control(func(fd uintptr) { _ = unix.SyncFileRange(int(fd), 0, 0, unix.SYNC_FILE_RANGE_WRITE) })
	}
}
