package fmd

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"strconv"
)

// Sequence is a record of which an index has one strand or both.
type Sequence struct {
	Name   string
	Length int
}

// WriteLengths writes an .fmd.len.gz: a line for each sequence, its name, a tab and its length. Errors: those of w; a
// sequence that the format has no room for, without letters or with 2^31 of them.
func WriteLengths(w io.Writer, sequences []Sequence) error {
	z := gzip.NewWriter(w)
	var line []byte
	for i, s := range sequences {
		if s.Length < 1 || s.Length > math.MaxInt32 {
			return fmt.Errorf("sequence %d has %d letters", i+1, s.Length)
		}
		line = append(append(line[:0], s.Name...), '\t')
		if _, err := z.Write(append(strconv.AppendInt(line, int64(s.Length), 10), '\n')); err != nil {
			return err
		}
	}
	return z.Close()
}

// ReadLengths reads an .fmd.len.gz. Errors: those of r and of gzip; a line without a length.
func ReadLengths(r io.Reader) (sequences []Sequence, err error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewReader(z)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			return sequences, nil
		}
		if err != nil && err != io.EOF {
			return nil, err
		}
		line = bytes.TrimRight(line, "\r\n")
		at := bytes.LastIndexAny(line, "\t ")
		length, wrong := strconv.ParseInt(string(line[at+1:]), 10, 32)
		if at < 0 || wrong != nil || length < 1 {
			return nil, fmt.Errorf("line %d has no length", number)
		}
		sequences = append(sequences, Sequence{string(line[:at]), int(length)})
	}
}
