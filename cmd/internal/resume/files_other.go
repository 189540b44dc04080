//go:build !unix

package resume

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/suffixcl/suffixcl/internal/cli"
)

// checkKeeper has nothing to say: access is not decided by owners and modes here.
func checkKeeper(string) error { return nil }

// OpenFile opens a file of a job that is kept, which is made if flag says so; no link.
func OpenFile(name string, flag int) (*os.File, error) {
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", filepath.Base(name))
	}
	f, err := os.OpenFile(name, flag, 0o666)
	return f, cli.WithoutPath(err)
}
