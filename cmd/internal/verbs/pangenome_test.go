package verbs

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// genomesIn puts three genomes that are much alike: a.fa, b.fa.gz and c.fq.
func genomesIn(t *testing.T, dir string) {
	rng := rand.New(rand.NewPCG(62, 3))
	genome := randomDNA(rng, 3000)
	other := []byte(string(genome))
	for range 20 {
		other[rng.IntN(len(other))] = "ACGTN"[rng.IntN(5)]
	}
	clitest.Put(t, dir, "a.fa", []byte(">one text\n"+string(genome[:2000])+"\n>two\n"+
		strings.ToLower(string(genome[2000:]))+"\n"))
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := io.WriteString(z, ">three\n"+string(other)+"\n")
	require.NoError(t, err)
	require.NoError(t, z.Close())
	clitest.Put(t, dir, "b.fa.gz", b.Bytes())
	clitest.Put(t, dir, "c.fq", []byte("@four\nGATTACANNNNAACC\n+\n"+strings.Repeat("I", 15)+"\n"))
}

// lengthsIn are the lines of names and lengths.
func lengthsIn(t *testing.T, dir, name string) string {
	z, err := gzip.NewReader(bytes.NewReader(clitest.Get(t, dir, name)))
	require.NoError(t, err)
	text, err := io.ReadAll(z)
	require.NoError(t, err)
	return string(text)
}

// The bytes do not depend on how an index came together.
func TestPangenomeGrows(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	genomesIn(t, dir)
	good := func(args ...string) clitest.Result {
		return clitest.Good(t, dir, append([]string{"pangenome"}, args...)...)
	}
	good("build", "a.fa", "b.fa.gz", "c.fq", "-o", "all.fmd")
	all, lengths := clitest.Get(t, dir, "all.fmd"), "one\t2000\ntwo\t1000\nthree\t3000\nfour\t15\n"
	same := func(name string) {
		t.Helper()
		assert.Equal(t, all, clitest.Get(t, dir, name), name)
		assert.Equal(t, lengths, lengthsIn(t, dir, name+".len.gz"), name)
	}
	same("all.fmd")
	clitest.Put(t, dir, "list", []byte("b.fa.gz\r\n\nc.fq"))
	good("build", "a.fa", "--list", "list", "-o", "listed.fmd")
	same("listed.fmd")
	var r report.Report
	require.NoError(t, json.Unmarshal([]byte(good("build", "a.fa", "-o", "grown.fmd", "--json").Out), &r))
	assert.Equal(t, 1, r.Pangenome.Genomes)
	assert.EqualValues(t, 4, r.Pangenome.Sequences)
	assert.EqualValues(t, 6004, r.Pangenome.Symbols)
	assert.Equal(t, "grown.fmd.len.gz", r.Pangenome.Lengths)
	require.Len(t, r.Pangenome.Files, 1)
	a := r.Pangenome.Files[0]
	assert.Positive(t, a.Seconds)
	assert.Equal(t, report.PangenomeFile{File: "a.fa", Records: 2, Letters: 3000, Seconds: a.Seconds,
		Runs: &r.Pangenome.Runs}, a)
	good("samples", "grown.fmd")
	assert.Equal(t, "SSA\x01", string(clitest.Get(t, dir, "grown.fmd.ssa")[:4]))
	r = report.Report{}
	appended := good("append", "grown.fmd", "b.fa.gz", "c.fq", "-o", "more.fmd", "--json")
	require.NoError(t, json.Unmarshal([]byte(appended.Out), &r))
	require.Len(t, r.Pangenome.Files, 2)
	assert.Nil(t, r.Pangenome.Files[0].Runs, "both are one batch")
	assert.Greater(t, r.Pangenome.Files[0].Seconds, r.Pangenome.Files[1].Seconds)
	assert.Equal(t, &r.Pangenome.Runs, r.Pangenome.Files[1].Runs)
	same("more.fmd")
	appended = good("append", "grown.fmd", "b.fa.gz")
	assert.Contains(t, appended.Errors, "note: grown.fmd.ssa was that of another index, and is removed")
	assert.NoFileExists(t, filepath.Join(dir, "grown.fmd.ssa"))
	before := clitest.Get(t, dir, "grown.fmd")
	good("append", "grown.fmd", "c.fq", "-o", "more.fmd")
	same("more.fmd")
	assert.Equal(t, before, clitest.Get(t, dir, "grown.fmd"))
	good("append", "grown.fmd", "c.fq")
	same("grown.fmd")
	for name, file := range map[string]string{"1": "a.fa", "2": "b.fa.gz", "3": "c.fq"} {
		good("build", file, "-o", name)
	}
	good("merge", "1", "2", "3", "-o", "merged.fmd")
	same("merged.fmd")
	assert.Equal(t, string(all), good("merge", "1", "2", "3", "-o", "-", "-q").Out)

	stat := good("stat", "all.fmd").Out
	assert.True(t, strings.HasPrefix(stat, "8 sequences\n12038 symbols\n"), stat)
	assert.Equal(t, 8, strings.Count(stat, "\n"))
	got := strings.Fields(good("get", "all.fmd", "6", "7").Out)
	assert.Equal(t, []string{">6", "GATTACANNNNAACC", ">7", "GGTTNNNNTGTAATC"},
		[]string{got[0], got[2], got[3], got[5]})
	assert.Equal(t, "OK: all.fmd has 8 strings of 4 sequences\n", good("verify", "all.fmd", "a.fa", "b.fa.gz", "c.fq").Out)
}

// Lines are strings, as are records without letters. One strand is enough for who wants no more.
func TestPangenomeStrings(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "lines", []byte("A\r\n\nacgtRN\n"))
	r := clitest.Good(t, dir, "pangenome", "build", "lines", "--input", "plain", "--forward", "-o", "x")
	assert.Contains(t, r.Errors, "x.len.gz is not written: record 2 (seq2) of lines has 0 letters")
	assert.NoFileExists(t, filepath.Join(dir, "x.len.gz"))
	assert.Equal(t, ">0 3\nA\n>1 1\n\n>2 4\nACGTNN\n>5 4\nA\n", // row 5 is CGTNN
		clitest.Good(t, dir, "pangenome", "get", "x", "0", "1", "2", "5").Out)
	clitest.Good(t, dir, "pangenome", "verify", "x", "lines", "--input", "plain", "--forward")
	clitest.Put(t, dir, "e.fa", []byte(">e\n>f\nACC\n"))
	clitest.Good(t, dir, "pangenome", "build", "e.fa", "-o", "e")
	clitest.Good(t, dir, "pangenome", "verify", "e", "e.fa")
	assert.Contains(t, clitest.Good(t, dir, "pangenome", "stat", "e").Out, "4 sequences\n10 symbols\n")
	// A genome may be there twice, and is noted.
	clitest.Put(t, dir, "g.fa", []byte(">g\nGATTACA\n"))
	clitest.Good(t, dir, "pangenome", "build", "g.fa", "-o", "g")
	r = clitest.Good(t, dir, "pangenome", "append", "g", "g.fa")
	assert.Contains(t, r.Errors, "note: 1 name of several sequences: g")
	clitest.Good(t, dir, "pangenome", "verify", "g", "g.fa", "--list", clitest.Put(t, dir, "list", []byte("g.fa\n")))
	// So may one strand beside two.
	clitest.Good(t, dir, "pangenome", "build", "g.fa", "--forward", "-o", "one", "-q")
	for _, line := range []string{"merge g one -o mixed", "append g g.fa --forward -o mixed"} {
		r = clitest.Good(t, dir, append([]string{"pangenome"}, strings.Fields(line)...)...)
		assert.Contains(t, r.Errors, "note: mixed does not have both strands of each sequence, as g has", line)
	}
	r = clitest.Run(t, dir, "pangenome", "append", "mixed", "g.fa", "-o", "x")
	assert.Contains(t, r.Errors, "it takes no others with both strands")
	// Without names there are none of the whole.
	require.NoError(t, os.Remove(filepath.Join(dir, "g.len.gz")))
	r = clitest.Good(t, dir, "pangenome", "append", "g", "g.fa", "-o", "h")
	assert.Contains(t, r.Errors, "h.len.gz is not written: g.len.gz: no such file or directory")
}

// What is wrong is told with its file, and the index that is there stays.
func TestPangenomeWrong(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	genomesIn(t, dir)
	clitest.Put(t, dir, "text", []byte("no sequence\n"))
	clitest.Put(t, dir, "bad.fa", []byte(">a\nACGT\n>b\nAC%T\n"))
	clitest.Good(t, dir, "pangenome", "build", "a.fa", "-o", "a.fmd", "-q")
	clitest.Good(t, dir, "pangenome", "build", "a.fa", "-o", "one", "--forward", "-q")
	good := clitest.Get(t, dir, "a.fmd")
	clitest.Put(t, dir, "cut", good[:len(good)-8])
	damaged := bytes.Clone(good)
	damaged[200] ^= 0x10
	clitest.Put(t, dir, "damaged", damaged)
	before := clitest.Files(t, dir)
	for line, want := range map[string]string{
		"append a.fa b.fa.gz":           "a.fa: byte 0: not an index of ropebwt3",
		"stat text":                     "text: byte 12: the file ends in its header",
		"stat cut":                      "cut: byte 24: ",
		"append cut a.fa":               "cut: byte 24: ",
		"merge a.fmd damaged -o x":      "damaged: byte ",
		"samples damaged":               "damaged: byte ",
		"get damaged 0":                 "damaged: byte ",
		"verify damaged a.fa":           "damaged: byte ",
		"append one b.fa.gz":            "does not have both strands",
		"append a.fmd text":             "text has no records of FASTA or FASTQ; --input plain",
		"append a.fmd c.fq bad.fa":      "bad.fa:4:3: ",
		"append a.fmd missing":          "cannot read missing",
		"append missing a.fa":           "cannot read missing",
		"get a.fmd 6004":                "row 6004",
		"build a.fa -o a.fa":            "it is the same file as a.fa",
		"merge a.fmd one -o a.fmd":      "it is the same file as a.fmd",
		"samples a.fmd -o a.fmd":        "it is the same file as a.fmd",
		"build --list missing -o x":     "cannot read missing",
		"append a.fmd a.fa -o none/x":   "cannot write none/x",
		"build bad.fa -o x":             "bad.fa:4:3: ",
		"append a.fmd b.fa.gz -o .":     "cannot write .: is a directory",
		"stat .":                        "cannot read .: is a directory",
		"append a.fmd b.fa.gz -o a.fa/": "cannot write a.fa/",
	} {
		r := clitest.Run(t, dir, append([]string{"pangenome"}, strings.Fields(line)...)...)
		assert.Equal(t, cli.ExitFailed, r.Code, line)
		assert.Contains(t, r.Errors, want, line)
	}
	for _, line := range []string{"build -o x", "append a.fmd", "get a.fmd x", "get a.fmd -1", "samples a.fmd --rate 49",
		"build - - -o x", "verify a.fmd"} {
		r := clitest.Run(t, dir, append([]string{"pangenome"}, strings.Fields(line)...)...)
		assert.Equal(t, cli.ExitUsage, r.Code, "%s: %s", line, r.Errors)
	}
	for line, want := range map[string]string{
		"verify a.fmd b.fa.gz":   "string 0 of a.fmd is not record 1 (three) of b.fa.gz",
		"verify a.fmd a.fa c.fq": "a.fmd has 4 strings, and none of record 1 (four) of c.fq",
		"verify one a.fa":        "string 1 of one is not the reverse complement of record 1 (one) of a.fa",
	} {
		r := clitest.Run(t, dir, append([]string{"pangenome"}, strings.Fields(line)...)...)
		assert.Equal(t, cli.ExitVerify, r.Code, line)
		assert.Contains(t, r.Errors, want, line)
	}
	r := clitest.Run(t, dir, "pangenome", "verify", "a.fmd", "c.fq", "--json", "-q")
	var told report.Report
	require.NoError(t, json.Unmarshal([]byte(r.Out), &told))
	assert.False(t, *told.OK)
	assert.Contains(t, told.Reason, "string 0")
	assert.Equal(t, before, clitest.Files(t, dir))
	assert.Equal(t, good, clitest.Get(t, dir, "a.fmd"))
}

// A plan is refused with the numbers, as the verb is.
func TestPangenomePlan(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	genomesIn(t, dir)
	clitest.Good(t, dir, "pangenome", "build", "a.fa", "-o", "a.fmd", "-q")
	for _, line := range []string{"build a.fa b.fa.gz", "append a.fmd b.fa.gz", "append a.fmd", "merge a.fmd a.fmd",
		"get a.fmd", "samples a.fmd", "verify a.fmd"} {
		r := clitest.Good(t, dir, append([]string{"plan", "pangenome"}, strings.Fields(line)...)...)
		assert.Contains(t, r.Out, "fits", line)
	}
	var told struct {
		Disk []struct {
			Bytes  int
			AtMost bool `json:"at_most"`
		}
	}
	line := "plan pangenome append a.fmd a.fa -o both.fmd --resume kept --json"
	require.NoError(t, json.Unmarshal([]byte(clitest.Good(t, dir, strings.Fields(line)...).Out), &told))
	clitest.Good(t, dir, "pangenome", "append", "a.fmd", "a.fa", "-o", "both.fmd", "-q")
	require.Len(t, told.Disk, 1)
	assert.True(t, told.Disk[0].AtMost)
	assert.GreaterOrEqual(t, told.Disk[0].Bytes, 2*len(clitest.Get(t, dir, "both.fmd")))
	for _, verb := range []string{"plan pangenome build a.fa", "pangenome build a.fa -o x"} {
		r := clitest.Run(t, dir, append(strings.Fields(verb), "--max-mem", "10K")...)
		assert.Equal(t, cli.ExitMemory, r.Code, r.Errors)
	}
	assert.NoFileExists(t, filepath.Join(dir, "x"))
}
