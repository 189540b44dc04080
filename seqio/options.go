package seqio

import (
	"fmt"
	"strings"

	"github.com/suffixcl/suffixcl/internal/nucleotide"
)

// Format of an input.
type Format int

// The formats.
const (
	Auto Format = iota
	Plain
	FASTA
	FASTQ
)

var formatNames = [...]string{"auto", "plain", "fasta", "fastq"}

// Formats lists the names of the formats.
func Formats() []string { return formatNames[:] }

func (f Format) String() string { return formatNames[f] }

// label is the name for people.
func (f Format) label() string {
	if f == FASTA || f == FASTQ {
		return strings.ToUpper(f.String())
	}
	return f.String()
}

// ParseFormat finds a format by name.
func ParseFormat(name string) (Format, error) {
	for f, known := range formatNames {
		if name == known {
			return Format(f), nil
		}
	}
	return 0, fmt.Errorf("unknown format %q: have %s", name, strings.Join(formatNames[:], ", "))
}

// Alphabet is what sequences may hold; see the package documentation.
type Alphabet int

// The alphabets.
const (
	Any Alphabet = iota
	DNA
)

// Ambiguous says what becomes of the ambiguity codes of DNA.
type Ambiguous int

// The policies for ambiguity codes.
const (
	Keep   Ambiguous = iota // they stay as they are
	ToN                     // each becomes N, or n
	Refuse                  // they are errors, N too
)

// Options of a Reader. The zero value finds out the format.
type Options struct {
	Name      string // of the file, for errors
	Format    Format
	Alphabet  Alphabet
	Upper     bool // a to z become A to Z
	Ambiguous Ambiguous
	Quality   bool   // keep the quality symbols of FASTQ
	Separator []byte // put after each sequence in the text of a batch
	MaxRecord int    // longest sequence, to bound memory; 0: any
}

// What a symbol is, besides the byte that it becomes.
const (
	wrong = -1
	blank = -2
)

// symbols tells for each byte of a sequence what it becomes.
func (o Options) symbols() *[256]int16 {
	var table [256]int16
	for c := range table {
		table[c] = wrong
	}
	table[' '], table['\t'] = blank, blank
	letter := func(upper byte, becomes byte) {
		lower := upper | 0x20
		table[upper], table[lower] = int16(becomes), int16(becomes|0x20)
		if o.Upper {
			table[lower] = int16(becomes)
		}
	}
	if o.Alphabet == DNA {
		for _, c := range []byte(nucleotide.Bases) {
			letter(c, c)
		}
		letter('U', 'T')
		for _, c := range []byte(nucleotide.Ambiguous) {
			switch o.Ambiguous {
			case Keep:
				letter(c, c)
			case ToN:
				letter(c, 'N')
			}
		}
		return &table
	}
	for c := byte('A'); c <= 'Z'; c++ {
		letter(c, c)
	}
	for _, c := range []byte("*-.") {
		table[c] = int16(c)
	}
	return &table
}

// Error is input that is not of its format.
type Error struct {
	File   string
	Line   int64 // from 1; 0 if the place is not known
	Column int64 // from 1; 0 if the whole line is meant
	Why    string
}

func (e *Error) Error() string {
	place := e.File
	if place == "" {
		place = "input"
	}
	if e.Line > 0 {
		place = fmt.Sprintf("%s:%d", place, e.Line)
	}
	if e.Column > 0 {
		place = fmt.Sprintf("%s:%d", place, e.Column)
	}
	return place + ": " + e.Why
}
