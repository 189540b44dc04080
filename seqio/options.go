package seqio

import (
	"cmp"
	"fmt"
	"strings"
)

// Format of an input.
type Format int

// The formats; the package documentation describes them.
const (
	Auto  Format = iota // one of the others, by how the input begins
	Plain               // one record of any bytes
	FASTA
	FASTQ
	Lines // each line is a record
)

var formatNames = [...]string{"auto", "plain", "fasta", "fastq", "lines"}

// String is auto, plain, fasta, fastq or lines.
func (f Format) String() string { return formatNames[f] }

// label is the name for people.
func (f Format) label() string {
	if f == FASTA || f == FASTQ {
		return strings.ToUpper(f.String())
	}
	return f.String()
}

// Options of a Reader. The zero value recognises the format and takes letters of any alphabet. Plain text and lines are
// taken as they are, whatever DNA and Upper say.
type Options struct {
	Name      string // of the file, for errors
	Format    Format
	DNA       bool   // sequences hold nucleotides only; U becomes T
	Upper     bool   // a to z become A to Z
	Separator []byte // follows each sequence in the text of a batch; nil: nothing
	Headers   bool   // Record.Name is the header line as it is, blanks included
}

// Error is input that is not of its format.
type Error struct {
	File   string // Options.Name
	Line   int64  // from 1; 0 if the place is not known
	Column int64  // byte of the line, from 1; 0 for the whole line
	Why    string
	// Recognised is FASTA or FASTQ where the input begins like that format, but its first record is not valid. Nobody
	// can tell what is meant then. Else it is Auto.
	Recognised Format
}

func (e *Error) Error() string {
	why := e.Why
	if e.Line > 0 || e.Recognised == Auto {
		why = e.place() + ": " + why
	}
	if e.Recognised == Auto {
		return why
	}
	return fmt.Sprintf("%s begins like %s, but is not valid: %s", cmp.Or(e.File, "the input"), e.Recognised.label(), why)
}

// place is file:line:column, as far as they are known.
func (e *Error) place() string {
	place := cmp.Or(e.File, "input")
	if e.Line > 0 {
		place = fmt.Sprintf("%s:%d", place, e.Line)
	}
	if e.Column > 0 {
		place = fmt.Sprintf("%s:%d", place, e.Column)
	}
	return place
}
