package verbs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
	"github.com/suffixcl/suffixcl/internal/testkit/needed"
	"github.com/suffixcl/suffixcl/seqio"
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
	clitest.Good(t, dir, "index", "g.fa", "--dna", "-o", "g.fmi", "-q")
	clitest.Good(t, dir, "index", "g.fa", "--dna", "--both", "--sample", "0", "-o", "none.fmi", "-q")
	clitest.Put(t, dir, "cut.fmi", clitest.Get(t, dir, "none.fmi")[:2180])
	clitest.Good(t, dir, "pangenome", "build", "r.fa", "--forward", "-o", "one.fmd", "-q")
	clitest.Good(t, dir, "pangenome", "build", "g.fa", "-o", "g.fmd", "-q")
	told := clitest.Good(t, dir, "smems", "none.fmi", "r.fa", "-l", "6", "--format", "tsv")
	assert.Equal(t, "r1\t2\t9\t1\t*\n", told.Out)
	for _, verb := range []string{"count none.fmi A", "locate none.fmi A", "get none.fmi --range 0-1",
		"plan count none.fmi", "passages none.fmi r.fa"} {
		r := clitest.Run(t, dir, strings.Fields(verb)...)
		assert.Equal(t, cli.ExitFailed, r.Code, verb)
		assert.Contains(t, r.Errors, "none.fmi: not a usable index: it has both strands")
	}
	for args, want := range map[string]string{
		"one.fmd r.fa":                        "one.fmd: the index does not have both strands of each sequence",
		"damaged.fmd r.fa":                    "damaged.fmd: byte",
		"short r.fa":                          "short.bwt",
		"absent r.fa":                         "absent.ann",
		"g.fmi r.fa":                          `g.fmi: the index has one strand: "suffixcl index FASTA --dna --both"`,
		"none.fmi r.fa":                       "none.fmi: the index has no places, which fastmap tells",
		"cut.fmi r.fa":                        "cut.fmi: not a usable index: it is cut off",
		"g.fa r.fa --keep 0 --histogram r.fa": "cannot write r.fa: it is the same file as r.fa",
		"g.fa r.fa --histogram g.fa.bwt":      "cannot write g.fa.bwt: it is the same file as g.fa.bwt",
		"g.fa bad.fq":                         "bad.fq:4: the file ends inside of record",
		"g.fa absent":                         "cannot read absent",
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
		"smems g.fa r.fa --positions 1":      "--positions is for a pangenome",

		"smems g.fa r.fa --keep 1 --drop 1":                   "--drop does not go with --keep",
		"smems g.fa r.fa --keep 1 --cov":                      "--cov does not go with --keep",
		"smems g.fa r.fa --keep 1.1":                          "want 0 to 1, or 0% to 100%",
		"smems g.fa r.fa --drop -1%":                          "want 0 to 1, or 0% to 100%",
		"smems g.fa r.fa --drop NaN":                          "want 0 to 1, or 0% to 100%",
		"smems g.fa r.fa --drop 1 --format tsv":               "--format does not go with --drop",
		"smems g.fa r.fa --paired":                            "--paired is for --keep and --drop",
		"smems g.fa r.fa --keep 1 --mates x":                  "--mates is for --paired",
		"smems g.fa r.fa --keep 1 --both-mates":               "--both-mates is for --paired",
		"smems g.fa r.fa r.fa r.fa --keep 1 --paired":         "want two files of reads, or one; there are 3",
		"smems g.fa r.fa --keep 1 -o x --histogram ./x":       "cannot write ./x twice",
		"smems g.fa r.fa --keep 1 -o x.bz2":                   "bzip2 is not written",
		"smems g.fa r.fa --matching-statistics -l 5":          "--min-length can be 1 alone",
		"smems g.fa r.fa --matching-statistics -w 5":          "--max-located does not go with --matching-statistics",
		"smems g.fa r.fa --matching-statistics --gap 5":       "--gap does not go with --matching-statistics",
		"smems g.fa r.fa --format tsv --matching-statistics":  "--format can be jsonl alone",
		"smems g r.fa --pseudo-matching-lengths -l 5":         "--min-length does not go with --pseudo-matching-lengths",
		"smems g r.fa --pseudo-matching-lengths --cov":        "--cov does not go with --pseudo-matching-lengths",
		"smems g r.fa --pseudo-matching-lengths --format bed": "--format can be jsonl alone",
	} {
		r := clitest.Run(t, dir, strings.Fields(args)...)
		assert.Equal(t, cli.ExitUsage, r.Code, args)
		assert.Contains(t, r.Errors, want)
	}
}

// readsCase is a genome with reads of FASTQ, some of which are parts of it with other letters in them.
type readsCase struct {
	genome string    // of two sequences
	both   [4]string // their strands
	reads  []string  // letters
	files  []string  // records
	names  []string
}

func newReadsCase(r *rand.Rand, n int) (c readsCase) {
	pick := func(n int) string {
		text := make([]byte, n)
		for i := range text {
			text[i] = "ACGT"[r.IntN(4)]
		}
		return string(text)
	}
	c.both[0], c.both[2] = pick(300), pick(200)
	c.both[2] += c.both[0][50:120]
	for k := range 2 {
		c.both[2*k+1] = otherStrand(c.both[2*k])
		c.genome += fmt.Sprintf(">c%d\n%s\n", k, c.both[2*k])
	}
	for k := range n {
		read := pick(r.IntN(60))
		if r.IntN(3) > 0 {
			from := c.both[r.IntN(4)]
			at := r.IntN(len(from))
			letters := []byte(from[at:min(at+1+r.IntN(80), len(from))])
			for range r.IntN(4) {
				letters[r.IntN(len(letters))] = "ACGTN"[r.IntN(5)]
			}
			read = string(letters)
		}
		if k%10 == 0 {
			read = ""
		}
		name := fmt.Sprintf("r%d/%d", k/2, 1+k%2)
		c.names, c.reads = append(c.names, name), append(c.reads, read)
		c.files = append(c.files, fmt.Sprintf("@%s some\n%s\n+\n%s\n", name, read, strings.Repeat("@", len(read))))
	}
	return c
}

func otherStrand(text string) string {
	other := []byte(strings.NewReplacer("A", "T", "C", "G", "G", "C", "T", "A").Replace(text))
	slices.Reverse(other)
	return string(other)
}

func (c *readsCase) has(of string) bool {
	return slices.ContainsFunc(c.both[:], func(text string) bool { return strings.Contains(text, of) })
}

// covered tells whether a read has the share of its letters in strings of so many letters that the genome has.
func (c *readsCase) covered(read string, letters int, share float64) bool {
	in := make([]bool, len(read))
	for at := 0; at+letters <= len(read); at++ {
		if c.has(read[at : at+letters]) {
			for i := range letters {
				in[at+i] = true
			}
		}
	}
	count := 0
	for _, is := range in {
		if is {
			count++
		}
	}
	return count > 0 && float64(count) >= share*float64(len(read))
}

// Reads are kept and dropped by the definition, in their order, from one file or two, to one file or two.
func TestSMEMFilter(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	c := newReadsCase(rand.New(rand.NewPCG(63, 63)), 400)
	clitest.Put(t, dir, "g.fa", []byte(c.genome))
	var mates [2]string
	for k, file := range c.files {
		mates[k%2] += file
	}
	clitest.Put(t, dir, "r.fq", []byte(strings.Join(c.files, "")))
	clitest.Put(t, dir, "r_1.fq", []byte(mates[0]))
	clitest.Put(t, dir, "r_2.fq", []byte(mates[1]))
	clitest.Good(t, dir, "pangenome", "build", "g.fa", "-o", "g.fmd", "-q")
	run := func(args string) string {
		return clitest.Good(t, dir, append([]string{"smems", "g.fmd", "-q", "-l", "9"}, strings.Fields(args)...)...).Out
	}
	// want are the reads that are written, in one file and in one for each mate. joined has pairs stay or go together.
	want := func(keep bool, share float64, joined func(one, two bool) bool) (all string, each [2]string) {
		for k := 0; k < len(c.reads); k += 2 {
			is := [2]bool{c.covered(c.reads[k], 9, share), c.covered(c.reads[k+1], 9, share)}
			if joined != nil {
				is[0] = joined(is[0], is[1])
				is[1] = is[0]
			}
			for m := range 2 {
				if is[m] == keep {
					all += c.files[k+m]
					each[m] += c.files[k+m]
				}
			}
		}
		return all, each
	}
	either := func(one, two bool) bool { return one || two }
	both := func(one, two bool) bool { return one && two }
	all, _ := want(true, 0.5, nil)
	assert.Equal(t, all, run("r.fq --keep 0.5"))
	all, _ = want(false, 0.5, nil)
	assert.Equal(t, all, run("r.fq --drop 50%"))
	all, _ = want(true, 0, nil)
	assert.Equal(t, all, run("r.fq --keep 0"))
	all, _ = want(false, 0.8, either)
	assert.Equal(t, all, run("r.fq --drop .8 --paired"))
	assert.Equal(t, all, run("r_1.fq r_2.fq --drop .8 --paired"))
	all, each := want(true, 1, both)
	assert.Equal(t, all, run("r_1.fq r_2.fq --keep 1 --paired --both-mates"))
	assert.Empty(t, run("r.fq --keep 1 --paired --both-mates -o k_1.fq.gz --mates k_2.fq.zst --histogram h"))
	plain := func(name string) []byte {
		in, err := cli.OpenText(t.Context(), filepath.Join(dir, name), cli.InputOptions{
			Sequences: seqio.Options{Format: seqio.Plain}})
		require.NoError(t, err)
		defer in.Close()
		assert.NotEmpty(t, in.Compression)
		text, err := in.ReadAll(t.Context(), nil, nil)
		require.NoError(t, err)
		return text
	}
	assert.Equal(t, each[0], string(plain("k_1.fq.gz")))
	assert.Equal(t, each[1], string(plain("k_2.fq.zst")))
	lengths := map[int]int{}
	for line := range strings.Lines(run("r.fq")) {
		cells := strings.Fields(line)
		start, _ := strconv.Atoi(cells[1])
		end, _ := strconv.Atoi(cells[2])
		lengths[end-start]++
	}
	histogram := ""
	for _, length := range slices.Sorted(maps.Keys(lengths)) {
		histogram += fmt.Sprintf("%d\t%d\n", length, lengths[length])
	}
	assert.Equal(t, histogram, string(clitest.Get(t, dir, "h")))

	// Nothing is written if mates are missing.
	clitest.Put(t, dir, "short", []byte(mates[1][:strings.LastIndex(mates[1], "\n@r")+1]))
	clitest.Put(t, dir, "short_1", []byte(mates[0][:strings.LastIndex(mates[0], "\n@r")+1]))
	clitest.Put(t, dir, "odd", []byte(strings.Join(c.files[:3], "")))
	for args, want := range map[string]string{
		"r_1.fq short":     "short has 199 reads, and r_1.fq has more",
		"short_1 r_2.fq":   "short_1 has 199 reads, and r_2.fq has more",
		"odd":              `read "r1/1" has no mate`,
		"r_2.fq r_1.fq":    `"r0/2" and "r0/1" are no mates`,
		"r_1.fq /dev/null": "/dev/null",
	} {
		clitest.Put(t, dir, "old", []byte("old"))
		got := clitest.Run(t, dir, append([]string{"smems", "g.fmd", "-q", "--keep", "0", "--paired", "-o", "old",
			"--mates", "new"}, strings.Fields(args)...)...)
		assert.Equal(t, cli.ExitFailed, got.Code, args)
		assert.Contains(t, got.Errors, want)
		assert.Equal(t, []byte("old"), clitest.Get(t, dir, "old"))
		assert.NoFileExists(t, filepath.Join(dir, "new"))
	}
	if _, err := os.Stat("/dev/full"); err == nil {
		full := clitest.Run(t, dir, "smems", "g.fmd", "r.fq", "-q", "--drop", "1", "--paired", "-o", "new.gz",
			"--mates", "/dev/full")
		assert.Equal(t, "suffixcl: cannot write /dev/full: no space left on device\n", full.Errors)
		assert.NoFileExists(t, filepath.Join(dir, "new.gz"))
	}
}

// Matching statistics and positions are those of the definition.
func TestSMEMStatistics(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	c := newReadsCase(rand.New(rand.NewPCG(63, 64)), 60)
	clitest.Put(t, dir, "g.fa", []byte(c.genome))
	clitest.Put(t, dir, "r.fq", []byte(strings.Join(c.files, "")))
	clitest.Good(t, dir, "pangenome", "build", "g.fa", "-o", "g.fmd", "-q")
	run := func(args string) string {
		return clitest.Good(t, dir, append([]string{"smems", "g.fmd", "r.fq", "-q"}, strings.Fields(args)...)...).Out
	}
	text, object := "", ""
	for k, read := range c.reads {
		lengths := []int{}
		text += ">" + c.names[k] + "\n"
		for at := range read {
			n := 0
			for at+n < len(read) && c.has(read[at:at+n+1]) {
				n++
			}
			lengths = append(lengths, n)
			text += fmt.Sprint(n, " ")
		}
		text += "\n"
		list, err := json.Marshal(lengths)
		require.NoError(t, err)
		object += fmt.Sprintf(`{"read":%q,"length":%d,"lengths":%s}`+"\n", c.names[k], len(read), list)
	}
	assert.Equal(t, text, run("--matching-statistics"))
	assert.Equal(t, object, run("--matching-statistics --format jsonl"))

	missing := clitest.Run(t, dir, "smems", "g.fmd", "r.fq", "--positions", "1")
	assert.Equal(t, cli.ExitFailed, missing.Code)
	assert.Contains(t, missing.Errors, `cannot read g.fmd.ssa: no such file or directory; "suffixcl pangenome samples"`)
	clitest.Good(t, dir, "pangenome", "samples", "g.fmd", "--rate", "3", "-q")
	plain := strings.Split(run("-l 5"), "\n")
	few := strings.Split(run("-l 5 --positions 2"), "\n")
	require.Len(t, few, len(plain))
	matches := map[string][]string{} // the letters of a match, with its positions
	for i, line := range strings.Split(run("-l 5 --positions 1000"), "\n") {
		if line == "" {
			continue
		}
		cells := strings.Split(line, "\t")
		require.Equal(t, plain[i], strings.Join(cells[:4], "\t"))
		require.Equal(t, cells[3], cells[4])
		start, _ := strconv.Atoi(cells[1])
		end, _ := strconv.Atoi(cells[2])
		of := c.reads[slices.Index(c.names, cells[0])][start:end]
		var want []string
		for s, text := range c.both {
			for at := 0; at+len(of) <= len(text); at++ {
				if text[at:at+len(of)] == of {
					from := at
					if s%2 == 1 {
						from = len(text) - at - len(of)
					}
					want = append(want, fmt.Sprintf("c%d:%c:%d", s/2, "+-"[s%2], from))
				}
			}
		}
		require.ElementsMatch(t, want, cells[5:])
		matches[of] = cells[5:]
		require.Equal(t, append(cells[:4:4], append([]string{strconv.Itoa(min(2, len(want)))},
			cells[5:5+min(2, len(want))]...)...), strings.Split(few[i], "\t"))
	}
	require.NotEmpty(t, matches)
	assert.Contains(t, run("-l 5 --positions 3 --format jsonl"), `"positions":["c0:`)
	clitest.Good(t, dir, "pangenome", "build", "r.fq", "-o", "r.fmd", "-q")
	clitest.Put(t, dir, "r.fmd.ssa", clitest.Get(t, dir, "g.fmd.ssa"))
	clitest.Put(t, dir, "r.fmd.len.gz", clitest.Get(t, dir, "g.fmd.len.gz"))
	other := clitest.Run(t, dir, "smems", "r.fmd", "r.fq", "--positions", "1")
	assert.Contains(t, other.Errors, "r.fmd.ssa: the samples are not those of the index")
}

// Pseudo-matching lengths are those of the definition.
func TestPseudoMatchingLengths(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	c := newReadsCase(rand.New(rand.NewPCG(63, 65)), 60)
	clitest.Put(t, dir, "g.fa", []byte(c.genome))
	clitest.Put(t, dir, "r.fq", []byte(strings.Join(c.files, "")))
	run := func(args string) string {
		return clitest.Good(t, dir, strings.Fields("smems runs r.fq --pseudo-matching-lengths "+args)...).Out
	}
	for _, separator := range []string{"", "%"} {
		args := []string{"pangenome", "thresholds", "g.fa", "runs", "--force", "-q"}
		if separator != "" {
			args = append(args, "--separators")
		}
		clitest.Good(t, dir, args...)
		s := jobsuites.PseudoSearch{}
		for _, strand := range c.both {
			s.Text = append(append(s.Text, strand...), separator...)
		}
		for _, read := range c.reads {
			s.Queries = append(s.Queries, []byte(read))
		}
		text, object := "", ""
		for k, lengths := range jobsuites.ReferencePseudoLengths(s) {
			text += ">" + c.names[k] + "\n"
			for _, n := range lengths {
				text += fmt.Sprint(n, " ")
			}
			text += "\n"
			list, err := json.Marshal(lengths)
			require.NoError(t, err)
			object += fmt.Sprintf(`{"read":%q,"length":%d,"lengths":%s}`+"\n", c.names[k], len(lengths), list)
		}
		require.Equal(t, text, run("-q"))
		require.Equal(t, object, run("-q --format jsonl"))
	}
	var r report.Report
	require.NoError(t, json.Unmarshal([]byte(run("-o out --json")), &r))
	assert.Equal(t, len(c.reads), r.SMEMs.Reads)
	assert.Contains(t, clitest.Good(t, dir, "plan", "smems", "runs", "r.fq", "--pseudo-matching-lengths", "--long").Out,
		"thresholds")

	damaged := clitest.Get(t, dir, "runs.thr_pos")
	damaged[8] = 77
	clitest.Put(t, dir, "runs.thr_pos", damaged)
	got := clitest.Run(t, dir, "smems", "runs", "r.fq", "--pseudo-matching-lengths", "-q")
	assert.Equal(t, cli.ExitFailed, got.Code)
	assert.Contains(t, got.Errors, "runs.thr_pos: byte 5: has threshold")
	got = clitest.Run(t, dir, "smems", "g.fa", "r.fq", "--pseudo-matching-lengths", "-q")
	assert.Contains(t, got.Errors,
		`cannot read g.fa.bwt.heads: no such file or directory; "suffixcl pangenome thresholds" makes it`)
	got = clitest.Run(t, dir, "smems", "runs", "r.fq", "--pseudo-matching-lengths", "-o", "runs.thr_pos")
	assert.Equal(t, cli.ExitFailed, got.Code, got.Errors)
	assert.Equal(t, damaged, clitest.Get(t, dir, "runs.thr_pos"))
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

// What bwa fastmap writes, of the index of bwa and of an FM-index. SUFFIXCL_SOAK: a thousand random cases.
func TestSMEMsAsBWA(t *testing.T) {
	clitest.NeedDevice(t)
	bwa := needed.Program(t, "bwa")
	const few = 40
	cases := few
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
		if cases == few && k%4 != 0 {
			continue
		}
		every := []string{"1", "3", "32", "1000"}[r.IntN(4)]
		clitest.Good(t, dir, "index", "g.fa", "--dna", "--both", "--sample", every, "-o", "g.fmi", "-q")
		args[len(args)-2] = "g.fmi"
		got = clitest.Good(t, dir, append([]string{"smems", "-q"}, args...)...).Out
		require.Equal(t, string(want), got, "FM-index, case %d, %v, %s\n%s%s", k, args, every, genome, reads)
		if k%8 == 0 {
			format := []string{"--format", []string{"bed", "tsv", "jsonl"}[r.IntN(3)]}
			of := func(index string) string {
				return clitest.Good(t, dir, append([]string{"smems", "-q", index, "r.fa", "-l", "5"}, format...)...).Out
			}
			require.Equal(t, of("g.fa"), of("g.fmi"), "%v\n%s%s", format, genome, reads)
		}
	}
}
