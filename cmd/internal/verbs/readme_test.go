package verbs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/internal/testkit/needed"
)

// page is a document of the repository.
func page(t *testing.T, name string) string {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", name))
	require.NoError(t, err)
	return string(text)
}

// The verbs of the guide are those that there are, in the order of the help.
func TestGuideVerbs(t *testing.T) {
	var want []string
	for _, c := range Root().Commands() {
		if c.Hidden {
			continue
		}
		want = append(want, c.Name()+": "+c.Short)
	}
	_, table, found := strings.Cut(page(t, "docs/guide.md"), "| verb | |\n|---|---|\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	var got []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z]+)` \\| (.+) \\|$").FindAllStringSubmatch(table, -1) {
		got = append(got, m[1]+": "+m[2])
	}
	assert.Equal(t, want, got)
}

// usable checks the words of a command: verb, flags, arguments.
func usable(t *testing.T, line string) {
	line, _, _ = strings.Cut(line, " #")
	if i := strings.LastIndex(line, "| "); i >= 0 {
		line = line[i+2:]
	}
	words := strings.Fields(line)
	program := slices.Index(words, "suffixcl") // after mpirun
	require.NotEqual(t, -1, program, line)
	c, rest, err := Root().Find(words[program+1:])
	require.NoError(t, err, line)
	require.NoError(t, c.ParseFlags(rest), line)
	assert.NoError(t, c.ValidateArgs(c.Flags().Args()), line)
}

// The commands of the guide run in their order in an empty directory, then those of ranks.
func TestGuideRuns(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no POSIX shell")
	}
	shell, err := exec.LookPath("sh")
	require.NoError(t, err)
	clitest.NeedDevice(t)
	var script, ranks strings.Builder
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(page(t, "docs/guide.md"), -1) {
		for line := range strings.Lines(block[1]) {
			switch {
			case strings.Contains(line, "mpirun") || strings.Contains(line, "OMPI_"):
				ranks.WriteString(line)
			case !strings.Contains(line, "suffixcl-lab"):
				script.WriteString(line)
			}
		}
	}
	require.Greater(t, strings.Count(script.String(), "suffixcl"), 50)
	require.Equal(t, 4, strings.Count(ranks.String(), "mpirun --oversubscribe"))
	dir, path := t.TempDir(), filepath.Dir(clitest.Program())+string(os.PathListSeparator)+os.Getenv("PATH")
	typed := func(t *testing.T, script, path string) {
		c := exec.Command(shell, "-ex")
		c.Dir, c.Stdin, c.Env = dir, strings.NewReader(script), append(os.Environ(), "PATH="+path)
		r := clitest.Finish(t, c)
		assert.Zero(t, r.Code, r.Errors[max(0, len(r.Errors)-1000):])
	}
	typed(t, script.String(), path)
	t.Run("Open MPI", func(t *testing.T) { // where mpirun may be that of another library
		bin := t.TempDir()
		require.NoError(t, os.Symlink(needed.Program(t, "mpirun.openmpi"), filepath.Join(bin, "mpirun")))
		typed(t, ranks.String(), bin+string(os.PathListSeparator)+path)
	})
}

// What the README shows of a terminal is what a terminal shows.
func TestReadmeRuns(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no POSIX shell")
	}
	shell, err := exec.LookPath("sh")
	require.NoError(t, err)
	clitest.NeedDevice(t)
	_, rest, found := strings.Cut(page(t, "README.md"), "```console\n$ ")
	require.True(t, found)
	session, _, _ := strings.Cut(rest, "```")
	calls := strings.Split("\n"+session, "\n$ ")
	require.Greater(t, len(calls), 3)
	dir := t.TempDir()
	path := filepath.Dir(clitest.Program()) + string(os.PathListSeparator) + os.Getenv("PATH")
	for _, call := range calls {
		line, shown, _ := strings.Cut(strings.Trim(call, "\n")+"\n", "\n")
		c := exec.Command(shell, "-ec", line)
		c.Dir, c.Env = dir, append(os.Environ(), "PATH="+path)
		r := clitest.Finish(t, c)
		assert.Zero(t, r.Code, r.Errors)
		assert.Equal(t, shown, r.Out, line)
		assert.Empty(t, r.Errors, line)
	}
}

// Every call in the README, in the guide, in the page on installing and in the examples of the help is one that the
// parser takes.
func TestExamples(t *testing.T) {
	var blocks strings.Builder
	pages := page(t, "README.md") + page(t, "docs/guide.md") + page(t, "docs/install.md")
	for _, block := range regexp.MustCompile("(?s)```sh\n.*?```").FindAllString(pages, -1) {
		blocks.WriteString(block)
	}
	calls := regexp.MustCompile(`(?m)^(.* \| )?suffixcl [a-z].*$`).FindAllString(blocks.String(), -1)
	require.Greater(t, len(calls), 15)
	var collect func(c *cobra.Command)
	collect = func(c *cobra.Command) {
		for line := range strings.Lines(c.Example) {
			calls = append(calls, strings.TrimSpace(line))
		}
		for _, verb := range c.Commands() {
			collect(verb)
		}
	}
	collect(Root())
	for _, call := range calls {
		usable(t, call)
	}
}
