package source

import (
	"bytes"
	"fmt"

	"github.com/suffixcl/suffixcl/internal/jsonline"
	"github.com/suffixcl/suffixcl/seqio"
)

// written keeps the bytes of a file until its records are taken from them, as they are written there. What is before
// the first record belongs to none, nor do blank lines between records of FASTQ.
type written struct {
	format seqio.Format // Plain: lines
	data   []byte
	at     int // bytes before it are done with
	begun  bool
}

// Write appends bytes of the file.
func (w *written) Write(p []byte) (int, error) {
	if w.at > len(w.data)/2 && len(w.data)+len(p) > cap(w.data) {
		w.data = w.data[:copy(w.data, w.data[w.at:])]
		w.at = 0
	}
	w.data = append(w.data, p...)
	return len(p), nil
}

// take appends the next records, each with the end of its last line, and where they end. A reader of the same bytes has
// found these records, and so all of their bytes are there. Errors: bytes that end before them.
func (w *written) take(to []byte, ends []int, records seqio.Table) ([]byte, []int, error) {
	if !w.begun {
		w.begun = true
		if bytes.HasPrefix(w.data, []byte(jsonline.ByteOrderMark)) {
			w.at = len(jsonline.ByteOrderMark)
		}
	}
	for _, r := range records {
		if w.skip(); w.at >= len(w.data) {
			return to, ends, fmt.Errorf("record %q: its bytes are missing", r.Name)
		}
		from := w.at
		switch w.format {
		case seqio.FASTA:
			w.fasta()
		case seqio.FASTQ:
			w.fastq(r.Length)
		default:
			w.line()
		}
		to = append(to, w.data[from:w.at]...)
		if to[len(to)-1] != '\n' {
			to = append(to, '\n')
		}
		ends = append(ends, len(to))
	}
	return to, ends, nil
}

// line passes over a line, and returns it without its end.
func (w *written) line() []byte {
	line, _, ended := bytes.Cut(w.data[w.at:], []byte("\n"))
	if w.at += len(line); ended {
		w.at++
	}
	return bytes.TrimSuffix(line, []byte("\r"))
}

// skip passes over what is before a record.
func (w *written) skip() {
	mark := byte('>')
	switch w.format {
	case seqio.FASTA:
	case seqio.FASTQ:
		mark = '@'
	default:
		return
	}
	for w.at < len(w.data) && w.data[w.at] != mark {
		w.line()
	}
}

// fasta passes over a record of FASTA, with blank lines and comments in it and after it.
func (w *written) fasta() {
	if next := bytes.Index(w.data[w.at:], []byte("\n>")); next >= 0 {
		w.at += next + 1
	} else {
		w.at = len(w.data)
	}
}

// fastq passes over a record of FASTQ with so many letters.
func (w *written) fastq(letters int) {
	w.line()
	for w.at < len(w.data) && w.data[w.at] != '+' {
		w.line()
	}
	w.line()
	for first := true; w.at < len(w.data) && (first || letters > 0); first = false {
		letters -= len(w.line())
	}
}
