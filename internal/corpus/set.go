package corpus

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/suffixcl/suffixcl/internal/bytesize"
)

// Options say how a file is read. The zero value takes a file as one document.
type Options struct {
	// Field: the file has an object of JSON a line, whose string of that name is a document.
	Field string
	// Separator: these bytes stand between documents.
	Separator []byte
	// Offsets: where documents begin in the file, in bytes, ascending from 0, and its length.
	Offsets []uint64
	// SymbolBytes is the width of a symbol; separators stand at whole symbols. 0 means 1.
	SymbolBytes int
	// Vocabulary is the number of tokens that there are, if it is not 0: symbols of documents are less than it.
	Vocabulary uint64
}

// Document is a part of the text of a set: bytes Start to End-1.
type Document struct{ Start, End int }

// Len is the number of bytes.
func (d Document) Len() int { return d.End - d.Start }

// File is a file of a set.
type File struct {
	Name       string
	Start, End int // in the text of the set
	First      int // number of its first document
	Documents  int
	Field      string // of lines of JSON, else empty

	separator []byte
}

// Set is documents in the order in which they were added. The zero value is empty.
type Set struct {
	Text      []byte
	Documents []Document // ascending; they do not overlap
	Files     []File
}

// Error is input that does not follow its format.
type Error struct {
	File   string
	Line   int64 // from 1; 0 where there are no lines
	Offset int64 // of the file, from 0; -1 if it is not known
	Why    string
}

func (e *Error) Error() string {
	switch {
	case e.Line > 0:
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Why)
	case e.Offset >= 0:
		return fmt.Sprintf("%s: at byte %d: %s", e.File, e.Offset, e.Why)
	}
	return e.File + ": " + e.Why
}

// Add reads a file, which is not compressed, to its end. What it added before an error stays out of the set.
//
// Errors: an *[Error] with the place for a line that is no object of JSON, or has no string in the field, or is no
// UTF-8; for offsets that do not fit, for a file or a separator that is not whole symbols, and for a symbol that is not
// in the vocabulary; those of r.
func (s *Set) Add(name string, r io.Reader, o Options) (err error) {
	start, first := len(s.Text), len(s.Documents)
	defer func() {
		if err != nil {
			s.Text, s.Documents = s.Text[:start], s.Documents[:first]
		}
	}()
	if o.Field != "" {
		err = s.addLines(name, r, o.Field)
	} else {
		err = s.addPlain(name, r, o)
	}
	if err != nil {
		return err
	}
	s.Files = append(s.Files, File{Name: name, Start: start, End: len(s.Text), First: first,
		Documents: len(s.Documents) - first, Field: o.Field, separator: o.Separator})
	return nil
}

// Reserve makes room for so many bytes of text, so that none is moved while they are added.
func (s *Set) Reserve(bytes int) { s.Text = slices.Grow(s.Text, bytes+leastRead) }

// leastRead is the least room for what is read at once.
const leastRead = 1 << 16

// Plain adds a text that is in memory, as Add does. An empty set takes it without a copy.
func (s *Set) Plain(name string, text []byte, o Options) error {
	if len(s.Text) > 0 || o.Field != "" {
		return s.Add(name, bytes.NewReader(text), o)
	}
	s.Text = text
	if err := s.divide(name, 0, o); err != nil {
		s.Text, s.Documents = nil, nil
		return err
	}
	s.Files = append(s.Files, File{Name: name, End: len(text), Documents: len(s.Documents), separator: o.Separator})
	return nil
}

func (s *Set) addPlain(name string, r io.Reader, o Options) error {
	start := len(s.Text)
	for {
		s.Text = slices.Grow(s.Text, leastRead)
		n, err := r.Read(s.Text[len(s.Text):cap(s.Text)])
		s.Text = s.Text[:len(s.Text)+n]
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	return s.divide(name, start, o)
}

// divide makes documents of the text from start on, and looks at their symbols.
func (s *Set) divide(name string, start int, o Options) error {
	first := len(s.Documents)
	if err := s.cut(name, start, o); err != nil || o.Vocabulary == 0 {
		return err
	}
	width := max(o.SymbolBytes, 1)
	for _, d := range s.Documents[first:] {
		for at := d.Start; at < d.End; at += width {
			token := uint64(0)
			for k := width; k > 0; k-- {
				token = token<<8 | uint64(s.Text[at+k-1])
			}
			if token >= o.Vocabulary {
				return &Error{File: name, Offset: int64(at - start),
					Why: fmt.Sprintf("token %d is not in the vocabulary of %d", token, o.Vocabulary)}
			}
		}
	}
	return nil
}

// cut makes documents of the text from start on.
func (s *Set) cut(name string, start int, o Options) error {
	text, width := s.Text[start:], max(o.SymbolBytes, 1)
	if len(text)%width != 0 {
		return &Error{File: name, Offset: int64(len(text)),
			Why: fmt.Sprintf("the file ends in the middle of a symbol of %d bytes", width)}
	}
	add := func(from, to int) { s.Documents = append(s.Documents, Document{start + from, start + to}) }
	switch {
	case len(o.Separator)%width != 0:
		return &Error{File: name, Offset: -1,
			Why: fmt.Sprintf("a separator of %s is no whole symbols of %d", bytesize.Count(len(o.Separator), "byte"), width)}
	case o.Offsets != nil:
		return s.divideAt(name, start, width, o.Offsets)
	case len(o.Separator) > 0:
		from := 0
		for at := 0; ; {
			k := bytes.Index(text[at:], o.Separator)
			if k < 0 {
				break
			}
			at += k
			if at%width != 0 {
				at++
				continue
			}
			if at > from {
				add(from, at)
			}
			at += len(o.Separator)
			from = at
		}
		if from < len(text) {
			add(from, len(text))
		}
	case len(text) > 0:
		add(0, len(text))
	}
	return nil
}

// divideAt makes documents by offsets.
func (s *Set) divideAt(name string, start, width int, offsets []uint64) error {
	n := len(s.Text) - start
	for i, at := range offsets {
		why := ""
		switch {
		case i == 0 && at != 0:
			why = fmt.Sprintf("the first offset is %d, not 0", at)
		case at > uint64(n):
			why = fmt.Sprintf("offset %d is %d, beyond the end of the file at %d", i, at, n)
		case i > 0 && at < offsets[i-1]:
			why = fmt.Sprintf("offset %d is %d, less than %d before it", i, at, offsets[i-1])
		case at%uint64(width) != 0:
			why = fmt.Sprintf("offset %d is %d, in the middle of a symbol of %d bytes", i, at, width)
		}
		if why != "" {
			return &Error{File: name, Offset: -1, Why: "offsets do not fit: " + why}
		}
		if i > 0 && at > offsets[i-1] {
			s.Documents = append(s.Documents, Document{start + int(offsets[i-1]), start + int(at)})
		}
	}
	if k := len(offsets); k == 0 || offsets[k-1] != uint64(n) {
		last := uint64(0)
		if k > 0 {
			last = offsets[k-1]
		}
		return &Error{File: name, Offset: -1,
			Why: fmt.Sprintf("offsets do not fit: the last is %d, the file has %s", last, bytesize.Count(n, "byte"))}
	}
	return nil
}

// ReadOffsets reads offsets of 8 bytes, little-endian. Errors: an *[Error] for a file that is not whole offsets; those
// of r.
func ReadOffsets(name string, r io.Reader) ([]uint64, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	if len(data)%8 != 0 || len(data) == 0 {
		return nil, &Error{File: name, Offset: int64(len(data)), Why: "the file ends in the middle of an offset of 8 bytes"}
	}
	offsets := make([]uint64, len(data)/8)
	for i := range offsets {
		offsets[i] = binary.LittleEndian.Uint64(data[8*i:])
	}
	return offsets, nil
}

// Bounds returns the places that no window of so many symbols may cross, symbols of so many bytes, if windows are in
// one document each. They ascend from 0 to the length of the text, and have the starts and ends of all documents. Bytes
// between documents are in parts that are shorter than a window: separators are no text.
func (s *Set) Bounds(symbolBytes, length int) []uint64 {
	width := max(symbolBytes, 1)
	step := max(length-1, 1)
	bounds := []uint64{0}
	add := func(at int) {
		if at := uint64(at / width); at != bounds[len(bounds)-1] {
			bounds = append(bounds, at)
		}
	}
	between := func(to int) {
		for at := int(bounds[len(bounds)-1]) + step; at < to/width; at += step {
			bounds = append(bounds, uint64(at))
		}
		add(to)
	}
	for _, f := range s.Files {
		for _, d := range s.Documents[f.First : f.First+f.Documents] {
			between(d.Start)
			add(d.End)
		}
		between(f.End)
	}
	if len(bounds) == 1 {
		bounds = append(bounds, 0)
	}
	return bounds
}

// FileBounds returns such places for windows that may cross the ends of documents: the ends of files alone.
func (s *Set) FileBounds(symbolBytes int) []uint64 {
	width := uint64(max(symbolBytes, 1))
	bounds := []uint64{0}
	for _, f := range s.Files {
		bounds = append(bounds, uint64(f.End)/width)
	}
	if len(bounds) == 1 {
		bounds = append(bounds, 0)
	}
	return bounds
}

// FileOf is the number of the file of a document.
func (s *Set) FileOf(document int) int {
	k, _ := slices.BinarySearchFunc(s.Files, document, func(f File, d int) int {
		switch {
		case f.First+f.Documents <= d:
			return -1
		case f.First > d:
			return 1
		}
		return 0
	})
	return k
}

// Holds tells whether any of bytes start to end-1 of the text are in a document.
func (s *Set) Holds(start, end int) bool {
	k := s.endingAfter(0, start)
	for ; k < len(s.Documents) && s.Documents[k].Start < end; k++ {
		if s.Documents[k].Len() > 0 {
			return true
		}
	}
	return false
}

// endingAfter is the number of the first document, from a number on, that ends after a byte of the text.
func (s *Set) endingAfter(first, at int) int {
	k, _ := slices.BinarySearchFunc(s.Documents[first:], at, func(d Document, at int) int {
		if d.End <= at {
			return -1
		}
		return 1
	})
	return first + k
}

// CheckUTF8 returns an *[Error] with the place of the first byte in documents that is no UTF-8.
func (s *Set) CheckUTF8() error {
	for _, d := range s.Documents {
		if text := s.Text[d.Start:d.End]; !utf8.Valid(text) {
			at := 0
			for {
				r, size := utf8.DecodeRune(text[at:])
				if r == utf8.RuneError && size <= 1 {
					return s.invalid(d.Start + at)
				}
				at += size
			}
		}
	}
	return nil
}

// invalid is the error for a byte that is no UTF-8.
func (s *Set) invalid(at int) error {
	k, _ := slices.BinarySearchFunc(s.Files, at, func(f File, at int) int {
		if f.End <= at {
			return -1
		}
		return 1
	})
	f := s.Files[k]
	return &Error{File: f.Name, Offset: int64(at - f.Start), Why: "invalid UTF-8"}
}
