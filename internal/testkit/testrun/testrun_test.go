package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sources are packages of a module, each of one file.
var sources = map[string]string{
	"pass": `func TestA(t *testing.T) { println("noise"); t.Log("log") }`,
	"fail": `func TestGood(t *testing.T) { println("noise"); t.Log("log") }
		func TestBad(t *testing.T) {
			println("one")
			t.Log("two\nlines")
			t.Run("wrong", func(t *testing.T) { t.Run("deeper", func(t *testing.T) { t.Error("three") }) })
			t.Run("fine", func(t *testing.T) { t.Log("not told") })
			t.Run("skipped", func(t *testing.T) { t.Skip("no bwa: apt-get install bwa") })
		}
		func TestParallel(t *testing.T) {
			t.Run("a", func(t *testing.T) { t.Parallel(); t.Error("four") })
			t.Run("b", func(t *testing.T) { t.Parallel() })
		}`,
	"skip": `func TestA(t *testing.T) { t.Log("before"); t.Skip("no bwa: apt-get install bwa") }
		func TestB(t *testing.T) { t.Run("inner", func(t *testing.T) { t.Skip("takes long") }) }
		func TestC(t *testing.T) { t.SkipNow() }`,
	"panics": `func TestA(t *testing.T) { t.Log("before"); panic("five") }`,
	"exits":  `func TestMain(m *testing.M) { m.Run(); println("six"); os.Exit(7) }; func TestA(t *testing.T) {}`,
	"broken": `func TestA(t *testing.T) { seven() }`,
	"second": `func TestA(t *testing.T) { t.Run("inner", func(t *testing.T) { time.Sleep(1100 * time.Millisecond) }) }
		func TestB(t *testing.T) { time.Sleep(1500 * time.Millisecond) }
		func TestC(t *testing.T) {}`,
	"slow": `func TestA(t *testing.T) { time.Sleep(3 * time.Second) }`,
}

// module makes one of some of the sources, and returns its directory.
func module(t *testing.T, names ...string) string {
	dir := t.TempDir()
	moduleIn(t, dir, "m", names...)
	return dir
}

func moduleIn(t *testing.T, dir, path string, names ...string) {
	put := func(name, text string) {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	put("go.mod", "module "+path+"\n\ngo 1.26\n")
	put("none/none.go", "package none\n")
	for _, name := range names {
		put(name+"/a_test.go", "package a\nimport (\"os\"; \"testing\"; \"time\")\n"+
			"var _, _ = os.Exit, time.Sleep\n"+sources[name]+"\n")
	}
}

// try runs the packages of a module.
func try(t *testing.T, dir string, args ...string) (out string, code int) {
	var text, errs bytes.Buffer
	code, err := run(&text, &errs, append([]string{"-C", dir, "-vet=off", "-count=1"}, args...))
	require.NoError(t, err)
	assert.Empty(t, errs.String())
	return text.String(), code
}

// Every line that `go test` writes is there, and no other before the list of what was skipped, but for what tests that
// passed have printed. Times, addresses and the order of lines differ.
func TestAsGoTest(t *testing.T) {
	dir := module(t, "pass", "fail", "skip", "panics", "exits", "broken")
	c := exec.Command("go", "test", "-C", dir, "-vet=off", "-count=1", "./...")
	plain, err := c.CombinedOutput()
	require.Error(t, err)
	want := strings.Replace(string(plain), "noise\n", "", 1)
	got, code := try(t, dir, "./...")
	assert.Equal(t, 1, code)
	got, list, found := strings.Cut(got, "Skipped:\n")
	require.True(t, found, got)
	assert.Equal(t, lines(want), lines(got+"FAIL\n"))
	assert.Equal(t, "  no bwa: apt-get install bwa (m/fail TestBad/skipped and 1 more)\n"+
		"  no reason given (m/skip TestC)\n  takes long (m/skip TestB/inner)\nTook 0s.\nFailed: m/broken\n"+
		"Failed: m/exits\nFailed: m/fail TestBad TestParallel\nFailed: m/panics TestA\nFAIL\n", ordered(list))
}

// ordered has the list of what failed in one order, and what varies in one form.
func ordered(list string) string {
	all := slices.Collect(strings.Lines(regexp.MustCompile(`Took \d+s`).ReplaceAllString(list, "Took 0s")))
	failed := slices.IndexFunc(all, func(line string) bool { return strings.HasPrefix(line, "Failed") })
	slices.Sort(all[failed : len(all)-1])
	first := strings.NewReplacer("m/skip TestA and", "m/fail TestBad/skipped and") // packages run side by side
	return first.Replace(strings.Join(all, ""))
}

func lines(text string) []string {
	text = regexp.MustCompile(`\d+\.\d+s|0x[0-9a-f?]+|goroutine \d+`).ReplaceAllString(text, "N")
	all := slices.Collect(strings.Lines(text))
	slices.Sort(all)
	return all
}

func TestAllPass(t *testing.T) {
	got, code := try(t, module(t, "pass"), "./...")
	assert.Zero(t, code)
	got = regexp.MustCompile(`\d+\.?\d*s`).ReplaceAllString(got, "N")
	all := slices.Collect(strings.Lines(got))
	slices.Sort(all[:2])
	assert.Equal(t, "?   \tm/none\t[no test files]\nok  \tm/pass\tN\nTook N.\n", strings.Join(all, ""))
}

// Tests that take a second or more are told, the slowest first, without those in them.
func TestSlowest(t *testing.T) {
	got, code := try(t, module(t, "second"), "./second")
	assert.Zero(t, code)
	assert.Regexp(t, `^ok  \tm/second\t\S+\nSlowest, in seconds:\n`+
		` +1\.[5-9] m/second TestB\n +1\.[1-9] m/second TestA\nTook`, got)
}

// Packages of a module below another are tested there, after those of the other, and what is said at the end is of all.
func TestModules(t *testing.T) {
	dir := module(t, "pass", "skip")
	moduleIn(t, filepath.Join(dir, "deep", "er"), "m/deep/er", "skip", "fail")
	for _, c := range []struct {
		packages []string
		results  string
		code     int
	}{
		{[]string{"./..."}, "ok m/pass|ok m/skip", 0},
		{[]string{"./pass", "./deep/er/..."}, "ok m/pass|FAIL m/deep/er/fail|ok m/deep/er/skip", 1},
		{[]string{"./deep/er/skip", "./skip"}, "ok m/deep/er/skip|ok m/skip", 0},
	} {
		got, code := try(t, dir, append([]string{"-p=1"}, c.packages...)...)
		assert.Equal(t, c.code, code)
		var results []string
		for _, result := range regexp.MustCompile(`(?m)^(ok|FAIL) *\t(m/\S+)`).FindAllStringSubmatch(got, -1) {
			results = append(results, result[1]+" "+result[2])
		}
		assert.Equal(t, c.results, strings.Join(results, "|"))
		assert.Equal(t, 1, strings.Count(got, "\nTook "), got)
	}
	got, _ := try(t, dir, "./skip", "./deep/er/skip")
	assert.Contains(t, got, "  takes long (m/skip TestB/inner and 1 more)\n")
}

// Wrong usage is that of the go command, with its exit code.
func TestWrongUsage(t *testing.T) {
	var out, errs bytes.Buffer
	code, err := run(&out, &errs, []string{"-count=x"})
	require.NoError(t, err)
	assert.Equal(t, 2, code)
	assert.Empty(t, out.String())
	assert.Contains(t, errs.String(), `invalid value "x"`)
}

// An interrupt ends the run: packages that have not begun do not, and the exit code says so.
func TestInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such signals")
	}
	dir := module(t, "slow", "pass")
	build := exec.Command("go", "test", "-C", dir, "-vet=off", "-run", "^$", "./...") // not while it is interrupted
	require.NoError(t, build.Run())
	self, err := os.FindProcess(os.Getpid())
	require.NoError(t, err)
	time.AfterFunc(1500*time.Millisecond, func() { self.Signal(os.Interrupt) })
	got, code := try(t, dir, "-p", "1", "./slow", "./pass")
	assert.Equal(t, 130, code)
	assert.NotContains(t, got, "m/pass\t")
}
