//go:build unix

package verbs

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// asNobody makes root's run one of a user that permissions hold for.
func asNobody(c *exec.Cmd) {
	if os.Getuid() == 0 {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
}

func TestPermissions(t *testing.T) {
	dir := t.TempDir()
	clitest.Put(t, dir, "text", []byte("banana"))
	clitest.Put(t, dir, "secret", []byte("banana"))
	require.NoError(t, os.Chmod(filepath.Join(dir, "secret"), 0))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "locked"), 0o555))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "open"), 0o777))
	require.NoError(t, os.Chmod(filepath.Join(dir, "open"), 0o777))
	for parent := dir; parent != os.TempDir() && parent != "/"; parent = filepath.Dir(parent) {
		os.Chmod(parent, 0o755)
	}
	for want, args := range map[string][]string{
		"secret: permission denied":                  {"sa", "secret", "-o", "open/out"},
		"cannot write locked/out: permission denied": {"sa", "text", "-o", "locked/out"},
	} {
		c := clitest.Command(dir, args...)
		asNobody(c)
		r := clitest.Finish(t, c)
		assert.Equal(t, cli.ExitFailed, r.Code)
		assert.Contains(t, r.Errors, want)
	}
	assert.Empty(t, clitest.Files(t, filepath.Join(dir, "locked")))
	assert.Empty(t, clitest.Files(t, filepath.Join(dir, "open")))
}

func TestUmask(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "text", []byte("banana"))
	for umask, mode := range map[string]os.FileMode{"022": 0o644, "077": 0o600, "002": 0o664} {
		c := exec.Command("sh", "-c", "umask "+umask+"; exec "+clitest.Program()+" bwt text -o out"+umask)
		c.Dir = dir
		require.Equal(t, cli.ExitDone, clitest.Finish(t, c).Code)
		for _, name := range []string{"out" + umask, "out" + umask + ".primary"} {
			info, err := os.Stat(filepath.Join(dir, name))
			require.NoError(t, err)
			assert.Equal(t, mode, info.Mode(), name)
		}
	}
}

// compile runs a verb, and has later runs of the test load its programs. A driver that compiles writes files itself,
// and LLVM takes an interrupt for its own.
func compile(t *testing.T, dir string, args ...string) {
	t.Setenv("SUFFIXCL_CACHE", t.TempDir())
	clitest.Good(t, dir, append(args, "-o", "/dev/null")...)
}

func TestDiskFull(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "text", clitest.Prose(100000))
	// Files end at 64 KiB or less: the array of 400,000 bytes does not fit, nor the transform.
	for _, verb := range []string{"sa", "bwt"} {
		compile(t, dir, verb, "text")
		c := exec.Command("sh", "-c", "ulimit -f 64; exec "+clitest.Program()+" "+verb+" text -o out")
		c.Dir = dir
		r := clitest.Finish(t, c)
		assert.Equal(t, cli.ExitFailed, r.Code, r.Errors)
		assert.Contains(t, r.Errors, "cannot write out: file too large")
		assert.Equal(t, 1, strings.Count(r.Errors, "\n"), r.Errors)
		assert.Equal(t, []string{"text"}, clitest.Files(t, dir))
	}
	// Ranges that fit are kept, and the job goes on from them where there is room.
	ranges := "sa text --algorithm ranges --max-mem 600K --resume kept -o "
	compile(t, dir, "sa", "text", "--algorithm", "ranges", "--max-mem", "600K")
	limited := exec.Command("sh", "-c", "ulimit -f 64; exec "+clitest.Program()+" "+ranges+"out")
	limited.Dir = dir
	full := clitest.Finish(t, limited)
	assert.Equal(t, cli.ExitFailed, full.Code, full.Errors)
	assert.Contains(t, full.Errors, "file too large")
	assert.NoFileExists(t, filepath.Join(dir, "out"))
	clitest.Good(t, dir, strings.Fields(ranges+"out")...)
	clitest.Good(t, dir, "verify", "text", "out")
	for _, name := range []string{"out", "kept"} {
		require.NoError(t, os.RemoveAll(filepath.Join(dir, name)))
	}
	// Of an index none of its files is left, even if some of them fit.
	clitest.Put(t, dir, "genome.fa", []byte(">a\n"+randomDNA(rand.New(rand.NewPCG(6, 6)), 180_000)+"\n"))
	for _, verb := range []string{"build bowtie2", "build bwa", "pangenome thresholds"} {
		t.Setenv("SUFFIXCL_CACHE", t.TempDir())
		whole := append(strings.Fields(verb), "genome.fa", filepath.Join(t.TempDir(), "whole"))
		clitest.Good(t, dir, whole...)
		c := exec.Command("sh", "-c", "ulimit -f 64; exec "+clitest.Program()+" "+verb+" genome.fa index")
		c.Dir = dir
		r := clitest.Finish(t, c)
		assert.Equal(t, cli.ExitFailed, r.Code, r.Errors)
		assert.Contains(t, r.Errors, "file too large")
		assert.Equal(t, []string{"genome.fa", "text"}, clitest.Files(t, dir))
	}
	// Of a directory the second file does not fit: none is left, nor the ranges.
	require.NoError(t, os.Mkdir(filepath.Join(dir, "shards"), 0o777))
	clitest.Put(t, dir, "shards/a", clitest.Prose(1000))
	clitest.Put(t, dir, "shards/b", clitest.Prose(100000))
	before := clitest.Files(t, dir)
	compile(t, dir, "dedup", "shards", "--min-length", "5000")
	c := exec.Command("sh", "-c", "ulimit -f 64; exec "+clitest.Program()+
		" dedup shards --min-length 5000 --write clean -o ranges")
	c.Dir = dir
	r := clitest.Finish(t, c)
	assert.Equal(t, cli.ExitFailed, r.Code, r.Errors)
	assert.Contains(t, r.Errors, "cannot write "+filepath.Join("clean", "b")+": file too large")
	assert.Equal(t, before, clitest.Files(t, dir))
	if _, err := os.Stat("/dev/full"); err == nil {
		r := clitest.Run(t, dir, "sa", "text", "-o", "/dev/full")
		assert.Equal(t, cli.ExitFailed, r.Code)
		assert.Contains(t, r.Errors, "cannot write /dev/full: no space left on device")
	}
}

// What was prepared without a limit on the size of files runs under one that a compiler exceeds (docs/limits.md).
func TestPreparedUnderLimit(t *testing.T) {
	clitest.NeedDevice(t)
	dir, text := t.TempDir(), clitest.Prose(500)
	rows, primary := transform(text)
	clitest.Put(t, dir, "text.bwt", rows)
	clitest.Put(t, dir, "text.bwt.primary", append(strconv.AppendInt(nil, int64(primary), 10), '\n'))
	t.Setenv("SUFFIXCL_CACHE", t.TempDir())
	t.Setenv("POCL_CACHE_DIR", t.TempDir())
	clitest.Good(t, dir, "prepare", "--for", "unbwt")
	c := exec.Command("sh", "-c", "ulimit -f 8; exec "+clitest.Program()+" unbwt text.bwt -o text")
	c.Dir = dir
	r := clitest.Finish(t, c)
	require.Zero(t, r.Code, r.Errors)
	assert.Equal(t, text, clitest.Get(t, dir, "text"))
}

func TestSpecialOutput(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	text := clitest.Prose(50000) // more than a pipe holds
	clitest.Put(t, dir, "text", text)
	clitest.Good(t, dir, "sa", "text", "-o", "/dev/null")
	clitest.Good(t, dir, "bwt", "text", "-o", "/dev/null")
	assert.NoFileExists(t, "/dev/null.primary")
	info, err := os.Stat("/dev/null")
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&os.ModeDevice)

	fifo := filepath.Join(dir, "fifo")
	require.NoError(t, syscall.Mkfifo(fifo, 0o600))
	read := make(chan []byte)
	go func() {
		data, _ := os.ReadFile(fifo)
		read <- data
	}()
	clitest.Good(t, dir, "sa", "text", "-o", "fifo")
	assert.True(t, bytes.Equal(encode(suffixArray(text), 4), <-read))
	assert.Equal(t, []string{"fifo", "text"}, clitest.Files(t, dir))

	// Input from one.
	go os.WriteFile(fifo, text, 0)
	assert.Contains(t, clitest.Good(t, dir, "plan", "sa", "fifo").Out, "50000 bytes")
}

// A file that is a mount cannot be replaced. That is seen before the work, not after it.
func TestOutputMount(t *testing.T) {
	dir := t.TempDir()
	clitest.Put(t, dir, "text", []byte("mississippi"))
	clitest.Put(t, dir, "out", []byte("old"))
	out := filepath.Join(dir, "out")
	if err := exec.Command("mount", "--bind", out, out).Run(); err != nil {
		t.Skip("mount: ", err)
	}
	defer exec.Command("umount", out).Run()
	c := clitest.Command(dir, "sa", "text", "-o", "out")
	c.Env = append(os.Environ(), "SUFFIXCL_OPENCL_LIBRARY=/nonexistent")
	assert.Equal(t, "suffixcl: cannot write out: it is a mount point, which cannot be replaced\n",
		clitest.Finish(t, c).Errors)
}

// In directories with the sticky bit, as /tmp, files of others cannot be replaced, although they can be written.
func TestOutputSticky(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs two users")
	}
	dir := t.TempDir()
	clitest.Put(t, dir, "text", []byte("mississippi"))
	clitest.Put(t, dir, "out", []byte("old"))
	require.NoError(t, os.Chmod(filepath.Join(dir, "out"), 0o666))
	require.NoError(t, os.Chmod(filepath.Dir(dir), 0o755))
	require.NoError(t, os.Chmod(dir, 0o777|os.ModeSticky))
	c := clitest.Command(dir, "sa", "text", "-o", "out")
	asNobody(c)
	assert.Contains(t, clitest.Finish(t, c).Errors, "cannot write out: it is another user's")
}

// Both results of a verb are put in place, or the old ones stay.
func TestOutputsTogether(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "out", []byte("old"))
	c := clitest.Command(dir, "bwt", "-", "-o", "out")
	in, err := c.StdinPipe()
	require.NoError(t, err)
	var errs bytes.Buffer
	c.Stderr = &errs
	require.NoError(t, c.Start())
	_, err = in.Write([]byte("banana"))
	require.NoError(t, err)
	time.Sleep(time.Second) // the place has been checked
	require.NoError(t, os.Mkdir(filepath.Join(dir, "out.primary"), 0o755))
	require.NoError(t, in.Close())
	c.Wait()
	assert.Equal(t, cli.ExitFailed, c.ProcessState.ExitCode())
	assert.Contains(t, errs.String(), "cannot write out and out.primary: ")
	assert.Equal(t, "old", string(clitest.Get(t, dir, "out")))
	assert.Equal(t, []string{"out", "out.primary"}, clitest.Files(t, dir))
}

// Pipes and sockets under names at which regular files are expected are refused with their names. Nothing waits.
func TestPipesInPlaceOfFiles(t *testing.T) {
	dir := t.TempDir()
	files := map[string][]byte{"tokenized.0": []byte("bananana"), "offset.0": make([]byte, 8), "table.0": nil}
	refused := func(pipe string, args ...string) {
		c := clitest.Command(dir, args...)
		timer := time.AfterFunc(time.Minute, func() { c.Process.Kill() })
		r := clitest.Finish(t, c)
		require.True(t, timer.Stop(), "%v waits for %s", args, pipe)
		assert.Equal(t, cli.ExitFailed, r.Code, "%v: %s", args, r.Errors)
		assert.Contains(t, r.Errors, pipe)
		assert.Contains(t, r.Errors, "it is a pipe, not a regular file", args)
	}
	for pipe := range files {
		index := filepath.Join(dir, "index."+pipe)
		require.NoError(t, os.Mkdir(index, 0o755))
		for name, data := range files {
			clitest.Put(t, index, name, data)
		}
		if pipe != "table.0" {
			require.NoError(t, os.Remove(filepath.Join(index, "table.0")))
		}
		os.Remove(filepath.Join(index, pipe))
		require.NoError(t, syscall.Mkfifo(filepath.Join(index, pipe), 0o600))
		if clitest.HasDevice() {
			refused(pipe, "tokens", index)
		}
		clitest.Put(t, index, "table.1", nil)
		if pipe != "table.0" {
			clitest.Put(t, index, "table.0", make([]byte, 4))
		}
		refused(pipe, "tokens", "count", index, "1")
		refused(pipe, "passages", index, filepath.Join(dir, "document"))
	}
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "bwt.primary"), 0o600))
	clitest.Put(t, dir, "bwt", []byte("annb"))
	refused("pipe", "tokens", "pipe", "-o", "out")
	refused("pipe", "apply", "bwt", "pipe", "-o", "out")
	refused("pipe", "passages", "pipe", "bwt")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "mini"), 0o755))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "mini", "data.fm9"), 0o600))
	refused("data.fm9", "passages", "mini", "bwt")
	if clitest.HasDevice() {
		refused("bwt.primary", "unbwt", "bwt", "-o", "out")
	}
}

// Whatever is written on standard output, of any verb: a full disk is an error, and so is an output that was closed.
func TestStandardOutputFails(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	dir := t.TempDir()
	genome := ">a\n" + strings.Repeat("GATTACAT", 4) + "\n"
	clitest.Put(t, dir, "text", []byte("banana"))
	clitest.Put(t, dir, "genome", []byte(genome))
	clitest.Put(t, dir, "lines", []byte("to be or not\nto be\n"))
	clitest.Put(t, dir, "requests", []byte(`{"index": "fmi", "query_type": "count", "query": "an"}`+"\n"))
	runs := []string{"help", "--help", "sa --help", "help bwt", "version", "version --json", "completion bash"}
	if clitest.HasDevice() {
		clitest.Good(t, dir, "index", "text", "-o", "fmi")
		clitest.Good(t, dir, "sa", "text", "-o", "sa")
		clitest.Good(t, dir, "bwt", "text", "-o", "banana.bwt")
		clitest.Good(t, dir, "diff", "text", "sa", "-o", "patch")
		clitest.Good(t, dir, "build", "bwa", "genome", "searched")
		runs = append(runs, "devices", "devices --json", "plan sa text", "plan sa text --json", "count fmi a",
			"count fmi a --json", "locate fmi a", "match text text", "repeats text", "verify text sa", "bwt text -o bwt",
			"sa text -o out --json", "sa text -o -", "lcp text -o -", "lcp text --sa sa -o -", "unbwt banana.bwt -o -",
			"index text -o out --json", "gsa genome --sa -o gsa --json", "mems genome genome", "mums genome genome",
			"intervals text", "mappability genome -k 4 -o map --json", "tokens text --token u16 -o table --json",
			"seeds lines", "dedup lines --min-length 3", "passages fmi text -l 1", "get fmi --range 0-3",
			"serve fmi --ask requests", "diff text sa -o -", "apply text patch -o -",
			"build bwa genome bwa --json --force", "smems searched genome",
			"pangenome thresholds genome thr --json --force", "prepare --for sa --json")
		verbs := map[string]bool{}
		for _, line := range runs {
			verbs[strings.Fields(line)[0]] = true
		}
		for _, verb := range verbNames() {
			assert.True(t, verbs[verb], "no run of %s", verb)
		}
	}
	for _, line := range runs {
		args := strings.Fields(line)
		c := clitest.Command(dir, args...)
		c.Stdout = full
		closed := clitest.Command(dir)
		closed.Path, closed.Args = "/bin/sh", append([]string{"sh", "-c", `exec "$0" "$@" >&-`, clitest.Program()}, args...)
		for want, c := range map[string]*exec.Cmd{"no space left on device": c, "it is closed": closed} {
			r := clitest.Finish(t, c)
			assert.Equal(t, cli.ExitFailed, r.Code, "%s: %s", line, r.Errors)
			assert.Contains(t, r.Errors, want, line)
			assert.NotContains(t, r.Errors, "--help)", line)
		}
	}
	none := clitest.Command(dir, "version") // whose output is os.DevNull
	require.NoError(t, none.Run())
}

// interrupted starts a run, sends it the signal after a while, and expects that it
// ends soon, with code 130 and without leaving files.
func interrupted(t *testing.T, c *exec.Cmd, after time.Duration, s os.Signal) {
	before := clitest.Files(t, c.Dir)
	var errs bytes.Buffer
	c.Stderr = &errs
	require.NoError(t, c.Start())
	time.Sleep(after)
	if err := c.Process.Signal(s); err != nil {
		c.Wait()
		t.Skip("the run was over before the signal")
	}
	sent := time.Now()
	c.Wait()
	if c.ProcessState.ExitCode() == cli.ExitDone {
		t.Skip("the run was over before the signal")
	}
	assert.Equal(t, cli.ExitInterrupted, c.ProcessState.ExitCode(), errs.String())
	assert.Equal(t, "suffixcl: interrupted\n", errs.String())
	assert.Less(t, time.Since(sent), 30*time.Second)
	assert.Equal(t, before, clitest.Files(t, c.Dir))
}

func TestInterrupt(t *testing.T) {
	clitest.NeedDevice(t)
	t.Run("sort", func(t *testing.T) {
		dir := t.TempDir()
		clitest.Put(t, dir, "text", bytes.Repeat([]byte("a"), 8<<20))
		compile(t, dir, "sa", "text", "--algorithm", "hybrid")
		interrupted(t, clitest.Command(dir, "sa", "text", "-o", "out", "--algorithm", "hybrid"), 1500*time.Millisecond,
			os.Interrupt) // which takes seconds
	})
	t.Run("read", func(t *testing.T) {
		dir := t.TempDir()
		c := clitest.Command(dir, "bwt", "-", "-o", "out")
		in, err := c.StdinPipe() // never ends
		require.NoError(t, err)
		defer in.Close()
		go io.WriteString(in, "a text that is never complete")
		interrupted(t, c, time.Second, syscall.SIGTERM)
	})
	t.Run("hang up", func(t *testing.T) {
		dir := t.TempDir()
		c := clitest.Command(dir, "bwt", "-", "-o", "out")
		in, err := c.StdinPipe()
		require.NoError(t, err)
		defer in.Close()
		interrupted(t, c, time.Second, syscall.SIGHUP)
	})
	t.Run("write", func(t *testing.T) {
		dir := t.TempDir()
		clitest.Put(t, dir, "text", clitest.Prose(100000))
		r, w, err := os.Pipe() // nobody reads
		require.NoError(t, err)
		defer r.Close()
		c := clitest.Command(dir, "sa", "text", "-o", "-", "--quiet")
		c.Stdout = w
		defer w.Close()
		interrupted(t, c, 2*time.Second, os.Interrupt)
	})
	t.Run("open", func(t *testing.T) {
		dir := t.TempDir()
		require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o600)) // nobody writes
		interrupted(t, clitest.Command(dir, "sa", "fifo", "-o", "out"), time.Second/2, os.Interrupt)
	})
}

// A closed terminal says so twice, by its shell and by the kernel. What was written by then is gone.
func TestHangUp(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "text", bytes.Repeat([]byte("ab"), 4<<20))
	c := clitest.Command(dir, "repeats", "text", "-o", "out") // which takes seconds
	require.NoError(t, c.Start())
	require.Eventually(t, func() bool { return len(clitest.Files(t, dir)) == 2 }, 30*time.Second, time.Millisecond)
	for range 5 {
		require.NoError(t, c.Process.Signal(syscall.SIGHUP))
		time.Sleep(time.Millisecond)
	}
	c.Wait()
	assert.Equal(t, cli.ExitInterrupted, c.ProcessState.ExitCode())
	assert.Equal(t, []string{"text"}, clitest.Files(t, dir))
}

// A second signal ends the process at once, whatever it is doing.
func TestInterruptTwice(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "text", bytes.Repeat([]byte("a"), 8<<20))
	c := clitest.Command(dir, "sa", "text", "-o", "out", "--algorithm", "hybrid") // which takes seconds
	require.NoError(t, c.Start())
	time.Sleep(time.Second)
	for range 20 {
		if c.Process.Signal(os.Interrupt) != nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	c.Wait()
	assert.NotEqual(t, cli.ExitFailed, c.ProcessState.ExitCode())
	assert.Equal(t, []string{"text"}, clitest.Files(t, dir))
}

// An interrupt that the caller ignores, as shells do for jobs in the background,
// stays ignored.
func TestInterruptIgnored(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "text", bytes.Repeat([]byte("ab"), 1<<20))
	compile(t, dir, "sa", "text")
	c := exec.Command("sh", "-c", "trap '' INT; exec "+clitest.Program()+" sa text -o out")
	c.Dir = dir
	require.NoError(t, c.Start())
	time.Sleep(200 * time.Millisecond)
	c.Process.Signal(os.Interrupt)
	c.Wait()
	assert.Equal(t, cli.ExitDone, c.ProcessState.ExitCode())
	assert.FileExists(t, filepath.Join(dir, "out"))
}
