// Command suffixcl builds and uses suffix structures on OpenCL devices: suffix and LCP
// arrays, Burrows-Wheeler transforms, FM-indexes, search, longest repeats. See suffixcl
// --help, and the help of each verb.
package main

import (
	"os"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

const rootHelp = `suffixcl builds and uses suffix structures on any OpenCL device: suffix and LCP
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

// helper is this command, by its path, or empty where the system does not tell: a process of it builds programs.
var helper string

// ends says that the process ends with its verb.
var ends bool

// closeEngine closes an engine and its session at the end of a verb.
func closeEngine(e *suffixcl.Engine, s *device.Session) {
	if ends {
		_ = tuned.Leave(s) // the results are there
		return
	}
	e.Close()
}

func main() {
	ends = true
	helper, _ = os.Executable()
	save := cli.RecordTimeline()
	code := cli.Main(rootCommand(), arguments(os.Args))
	save()
	os.Exit(code)
}

func rootCommand() *cobra.Command {
	root := cli.NewRoot("suffixcl", "Suffix structures on OpenCL devices", rootHelp,
		cli.Group{Title: "Build", Verbs: []*cobra.Command{
			saVerb().command(), lcpVerb().command(), gsaVerb().command(), bwtVerb().command(), unbwtVerb().command(),
			indexVerb().command(), buildCommand(),
		}},
		cli.Group{Title: "Search", Verbs: []*cobra.Command{
			countVerb().command(), locateVerb().command(), matchVerb().command(), repeatsVerb().command(),
			intervalsVerb().command(),
		}},
		cli.Group{Title: "Genomes", Verbs: []*cobra.Command{
			memsVerb().command(), mumsVerb().command(), mappabilityVerb().command(),
		}},
		cli.Group{Title: "Training data", Verbs: []*cobra.Command{
			tokensCommand(), seedsVerb().command(), dedupVerb().command(),
		}},
		cli.Group{Title: "Patch", Verbs: []*cobra.Command{diffVerb().command(), applyCommand()}},
		cli.Group{Title: "Check and plan", Verbs: []*cobra.Command{
			verifyVerb().command(), planCommand(), devicesCommand(), prepareCommand(),
		}},
	)
	root.AddCommand(buildProgramsCommand())
	return root
}
