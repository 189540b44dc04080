package corpus

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/suffixcl/suffixcl/internal/jsonline"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// documentsEach is how many documents are worth a processor that writes their ranges.
const documentsEach = 1 << 10

// RangesField is the field that [Set.WriteRanges] adds.
const RangesField = "sa_remove_ranges"

// lineReader reads the lines of a file of JSON that are not blank.
type lineReader struct {
	name   string
	r      *bufio.Reader
	number int64
	text   []byte // lines that were read
}

// line is a line in the text that was read, after blank lines, with the bytes that end it.
type line struct {
	blank, from, end int
	number           int64
}

func newLineReader(name string, r io.Reader) *lineReader {
	return &lineReader{name: name, r: bufio.NewReaderSize(r, 1<<20)}
}

// next reads a line. At the end of the file it returns only blank lines, and io.EOF.
func (l *lineReader) next() (next line, err error) {
	next.blank = len(l.text)
	for {
		next.from = len(l.text)
		err = l.read()
		if l.number++; l.number == 1 && bytes.HasPrefix(l.text[next.from:], []byte(jsonline.ByteOrderMark)) {
			next.from += len(jsonline.ByteOrderMark)
		}
		next.end, next.number = len(l.text), l.number
		if !jsonline.IsBlank(l.text[next.from:]) {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return next, err
		}
		if err != nil {
			next.from = next.end
			return next, err
		}
	}
}

// read reads up to the end of a line.
func (l *lineReader) read() error {
	for {
		part, err := l.r.ReadSlice('\n')
		l.text = append(l.text, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

// wrong is the error of a line.
func (l *lineReader) wrong(number int64, format string, args ...any) error {
	return &Error{File: l.name, Line: number, Offset: -1, Why: fmt.Sprintf(format, args...)}
}

func (s *Set) addLines(name string, r io.Reader, field string) error {
	l := newLineReader(name, r)
	for {
		l.text = l.text[:0]
		next, err := l.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		start := len(s.Text)
		text, why := jsonline.Append(s.Text, l.text[next.from:next.end], field)
		if why != "" {
			return l.wrong(next.number, "%s", why)
		}
		s.Text = text
		s.Documents = append(s.Documents, Document{start, len(s.Text)})
	}
}

// Lines are read in pieces of bytesAtOnce bytes; bytesEach bytes of them are worth a processor.
const bytesAtOnce, bytesEach = 8 << 20, 1 << 16

// editLine appends a line to what is written. Its field is a value from one place to another.
type editLine func(to, line []byte, document, from, end int, memory *editMemory) (all []byte, why string)

// editMemory is memory that the lines of a part share.
type editMemory struct {
	text   []byte
	ranges [][2]int
}

// eachLine calls edit, on several processors, with the lines of a file of JSON and their documents. It writes the bytes
// that edit appends, and blank lines, in their order.
func (s *Set) eachLine(file int, source io.Reader, w io.Writer, edit editLine) error {
	var (
		of        = s.Files[file]
		l         = newLineReader(of.Name, source)
		lines     []line
		ends      []int // of parts
		formatter parallel.Lines
	)
	for done := 0; ; done += len(lines) {
		l.text, lines, ends = l.text[:0], lines[:0], append(ends[:0], 0)
		var err error
		for begin := 0; err == nil && len(l.text) < bytesAtOnce; {
			var next line
			if next, err = l.next(); err == nil {
				lines = append(lines, next)
			} else {
				l.text = l.text[:next.from] // blank lines
			}
			if len(l.text)-begin >= bytesEach {
				begin, ends = len(l.text), append(ends, len(lines))
			}
		}
		if ends[len(ends)-1] < len(lines) {
			ends = append(ends, len(lines))
		}
		wrong := formatter.Write(w, len(ends)-1, func(to []byte, part int) ([]byte, error) {
			from, end := ends[part], ends[part+1]
			return s.editLines(to, l, lines[from:end], of, done+from, edit)
		})
		if wrong != nil {
			return wrong
		}
		if err == nil {
			continue
		}
		blank := l.text
		if n := len(lines); n > 0 {
			blank = blank[lines[n-1].end:]
		}
		if len(blank) > 0 {
			if _, wrong := w.Write(blank); wrong != nil {
				return wrong
			}
		}
		if err != io.EOF {
			return err
		}
		if k := done + len(lines); k != of.Documents {
			return l.wrong(l.number, "the file has changed: %d lines, %d before", k, of.Documents)
		}
		return nil
	}
}

// editLines appends lines, the first of which has document number k of the file.
func (s *Set) editLines(to []byte, l *lineReader, lines []line, of File, k int, edit editLine) ([]byte, error) {
	var m editMemory
	for i, next := range lines {
		to = append(to, l.text[next.blank:next.from]...)
		before, line := len(to), l.text[next.from:next.end]
		var from, end int
		var why string
		m.text, from, end, why = jsonline.AppendField(m.text[:0], line, of.Field)
		if why == "" && (k+i >= of.Documents || !bytes.Equal(m.text, s.document(of.First+k+i))) {
			why = "the file has changed"
		}
		if why == "" {
			to, why = edit(to, line, of.First+k+i, from, end, &m)
		}
		if why != "" {
			return to[:before], l.wrong(next.number, "%s", why)
		}
	}
	return to, nil
}

func (s *Set) document(k int) []byte { return s.Text[s.Documents[k].Start:s.Documents[k].End] }

// Write writes a file without the ranges that cuts has for its documents. Lines of JSON are read once more from source.
// In these only the field's string changes: it loses the ranges, which have to end at whole characters, and is
// otherwise written as it was. Other files are written without the ranges, and source is not used.
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
	return s.eachLine(file, source, w, func(to, line []byte, document, from, end int, m *editMemory) (
		[]byte, string) {
		if cuts.DropEmptied && s.Emptied(document, cuts) {
			return to, ""
		}
		m.ranges = m.ranges[:0]
		for _, r := range cuts.Of(document) {
			m.ranges = append(m.ranges, [2]int{r.Start, r.End})
		}
		if len(m.ranges) == 0 {
			return append(to, line...), ""
		}
		to, why := jsonline.Cut(append(to, line[:from]...), line[from:end], m.ranges)
		return append(to, line[end:]...), why
	})
}

// withSeparator is a document and the separator after it. If there is none, it is the document and the separator before
// it, but nothing before `least`.
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
// remove, [start, end). For lines of JSON, which are read once more from source, it becomes the last field of the
// object. For other files it comes after the name of the file and the number of the document in it, from 0.
//
// Errors: as Write; an *[Error] for an object that has such a field.
func (s *Set) WriteRanges(file int, source io.Reader, cuts *Cuts, w io.Writer) error {
	of := s.Files[file]
	if of.Field == "" {
		name, err := json.Marshal(of.Name)
		if err != nil {
			return err
		}
		var lines parallel.Lines
		parts := (of.Documents + documentsEach - 1) / documentsEach
		return lines.Write(w, parts, func(to []byte, part int) ([]byte, error) {
			for k := part * documentsEach; k < min((part+1)*documentsEach, of.Documents); k++ {
				to = append(append(to, `{"file":`...), name...)
				to = strconv.AppendInt(append(to, `,"document":`...), int64(k), 10)
				to = strconv.AppendInt(append(to, `,"bytes":`...), int64(s.Documents[of.First+k].Len()), 10)
				to = append(appendRanges(append(to, ','), cuts.Of(of.First+k)), "}\n"...)
			}
			return to, nil
		})
	}
	return s.eachLine(file, source, w, func(to, line []byte, document, _, _ int, _ *editMemory) (
		[]byte, string) {
		switch has, why := jsonline.Has(line, RangesField); {
		case why != "":
			return to, why
		case has:
			return to, fmt.Sprintf("the object has a field %q", RangesField)
		}
		end := bytes.LastIndexByte(line, '}')
		to = append(to, bytes.TrimRight(line[:end], jsonline.Space)...)
		to = append(appendRanges(append(to, ','), cuts.Of(document)), '}')
		return append(to, line[end+1:]...), ""
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
