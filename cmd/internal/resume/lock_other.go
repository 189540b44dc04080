//go:build !unix

package resume

import (
	"errors"
	"io/fs"
	"os"

	"github.com/suffixcl/suffixcl/internal/cli"
)

// lockFile makes a file that one process at a time holds, until unlockFile. It stays if the process is killed.
func lockFile(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil, errors.New("another job uses it; if none runs, remove the file " + lockName + " there")
	}
	return f, cli.WithoutPath(err)
}

func unlockFile(f *os.File) {
	f.Close()
	os.Remove(f.Name())
}
