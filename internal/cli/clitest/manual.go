package clitest

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/testkit/needed"
)

// CheckManual checks that the manual page of a command has each verb, flag and example, and
// that groff, if it is there, has nothing to say.
func CheckManual(t *testing.T, root *cobra.Command) {
	t.Helper()
	dir := t.TempDir()
	page := Good(t, dir, "help", "--man").Out
	text := strings.NewReplacer(`\-`, "-", `\e`, `\`, `\fB`, "", `\fI`, "", `\fR`, "", `\&`, "").Replace(page)
	assert.True(t, strings.Contains(text, ".SH NAME\n"+root.Name()+" - "+root.Short))
	has := func(part string, c *cobra.Command) {
		assert.True(t, strings.Contains(text, part), "%s: no %q", c.CommandPath(), part)
	}
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		for line := range strings.Lines(c.Long + "\n" + c.Example) {
			has(strings.TrimSpace(line), c)
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden || cli.HasShortManual(c) {
				return
			}
			has("--"+f.Name, c)
			_, usage := pflag.UnquoteUsage(f)
			has(usage, c)
		})
		for _, verb := range c.Commands() {
			if verb.Hidden {
				continue
			}
			has("\n.SS "+strings.TrimPrefix(verb.CommandPath(), root.Name()+" ")+"\n", verb)
			check(verb)
		}
	}
	check(root)
	t.Run("groff", func(t *testing.T) {
		c := exec.Command(needed.Program(t, "groff"), "-ww", "-man", "-Tascii")
		c.Stdin = strings.NewReader(page)
		out, err := c.CombinedOutput()
		assert.NoError(t, err)
		assert.NotContains(t, string(out), "warning")
		assert.NotContains(t, string(out), "error:")
	})
}
