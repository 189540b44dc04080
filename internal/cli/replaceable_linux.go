package cli

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// checkReplaceable returns an error if no other file may get the name of this one, although it may be written: it
// is a mount point, or another user's in a directory with the sticky bit, such as /tmp.
func checkReplaceable(path string) error {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	file, err := status(path)
	if err != nil {
		return nil // an old kernel: renaming will tell
	}
	if file.Attributes&unix.STATX_ATTR_MOUNT_ROOT != 0 {
		return errors.New("it is a mount point, which cannot be replaced")
	}
	dir, err := status(filepath.Dir(path))
	user := uint32(os.Geteuid())
	if err == nil && dir.Mode&unix.S_ISVTX != 0 && user != 0 && user != file.Uid && user != dir.Uid {
		return errors.New("it is another user's, and its directory has the sticky bit: it cannot be replaced")
	}
	return nil
}

func status(path string) (s unix.Statx_t, err error) {
	err = unix.Statx(unix.AT_FDCWD, path, 0, unix.STATX_MODE|unix.STATX_UID, &s)
	return s, err
}
