package seqio

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// ReadJSONLines reads an object a line and returns the strings of a field as records, which are called by the numbers
// of their lines, from 1. Blank lines are passed over. Of the options it takes name and separator.
//
// Errors: an *Error for a line that is no object, or has no string in that field; those of the input, after the name of
// the file.
func ReadJSONLines(r io.Reader, field string, o Options) (*Batch, error) {
	input := bufio.NewReaderSize(r, bufferSize)
	var b Batch
	for line := int64(1); ; line++ {
		data, err := input.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, named(o.Name, err)
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
	blank := true
	for _, c := range line {
		blank = blank && (c == ' ' || c == '\t' || c == '\r' || c == '\n')
	}
	if blank {
		return "", false, ""
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(line, &object); err != nil {
		return "", false, fmt.Sprintf("no JSON object: %v", err)
	}
	value, ok := object[field]
	if !ok {
		return "", false, fmt.Sprintf("the object has no field %q", field)
	}
	var pointer *string
	if err := json.Unmarshal(value, &pointer); err != nil || pointer == nil {
		return "", false, fmt.Sprintf("field %q is no string", field)
	}
	return *pointer, true, ""
}
