//go:build !windows

package atomicfile

import (
	"io/fs"
	"math"
	"path/filepath"

	"github.com/google/renameio/v2"
	"golang.org/x/sys/unix"
)

func create(path string, perm fs.FileMode) (pending, error) {
	return renameio.NewPendingFile(path, renameio.WithTempDir(filepath.Dir(path)),
		renameio.WithPermissions(perm), renameio.WithExistingPermissions())
}

func newSizeLimit() sizeLimit {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
		return math.MaxInt64
	}
	return sizeLimit(min(uint64(limit.Cur), math.MaxInt64))
}
