package main

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/seqio"
)

// hitFlags say how occurrences are told.
type hitFlags struct {
	format  cli.Choice
	maxHits int
}

const hitsHelp = `--format bed writes six columns (sequence, start, end, query, score 0, strand), --format paf
the twelve of a PAF file; docs/formats.md describes them. Of a query that occurs more than
--max-hits times there is one line with the number of its occurrences and no position.`

func (f *hitFlags) addHits(c *cobra.Command) {
	f.format = cli.Choice{Value: "tsv", Of: []string{"tsv", "bed", "paf"}}
	c.Flags().Var(&f.format, "format", "lines of the result: tsv, bed, or paf")
	c.Flags().IntVar(&f.maxHits, "max-hits", 0, "most occurrences of a query that are located; 0: all")
}

// check tells of wrong usage.
func (f *hitFlags) check() error {
	if f.maxHits < 0 {
		return cli.Usage("--max-hits %d: want 0 or more", f.maxHits)
	}
	return nil
}

// target is what positions are told in: the records of a text, or the text itself.
type target struct {
	records seqio.Table
	name    string // of the text, where there are no records
	length  int
}

// textName is what a text without records is called in columns of names.
func textName(file string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' {
			return '_'
		}
		return r
	}, filepath.Base(file))
}

// find returns name and length of the sequence that has an occurrence, and its place there.
func (t *target) find(position uint32, length int) (name string, size, offset int, err error) {
	if len(t.records) == 0 {
		return t.name, t.length, int(position), nil
	}
	record, offset, ok := t.records.Find(int(position), length)
	if !ok {
		return "", 0, 0, fmt.Errorf("an occurrence of %d characters at %d is in no record: the index is damaged",
			length, position)
	}
	return recordName(t.records[record], int64(record)), t.records[record].Length, offset, nil
}

// hitWriter writes occurrences.
type hitWriter struct {
	rowWriter
	target
	format string
	both   bool // strands were searched
}

var strandNames = [2]string{forward: "+", reverse: "-"}

// write writes what was found of a query.
func (w *hitWriter) write(q *queries, f *found) error {
	name, length := q.name(f.query), len(q.Pattern(f.query))/max(q.SymbolBytes, 1)
	if f.tooMany {
		return w.tooMany(name, length, f.all())
	}
	for position, strand := range f.hits() {
		sequence, size, offset, err := w.find(position, length)
		if err != nil {
			return err
		}
		switch w.format {
		case "bed":
			w.bed(sequence, offset, offset+length, name, strandNames[strand])
		case "paf":
			w.paf(name, length, strandNames[strand], sequence, size, offset)
		default:
			w.tsv(name, sequence, offset, strandNames[strand])
		}
		if err := w.end(); err != nil {
			return err
		}
	}
	return nil
}

func (w *hitWriter) tsv(name, sequence string, offset int, strand string) {
	w.text(name)
	if len(w.records) > 0 {
		w.line = append(append(w.line, sequence...), ':')
	}
	w.number(uint64(offset))
	if w.both {
		w.text(strand)
	}
}

func (w *hitWriter) bed(sequence string, start, end int, name, strand string) {
	w.text(sequence)
	w.number(uint64(start))
	w.number(uint64(end))
	w.text(name)
	w.number(0) // score
	w.text(strand)
}

// mapqMissing is the mapping quality of PAF that says nothing.
const mapqMissing = 255

func (w *hitWriter) paf(name string, length int, strand, sequence string, size, offset int) {
	w.text(name)
	w.number(uint64(length))
	w.number(0)
	w.number(uint64(length))
	w.text(strand)
	w.text(sequence)
	for _, n := range []int{size, offset, offset + length, length, length, mapqMissing} {
		w.number(uint64(n))
	}
}

// tooMany is the line of a query whose positions are not told.
func (w *hitWriter) tooMany(name string, length, count int) error {
	switch w.format {
	case "bed": // which has no line without a place but comments
		w.text("#more than --max-hits")
		w.text(name)
		w.number(uint64(count))
	case "paf": // as of a query without a place
		w.text(name)
		w.number(uint64(length))
		w.number(0)
		w.number(0)
		w.text("*")
		w.text("*")
		for range 6 {
			w.number(0)
		}
		w.text("nh:i:" + strconv.Itoa(count))
	default:
		w.text(name)
		w.text("*")
		if w.both {
			w.text("*")
		}
		w.number(uint64(count))
	}
	return w.end()
}
