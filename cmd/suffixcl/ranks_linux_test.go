package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/internal/lab/mpitest"
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
			var got report
			require.NoError(t, json.Unmarshal([]byte(r.Stdout), &got), r.Stdout)
			assert.Equal(t, algorithm, got.Algorithm)
			assert.Equal(t, len(text), got.Bytes)
			require.NotNil(t, got.Ranks)
			assert.Equal(t, l.Name, got.Ranks.Library)
			assert.Len(t, got.Ranks.BytesSent, 3)
			if algorithm == "pcss" {
				assert.Less(t, got.Ranks.LargestShare, int64(len(text)/2))
			} else { // the device of one rank has memory for it
				assert.EqualValues(t, len(text), got.Ranks.LargestShare)
			}
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
	before := clitest.Files(t, dir)
	for _, l := range mpitest.Launchers(t) {
		for line, why := range map[string]string{
			"verify text wrong":                      "slot 8 is not larger than the suffix in the slot before",
			"sa missing -o sa":                       "no such file",
			"sa text -o below/sa":                    "cannot write",
			"sa text -o sa --device cpu --max-mem 1": "memory",
		} {
			args := strings.Fields(line)
			for i, a := range args[1:] {
				if a == "text" || a == "wrong" || a == "missing" || a == "sa" || a == "below/sa" {
					args[i+1] = in(a)
				}
			}
			r := ranksOf(t, l, 3, append([]string{args[0], "--mpi"}, args[1:]...)...)
			assert.NotZero(t, r.Code, line)
			assert.Contains(t, r.Stderr, why, "%s: %s", l.Name, line)
			assert.Less(t, r.Took, 10*time.Second, line)
			assert.Equal(t, before, clitest.Files(t, dir), line)
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
		strings.Fields("verify text text --mpi --lcp text"),
	)
}

// TestRankKilled kills a rank after some time: all end soon, and there is no result.
func TestRankKilled(t *testing.T) {
	clitest.NeedDevice(t)
	for _, l := range mpitest.Launchers(t) {
		for _, after := range []time.Duration{300 * time.Millisecond, time.Second} {
			dir := t.TempDir()
			clitest.Put(t, dir, "text", clitest.Prose(4<<20))
			out := filepath.Join(dir, "sa")
			ctx, cancel := context.WithTimeout(t.Context(), mpitest.Limit)
			defer cancel()
			c := l.Command(ctx, 3, nil, clitest.Program(), "sa", "--mpi", "-q", filepath.Join(dir, "text"), "-o", out)
			require.NoError(t, c.Start())
			time.Sleep(after)
			pids := ranksWith(t, out)
			require.NotEmpty(t, pids, "no rank is there after %v", after)
			began := time.Now()
			require.NoError(t, syscall.Kill(pids[len(pids)-1], syscall.SIGKILL))
			assert.Error(t, c.Wait())
			assert.Less(t, time.Since(began), 10*time.Second)
			assert.NoFileExists(t, out)
			assert.Empty(t, ranksWith(t, out), "ranks that still run")
		}
	}
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
