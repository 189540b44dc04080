package verbs

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/cmd/internal/session"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

func TestMain(m *testing.M) {
	clitest.Main(m, "../../suffixcl", func() *cobra.Command {
		session.Helper = clitest.Program()
		return Root()
	})
}

func TestManual(t *testing.T) { clitest.CheckManual(t, Root()) }

func TestHelpAndVersion(t *testing.T) {
	clitest.CheckHelp(t, Root())
	var v cli.VersionReport
	require.NoError(t, json.Unmarshal([]byte(clitest.Good(t, t.TempDir(), "version", "--json").Out), &v))
	assert.Equal(t, runtime.GOARCH, v.Arch)
	assert.Len(t, v.Kernels, 12)
}

// Users get no laboratory: neither plots, nor test suites, nor measurements.
func TestDependencies(t *testing.T) {
	list, err := exec.Command("go", "list", "-deps", "../../suffixcl").Output()
	require.NoError(t, err)
	packages := strings.Fields(string(list))
	require.Contains(t, packages, "github.com/suffixcl/suffixcl")
	for _, pkg := range packages {
		for _, unwanted := range []string{
			"testing", "gonum.org", "github.com/stretchr",
			"github.com/suffixcl/suffixcl/conformance", "github.com/suffixcl/suffixcl/internal/testkit",
		} {
			assert.False(t, pkg == unwanted || strings.HasPrefix(pkg, unwanted+"/"), "the command links %s", pkg)
		}
	}
}

// The exit codes are those of the help and of the guide.
func TestExitCodes(t *testing.T) {
	guide := page(t, "docs/guide.md")
	for code, meaning := range map[int]string{
		cli.ExitDone: "done", cli.ExitFailed: "failed", cli.ExitUsage: "wrong usage", cli.ExitNoDevice: "no usable device",
		cli.ExitMemory: "does not fit in memory", cli.ExitVerify: "verification failed", cli.ExitInterrupted: "interrupted",
	} {
		assert.Regexp(t, fmt.Sprintf(`(?m)\b%d  %s\b`, code, meaning), RootHelp)
		assert.Contains(t, guide, fmt.Sprintf("| %d | %s |", code, meaning))
	}
}

func TestUsage(t *testing.T) {
	dir := t.TempDir()
	clitest.Put(t, dir, "text", []byte("banana"))
	clitest.Put(t, dir, "sa", nil)
	clitest.CheckUsage(t, dir, [][]string{
		{},
		{"fly"},
		{"bench", "sort"}, // the laboratory's
		{"help", "fly"},
		{"help", "sa", "text"},
		{"sa"},
		{"sa", "text"},
		{"sa", "", "-o", "out"},
		{"match", "text", ""},
		{"sa", "text", "text", "-o", "out"},
		{"sa", "text", "-o", "out", "--wings"},
		{"sa", "text", "-o", "out", "--width", "3"},
		{"sa", "text", "-o", ""},
		{"sa", "text", "-o", "out", "--algorithm", "bogosort"},
		{"sa", "text", "-o", "out", "--max-mem", "much"},
		{"bwt", "text"},
		{"lcp", "text"},
		{"lcp", "text", "-o", "out", "--sa", ""},
		{"lcp", "-", "-o", "out", "--sa", "-"},
		{"lcp", "text", "-o", "out", "--sa", "sa", "--algorithm", "osipov"},
		{"unbwt", "text"},
		{"unbwt", "text", "-o", "out", "--primary", "-1"},
		{"unbwt", "text", "-o", "out", "--raw"},
		{"unbwt", "-", "-o", "out"},
		{"repeats"},
		{"repeats", "text", "--min-length", "-1"},
		{"repeats", "text", "--top", "0"},
		{"repeats", "text", "--format", "gff"},
		{"repeats", "text", "-o", ""},
		{"repeats", "text", "--plot", "out.png"}, // the laboratory's, too
		{"plan", "sa", "text", "--all"},
		{"verify", "text"},
		{"verify", "text", "sa", "--lcp", ""},
		{"verify", "text", "-", "--lcp", "-"},
		{"verify", "text", "sa", "--primary", "3"},
		{"verify", "text", "sa", "--bwt", ""},
		{"verify", "text", "sa", "--bwt", "-"},
		{"verify", "text", "sa", "--bwt", "sa", "--primary", "-1"},
		{"verify", "-", "-"},
		{"plan", "text"},
		{"plan", "fly", "text"},
		{"plan", "sa", "text", "--bwt"},
		{"plan", "bwt", "text", "--lcp"},
		{"plan", "unbwt", "text", "--input", "fasta"},
		{"sa", "text", "-o", "out", "--input", "genbank"},
		{"plan", "verify", "text", "--sa"},
		{"devices", "text"},
		{"version", "text"},
	}...)
}

func TestNoDevice(t *testing.T) {
	dir := t.TempDir()
	clitest.Put(t, dir, "text", []byte("banana"))
	clitest.Put(t, dir, "sa", encode(suffixArray([]byte("banana")), 4))
	for _, args := range [][]string{
		{"sa", "text", "-o", "out"}, {"bwt", "text", "-o", "out"}, {"lcp", "text", "-o", "out"},
		{"unbwt", "text", "-o", "out", "--primary", "1"}, {"verify", "text", "sa"}, {"plan", "sa", "text"}, {"devices"},
		{"devices", "--json"},
	} {
		c := clitest.Command(dir, args...)
		c.Env = append(os.Environ(), "SUFFIXCL_OPENCL_LIBRARY=/nonexistent")
		r := clitest.Finish(t, c)
		assert.Equal(t, cli.ExitNoDevice, r.Code, "%v", args)
		assert.Contains(t, r.Errors, "/nonexistent")
		assert.Contains(t, r.Errors, "SUFFIXCL_OPENCL_LIBRARY is set")
		if slices.Contains(args, "--json") {
			assert.Contains(t, r.Out, `"devices": []`)
		} else {
			assert.Empty(t, r.Out)
		}
	}
	assert.Equal(t, []string{"sa", "text"}, clitest.Files(t, dir))

	clitest.NeedDevice(t)
	for _, selector := range []string{"9999", "no such device"} {
		r := clitest.Run(t, dir, "sa", "text", "-o", "out", "--device", selector)
		assert.Equal(t, cli.ExitNoDevice, r.Code)
		assert.Contains(t, r.Errors, selector)
		assert.Contains(t, r.Errors, "0: ") // what there is
	}
}
