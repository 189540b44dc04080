package verbs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/internal/testkit/needed"
)

// smemGenome has no string of three letters twice, but for the other strand's.
const smemGenome = ">one text\nACCATTTGCA\n>two\nGGNNAGCT\n"

const smemReads = ">r1 long\nTTCCATTTGGACAGCTA\n>r2\n\n>r3\nGGtt\n>r4\nTGGT\n"

func TestSMEMs(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "g.fa", []byte(smemGenome))
	clitest.Put(t, dir, "r.fa", []byte(smemReads))
	clitest.Put(t, dir, "lines", []byte("CCATTTG\n\nAGC\n"))
	clitest.Good(t, dir, "build", "bwa", "g.fa", "g.fa", "-q")
	clitest.Good(t, dir, "pangenome", "build", "g.fa", "-o", "g.fmd", "-q")
	run := func(args string) string {
		return clitest.Good(t, dir, append([]string{"smems"}, strings.Fields(args)...)...).Out
	}
	assert.Equal(t, "SQ\tr1\t17\nEM\t2\t9\t1\tone:+2\n//\nSQ\tr2\t0\n//\nSQ\tr3\t4\n//\nSQ\tr4\t4\n//\n",
		run("g.fa r.fa -l 6"))
	assert.Equal(t, "r1\t2\t9\t1\nr1\t12\t16\t2\nr4\t0\t4\t1\n", run("g.fmd r.fa -l 4"))
	assert.Equal(t, "r1\t12\t16\t2\n", run("g.fmd r.fa -l 4 --min-hits 2"))
	assert.Equal(t, "r1\t0\t2\t2\nr1\t9\t12\t3\nr1\t16\t17\t1\nr3\t0\t4\t4\n", run("g.fmd r.fa -l 4 --gap 1"))
	assert.Equal(t, "r1\t9\t12\t3\nr3\t0\t4\t4\n", run("g.fmd r.fa -l 4 --gap 3"))
	assert.Equal(t, "r1\t17\t11\nr4\t4\t4\n", run("g.fmd r.fa -l 4 --cov"))
	assert.Equal(t, "#1\t0\t7\t1\tone:+1\n", run("g.fa lines -l 4 --format tsv"))
	assert.Equal(t, "#1\t0\t7\t1\n", run("g.fmd lines -l 4 --format tsv"))
	assert.Equal(t, `{"read":"#1","length":7,"matches":[{"start":0,"end":7,"hits":1,"positions":["one:+1"]}]}`+"\n"+
		`{"read":"#2","length":0,"matches":[]}`+"\n"+`{"read":"#3","length":3,"matches":[]}`+"\n",
		run("g.fa lines -l 4 --format jsonl"))
	assert.Contains(t, run("g.fmd lines -l 4 --format jsonl"), `"hits":1,"positions":null}`)
	assert.Empty(t, run("g.fmd lines"))

	// Several files, a summary, a plan.
	var r report.Report
	out := run("g.fmd r.fa lines -l 4 -o out --json")
	require.NoError(t, json.Unmarshal([]byte(out), &r))
	assert.Equal(t, &report.SMEMs{Reads: 7, Bases: 35, Covered: 22, Matches: 4,
		Lengths: []report.SMEMLength{{Least: 4, Matches: 4}}}, r.SMEMs)
	assert.Equal(t, 7, r.Queries)
	for _, index := range []string{"g.fa", "g.fmd"} {
		assert.Contains(t, clitest.Good(t, dir, "plan", "smems", index, "r.fa", "--long").Out, "matches in order")
	}
}

func TestSMEMErrors(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "g.fa", []byte(smemGenome))
	clitest.Put(t, dir, "r.fa", []byte(smemReads))
	clitest.Put(t, dir, "bad.fq", []byte("@a\nACGT\n+\nIII\n"))
	clitest.Put(t, dir, "damaged.fmd", []byte("RLD\x03"))
	clitest.Put(t, dir, "out", []byte("old"))
	clitest.Good(t, dir, "build", "bwa", "g.fa", "g.fa", "-q")
	clitest.Good(t, dir, "build", "bwa", "g.fa", "short", "-q")
	clitest.Put(t, dir, "short.bwt", clitest.Get(t, dir, "short.bwt")[:60])
	clitest.Good(t, dir, "pangenome", "build", "r.fa", "--forward", "-o", "one.fmd", "-q")
	clitest.Good(t, dir, "pangenome", "build", "g.fa", "-o", "g.fmd", "-q")
	for args, want := range map[string]string{
		"one.fmd r.fa":     "one.fmd: the index does not have both strands of each sequence",
		"damaged.fmd r.fa": "damaged.fmd: byte",
		"short r.fa":       "short.bwt",
		"absent r.fa":      "absent.ann",
		"g.fa bad.fq":      "bad.fq:4: the file ends inside of record",
		"g.fa absent":      "cannot read absent",
	} {
		r := clitest.Run(t, dir, append([]string{"smems", "-o", "out", "-q"}, strings.Fields(args)...)...)
		assert.Equal(t, cli.ExitFailed, r.Code, args)
		assert.Contains(t, r.Errors, want)
	}
	assert.Equal(t, []byte("old"), clitest.Get(t, dir, "out"))
	for args, want := range map[string]string{
		"smems":                              "INDEX is missing",
		"smems g.fa":                         "READS is missing",
		"smems g.fa r.fa -l -1":              "--min-length: want 1 or more",
		"smems g.fa r.fa -i 0":               "--min-hits: want 1 or more",
		"smems g.fa r.fa --gap 1 --cov":      "--gap does not go with --cov",
		"smems g.fa r.fa --cov --format tsv": "--gap and --cov are for --format bed",
		"smems g.fa r.fa -p --format bed":    "--print-sequence is for --format fastmap",
		"smems g.fa - -":                     "only one of the files can be standard input",
		"smems g.fmd r.fa --format fastmap":  "--format fastmap is for an index of bwa",
	} {
		r := clitest.Run(t, dir, strings.Fields(args)...)
		assert.Equal(t, cli.ExitUsage, r.Code, args)
		assert.Contains(t, r.Errors, want)
	}
}

// smemCase is a genome with reads of it: repeats, both strands, letters that are no bases, few letters, reads that are
// longer than sequences.
func smemCase(r *rand.Rand) (genome, reads string) {
	pick := func(n int, letters string) []byte {
		text := make([]byte, n)
		for i := range text {
			text[i] = letters[r.IntN(len(letters))]
		}
		return text
	}
	other := func(text []byte) []byte {
		text = bytes.Map(func(c rune) rune {
			if at := strings.IndexRune("ACGTacgt", c); at >= 0 {
				return rune("TGCAtgca"[at])
			}
			return c
		}, text)
		slices.Reverse(text)
		return text
	}
	one := func(choices ...string) string { return choices[r.IntN(len(choices))] }
	letters := one("ACGT", "ACGT", "ACGT", "AC", "AT", "A", "ACG")
	var sequences [][]byte
	for k := range 1 + r.IntN(5) {
		s := pick([]int{1, 2, 5, 30, 100, 400, 1500}[r.IntN(7)], letters)
		if k > 0 && r.IntN(3) > 0 {
			copied := sequences[r.IntN(k)]
			copied = copied[r.IntN(len(copied)):]
			if copied = copied[:min(len(copied), 1+r.IntN(300))]; r.IntN(2) == 0 {
				copied = other(copied)
			}
			s = slices.Insert(s, len(s)/2, copied...)
		}
		if r.IntN(3) == 0 {
			odd := one("N", "NNNNNNNNNNNNNNNNNNNN", strings.Repeat("A", 60), strings.Repeat("AC", 20), "RYK")
			s = slices.Insert(s, len(s)/3, []byte(odd)...)
		}
		if r.IntN(5) == 0 {
			s = bytes.ToLower(s)
		}
		sequences = append(sequences, s)
		genome += fmt.Sprintf(">c%d of some\n%s\n", k, s)
	}
	all := bytes.Join(sequences, nil)
	for k := range 1 + r.IntN(25) {
		var read []byte
		switch r.IntN(9) {
		case 0:
		case 1:
			read = bytes.Repeat(pick(1, "ACGTN"), 1+r.IntN(80))
		case 2:
			read = pick(1+r.IntN(200), "ACGT")
		default:
			at := r.IntN(len(all))
			read = slices.Clone(all[at:min(len(all), at+[]int{20, 50, 100, 300, 3000}[r.IntN(5)])])
			for range []int{0, 0, 1, 3, 10}[r.IntN(5)] {
				read[r.IntN(len(read))] = "ACGTNacgtR"[r.IntN(10)]
			}
			if r.IntN(2) == 0 {
				read = other(read)
			}
		}
		reads += fmt.Sprintf(">r%d%s\n%s\n", k, one("", " of some"), read)
	}
	return genome, reads
}

// What bwa fastmap writes. SUFFIXCL_SOAK: a thousand random cases.
func TestSMEMsAsBWA(t *testing.T) {
	clitest.NeedDevice(t)
	bwa := needed.Program(t, "bwa")
	cases := 40
	if os.Getenv("SUFFIXCL_SOAK") != "" {
		cases = 1000
	}
	dir := t.TempDir()
	for k := range cases {
		r := rand.New(rand.NewPCG(63, uint64(k)))
		genome, reads := smemCase(r)
		clitest.Put(t, dir, "g.fa", []byte(genome))
		clitest.Put(t, dir, "r.fa", []byte(reads))
		index := exec.Command(bwa, "index", "g.fa")
		index.Dir = dir
		require.NoError(t, index.Run())
		args := []string{"-l", []string{"1", "2", "5", "10", "17", "30"}[r.IntN(6)],
			"-w", []string{"0", "1", "3", "20", "1000"}[r.IntN(5)], "-i", strconv.Itoa(1 + r.IntN(2)*r.IntN(10))}
		if r.IntN(3) == 0 {
			args = append(args, "-p")
		}
		args = append(args, "g.fa", "r.fa")
		fastmap := exec.Command(bwa, append([]string{"fastmap"}, args...)...)
		fastmap.Dir = dir
		want, err := fastmap.Output()
		require.NoError(t, err)
		got := clitest.Good(t, dir, append([]string{"smems", "-q"}, args...)...).Out
		require.Equal(t, string(want), got, "case %d, %v\n%s%s", k, args, genome, reads)
	}
}
