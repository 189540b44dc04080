package indexfiles

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/atomicfile"
	"github.com/suffixcl/suffixcl/seqio"
)

// Sequences are the options for a reference: FASTA, with headers as they are.
func Sequences(name string) seqio.Options {
	return seqio.Options{Name: name, Format: seqio.FASTA, Headers: true}
}

// Sequence is a sequence of a reference.
type Sequence struct {
	Name    string
	Comment string // after the name and one blank; empty if there is none
	Offset  int    // of its first base in the reference
	Length  int    // bases
}

// Header divides a header of FASTA as bwa does: the name, one blank, and a comment.
func Header(line string) (name, comment string) {
	if i := strings.IndexAny(line, " \t\v\f"); i >= 0 {
		return line[:i], line[i+1:]
	}
	return line, ""
}

// Options of Create. The zero value replaces nothing.
type Options struct {
	Force bool // replace files that are there
	// Progress is told the bytes written of a file, by one goroutine at a time; may be nil. A total of -1 is not known.
	Progress func(file string, done, total int64)
}

// existsError is a fs.ErrExist: a file of an index is there, and may not be replaced.
type existsError struct{ name string }

func (e *existsError) Error() string { return e.name + " exists" }

func (e *existsError) Is(target error) bool { return target == fs.ErrExist }

// Error is a suffixcl.ErrFormat: it says what is wrong with a file of an index.
type Error struct {
	File   string
	Offset int64 // in bytes; -1 for the whole file
	Why    string
}

func (e *Error) Error() string {
	if e.Offset < 0 {
		return e.File + ": " + e.Why
	}
	return fmt.Sprintf("%s: byte %d: %s", e.File, e.Offset, e.Why)
}

// Is reports whether target is suffixcl.ErrFormat.
func (e *Error) Is(target error) bool { return target == suffixcl.ErrFormat }

// Set is the files of an index. They get their names together, or none of them does. Several goroutines may call
// Write.
type Set struct {
	prefix  string
	options Options
	mutex   sync.Mutex
	files   []*atomicfile.File
}

// Create begins an index, whose files are called prefix and a suffix each. Nothing is written yet. Errors: an
// fs.ErrExist if a file is there and is not to be replaced; the reason why no file can be written next to prefix.
func Create(prefix string, suffixes []string, o Options) (*Set, error) {
	for i, suffix := range suffixes {
		name := prefix + suffix
		info, err := os.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case info.IsDir():
			return nil, fmt.Errorf("%s: is a directory", name)
		case !o.Force:
			return nil, &existsError{name}
		}
		if i == 0 {
			file, err := atomicfile.Create(name, 0o666)
			if err != nil {
				return nil, err
			}
			file.Discard()
		}
	}
	return &Set{prefix: prefix, options: o}, nil
}

// Prefix is the prefix of the names.
func (f *Set) Prefix() string { return f.prefix }

// Write writes the file of a suffix. Errors: those of write, of the file system, and the end of the context.
func (f *Set) Write(ctx context.Context, suffix string, size int64, write func(w io.Writer) error) error {
	name := f.prefix + suffix
	file, err := atomicfile.Create(name, 0o666)
	if err != nil {
		return err
	}
	f.mutex.Lock()
	f.files = append(f.files, file)
	f.mutex.Unlock()
	w := &counted{ctx: ctx, w: file, tell: func(int64) {}}
	if f.options.Progress != nil {
		w.tell = func(done int64) {
			f.mutex.Lock()
			defer f.mutex.Unlock()
			f.options.Progress(name, done, size)
		}
	}
	buffered := bufio.NewWriterSize(w, 1<<18)
	if err := write(buffered); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	if size >= 0 && w.done != size {
		return &Error{name, w.done, fmt.Sprintf("has %d bytes, planned were %d", w.done, size)}
	}
	file.Ended() // there may be others to make
	return nil
}

// counted is a writer that ends with a context.
type counted struct {
	ctx  context.Context
	w    io.Writer
	done int64
	tell func(done int64)
}

// writtenAtOnce is the number of bytes that are written between looks at the context.
const writtenAtOnce = 16 << 20

func (c *counted) Write(p []byte) (written int, err error) {
	for more := true; more && err == nil; more = written < len(p) {
		if c.ctx.Err() != nil {
			return written, context.Cause(c.ctx)
		}
		var n int
		n, err = c.w.Write(p[written:min(len(p), written+writtenAtOnce)])
		written += n
		c.done += int64(n)
		c.tell(c.done)
	}
	return written, err
}

// Together calls functions that write files, at the same time: the system copies what is written to a file on one
// processor. The first failure ends the context of the others, and is returned.
func Together(ctx context.Context, write ...func(ctx context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	for _, one := range write {
		wg.Go(func() {
			if err := one(ctx); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// Commit gives all files their names.
func (f *Set) Commit() error {
	files := f.files
	f.files = nil
	if len(files) == 0 {
		return nil
	}
	return atomicfile.CommitAll(files...)
}

// Discard removes the files, unless they are committed. It is for defer.
func (f *Set) Discard() {
	for _, file := range f.files {
		file.Discard()
	}
	f.files = nil
}
