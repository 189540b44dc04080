package tokenindex

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"

	"github.com/suffixcl/suffixcl/internal/parallel"
)

// Format of an index.
type Format int

// The formats.
const (
	InfiniGram Format = iota
	Tokengrams
)

// String is infini-gram or tokengrams.
func (f Format) String() string { return [...]string{"infini-gram", "tokengrams"}[f] }

// separators tells whether a token of all ones is before each document.
func (f Format) separators() bool { return f == InfiniGram }

// order of the bytes in which tokens compare as numbers.
func (f Format) order() binary.ByteOrder {
	if f == InfiniGram {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// scale is the unit of an entry of a table, in bytes of tokens.
func (f Format) scale(width int) int {
	if f == InfiniGram {
		return width
	}
	return 1
}

// EntryBytes is the size of an entry of the table of so many bytes of tokens.
func (f Format) EntryBytes(size int64) int {
	if f == Tokengrams {
		return 8
	}
	return max((bits.Len64(uint64(max(size-1, 0)))+7)/8, 1)
}

// CheckWidth returns an error unless the format has tokens of so many bytes.
func (f Format) CheckWidth(width int) error {
	if width == 2 || width == 4 || width == 1 && f == InfiniGram {
		return nil
	}
	return fmt.Errorf("%v has no tokens of %d bytes", f, width)
}

// Error says where a file is wrong.
type Error struct {
	File   string
	Offset int64 // in bytes; -1: the file as a whole
	Why    string
}

func (e *Error) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Why)
	}
	return fmt.Sprintf("%s: at byte %d: %s", e.File, e.Offset, e.Why)
}

// TableWriter writes a table.
type TableWriter struct {
	w            io.Writer
	entry, scale int
	buffer       []byte
}

// NewTableWriter begins the table of `size` bytes of tokens of so many bytes.
func NewTableWriter(w io.Writer, f Format, size int64, width int) *TableWriter {
	return &TableWriter{w: w, entry: f.EntryBytes(size), scale: f.scale(width)}
}

// Write appends the entries of suffixes, which begin at these tokens. It takes 8 bytes for each of the longest list so
// far. Errors: those of the writer.
func (t *TableWriter) Write(positions []uint32) error {
	const chunk = 1 << 14
	size := len(positions) * t.entry
	if cap(t.buffer) < size {
		t.buffer = make([]byte, size)
	}
	parallel.Do((len(positions)+chunk-1)/chunk, 4, func(lo, hi int) {
		at, end := lo*chunk, min(hi*chunk, len(positions))
		var word [8]byte
		for i, p := range positions[at:end] {
			binary.LittleEndian.PutUint64(word[:], uint64(p)*uint64(t.scale))
			copy(t.buffer[(at+i)*t.entry:size], word[:t.entry])
		}
	})
	_, err := t.w.Write(t.buffer[:size])
	return err
}
