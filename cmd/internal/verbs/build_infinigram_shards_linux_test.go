package verbs

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cmd/internal/resume"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// shardNames are the shards that have their name.
func shardNames(t *testing.T, dir string) (names []string) {
	entries, _ := os.ReadDir(dir) // which may not be there yet
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names
}

// A job that is killed at any moment goes on after the shards that are there, each of which is the index of its files.
func TestInfiniGramShards(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "corpus"), 0o777))
	for k := range 6 {
		clitest.Put(t, dir, fmt.Sprintf("corpus/%d.jsonl", k), documentLines(k, 2, 3000+5000*(k/4)))
	}
	build := func(args ...string) []string { return append([]string{"build", "infini-gram-mini", "corpus"}, args...) }
	// Files 0 to 3 are smaller: the first of three shards has more of them.
	parts := [][]int{{0, 1, 2}, {3, 4}, {5}}
	resumed := build("out", "--shards", "3", "--resume", "kept")
	rng := rand.New(rand.NewPCG(5, 9))
	kills := 0
	for {
		before := shardNames(t, filepath.Join(dir, "out"))
		c := clitest.Command(dir, resumed...)
		ended := make(chan clitest.Result, 1)
		go func() { ended <- clitest.Finish(t, c) }()
		for len(ended) == 0 && (len(shardNames(t, filepath.Join(dir, "out"))) <= len(before) || kills > 3) {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(rng.IntN(20_000)) * time.Microsecond)
		if len(ended) == 0 {
			_ = c.Process.Kill()
			kills++
		}
		r := <-ended
		require.LessOrEqual(t, r.Code, cli.ExitDone, r.Errors) // a killed process has -1
		if len(before) > 0 {
			assert.Contains(t, r.Errors, fmt.Sprintf("note: %d of 3 shards were finished", len(before)))
		}
		for _, name := range shardNames(t, filepath.Join(dir, "out")) { // each is whole
			assert.Equal(t, []string{"data.fm9", "data_offset", "meta.fm9", "meta_offset"},
				clitest.Files(t, filepath.Join(dir, "out", name)))
		}
		if r.Code == cli.ExitDone {
			assert.Contains(t, r.Errors, "build infini-gram-mini corpus")
			break
		}
	}
	assert.Positive(t, kills)
	assert.Contains(t, clitest.Good(t, dir, resumed...).Errors, "note: 3 of 3 shards were finished")
	assert.Equal(t, []string{"00", "01", "02"}, clitest.Files(t, filepath.Join(dir, "out")), "nothing else is left")
	r := clitest.Good(t, dir, build("whole", "--shards", "3", "--json")...)
	assert.Contains(t, r.Out, `"records": 12`)
	for k, part := range parts {
		require.NoError(t, os.Mkdir(filepath.Join(dir, fmt.Sprint(k)), 0o777))
		for _, file := range part {
			name := fmt.Sprintf("%d.jsonl", file)
			clitest.Put(t, dir, filepath.Join(fmt.Sprint(k), name), clitest.Get(t, dir, "corpus/"+name))
		}
		clitest.Good(t, dir, "build", "infini-gram-mini", fmt.Sprint(k), fmt.Sprint("alone", k), "-q")
		for _, name := range clitest.Files(t, filepath.Join(dir, fmt.Sprint("alone", k))) {
			alone := clitest.Get(t, dir, filepath.Join(fmt.Sprint("alone", k), name))
			for _, other := range []string{"out", "whole"} {
				made := clitest.Get(t, dir, filepath.Join(other, fmt.Sprintf("%02d", k), name))
				assert.True(t, bytes.Equal(alone, made), "%s %d %s", other, k, name)
			}
		}
	}
	assert.Contains(t, clitest.Good(t, dir, append([]string{"plan"}, build("new", "--shards", "3")...)...).Out, "fits")

	for line, why := range map[string]string{
		"out --shards 3":               "00 exists: remove it to make it again",
		"new --shards 7":               "there are only 6 files",
		"new --shards -1":              "--shards -1: 1 to 10000",
		"new --resume kept":            "--resume is for --shards",
		"new --shards 2 --force":       "--force does not go with --shards",
		"new --shards 2 --only text":   "--shards makes all stages",
		"new --shards 6 --field body":  `0.jsonl:1: the object has no "body"`,
		"new --shards 2 --max-mem 999": "memory",
	} {
		r := clitest.Run(t, dir, build(strings.Fields(line)...)...)
		assert.NotEqual(t, cli.ExitDone, r.Code, line)
		assert.Contains(t, r.Errors, why, line)
		assert.NoDirExists(t, filepath.Join(dir, "new"), line)
	}
	r = clitest.Run(t, dir, "build", "infini-gram-mini", "-", "new", "--shards", "1")
	assert.Contains(t, r.Errors, "cannot read -")
}

// What is kept is of one job, and of shards that are what was written.
func TestInfiniGramShardsDiffer(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "corpus"), 0o777))
	first := clitest.Put(t, dir, "corpus/0.jsonl", documentLines(0, 2, 100))
	clitest.Put(t, dir, "corpus/1.jsonl", []byte("no object\n"))
	run := func(args ...string) clitest.Result {
		return clitest.Run(t, dir, slices.Concat([]string{"build", "infini-gram-mini", "corpus", "out", "--shards", "2",
			"--resume", "kept", "-q"}, args)...)
	}
	r := run()
	assert.Equal(t, cli.ExitFailed, r.Code)
	assert.Contains(t, r.Errors, "shard 1: ")
	assert.Contains(t, r.Errors, "1.jsonl:1: no JSON object; shards before it are finished in out")
	assert.Equal(t, []string{"00"}, clitest.Files(t, filepath.Join(dir, "out")))
	for args, why := range map[string]string{
		"--shards 1": "it has 2 shards, not 1", "--zero-end": "its --zero-end is false, not true",
		"--field x": "its --field is text, not x",
	} {
		r := run(strings.Fields(args)...)
		assert.Equal(t, cli.ExitUsage, r.Code)
		assert.Contains(t, r.Errors, "the job there is another: "+why)
	}
	info, err := os.Stat(filepath.Join(dir, first))
	require.NoError(t, err)
	changed, later := info.ModTime(), time.Now().Add(time.Hour)
	require.NoError(t, os.Chtimes(filepath.Join(dir, first), later, later))
	assert.Contains(t, run().Errors, "0.jsonl is not in shard 0 there, or was changed")
	assert.FileExists(t, filepath.Join(dir, "kept", resume.ShardsFile))
	require.NoError(t, os.Remove(filepath.Join(dir, "corpus/0.jsonl")))
	assert.Contains(t, run().Errors, "there are only 1 file")

	// A shard that was removed is made again; files of shards that are not finished may change.
	clitest.Put(t, dir, "corpus/0.jsonl", documentLines(0, 2, 100))
	require.NoError(t, os.Chtimes(filepath.Join(dir, first), changed, changed))
	whole := clitest.Get(t, dir, "out/00/data.fm9")
	clitest.Put(t, dir, "out/00/data.fm9", whole[1:])
	assert.Contains(t, run().Errors, "out/00 is not what was written: remove it to make it again")
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "out/00")))
	clitest.Put(t, dir, "corpus/1.jsonl", documentLines(2, 1, 100))
	r = run()
	require.Equal(t, cli.ExitDone, r.Code, r.Errors)
	assert.Equal(t, whole, clitest.Get(t, dir, "out/00/data.fm9"))
	assert.Equal(t, []string{"00", "01"}, clitest.Files(t, filepath.Join(dir, "out")))
}
