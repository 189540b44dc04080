//go:build unix

package resume

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lockFile makes a file that one process at a time holds, until unlockFile or its end.
func lockFile(name string) (*os.File, error) {
	f, err := OpenFile(name, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			err = errors.New("another job uses it")
		}
		return nil, err
	}
	return f, nil
}

func unlockFile(f *os.File) { f.Close() }
