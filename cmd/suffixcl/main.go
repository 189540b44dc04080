// Command suffixcl builds and uses suffix structures on OpenCL devices: suffix and LCP
// arrays, Burrows-Wheeler transforms, FM-indexes, search, longest repeats. See suffixcl
// --help, and the help of each verb.
package main

//go:generate sh -c "go run . help --markdown > ../../docs/verbs.md"

import (
	"os"

	"github.com/suffixcl/suffixcl/cmd/internal/session"
	"github.com/suffixcl/suffixcl/cmd/internal/verbs"
	"github.com/suffixcl/suffixcl/internal/cli"
)

func main() {
	session.Ends = true
	session.Helper, _ = os.Executable()
	cli.TryDrivers(session.Helper)
	save := cli.RecordTimeline()
	code := cli.Main(verbs.Root(), verbs.Arguments(os.Args))
	save()
	os.Exit(code)
}
