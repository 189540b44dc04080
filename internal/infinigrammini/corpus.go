package infinigrammini

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/suffixcl/suffixcl/internal/jsonline"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// Corpus is documents. The zero value has none.
type Corpus struct {
	Data, Meta               []byte
	DataOffsets, MetaOffsets []uint64 // [documents]
}

// Error is a line that is wrong.
type Error struct {
	File string
	Line int64 // from 1
	Why  string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Why) }

// document is what a line gives.
type document struct{ data, meta []byte }

// Lines are read in pieces of bytesAtOnce bytes, and so many are worth a processor.
const bytesAtOnce, linesEach = 8 << 20, 16

// AddLines adds the documents of a file: an object of JSON a line, whose string of the name field is the document,
// and whose other members are its metadata. Blank lines are none, but have numbers. path is how the metadata names the
// file, name how errors do. Memory: that of the texts, and some 16 MB. Errors: an *Error; those of r.
func (c *Corpus) AddLines(name, path string, r io.Reader, field string) error {
	in := bufio.NewReaderSize(r, 1<<20)
	number := 0
	quoted := (&line{unit: units(path)}).appendQuoted(nil)
	var text []byte
	var ends []int
	for {
		text, ends = text[:0], ends[:0]
		var err error
		for err == nil && len(text) < bytesAtOnce {
			var part []byte
			part, err = in.ReadSlice('\n')
			text = append(text, part...)
			switch {
			case errors.Is(err, bufio.ErrBufferFull):
				err = nil
			case err == nil || errors.Is(err, io.EOF) && len(part) > 0:
				ends = append(ends, len(text))
			}
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if n := len(ends); len(text) > 0 && (n == 0 || ends[n-1] < len(text)) {
			rest, failed := in.ReadBytes('\n') // a line that is longer than a piece
			if failed != nil && !errors.Is(failed, io.EOF) {
				return failed
			}
			text = append(text, rest...)
			ends = append(ends, len(text))
			err = failed
		}
		if add := c.add(text, ends, name, quoted, field, number); add != nil {
			return add
		}
		number += len(ends)
		if err != nil {
			return nil
		}
	}
}

// add adds lines that end in text.
func (c *Corpus) add(text []byte, ends []int, name string, path []byte, field string, number int) error {
	made := make([]document, len(ends))
	err := parallel.Try(len(ends), linesEach, func(lo, hi int) error {
		for i := lo; i < hi; i++ {
			from := 0
			if i > 0 {
				from = ends[i-1]
			}
			of := bytes.TrimRight(text[from:ends[i]], "\r\n")
			if number+i == 0 {
				of = bytes.TrimPrefix(of, []byte(jsonline.ByteOrderMark))
			}
			var why string
			if made[i], why = read(of, path, field, number+i); why != "" {
				return &Error{name, int64(number + i + 1), why}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, d := range made {
		if d.meta != nil {
			c.append(d)
		}
	}
	return nil
}

func (c *Corpus) append(d document) {
	c.DataOffsets = append(c.DataOffsets, uint64(len(c.Data)))
	c.MetaOffsets = append(c.MetaOffsets, uint64(len(c.Meta)))
	c.Data = append(append(c.Data, Separator), d.data...)
	c.Meta = append(c.Meta, d.meta...)
}

// AddText adds a file as a document. Errors: it is not UTF-8.
func (c *Corpus) AddText(name, path string, text []byte) error {
	if at, line := invalid(text); at >= 0 {
		return fmt.Errorf("%s: line %d, byte %d of the file: invalid UTF-8", name, line, at)
	}
	quoted := (&line{unit: units(path)}).appendQuoted(nil)
	c.append(document{text, appendMeta(quoted, 0, nil)})
	return nil
}

func appendMeta(path []byte, number int, rest []pair) []byte {
	meta := appendObject(nil, []pair{{[]byte(`"path"`), path},
		{[]byte(`"linenum"`), strconv.AppendInt(nil, int64(number), 10)},
		{[]byte(`"metadata"`), appendObject(nil, rest)}})
	return append(meta, '\n')
}

// read makes the document of a line; nothing of a blank one.
func read(text, path []byte, field string, number int) (d document, why string) {
	l := &line{text: text}
	if l.next() == 0 && l.at == len(text) {
		return d, ""
	}
	var rest []pair
	found := false
	if l.text[l.at] != '{' {
		return d, "no JSON object"
	}
	wanted := (&line{unit: units(field)}).appendQuoted(nil)
	ok := l.members(func() bool {
		key := l.appendQuoted(nil)
		if !bytes.Equal(key, wanted) {
			value, ok := l.value(nil, 1)
			rest = put(rest, pair{key, value})
			return ok
		}
		if l.next() != '"' {
			return l.fail("%s is no string", key)
		}
		if !l.string() {
			return false
		}
		var ok bool
		d.data, ok = l.appendText(d.data[:0])
		found = true
		return ok
	})
	if ok {
		if l.space(); l.at < len(text) {
			ok = l.fail("more follows the object")
		}
	}
	if ok && !found {
		return d, fmt.Sprintf("the object has no %s", wanted)
	}
	if !ok {
		return d, l.why
	}
	d.meta = appendMeta(path, number, rest)
	return d, ""
}

// Finish ends both texts. With zero a byte 00 follows: then the search of infini-gram mini, which takes the smallest
// byte for one that does not occur, finds all others. The corpus has a document or more.
func (c *Corpus) Finish(zero bool) error {
	if len(c.DataOffsets) == 0 {
		return errors.New("there are no documents")
	}
	end := []byte{End}
	if zero {
		end = append(end, 0)
	}
	c.Data, c.Meta = append(c.Data, end...), append(c.Meta, end...)
	return nil
}
