package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/entries"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// arrayFile is a kind of file: its name, and what an entry is that is too large for it.
type arrayFile struct{ what, large string }

var (
	suffixArrayFile = arrayFile{"suffix array", "not a position of the text"}
	lcpFile         = arrayFile{"LCP array", "longer than any text"}
)

// tooLarge is the error of an entry that needs more than 32 bits.
func (k arrayFile) tooLarge(slot int, v uint64) error {
	return &suffixcl.MismatchError{What: k.what, At: slot, Why: fmt.Sprintf("holds %d, which is %s", v, k.large)}
}

// arrayNames are the files of arrays. Those that there are not have no names.
type arrayNames struct{ sa, lcp, bwt string }

// wrongArray names the file of an array, and that of the text, in an error that says what is wrong with the array.
func (j *job) wrongArray(err error, files arrayNames) error {
	var m *suffixcl.MismatchError
	if !errors.As(err, &m) {
		return err
	}
	name := files.bwt
	switch m.What {
	case suffixArrayFile.what:
		name = files.sa
	case lcpFile.what:
		name = files.lcp
	}
	if name == "-" {
		name = cli.StandardInput
	}
	if m.At < 0 {
		return cli.Mismatch("%s: the %s of %s %s", name, m.What, j.report.File, m.Why)
	}
	return cli.Mismatch("%s: not the %s of %s: slot %d %s", name, m.What, j.report.File, m.At, m.Why)
}

// array reads an array for a text of n bytes.
func (j *job) array(ctx context.Context, kind arrayFile, name string, n int) (array []uint32, err error) {
	err = timed(&j.report.Seconds.Read, func() error {
		array, err = readArray(ctx, kind, name, j.report.Width, n, j.progress.Of("read"))
		return err
	})
	return array, err
}

// readArray reads n entries of width bytes. A file of another size, or an entry
// that needs more than 32 bits, is a verification failure.
func readArray(ctx context.Context, kind arrayFile, name string, width, n int,
	progress func(done, total int64)) ([]uint32, error) {
	in, err := cli.OpenRaw(ctx, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	want := int64(n) * int64(width)
	wrong := func(size int64) error {
		return cli.Mismatch("%s: not the %s of the text: it has %s, and %s of width %d are %d",
			in.Name, kind.what, bytesize.Count(size, "byte"), bytesize.Count(n, "entry"), width, want)
	}
	if in.Size >= 0 && in.Size != want {
		return nil, wrong(in.Size)
	}
	array := make([]uint32, n)
	chunk := make([]byte, cli.ReadChunk/width*width+8) // entries are loaded with 8 bytes, and cut
	mask := uint64(math.MaxUint64) >> (64 - 8*width)
	for done := 0; ; {
		got, err := in.Read(ctx, chunk[:len(chunk)-8])
		if err != nil && err != io.EOF {
			return nil, in.Explain(err)
		}
		some := array[done:min(n, done+got/width)]
		tooLarge := parallel.Try(len(some), leastUnpacked, func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				v := binary.LittleEndian.Uint64(chunk[i*width:]) & mask
				if v > math.MaxUint32 {
					return kind.tooLarge(done+i, v)
				}
				some[i] = uint32(v)
			}
			return nil
		})
		if tooLarge != nil {
			return nil, tooLarge
		}
		done += len(some)
		progress(min(in.Offset(), want), want)
		if err == io.EOF {
			if in.Offset() != want {
				return nil, wrong(in.Offset())
			}
			return array, nil
		}
	}
}

// leastUnpacked are the entries that are worth a processor.
const leastUnpacked = 1 << 15

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
	return writeEntries(newEntryWriter(w, width), sa, progress)
}

// entryWriter writes entries of width bytes.
type entryWriter struct {
	io.Writer
	width  int
	buffer []byte
}

// entriesAtOnce is how many entries are written between looks at the context.
const entriesAtOnce = 2 * writeChunk

func newEntryWriter(w io.Writer, width int) *entryWriter {
	return &entryWriter{Writer: w, width: width}
}

func writeEntries[T uint32 | uint64](w *entryWriter, array []T, progress func(done, total int64)) error {
	for done := 0; done < len(array); {
		part := array[done:min(len(array), done+entriesAtOnce)]
		if bytes := len(part) * w.width; len(w.buffer) < bytes {
			w.buffer = make([]byte, bytes)
		}
		entries.Encode(w.buffer, w.width, part)
		if _, err := w.Write(w.buffer[:len(part)*w.width]); err != nil {
			return err
		}
		done += len(part)
		progress(int64(done), int64(len(array)))
	}
	return nil
}
