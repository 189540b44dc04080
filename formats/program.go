package formats

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/formats/internal/bowtie2"
	"github.com/suffixcl/suffixcl/formats/internal/bwa"
	"github.com/suffixcl/suffixcl/formats/internal/bwamem2"
	"github.com/suffixcl/suffixcl/formats/internal/genometools"
	"github.com/suffixcl/suffixcl/formats/internal/indexfiles"
	"github.com/suffixcl/suffixcl/formats/internal/minibwa"
	"github.com/suffixcl/suffixcl/formats/internal/movi"
	"github.com/suffixcl/suffixcl/formats/internal/star"
	"github.com/suffixcl/suffixcl/seqio"
)

// Program is a program whose index is made.
type Program string

// The programs, with the versions whose files these are.
const (
	Bowtie2      Program = "bowtie2"       // 2.5: .1.bt2 to .4.bt2, .rev.1.bt2, .rev.2.bt2
	Bowtie2Large Program = "bowtie2-large" // the same with numbers of 64 bits: .1.bt2l and so on
	BWA          Program = "bwa"           // 0.7: .amb, .ann, .bwt, .pac, .sa
	BWAMEM2      Program = "bwa-mem2"      // 2: .0123, .amb, .ann, .bwt.2bit.64, .pac
	Minibwa      Program = "minibwa"       // .l2b, .mbw
	GenomeTools  Program = "genometools"   // 1.6: .suf, .lcp, .llv, .bwt, .prj
	STAR         Program = "star"          // 2.7.10b: the files of a folder, such as SA; see NewSTAR

	Movi          Program = "movi"            // and SPUMONI, MONI: .bwt.heads, .bwt.len, .thr_pos
	MoviSeparated Program = "movi-separators" // the same with a % after each strand of each record
)

// reference is the text that a program indexes.
type reference interface {
	Plan(ctx context.Context, e *suffixcl.Engine) (device.MemoryPlan, error)
	Write(ctx context.Context, e *suffixcl.Engine, files *indexfiles.Set) error
}

// program is what makes and reads the index of one.
type program struct {
	suffixes func() []string
	new      func(b *seqio.Batch) (reference, error)
	read     func(prefix string) error
}

// programOf is a program of the functions of its package.
func programOf[R reference, X any](
	suffixes func() []string, make func(b *seqio.Batch) (R, error), read func(prefix string) (X, error),
) program {
	return program{
		suffixes, func(b *seqio.Batch) (reference, error) { return make(b) },
		func(prefix string) error { _, err := read(prefix); return err },
	}
}

var programs = map[Program]program{
	Bowtie2:      programOf(bowtie2.Suffixes, bowtie2.New, bowtie2.Read),
	Bowtie2Large: programOf(bowtie2.LargeSuffixes, bowtie2.NewLarge, bowtie2.Read),
	BWA:          programOf(bwa.Suffixes, bwa.New, bwa.Read),
	BWAMEM2:      programOf(bwamem2.Suffixes, bwamem2.New, bwamem2.Read),
	Minibwa:      programOf(minibwa.Suffixes, minibwa.New, minibwa.Read),
	GenomeTools:  programOf(genometools.Suffixes, genometools.New, genometools.Read),
	STAR:         programOf(star.Suffixes, star.NewPlain, star.Read),

	Movi:          programOf(movi.Suffixes, movi.New, movi.Read),
	MoviSeparated: programOf(movi.Suffixes, movi.NewSeparated, movi.Read),
}

// Programs are all of them, by name.
func Programs() []Program {
	all := make([]Program, 0, len(programs))
	for p := range programs {
		all = append(all, p)
	}
	slices.Sort(all)
	return all
}

func (p Program) known() (program, error) {
	known, ok := programs[p]
	if !ok {
		return program{}, fmt.Errorf("formats: no program %q", p)
	}
	return known, nil
}

// errNotMade says that a reference or files are zero ones.
var errNotMade = errors.New("formats: the reference is not one of Program.New, or the files are not of Program.Create")

// Suffixes are what the names of its files end in; none for an unknown program.
func (p Program) Suffixes() []string {
	if known, ok := programs[p]; ok {
		return known.suffixes()
	}
	return nil
}

// New returns the reference of these records, whose headers are whole: see Sequences. It keeps a byte a base at most,
// two for Movi, and not the records. Letters that are no bases are treated as the program does. Errors: an unknown
// program; no bases, or more than the program takes, as a *suffixcl.LengthError.
func (p Program) New(b *seqio.Batch) (*Reference, error) {
	known, err := p.known()
	if err != nil {
		return nil, err
	}
	of, err := known.new(b)
	if err != nil {
		return nil, err
	}
	return &Reference{of, p}, nil
}

// Check reads the index of a prefix, whoever wrote it: its files are whole, and their sizes and counts agree. Of
// bowtie2 it is the small one, if there is one. Memory: up to 9 bytes a base. Errors: an unknown program; those of the
// file system; suffixcl.ErrFormat with the file, the byte and what is wrong.
func (p Program) Check(prefix string) error {
	known, err := p.known()
	if err != nil {
		return err
	}
	return known.read(prefix)
}

// Sequences are the options to read a reference with: FASTA, with headers as they are.
func Sequences(name string) seqio.Options { return indexfiles.Sequences(name) }

// Reference is a text that a program indexes.
type Reference struct {
	of      reference
	program Program
}

// Plan returns the memory that Write takes. Errors: the device's.
func (r *Reference) Plan(ctx context.Context, e *suffixcl.Engine) (device.MemoryPlan, error) {
	if r == nil || r.of == nil {
		return nil, errNotMade
	}
	return r.of.Plan(ctx, e)
}

// Match compares the reference with what the program itself has left at the prefix, which its index refers to: the
// encoded sequence of GenomeTools. Write takes over what is to be known of it. Other programs leave nothing. Errors:
// one that matches fs.ErrNotExist if it is not there; suffixcl.ErrFormat if it is that of another reference.
func (r *Reference) Match(prefix string) error {
	if r == nil || r.of == nil {
		return errNotMade
	}
	if m, ok := r.of.(interface{ MatchEncoded(prefix string) error }); ok {
		return m.MatchEncoded(prefix)
	}
	return nil
}

// Write makes the index on the device of the engine, and writes its files. Errors: those of Engine.Arrays and
// Engine.Ranges; of the file system; the context's.
func (r *Reference) Write(ctx context.Context, e *suffixcl.Engine, files *Files) error {
	if r == nil || r.of == nil || files == nil || files.set == nil {
		return errNotMade
	}
	return r.of.Write(ctx, e, files.set)
}
