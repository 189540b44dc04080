package verbs

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/ranks"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/cmd/internal/resume"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/internal/testkit/mpitest"
)

// ranksOf runs the command as ranks in a directory.
func ranksOf(t *testing.T, l mpitest.Launcher, n int, args ...string) mpitest.Result {
	return l.Run(t, n, nil, append([]string{clitest.Program()}, args...)...)
}

func TestRanks(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	text := clitest.Prose(20000)
	clitest.Put(t, dir, "text", text)
	clitest.Put(t, dir, "empty", nil)
	clitest.Good(t, dir, "lcp", "text", "-o", "lcp.want", "-q")
	clitest.Good(t, dir, "bwt", "text", "-o", "bwt.want", "-q")
	want := encode(suffixArray(text), 5)
	for _, l := range mpitest.Launchers(t) {
		for _, algorithm := range []string{"pcss", "pdc3"} {
			r := ranksOf(t, l, 3, "sa", "--mpi", "--algorithm", algorithm, in("text"), "-o", in("sa"), "--width", "5", "--json")
			require.Zero(t, r.Code, r.Stderr)
			assert.Equal(t, want, clitest.Get(t, dir, "sa"), "%s of %s", algorithm, l.Name)
			var got report.Report
			require.NoError(t, json.Unmarshal([]byte(r.Stdout), &got), r.Stdout)
			assert.Equal(t, algorithm, got.Algorithm)
			assert.Equal(t, len(text), got.Bytes)
			require.NotNil(t, got.Ranks)
			assert.Equal(t, l.Name, got.Ranks.Library)
			for _, list := range [][]int64{got.Ranks.BytesSent, got.Ranks.BytesReceived, got.Ranks.Device, got.Ranks.Resident,
				got.Ranks.Planned} {
				assert.Len(t, list, 3)
			}
			assert.Positive(t, got.Ranks.Device[0])
			assert.Greater(t, got.Ranks.Resident[2], int64(len(text)))
			assert.Greater(t, got.Ranks.Planned[1], int64(len(text)))
			// The ranks share a device, or each sorts its block.
			assert.LessOrEqual(t, got.Ranks.LargestShare, int64(len(text)))
			assert.NotEmpty(t, got.Ranks.Phases)
		}
		r := ranksOf(t, l, 3, "verify", "--mpi", in("text"), in("sa"), "--width", "5", "-q")
		assert.Contains(t, r.Stdout, "OK: ")
		require.Zero(t, ranksOf(t, l, 2, "lcp", "--mpi", in("text"), "-o", in("lcp"), "-q").Code)
		assert.Equal(t, clitest.Get(t, dir, "lcp.want"), clitest.Get(t, dir, "lcp"))
		require.Zero(t, ranksOf(t, l, 2, "bwt", "--mpi", in("text"), "-o", in("bwt"), "-q").Code)
		assert.Equal(t, clitest.Get(t, dir, "bwt.want"), clitest.Get(t, dir, "bwt"))
		assert.Equal(t, clitest.Get(t, dir, "bwt.want.primary"), clitest.Get(t, dir, "bwt.primary"))
		require.Zero(t, ranksOf(t, l, 2, "sa", "--mpi", in("empty"), "-o", in("none"), "-q").Code)
		assert.Empty(t, clitest.Get(t, dir, "none"))
	}
}

func TestRanksFail(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	text := clitest.Prose(20000)
	clitest.Put(t, dir, "text", text)
	sa := suffixArray(text)
	sa[7], sa[8] = sa[8], sa[7]
	clitest.Put(t, dir, "wrong", encode(sa, 4))
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	require.NoError(t, z.Close())
	clitest.Put(t, dir, "packed", packed.Bytes())
	before := clitest.Files(t, dir)
	for _, l := range mpitest.Launchers(t) {
		for line, why := range map[string]string{
			"verify text wrong":                      "wrong: not the suffix array of ",
			"sa missing -o sa":                       "no such file",
			"sa packed -o sa":                        "it is compressed by gzip",
			"sa text -o below/sa":                    "cannot write",
			"sa text -o sa --device cpu --max-mem 1": "memory",
		} {
			args := strings.Fields(line)
			for i, a := range args[1:] {
				if a == "text" || a == "wrong" || a == "missing" || a == "packed" || a == "sa" || a == "below/sa" {
					args[i+1] = in(a)
				}
			}
			r := ranksOf(t, l, 3, append([]string{args[0], "--mpi"}, args[1:]...)...)
			assert.NotZero(t, r.Code, line)
			assert.Contains(t, r.Stderr, why, "%s: %s", l.Name, line)
			assert.Less(t, r.Took, mpitest.Soon, line)
			assert.Equal(t, before, clitest.Files(t, dir), line)
		}
	}
}

// TestRanksDiffer has ranks with other texts of the same length, and with other commands.
func TestRanksDiffer(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	text := clitest.Prose(3 << 20)
	clitest.Put(t, dir, "text", text)
	text[1<<21]++
	clitest.Put(t, dir, "short", text[:1<<20])
	text[0]++
	clitest.Put(t, dir, "other", text)
	before := clitest.Files(t, dir)
	for _, l := range mpitest.Launchers(t) {
		for line, why := range map[string]string{
			"sa text -o out : sa other -o out":            "not the same file on rank 0 and rank 1",
			"sa text -o out : sa short -o out":            "not the same file on rank 0 and rank 1",
			"sa text -o out : lcp text -o out":            "not the same command on rank 0 and rank 1",
			"sa text -o out : sa text -o out --width 5":   "not the same command on rank 0 and rank 1",
			"sa text -o out : sa text -o out2":            "not the same command on rank 0 and rank 1",
			"sa text -o out : sa missing -o out":          "no such file",
			"sa text -o out : sa text -o out --device no": "device",
		} {
			var args []string
			for _, word := range strings.Fields(line) {
				switch word {
				case ":":
					args = append(args, ":", "-np", "1", clitest.Program())
				case "text", "other", "short", "missing", "out", "out2":
					args = append(args, in(word))
				case "sa", "lcp":
					args = append(args, word, "--mpi")
				default:
					args = append(args, word)
				}
			}
			r := ranksOf(t, l, 1, args...)
			assert.NotZero(t, r.Code, line)
			assert.Contains(t, r.Stderr, why, "%s: %s", l.Name, line)
			assert.Less(t, r.Took, mpitest.Soon, line)
			assert.Equal(t, before, clitest.Files(t, dir), line)
		}
	}
}

// TestRanksElsewhere has a rank that cannot write to the directory of the result, as it sees another one.
func TestRanksElsewhere(t *testing.T) {
	clitest.NeedDevice(t)
	text := filepath.Join(t.TempDir(), "text")
	require.NoError(t, os.WriteFile(text, clitest.Prose(20000), 0o644))
	for _, l := range mpitest.Launchers(t) {
		dirs := []string{t.TempDir(), t.TempDir()}
		var args []string
		for i, dir := range dirs {
			if i > 0 {
				args = append(args, ":", "-np", "1")
			}
			args = append(args, "-wdir", dir, clitest.Program(), "sa", "--mpi", text, "-o", "sa", "-q")
		}
		r := l.Run(t, 1, nil, args...)
		assert.NotZero(t, r.Code)
		assert.Contains(t, r.Stderr, "rank 1: ", l.Name)
		assert.Contains(t, r.Stderr, "no such file", l.Name)
		assert.Less(t, r.Took, mpitest.Soon, l.Name)
		for _, dir := range dirs {
			assert.Empty(t, clitest.Files(t, dir), l.Name)
		}
	}
}

// TestRanksInRanges has results that are sorted in ranges by ranks: those of one process.
func TestRanksInRanges(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	text := clitest.Prose(20000)
	clitest.Put(t, dir, "text", text)
	clitest.Good(t, dir, "lcp", "text", "-o", "lcp.want", "--width", "8", "-q")
	clitest.Put(t, dir, "longer", clitest.Prose(200000))
	clitest.Good(t, dir, "bwt", "longer", "-o", "bwt.want", "-q")
	run := func(l mpitest.Launcher, n int, verb, text string, args ...string) (got report.Report) {
		r := ranksOf(t, l, n, append([]string{verb, "--mpi", in(text), "-o", in(verb), "--json"}, args...)...)
		require.Zero(t, r.Code, r.Stderr)
		require.NoError(t, json.Unmarshal([]byte(r.Stdout), &got), r.Stdout)
		assert.Equal(t, "ranges", got.Algorithm)
		require.NotNil(t, got.Ranks)
		assert.GreaterOrEqual(t, got.Ranges, 6*n, "a range of each of %d ranks, and more", n)
		assert.Len(t, got.Ranks.BytesSent, n)
		for r, sent := range got.Ranks.BytesSent { // 1.5 bytes a character, and what does not depend on the length
			assert.Less(t, sent, int64(got.Bytes*3/2), "rank %d", r)
		}
		assert.Greater(t, got.Ranks.Planned[n-1], int64(got.Bytes))
		return got
	}
	for i, l := range mpitest.Launchers(t) {
		// One library has all verbs.
		if run(l, 3-i, "sa", "text", "--algorithm", "ranges", "--width", "5", "--max-mem", "600k"); i > 0 {
			assert.Equal(t, encode(suffixArray(text), 5), clitest.Get(t, dir, "sa"), l.Name)
			continue
		}
		assert.Equal(t, encode(suffixArray(text), 5), clitest.Get(t, dir, "sa"), l.Name)
		run(l, 2, "lcp", "text", "--algorithm", "ranges", "--width", "8")
		assert.Equal(t, clitest.Get(t, dir, "lcp.want"), clitest.Get(t, dir, "lcp"))
		got := run(l, 2, "bwt", "longer", "--max-mem", "700k") // too little for another algorithm
		assert.Equal(t, clitest.Get(t, dir, "bwt.want"), clitest.Get(t, dir, "bwt"))
		assert.Equal(t, clitest.Get(t, dir, "bwt.want.primary"), clitest.Get(t, dir, "bwt.primary"))
		assert.Equal(t, strings.TrimSpace(string(clitest.Get(t, dir, "bwt.primary"))), strconv.Itoa(*got.Primary))
		before := clitest.Files(t, dir)
		r := ranksOf(t, l, 2, "sa", "--mpi", "--algorithm", "ranges", in("text"), "-o", in("none"), "--max-mem", "10k")
		assert.Equal(t, cli.ExitMemory, r.Code)
		assert.Contains(t, r.Stderr, "memory")
		assert.Equal(t, before, clitest.Files(t, dir))
		clitest.Put(t, dir, "huge", nil)
		require.NoError(t, os.Truncate(in("huge"), 1<<40)) // of which nothing is on the disk
		r = ranksOf(t, l, 1, "sa", "--mpi", "--algorithm", "ranges", in("huge"), "-o", in("none"), "--width", "8")
		assert.Equal(t, cli.ExitFailed, r.Code)
		assert.Contains(t, r.Stderr, "takes 8796093022208 bytes, and the file system of")
		assert.NoFileExists(t, in("none"))
	}
}

// shrinking is a file that is cut after it was read for the first time, or that is not as long as it said.
type shrinking struct {
	*os.File
	first bool // before the first part is read
	to    int64
}

func (s *shrinking) ReadAt(p []byte, at int64) (int, error) {
	if s.first {
		if err := os.Truncate(s.Name(), s.to); err != nil {
			return 0, err
		}
	}
	n, err := s.File.ReadAt(p, at)
	if !s.first {
		err = errors.Join(err, os.Truncate(s.Name(), s.to))
	}
	return n, err
}

func TestRankFileShrinks(t *testing.T) {
	for _, n := range []int64{1000, 5 << 20} {
		for _, first := range []bool{false, true} {
			for _, to := range []int64{0, n / 3, n - 1} {
				name := filepath.Join(t.TempDir(), "text")
				require.NoError(t, os.WriteFile(name, clitest.Prose(int(n)), 0o644))
				require.NoError(t, os.Truncate(name, n))
				f, err := os.Open(name)
				require.NoError(t, err)
				err = (&ranks.Ranked{Job: &job.Job{Report: &report.Report{}}}).ReadFrom(name, &shrinking{f, first, to}, 3, 1)
				require.NoError(t, f.Close())
				assert.ErrorContains(t, err, name, "from %d to %d bytes", n, to)
			}
		}
	}
}

func TestRanksUsage(t *testing.T) {
	dir := t.TempDir()
	clitest.Put(t, dir, "text", []byte("banana"))
	clitest.CheckUsage(t, dir,
		strings.Fields("sa text -o sa --algorithm pcss"),
		strings.Fields("sa text -o sa --mpi --algorithm skew"),
		strings.Fields("sa - -o sa --mpi"),
		strings.Fields("sa text -o - --mpi"),
		strings.Fields("sa text -o sa --mpi --input fasta"),
		strings.Fields("lcp text --sa text -o lcp --mpi"),
		strings.Fields("sa text -o sa --mpi --algorithm pcss --resume dir"),
		strings.Fields("sa text -o sa --mpi --algorithm ranges --device all"),
		strings.Fields("sa - -o sa --mpi --algorithm ranges"),
		strings.Fields("sa text -o sa --mpi --algorithm ranges --symbols u16"),
		strings.Fields("bwt text -o bwt --mpi --algorithm ranges --order end-largest"),
		strings.Fields("verify text text --mpi --lcp text"),
	)
}

// TestRankKilled kills a rank after some time: all end soon, and there is no result. The launcher itself may stay, as
// PMIx 4 now and then waits for itself when its server ends.
func TestRankKilled(t *testing.T) {
	clitest.NeedDevice(t)
	for library, l := range mpitest.Launchers(t) {
		for i, after := range []time.Duration{0, 300 * time.Millisecond, 2 * time.Second} {
			algorithm := "pcss"
			if i == 2 { // in the middle of the ranges, or near it
				if library > 0 { // one is enough
					continue
				}
				algorithm = "ranges"
			}
			dir := t.TempDir()
			clitest.Put(t, dir, "text", clitest.Prose(16<<20))
			out := filepath.Join(dir, "sa")
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			c := l.Command(ctx, 3, nil, clitest.Program(), "sa", "--mpi", "-q", "--algorithm", algorithm,
				filepath.Join(dir, "text"),
				"-o", out)
			require.NoError(t, c.Start())
			var pids []int
			require.Eventually(t, func() bool {
				pids = ranksWith(t, out)
				return len(pids) >= 3
			}, mpitest.Limit, 20*time.Millisecond)
			time.Sleep(after)
			require.NoError(t, syscall.Kill(pids[len(pids)-1], syscall.SIGKILL))
			assert.Eventually(t, func() bool { return len(ranksWith(t, out)) == 0 }, mpitest.Soon, 20*time.Millisecond,
				"ranks that still run")
			time.AfterFunc(5*time.Second, cancel)
			assert.Error(t, c.Wait())
			assert.Equal(t, []string{"text"}, clitest.Files(t, dir)) // MPICH's launcher would leave no time for that
		}
	}
}

// TestRankInterrupted interrupts one rank, which would wait for the others to free their memory: all end.
func TestRankInterrupted(t *testing.T) {
	clitest.NeedDevice(t)
	l, dir := mpitest.Launchers(t)[0], t.TempDir()
	clitest.Put(t, dir, "text", clitest.Prose(4<<20))
	out := filepath.Join(dir, "sa")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c := l.Command(ctx, 2, nil, clitest.Program(), "sa", "--mpi", "-q", "--algorithm", "ranges",
		"--max-mem", "60M", filepath.Join(dir, "text"), "-o", out)
	require.NoError(t, c.Start())
	var pids []int
	require.Eventually(t, func() bool {
		pids = ranksWith(t, out)
		parts, err := filepath.Glob(filepath.Join(dir, ".sa.*.part"))
		require.NoError(t, err)
		return len(pids) >= 2 && slices.ContainsFunc(parts, func(part string) bool { // blocks have been written
			info, err := os.Stat(part)
			return err == nil && info.Size() > 0
		})
	}, mpitest.Limit, 5*time.Millisecond)
	require.NoError(t, syscall.Kill(pids[len(pids)-1], syscall.SIGINT))
	assert.Eventually(t, func() bool { return len(ranksWith(t, out)) == 0 }, mpitest.Soon, 20*time.Millisecond,
		"ranks that still run")
	time.AfterFunc(5*time.Second, cancel)
	assert.Error(t, c.Wait())
	assert.NoFileExists(t, out)
}

// TestRanksResume kills a rank when ranges are finished. Fewer ranks go on from there.
func TestRanksResume(t *testing.T) {
	clitest.NeedDevice(t)
	l, dir := mpitest.Launchers(t)[0], t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	clitest.Put(t, dir, "text", clitest.Prose(60000))
	clitest.Good(t, dir, "bwt", "text", "-o", "want", "-q")
	args := []string{"bwt", "--mpi", in("text"), "-o", in("out"), "--resume", in("kept"), "--max-mem", "700k"}
	// A longer result of a job that was killed before a range was finished.
	require.NoError(t, os.Mkdir(in("kept"), 0o777))
	clitest.Put(t, dir, "kept/"+resume.StateFile,
		fmt.Appendf(nil, `{"suffixcl_resume": %d, "made": true, "job": {"verb": "sa"}}`, resume.Version))
	clitest.Put(t, dir, "kept/"+resume.ResultFile, bytes.Repeat([]byte{7}, 90000))
	c := l.Command(t.Context(), 3, nil, append([]string{clitest.Program()}, args...)...)
	require.NoError(t, c.Start())
	require.Eventually(t, func() bool {
		return resume.Finished(in("kept")) > 0
	}, mpitest.Limit, time.Millisecond)
	pids := ranksWith(t, in("out"))
	require.NotEmpty(t, pids)
	require.NoError(t, syscall.Kill(pids[len(pids)-1], syscall.SIGKILL))
	require.Error(t, c.Wait())
	assert.NoFileExists(t, in("out"))
	for _, name := range []string{resume.StateFile, "suffixcl-digests-1.json"} { // as by a kill while they are written
		clitest.Put(t, dir, "kept/."+name+"37", nil)
	}

	r := ranksOf(t, l, 2, append(args, "--algorithm", "pcss")...)
	assert.Equal(t, cli.ExitUsage, r.Code, r.Stderr)
	alone := clitest.Run(t, dir, slices.DeleteFunc(slices.Clone(args), func(a string) bool { return a == "--mpi" })...)
	assert.Equal(t, cli.ExitUsage, alone.Code, alone.Errors)
	assert.Contains(t, alone.Errors, "its --mpi is true, not false")
	r = ranksOf(t, l, 2, args...)
	require.Zero(t, r.Code, r.Stderr)
	assert.Regexp(t, `note: [1-9][0-9]* ranges? of [0-9]+ ranges were finished`, r.Stderr)
	assert.Equal(t, clitest.Get(t, dir, "want"), clitest.Get(t, dir, "out"))
	assert.Equal(t, clitest.Get(t, dir, "want.primary"), clitest.Get(t, dir, "out.primary"))
	assert.NoDirExists(t, in("kept"))
}

// ranksWith are the processes of the command with an argument.
func ranksWith(t *testing.T, argument string) (pids []int) {
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	for _, file := range lines {
		line, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		words := strings.Split(string(line), "\x00")
		if words[0] == clitest.Program() && strings.Contains(string(line), argument) {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			require.NoError(t, err)
			pids = append(pids, pid)
		}
	}
	return pids
}
