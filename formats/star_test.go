package formats_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/formats"
	"github.com/suffixcl/suffixcl/formats/internal/sorted"
	jobs "github.com/suffixcl/suffixcl/internal/jobs/genomes"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/needed"
	"github.com/suffixcl/suffixcl/seqio"
)

// starGenomes have what STAR may treat in ways of its own.
func starGenomes() map[string]string {
	unit := letters(200, "ACGT")
	many := strings.Builder{}
	for i := range 60 {
		many.WriteString(record(fmt.Sprint("c", i), letters(1+random.IntN(70), "ACGT"), "\n"))
	}
	complement := strings.NewReplacer("A", "T", "C", "G", "G", "C", "T", "A").Replace
	reversed := []byte(complement(unit))
	for i, j := 0, len(reversed)-1; i < j; i, j = i+1, j-1 {
		reversed[i], reversed[j] = reversed[j], reversed[i]
	}
	return map[string]string{
		"random":      record("r", letters(5000, "ACGT"), "\n"),
		"two":         record("a first", letters(700, "ACGT"), "\n") + record("b", letters(300, "ACGT"), "\n"),
		"crlf":        record("a\tx", letters(500, "acgtACGTN"), "\r\n"),
		"iupac":       record("  x y", letters(900, "ACGTacgtNRYKMSWBDHVU"), "\n"),
		"n":           record("n", strings.Repeat("N", 90)+letters(400, "ACGT")+strings.Repeat("N", 700)+unit+"NN", "\n"),
		"twins":       record("a", unit, "\n") + record("b", unit, "\n") + record("c", string(reversed), "\n"),
		"palindrome":  record("p", unit+string(reversed), "\n"),
		"many":        many.String(),
		"empty":       record("a", unit, "\n") + record("b", "", "\n") + record("c", unit[:50], "\n"),
		"empty first": record("a", "", "\n") + record("b", unit, "\n"),
		"tandem":      record("t", strings.Repeat("ACG", 300), "\n") + record("u", strings.Repeat("A", 100), "\n"),
		"one letter":  record("t", letters(200, "ACGT"), "\n") + record("u", "G", "\n"),
		"t at end":    record("t", letters(300, "ACGT")+"T", "\n") + record("u", letters(100, "ACGT")+"TT", "\n"),
	}
}

// generate has STAR make a folder.
func generate(t testing.TB, dir string, fasta string, args ...string) error {
	dir = filepath.Clean(dir)
	name := filepath.Join(filepath.Dir(dir), "genome.fa")
	require.NoError(t, os.WriteFile(name, []byte(fasta), 0o644))
	require.NoError(t, os.MkdirAll(dir, 0o755))
	args = append([]string{"--runMode", "genomeGenerate", "--runThreadN", "1", "--genomeDir", dir,
		"--genomeFastaFiles", name, "--outFileNamePrefix", filepath.Join(filepath.Dir(dir), "log.")}, args...)
	c := exec.Command(needed.Program(t, "STAR"), args...)
	c.Dir = filepath.Dir(dir)
	out, err := c.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// makeFolder makes a folder.
func makeFolder(t testing.TB, e *suffixcl.Engine, prefix, fasta string, o formats.STAROptions) (
	*formats.Reference, error) {
	b, err := seqio.ReadAll(strings.NewReader(fasta), formats.Sequences("genome.fa"))
	require.NoError(t, err)
	r, err := formats.NewSTAR(b, o)
	if err != nil {
		return nil, err
	}
	require.NoError(t, os.MkdirAll(filepath.Dir(prefix), 0o755))
	files, err := formats.STAR.Create(prefix, formats.Options{})
	require.NoError(t, err)
	defer files.Discard()
	plan, err := r.Plan(t.Context(), e)
	require.NoError(t, err)
	built = suffixcl.Stats{}
	if err := r.Write(suffixcl.WithStats(t.Context(), &built), e, files); err != nil {
		return nil, err
	}
	require.LessOrEqual(t, built.PeakBytes, plan.Device())
	return r, files.Commit()
}

// sameFolder compares all files of two folders, but the first line of the parameters.
func sameFolder(t testing.TB, got, want string, names []string) {
	same(t, got, want, names[:7]...)
	for _, name := range names[7:] {
		a, err := os.ReadFile(got + name)
		require.NoError(t, err)
		b, err := os.ReadFile(want + name)
		require.NoError(t, err)
		if name == "genomeParameters.txt" {
			_, a, _ = bytes.Cut(a, []byte("\n"))
			_, b, _ = bytes.Cut(b, []byte("\n"))
		}
		require.Equal(t, string(b), string(a), name)
	}
}

// folderSize is the bytes of all files of a folder.
func folderSize(t testing.TB, prefix string, names []string) (size int64) {
	for _, name := range names {
		info, err := os.Stat(prefix + name)
		require.NoError(t, err)
		size += info.Size()
	}
	return size
}

// compareWithSTAR has STAR make the same folder.
func compareWithSTAR(t *testing.T, e *suffixcl.Engine, fasta string, o formats.STAROptions) {
	dir := t.TempDir()
	theirFolder, made := filepath.Join(dir, "star")+"/", filepath.Join(dir, "made")+"/"
	args := []string{"--genomeSAindexNbases", fmt.Sprint(o.IndexBases), "--genomeChrBinNbits", fmt.Sprint(o.BinBits),
		"--genomeSAsparseD", fmt.Sprint(max(o.Sparse, 1))}
	if o.InsertLimit > 0 {
		args = append(args, "--limitSjdbInsertNsj", fmt.Sprint(o.InsertLimit))
	}
	if o.GTF.Name != "" {
		o.GTF.Name = filepath.Join(dir, o.GTF.Name)
		require.NoError(t, os.WriteFile(o.GTF.Name, o.GTF.Text, 0o644))
		args = append(args, "--sjdbGTFfile", o.GTF.Name)
	}
	if len(o.Junctions) > 0 {
		args = append(args, "--sjdbFileChrStartEnd")
		o.Junctions = slices.Clone(o.Junctions)
		for i := range o.Junctions {
			j := &o.Junctions[i]
			j.Name = filepath.Join(dir, j.Name)
			require.NoError(t, os.WriteFile(j.Name, j.Text, 0o644))
			args = append(args, j.Name)
		}
	}
	if o.GTF.Name != "" || len(o.Junctions) > 0 {
		args = append(args, "--sjdbOverhang", fmt.Sprint(o.Overhang))
	}
	o.Files = []string{filepath.Join(dir, "genome.fa")}
	r, err := makeFolder(t, e, made, fasta, o)
	most := sorted.MaxWhole
	defer func() { sorted.MaxWhole = most }()
	sorted.MaxWhole = 0
	sizes := jobs.FirstRowsSizes
	defer func() { jobs.FirstRowsSizes = sizes }()
	jobs.FirstRowsSizes.Free, jobs.FirstRowsSizes.Chunk = max(o.IndexBases-2, 1), 1 // tables of two levels
	inRanges := filepath.Join(dir, "ranges") + "/"
	_, same := makeFolder(t, e, inRanges, fasta, o)
	require.Equal(t, err, same)
	if err == nil {
		require.Equal(t, suffixcl.AlgorithmRanges, built.Algorithm)
		sameFolder(t, inRanges, made, r.Suffixes())
	}
	if theirs := generate(t, theirFolder, fasta, args...); theirs != nil {
		switch {
		case strings.Contains(theirs.Error(), "next index is smaller than previous"):
			require.ErrorContains(t, err, "STAR cannot index")
		case strings.Contains(theirs.Error(), "bad_alloc"):
			require.ErrorContains(t, err, "no position of the genome is kept")
		default: // it ends so where the text of junctions is longer than the genome
			require.Contains(t, theirs.Error(), "Aborted")
			require.NoError(t, err)
		}
		return
	}
	require.NoError(t, err)
	sameFolder(t, made, theirFolder, r.Suffixes())
	require.Equal(t, folderSize(t, made, r.Suffixes()), r.Size())
	if t.Failed() {
		t.Fatalf("%+v\n%s", o, fasta)
	}
	require.NoError(t, formats.STAR.Check(made))
}

// STAR makes the same folders.
func TestSTAR(t *testing.T) {
	e := engine(t)
	for name, fasta := range starGenomes() {
		t.Run(name, func(t *testing.T) {
			for _, o := range []formats.STAROptions{
				{IndexBases: 4, BinBits: 8}, {IndexBases: 1, BinBits: 4}, {IndexBases: 7, BinBits: 18, Sparse: 2},
				{IndexBases: 3, BinBits: 5, Sparse: 3, InsertLimit: 1 << 28},
			} {
				compareWithSTAR(t, e, fasta, o)
			}
		})
	}
}

// Small genomes of all kinds: STAR makes the same folder, or cannot make one.
func TestSTARSmall(t *testing.T) {
	e := engine(t)
	tries := uint64(20)
	if os.Getenv("SUFFIXCL_SOAK") == "1" {
		tries = 1000
	}
	for seed := range tries {
		rng := rand.New(rand.NewPCG(seed, 3))
		alphabet := []string{"ACGT", "AC", "ACGTN", "AAAAAAAT", "ACGTacgtRYN", "T"}[rng.IntN(6)]
		var fasta strings.Builder
		bases := false
		for c := range 1 + rng.IntN(5) {
			b := make([]byte, rng.IntN(1+rng.IntN(300)))
			for i := range b {
				if b[i] = alphabet[rng.IntN(len(alphabet))]; i > 20 && rng.IntN(3) > 0 {
					b[i] = b[i-20] // a repeat
				}
			}
			fasta.WriteString(record(fmt.Sprint("c", c), string(b), "\n"))
			bases = bases || bytes.ContainsAny(b, "ACGTacgt")
		}
		if !bases {
			continue // refused
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			compareWithSTAR(t, e, fasta.String(), formats.STAROptions{IndexBases: 1 + rng.IntN(6), BinBits: 4 + rng.IntN(6),
				Sparse: 1 + rng.IntN(3)})
		})
	}
}

// A folder is refused where it is, and each of its files where it is cut off or changed.
func TestSTARDoor(t *testing.T) {
	e, prefix := engine(t), filepath.Join(t.TempDir(), "x")+"/"
	require.Error(t, formats.STAR.Check(prefix))
	o := formats.STAROptions{IndexBases: 2, BinBits: 5}
	r, err := makeFolder(t, e, prefix, ">a\nGATTACAGATTACAGGGA\n>b\nACCA\n", o)
	require.NoError(t, err)
	require.NoError(t, formats.STAR.Check(prefix))
	_, err = formats.STAR.Create(prefix, formats.Options{})
	require.ErrorIs(t, err, fs.ErrExist)
	rng := rand.New(rand.NewPCG(1, 1))
	for _, name := range r.Suffixes() {
		whole := must(t, prefix+name)
		require.NoError(t, os.Truncate(prefix+name, 3))
		if name != "chrNameLength.txt" { // which nobody reads
			require.ErrorIs(t, formats.STAR.Check(prefix), suffixcl.ErrFormat, name)
		}
		for range 60 { // it is an error, or says what the files say
			changed := bytes.Clone(whole)
			changed[rng.IntN(len(changed))] = byte(rng.IntN(256))
			require.NoError(t, os.WriteFile(prefix+name, changed, 0o644))
			if err := formats.STAR.Check(prefix); err != nil {
				require.ErrorIs(t, err, suffixcl.ErrFormat, name)
			}
		}
		require.NoError(t, os.WriteFile(prefix+name, whole, 0o644))
	}
	for _, o := range []formats.STAROptions{{IndexBases: 17}, {BinBits: -1}, {Sparse: -1}, {Overhang: 1 << 21}} {
		b, err := seqio.ReadAll(strings.NewReader(">a\nACGT\n"), formats.Sequences("genome.fa"))
		require.NoError(t, err)
		_, err = formats.NewSTAR(b, o)
		require.ErrorContains(t, err, "are possible")
	}
}

// spliced is a genome with sequences that repeat, and transcripts of it as GTF.
func spliced(rng *rand.Rand, contigs int) (fasta string, gtf, table []byte) {
	text := func(n int, alphabet string) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = alphabet[rng.IntN(len(alphabet))]
		}
		return string(b)
	}
	var f, g, j strings.Builder
	unit := text(150, "ACGT")
	var lengths []int
	for c := range contigs {
		s := text(200+rng.IntN(600), "ACGT") + unit + text(rng.IntN(30), "N") + text(300, "AC") + unit + "GTAAGT" +
			text(90, "ACGT")
		lengths = append(lengths, len(s))
		f.WriteString(record(fmt.Sprint("chr", c), s, "\n"))
	}
	g.WriteString("#!genome\n")
	for k := range 12 {
		c := rng.IntN(contigs)
		sign := []string{"+", "-", "."}[rng.IntN(3)]
		at := 1 + rng.IntN(100)
		for exon := 0; ; exon++ {
			end := at + 5 + rng.IntN(80)
			if end > lengths[c]+20 {
				break
			}
			fmt.Fprintf(&g, "chr%d\ttest\t%s\t%d\t%d\t.\t%s\t.\t", c, []string{"exon", "exon", "exon", "CDS"}[rng.IntN(4)],
				at, end, sign)
			if rng.IntN(10) > 0 {
				fmt.Fprintf(&g, "gene_id \"gene%d\"; ", k/2)
			}
			if rng.IntN(10) > 0 {
				fmt.Fprintf(&g, "transcript_id \"tr%d\"; ", k)
			}
			if rng.IntN(3) == 0 {
				fmt.Fprintf(&g, "gene_name \"name%d\"; gene_biotype \"protein_coding\";", k/2)
			}
			g.WriteString("\n")
			at = end + rng.IntN(60) - 2
		}
		at = 20 + rng.IntN(100)
		fmt.Fprintf(&j, "chr%d\t%d\t%d\t%s\n", c, at, at+3+rng.IntN(90), []string{"+", "-", ".", "1", "2", "0"}[rng.IntN(6)])
	}
	g.WriteString("chrUnknown\ttest\texon\t1\t5\t.\t+\t.\tgene_id \"x\"; transcript_id \"y\";\n")
	return f.String(), []byte(g.String()), []byte(j.String())
}

// STAR makes the same folders with junctions.
func TestSTARAnnotation(t *testing.T) {
	e := engine(t)
	seeds := uint64(12)
	if os.Getenv("SUFFIXCL_SOAK") == "1" {
		seeds = 500
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			fasta, gtf, table := spliced(rand.New(rand.NewPCG(seed, 7)), 1+int(seed%4))
			o := formats.STAROptions{IndexBases: 3 + int(seed%3), BinBits: 14, Overhang: 3 + 9*int(seed%12),
				Sparse: 1 + int(seed%2)}
			if seed%3 != 1 {
				o.GTF = formats.STARInput{Name: "genes.gtf", Text: gtf}
			}
			if seed%3 != 0 {
				o.Junctions = []formats.STARInput{{Name: "junctions.tab", Text: table}}
			}
			compareWithSTAR(t, e, fasta, o)
		})
	}
}

// Where memory is short, both strands are sorted in many ranges, whose borders may be anywhere.
func TestSTARInManyRanges(t *testing.T) {
	longest := sorted.MaxWhole
	defer func() { sorted.MaxWhole = longest }()
	var small []*suffixcl.Engine
	for _, memory := range []int64{100 << 10, 128 << 10, 160 << 10, 192 << 10, 224 << 10} {
		s, err := device.Open(device.Config{Device: devicetest.Devices(t)[0], MaxMemory: memory})
		require.NoError(t, err)
		e, err := suffixcl.New(s, suffixcl.EngineOptions{})
		require.NoError(t, err)
		t.Cleanup(func() { e.Close() })
		small = append(small, e)
	}
	e := engine(t)
	ranges, all := 0, map[string]string{
		"all":        strings.Join(slices.Collect(maps.Values(starGenomes())), ""),
		"one letter": record("a", strings.Repeat("A", 6000), "\n") + record("c", strings.Repeat("A", 500), "\n"),
		"gaps":       strings.Repeat(record("a", "ACGTN", "\n")+record("b", "ACG", "\n"), 400),
		"tandem":     record("t", strings.Repeat("ACGTTG", 1500), "\n") + record("u", strings.Repeat("AC", 300), "\n"),
	}
	for name, fasta := range all {
		for _, sparse := range []int{1, 3, 97} { // of the last one some ranges have no row
			dir := t.TempDir()
			o := formats.STAROptions{IndexBases: 2, BinBits: 6, Sparse: sparse}
			whole, inRanges := filepath.Join(dir, "whole")+"/", filepath.Join(dir, "ranges")+"/"
			sorted.MaxWhole = longest
			r, err := makeFolder(t, e, whole, fasta, o)
			require.NoError(t, err, name)
			sorted.MaxWhole = 0
			least := slices.IndexFunc(small, func(e *suffixcl.Engine) bool {
				_, err := r.Plan(t.Context(), e)
				return err == nil
			})
			_, err = makeFolder(t, small[least], inRanges, fasta, o)
			require.NoError(t, err, name)
			sameFolder(t, inRanges, whole, r.Suffixes())
			ranges += built.Ranges
		}
	}
	require.Greater(t, ranges, 30*len(all))
}
