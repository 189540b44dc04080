package formats_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
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
	"github.com/suffixcl/suffixcl/formats/internal/bowtie2"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/needed"
	"github.com/suffixcl/suffixcl/seqio"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

func engine(t testing.TB) *suffixcl.Engine {
	s, err := device.Open(device.Config{Device: devicetest.Devices(t)[0]})
	require.NoError(t, err)
	e, err := suffixcl.New(s, suffixcl.EngineOptions{})
	require.NoError(t, err)
	t.Cleanup(func() { e.Close() })
	return e
}

func call(t testing.TB, name string, args ...string) []byte {
	var wrong bytes.Buffer
	c := exec.Command(name, args...)
	c.Stderr = &wrong
	out, err := c.Output()
	require.NoError(t, err, "%s %v: %s", name, args, &wrong)
	return out
}

// build builds the index of a program for FASTA.
func build(t testing.TB, e *suffixcl.Engine, fasta, prefix string, of formats.Program) {
	b, err := seqio.ReadAll(strings.NewReader(fasta), formats.Sequences("test.fa"))
	require.NoError(t, err)
	r, err := of.New(b)
	require.NoError(t, err)
	if of == formats.GenomeTools {
		if err := r.Match(prefix); !errors.Is(err, fs.ErrNotExist) {
			require.NoError(t, err)
		}
	}
	files, err := of.Create(prefix, formats.Options{})
	require.NoError(t, err)
	defer files.Discard()
	plan, err := r.Plan(t.Context(), e)
	require.NoError(t, err)
	built = suffixcl.Stats{}
	require.NoError(t, r.Write(suffixcl.WithStats(t.Context(), &built), e, files))
	require.LessOrEqual(t, built.PeakBytes, plan.Device())
	require.NoError(t, files.Commit())
}

// built are the statistics of the last build.
var built suffixcl.Stats

// same compares files of two prefixes.
func same(t testing.TB, got, want string, suffixes ...string) {
	for _, suffix := range suffixes {
		a, err := os.ReadFile(got + suffix)
		require.NoError(t, err)
		b, err := os.ReadFile(want + suffix)
		require.NoError(t, err)
		if at := mismatch(a, b); at >= 0 {
			t.Errorf("%s: byte %d of %d differs from the file of %d bytes", suffix, at, len(a), len(b))
		}
	}
}

func mismatch(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	if len(a) != len(b) {
		return min(len(a), len(b))
	}
	return -1
}

var random = rand.New(rand.NewPCG(1, 1))

func letters(n int, alphabet string) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[random.IntN(len(alphabet))]
	}
	return string(b)
}

// record is one of FASTA, with lines of 60 letters.
func record(header, sequence, end string) string {
	b := strings.Builder{}
	fmt.Fprintf(&b, ">%s%s", header, end)
	for line := range slices.Chunk([]byte(sequence), 60) {
		fmt.Fprintf(&b, "%s%s", line, end)
	}
	return b.String()
}

// genomes has what programs may treat in ways of their own.
func genomes() map[string]string {
	unit := letters(300, "ACGT")
	all := map[string]string{
		"plain":  record("chr1", letters(5000, "ACGT"), "\n"),
		"two":    record("c1 first", letters(500, "ACGT"), "\n") + record("c2\tx  y ", letters(3, "ACGT"), "\n"),
		"crlf":   record("c1 first", letters(130, "ACGT"), "\r\n") + record("c2", letters(60, "acgtACGT"), "\r\n"),
		"masked": record("c1", letters(200, "ACGT")+letters(300, "acgt")+letters(50, "ACGTacgt"), "\n"),
		"holes": record("c1", "NNNNN"+letters(500, "ACGT")+"NNN"+letters(300, "acgt")+"RYNNnn"+letters(90, "ACGT"), "\n") +
			record("c2", "A", "\n") + record("c3", "NNN", "\n") + record("c4", "CG", "\n") + record("c5", "ACT", "\n") +
			record("c6", letters(700, "ACGT")+"NNNNNNN", "\n") + record("c7", "NN"+letters(200, "ACGTN"), "\n"),
		"codes":   record("c1", letters(900, "ACGTACGTRYSWKMBDHVNrymkn"), "\n"),
		"uracil":  record("c1", letters(200, "ACGU")+letters(100, "acgu")+letters(20, "ACG"), "\n"),
		"one A":   record("c1", "A", "\n"),
		"all A":   record("c1", strings.Repeat("A", 700), "\n"),
		"all T":   record("c1", strings.Repeat("T", 385), "\n"),
		"repeats": record("c1", unit+unit[:200]+letters(20, "ACGT")+unit+unit, "\n") + record("c1", unit, "\n"),
		"names": record("", letters(30, "ACGT"), "\n") + record(" lead", letters(30, "ACGT"), "\n") +
			record("a", "AC", "\n") + record("a", "AC", "\n"),
		"no end": ">c1\nACGTTGCA",
		"long":   record("c1", letters(70_000, "ACGT")+strings.Repeat("N", 70_000)+letters(3000, "ACGTN"), "\n"),
	}
	for i := range 2000 {
		all["many"] += record(fmt.Sprint("c", i), letters(1+random.IntN(150), "ACGT")+letters(2, "ACGTNacgt"), "\n")
	}
	for _, n := range []int{9, 10, 15, 16, 63, 64, 127, 128, 191, 192, 193, 335, 336} { // blocks, words, samples
		all[fmt.Sprint("length ", n)] = record("c1", letters(n, "ACGT"), "\n")
	}
	return all
}

// eachGenome runs f for each, with its file and an empty directory.
func eachGenome(t *testing.T, f func(t *testing.T, fasta, file, dir string)) {
	for name, fasta := range genomes() {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "genome.fa")
			require.NoError(t, os.WriteFile(file, []byte(fasta), 0o666))
			f(t, fasta, file, dir)
		})
	}
}

func TestBWA(t *testing.T) {
	needed.Program(t, "bwa")
	e := engine(t)
	eachGenome(t, func(t *testing.T, fasta, file, dir string) {
		got, want := filepath.Join(dir, "got"), filepath.Join(dir, "want")
		build(t, e, fasta, got, formats.BWA)
		call(t, "bwa", "index", "-p", want, file)
		same(t, got, want, formats.BWA.Suffixes()...)
	})
}

func TestBowtie2(t *testing.T) {
	needed.Program(t, "bowtie2-build")
	e := engine(t)
	eachGenome(t, func(t *testing.T, fasta, file, dir string) {
		got, want := filepath.Join(dir, "got"), filepath.Join(dir, "want")
		build(t, e, fasta, got, formats.Bowtie2)
		call(t, "bowtie2-build", "-q", file, want)
		same(t, got, want, formats.Bowtie2.Suffixes()...)
		if isRead(filepath.Base(t.Name())) {
			batch, err := seqio.ReadAll(strings.NewReader(fasta), formats.Sequences(""))
			require.NoError(t, err)
			x := again(t, "bowtie2", want).(*bowtie2.Index)
			require.Len(t, x.Reference.Sequences, len(batch.Records))
		}
	})
}

// Large indexes, whose suffixes are sorted in ranges.
func TestBowtie2Large(t *testing.T) {
	needed.Program(t, "bowtie2-build")
	e := engine(t)
	all := genomes()
	for _, name := range []string{"holes", "one A", "length 336"} {
		dir := t.TempDir()
		file, got, want := filepath.Join(dir, "genome.fa"), filepath.Join(dir, "got"), filepath.Join(dir, "want")
		require.NoError(t, os.WriteFile(file, []byte(all[name]), 0o666))
		build(t, e, all[name], got, formats.Bowtie2Large)
		call(t, "bowtie2-build", "-q", "--large-index", file, want)
		same(t, got, want, formats.Bowtie2Large.Suffixes()...)
	}
}

func TestGenomeTools(t *testing.T) {
	needed.Program(t, "gt")
	e := engine(t)
	eachGenome(t, func(t *testing.T, fasta, file, dir string) { sameAsGenomeTools(t, e, fasta, file, dir) })
}

func sameAsGenomeTools(t *testing.T, e *suffixcl.Engine, fasta, file, dir string) {
	t.Helper()
	got, want := filepath.Join(dir, "got"), filepath.Join(dir, "want")
	call(t, "gt", "encseq", "encode", "-dna", "-indexname", got, file)
	build(t, e, fasta, got, formats.GenomeTools)
	call(t, "gt", "suffixerator", "-db", file, "-indexname", want, "-dna", "-suf", "-lcp", "-bwt", "-tis", "-des",
		"-sds", "-ssp")
	same(t, got, want, formats.GenomeTools.Suffixes()...)
}

// Of contigs shorter than a prefix, the statistics have rules of their own.
func TestGenomeToolsOfShortContigs(t *testing.T) {
	needed.Program(t, "gt")
	e := engine(t)
	for _, contigs := range []int{1, 2, 28, 168, 169, 170, 341, 600} { // 169 are 337 characters: prefixes of two bases
		for _, alphabet := range []string{"A", "AC", "ACGTacgt", "ACGTN"} {
			for longest := 1; longest <= 3; longest++ {
				fasta := ""
				for i := range contigs {
					fasta += record(fmt.Sprint("c", i), letters(1+random.IntN(longest), alphabet), "\n")
				}
				dir := t.TempDir()
				file := filepath.Join(dir, "contigs.fa")
				require.NoError(t, os.WriteFile(file, []byte(fasta), 0o666))
				sameAsGenomeTools(t, e, fasta, file, dir)
				require.False(t, t.Failed(), "%d contigs of 1 to %d of %s", contigs, longest, alphabet)
			}
		}
	}
}

// The programs run on our files. Two copies of a long repeat are what ltrharvest looks for.
func TestPrograms(t *testing.T) {
	for _, name := range []string{"bwa", "bowtie2", "gt"} {
		needed.Program(t, name)
	}
	e, dir := engine(t), t.TempDir()
	ltr, genome := letters(400, "ACGT"), letters(4000, "ACGT")
	fasta := record("chr1", letters(3000, "ACGT")+"TGCA"+ltr+"TGCA"+genome+"TGCA"+ltr+"TGCA"+letters(2000, "ACGT"), "\n")
	file, reads := filepath.Join(dir, "genome.fa"), filepath.Join(dir, "reads.fa")
	require.NoError(t, os.WriteFile(file, []byte(fasta), 0o666))
	var b strings.Builder
	for i := range 50 {
		at := random.IntN(len(genome) - 100)
		read := []byte(genome[at : at+100])
		read[random.IntN(100)] = 'A'
		b.WriteString(record(fmt.Sprint("r", i), string(read), "\n"))
	}
	require.NoError(t, os.WriteFile(reads, []byte(b.String()), 0o666))
	// aligned are the lines of a SAM file without the command line in them.
	aligned := func(name string, args ...string) string {
		var kept []string
		for line := range strings.Lines(string(call(t, name, args...))) {
			if !strings.HasPrefix(line, "@PG") {
				kept = append(kept, line)
			}
		}
		require.Greater(t, len(kept), 50, name)
		return strings.Join(kept, "")
	}
	got, want := filepath.Join(dir, "got"), filepath.Join(dir, "want")
	build(t, e, fasta, got, formats.BWA)
	call(t, "bwa", "index", "-p", want, file)
	require.Equal(t, aligned("bwa", "mem", want, reads), aligned("bwa", "mem", got, reads))

	build(t, e, fasta, got, formats.Bowtie2)
	call(t, "bowtie2-build", "-q", file, want)
	require.Equal(t, aligned("bowtie2", "-f", "-x", want, reads), aligned("bowtie2", "-f", "-x", got, reads))

	got, want = filepath.Join(dir, "gt got"), filepath.Join(dir, "gt want")
	call(t, "gt", "encseq", "encode", "-dna", "-indexname", got, file)
	build(t, e, fasta, got, formats.GenomeTools)
	call(t, "gt", "suffixerator", "-db", file, "-indexname", want, "-dna", "-suf", "-lcp", "-tis", "-des", "-sds", "-ssp")
	harvest := func(prefix string) string {
		out := string(call(t, "gt", "ltrharvest", "-index", prefix))
		_, rows, _ := strings.Cut(out, "\n") // the first line names the index
		return rows
	}
	require.Equal(t, harvest(want), harvest(got))
	require.Regexp(t, `(?m)^\d+ `, harvest(got), "no retrotransposon was found")
}

// The index of bwa-mem2 by its definition, computed plainly.
func TestBWAMem2(t *testing.T) {
	e := engine(t)
	eachGenome(t, func(t *testing.T, fasta, _, dir string) {
		if len(fasta) > 10_000 {
			t.Skip("the plain computation is slow")
		}
		prefix := filepath.Join(dir, "got")
		build(t, e, fasta, prefix, formats.BWAMEM2)
		build(t, e, fasta, filepath.Join(dir, "bwa"), formats.BWA)
		same(t, prefix, filepath.Join(dir, "bwa"), ".amb", ".ann", ".pac")
		b, err := seqio.ReadAll(strings.NewReader(fasta), formats.Sequences(""))
		require.NoError(t, err)
		text, err := os.ReadFile(prefix + ".0123")
		require.NoError(t, err)
		n := len(b.Text)
		require.Len(t, text, 2*n)
		for i, base := range text[:n] {
			require.Equal(t, 3-base, text[2*n-1-i])
			if at := strings.IndexByte("ACGT", bytes.ToUpper(b.Text[i : i+1])[0]); at >= 0 {
				require.EqualValues(t, at, base)
			}
		}
		index, err := os.ReadFile(prefix + ".bwt.2bit.64")
		require.NoError(t, err)
		require.Equal(t, plainMem2(text), index)
	})
}

// plainMem2 is the file .bwt.2bit.64 of a text.
func plainMem2(text []byte) []byte {
	rows := make([]int, len(text)+1)
	for i := range rows {
		rows[i] = i
	}
	slices.SortFunc(rows, func(a, b int) int { return bytes.Compare(text[a:], text[b:]) })
	var out []byte
	put := func(v int) { out = binary.LittleEndian.AppendUint64(out, uint64(v)) }
	put(len(rows))
	for base := range 5 {
		less := 0
		for _, c := range text {
			if int(c) < base {
				less++
			}
		}
		put(less)
	}
	var counts [4]int
	for from := 0; from < len(rows)/64*64+1; from += 64 {
		for _, count := range counts {
			put(count)
		}
		var bits [4]uint64
		for i, row := range rows[from:min(from+64, len(rows))] {
			if row > 0 {
				bits[text[row-1]] |= 1 << (63 - i)
				counts[text[row-1]]++
			}
		}
		for _, word := range bits {
			put(int(word))
		}
	}
	for k := 0; k < len(rows); k += 8 {
		out = append(out, byte(rows[k]>>32))
	}
	for k := 0; k < len(rows); k += 8 {
		out = binary.LittleEndian.AppendUint32(out, uint32(rows[k]))
	}
	put(slices.Index(rows, 0))
	return out
}

// References that no index is made of.
func TestBadReferences(t *testing.T) {
	read := func(fasta string) *seqio.Batch {
		b, err := seqio.ReadAll(strings.NewReader(fasta), formats.Sequences("bad.fa"))
		require.NoError(t, err)
		return b
	}
	for _, c := range []struct{ fasta, bwa, bowtie2, genometools string }{
		{">a\n", "no bases", "sequence 1 (a) is empty", "sequence 1 (a) is empty"},
		{">a\nNNN\n", "", "no bases", ""},
		{">a\nAC\n>b\n>c\nAC\n", "", "sequence 2 (b) is empty", "sequence 2 (b) is empty"},
		{">a\nAC\n>b\nUU\n", "", "sequence 2 (b) is empty", ""},
		{">a\nAC\n>b c\nAC\nAXC\n", "", "", `sequence 2 (b c) has 'X' at place 4`},
		{">a\nAC-T\n", "", "", `has '-' at place 3`},
	} {
		check := func(err error, why string) {
			if why == "" {
				require.NoError(t, err, c.fasta)
			} else {
				require.ErrorContains(t, err, why, c.fasta)
			}
		}
		_, err := formats.BWA.New(read(c.fasta))
		check(err, c.bwa)
		_, err = formats.Bowtie2.New(read(c.fasta))
		check(err, c.bowtie2)
		_, err = formats.GenomeTools.New(read(c.fasta))
		check(err, c.genometools)
	}
}

// Unknown programs, and what no program has made, are errors; Check tells whether an index is whole.
func TestDoor(t *testing.T) {
	none := formats.Program("none")
	require.Empty(t, none.Suffixes())
	_, err := none.New(&seqio.Batch{})
	require.ErrorContains(t, err, `"none"`)
	_, err = none.Create("x", formats.Options{})
	require.ErrorContains(t, err, `"none"`)
	require.ErrorContains(t, none.Check("x"), `"none"`)
	var r formats.Reference
	_, err = r.Plan(t.Context(), nil)
	require.Error(t, err)
	require.Error(t, r.Match("x"))
	require.Error(t, r.Write(t.Context(), nil, nil))
	require.Error(t, new(formats.Files).Commit())
	new(formats.Files).Discard()

	e, prefix := engine(t), filepath.Join(t.TempDir(), "x")
	for _, of := range formats.Programs() {
		if of == formats.STAR {
			continue // TestSTARDoor: its index has 4^14 entries unless it is told
		}
		require.Error(t, of.Check(prefix), of)
		build(t, e, ">a\nGATTACAGATTACAGGGA\n", prefix, of)
		require.NoError(t, of.Check(prefix), of)
		_, err := of.Create(prefix, formats.Options{})
		require.ErrorIs(t, err, fs.ErrExist, of)
		for _, suffix := range of.Suffixes() {
			require.NoError(t, os.Truncate(prefix+suffix, 3))
		}
		require.ErrorIs(t, of.Check(prefix), suffixcl.ErrFormat, of)
		for _, suffix := range of.Suffixes() {
			require.NoError(t, os.Remove(prefix+suffix))
		}
	}
}
