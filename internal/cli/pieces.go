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
	n, err := p.write([][]byte{b})
	return int(n), err
}

// WriteParts writes one part after the other, without putting them together.
func (p *PieceWriter) WriteParts(parts [][]byte) error {
	_, err := p.write(parts)
	return err
}

func (p *PieceWriter) write(parts [][]byte) (int64, error) {
	size := 0
	for _, part := range parts {
		size += len(part)
	}
	var end atomic.Int64 // of what is written without a gap
	end.Store(int64(size))
	err := parallel.Try(size, leastWritten, func(lo, hi int) error {
		next := 0 // where the next part begins
		for _, part := range parts {
			begin := next
			next += len(part)
			from, to := max(lo-begin, 0), min(hi-begin, len(part))
			if from >= to {
				continue
			}
			n, err := p.File.WriteAt(part[from:to], p.At+int64(begin+from))
			if n < to-from {
				lower(&end, int64(begin+from+n))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	n := end.Load()
	p.At += n
	return n, err
}

// lower makes a number the least of it and another.
func lower(number *atomic.Int64, to int64) {
	for there := number.Load(); to < there && !number.CompareAndSwap(there, to); {
		there = number.Load()
	}
}
