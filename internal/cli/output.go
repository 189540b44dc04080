package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"golang.org/x/term"
)

// Output is where a result goes: standard output, a device or pipe that exists,
// or a file. A file is written under a temporary name in its directory, and gets
// its name when it is complete and on disk.
type Output struct {
	Name string // as given
	path string // the file, links resolved; empty unless it is one
	mode fs.FileMode
	kept bool   // a file was there before
	temp string // name of the complete temporary file
}

// NewOutput checks that a result can be written to name, before anything is
// computed. A terminal is refused: results are binary.
func NewOutput(name string) (*Output, error) {
	o := &Output{Name: name}
	switch name {
	case "":
		return nil, Usage("the name of the result file is empty")
	case "-":
		if term.IsTerminal(int(os.Stdout.Fd())) {
			return nil, Usage("a terminal cannot take binary data: redirect standard output, or use -o FILE")
		}
		return o, nil
	}
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("cannot write %s: it is a directory", name)
	case err == nil && !info.Mode().IsRegular():
		return o, nil
	case err == nil:
		o.kept, o.mode = true, info.Mode().Perm()
		if o.path, err = filepath.EvalSymlinks(name); err != nil {
			return nil, o.fail(err)
		}
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(name); err == nil {
			return nil, fmt.Errorf("cannot write %s: it is a link to a file that does not exist", name)
		}
		if os.IsPathSeparator(name[len(name)-1]) {
			return nil, fmt.Errorf("cannot write %s: it names a directory", name)
		}
		o.path = name
	default:
		return nil, o.fail(err)
	}
	f, err := o.create()
	if err != nil {
		return nil, err
	}
	f.Close()
	return o, o.fail(os.Remove(f.Name()))
}

// NewTextOutput is NewOutput of a result that a terminal may show.
func NewTextOutput(name string) (*Output, error) {
	if name == "-" {
		return &Output{Name: name}, nil
	}
	return NewOutput(name)
}

// IsFile reports whether the result is a file with a name, which others may stand
// beside.
func (o *Output) IsFile() bool { return o.path != "" }

// fail names the result in an error.
func (o *Output) fail(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("cannot write %s: %w", o.Name, WithoutPath(err))
}

// create makes the temporary file, with the permissions of any new file.
func (o *Output) create() (*os.File, error) {
	for {
		name := filepath.Join(filepath.Dir(o.path), fmt.Sprintf(".suffixcl-%016x.tmp", rand.Uint64()))
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		return f, o.fail(err)
	}
}

// Write calls f with the destination. A file is complete and on disk afterwards,
// but has its name only after Commit.
func (o *Output) Write(ctx context.Context, f func(io.Writer) error) error {
	if !o.IsFile() {
		return o.writeDirect(ctx, f)
	}
	temp, err := o.create()
	if err != nil {
		return err
	}
	o.temp = temp.Name()
	err = f(ContextWriter{ctx, temp})
	if err == nil && o.kept {
		err = temp.Chmod(o.mode)
	}
	if err == nil {
		err = temp.Sync()
	}
	err = errors.Join(err, temp.Close())
	if err != nil {
		o.Discard()
	}
	return o.fail(err)
}

func (o *Output) writeDirect(ctx context.Context, f func(io.Writer) error) error {
	w := os.Stdout
	if o.Name != "-" {
		// Opening a pipe waits for its reader.
		err := Interruptible(ctx, func() (err error) {
			w, err = os.OpenFile(o.Name, os.O_WRONLY, 0)
			return err
		})
		if err != nil {
			return o.fail(err)
		}
	}
	err := f(pipeWriter{ctx, w})
	if o.Name != "-" && ctx.Err() == nil {
		err = errors.Join(err, w.Close())
	}
	return o.fail(err)
}

// Discard removes what Write left, unless Commit has named it.
func (o *Output) Discard() {
	if o.temp != "" {
		os.Remove(o.temp)
		o.temp = ""
	}
}

// Commit gives written files their names, all of them or, as far as that can be,
// none.
func Commit(outputs ...*Output) error {
	for i, o := range outputs {
		if o.temp == "" {
			continue
		}
		if err := os.Rename(o.temp, o.path); err != nil {
			for _, done := range outputs[:i] {
				if done.IsFile() {
					os.Remove(done.path)
				}
			}
			for _, rest := range outputs[i:] {
				rest.Discard()
			}
			return o.fail(err)
		}
		o.temp = ""
	}
	return nil
}

// ContextWriter fails when the context has ended.
type ContextWriter struct {
	Context context.Context
	Writer  io.Writer
}

func (w ContextWriter) Write(p []byte) (int, error) {
	if w.Context.Err() != nil {
		return 0, context.Cause(w.Context)
	}
	return w.Writer.Write(p)
}

// pipeWriter does not wait for the reader beyond the end of the context. It is
// given a copy of the data, which a write left behind may still use.
type pipeWriter struct {
	ctx context.Context
	w   io.Writer
}

func (w pipeWriter) Write(p []byte) (n int, err error) {
	p = append([]byte(nil), p...)
	result := make(chan int, 1)
	err = Interruptible(w.ctx, func() error {
		n, err := w.w.Write(p)
		result <- n
		return err
	})
	if w.ctx.Err() != nil {
		return 0, context.Cause(w.ctx)
	}
	return <-result, err
}

// SaveFile writes a file that gets its name when it is complete.
func SaveFile(name string, write func(io.Writer) error) error {
	out, err := NewOutput(name)
	if err != nil {
		return err
	}
	defer out.Discard()
	if err := out.Write(context.Background(), write); err != nil {
		return err
	}
	return Commit(out)
}

// MakeDirectory makes the directory for results, before anything is computed. Without a
// name there is none.
func MakeDirectory(name string) error {
	if name == "" {
		return nil
	}
	if err := os.MkdirAll(name, 0o777); err != nil {
		return fmt.Errorf("cannot write to %s: %w", name, WithoutPath(err))
	}
	return nil
}
