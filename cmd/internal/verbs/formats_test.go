package verbs

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/internal/jsonline"
)

const genome, reads = ">c1\nACGTTTGATTACA\nNNNACG\n>c2\nGATTACA\n", ">r1\nGATTACA\n>r2\nACATTA\n"

// Verbs that tell records apart recognise FASTA and FASTQ: as bytes, nothing would be found, without a word.
func TestRecognisedFormats(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "genome.fa", []byte(genome))
	clitest.Put(t, dir, "bom.fa", []byte(jsonline.ByteOrderMark+genome))
	clitest.Put(t, dir, "reads.fa", []byte(reads))
	clitest.Put(t, dir, "reads.fq", []byte("@r1\nGATTACA\n+\nIIIIIII\n@r2\nACATTA\n+\nIIIIII\n"))
	clitest.Put(t, dir, "lines", []byte("GATTACA\nACATTA\n"))
	clitest.Put(t, dir, "bom", []byte(jsonline.ByteOrderMark+"GATTACA\r\nACATTA\r\n"))
	want := "r1\tc1:6\nr1\tc2:0\n"
	for _, ref := range []string{"genome.fa", "bom.fa"} {
		for _, queries := range []string{"reads.fa", "reads.fq"} {
			assert.Equal(t, want, clitest.Good(t, dir, "match", ref, queries).Out)
		}
		clitest.Good(t, dir, "index", ref, "--dna", "-o", "fmi")
		assert.Equal(t, want, clitest.Good(t, dir, "locate", "fmi", "--patterns", "reads.fa").Out)
		assert.Contains(t, clitest.Good(t, dir, "repeats", ref, "--min-length", "7").Out, "c1\t6\t6\t7\n")
	}
	for _, queries := range []string{"lines", "bom"} {
		assert.Equal(t, "GATTACA\t2\nACATTA\t0\n", clitest.Good(t, dir, "count", "fmi", "--patterns", queries).Out)
	}
	assert.Contains(t, clitest.Good(t, dir, "plan", "repeats", "genome.fa").Out, "26 bytes")

	// The suffix array of a file is one of its bytes.
	clitest.Good(t, dir, "sa", "genome.fa", "-o", "sa", "-q")
	r := clitest.Good(t, dir, "match", "genome.fa", "lines", "--sa", "sa")
	assert.Equal(t, "GATTACA\t10\nGATTACA\t29\n", r.Out)
	assert.Contains(t, r.Errors, "genome.fa looks like FASTA: taken as bytes")
}

// Verbs for plain texts take FASTA as bytes, and say so.
func TestFormatNote(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "genome.fa", []byte(genome))
	clitest.Put(t, dir, "reads.fq.gz", gzipped(t, []byte("@a\nAC\n+\nII\n")))
	const note = "suffixcl: note: genome.fa looks like FASTA: taken as bytes, headers and line ends included; " +
		"--input fasta takes the sequences\n"
	for _, args := range [][]string{{"sa", "genome.fa", "-o", "sa"}, {"bwt", "genome.fa", "-o", "bwt"},
		{"lcp", "genome.fa", "-o", "lcp"}, {"verify", "genome.fa", "sa"}} {
		assert.Contains(t, clitest.Good(t, dir, args...).Errors, note)
		assert.NotContains(t, clitest.Good(t, dir, append(args, "--input", "plain")...).Errors, "note")
		assert.Empty(t, clitest.Good(t, dir, append(args, "--quiet")...).Errors)
	}
	assert.Contains(t, clitest.Good(t, dir, "sa", "reads.fq.gz", "-o", "sa").Errors, "reads.fq.gz looks like FASTQ")
	clitest.Put(t, dir, "text", []byte("> not a record\n"))
	assert.NotContains(t, clitest.Good(t, dir, "sa", "text", "-o", "sa").Errors, "note")
}

// What begins like a format, and is not of it, is neither taken for it nor for text.
func TestAmbiguousFormats(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "mail", []byte("> as he wrote, in 1999\n> yes, yes\n"))
	clitest.Put(t, dir, "text", []byte("banana"))
	clitest.Put(t, dir, "damaged.fa", []byte(">a\nAC\x00GT\n"))
	before := clitest.Files(t, dir)
	for _, c := range []struct {
		args []string
		why  string
	}{
		{[]string{"index", "mail", "-o", "out"}, "mail begins like FASTA, but is not valid: no record has a sequence; " +
			"--input plain takes its bytes\n"},
		{[]string{"match", "damaged.fa", "text"}, "damaged.fa:2:3: byte 0x00 in sequence \"a\"; --input plain"},
		{[]string{"repeats", "damaged.fa", "-o", "out"}, "damaged.fa begins like FASTA"},
		{[]string{"match", "text", "mail"}, "mail begins like FASTA, but is not valid: no record has a sequence; " +
			"--queries lines takes its lines\n"},
		{[]string{"match", "text", "text", "--queries", "fasta"}, "text:1:1: symbol 'b' where a record should begin"},
		{[]string{"index", "text", "-o", "out", "--input", "fastq"}, "text:1:1: symbol 'b' where a record should begin"},
		{[]string{"index", "damaged.fa", "-o", "out", "--input", "fastq"}, "should begin with '@'"},
	} {
		r := clitest.Run(t, dir, c.args...)
		assert.Equal(t, cli.ExitFailed, r.Code, "%v", c.args)
		assert.Contains(t, r.Errors, c.why, "%v", c.args)
		assert.Equal(t, 1, strings.Count(r.Errors, "\n"), r.Errors)
	}
	assert.Equal(t, before, clitest.Files(t, dir))
	clitest.Put(t, dir, "lines", []byte("> yes\n"))
	assert.Equal(t, "> yes\t23\n",
		clitest.Good(t, dir, "match", "mail", "lines", "--input", "plain", "--queries", "lines").Out)
}

func TestCompressions(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	w, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	gz := gzipped(t, []byte(genome))
	clitest.Put(t, dir, "genome.fa.zst", w.EncodeAll([]byte(genome), nil))
	clitest.Put(t, dir, "padded.gz", append(bytes.Clone(gz), make([]byte, 512)...))
	clitest.Put(t, dir, "reads.gz", append(gzipped(t, []byte(reads)), make([]byte, 512)...))
	for file, compression := range map[string]string{"genome.fa.zst": "zstd", "padded.gz": "gzip"} {
		r := clitest.Good(t, dir, "match", file, "reads.gz")
		assert.Equal(t, "r1\tc1:6\nr1\tc2:0\n", r.Out)
		assert.Contains(t, r.Errors, file+" ("+compression+", fasta): 2 records, ")
		assert.Contains(t, r.Errors, "; 2 patterns of reads.gz (gzip, fasta), 1 with hits, 2 occurrences on ")
	}

	clitest.Put(t, dir, "text", []byte("banana"))
	clitest.Put(t, dir, "text.lz4", []byte("\x04\x22\x4d\x18\x64\x40\xa7\x01\x00\x00\x80\x78"))
	clitest.Put(t, dir, "garbage.gz", append(bytes.Clone(gz), "garbage"...))
	clitest.Put(t, dir, "cut.gz", gz[:len(gz)-10])
	before := clitest.Files(t, dir)
	for _, c := range []struct{ file, why string }{
		{"text.lz4", "reading text.lz4: it is compressed by lz4, which is not read: decompress it first; --raw takes"},
		{"garbage.gz", "decompressing garbage.gz (gzip) at byte 55, after 37 bytes of text: " +
			"garbage after the end of the compressed data"},
		{"cut.gz", "decompressing cut.gz (gzip) at byte 45, after 37 bytes of text: the file is truncated"},
	} {
		for _, args := range [][]string{{"sa", c.file, "-o", "out"}, {"match", c.file, "text"}, {"match", "text", c.file},
			{"plan", "sa", c.file}} {
			r := clitest.Run(t, dir, args...)
			assert.Equal(t, cli.ExitFailed, r.Code, "%v", args)
			assert.Contains(t, r.Errors, c.why, "%v", args)
		}
		clitest.Good(t, dir, "sa", c.file, "-o", "raw", "--raw", "-q")
		require.NoError(t, os.Remove(filepath.Join(dir, "raw")))
	}
	assert.Equal(t, before, clitest.Files(t, dir))
}

func TestSummaries(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "genome.fa", []byte(genome))
	clitest.Put(t, dir, "reads.fa", []byte(reads))
	clitest.Put(t, dir, "text.gz", gzipped(t, []byte("banana")))
	clitest.Put(t, dir, "lines", []byte("an\nna\nx\n"))
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"sa", "text.gz", "-o", "sa"}, "suffixcl: sa text.gz (gzip, plain): 6 bytes on "},
		{[]string{"sa", "text.gz", "-o", "sa", "--raw"}, "suffixcl: sa text.gz (raw): 30 bytes on "},
		{[]string{"sa", "genome.fa", "-o", "sa", "--input", "auto"},
			"suffixcl: sa genome.fa (fasta): 2 records, 26 bytes on "},
		{[]string{"index", "text.gz", "-o", "fmi"}, "suffixcl: index text.gz (gzip, plain): 6 bytes on "},
		{[]string{"repeats", "genome.fa"}, "suffixcl: repeats genome.fa (fasta): 2 records, 26 bytes; 26 lines on "},
		{[]string{"bwt", "text.gz", "-o", "bwt"}, "suffixcl: bwt text.gz (gzip, plain): 6 bytes; primary index 4 on "},
		{[]string{"mems", "genome.fa", "reads.fa", "-l", "6", "--maxmatch"},
			"suffixcl: mems genome.fa (fasta): 2 records, 28 bytes; 2 queries of reads.fa (fasta), 1 with hits, 2 matches on "},
		{[]string{"count", "fmi", "an"}, "suffixcl: count fmi: 6 bytes; 1 pattern, 1 with hits, 2 occurrences on "},
		{[]string{"locate", "fmi", "--patterns", "lines"},
			"suffixcl: locate fmi: 6 bytes; 3 patterns of lines (lines), 2 with hits, 4 occurrences on "},
		{[]string{"match", "text.gz", "lines"},
			"suffixcl: match text.gz (gzip, plain): 6 bytes; 3 patterns of lines (lines), 2 with hits, 4 occurrences on "},
	} {
		r := clitest.Good(t, dir, c.args...)
		assert.True(t, strings.HasPrefix(r.Errors, c.want), "%v: %s", c.args, r.Errors)
		assert.Equal(t, 1, strings.Count(r.Errors, "\n"))
	}
	var told report.Report
	r := clitest.Good(t, dir, "match", "genome.fa", "reads.fa", "--json")
	require.NoError(t, json.Unmarshal([]byte(r.Errors), &told))
	assert.Equal(t, "fasta", told.Format)
	assert.Equal(t, 2, told.Records)
	require.NotNil(t, told.QueryFile)
	assert.Equal(t, report.QueryFile{File: "reads.fa", Compression: "", Format: "fasta"}, *told.QueryFile)
}

// Records that all are empty, as reads that were trimmed to nothing, are a file like any other: nothing is found.
func TestEmptyRecords(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "r.fa", []byte(">r\nACGTTGCAAC\n"))
	clitest.Put(t, dir, "e.fa", []byte(">a\n>b\n\n"))
	clitest.Put(t, dir, "e.fq", []byte("@a\n\n+\n\n@b\n\n+\n\n"))
	clitest.Put(t, dir, "nothing", nil)
	for _, empty := range []string{"e.fa", "e.fq"} {
		for _, c := range [][2]string{
			{"match r.fa " + empty}, {"match " + empty + " r.fa --dna --both"}, {"match " + empty + " " + empty},
			{"mems r.fa " + empty + " -l 3 -b", "> a\n> a Reverse\n> b\n> b Reverse\n"},
			{"mems " + empty + " r.fa -l 3", "> r\n"}, {"mems r.fa -l 3 --format paf " + empty},
			{"mums r.fa " + empty + " -l 3"}, {"repeats " + empty + " -o -"},
			{"index " + empty + " --dna -o index"}, {"count index A", "A\t0\n"}, {"locate index --patterns " + empty},
			{"gsa " + empty + " --sa --lcp -o set"}, {"bwt --set " + empty + " -o transform"},
		} {
			assert.Equal(t, c[1], clitest.Good(t, dir, strings.Fields(c[0])...).Out, c[0])
		}
		assert.Contains(t, clitest.Good(t, dir, "plan", "mems", "r.fa", empty).Out, "fits")
	}
	assert.Empty(t, clitest.Good(t, dir, "mems", "r.fa", "nothing", "-l", "3").Out, "no query")
	assert.Contains(t, clitest.Good(t, dir, "plan", "mems", "r.fa", "nothing").Out, "fits")
}

// What is likely a mistake is noted.
func TestNotesOfSearches(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	for name, text := range map[string]string{"lower.fa": ">c\nacgtacgg\n", "upper.fa": ">c\nACGTACGG\n", "word": "x\n",
		"bases": "TACG\n", "none": "TTTT\n", "reads.fq": "@r\nTACG\n+\nIIII\n", "empty.fq": "@r\n\n+\n\n"} {
		clitest.Put(t, dir, name, []byte(text))
	}
	clitest.Good(t, dir, "index", "lower.fa", "-o", "lower", "-q")
	clitest.Good(t, dir, "index", "lower.fa", "--dna", "-o", "folded", "-q")
	const (
		file = `suffixcl: note: the pattern "word" is the name of a file, too: --patterns takes those of a file`
		fold = "suffixcl: note: nothing was found: without --dna, of match or index, case counts, and U is not T"
		turn = "suffixcl: note: reads.fq is FASTQ, as reads are: the reference comes first, then what is looked for in it"
		void = "suffixcl: note: no query has a letter"
	)
	for line, want := range map[string]string{
		"count lower word": file, "locate lower x word": file, "count lower --patterns word": "", "count lower TACG": fold,
		"count lower tacg": "", "count folded TACG": "", "count folded TTTT": "", "locate lower --patterns bases": fold,
		"match lower.fa bases": fold, "match lower.fa bases --dna": "", "match upper.fa bases": "", "match upper.fa none": "",
		"match upper.fa reads.fq": "", "match reads.fq upper.fa": turn, "mems reads.fq upper.fa -l 3": turn,
		"match upper.fa empty.fq": void, "match lower.fa bases -q": "",
	} {
		said := clitest.Good(t, dir, strings.Fields(line)...).Errors
		assert.Equal(t, want != "", strings.Contains(said, "note"), "%s: %s", line, said)
		assert.Contains(t, said, want, line)
	}
}
