package verbs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/fmindex"
)

// cannotRead names the file of an error of the file system. Other errors begin with a name.
func cannotRead(err error) error {
	var failed *fs.PathError
	if errors.As(err, &failed) {
		return fmt.Errorf("cannot read %s: %w", failed.Path, failed.Err)
	}
	return fmt.Errorf("cannot read %w", err)
}

// readIndex reads a file of the verb index, and returns what it is called in errors. Errors: those of the file, with
// this name; the context's.
func readIndex(ctx context.Context, name string) (file *fmindex.File, called string, err error) {
	in, err := cli.OpenRaw(ctx, name)
	if err != nil {
		return nil, name, err
	}
	defer in.Close()
	err = cli.Interruptible(ctx, func() error {
		file, err = fmindex.Read(in.Reader(ctx))
		return err
	})
	switch {
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case err != nil:
		err = fmt.Errorf("%s: %w", in.Name, err)
	}
	return file, in.Name, err
}
