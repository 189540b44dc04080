package search

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/bed"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/paf"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/cmd/internal/source"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/seqio"
)

// Hits say how occurrences are told.
type Hits struct {
	Format  cli.Choice
	MaxHits int
}

// HitsHelp is what the help says of lines of occurrences.
const HitsHelp = `--format bed writes six columns (sequence, start, end, query, score 0, strand), --format paf
the twelve of a PAF file; docs/formats.md describes them. Of a query that occurs more than
--max-hits times there is one line with the number of its occurrences and no position.`

// AddHits declares the flags.
func (f *Hits) AddHits(c *cobra.Command) {
	f.Format = cli.Choice{Value: "tsv", Of: []string{"tsv", "bed", "paf"}}
	c.Flags().Var(&f.Format, "format", "lines of the result: tsv, bed, or paf")
	c.Flags().IntVar(&f.MaxHits, "max-hits", 0, "most occurrences of a query that are located; 0: all")
}

// Check tells of wrong usage.
func (f *Hits) Check() error {
	if f.MaxHits < 0 {
		return cli.Usage("--max-hits %d: want 0 or more", f.MaxHits)
	}
	return nil
}

// Target is what positions are told in: the records of a text, or the text itself.
type Target struct {
	Records seqio.Table
	Name    string // of the text, where there are no records
	Length  int
}

// TextName is what a text without records is called in columns of names.
func TextName(file string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' {
			return '_'
		}
		return r
	}, filepath.Base(file))
}

// find returns name and length of the sequence that has an occurrence, and its place there.
func (t *Target) find(position uint64, length int) (name string, size, offset int, err error) {
	if len(t.Records) == 0 {
		return t.Name, t.Length, int(position), nil
	}
	record, offset, ok := t.Records.Find(int(position), length)
	if !ok {
		return "", 0, 0, fmt.Errorf("an occurrence of %d characters at %d is in no record: the index is damaged",
			length, position)
	}
	return tsv.Name(t.Records[record].Name, int64(record)), t.Records[record].Length, offset, nil
}

// HitWriter writes occurrences.
type HitWriter struct {
	tsv.Writer
	Target
	Format string
	Both   bool // strands were searched
}

var strandNames = [2]string{Forward: "+", Reverse: "-"}

// WriteFound writes what was found of a query.
func (w *HitWriter) WriteFound(q *source.Queries, f *Found) error {
	name, length := q.Name(f.Query), len(q.Pattern(f.Query))/max(q.SymbolBytes, 1)
	if f.tooMany {
		return w.tooMany(name, length, f.all())
	}
	for position, strand := range f.hits() {
		sequence, size, offset, err := w.find(position, length)
		if err != nil {
			return err
		}
		switch w.Format {
		case "bed":
			err = bed.Write(&w.Writer, bed.Feature{Sequence: sequence, Start: offset, End: offset + length, Name: name,
				Strand: strandNames[strand]})
		case "paf":
			err = paf.Write(&w.Writer, paf.Match{Query: name, QueryLength: length, Length: length,
				Strand: strandNames[strand], Target: sequence, TargetLength: size, TargetStart: offset})
		default:
			err = w.tsv(name, sequence, offset, strandNames[strand])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *HitWriter) tsv(name, sequence string, offset int, strand string) error {
	w.Text(name)
	if len(w.Records) > 0 {
		w.Line = append(append(w.Line, sequence...), ':')
	}
	w.Number(uint64(offset))
	if w.Both {
		w.Text(strand)
	}
	return w.End()
}

// tooMany is the line of a query whose positions are not told.
func (w *HitWriter) tooMany(name string, length, count int) error {
	switch w.Format {
	case "bed": // which has no line without a place but comments
		w.Text("#more than --max-hits")
		w.Text(name)
		w.Number(uint64(count))
	case "paf":
		return paf.WriteUnplaced(&w.Writer, name, length, count)
	default:
		w.Text(name)
		w.Text("*")
		if w.Both {
			w.Text("*")
		}
		w.Number(uint64(count))
	}
	return w.End()
}
