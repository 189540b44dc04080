package seqio

import (
	"bufio"
	"io"
	"math"
)

// ReadJSONLines reads an object a line and returns the strings of a field as records, which are called by the numbers
// of their lines, from 1. Blank lines are passed over. Of the options it takes name and separator.
//
// Errors: an *Error for a line that is no object or no UTF-8, or has no string in that field, or two; those of the
// input, after the name of the file.
func ReadJSONLines(r io.Reader, field string, o Options) (*Batch, error) {
	o = Options{Name: o.Name, Format: jsonLines, Separator: o.Separator}
	d, err := newReader(bufio.NewReaderSize(r, lookahead), o)
	if err != nil {
		return nil, err
	}
	d.parser.field = field
	var b Batch
	if err := d.Next(&b, math.MaxInt); err != nil && err != io.EOF {
		return nil, err
	}
	return &b, nil
}
