package verbs

import (
	"encoding/json"
	"fmt"
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

// searchDir has reference, queries and an index of DNA.
func searchDir(t *testing.T) string {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "ref.fa", []byte(reference))
	clitest.Put(t, dir, "q.fa", []byte(">q1\nGATTACA\n>q2 y\ntgtaauc\n>none\nCCCCC\n>q3\nACGT\n"))
	clitest.Good(t, dir, "index", "ref.fa", "--input", "fasta", "--dna", "-o", "ref.fmi", "-q")
	return dir
}

// searches are locate and match for the queries of searchDir, with more arguments.
func searches(more ...string) [][]string {
	return [][]string{
		append([]string{"locate", "ref.fmi", "--patterns", "q.fa"}, more...),
		append([]string{"match", "ref.fa", "q.fa", "--input", "fasta", "--dna"}, more...),
	}
}

func TestHitFormats(t *testing.T) {
	dir := searchDir(t)
	for _, args := range searches("--both") {
		assert.Equal(t, "q1\tr1:6\t+\nq1\t#2:0\t+\nq2\tr1:6\t-\nq2\t#2:0\t-\nq3\tr1:0\t+\nq3\tr1:0\t-\n",
			clitest.Good(t, dir, args...).Out)
	}
	for _, args := range searches("--both", "--format", "bed") {
		assert.Equal(t, "r1\t6\t13\tq1\t0\t+\n#2\t0\t7\tq1\t0\t+\nr1\t6\t13\tq2\t0\t-\n#2\t0\t7\tq2\t0\t-\n"+
			"r1\t0\t4\tq3\t0\t+\nr1\t0\t4\tq3\t0\t-\n", clitest.Good(t, dir, args...).Out)
	}
	for _, args := range searches("--format", "paf") {
		assert.Equal(t, "q1\t7\t0\t7\t+\tr1\t19\t6\t13\t7\t7\t255\nq1\t7\t0\t7\t+\t#2\t7\t0\t7\t7\t7\t255\n"+
			"q3\t4\t0\t4\t+\tr1\t19\t0\t4\t4\t4\t255\n", clitest.Good(t, dir, args...).Out)
	}
	// A text without records is called by its file.
	clitest.Put(t, dir, "some text", []byte("banana"))
	clitest.Put(t, dir, "q", []byte("an a\nana\n"))
	assert.Equal(t, "some_text\t1\t4\tana\t0\t+\nsome_text\t3\t6\tana\t0\t+\n",
		clitest.Good(t, dir, "match", "some text", "q", "--format", "bed").Out)
	clitest.Good(t, dir, "index", "some text", "-o", "x.fmi", "-q")
	assert.Equal(t, "ana\t3\t0\t3\t+\tx.fmi\t6\t1\t4\t3\t3\t255\nana\t3\t0\t3\t+\tx.fmi\t6\t3\t6\t3\t3\t255\n",
		clitest.Good(t, dir, "locate", "x.fmi", "ana", "--format", "paf").Out)
}

func TestMaxHits(t *testing.T) {
	dir := searchDir(t)
	clitest.Put(t, dir, "q.fa", []byte(">a\nA\n>b\nGATTACA\n>c\nGTAA\n"))
	for format, want := range map[string]string{
		"tsv": "a\t*\t*\t15\nb\tr1:6\t+\nb\t#2:0\t+\nc\tr1:8\t-\nc\t#2:2\t-\n",
		"bed": "#more than --max-hits\ta\t15\nr1\t6\t13\tb\t0\t+\n#2\t0\t7\tb\t0\t+\nr1\t8\t12\tc\t0\t-\n#2\t2\t6\tc\t0\t-\n",
		"paf": "a\t1\t0\t0\t*\t*\t0\t0\t0\t0\t0\t0\tnh:i:15\nb\t7\t0\t7\t+\tr1\t19\t6\t13\t7\t7\t255\n" +
			"b\t7\t0\t7\t+\t#2\t7\t0\t7\t7\t7\t255\nc\t4\t0\t4\t-\tr1\t19\t8\t12\t4\t4\t255\n" +
			"c\t4\t0\t4\t-\t#2\t7\t2\t6\t4\t4\t255\n",
	} {
		for _, args := range searches("--both", "--max-hits", "2", "--format", format, "--json") {
			r := clitest.Good(t, dir, args...)
			assert.Equal(t, want, r.Out)
			var report report.Report
			require.NoError(t, json.Unmarshal([]byte(r.Errors), &report))
			assert.Equal(t, 1, report.QueriesOverLimit)
			assert.EqualValues(t, 19, report.Occurrences)
		}
	}
	for _, args := range searches("--max-hits", "1") {
		assert.Equal(t, "a\t*\t8\nb\t*\t2\n", clitest.Good(t, dir, args...).Out)
	}
	for _, args := range searches("--max-hits", "-1") {
		r := clitest.Run(t, dir, args...)
		assert.Equal(t, cli.ExitUsage, r.Code)
		assert.Contains(t, r.Errors, "--max-hits")
	}
}

func TestCountBothStrands(t *testing.T) {
	dir := searchDir(t)
	assert.Equal(t, "q1\t2\t0\nq2\t0\t2\nnone\t0\t0\nq3\t1\t1\n",
		clitest.Good(t, dir, "count", "ref.fmi", "--patterns", "q.fa", "--both").Out)
	clitest.Put(t, dir, "text", []byte("banana"))
	clitest.Good(t, dir, "index", "text", "-o", "text.fmi", "-q")
	for _, verb := range []string{"count", "locate"} {
		r := clitest.Run(t, dir, verb, "text.fmi", "a", "--both")
		assert.Equal(t, cli.ExitUsage, r.Code)
		assert.Contains(t, r.Errors, "--both needs an index of DNA")
	}
}

// A result file is written as others are: complete, or not at all.
func TestSearchOutput(t *testing.T) {
	dir := searchDir(t)
	for _, args := range append(searches(), []string{"count", "ref.fmi", "A", "GATTACA"}) {
		want := clitest.Good(t, dir, args...).Out
		r := clitest.Good(t, dir, append(args, "-o", "out", "--json")...)
		assert.Equal(t, want, string(clitest.Get(t, dir, "out")))
		var report report.Report
		require.NoError(t, json.Unmarshal([]byte(r.Out), &report)) // standard output is free
		assert.Equal(t, "out", report.Output)
		require.NoError(t, os.Remove(filepath.Join(dir, "out")))
	}
	before := clitest.Files(t, dir)
	clitest.Put(t, dir, "q.fa", []byte(">a\nA\n>b\nAC\x00\n"))
	for _, args := range searches("-o", "out") {
		r := clitest.Run(t, dir, args...)
		assert.Equal(t, cli.ExitFailed, r.Code)
		assert.Equal(t, "suffixcl: q.fa:4:3: byte 0x00 in sequence \"b\"\n", r.Errors)
	}
	assert.Equal(t, before, clitest.Files(t, dir))
}

// Batches of patterns shrink to the memory that there is.
func TestBatchesShrink(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	text := clitest.Prose(20000)
	clitest.Put(t, dir, "text", text)
	clitest.Good(t, dir, "index", "text", "-o", "text.fmi", "-q")
	var lines strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&lines, "line %d of %d\n", i%97, i/97)
	}
	clitest.Put(t, dir, "one", []byte("line 1 of 0\n"))
	clitest.Put(t, dir, "many", []byte(lines.String()))
	for _, args := range [][]string{
		{"count", "text.fmi", "--patterns"}, {"locate", "text.fmi", "--patterns"}, {"match", "text"},
	} {
		var report report.Report
		r := clitest.Good(t, dir, append(args, "one", "--json")...)
		require.NoError(t, json.Unmarshal([]byte(r.Errors), &report))
		limit := fmt.Sprint(report.PeakBytes + 50_000)
		want := clitest.Good(t, dir, append(args, "many")...).Out
		r = clitest.Run(t, dir, append(args, "many", "--max-mem", limit)...)
		require.Equal(t, cli.ExitDone, r.Code, "%v: %s", args, r.Errors)
		require.Equal(t, want, r.Out)
	}
}

// Numbers of occurrences and of records, by hand.
func TestMatchDocuments(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "fa", []byte(">a\nGATTACA\nGATTACA\n>b\nattac\n>c\n\n>d\nTACAG\n"))
	clitest.Put(t, dir, "queries", []byte("ATTAC\nTACA\nGG\n\nattac\nACAT\n"))
	r := clitest.Good(t, dir, "match", "fa", "queries", "--documents", "-q")
	assert.Equal(t, "ATTAC\t2\t1\nTACA\t3\t2\nGG\t0\t0\n\t0\t0\nattac\t1\t1\nACAT\t0\t0\n", r.Out)
	r = clitest.Good(t, dir, "match", "fa", "queries", "--documents", "--dna", "-q")
	assert.Equal(t, "ATTAC\t3\t2\nTACA\t3\t2\nGG\t0\t0\n\t0\t0\nattac\t3\t2\nACAT\t0\t0\n", r.Out)
	r = clitest.Good(t, dir, "match", "queries", "queries", "--documents", "-q")
	assert.Contains(t, r.Out, "TAC\t")
	clitest.Good(t, dir, "plan", "match", "fa", "--documents")
	for _, args := range [][]string{{"--both", "--dna"}, {"--sa", "x"}, {"--format", "bed"}, {"--symbols", "u16"}} {
		r := clitest.Run(t, dir, append([]string{"match", "fa", "queries", "--documents"}, args...)...)
		assert.Equal(t, cli.ExitUsage, r.Code, args)
	}
}
