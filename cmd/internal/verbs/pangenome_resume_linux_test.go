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
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/cmd/internal/resume"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// haplotypeFiles puts n genomes that are much alike, of two records each, and returns their names.
func haplotypeFiles(t *testing.T, dir string, n, letters int) (names []string) {
	rng := rand.New(rand.NewPCG(62, 7))
	genome := randomDNA(rng, letters)
	for k := range n {
		own := slices.Clone([]byte(genome))
		for range letters / 300 {
			own[rng.IntN(len(own))] = "ACGT"[rng.IntN(4)]
		}
		half := letters / 2
		names = append(names, clitest.Put(t, dir, fmt.Sprintf("%d.fa", k),
			fmt.Appendf(nil, ">%d.1\n%s\n>%d.2\n%s\n", k, own[:half], k, own[half:])))
	}
	return names
}

// keptDone is how many genomes are kept.
func keptDone(t *testing.T, dir string) int {
	var state struct{ Done int }
	data, err := os.ReadFile(filepath.Join(dir, resume.GenomesFile))
	if err != nil {
		return 0
	}
	require.NoError(t, json.Unmarshal(data, &state))
	return state.Done
}

// A job that is killed at any moment goes on after the genomes that are kept. Its bytes are those of one piece.
func TestPangenomeResume(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	names := haplotypeFiles(t, dir, 12, 30_000)
	pangenome := func(args ...string) []string { return append([]string{"pangenome"}, args...) }
	clitest.Good(t, dir, append(pangenome("build", "-q", "-o", "whole"), names...)...)
	clitest.Good(t, dir, append(pangenome("build", "-q", "-o", "first"), names[:1]...)...)
	whole, lengths := clitest.Get(t, dir, "whole"), lengthsIn(t, dir, "whole.len.gz")
	before := clitest.Files(t, dir)
	rng := rand.New(rand.NewPCG(62, 8))
	for _, verb := range []string{"build", "append"} {
		clitest.Put(t, dir, "out", clitest.Get(t, dir, "first"))
		clitest.Put(t, dir, "out.len.gz", clitest.Get(t, dir, "first.len.gz"))
		args := append(pangenome("append", "out"), names[1:]...)
		if verb == "build" {
			args = append(pangenome("build", "-o", "out"), names...)
		}
		args = append(args, "--resume", "kept")
		kills, most := 0, 0
		for {
			done := keptDone(t, filepath.Join(dir, "kept"))
			c := clitest.Command(dir, args...)
			ended := make(chan clitest.Result, 1)
			go func() { ended <- clitest.Finish(t, c) }()
			// It is killed some time after it has kept another one, or not at all once half of them are.
			for len(ended) == 0 && (keptDone(t, filepath.Join(dir, "kept")) <= done || done > 6) {
				time.Sleep(time.Millisecond)
			}
			time.Sleep(time.Duration(rng.IntN(20_000)) * time.Microsecond)
			if len(ended) == 0 {
				_ = c.Process.Kill()
				kills++
			}
			r := <-ended
			require.LessOrEqual(t, r.Code, cli.ExitDone, r.Errors) // a killed process has -1
			now := keptDone(t, filepath.Join(dir, "kept"))
			if done > 0 {
				assert.Contains(t, r.Errors, fmt.Sprintf("note: %d of ", done))
			}
			if r.Code == 0 {
				break
			}
			assert.GreaterOrEqual(t, now, done)
			most = max(most, now)
			if now > 0 { // the last whole index is there
				index := fmt.Sprintf("kept/suffixcl-index-%d.fmd", now)
				files := names[:now]
				if verb == "append" {
					files = names[:now+1]
				}
				clitest.Good(t, dir, append(pangenome("verify", index), files...)...)
			}
			if verb == "append" {
				assert.Equal(t, clitest.Get(t, dir, "first"), clitest.Get(t, dir, "out"))
			}
		}
		assert.Positive(t, kills, verb)
		assert.Positive(t, most, verb)
		assert.Equal(t, whole, clitest.Get(t, dir, "out"), verb)
		assert.Equal(t, lengths, lengthsIn(t, dir, "out.len.gz"), verb)
		assert.NoDirExists(t, filepath.Join(dir, "kept"))
		for _, name := range []string{"out", "out.len.gz"} {
			require.NoError(t, os.Remove(filepath.Join(dir, name)))
		}
		for _, name := range clitest.Files(t, dir) { // of killed processes
			if strings.HasPrefix(name, ".out") {
				require.NoError(t, os.Remove(filepath.Join(dir, name)))
			}
		}
		assert.Equal(t, before, clitest.Files(t, dir))
	}
}

// interruptedBuild begins a job, and ends it once a genome is kept.
func interruptedBuild(t *testing.T, dir string, args ...string) clitest.Result {
	for {
		c := clitest.Command(dir, args...)
		ended := make(chan clitest.Result, 1)
		go func() { ended <- clitest.Finish(t, c) }()
		for len(ended) == 0 && keptDone(t, filepath.Join(dir, "kept")) == 0 {
			time.Sleep(time.Millisecond)
		}
		_ = c.Process.Signal(os.Interrupt)
		if r := <-ended; r.Code != 0 {
			return r
		}
		require.NoError(t, os.Remove(filepath.Join(dir, "out"))) // it was too fast
	}
}

// What is kept goes on with more files, another name of the result, and other names of the same files. Another job is
// refused, and what is kept stays.
func TestPangenomeResumeOther(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	names := haplotypeFiles(t, dir, 12, 30_000)
	build := func(flags string, names ...string) []string {
		return append(append([]string{"pangenome", "build", "--resume", "kept"}, strings.Fields(flags)...), names...)
	}
	clitest.Good(t, dir, append([]string{"pangenome", "build", "-q", "-o", "whole"}, names...)...)
	r := interruptedBuild(t, dir, build("-o out", names[:11]...)...)
	assert.Equal(t, cli.ExitInterrupted, r.Code, r.Errors)
	done := keptDone(t, filepath.Join(dir, "kept"))
	assert.Positive(t, done)
	assert.NoFileExists(t, filepath.Join(dir, "out"))
	kept := clitest.Files(t, filepath.Join(dir, "kept"))

	first := clitest.Get(t, dir, "0.fa")
	clitest.Put(t, dir, "other.fa", append(slices.Clone(first[:len(first)-2]), "A\n"...))
	for want, args := range map[string][]string{
		"its --forward is false, not true":                  build("-o out --forward", names...),
		"its --input is auto, not fasta":                    build("-o out --input fasta", names...),
		"its verb is pangenome build, not pangenome append": {"pangenome", "append", "whole", "0.fa", "--resume", "kept"},
		"genome 1 was 0.fa of":                              build("-o out", append([]string{"other.fa"}, names[1:]...)...),
		"--resume takes regular files":                      build("-o out", "/dev/null"),
		"--resume kept keeps the job in":                    build("-o kept/suffixcl-index-1.fmd", names...),
	} {
		r := clitest.Run(t, dir, args...)
		assert.Equal(t, cli.ExitUsage, r.Code, r.Errors)
		assert.Contains(t, r.Errors, want)
		assert.Equal(t, kept, clitest.Files(t, filepath.Join(dir, "kept")))
	}
	if done > 1 {
		r = clitest.Run(t, dir, build("-o out", names[0])...)
		assert.Equal(t, cli.ExitUsage, r.Code, r.Errors)
		assert.Contains(t, r.Errors, "are finished, and 1 are given")
	}

	clitest.Put(t, dir, "copy.fa", first)
	var told report.Report
	r = clitest.Good(t, dir, build("-o elsewhere --json", append([]string{"copy.fa"}, names[1:]...)...)...)
	require.NoError(t, json.Unmarshal([]byte(r.Out), &told))
	assert.Equal(t, 12, told.Pangenome.Genomes)
	assert.Equal(t, done, told.Pangenome.Resumed)
	assert.Equal(t, clitest.Get(t, dir, "whole"), clitest.Get(t, dir, "elsewhere"))
	assert.Equal(t, lengthsIn(t, dir, "whole.len.gz"), lengthsIn(t, dir, "elsewhere.len.gz"))
	assert.NoDirExists(t, filepath.Join(dir, "kept"))
}

// Where there is no room for what is kept, or for the result, what was kept before stays, and the job goes on later.
func TestPangenomeResumeFull(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	names := haplotypeFiles(t, dir, 6, 120_000)
	clitest.Good(t, dir, append([]string{"pangenome", "build", "-q", "-o", "whole"}, names...)...)
	args := append([]string{"pangenome", "build", "-o", "out", "--resume", "kept"}, names...)
	compile(t, dir, args...)
	clitest.Good(t, dir, append([]string{"pangenome", "build", "-q", "-o", "half"}, names[:3]...)...)
	limit := len(clitest.Get(t, dir, "half"))>>9 + 1 // in blocks of 512 bytes
	line := fmt.Sprintf("ulimit -f %d; exec %s %s", limit, clitest.Program(), strings.Join(args, " "))
	c := exec.Command("sh", "-c", line)
	c.Dir = dir
	r := clitest.Finish(t, c)
	assert.Equal(t, cli.ExitFailed, r.Code, r.Errors)
	assert.Contains(t, r.Errors, "file too large")
	done := keptDone(t, filepath.Join(dir, "kept"))
	assert.Positive(t, done)
	assert.Contains(t, r.Errors, "kept in kept")
	assert.NoFileExists(t, filepath.Join(dir, "out"))
	assert.Len(t, clitest.Files(t, filepath.Join(dir, "kept")), 3)
	clitest.Good(t, dir, append([]string{"pangenome", "verify", fmt.Sprintf("kept/suffixcl-index-%d.fmd", done)},
		names[:done]...)...)
	if _, err := os.Stat("/dev/full"); err == nil {
		args := append([]string{"pangenome", "build", "-o", "/dev/full", "--resume", "kept"}, names...)
		r := clitest.Run(t, dir, args...)
		assert.Equal(t, cli.ExitFailed, r.Code, r.Errors)
		assert.Contains(t, r.Errors, "no space left on device")
	}
	assert.GreaterOrEqual(t, keptDone(t, filepath.Join(dir, "kept")), done)
	clitest.Good(t, dir, args...)
	assert.Equal(t, clitest.Get(t, dir, "whole"), clitest.Get(t, dir, "out"))
}

// An index that grows tells how many genomes are in it, and how many are left.
func TestPangenomeProgress(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	names := haplotypeFiles(t, dir, 12, 30_000)
	t.Chdir(dir)
	var mu sync.Mutex
	told := map[string]bool{}
	var errs bytes.Buffer
	streams := cli.Streams{
		Errors: func(written []byte) error { _, err := errs.Write(written); return err },
		Progress: func(phase string, _, _ int64) {
			mu.Lock()
			defer mu.Unlock()
			told[phase] = true
		},
	}
	args := append([]string{"pangenome", "build", "--resume", "kept", "-o", "out"}, names...)
	require.Zero(t, Within(t.Context(), args, streams, ""), errs.String())
	phases := strings.Join(slices.Sorted(maps.Keys(told)), "\n")
	assert.Regexp(t, `[0-9]+ genomes? done, [0-9]+ left: [a-z]+`, phases)
}
