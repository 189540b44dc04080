//go:build unix

package resume

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/suffixcl/suffixcl/internal/cli"
	"golang.org/x/sys/unix"
)

// checkKeeper returns an error for a directory, or a link to one, that somebody else may put files into.
func checkKeeper(dir string) error {
	var link, st unix.Stat_t
	if err := errors.Join(unix.Lstat(filepath.Clean(dir), &link), unix.Stat(dir, &st)); err != nil {
		return err
	}
	switch me := os.Geteuid(); {
	case int(link.Uid) != me, int(st.Uid) != me:
		return errors.New("the directory belongs to another user")
	case st.Mode&0o022 != 0:
		return errors.New("other users can write to the directory: name one of your own, or take that from them (chmod go-w)")
	}
	return nil
}

// OpenFile opens a file of a job that is kept, which is made if flag says so: the user's own, and no link or pipe.
func OpenFile(name string, flag int) (*os.File, error) {
	f, err := os.OpenFile(name, flag|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o666)
	if err != nil {
		if errors.Is(err, unix.ELOOP) {
			return nil, fmt.Errorf("%s is a symbolic link", filepath.Base(name))
		}
		return nil, cli.WithoutPath(err)
	}
	info, err := f.Stat()
	if err == nil {
		if st, ok := info.Sys().(*syscall.Stat_t); ok && int(st.Uid) != os.Geteuid() {
			err = fmt.Errorf("%s belongs to another user", filepath.Base(name))
		}
	}
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no regular file", filepath.Base(name))
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
