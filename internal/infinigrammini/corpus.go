package infinigrammini

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/jsonline"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// Corpus is documents. The zero value has none.
type Corpus struct {
	Data, Meta               []byte
	DataOffsets, MetaOffsets []uint64 // [documents]

	pieces []piece
}

// Error is a line that is wrong.
type Error struct {
	File string
	Line int64 // from 1
	Why  string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Why) }

// piece is what some lines give: documents after separators, and their metadata. Its memory is used again.
type piece struct {
	data, meta               []byte
	dataOffsets, metaOffsets []uint64
	err                      error
}

// Lines are read in pieces of bytesAtOnce bytes, and so many are worth a processor.
const bytesAtOnce, linesEach = 8 << 20, 64

// lines are whole lines of a file, which end at these places.
type lines struct {
	text []byte
	ends []int
	err  error // of reading what follows; io.EOF at the end
}

// read reads about bytesAtOnce bytes.
func (l *lines) read(in *bufio.Reader) {
	l.text, l.ends, l.err = l.text[:0], l.ends[:0], nil
	for l.err == nil && len(l.text) < bytesAtOnce {
		var part []byte
		part, l.err = in.ReadSlice('\n')
		l.text = append(l.text, part...)
		switch {
		case errors.Is(l.err, bufio.ErrBufferFull):
			l.err = nil
		case l.err == nil || errors.Is(l.err, io.EOF) && len(part) > 0:
			l.ends = append(l.ends, len(l.text))
		}
	}
	if l.err != nil && !errors.Is(l.err, io.EOF) {
		return
	}
	if n := len(l.ends); len(l.text) > 0 && (n == 0 || l.ends[n-1] < len(l.text)) {
		var rest []byte
		rest, l.err = in.ReadBytes('\n') // a line that is longer than a piece
		l.text = append(l.text, rest...)
		l.ends = append(l.ends, len(l.text))
	}
}

// AddLines adds the documents of a file: an object of JSON a line, whose string of the name field is the document,
// and whose other members are its metadata. Blank lines are none, but have numbers. path is how the metadata names the
// file, name how errors do. The next lines are read while some are added. Memory: that of the texts, and some 32 MB.
// Errors: an *Error; those of r.
func (c *Corpus) AddLines(name, path string, r io.Reader, field string) error {
	read, free := make(chan *lines), make(chan *lines, 2)
	free <- &lines{}
	free <- &lines{}
	go func() {
		defer close(read)
		in := bufio.NewReaderSize(r, 1<<20)
		for l := range free {
			l.read(in)
			read <- l
			if l.err != nil {
				return
			}
		}
	}()
	var failed error
	number := 0
	for l := range read {
		if failed == nil {
			failed = c.add(l.text, l.ends, name, quoted(path), quoted(field), number)
		}
		if failed == nil && !errors.Is(l.err, io.EOF) {
			failed = l.err
		}
		number += len(l.ends)
		if failed == nil {
			free <- l
		} else if free != nil {
			close(free) // nothing is read after what is being read
			free = nil
		}
	}
	return failed
}

// add adds lines that end in text.
func (c *Corpus) add(text []byte, ends []int, name string, path, field []byte, number int) error {
	for len(c.pieces)*linesEach < len(ends) {
		c.pieces = append(c.pieces, piece{})
	}
	pieces := c.pieces[:(len(ends)+linesEach-1)/linesEach]
	parallel.Do(len(pieces), 1, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			p := &pieces[k]
			*p = piece{data: p.data[:0], meta: p.meta[:0], dataOffsets: p.dataOffsets[:0], metaOffsets: p.metaOffsets[:0]}
			for i := k * linesEach; i < min((k+1)*linesEach, len(ends)) && p.err == nil; i++ {
				from := 0
				if i > 0 {
					from = ends[i-1]
				}
				of := bytes.TrimRight(text[from:ends[i]], "\r\n")
				if number+i == 0 {
					of = bytes.TrimPrefix(of, []byte(jsonline.ByteOrderMark))
				}
				if why := p.read(of, path, field, number+i); why != "" {
					p.err = &Error{name, int64(number + i + 1), why}
				}
			}
		}
	})
	for k := range pieces {
		if err := pieces[k].err; err != nil {
			return err
		}
	}
	c.append(pieces)
	return nil
}

// append appends documents, on all processors: their memory is fresh.
func (c *Corpus) append(pieces []piece) {
	data, meta := make([]int, len(pieces)), make([]int, len(pieces)) // where each begins
	for k := range pieces {
		p := &pieces[k]
		data[k], meta[k] = len(c.Data), len(c.Meta)
		for i := range p.dataOffsets {
			c.DataOffsets = append(c.DataOffsets, p.dataOffsets[i]+uint64(data[k]))
			c.MetaOffsets = append(c.MetaOffsets, p.metaOffsets[i]+uint64(meta[k]))
		}
		c.Data, c.Meta = extend(c.Data, len(p.data)), extend(c.Meta, len(p.meta))
	}
	parallel.Do(len(pieces), 1, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			copy(c.Data[data[k]:], pieces[k].data)
			copy(c.Meta[meta[k]:], pieces[k].meta)
		}
	})
}

// extend makes a text n bytes longer. Its memory doubles: then it is moved a few times, by all processors.
func extend(text []byte, n int) []byte {
	if n += len(text); n > cap(text) {
		longer := addressspace.Make[byte](max(2*cap(text), n, leastText))[:len(text)]
		parallel.Copy(longer, text)
		text = longer
	}
	return text[:n]
}

// leastText is the memory of a text at first.
const leastText = 1 << 20

// AddText adds a file as a document. Errors: it is not UTF-8.
func (c *Corpus) AddText(name, path string, text []byte) error {
	if at, line := invalid(text); at >= 0 {
		return fmt.Errorf("%s: line %d, byte %d of the file: invalid UTF-8", name, line, at)
	}
	c.append([]piece{{data: append([]byte{Separator}, text...), meta: appendMeta(nil, quoted(path), 0, nil),
		dataOffsets: []uint64{0}, metaOffsets: []uint64{0}}})
	return nil
}

func appendMeta(to, path []byte, number int, rest []pair) []byte {
	to = append(append(append(to, `{"path": `...), path...), `, "linenum": `...)
	to = append(strconv.AppendInt(to, int64(number), 10), `, "metadata": `...)
	return append(appendObject(to, rest), "}\n"...)
}

// read adds the document of a line; nothing of a blank one.
func (p *piece) read(text, path, field []byte, number int) (why string) {
	l := &line{text: text}
	if l.next() == 0 && l.at == len(text) {
		return ""
	}
	if l.text[l.at] != '{' {
		return "no JSON object"
	}
	begin := len(p.data)
	p.data = append(p.data, Separator)
	var rest []pair
	found := false
	ok := l.members(func() bool {
		key := l.appendQuoted(nil)
		if !bytes.Equal(key, field) {
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
		found = true
		var ok bool
		p.data, ok = l.appendText(p.data[:begin+1]) // of several the last
		return ok
	})
	if ok {
		if l.space(); l.at < len(text) {
			ok = l.fail("more follows the object")
		}
	}
	if ok && !found {
		return fmt.Sprintf("the object has no %s", field)
	}
	if !ok {
		return l.why
	}
	p.dataOffsets, p.metaOffsets = append(p.dataOffsets, uint64(begin)), append(p.metaOffsets, uint64(len(p.meta)))
	p.meta = appendMeta(p.meta, path, number, rest)
	return ""
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
