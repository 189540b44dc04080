package indexfiles

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/regular"
)

// Source reads a file of an index from the front. The first failure sticks: later reads give zeros, and Close returns
// it.
type Source struct {
	name     string
	file     *os.File
	r        *bufio.Reader
	size, at int64
	err      error
}

// OpenSource opens a file. Errors: those of the file system. Close must be called.
func OpenSource(name string) (*Source, error) {
	file, err := regular.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, err
	}
	return &Source{name: name, file: file, r: bufio.NewReaderSize(file, 1<<18), size: info.Size()}, nil
}

// Fail says what is wrong at the place that is read next.
func (s *Source) Fail(format string, args ...any) {
	if s.err == nil {
		s.err = &Error{s.name, s.at, fmt.Sprintf(format, args...)}
	}
}

// Err is the first failure.
func (s *Source) Err() error { return s.err }

// Rest is the number of bytes to come.
func (s *Source) Rest() int64 { return s.size - s.at }

// Holds says whether so many bytes are to come; it is a failure if not. It is asked before memory is taken for them.
func (s *Source) Holds(bytes int64) bool {
	if s.err == nil && (bytes < 0 || bytes > s.Rest()) {
		s.Fail("ends too early: %d of %s are left", s.Rest(), bytesize.Count(bytes, "byte"))
	}
	return s.err == nil
}

// Bytes reads n bytes; nil if there are less.
func (s *Source) Bytes(n int) []byte {
	if !s.Holds(int64(n)) {
		return nil
	}
	b := make([]byte, n)
	s.read(b)
	return b
}

func (s *Source) read(b []byte) {
	n, err := io.ReadFull(s.r, b)
	s.at += int64(n)
	if err != nil && s.err == nil {
		s.err = err
	}
}

// Uint32 reads a number.
func (s *Source) Uint32() uint32 {
	var b [4]byte
	if s.Holds(4) {
		s.read(b[:])
	}
	return binary.LittleEndian.Uint32(b[:])
}

// Uint64 reads a number.
func (s *Source) Uint64() uint64 {
	var b [8]byte
	if s.Holds(8) {
		s.read(b[:])
	}
	return binary.LittleEndian.Uint64(b[:])
}

// Count reads a number of 64 bits that is a length of at most so much.
func (s *Source) Count(most int) int {
	n := s.Uint64()
	if n > uint64(most) {
		s.at -= 8
		s.Fail("has a length that is not possible: %d, at most %d", n, most)
		return 0
	}
	return int(n)
}

// Line reads a line without its end.
func (s *Source) Line() string {
	if !s.Holds(1) {
		return ""
	}
	line, err := s.r.ReadString('\n')
	s.at += int64(len(line))
	if err != nil {
		s.Fail("ends in a line")
		return ""
	}
	return line[:len(line)-1]
}

// atOnce is the number of bytes that a processor takes at a time.
const atOnce = 1 << 20

// Rows reads n rows of so many bytes each, which use gets in parts, on several processors. Memory: 1 MiB for each of
// them.
func (s *Source) Rows(n, bytes int, use func(b []byte, lo, hi int)) {
	if !s.Holds(int64(n) * int64(bytes)) {
		return
	}
	each := max(atOnce/bytes, 1)
	errs := make([]error, (n+each-1)/each)
	var failed atomic.Bool
	memory := sync.Pool{New: func() any { return new([]byte) }}
	parallel.Each(runtime.GOMAXPROCS(0), len(errs), func(i int) {
		if failed.Load() {
			return
		}
		lo, hi := i*each, min((i+1)*each, n)
		b := memory.Get().(*[]byte)
		defer memory.Put(b)
		*b = slices.Grow((*b)[:0], (hi-lo)*bytes)[:(hi-lo)*bytes]
		if _, err := s.file.ReadAt(*b, s.at+int64(lo)*int64(bytes)); err != nil {
			failed.Store(true)
			errs[i] = fileError(err)
			return
		}
		use(*b, lo, hi)
	})
	s.at += int64(n) * int64(bytes)
	_, err := s.file.Seek(s.at, io.SeekStart)
	s.r.Reset(s.file)
	if s.err == nil {
		s.err = cmp.Or(cmp.Or(errs...), err)
	}
}

// fileError is an error of a file that ends before its size.
func fileError(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Close closes the file. Error: the first failure, or that there is more in the file than was read.
func (s *Source) Close() error {
	s.file.Close()
	if s.err == nil && s.Rest() > 0 {
		s.Fail("has %s more than an index of this reference", bytesize.Count(s.Rest(), "byte"))
	}
	return s.err
}
