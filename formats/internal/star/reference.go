package star

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/separated"
	"github.com/suffixcl/suffixcl/seqio"
)

// Options of a genome, as STAR names them; 0 stands for its defaults.
type Options struct {
	IndexBases  int      // --genomeSAindexNbases: letters of the index before the suffix array, 1 to 16; 14
	BinBits     int      // --genomeChrBinNbits: a sequence begins at a multiple of 2 to this; 18
	Sparse      int      // --genomeSAsparseD: of so many positions one is kept; 1
	InsertLimit int      // --limitSjdbInsertNsj: junctions that may be inserted later; 1,000,000
	Files       []string // of FASTA, whose names the parameters have
	CommandLine string   // the first line of the parameters has it
	Annotation           // junctions that are inserted
}

// The bounds of options.
const (
	mostIndexBases  = 16
	mostBinBits     = 32
	mostSparse      = 1 << 16
	mostInsertLimit = 1 << 31
)

// withDefaults are the options with STAR's defaults. Errors: one out of bounds, by its name.
func (o Options) withDefaults() (Options, error) {
	for _, v := range []struct {
		name       string
		value      *int
		standard   int
		least, top int
	}{
		{"genomeSAindexNbases", &o.IndexBases, 14, 1, mostIndexBases},
		{"genomeChrBinNbits", &o.BinBits, 18, 1, mostBinBits},
		{"genomeSAsparseD", &o.Sparse, 1, 1, mostSparse},
		{"limitSjdbInsertNsj", &o.InsertLimit, 1_000_000, 1, mostInsertLimit},
		{"sjdbOverhang", &o.Overhang, 100, 1, mostOverhang},
	} {
		if *v.value == 0 {
			*v.value = v.standard
		}
		if *v.value < v.least || *v.value > v.top {
			return o, fmt.Errorf("star: %s is %d: %d to %d are possible", v.name, *v.value, v.least, v.top)
		}
	}
	return o, nil
}

// mostBases is the longest genome: both strands are sorted as one text.
const mostBases = suffixcl.MaxRangesLen / 2

// Contig is a sequence of the genome.
type Contig struct {
	Name          string
	Start, Length int
}

// Reference is a genome that STAR indexes.
type Reference struct {
	Contigs []Contig
	options Options
	genome  []byte // [plain] codes, and those of the junctions that are inserted
	plain   int
	both    *separated.Text // nil until it is asked for
	gene    *annotated
}

// New returns the genome of these records, whose headers are whole (indexfiles.Sequences), with its junctions. It keeps
// 1 byte a position of the folder's Genome. Errors: options out of their bounds; no base; more than both strands may
// have, as a *suffixcl.LengthError; those of annotations.
func New(b *seqio.Batch, o Options) (*Reference, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	r := &Reference{options: o}
	end := 0
	for _, record := range b.Records {
		name := ""
		if words := strings.Fields(record.Name); len(words) > 0 {
			name = words[0]
		}
		start := o.align(end)
		r.Contigs = append(r.Contigs, Contig{name, start, record.Length})
		end = start + record.Length
		if end > mostBases {
			break
		}
	}
	r.plain = o.align(end)
	if end > mostBases {
		return nil, &suffixcl.LengthError{What: "genome, of which STAR sorts both strands,", Len: end, Max: mostBases}
	}
	r.genome = addressspace.Make[byte](r.plain)
	parallel.Do(r.plain, 1<<20, func(lo, hi int) {
		for i := range r.genome[lo:hi] {
			r.genome[lo+i] = Spacer
		}
	})
	for k, record := range b.Records {
		to, from := r.genome[r.Contigs[k].Start:], b.Text[record.Offset:record.Offset+record.Length]
		parallel.Do(record.Length, 1<<18, func(lo, hi int) {
			for i, letter := range from[lo:hi] {
				to[lo+i] = codes[letter]
			}
		})
	}
	if !bytes.ContainsAny(r.genome, "\x00\x01\x02\x03") {
		return nil, errors.New("star: the genome has no base")
	}
	return r, r.annotate()
}

// align is where the next sequence begins after one that ends there.
func (o Options) align(end int) int {
	if end == 0 {
		return 0
	}
	bin := 1 << o.BinBits
	return ((end+1)/bin + 1) * bin
}

// Len is the number of positions of the folder's Genome, without junctions.
func (r *Reference) Len() int { return r.plain }

// strandBit is the bit of an entry of the suffix array that says that it is on the reverse strand.
func (r *Reference) strandBit() int {
	most := float64(r.plain) + float64(r.options.InsertLimit)*float64(2*r.options.Overhang+1)
	return max(32, int(math.Floor(math.Log(most)/math.Ln2))+1)
}

// plainPlace is a place of both strands, without junctions. It is not ok for a place of a junction.
func (r *Reference) plainPlace(place int) (plain int, ok bool) {
	n, junctions := len(r.genome), len(r.genome)-r.plain
	switch {
	case place < r.plain:
		return place, true
	case place >= n+junctions:
		return place - 2*junctions, true
	}
	return 0, false
}
