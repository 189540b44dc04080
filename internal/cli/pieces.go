package cli

import (
	"io"
	"os"
	"sync/atomic"

	"github.com/suffixcl/suffixcl/internal/parallel"
)

// bytes are those of the file.
func (in *Input) bytes() io.Reader {
	if in.file == os.Stdin || in.Size < 0 {
		return in.file
	}
	return &pieces{file: in.file}
}

// leastPiece is worth a processor that reads, and leastWritten one that writes.
const (
	leastPiece   = 1 << 17
	leastWritten = 1 << 20
)

// pieces reads a file on several processors: one alone takes longer than the rest of reading.
type pieces struct {
	file io.ReaderAt
	at   int64
}

func (p *pieces) Read(b []byte) (int, error) {
	var end atomic.Int64 // of what is there without a gap
	end.Store(int64(len(b)))
	err := parallel.Try(len(b), leastPiece, func(lo, hi int) error {
		n, err := p.file.ReadAt(b[lo:hi], p.at+int64(lo))
		if n == hi-lo {
			return nil
		}
		lower(&end, int64(lo+n))
		return err
	})
	n := end.Load()
	p.at += n
	if n > 0 {
		return int(n), nil // an error comes again
	}
	return 0, err
}

// PieceWriter writes to a file from a place on, on several processors: where it is kept in memory first, one alone
// takes longer than the rest of writing.
type PieceWriter struct {
	File io.WriterAt
	At   int64 // of the next byte
}

func (p *PieceWriter) Write(b []byte) (int, error) {
	var end atomic.Int64 // of what is written without a gap
	end.Store(int64(len(b)))
	err := parallel.Try(len(b), leastWritten, func(lo, hi int) error {
		n, err := p.File.WriteAt(b[lo:hi], p.At+int64(lo))
		if n < hi-lo {
			lower(&end, int64(lo+n))
		}
		return err
	})
	n := end.Load()
	p.At += n
	return int(n), err
}

// lower makes a number the least of it and another.
func lower(number *atomic.Int64, to int64) {
	for there := number.Load(); to < there && !number.CompareAndSwap(there, to); {
		there = number.Load()
	}
}
