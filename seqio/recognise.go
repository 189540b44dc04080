package seqio

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/suffixcl/suffixcl/internal/jsonline"
)

// lookahead is how much of an input Recognise reads.
const lookahead = 1 << 16

// Recognise tells the format of an input by its first byte: ">" is FASTA, "@" FASTQ, anything else plain text. A byte
// order mark, blank lines and lines of comments (";") before it do not count. FASTA and FASTQ must have a valid record
// with a sequence, or be records without one that have names, as reads that were trimmed to nothing. Of that record it
// reads as much as the buffer of r holds, at most 64 KiB. Nothing is taken from r.
//
// Errors: an *Error with Recognised for an input that begins like FASTA or FASTQ and is neither; those of the input.
func Recognise(r *bufio.Reader) (Format, error) {
	head, err := r.Peek(min(lookahead, r.Size()))
	if err != nil && err != io.EOF {
		return Plain, err
	}
	format := firstMark(bytes.TrimPrefix(head, []byte(jsonline.ByteOrderMark)))
	if format == Plain {
		return Plain, nil
	}
	rest := io.Reader(bytes.NewReader(head))
	if err == nil { // there may be more
		rest = io.MultiReader(rest, endOfView{})
	}
	if err := checkRecord(rest, format); err != nil {
		err.Recognised = format
		return Plain, err
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

// checkRecord reads records until one has a sequence, or returns why there is none. Lines that a mail quotes begin as
// records of FASTA do, without names.
func checkRecord(r io.Reader, format Format) *Error {
	var b Batch
	d, err := newReader(bufio.NewReader(r), Options{Format: format})
	if err == nil {
		err = d.Next(&b, 1)
	}
	var wrong *Error
	switch {
	case errors.As(err, &wrong):
		return wrong
	case err == nil && len(b.Text) == 0 && slices.ContainsFunc(b.Records, func(r Record) bool { return r.Name == "" }):
		return &Error{Why: "no record has a sequence"}
	}
	return nil // or the end of what is looked at
}
