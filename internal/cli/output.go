package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/suffixcl/suffixcl/internal/atomicfile"
	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"golang.org/x/sync/errgroup"
	"golang.org/x/term"
)

// Output is where a result goes: standard output, a device or pipe that exists,
// or a file. A file gets its name when it is complete and on disk.
type Output struct {
	Name string // as given
	path string // of a file; empty for others
	file *atomicfile.File
}

// NewOutput checks that a result can be written to name, before anything is computed:
// what can be known then is an error. inputs are files that are read, or are results,
// too, or directories of such; name must be none of them. A terminal is refused: results are binary.
func NewOutput(name string, inputs ...string) (*Output, error) {
	if name == "-" && term.IsTerminal(int(os.Stdout.Fd())) {
		return nil, Usage("a terminal cannot take binary data: redirect standard output, or use -o FILE")
	}
	return NewTextOutput(name, inputs...)
}

// NewTextOutput is NewOutput of a result that a terminal may show.
func NewTextOutput(name string, inputs ...string) (*Output, error) {
	if name == "" {
		return nil, Usage("the name of the result file is empty")
	}
	o := &Output{Name: name}
	info, err := o.stat()
	if err != nil {
		return nil, o.fail(err)
	}
	for _, input := range inputs {
		if same := sameFile(info, input); same != "" {
			return nil, o.fail(fmt.Errorf("it is the same file as %s", same))
		}
	}
	if o.path != "" {
		err = checkPlace(o.path, info)
	}
	return o, o.fail(err)
}

// stat finds out what the name stands for; nil for a file that does not exist yet.
func (o *Output) stat() (fs.FileInfo, error) {
	if o.Name == "-" {
		if _, err := os.Stdout.Write(nil); err != nil {
			return nil, closedOutput(err)
		}
		return os.Stdout.Stat()
	}
	info, err := os.Stat(o.Name)
	switch {
	case err == nil && info.IsDir():
		return nil, syscall.EISDIR
	case err == nil && info.Mode().IsRegular():
		o.path = o.Name
		return info, nil
	case err == nil:
		return info, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	if _, err := os.Lstat(o.Name); err == nil {
		return nil, errors.New("it is a link to a file that does not exist")
	}
	if os.IsPathSeparator(o.Name[len(o.Name)-1]) {
		return nil, errors.New("it names a directory")
	}
	o.path = o.Name
	return nil, nil
}

// sameFile is the name of the regular file that info, which may be nil, is of, if name, or standard input, stands for
// it, through links of any kind, or for a directory that it is below. Else it is empty.
func sameFile(info fs.FileInfo, name string) (same string) {
	if info == nil || !info.Mode().IsRegular() || name == "" {
		return ""
	}
	stat := func() (fs.FileInfo, error) { return os.Stat(name) }
	if name == "-" {
		stat = os.Stdin.Stat
	}
	other, err := stat()
	switch {
	case err != nil:
		return ""
	case os.SameFile(info, other):
		return name
	case !other.IsDir():
		return ""
	}
	walk(name, func(path, _ string, below fs.FileInfo, err error) error { // who reads it tells of errors
		if err == nil && os.SameFile(info, below) {
			same = path
			return fs.SkipAll
		}
		return nil
	})
	return same
}

// checkPlace returns an error where a file cannot be made or, if there is one, replaced.
// info is nil if there is none. A file that cannot be written is not replaced either,
// although directories would allow it.
func checkPlace(path string, info fs.FileInfo) error {
	if info != nil {
		if info.Mode().Perm()&0o222 == 0 {
			return errors.New("it is write-protected")
		}
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		if err := errors.Join(f.Close(), checkReplaceable(path)); err != nil {
			return err
		}
	}
	f, err := atomicfile.Create(path, newFile)
	if err != nil {
		return err
	}
	f.Discard()
	return nil
}

// newFile are the permissions of a new file, less the umask.
const newFile = 0o666

// IsFile reports whether the result is a file with a name, next to which others may be
// written.
func (o *Output) IsFile() bool { return o.path != "" }

// fail names the result in an error.
func (o *Output) fail(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("cannot write %s: %w", o.Name, WithoutPath(err))
}

// Write calls f with the destination. A file is complete and on disk afterwards,
// but has its name only after Commit.
func (o *Output) Write(ctx context.Context, f func(io.Writer) error) (err error) {
	defer hooks.Begin("write")()
	if !o.IsFile() {
		return o.writeDirect(ctx, f)
	}
	if o.file, err = atomicfile.Create(o.path, newFile); err != nil {
		return o.fail(err)
	}
	if err = writeBehind(ContextWriter{ctx, &PieceWriter{File: o.file}}, f); err == nil {
		synced := hooks.Begin("sync")
		err = o.file.Sync()
		synced()
	}
	if err != nil {
		o.Discard()
	}
	return o.fail(err)
}

// writeBehind calls f with a writer to w that may write while f goes on.
func writeBehind(w io.Writer, f func(io.Writer) error) (err error) {
	behind := &parallel.Behind{To: w}
	defer func() { err = cmp.Or(err, behind.Wait()) }() // also where f panics
	return f(behind)
}

// WriteAll calls Write of several results at the same time, each with its part of f. Errors: the first one, after which
// the others end.
func WriteAll(ctx context.Context, outputs []*Output, f func(k int, w io.Writer) error) error {
	all, each := errgroup.WithContext(ctx)
	for k, o := range outputs {
		all.Go(func() error { return o.Write(each, func(w io.Writer) error { return f(k, w) }) })
	}
	return all.Wait()
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
	safe, flush := terminalSafe(w)
	err := writeBehind(pipeWriter{ctx, safe}, f)
	if err == nil {
		err = flush()
	}
	if o.Name != "-" && ctx.Err() == nil {
		err = errors.Join(err, w.Close())
	}
	return o.fail(err)
}

// Adopt gives a complete file of the same file system the name of the result, as Write and Commit would.
func (o *Output) Adopt(name string) error { return o.fail(atomicfile.Adopt(name, o.path)) }

// Discard removes what Write left, unless Commit has named it.
func (o *Output) Discard() {
	if o.file != nil {
		o.file.Discard()
	}
}

// Commit gives written files their names, all of them or none.
func Commit(outputs ...*Output) error {
	var files []*atomicfile.File
	var names []string
	for _, o := range outputs {
		if o.file != nil {
			files, names = append(files, o.file), append(names, o.Name)
		}
	}
	if err := atomicfile.CommitAll(files...); err != nil {
		return fmt.Errorf("cannot write %s: %w", strings.Join(names, " and "), err)
	}
	return nil
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
	return makeDirectory(name, 0o777)
}

// MakeOwnDirectory is MakeDirectory for what only the user may write, whatever the umask.
func MakeOwnDirectory(name string) error { return makeDirectory(name, 0o755) }

func makeDirectory(name string, perm fs.FileMode) error {
	if err := os.MkdirAll(name, perm); err != nil {
		return fmt.Errorf("cannot write to %s: %w", name, WithoutPath(err))
	}
	return nil
}
