package verbs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/suffixcl/suffixcl/internal/cli"
)

// makeFolder makes a directory, if it is not there. remove takes it away again, unless there is something in it.
func makeFolder(name string) (remove func(), err error) {
	switch err := os.Mkdir(name, 0o777); {
	case err == nil:
		return func() { _ = os.Remove(name) }, nil
	case errors.Is(err, fs.ErrExist) && cli.IsDirectory(name):
		return func() {}, nil
	default:
		return nil, fmt.Errorf("cannot make the directory %s: %w", name, cli.WithoutPath(err))
	}
}
