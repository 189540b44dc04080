package verbs

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// The verbs of build: several files as one reference, files that are there, references that are refused. That the bytes
// are right is tested in package formats.
func TestBuild(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "a.fa", []byte(">a first\nGATTACANNGATTACA\n"))
	clitest.Put(t, dir, "b.fa", []byte(">b\nttgtaatc\r\nTTGATTA\r\n"))
	clitest.Put(t, dir, "both.fa", []byte(">a first\nGATTACANNGATTACA\n>b\nttgtaatcTTGATTA\n"))
	clitest.Put(t, dir, "empty.fa", nil)
	clitest.Put(t, dir, "hollow.fa", []byte(">a\n"))
	run := func(args ...string) clitest.Result { return clitest.Run(t, dir, args...) }
	for _, f := range indexFormats {
		name := string(f.of)
		if name == "genometools" {
			r := run("build", name, "a.fa", "gt")
			assert.Equal(t, 1, r.Code)
			assert.Contains(t, r.Errors, "gt encseq encode -indexname gt")
			continue
		}
		if f.folder {
			continue // TestBuildSTAR
		}
		r := run("build", name, "a.fa", "b.fa", name, "--json")
		require.Zero(t, r.Code, r.Errors)
		var report report.Report
		require.NoError(t, json.Unmarshal([]byte(r.Out), &report))
		assert.Equal(t, "build "+name, report.Verb)
		assert.Equal(t, 2, report.Records)
		assert.Equal(t, 31, report.Bytes)
		assert.Equal(t, name, report.Output)
		require.Zero(t, run("build", name, "both.fa", name+".both", "-q").Code)
		for _, suffix := range f.of.Suffixes() {
			assert.Equal(t, clitest.Get(t, dir, name+suffix), clitest.Get(t, dir, name+".both"+suffix), suffix)
		}
		r = run("build", name, "b.fa", name)
		assert.Equal(t, 1, r.Code)
		assert.Contains(t, r.Errors, "exists; --force replaces it")
		require.Zero(t, run("build", name, "b.fa", name, "--force").Code)
		assert.NotEqual(t, clitest.Get(t, dir, name+f.of.Suffixes()[0]), clitest.Get(t, dir, name+".both"+f.of.Suffixes()[0]))

		r = run("build", name, "empty.fa", "none")
		assert.Equal(t, 1, r.Code)
		assert.Contains(t, r.Errors, "empty.fa has no records")
		assert.Equal(t, 1, run("build", name, "hollow.fa", "none").Code)
		assert.Equal(t, 1, run("build", name, "a.fa", filepath.Join("missing", "none")).Code)
		assert.Equal(t, 4, run("build", name, "a.fa", "none", "--max-mem", "100").Code)

		r = run("plan", "build", name, "a.fa", "b.fa", "planned")
		assert.Zero(t, r.Code, r.Errors)
		assert.Contains(t, r.Out, "build "+name+" of a.fa: 31 bytes")
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, entry := range entries {
		name := entry.Name()
		assert.False(t, strings.HasPrefix(name, "none") || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "planned"),
			"%s is left", name)
	}
}

// A patch made by the command restores the file; what is no patch is refused, and leaves nothing.
func TestDiffAndApply(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	old := []byte(strings.Repeat("how much wood would a woodchuck chuck; ", 100))
	clitest.Put(t, dir, "old", old)
	clitest.Put(t, dir, "new", append([]byte("if a woodchuck "), old[500:]...))
	run := func(args ...string) clitest.Result { return clitest.Run(t, dir, args...) }
	r := run("diff", "old", "new", "-o", "patch")
	require.Zero(t, r.Code, r.Errors)
	assert.Less(t, len(clitest.Get(t, dir, "patch")), 400)
	r = run("apply", "old", "patch", "-o", "made")
	require.Zero(t, r.Code, r.Errors)
	assert.Equal(t, clitest.Get(t, dir, "new"), clitest.Get(t, dir, "made"))
	for _, out := range []string{"made", "-"} {
		r = run("apply", "old", "patch", "-o", out, "--json", "-q")
		require.Zero(t, r.Code, r.Errors)
		object := r.Out
		if out == "-" {
			assert.Equal(t, string(clitest.Get(t, dir, "new")), r.Out)
			object = r.Errors
		}
		var report applyReport
		require.NoError(t, json.Unmarshal([]byte(object), &report))
		assert.Positive(t, report.Seconds.Total)
		report.Seconds.Total = 0
		assert.Equal(t, applyReport{Verb: "apply", File: "old", Bytes: int64(len(old)), PatchFile: "patch",
			PatchBytes: int64(len(clitest.Get(t, dir, "patch"))), Output: out,
			OutputBytes: int64(len(clitest.Get(t, dir, "new")))}, report)
	}
	r = run("apply", "old", "new", "-o", "none")
	assert.Equal(t, 1, r.Code)
	assert.Contains(t, r.Errors, "does not begin with BSDIFF40")
	assert.NoFileExists(t, filepath.Join(dir, "none"))
	r = run("apply", "old", "-", "-o", "none")
	assert.Equal(t, 2, r.Code, r.Errors)
	r = run("apply", ".", "patch", "-o", "none")
	assert.Equal(t, cli.ExitFailed, r.Code)
	assert.Equal(t, "suffixcl: cannot read .: is a directory\n", r.Errors)
	r = run("plan", "diff", "old", "new")
	assert.Zero(t, r.Code, r.Errors)
	assert.Contains(t, r.Out, "matching")
	r = run("diff", "old", "new", "-o", "none", "--max-mem", "1M") // known when OLD has been sorted
	assert.Equal(t, cli.ExitMemory, r.Code)
	assert.Regexp(t, `^suffixcl: phase "sort" needs `, r.Errors)
	r = run("diff", "old", "new", "-o", "/dev/full")
	assert.Equal(t, cli.ExitFailed, r.Code)
	assert.Contains(t, r.Errors, "cannot write /dev/full: ")
}

// A folder of STAR: made whole or not at all, with flags by both names.
func TestBuildSTAR(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "a.fa", []byte(">a first\nGATTACANNGATTACAGGTACCA\n>b\nttgtaatc\r\nTTGATTA\r\n"))
	clitest.Put(t, dir, "n.fa", []byte(">n\nNNNN\n"))
	clitest.Put(t, dir, "none.gtf", []byte("# nothing\n"))
	clitest.Put(t, dir, "other.gtf", []byte("z\tx\texon\t1\t4\t.\t+\t.\tgene_id \"g\";\n"))
	clitest.Put(t, dir, "wrong.gtf", []byte("a\tx\texon\t4\t1\t.\t+\t.\tgene_id \"g\";\n"))
	clitest.Put(t, dir, "genes.gtf", []byte("a\tx\texon\t1\t4\t.\t+\t.\tgene_id \"g\"; transcript_id \"t\";\n"+
		"a\tx\texon\t9\t14\t.\t+\t.\tgene_id \"g\"; transcript_id \"t\";\n"+
		"a\tx\texon\t9\t400\t.\t+\t.\tgene_id \"g\"; transcript_id \"u\";\nz\tx\texon\t9\t14\t.\t+\t.\n"))
	clitest.Put(t, dir, "wrong.tab", []byte("a\t3\t5\t+\nz\t3\t5\t+\n"))
	clitest.Put(t, dir, "file", nil)
	small := []string{"--sa-index-bases", "2", "--chr-bin-bits", "4"}
	run := func(args ...string) clitest.Result {
		return clitest.Run(t, dir, append(append([]string{"build", "star"}, args...), small...)...)
	}
	r := run("a.fa", "out", "--json")
	require.Zero(t, r.Code, r.Errors)
	var made report.Report
	require.NoError(t, json.Unmarshal([]byte(r.Out), &made))
	assert.Equal(t, "build star", made.Verb)
	assert.Equal(t, "out", made.Output)
	entries, err := os.ReadDir(filepath.Join(dir, "out"))
	require.NoError(t, err)
	assert.Len(t, entries, 8)
	r = run("a.fa", "out")
	assert.Equal(t, cli.ExitFailed, r.Code)
	assert.Contains(t, r.Errors, "Genome exists; --force replaces it")
	require.Zero(t, run("a.fa", "out", "--force", "--gtf", "genes.gtf", "--overhang", "3").Code)
	entries, err = os.ReadDir(filepath.Join(dir, "out"))
	require.NoError(t, err)
	assert.Len(t, entries, 15)
	r = run("a.fa", "gtf/", "--sjdbGTFfile", "genes.gtf", "--sjdbOverhang", "3")
	require.Zero(t, r.Code, r.Errors)
	assert.Contains(t, r.Errors, "genes.gtf: 1 exon left out, of sequences that are not in the genome")
	assert.Contains(t, r.Errors, "genes.gtf: 1 exon left out, which ends beyond its sequence")
	assert.Equal(t, clitest.Get(t, dir, "out/SA"), clitest.Get(t, dir, "gtf/SA"))

	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{cli.ExitFailed, "the genome has no base", []string{"n.fa", "none"}},
		{cli.ExitFailed, "none.gtf: has no line of an exon", []string{"a.fa", "none", "--gtf", "none.gtf"}},
		{cli.ExitFailed, "has no exon in the genome", []string{"a.fa", "none", "--gtf", "other.gtf"}},
		{cli.ExitFailed, `line 1: "4" to "1" is no interval`, []string{"a.fa", "none", "--gtf", "wrong.gtf"}},
		{cli.ExitFailed, `line 2: the genome has no sequence "z"`, []string{"a.fa", "none", "--junctions", "wrong.tab"}},
		{cli.ExitFailed, "cannot make the directory file", []string{"a.fa", "file"}},
		{cli.ExitFailed, "cannot make the directory missing/none", []string{"a.fa", "missing/none"}},
		{cli.ExitUsage, "--sparse is 0", []string{"a.fa", "none", "--sparse", "0"}},
		{cli.ExitUsage, "--sa-index-bases is 17", []string{"a.fa", "none", "--sa-index-bases", "17"}},
		{cli.ExitUsage, "DIR is a directory", []string{"a.fa", "-"}},
		{cli.ExitMemory, "needs", []string{"a.fa", "none", "--max-mem", "100"}},
	} {
		args := append([]string{"build", "star"}, c.args...)
		if !slices.Contains(c.args, "--sa-index-bases") {
			args = append(args, small...)
		}
		r := clitest.Run(t, dir, args...)
		assert.Equal(t, c.code, r.Code, "%v: %s", c.args, r.Errors)
		assert.Contains(t, r.Errors, c.want)
		assert.NoDirExists(t, filepath.Join(dir, "none"))
	}
	before := clitest.Get(t, dir, "out/sjdbList.out.tab")
	r = run("a.fa", "out", "--force", "--junctions", "out/sjdbList.out.tab", "--overhang", "5")
	assert.Equal(t, cli.ExitFailed, r.Code)
	assert.Contains(t, r.Errors, "it is the same file as out/sjdbList.out.tab")
	assert.Equal(t, before, clitest.Get(t, dir, "out/sjdbList.out.tab"))
	r = clitest.Run(t, dir, "plan", "build", "star", "a.fa", "none")
	assert.Zero(t, r.Code, r.Errors)
	assert.NoDirExists(t, filepath.Join(dir, "none"))
}
