package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"golang.org/x/term"
)

// output is where a result goes: standard output, a device or pipe that exists,
// or a file. A file is written under a temporary name in its directory, and gets
// its name when it is complete and on disk.
type output struct {
	name string // as given
	path string // the file, links resolved; empty unless it is one
	mode fs.FileMode
	kept bool   // a file was there before
	temp string // name of the complete temporary file
}

// newOutput checks that a result can be written to name, before anything is
// computed.
func newOutput(name string) (*output, error) {
	o := &output{name: name}
	switch name {
	case "":
		return nil, usage("the name of the result file is empty")
	case "-":
		if term.IsTerminal(int(os.Stdout.Fd())) {
			return nil, usage("a terminal cannot take binary data: redirect standard output, or use -o FILE")
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

// newTextOutput is newOutput of a result that a terminal may show.
func newTextOutput(name string) (*output, error) {
	if name == "-" {
		return &output{name: name}, nil
	}
	return newOutput(name)
}

// file reports whether the result is a file with a name, which others may stand
// beside.
func (o *output) file() bool { return o.path != "" }

// fail names the result in an error.
func (o *output) fail(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("cannot write %s: %w", o.name, pathless(err))
}

// create makes the temporary file, with the permissions of any new file.
func (o *output) create() (*os.File, error) {
	for {
		name := filepath.Join(filepath.Dir(o.path), fmt.Sprintf(".suffixcl-%016x.tmp", rand.Uint64()))
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		return f, o.fail(err)
	}
}

// write calls f with the destination. A file is complete and on disk afterwards,
// but has its name only after commit.
func (o *output) write(ctx context.Context, f func(io.Writer) error) error {
	if !o.file() {
		return o.writeDirect(ctx, f)
	}
	temp, err := o.create()
	if err != nil {
		return err
	}
	o.temp = temp.Name()
	err = f(contextWriter{ctx, temp})
	if err == nil && o.kept {
		err = temp.Chmod(o.mode)
	}
	if err == nil {
		err = temp.Sync()
	}
	err = errors.Join(err, temp.Close())
	if err != nil {
		o.discard()
	}
	return o.fail(err)
}

func (o *output) writeDirect(ctx context.Context, f func(io.Writer) error) error {
	w := os.Stdout
	if o.name != "-" {
		// Opening a pipe waits for its reader.
		err := interruptible(ctx, func() (err error) {
			w, err = os.OpenFile(o.name, os.O_WRONLY, 0)
			return err
		})
		if err != nil {
			return o.fail(err)
		}
	}
	err := f(pipeWriter{ctx, w})
	if o.name != "-" && ctx.Err() == nil {
		err = errors.Join(err, w.Close())
	}
	return o.fail(err)
}

// discard removes what write left, unless commit has named it.
func (o *output) discard() {
	if o.temp != "" {
		os.Remove(o.temp)
		o.temp = ""
	}
}

// commit gives written files their names, all of them or, as far as that can be,
// none.
func commit(outputs ...*output) error {
	for i, o := range outputs {
		if o.temp == "" {
			continue
		}
		if err := os.Rename(o.temp, o.path); err != nil {
			for _, done := range outputs[:i] {
				if done.file() {
					os.Remove(done.path)
				}
			}
			for _, rest := range outputs[i:] {
				rest.discard()
			}
			return o.fail(err)
		}
		o.temp = ""
	}
	return nil
}

// contextWriter fails when the context has ended.
type contextWriter struct {
	ctx context.Context
	w   io.Writer
}

func (w contextWriter) Write(p []byte) (int, error) {
	if w.ctx.Err() != nil {
		return 0, context.Cause(w.ctx)
	}
	return w.w.Write(p)
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
	err = interruptible(w.ctx, func() error {
		n, err := w.w.Write(p)
		result <- n
		return err
	})
	if w.ctx.Err() != nil {
		return 0, context.Cause(w.ctx)
	}
	return <-result, err
}

// writeChunk is the number of bytes between looks at the context.
const writeChunk = 1 << 20

// writeBytes writes data in chunks.
func writeBytes(w io.Writer, data []byte, progress func(done, total int64)) error {
	for done := 0; done < len(data); {
		n, err := w.Write(data[done:min(len(data), done+writeChunk)])
		if err != nil {
			return err
		}
		done += n
		progress(int64(done), int64(len(data)))
	}
	return nil
}

// writeArray writes the entries of an array as little-endian integers of
// width bytes.
func writeArray(w io.Writer, sa []uint32, width int, progress func(done, total int64)) error {
	const entries = writeChunk / 8
	buffer := make([]byte, entries*width+8) // each store is 8 bytes, the next overwrites what is too much
	for done := 0; done < len(sa); {
		part := sa[done:min(len(sa), done+entries)]
		for i, v := range part {
			binary.LittleEndian.PutUint64(buffer[i*width:], uint64(v))
		}
		if _, err := w.Write(buffer[:len(part)*width]); err != nil {
			return err
		}
		done += len(part)
		progress(int64(done), int64(len(sa)))
	}
	return nil
}
