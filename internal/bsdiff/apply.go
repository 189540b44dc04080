package bsdiff

import (
	"bufio"
	"compress/bzip2"
	"context"
	"errors"
	"fmt"
	"io"
)

// Error says what is wrong with a patch.
type Error struct {
	Offset int64 // of the new file at which it was noticed, or -1
	Why    string
}

func (e *Error) Error() string {
	if e.Offset < 0 {
		return "the patch " + e.Why
	}
	return fmt.Sprintf("the patch %s, at byte %d of the new file", e.Why, e.Offset)
}

// Sizes of a patch.
type Sizes struct {
	Lengths, Differences int64 // of the first two streams, compressed
	New                  int64 // of the file that it makes
}

// ReadSizes reads the header of a patch of so many bytes. Errors: an *Error for a file that is no patch; those of
// reading.
func ReadSizes(patch io.ReaderAt, size int64) (s Sizes, err error) {
	b := make([]byte, headerBytes)
	if size < headerBytes {
		return s, &Error{-1, "is too short for one"}
	}
	if _, err := patch.ReadAt(b, 0); err != nil {
		return s, err
	}
	if string(b[:8]) != magic {
		return s, &Error{-1, "does not begin with " + magic}
	}
	s = Sizes{number(b[8:]), number(b[16:]), number(b[24:])}
	if s.Lengths < 0 || s.Differences < 0 || s.New < 0 || s.Lengths > size-headerBytes ||
		s.Differences > size-headerBytes-s.Lengths {
		return s, &Error{-1, fmt.Sprintf("has sizes that are not possible: %d, %d, %d", s.Lengths, s.Differences, s.New)}
	}
	return s, nil
}

// Apply writes the new file, given the old one and a patch with their sizes in bytes. Its memory is bounded. Errors: an
// *Error for a damaged patch, or one of another file as far as that can be told; those of reading and writing.
func Apply(ctx context.Context, old io.ReaderAt, oldSize int64, patch io.ReaderAt, size int64, to io.Writer) error {
	s, err := ReadSizes(patch, size)
	if err != nil {
		return err
	}
	a := applying{ctx: ctx, old: old, oldSize: oldSize, to: to, size: s.New}
	open := func(from, length int64) io.Reader {
		return bzip2.NewReader(bufio.NewReaderSize(io.NewSectionReader(patch, from, length), 1<<16))
	}
	a.differences = open(headerBytes+s.Lengths, s.Differences)
	a.fresh = open(headerBytes+s.Lengths+s.Differences, size-headerBytes-s.Lengths-s.Differences)
	lengths := open(headerBytes, s.Lengths)
	triple := make([]byte, 24)
	for a.done < s.New {
		if _, err := io.ReadFull(lengths, triple); err != nil {
			return a.damaged(err)
		}
		if err := a.segment(number(triple), number(triple[8:]), number(triple[16:])); err != nil {
			return err
		}
	}
	for _, stream := range []io.Reader{lengths, a.differences, a.fresh} { // their checksums are at the end
		switch n, err := io.ReadFull(stream, triple[:1]); {
		case n > 0:
			return &Error{a.done, "has more in it than the new file takes"}
		case err != io.EOF:
			return a.damaged(err)
		}
	}
	return nil
}

type applying struct {
	ctx                context.Context
	old                io.ReaderAt
	oldSize            int64
	differences, fresh io.Reader
	to                 io.Writer
	place              int64 // in the old file
	done, size         int64 // of the new
}

// damaged says where a stream ends too early or is wrong.
func (a *applying) damaged(err error) error {
	var structural bzip2.StructuralError
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &structural) {
		return &Error{a.done, "is damaged: " + err.Error()}
	}
	return err
}

func (a *applying) segment(same, fresh, skip int64) error {
	if same < 0 || fresh < 0 || same > a.size-a.done || fresh > a.size-a.done-same {
		return &Error{a.done, fmt.Sprintf("has a segment that is not possible: %d and %d bytes", same, fresh)}
	}
	if a.place < 0 || a.place+same > a.oldSize {
		return &Error{a.done, "is of another old file: it takes bytes that this one does not have"}
	}
	var of, differences [1 << 16]byte
	for same > 0 {
		n := min(same, int64(len(of)))
		if _, err := io.ReadFull(a.differences, differences[:n]); err != nil {
			return a.damaged(err)
		}
		if _, err := a.old.ReadAt(of[:n], a.place); err != nil && err != io.EOF {
			return err
		}
		for i, c := range of[:n] {
			differences[i] += c
		}
		if err := a.write(differences[:n]); err != nil {
			return err
		}
		a.place += n
		same -= n
	}
	for fresh > 0 {
		n := min(fresh, int64(len(of)))
		if _, err := io.ReadFull(a.fresh, of[:n]); err != nil {
			return a.damaged(err)
		}
		if err := a.write(of[:n]); err != nil {
			return err
		}
		fresh -= n
	}
	if a.place += skip; a.place < -a.size || a.place > 1<<62 {
		return &Error{a.done, "has a segment that is not possible"}
	}
	return nil
}

func (a *applying) write(p []byte) error {
	if a.ctx.Err() != nil {
		return context.Cause(a.ctx)
	}
	n, err := a.to.Write(p)
	a.done += int64(n)
	return err
}
