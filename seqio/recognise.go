package seqio

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// byteOrderMark is that of UTF-8. Some editors write it first; no record begins with it.
const byteOrderMark = "\xef\xbb\xbf"

// lookahead is how much of an input Recognise reads.
const lookahead = 1 << 16

// FormatError is an input that begins like a format, and is not of it: nobody can tell what is meant.
type FormatError struct {
	File   string
	Format Format // FASTA or FASTQ
	Err    error  // what is wrong, and where
}

func (e *FormatError) Error() string {
	if e.File == "" {
		return fmt.Sprintf("the input begins like %s, but is not valid: %v", e.Format.label(), e.Err)
	}
	return fmt.Sprintf("%s begins like %s, but is not valid: %v", e.File, e.Format.label(), e.Err)
}

func (e *FormatError) Unwrap() error { return e.Err }

// Recognise tells the format of an input by what comes first, but for blank lines, lines of comments (";"), and
// a byte order mark: ">" is FASTA, "@" FASTQ, anything else plain text. FASTA and FASTQ must have a valid record
// with a sequence; as much of it is looked at as is in the buffer of r, at most 64 KiB. Nothing is taken from r.
//
// Errors: *FormatError for what begins like FASTA or FASTQ and is not; those of the input.
func Recognise(r *bufio.Reader) (Format, error) {
	head, err := r.Peek(min(lookahead, r.Size()))
	if err != nil && err != io.EOF {
		return Plain, err
	}
	format := firstMark(bytes.TrimPrefix(head, []byte(byteOrderMark)))
	if format == Plain {
		return Plain, nil
	}
	rest := io.Reader(bytes.NewReader(head))
	if err == nil { // there may be more
		rest = io.MultiReader(rest, endOfView{})
	}
	if err := checkRecord(rest, format); err != nil {
		return Plain, &FormatError{Format: format, Err: err}
	}
	return format, nil
}

// firstMark is the format of the first line that is no blank or comment.
func firstMark(head []byte) Format {
	for comment := false; ; {
		head = bytes.TrimLeft(head, " \t\r\n")
		switch {
		case len(head) == 0:
			return Plain
		case head[0] == '>':
			return FASTA
		case head[0] == '@' && !comment:
			return FASTQ
		case head[0] != ';':
			return Plain
		}
		comment = true // FASTA only
		_, head, _ = bytes.Cut(head, []byte("\n"))
	}
}

var errEndOfView = errors.New("there is more")

// endOfView ends what is looked at of an input.
type endOfView struct{}

func (endOfView) Read([]byte) (int, error) { return 0, errEndOfView }

// checkRecord reads records until one has a sequence.
func checkRecord(r io.Reader, format Format) error {
	d, err := newReader(bufio.NewReader(r), Options{Format: format})
	if err != nil {
		return err
	}
	var b Batch
	err = d.Next(&b, 1)
	switch {
	case errors.Is(err, errEndOfView):
		return nil
	case err == nil && len(b.Text) == 0 || err == io.EOF:
		return errors.New("no record has a sequence")
	}
	return err
}
