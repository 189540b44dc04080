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

// leastPiece is worth a processor.
const leastPiece = 1 << 17

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
		for there := end.Load(); int64(lo+n) < there && !end.CompareAndSwap(there, int64(lo+n)); {
			there = end.Load()
		}
		return err
	})
	n := end.Load()
	p.at += n
	if n > 0 {
		return int(n), nil // an error comes again
	}
	return 0, err
}
