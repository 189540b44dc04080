package verbs

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// runnable calls f for each verb that people can call.
func runnable(c *cobra.Command, f func(c *cobra.Command)) {
	for _, verb := range c.Commands() {
		if verb.Hidden {
			continue
		}
		if verb.Runnable() && !verb.DisableFlagsInUseLine {
			f(verb)
		}
		runnable(verb, f)
	}
}

// helpAsJSON is the help for programs, about all verbs or those of a path.
func helpAsJSON(t *testing.T, path ...string) (r cli.HelpReport) {
	help := clitest.Good(t, t.TempDir(), append([]string{"help", "--json"}, path...)...)
	require.NoError(t, json.Unmarshal([]byte(help.Out), &r))
	return r
}

// Every verb tells what it reads and writes: each argument, and each flag that takes the name of a file.
func TestVerbsDescribeThemselves(t *testing.T) {
	runnable(Root(), func(c *cobra.Command) {
		_, ok := cli.DescriptionOf(c)
		assert.True(t, ok, "%s describes itself by Reads and Writes", c.CommandPath())
	})
	for _, v := range helpAsJSON(t).Verbs {
		if strings.HasPrefix(v.Verb, "plan ") { // which writes none of the files
			continue
		}
		assert.NotEmpty(t, v.Outputs, v.Verb)
		var told, formats []string
		for _, in := range v.Inputs {
			assert.NotEmpty(t, in.Kinds, "%s: %s", v.Verb, in.Name)
			told = append(told, in.Name)
		}
		for _, out := range v.Outputs {
			assert.NotEmpty(t, out.Formats, "%s: %s", v.Verb, out.Name)
			told, formats = append(told, out.Name), append(formats, out.Formats...)
		}
		there, files := []string{cli.Stdout}, []string{}
		for _, a := range v.Arguments {
			there, files = append(there, a.Name), append(files, a.Name)
		}
		for _, o := range v.Options {
			there = append(there, o.Name)
			if o.Type == "file" {
				files = append(files, o.Name)
			}
			if o.Name == "format" && v.Verb != "bwt" && v.Device { // that of the result
				assert.Subset(t, formats, o.Choices, v.Verb)
			}
		}
		assert.Subset(t, told, files, v.Verb)
		assert.Subset(t, there, told, v.Verb)
	}
}

// The help as JSON has every verb with its flags, as the parser knows them.
func TestHelpAsJSON(t *testing.T) {
	r := helpAsJSON(t)
	assert.Equal(t, "suffixcl", r.Program)
	told := map[string]cli.VerbReport{}
	for _, v := range r.Verbs {
		told[v.Verb] = v
	}
	count := 0
	runnable(Root(), func(c *cobra.Command) {
		count++
		path := strings.TrimPrefix(c.CommandPath(), "suffixcl ")
		v, ok := told[path]
		if !assert.True(t, ok, path) {
			return
		}
		assert.Equal(t, c.Short, v.Summary)
		assert.NotEmpty(t, v.Group, path)
		options := map[string]cli.OptionReport{}
		for _, o := range v.Options {
			options[o.Name] = o
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if o := options[f.Name]; f.Name != "help" && !f.Hidden {
				assert.Equal(t, []string{f.Name, f.Shorthand, f.Value.Type(), f.DefValue},
					[]string{o.Name, o.Shorthand, o.Type, o.Default}, path)
			}
		})
	})
	assert.Len(t, r.Verbs, count)
	sa := told["sa"]
	assert.Equal(t, []cli.ArgumentReport{{Name: "TEXT", Required: true}}, sa.Arguments)
	output := sa.Options[slices.IndexFunc(sa.Options, func(o cli.OptionReport) bool { return o.Name == "output" })]
	assert.True(t, output.Required)
	for verb, want := range map[string]string{
		"sa": "device planned prepared ranges ranks", "index": "device planned prepared ranges", "apply": "",
		"count": "device planned prepared", "build bwa": "device planned prepared", "verify": "device planned prepared ranks",
		"devices": "device prepared", "plan sa": "device ranges ranks",
	} {
		v, got := told[verb], []string{}
		for name, is := range map[string]bool{"device": v.Device, "planned": v.Planned, "prepared": v.Prepared,
			"ranges": v.Ranges, "ranks": v.Ranks} {
			if is {
				got = append(got, name)
			}
		}
		assert.ElementsMatch(t, strings.Fields(want), got, verb)
	}
	assert.Len(t, helpAsJSON(t, "build").Verbs, len(indexFormats)+1) // and infini-gram mini
}

// The page of verbs is what "go generate ./cmd/suffixcl" writes.
func TestVerbsPage(t *testing.T) {
	if clitest.Good(t, t.TempDir(), "help", "--markdown").Out != page(t, "docs/verbs.md") {
		t.Error("docs/verbs.md is another: go generate ./cmd/suffixcl")
	}
	assert.Contains(t, page(t, "docs/guide.md"), "(verbs.md)")
}

// What is no file is not completed by one.
func TestCompletionOfWords(t *testing.T) {
	for args, want := range map[string]bool{
		"tokens count index .": false, "tokens count .": true, "apply old .": true, "build bwa .": true,
	} {
		words := strings.Fields(args)
		words[len(words)-1] = ""
		_, files := completions(t, words...)
		assert.Equal(t, want, files, args)
	}
}
