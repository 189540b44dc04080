// Package verbs has the verbs of the command suffixcl, a file or more each. The command runs one as a process,
// libsuffixcl in the process of a program.
package verbs

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// RootHelp is the help of the command itself.
const RootHelp = `suffixcl builds and uses suffix structures on any OpenCL device: suffix and LCP
arrays, the Burrows-Wheeler transform and its inverse, FM-indexes, search for
many patterns, longest repeats.

A file may be "-": standard input, standard output. gzip, xz, zstd, bzip2 and lzma
are recognised by their headers and decompressed, unless --raw is given. A text is
bytes, or with --input fasta or fastq the sequences of all records, one after the
other. With --input auto a valid first record decides; that is the default of verbs
that tell records apart. The others take bytes, and say so if a file looks like FASTA
or FASTQ. A result file appears under its name only when it is complete, and replaces
no file that is read, and none that is read-only.

Standard output carries results, and with --json one JSON object; progress (on
a terminal), the summary line and errors go to standard error. If the result
itself goes to standard output, the JSON object goes to standard error. SIGINT,
SIGTERM and SIGHUP end a verb and leave no files; a second SIGINT or SIGTERM ends it
at once.

Conformance tests, benchmarks, tuning and plots are verbs of suffixcl-lab.

` + cli.EnvironmentHelp + "\n\n" + cli.ExitCodesHelp

// groups are the verbs under the titles of the help. plan is for those before it, prepare for all.
func groups() []verb.Group {
	list := []verb.Group{
		{Title: "Build", Verbs: []func() verb.Verb{saVerb, lcpVerb, gsaVerb, bwtVerb, unbwtVerb, indexVerb, buildVerb}},
		{Title: "Search", Verbs: []func() verb.Verb{countVerb, locateVerb, getVerb, matchVerb, repeatsVerb, intervalsVerb}},
		{Title: "Genomes", Verbs: []func() verb.Verb{memsVerb, mumsVerb, smemsVerb, mappabilityVerb, pangenomeVerb}},
		{Title: "Training data", Verbs: []func() verb.Verb{tokensVerb, seedsVerb, dedupVerb, passagesVerb, serveVerb}},
		{Title: "Patch", Verbs: []func() verb.Verb{diffVerb, applyVerb}},
		{Title: "Check and plan", Verbs: []func() verb.Verb{verifyVerb}},
	}
	last := &list[len(list)-1]
	planned := verb.Of(list)
	last.Verbs = append(last.Verbs, func() verb.Verb { return verb.Plan(planned) }, devicesVerb)
	prepared := verb.Of(list)
	last.Verbs = append(last.Verbs, func() verb.Verb { return verb.Prepare(prepared) })
	return list
}

// Root is the command with all its verbs.
func Root() *cobra.Command {
	var titled []cli.Group
	for _, g := range groups() {
		titled = append(titled, g.Titled())
	}
	root := cli.NewRoot("suffixcl", "Suffix structures on OpenCL devices", RootHelp, titled...)
	root.AddCommand(buildProgramsCommand())
	return root
}

// buildProgramsCommand is what a session starts as device.Config.Helper.
func buildProgramsCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "build-programs",
		Short:  "Build programs for another process of suffixcl",
		Args:   cobra.NoArgs,
		Hidden: true,
		RunE: cli.Work(func(context.Context, []string) error {
			return tuned.ServeBuilds(os.Stdin, os.Stdout)
		}),
	}
}
