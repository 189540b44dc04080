package sink

import (
	"io"

	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/entries"
)

// WriteBytes writes data in chunks.
func WriteBytes(w io.Writer, data []byte, progress func(done, total int64)) error {
	for done := 0; done < len(data); {
		n, err := w.Write(data[done:min(len(data), done+cli.WriteChunk)])
		if err != nil {
			return err
		}
		done += n
		progress(int64(done), int64(len(data)))
	}
	return nil
}

// WriteArray writes the entries of an array as little-endian integers of
// width bytes.
func WriteArray(w io.Writer, sa []uint32, width int, progress func(done, total int64)) error {
	return writeEntries(newEntryWriter(w, width), sa, progress)
}

// entryWriter writes entries of width bytes.
type entryWriter struct {
	io.Writer
	width  int
	buffer []byte
}

// entriesAtOnce is how many entries are written between looks at the context.
const entriesAtOnce = 2 * cli.WriteChunk

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
