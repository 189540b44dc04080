// Command suffixcl-lab tests, measures and tunes suffixcl on OpenCL devices, and draws its
// results. See suffixcl-lab --help, and the help of each verb.
package main

import (
	"os"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/internal/cli"
)

const rootHelp = `suffixcl-lab is the laboratory of suffixcl: conformance tests of everything on every
device, benchmarks, the papers' tables, tuning, plots.

Standard output carries results, and with --json one JSON object; progress and
errors go to standard error. An interrupt ends a verb cleanly, a second one at once.

` + cli.EnvironmentHelp + `
  SUFFIXCL_CORPORA         directory of texts for bench sort

` + cli.ExitCodesHelp

func main() {
	self, _ := os.Executable()
	cli.TryDrivers(self)
	os.Exit(cli.Main(rootCommand(), os.Args[1:]))
}

func rootCommand() *cobra.Command {
	return cli.NewRoot("suffixcl-lab", "Tests, measurements and plots of suffixcl", rootHelp,
		cli.Group{Title: "Test", Verbs: []*cobra.Command{conformanceCommand(), gateCommand(), kernelsCommand()}},
		cli.Group{Title: "Measure", Verbs: []*cobra.Command{
			benchCommand(), papersCommand(), timelineCommand(), tuneCommand(), countersCommand(), tilesCommand(),
		}},
		cli.Group{Title: "Draw", Verbs: []*cobra.Command{plotCommand(plotSMEMsCommand())}},
	)
}
