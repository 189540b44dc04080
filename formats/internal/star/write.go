package star

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/formats/internal/indexfiles"
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

// Write makes the folder. Host memory: 3 bytes a position, 4 a row, 5.5 for each of 4^IndexBases sequences. Errors:
// those of the engine and of files; a genome that STAR cannot index.
func (r *Reference) Write(ctx context.Context, e *suffixcl.Engine, files *indexfiles.Set) error {
	a, err := r.sort(ctx, e)
	if err != nil {
		return err
	}
	if len(a.rows) == 0 {
		return errors.New("star: no position of the genome is kept: take a smaller genomeSAsparseD")
	}
	x, absent, err := r.index(a)
	if err != nil {
		return err
	}
	write := []func(ctx context.Context) error{
		func(ctx context.Context) error {
			return files.Write(ctx, genomeFile, int64(len(r.genome)), func(w io.Writer) error {
				_, err := w.Write(r.genome)
				return err
			})
		},
		func(ctx context.Context) error { return r.writeRows(ctx, files, a) },
		func(ctx context.Context) error { return r.writeIndex(ctx, files, x, absent) },
	}
	for name, text := range r.texts(len(a.rows)) {
		write = append(write, func(ctx context.Context) error {
			return files.Write(ctx, name, int64(len(text)), func(w io.Writer) error {
				_, err := io.WriteString(w, text)
				return err
			})
		})
	}
	return indexfiles.Together(ctx, write...)
}

// index makes the index of the rows.
func (r *Reference) index(a *array) (x *index, absent func(at int) bool, err error) {
	x = newIndex(r.options.IndexBases)
	if r.inserted() > 0 {
		absent, err = r.indexInserted(x, a)
		return x, absent, err
	}
	if err := x.fill(a, a.rows); err != nil {
		return nil, nil, err
	}
	return x, x.close(uint32(len(a.rows))), nil
}

// writeRows writes the suffix array: places of the genome, and those of its reverse complement with a bit.
func (r *Reference) writeRows(ctx context.Context, files *indexfiles.Set, a *array) error {
	bit, n := r.strandBit(), len(r.genome)
	return files.Write(ctx, rowsFile, packedSize(len(a.rows), bit+1), func(w io.Writer) error {
		return writePacked(w, len(a.rows), bit+1, func(values []uint64, first int) {
			for i := range values {
				place := a.place(int(a.rows[first+i]))
				if values[i] = uint64(place); place >= n {
					values[i] = uint64(place-n) | 1<<bit
				}
			}
		})
	})
}

// writeIndex writes the index: the levels, where each begins, and its entries.
func (r *Reference) writeIndex(ctx context.Context, files *indexfiles.Set, x *index, absent func(at int) bool) error {
	bit := r.strandBit()
	head := little.AppendUint64(nil, uint64(x.levels))
	for _, start := range x.starts {
		head = little.AppendUint64(head, uint64(start))
	}
	size := int64(len(head)) + packedSize(len(x.row), bit+3)
	return files.Write(ctx, indexFile, size, func(w io.Writer) error {
		if _, err := w.Write(head); err != nil {
			return err
		}
		return writePacked(w, len(x.row), bit+3, func(values []uint64, first int) {
			for i := range values {
				at := first + i
				values[i] = uint64(x.row[at])
				if x.ends[at/64]>>(at%64)&1 != 0 {
					values[i] |= 1 << (bit + 1)
				}
				if absent(at) {
					values[i] |= 1 << (bit + 2)
				}
			}
		})
	})
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
