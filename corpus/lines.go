package corpus

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/suffixcl/suffixcl/internal/jsonline"
)

// RangesField is the field that [Set.WriteRanges] adds.
const RangesField = "sa_remove_ranges"

// lineReader reads the lines of a file of JSON that are not blank.
type lineReader struct {
	name   string
	r      *bufio.Reader
	number int64
}

func newLineReader(name string, r io.Reader) *lineReader {
	return &lineReader{name: name, r: bufio.NewReaderSize(r, 1<<20)}
}

// next is the next line, with what ends it, and blank lines before it. At the end of the file there are blank ones
// alone, and io.EOF.
func (l *lineReader) next() (blank, line []byte, err error) {
	for {
		line, err = l.r.ReadBytes('\n')
		if l.number++; l.number == 1 && bytes.HasPrefix(line, []byte(jsonline.ByteOrderMark)) {
			blank, line = append(blank, jsonline.ByteOrderMark...), line[len(jsonline.ByteOrderMark):]
		}
		if len(bytes.Trim(line, jsonline.Space)) > 0 {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return blank, line, err
		}
		blank = append(blank, line...)
		if err != nil {
			return blank, nil, err
		}
	}
}

func (l *lineReader) wrong(format string, args ...any) error {
	return &Error{File: l.name, Line: l.number, Offset: -1, Why: fmt.Sprintf(format, args...)}
}

// field finds a field of an object: its string, and the place of its value in the line.
func (l *lineReader) field(line []byte, name string) (text string, from, to int, err error) {
	text, from, to, why := jsonline.Field(line, name)
	if why != "" {
		return "", 0, 0, l.wrong("%s", why)
	}
	return text, from, to, nil
}

func (s *Set) addLines(name string, r io.Reader, field string) error {
	l := newLineReader(name, r)
	for {
		_, line, err := l.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		text, _, _, err := l.field(line, field)
		if err != nil {
			return err
		}
		start := len(s.Text)
		s.Text = append(s.Text, text...)
		s.Documents = append(s.Documents, Document{start, len(s.Text)})
	}
}

// eachLine calls f with the lines of a file of JSON and their documents, and writes what it returns.
func (s *Set) eachLine(file int, source io.Reader, w io.Writer, f func(l *lineReader, line []byte, document int,
	from, to int) ([]byte, error)) error {
	of := s.Files[file]
	l := newLineReader(of.Name, source)
	for k := 0; ; k++ {
		blank, line, err := l.next()
		if len(blank) > 0 {
			if _, err := w.Write(blank); err != nil {
				return err
			}
		}
		if err == io.EOF {
			if k != of.Documents {
				return l.wrong("the file has changed: %d lines, %d before", k, of.Documents)
			}
			return nil
		}
		if err != nil {
			return err
		}
		text, from, to, err := l.field(line, of.Field)
		if err != nil {
			return err
		}
		if k >= of.Documents || text != string(s.document(of.First+k)) {
			return l.wrong("the file has changed")
		}
		out, err := f(l, line, of.First+k, from, to)
		if err != nil {
			return err
		}
		if _, err := w.Write(out); err != nil {
			return err
		}
	}
}

func (s *Set) document(k int) []byte { return s.Text[s.Documents[k].Start:s.Documents[k].End] }

// Write writes a file without the ranges that cuts has for its documents. Of lines of JSON, which are read once more
// from source, the field's string alone is changed: ranges leave it, which have to end at whole characters, and all
// else in it is written as it was. Of others all but the ranges stays as it is, and source is not used.
//
// Errors: an *[Error] where the file has changed; those of source and w.
func (s *Set) Write(file int, source io.Reader, cuts *Cuts, w io.Writer) error {
	of := s.Files[file]
	if of.Field == "" {
		at := of.Start
		for k := of.First; k < of.First+of.Documents; k++ {
			if d := s.Documents[k]; cuts.DropEmptied && s.Emptied(k, cuts) {
				start, end := s.withSeparator(of, d, at)
				if _, err := w.Write(s.Text[at:start]); err != nil {
					return err
				}
				at = end
				continue
			}
			for _, r := range cuts.Of(k) {
				if _, err := w.Write(s.Text[at : s.Documents[k].Start+r.Start]); err != nil {
					return err
				}
				at = s.Documents[k].Start + r.End
			}
		}
		_, err := w.Write(s.Text[at:of.End])
		return err
	}
	return s.eachLine(file, source, w, func(l *lineReader, line []byte, document, from, to int) ([]byte, error) {
		if cuts.DropEmptied && s.Emptied(document, cuts) {
			return nil, nil
		}
		var ranges [][2]int
		for _, r := range cuts.Of(document) {
			ranges = append(ranges, [2]int{r.Start, r.End})
		}
		if len(ranges) == 0 {
			return line, nil
		}
		rest, why := jsonline.Cut(line[from:to], ranges)
		if why != "" {
			return nil, l.wrong("%s", why)
		}
		return slices.Concat(line[:from], rest, line[to:]), nil
	})
}

// withSeparator are a document and the separator after it; where none is, that before it, but nothing before `least`.
func (s *Set) withSeparator(of File, d Document, least int) (start, end int) {
	n := len(of.separator)
	switch {
	case bytes.HasPrefix(s.Text[d.End:of.End], of.separator):
		return d.Start, d.End + n
	case d.Start-n >= least:
		return d.Start - n, d.End
	}
	return d.Start, d.End
}

// WriteRanges writes a line of JSON for each document of a file: [RangesField] with the ranges of bytes of its text to
// remove, [start, end). Of lines of JSON, which are read once more from source, it is the last field of the object; of
// others it comes after the name of the file and the number of the document in it, from 0.
//
// Errors: as Write; an *[Error] for an object that has such a field.
func (s *Set) WriteRanges(file int, source io.Reader, cuts *Cuts, w io.Writer) error {
	of := s.Files[file]
	if of.Field == "" {
		name, err := json.Marshal(of.Name)
		if err != nil {
			return err
		}
		for k := range of.Documents {
			line := append([]byte(`{"file":`), name...)
			line = append(line, fmt.Sprintf(`,"document":%d,"bytes":%d,`, k, s.Documents[of.First+k].Len())...)
			line = append(appendRanges(line, cuts.Of(of.First+k)), "}\n"...)
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
		return nil
	}
	return s.eachLine(file, source, w, func(l *lineReader, line []byte, document, _, _ int) ([]byte, error) {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(line, &object); err != nil {
			return nil, l.wrong("no JSON object: %v", err)
		}
		if _, ok := object[RangesField]; ok {
			return nil, l.wrong("the object has a field %q", RangesField)
		}
		end := bytes.LastIndexByte(line, '}')
		out := append([]byte{}, bytes.TrimRight(line[:end], jsonline.Space)...)
		out = append(appendRanges(append(out, ','), cuts.Of(document)), '}')
		return append(out, line[end+1:]...), nil
	})
}

func appendRanges(to []byte, cut []Cut) []byte {
	to = append(to, `"`+RangesField+`":[`...)
	for i, r := range cut {
		if i > 0 {
			to = append(to, ',')
		}
		to = append(to, '[')
		to = strconv.AppendInt(to, int64(r.Start), 10)
		to = append(to, ',')
		to = strconv.AppendInt(to, int64(r.End), 10)
		to = append(to, ']')
	}
	return append(to, ']')
}
