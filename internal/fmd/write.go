package fmd

import (
	"encoding/binary"
	"io"
)

// Writer writes a file whose blocks come in parts. Memory: 56 bytes a frame, of which there is one for 8 to 16 blocks
// as a rule.
type Writer struct {
	Written int64 // bytes

	w      io.Writer
	head   []byte // until it is written
	frames *framer
	at     uint64 // words
}

// NewWriter begins a file of so many of each letter, and of words: see Words.
func NewWriter(w io.Writer, letters [Letters]uint64, words uint64) *Writer {
	rows := uint64(0)
	for _, n := range letters {
		rows += n
	}
	f := &Writer{w: w, frames: newFramer(rows, words)}
	f.head = append(make([]byte, 0, headerBytes), magic[:]...)
	for _, n := range append([]uint64{8 * words, f.frames.most}, letters[:]...) {
		f.head = binary.LittleEndian.AppendUint64(f.head, n)
	}
	return f
}

// FileBytes is how many bytes a file has, of so many rows and words.
func FileBytes(rows, words uint64) int64 {
	return int64(headerBytes + 8*words + 8*counts*newFramer(rows, words).most)
}

// densest is how many rows of runs of length 1 a block has, or fewer: then most bytes are taken.
const densest = 90

// MostBytes is how many bytes a file of so many rows has at most, whatever its runs are.
func MostBytes(rows uint64) int64 { return FileBytes(rows, (rows/densest+2)*blockWords) }

func (f *Writer) put(b []byte) error {
	n, err := f.w.Write(b)
	f.Written += int64(n)
	return err
}

// Blocks writes the next blocks, all of them whole but the last one of the file, which has counts alone. Errors: those
// of the writer.
func (f *Writer) Blocks(words []uint64) error {
	if f.head != nil {
		if err := f.put(f.head); err != nil {
			return err
		}
		f.head = nil
	}
	f.frames.addAll(f.at, words)
	f.at += uint64(len(words))
	return putWords(f.put, words)
}

// Frames ends the file. Errors: those of the writer.
func (f *Writer) Frames() error { return putWords(f.put, f.frames.all()) }
