package star

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/formats/internal/indexfiles"
	"github.com/suffixcl/suffixcl/internal/prefixes"
)

// version is that of the folder.
const version = "2.7.4a"

// Names of the files of a folder. Suffixes are all of them.
const (
	genomeFile     = "Genome"
	rowsFile       = "SA"
	indexFile      = "SAindex"
	parametersFile = "genomeParameters.txt"
)

// Suffixes are the names of the files of a genome without annotation.
func Suffixes() []string {
	return []string{genomeFile, rowsFile, indexFile, "chrLength.txt", "chrName.txt", "chrNameLength.txt", "chrStart.txt",
		parametersFile}
}

// Suffixes are the names of the files of this genome.
func (r *Reference) Suffixes() []string {
	all := Suffixes()
	for _, f := range r.tables() {
		all = append(all, f.name)
	}
	return all
}

// Size is the bytes of all files.
func (r *Reference) Size() int64 {
	rows, bit := r.plainRows()+r.insertedRows(), r.strandBit()
	entries := prefixes.Sequences(r.options.IndexBases)
	size := int64(len(r.genome)) + packedSize(max(rows, 1), bit+1) + int64(8*(2+r.options.IndexBases)) +
		packedSize(entries, bit+3)
	for _, text := range r.texts(rows) {
		size += int64(len(text))
	}
	return size
}

// Write makes the folder. Host memory: a byte a position, and where both strands are sorted in one piece two more;
// blocks of rows. Errors: those of the engine and of files; a genome that STAR cannot index.
func (r *Reference) Write(ctx context.Context, e *suffixcl.Engine, files *indexfiles.Set) error {
	plain, inserted := r.plainRows(), r.insertedRows()
	if plain+inserted == 0 {
		return errors.New("star: no position of the genome is kept: take a smaller genomeSAsparseD")
	}
	write := []func(ctx context.Context) error{
		func(ctx context.Context) error {
			return files.Write(ctx, genomeFile, int64(len(r.genome)), func(w io.Writer) error {
				_, err := w.Write(r.genome)
				return err
			})
		},
		func(ctx context.Context) error {
			last, err := r.writeRows(ctx, e, files, plain+inserted)
			if err != nil {
				return err
			}
			return r.writeIndex(ctx, e, files, last)
		},
	}
	for name, text := range r.texts(plain + inserted) {
		write = append(write, func(ctx context.Context) error {
			return files.Write(ctx, name, int64(len(text)), func(w io.Writer) error {
				_, err := io.WriteString(w, text)
				return err
			})
		})
	}
	return indexfiles.Together(ctx, write...)
}

// writeRows sorts the suffixes and writes the suffix array: places of the genome, and those of its reverse complement
// with a bit. last is the row of the last suffix of the genome without junctions.
func (r *Reference) writeRows(ctx context.Context, e *suffixcl.Engine, files *indexfiles.Set, n int) (
	last int, err error) {
	width := r.strandBit() + 1
	err = files.Write(ctx, rowsFile, packedSize(n, width), func(w io.Writer) error {
		to := &rows{packed: newPacker(w, n, width), r: r, n: n}
		err := r.sorted(ctx, e, to)
		if failed := to.packed.close(); failed != nil {
			return failed
		}
		last = to.last
		return err
	})
	return last, err
}

// texts are the files that are read by people, by their names.
func (r *Reference) texts(rows int) map[string]string {
	var names, lengths, both, starts strings.Builder
	for _, c := range r.Contigs {
		fmt.Fprintln(&names, c.Name)
		fmt.Fprintln(&lengths, c.Length)
		fmt.Fprintf(&both, "%s\t%d\n", c.Name, c.Length)
		fmt.Fprintln(&starts, c.Start)
	}
	fmt.Fprintln(&starts, r.plain)
	texts := map[string]string{
		"chrName.txt": names.String(), "chrLength.txt": lengths.String(), "chrNameLength.txt": both.String(),
		"chrStart.txt": starts.String(), parametersFile: r.parameters(rows),
	}
	for _, f := range r.tables() {
		texts[f.name] = f.text
	}
	return texts
}

// parameters are those that STAR reads back.
func (r *Reference) parameters(rows int) string {
	o := r.options
	var text strings.Builder
	fmt.Fprintf(&text, "### %s\n### GstrandBit %d\n", strings.ReplaceAll(o.CommandLine, "\n", " "), r.strandBit())
	list := func(names []string) string { // each with a blank after it
		if len(names) == 0 {
			return "- "
		}
		return strings.Join(names, " ") + " "
	}
	overhang, gtf := o.Overhang, o.GTF.name()
	if !o.given() {
		overhang = 0
	}
	for _, p := range []struct {
		name  string
		value any
	}{
		{"versionGenome", version}, {"genomeType", "Full"}, {"genomeFastaFiles", list(o.Files)},
		{"genomeSAindexNbases", o.IndexBases}, {"genomeChrBinNbits", o.BinBits}, {"genomeSAsparseD", o.Sparse},
		{"genomeTransformType", "None"}, {"genomeTransformVCF", "-"}, {"sjdbOverhang", overhang},
		{"sjdbFileChrStartEnd", list(o.junctionNames())}, {"sjdbGTFfile", gtf}, {"sjdbGTFchrPrefix", "-"},
		{"sjdbGTFfeatureExon", "exon"}, {"sjdbGTFtagExonParentTranscript", "transcript_id"},
		{"sjdbGTFtagExonParentGene", "gene_id"}, {"sjdbInsertSave", "Basic"},
		{"genomeFileSizes", fmt.Sprintf("%d %d", len(r.genome), packedSize(rows, r.strandBit()+1))},
	} {
		fmt.Fprintf(&text, "%s\t%v\n", p.name, p.value)
	}
	return text.String()
}
