package formats

import (
	"github.com/suffixcl/suffixcl/formats/internal/star"
	"github.com/suffixcl/suffixcl/seqio"
)

// STARInput is a file that an annotation is read from: its name, which the folder has, and its bytes.
type STARInput struct {
	Name string
	Text []byte
}

// STAROptions are those of STAR's genomeGenerate, by the names that it has for them. 0 stands for its defaults.
type STAROptions struct {
	IndexBases  int         // genomeSAindexNbases: letters of the index before the suffix array, 1 to 16; 14
	BinBits     int         // genomeChrBinNbits: a sequence begins at a multiple of 2 to this; 18
	Sparse      int         // genomeSAsparseD: of so many positions one is kept; 1
	InsertLimit int         // limitSjdbInsertNsj: junctions that STAR may insert when it maps; 1,000,000
	Files       []string    // genomeFastaFiles
	CommandLine string      // the first line of genomeParameters.txt
	GTF         STARInput   // sjdbGTFfile: exons of transcripts
	Junctions   []STARInput // sjdbFileChrStartEnd: sequence, first and last base of the intron, strand
	Overhang    int         // sjdbOverhang: bases on each side of a junction; 100
}

// NewSTAR returns the genome of these records with its annotation, for the prefix of a folder: "genome/". New is that
// without options. Errors: as New; options out of their bounds; suffixcl.ErrFormat for an annotation, with its line.
func NewSTAR(b *seqio.Batch, o STAROptions) (*Reference, error) {
	inner := star.Options{IndexBases: o.IndexBases, BinBits: o.BinBits, Sparse: o.Sparse, InsertLimit: o.InsertLimit,
		Files: o.Files, CommandLine: o.CommandLine}
	inner.GTF, inner.Overhang = star.Input(o.GTF), o.Overhang
	for _, j := range o.Junctions {
		inner.Junctions = append(inner.Junctions, star.Input(j))
	}
	of, err := star.New(b, inner)
	if err != nil {
		return nil, err
	}
	return &Reference{of, STAR}, nil
}

// Suffixes are what the names of the files of this reference end in. A folder of STAR has more with an annotation.
func (r *Reference) Suffixes() []string {
	if r == nil {
		return nil
	}
	if own, ok := r.of.(interface{ Suffixes() []string }); ok {
		return own.Suffixes()
	}
	return r.program.Suffixes()
}

// Notes are what people should know of what was read, such as exons that were left out.
func (r *Reference) Notes() []string {
	if r == nil {
		return nil
	}
	if own, ok := r.of.(interface{ Notes() []string }); ok {
		return own.Notes()
	}
	return nil
}

// Size is the bytes of the files that Write makes; 0 where that is not known before: of all but STAR.
func (r *Reference) Size() int64 {
	if r == nil {
		return 0
	}
	if own, ok := r.of.(interface{ Size() int64 }); ok {
		return own.Size()
	}
	return 0
}
