package verbs

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// verbNamed is a verb as users call it.
func verbNamed(name string) *cobra.Command {
	c, _, _ := Root().Find([]string{name})
	return c
}

// preparedVerbs are those that prepare knows.
func preparedVerbs() (names []string) {
	for _, of := range verb.Of(groups()) {
		if v := of(); v.Prepares != nil {
			names = append(names, v.Name())
		}
	}
	return names
}

func TestPrepare(t *testing.T) {
	clitest.NeedDevice(t)
	t.Setenv("SUFFIXCL_CACHE", filepath.Join(t.TempDir(), "programs"))
	var r verb.PrepareReport
	out := clitest.Good(t, t.TempDir(), "prepare", "--for", "verify,devices,verify", "--json").Out
	require.NoError(t, json.Unmarshal([]byte(out), &r))
	assert.Equal(t, []string{"verify", "devices"}, r.Verbs)
	assert.Positive(t, r.Programs)
	require.NotEmpty(t, r.Caches)
	assert.Equal(t, os.Getenv("SUFFIXCL_CACHE"), r.Caches[0].Dir)
	assert.Positive(t, r.Caches[0].Files)
	assert.Positive(t, r.Caches[0].Bytes)
}

const pocl = "Portable Computing Language"

// An archive serves another process, whose home is empty. What does not fit is named, and does no harm.
func TestPrepareExport(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("access is not decided by modes")
	}
	clitest.NeedDevice(t)
	dir := t.TempDir()
	known := cl.PoCLCache() // which knows most of the kernels: compilation takes long
	run := func(caches, args string) clitest.Result {
		c := clitest.Command(dir, strings.Fields(args)...)
		c.Env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_CACHE_HOME="+t.TempDir(), "POCL_CACHE_DIR="+known,
			"SUFFIXCL_CACHE="+caches)
		return clitest.Finish(t, c)
	}
	text := clitest.Prose(500)
	clitest.Put(t, dir, "text", text)
	clitest.Put(t, dir, "sa", encode(suffixArray(text), 4))
	r := run("", "prepare --for verify --export programs.zip --json")
	if strings.Contains(r.Errors, "Oclgrind is an interpreter") {
		t.Skip(r.Errors)
	}
	require.Equal(t, cli.ExitDone, r.Code, r.Errors)
	var report verb.PrepareReport
	require.NoError(t, json.Unmarshal([]byte(r.Out), &report))
	info, err := os.Stat(filepath.Join(dir, "programs.zip"))
	require.NoError(t, err)
	assert.Equal(t, "programs.zip", report.Archive.File)
	assert.Positive(t, report.Archive.Programs)
	assert.Equal(t, info.Size(), report.Archive.Bytes)
	assert.Zero(t, info.Mode()&0o022)
	assert.Len(t, clitest.Files(t, dir), 3, "nothing else is left")

	data := clitest.Get(t, dir, "programs.zip")
	clitest.Put(t, dir, "half.zip", data[:len(data)/2])
	clitest.Put(t, dir, "open.zip", data)
	require.NoError(t, os.Chmod(filepath.Join(dir, "open.zip"), 0o666))
	for caches, note := range map[string]string{
		"programs.zip": "", "off:programs.zip": "", "new:programs.zip": "",
		"half.zip": "half.zip is not used: it is no archive of programs",
		"open.zip": "open.zip is not used: others than root and this user can write it",
		"none.zip": "none.zip is not used: there is no such file",
	} {
		caches = strings.ReplaceAll(caches, ":", string(filepath.ListSeparator))
		r := run(caches, "verify text sa")
		assert.Equal(t, cli.ExitDone, r.Code, r.Errors)
		assert.Equal(t, note != "", strings.Contains(r.Errors, "note: "), r.Errors)
		assert.Contains(t, r.Errors, note)
	}
	assert.Empty(t, run("half.zip", "verify text sa -q").Errors)
	assert.Contains(t, run("half.zip", "devices --no-test").Errors, "note: half.zip is not used")
	if report.Platform == pocl { // of which nothing is assembled
		assert.NoDirExists(t, filepath.Join(dir, "new"), "all was in the archive")
	}
}

// The place of an archive is looked at before anything is built.
func TestPrepareExportWhere(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"", "-"} {
		r := clitest.Run(t, dir, "prepare", "--export", name)
		assert.Equal(t, cli.ExitUsage, r.Code)
		assert.Contains(t, r.Errors, "--export: want the name of a file")
	}
	r := clitest.Run(t, dir, "prepare", "--export", filepath.Join("missing", "programs.zip"))
	assert.Equal(t, cli.ExitFailed, r.Code)
	assert.Contains(t, r.Errors, "cannot write "+filepath.Join("missing", "programs.zip"))
	assert.Empty(t, clitest.Files(t, dir))
}

func TestPrepareForWhat(t *testing.T) {
	r := clitest.Run(t, t.TempDir(), "prepare", "--for", "sa,nothing")
	assert.Equal(t, cli.ExitUsage, r.Code)
	assert.Contains(t, r.Errors, `no verb "nothing"`)
}

// What has no programs says so, and is told from what is no verb.
func TestPrepareForNoDevice(t *testing.T) {
	for _, verb := range []string{"apply", "plan", "prepare", "version", "completion", "help"} {
		r := clitest.Run(t, t.TempDir(), "prepare", "--for", "sa,"+verb)
		assert.Equal(t, cli.ExitUsage, r.Code, verb)
		assert.Contains(t, r.Errors, verb+" has no programs of its own to prepare; those that have are sa, lcp, gsa,")
	}
}

// Verbs that compute on a device can be prepared: those that plan knows, and devices. They are named in the order of
// the help, there and in the guide.
func TestPreparedVerbs(t *testing.T) {
	var want []string
	planned := verbNamed("plan").Commands()
	for _, c := range Root().Commands() {
		same := func(p *cobra.Command) bool { return p.Name() == c.Name() }
		if slices.ContainsFunc(planned, same) || c.Name() == "devices" {
			want = append(want, c.Name())
		}
	}
	require.Contains(t, want, "dedup")
	assert.ElementsMatch(t, want, preparedVerbs())
	help, _, _ := strings.Cut(verbNamed("prepare").Flags().Lookup("for").Usage, " if none is given")
	assert.Equal(t, "verbs, separated by commas; all of "+strings.Join(want, ", "), help)
	assert.Contains(t, strings.Join(strings.Fields(page(t, "docs/guide.md")), " "),
		"`"+strings.Join(want, "`, `")+"`")
}

// preparedRuns are calls of each verb, which begin with its name.
var preparedRuns = []string{
	"sa short -o out", "sa long -o out",
	"lcp short -o out", "lcp long -o out", "lcp long --sa long.sa -o out",
	"gsa short --sa --da --bwt -o out", "gsa long --sa --lcp --da -o out", "gsa a.fa --sa --lcp --da --bwt -o out",
	"bwt short -o out", "bwt long -o out", "unbwt long.bwt -o out",
	"index short -o out", "index long -o out", "index a.fa --dna -o out", "index a.fa --dna --both -o out",
	"build bwa a.fa out", "build bwa-mem2 a.fa out", "build minibwa a.fa out", "build bowtie2 a.fa out",
	"pangenome thresholds a.fa out", "pangenome thresholds b.fa out --separators",
	"count long.fmi line", "locate long.fmi line", "count dna.fmi GATTACA --both",
	"locate dna.fmi GATTACA --both --max-hits 3",
	"match short queries -o out", "match long queries -o out", "match a.fa queries --dna --both -o out",
	"repeats short -o out", "repeats long -o out", "repeats a.fa --dna --both -o out",
	"intervals short -o out", "intervals long --maximal -o out", "intervals long --top 5 --by area -o out",
	"intervals a.fa -o out", "intervals long --lines --supermaximal -o out", "intervals a.fa --common -o out",
	"mems a.fa b.fa -o out", "mems a.fa b.fa --mum -n -b -o out", "mems a.fa b.fa --maxmatch -o out",
	"mums a.fa b.fa -o out", "mums a.fa b.fa -f 0 -o out",
	"smems bwa b.fa -o out", "smems all.fmd b.fa -o out", "smems runs b.fa --pseudo-matching-lengths -o out",
	"mappability a.fa -k 20 -k 50 --both -o out", "mappability a.fa -k 300 -o out", "mappability b.fa --unique -o out",
	"pangenome build a.fa -o out", "pangenome build b.fa a.fa --forward -o out",
	"tokens long -o out --token u8", "tokens long -o out --token u16", "tokens long -o out --token u32",
	"tokens short -o out --format tokengrams",
	"seeds short -o out", "seeds long --fixed -o out",
	"dedup long -o out", "dedup long --keep first --symbols u16 -o out", "dedup long --against short --symbols u32 -o out",
	"dedup short --symbols utf8 --min-length 5 -o out",
	"diff short long -o out", "diff long short -o out",
	"verify short short.sa", "verify long long.sa --bwt long.bwt --lcp long.lcp", "devices",
}

// programPool has programs that were built, so that a test of an empty cache need not compile all of them again.
type programPool struct{ dir string }

// newProgramPool begins with those of the tests' cache.
func newProgramPool(t *testing.T) programPool {
	pool := programPool{t.TempDir()}
	if shared := os.Getenv("SUFFIXCL_CACHE"); shared != "" {
		if _, err := os.Stat(shared); err == nil {
			require.NoError(t, os.CopyFS(pool.dir, os.DirFS(shared)))
		}
	}
	return pool
}

// fill puts all of them into a cache, as used long ago.
func (p programPool) fill(t *testing.T, cache string) {
	long := time.Now().AddDate(0, 0, -1)
	p.each(t, p.dir, func(file string) {
		from, to := filepath.Join(p.dir, file), filepath.Join(cache, file)
		require.NoError(t, os.Chtimes(from, long, long))
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
		require.NoError(t, os.Link(from, to))
	})
}

// keepUsed removes from the cache what has not been used since fill, and takes what is new.
func (p programPool) keepUsed(t *testing.T, cache string) {
	p.each(t, cache, func(file string) {
		of := filepath.Join(cache, file)
		info, err := os.Stat(of)
		require.NoError(t, err)
		if time.Since(info.ModTime()) > time.Hour {
			require.NoError(t, os.Remove(of))
			return
		}
		to := filepath.Join(p.dir, file)
		if _, err := os.Stat(to); err != nil {
			require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
			require.NoError(t, os.Link(of, to))
		}
	})
}

func (p programPool) each(t *testing.T, dir string, do func(file string)) {
	require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			do(filepath.FromSlash(path))
		}
		return err
	}))
}

// A verb builds nothing that was prepared for it.
func TestPreparedRuns(t *testing.T) {
	clitest.NeedDevice(t)
	pool := newProgramPool(t)
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(5, 5))
	genome := randomDNA(rng, 60_000)
	text := bytes.ToValidUTF8(clitest.Prose(100_000), []byte("?"))
	clitest.Put(t, dir, "long", text[:100_000/4*4])
	clitest.Put(t, dir, "short", text[:2000])
	clitest.Put(t, dir, "queries", []byte("GATTACA\nline\n"))
	clitest.Put(t, dir, "a.fa", []byte(">a\n"+genome[:50_000]+"\n>b\n"+genome[20_000:]+"\n"))
	clitest.Put(t, dir, "b.fa", []byte(">c\n"+genome[10_000:12_000]+"\n"))
	for _, name := range []string{"short", "long"} {
		clitest.Good(t, dir, "sa", name, "-o", name+".sa", "-q")
	}
	clitest.Good(t, dir, "lcp", "long", "-o", "long.lcp", "-q")
	clitest.Good(t, dir, "bwt", "long", "-o", "long.bwt", "-q")
	clitest.Good(t, dir, "index", "long", "-o", "long.fmi", "-q")
	clitest.Good(t, dir, "index", "a.fa", "--dna", "-o", "dna.fmi", "-q")
	clitest.Good(t, dir, "build", "bwa", "a.fa", "bwa", "-q")
	clitest.Good(t, dir, "pangenome", "thresholds", "a.fa", "runs", "-q")
	clitest.Good(t, dir, "pangenome", "build", "a.fa", "-o", "all.fmd", "-q")
	t.Setenv("POCL_CACHE_DIR", cl.PoCLCache()) // which knows most of them: compilation takes long
	for _, of := range preparedVerbs() {
		t.Run(of, func(t *testing.T) {
			cache := t.TempDir()
			pool.fill(t, cache)
			t.Setenv("SUFFIXCL_CACHE", cache)
			var r verb.PrepareReport
			out := clitest.Good(t, dir, "prepare", "--for", of, "--json").Out
			require.NoError(t, json.Unmarshal([]byte(out), &r))
			require.NotEmpty(t, r.Caches)
			require.Equal(t, cache, r.Caches[0].Dir)
			pool.keepUsed(t, cache)
			r.Caches[0] = verb.SizeOfCache(cache)
			require.Positive(t, r.Caches[0].Files)
			ran := false
			for _, line := range preparedRuns {
				if args := strings.Fields(line); args[0] == of {
					ran = true
					clitest.Good(t, dir, args...)
					got := verb.SizeOfCache(r.Caches[0].Dir)
					assert.Equal(t, r.Caches[0].Files, got.Files, line)
					r.Caches[0].Files = got.Files
					for _, made := range clitest.Files(t, dir) {
						if strings.HasPrefix(made, "out") {
							require.NoError(t, os.Remove(filepath.Join(dir, made)))
						}
					}
				}
			}
			assert.True(t, ran)
		})
	}
}

// A helper that does not start, ends early, is another program or leaves nothing costs time, and no result.
func TestHelpers(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	script := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+text), mode))
		return path
	}
	helpers := map[string]string{"suffixcl": clitest.Program(), "missing": filepath.Join(dir, "missing")}
	if runtime.GOOS != "windows" {
		helpers["not executable"] = script("data", "", 0o644)
		helpers["ends at once"] = script("true", "exit 0\n", 0o755)
		helpers["another program"] = script("cat", "exec cat\n", 0o755)
		helpers["killed at work"] = script("killed",
			"read order; echo 'suffixcl helper 1'; read request; kill -9 $$\n", 0o755)
		helpers["builds nothing"] = script("idle", "read order; echo 'suffixcl helper 1'\n"+
			`while read r; do k=${r#*:\"}; echo "{\"key\":\"${k%%\"*}\",\"error\":\"no\"}"; done`+"\n", 0o755)
	}
	text := bytes.Repeat([]byte("a helper builds programs, "), 100)
	want := make([]uint32, len(text))
	sa := index(text)
	for j := 1; j < len(sa); j++ {
		for a, b := sa[j-1], sa[j]; max(a, b) < len(text) && text[a] == text[b]; a, b = a+1, b+1 {
			want[j]++
		}
	}
	for name := range helpers {
		t.Run(name, func(t *testing.T) {
			o := suffixcl.Options{Helper: helpers[name], Helpers: 2}
			if name == "suffixcl" {
				o.CacheDir = t.TempDir()
			} else {
				t.Setenv("XDG_CACHE_HOME", t.TempDir())
			}
			e, err := suffixcl.Open(o)
			require.NoError(t, err)
			defer e.Close()
			lcp, err := e.LCP(t.Context(), text)
			require.NoError(t, err)
			assert.Equal(t, want, lcp)
		})
	}
}

// What is no number of processes is wrong usage.
func TestHelpersVariable(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "text", []byte("banana"))
	run := func(value, args string) clitest.Result {
		c := clitest.Command(dir, strings.Fields(args)...)
		c.Env = append(os.Environ(), "SUFFIXCL_HELPERS="+value)
		return clitest.Finish(t, c)
	}
	for _, args := range []string{"sa text -o out", "plan sa text", "devices", "prepare --for sa"} {
		r := run("two", args)
		assert.Equal(t, cli.ExitUsage, r.Code, args)
		assert.Contains(t, r.Errors, "suffixcl: SUFFIXCL_HELPERS=two: want a number of processes; 0 and -1: none (see")
	}
	for _, value := range []string{"", "0", "-1", "1"} {
		assert.Equal(t, cli.ExitDone, run(value, "sa text -o out").Code, value)
	}
}

// index is the suffix array of a text.
func index(text []byte) []int {
	sa := make([]int, len(text))
	for i := range sa {
		sa[i] = i
	}
	slices.SortFunc(sa, func(a, b int) int { return bytes.Compare(text[a:], text[b:]) })
	return sa
}

// The verb of helpers is not for people: without a session it ends with an error.
func TestBuildPrograms(t *testing.T) {
	r := clitest.Run(t, t.TempDir(), "build-programs")
	assert.Equal(t, cli.ExitFailed, r.Code)
	assert.Contains(t, r.Errors, "started by a session")
}
