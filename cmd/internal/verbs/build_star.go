package verbs

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/formats"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/seqio"
)

const starHelp = `Build the genome folder of STAR 2.7.10b, as "STAR --runMode genomeGenerate" does: DIR has
Genome, SA, SAindex, genomeParameters.txt and the tables of sequences. "STAR --genomeDir DIR"
takes it. DIR may be there. With --gtf and --junctions their junctions are inserted, and DIR
has the tables of the annotation, too. Flags may have STAR's own names, such as
--genomeSAindexNbases.

Both strands are sorted as one text, in ranges if it does not fit in one piece: up to
34,359,738,368 bases, with what is between sequences. The host has a byte a base and blocks
of rows, the device the index before the suffix array: plan tells how much, and the room on
the disk.`

// starFlags are the options of STAR.
type starFlags struct {
	formats.STAROptions
	gtf       cli.FileName
	junctions []string
	flags     *pflag.FlagSet
}

// starNames are the names that STAR has for flags.
var starNames = map[string]string{
	"genomeSAindexNbases": "sa-index-bases", "genomeChrBinNbits": "chr-bin-bits", "genomeSAsparseD": "sparse",
	"sjdbGTFfile": "gtf", "sjdbFileChrStartEnd": "junctions", "sjdbOverhang": "overhang",
	"limitSjdbInsertNsj": "limit-insert",
}

func (f *starFlags) add(flags *pflag.FlagSet) {
	f.flags = flags
	flags.IntVar(&f.IndexBases, "sa-index-bases", 14,
		"letters of the index before the suffix array: for small genomes log2(bases)/2 - 1")
	flags.IntVar(&f.BinBits, "chr-bin-bits", 18,
		"a sequence begins at a multiple of 2 to this: for many sequences log2(bases/sequences)")
	flags.IntVar(&f.Sparse, "sparse", 1, "keep every so many positions: less memory, and slower mapping")
	flags.Var(&f.gtf, "gtf", "GTF with exons, of which transcripts are made")
	flags.StringSliceVar(&f.junctions, "junctions", nil,
		"tables of junctions: sequence, first and last base of the intron, strand")
	flags.IntVar(&f.Overhang, "overhang", 100, "bases on each side of a junction: the length of reads less 1")
	flags.IntVar(&f.InsertLimit, "limit-insert", 1_000_000, "most junctions that STAR may insert when it maps")
	flags.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if ours, ok := starNames[name]; ok {
			name = ours
		}
		return pflag.NormalizedName(name)
	})
}

func (f *starFlags) reads() []cli.Accepted {
	return []cli.Accepted{cli.Reads("gtf", "GTF"), cli.Reads("junctions", "junctions")}
}

func (f *starFlags) files() []string {
	if f.gtf == "" {
		return f.junctions
	}
	return append([]string{string(f.gtf)}, f.junctions...)
}

func (f *starFlags) check() error {
	o := f.STAROptions
	for _, v := range []struct {
		name       string
		value, top int
	}{
		{"sa-index-bases", o.IndexBases, 16}, {"chr-bin-bits", o.BinBits, 32}, {"sparse", o.Sparse, 1 << 16},
		{"overhang", o.Overhang, 1 << 20}, {"limit-insert", o.InsertLimit, 1 << 31},
	} {
		if v.value < 1 || v.value > v.top {
			return cli.Usage("--%s is %d: 1 to %d are possible", v.name, v.value, v.top)
		}
	}
	return cli.CheckList(f.flags, "junctions", f.junctions)
}

func (f *starFlags) reference(ctx context.Context, j *job.Job, records *seqio.Batch, files []string) (
	*formats.Reference, error) {
	o := f.STAROptions
	o.Files, o.CommandLine = files, strings.Join(os.Args, " ")
	var err error
	if f.gtf != "" {
		if o.GTF, err = readAnnotation(ctx, j, string(f.gtf)); err != nil {
			return nil, err
		}
	}
	for _, name := range f.junctions {
		in, err := readAnnotation(ctx, j, name)
		if err != nil {
			return nil, err
		}
		o.Junctions = append(o.Junctions, in)
	}
	r, err := formats.NewSTAR(records, o)
	if err != nil {
		return nil, err
	}
	for _, note := range r.Notes() {
		j.Session.Note("%s", note)
	}
	return r, nil
}

// readAnnotation reads a file, compressed or not.
func readAnnotation(ctx context.Context, j *job.Job, name string) (made formats.STARInput, err error) {
	in, err := cli.OpenText(ctx, name, cli.InputOptions{Raw: j.Flags.Raw})
	if err != nil {
		return made, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	text, err := in.ReadAll(ctx, nil, j.Session.Progress.Of("read"))
	return formats.STARInput{Name: name, Text: text}, err
}
