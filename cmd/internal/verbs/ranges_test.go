package verbs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/cmd/internal/resume"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// inRanges are flags by which a text of 30,000 bytes is sorted in several ranges, 9 bytes a character.
var inRanges = []string{"--algorithm", "ranges", "--max-mem", "600K"}

// Ranges, on one device and on several, give the files of the sorters in one piece.
func TestRanges(t *testing.T) {
	clitest.NeedDevice(t)
	dir, text := t.TempDir(), clitest.Prose(30000)
	clitest.Put(t, dir, "text", text)
	clitest.Good(t, dir, "bwt", "text", "-o", "bwt", "-q")
	clitest.Good(t, dir, "lcp", "text", "-o", "lcp", "-q")
	want := encode(suffixArray(text), 5)
	for i, flags := range [][]string{inRanges, {"--device", "0,0", "--max-mem", "1M"}, {"--device", "all"}} {
		name := fmt.Sprint("out", i)
		r := clitest.Good(t, dir, append([]string{"sa", "text", "-o", name, "--width", "5", "--json"}, flags...)...)
		assert.Regexp(t, `"ranges": *[1-9]`, r.Out)
		assert.Equal(t, want, clitest.Get(t, dir, name), flags)
		clitest.Good(t, dir, append([]string{"lcp", "text", "-o", name, "-q"}, flags...)...)
		assert.Equal(t, clitest.Get(t, dir, "lcp"), clitest.Get(t, dir, name), flags)
		clitest.Good(t, dir, append([]string{"bwt", "text", "-o", name, "-q"}, flags...)...)
		for _, suffix := range []string{"", ".primary"} {
			assert.Equal(t, clitest.Get(t, dir, "bwt"+suffix), clitest.Get(t, dir, name+suffix), flags)
		}
	}
	for _, flags := range [][]string{{"--symbols", "u16"}, {"--order", "end-largest"}, {"--algorithm", "sais"}} {
		r := clitest.Run(t, dir, append([]string{"sa", "text", "-o", "x", "--resume", "kept"}, flags...)...)
		assert.Equal(t, cli.ExitUsage, r.Code, r.Errors)
	}
	r := clitest.Run(t, dir, "sa", "text", "-o", "x", "--device", "0,nothing-like-that")
	assert.Equal(t, cli.ExitNoDevice, r.Code, r.Errors)
}

// What was sorted in ranges is verified in memory that has room for neither array.
func TestVerifyBlocks(t *testing.T) {
	clitest.NeedDevice(t)
	dir, text := t.TempDir(), clitest.Prose(3_000_000)
	clitest.Put(t, dir, "text", text)
	sa := suffixArray(text)
	clitest.Put(t, dir, "sa", encode(sa, 5))
	transform, primary := []byte{text[len(text)-1]}, 0
	for slot, i := range sa {
		if i == 0 {
			primary = slot + 1
		} else {
			transform = append(transform, text[i-1])
		}
	}
	clitest.Put(t, dir, "bwt", transform)
	clitest.Put(t, dir, "bwt.primary", fmt.Append(nil, primary))
	verify := []string{"verify", "text", "sa", "--width", "5", "--max-mem", "30M"}
	whole := clitest.Good(t, dir, append([]string{"plan"}, append(verify, "--max-mem", "1G")...)...)
	parts := clitest.Good(t, dir, append([]string{"plan"}, verify...)...)
	assert.NotEqual(t, whole.Out, parts.Out, "another way to verify")
	r := clitest.Good(t, dir, append(verify, "--bwt", "bwt")...)
	assert.Contains(t, r.Out, "OK: sa is the suffix array and bwt the Burrows-Wheeler transform of text")
	narrow := make([]uint32, len(sa))
	for slot, i := range sa {
		narrow[slot] = uint32(i)
	}
	var lengths []uint64
	for _, v := range conformance.ReferenceLCP(text, narrow) {
		lengths = append(lengths, uint64(v))
	}
	clitest.Put(t, dir, "lcp", encode(lengths, 5))
	r = clitest.Good(t, dir, append(verify, "--bwt", "bwt", "--lcp", "lcp")...)
	assert.Contains(t, r.Out, "bwt the Burrows-Wheeler transform and lcp the LCP array of text")
	lengths[2_000_000]++
	clitest.Put(t, dir, "lcp", encode(lengths, 5))
	r = clitest.Run(t, dir, append(verify, "--lcp", "lcp")...)
	assert.Equal(t, cli.ExitVerify, r.Code, r.Errors)
	assert.Contains(t, r.Errors, "LCP array")
	clitest.Put(t, dir, "lcp", make([]byte, 7))
	r = clitest.Run(t, dir, append(verify, "--lcp", "lcp")...)
	assert.Equal(t, cli.ExitVerify, r.Code, r.Errors)
	transform[1000]++
	clitest.Put(t, dir, "bwt", transform)
	r = clitest.Run(t, dir, append(verify, "--bwt", "bwt")...)
	assert.Equal(t, cli.ExitVerify, r.Code, r.Errors)
	assert.Contains(t, r.Errors, "1000")
	sa[5], sa[6] = sa[6], sa[5]
	clitest.Put(t, dir, "sa", encode(sa, 5))
	r = clitest.Run(t, dir, verify...)
	assert.Equal(t, cli.ExitVerify, r.Code, r.Errors)
	assert.Contains(t, r.Errors, "suffixcl: sa: not the suffix array of text: slot ")
	clitest.Put(t, dir, "sa", encode(sa[1:], 5))
	r = clitest.Run(t, dir, verify...)
	assert.Equal(t, cli.ExitVerify, r.Code, r.Errors)
	assert.Contains(t, r.Errors, "not the suffix array of the text")
}

// What a state is refused for.
func TestResumeOther(t *testing.T) {
	job := resume.Identity{Verb: "sa", Width: 5, Bytes: 6, Checksum: resume.Checksum([]byte("banana")), Device: "D"}
	dir := filepath.Join(t.TempDir(), "kept")
	r, err := resume.Open(dir, job)
	require.NoError(t, err)
	_, err = resume.Open(dir, job)
	require.ErrorContains(t, err, "another job uses it")
	state := r.State.State
	state.Done, state.First, state.Bounds = 1, 2, []int{3}
	_, err = r.Writer().Write([]byte{5, 0, 0, 0, 0, 3, 0, 0, 0, 0})
	require.NoError(t, err)
	require.NoError(t, r.Saved(state))
	_, err = r.Writer().Write([]byte{1, 0, 0})
	require.NoError(t, err)
	r.Close()

	r, err = resume.Open(dir, job)
	require.NoError(t, err)
	require.Equal(t, state, r.State.State)
	info, err := r.Result.Stat()
	require.NoError(t, err)
	require.EqualValues(t, 10, info.Size(), "of two entries")
	for at := range int64(7) { // 4 bytes are changed, wherever
		_, err = r.Result.WriteAt([]byte{9, 9, 9, 9}, at)
		require.NoError(t, err)
		r.Close()
		_, err = resume.Open(dir, job)
		require.ErrorContains(t, err, "suffixcl-result: bytes 0 to 10 are not what was written there")
		clitest.Put(t, dir, resume.ResultFile, []byte{5, 0, 0, 0, 0, 3, 0, 0, 0, 0})
		r, err = resume.Open(dir, job)
		require.NoError(t, err)
	}
	require.NoError(t, r.Result.Truncate(9))
	r.Close()
	_, err = resume.Open(dir, job)
	require.ErrorContains(t, err, "suffixcl-result has 9 bytes, and suffixcl-job.json tells of 10")
	other := job
	other.Checksum = resume.Checksum([]byte("bananas"))
	_, err = resume.Open(dir, other)
	require.ErrorContains(t, err, "checksum of the text")
	other = job
	other.Device = "E"
	_, err = resume.Open(dir, other)
	require.ErrorContains(t, err, "its device is D, not E")
	clitest.Put(t, dir, resume.StateFile, []byte("{"))
	_, err = resume.Open(dir, job)
	require.ErrorContains(t, err, resume.StateFile)
}

// A result that cannot be written any more leaves the state of before, which a later job goes on from.
func TestResumeDiskGone(t *testing.T) {
	job := resume.Identity{Verb: "bwt", Width: 1, Bytes: 6, Checksum: resume.Checksum([]byte("banana")), Device: "D"}
	dir := filepath.Join(t.TempDir(), "kept")
	r, err := resume.Open(dir, job)
	require.NoError(t, err)
	state := r.State.State
	state.Done, state.First, state.Bounds = 1, 2, []int{3, 0}
	_, err = r.Writer().Write([]byte("ann"))
	require.NoError(t, err)
	require.NoError(t, r.Saved(state))
	require.NoError(t, r.Result.Close())
	later := state
	later.Done, later.First, later.Primary = 2, 4, 4
	require.Error(t, r.Saved(later))
	r.Close()
	r, err = resume.Open(dir, job)
	require.NoError(t, err)
	defer r.Close()
	require.Equal(t, state, r.State.State)
	info, err := r.Result.Stat()
	require.NoError(t, err)
	require.EqualValues(t, 3, info.Size(), "with the last character of the text in front")
}

// An index from ranges is the file of the one in one piece.
func TestIndexInRanges(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "text", clitest.Prose(30000))
	clitest.Good(t, dir, "index", "text", "-o", "whole", "-q")
	line := append([]string{"index", "text", "-o", "parts", "--json"}, inRanges...)
	planned := clitest.Good(t, dir, append([]string{"plan"}, line...)...)
	var p verb.PlanReport
	require.NoError(t, json.Unmarshal([]byte(planned.Out), &p))
	assert.Greater(t, p.Ranges, 1)
	assert.EqualValues(t, len(clitest.Get(t, dir, "whole")), p.Result)
	r := clitest.Good(t, dir, line...)
	assert.Regexp(t, `"ranges": *[2-9]`, r.Out)
	assert.Equal(t, clitest.Get(t, dir, "whole"), clitest.Get(t, dir, "parts"))
	r = clitest.Run(t, dir, "index", "text", "-o", "x", "--algorithm", "ranges", "--symbols", "u16")
	assert.Equal(t, cli.ExitUsage, r.Code, r.Errors)
}

// The plan of what is sorted in ranges says how many there are, the bytes of the result and the time.
func TestPlanOfRanges(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "text", clitest.Prose(30000))
	clitest.Put(t, dir, "text.gz", gzipped(t, clitest.Prose(30000)))
	plan := func(args ...string) (p verb.PlanReport) {
		r := clitest.Good(t, dir, append(append([]string{"plan"}, append(args, "--json")...), inRanges...)...)
		require.NoError(t, json.Unmarshal([]byte(r.Out), &p))
		require.NotNil(t, p.Expected, args)
		assert.Greater(t, p.Ranges, 1)
		assert.Positive(t, p.Expected.Least)
		assert.GreaterOrEqual(t, p.Expected.Most, p.Expected.Least)
		assert.Positive(t, p.Expected.Sorted)
		return p
	}
	p := plan("sa", "text", "-o", "out", "--width", "5")
	assert.EqualValues(t, 150_000, p.Result)
	require.Len(t, p.Disk, 1)
	assert.Equal(t, ".", p.Disk[0].Directory)
	assert.EqualValues(t, 150_000, p.Disk[0].Bytes)
	require.NotNil(t, p.Disk[0].Free)
	assert.Positive(t, *p.Disk[0].Free)
	p = plan("lcp", "text.gz", "-o", "out", "--resume", "not/there")
	assert.EqualValues(t, 120_000, p.Result)
	assert.Len(t, p.Disk, 1, "one file system")
	p = plan("bwt", "text")
	assert.EqualValues(t, 30_000, p.Result)
	assert.Empty(t, p.Disk, "no file is named")
	r := clitest.Good(t, dir, append([]string{"plan", "sa", "text", "-o", "out"}, inRanges...)...)
	assert.Regexp(t, `\nexpected time: [0-9.]+m?s to [0-9.]+m?s\n`, r.Out)
	assert.Regexp(t, `\nresult: 120000 bytes\ndisk of \.: 120000 bytes, [0-9]+ free\n`, r.Out)
	c := clitest.Command(dir, append([]string{"plan", "sa", "-"}, inRanges...)...)
	c.Stdin = bytes.NewReader(clitest.Prose(30000))
	assert.Contains(t, clitest.Finish(t, c).Out, "expected time: not known")
	assert.Equal(t, []string{"text", "text.gz"}, clitest.Files(t, dir))
}

// A job is refused before it sorts, if there is no room for its result, and so is its plan.
func TestNoRoom(t *testing.T) {
	dir := t.TempDir()
	free, known := cli.FreeBytes(dir)
	if known {
		file := sink.File{Bytes: free * 8, Out: filepath.Join(dir, "out")}
		require.ErrorContains(t, file.CheckRoom(), fmt.Sprintf("takes %d bytes, and the file system of %s has ", free*8, dir))
		file.Resume = filepath.Join(dir, "kept")
		require.ErrorContains(t, file.CheckRoom(), "cannot write "+file.Resume)
	}
	require.NoError(t, sink.File{Bytes: 1, Out: filepath.Join(dir, "out")}.CheckRoom())
	require.NoError(t, sink.File{Bytes: 1 << 60, Out: os.DevNull}.CheckRoom(), "it is no file")
	require.NoError(t, sink.File{Bytes: 1 << 60}.CheckRoom(), "no name")
	// What is kept already takes no more.
	require.NoError(t, os.Mkdir(filepath.Join(dir, "kept"), 0o777))
	clitest.Put(t, dir, "kept/"+resume.StateFile, []byte(`{"job": {"verb": "sa", "width": 5}, "state": {"first": 200}}`))
	needs := sink.File{Bytes: 1500, Out: filepath.Join(dir, "out"), Resume: filepath.Join(dir, "kept")}.Needs()
	require.Equal(t, []sink.DiskNeed{{Dir: filepath.Join(dir, "kept"), Bytes: 500}}, needs)
}
