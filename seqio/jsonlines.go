package seqio

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/suffixcl/suffixcl/internal/jsonline"
)

// ReadJSONLines reads an object a line and returns the strings of a field as records, which are called by the numbers
// of their lines, from 1. Blank lines are passed over. Of the options it takes name and separator.
//
// Errors: an *Error for a line that is no object or no UTF-8, or has no string in that field, or two; those of the
// input, after the name of the file.
func ReadJSONLines(r io.Reader, field string, o Options) (*Batch, error) {
	input := bufio.NewReaderSize(r, bufferSize)
	var b Batch
	for line := int64(1); ; line++ {
		data, err := input.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, named(o.Name, err)
		}
		if line == 1 {
			data = bytes.TrimPrefix(data, []byte(jsonline.ByteOrderMark))
		}
		if text, found, why := stringOf(data, field); why != "" {
			return nil, named(o.Name, &Error{Line: line, Why: why})
		} else if found {
			b.Records = append(b.Records, Record{Name: fmt.Sprint(line), Offset: len(b.Text), Length: len(text)})
			b.Text = append(append(b.Text, text...), o.Separator...)
		}
		if err == io.EOF {
			return &b, nil
		}
	}
}

// stringOf is the string of a field of an object, or why there is none. A blank line has none, and that is right.
func stringOf(line []byte, field string) (text string, found bool, why string) {
	if len(bytes.Trim(line, jsonline.Space)) == 0 {
		return "", false, ""
	}
	text, _, _, why = jsonline.Field(line, field)
	return text, why == "", why
}
