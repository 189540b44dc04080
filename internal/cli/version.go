package cli

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/internal/tuned"
	built "github.com/suffixcl/suffixcl/internal/version"
)

// VersionReport says what was built, from what.
type VersionReport struct {
	Version  string `json:"version"`
	Revision string `json:"revision"`
	Time     string `json:"time"`     // of the revision
	Modified bool   `json:"modified"` // after the revision
	Kernels  string `json:"kernels"`  // digest of the OpenCL sources
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}

func versionCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Say which version this is",
	}
	c.RunE = Work(func(context.Context, []string) error {
		r := version()
		if asJSON {
			return PrintJSON(os.Stdout, &r)
		}
		return PrintResult("%s", versionLine(c.Root().Name()))
	})
	AddJSON(c.Flags(), &asJSON)
	Describe(c, Description{Outputs: []Produced{Writes(Stdout, "text", "JSON")}})
	return c
}

// versionLine is what version and --version say.
func versionLine(command string) string { return version().line(command) }

// line is a command's version, then, as far as they are known, the commit, its day and whether files differ from it.
func (v VersionReport) line(command string) string {
	line := command + " " + v.Version
	var sources []string
	if v.Revision != "" {
		sources = append(sources, v.Revision)
	}
	if day, _, _ := strings.Cut(v.Time, "T"); day != "" {
		sources = append(sources, day)
	}
	if v.Modified {
		sources = append(sources, "modified")
	}
	if len(sources) > 0 {
		line += " (" + strings.Join(sources, ", ") + ")"
	}
	return fmt.Sprintf("%s %s %s/%s", line, v.Go, v.OS, v.Arch)
}

// Library names what is measured or tested: version, revision if the build knows it, kernels.
func Library() string { return version().Library() }

// Library is that of a command.
func (v VersionReport) Library() string {
	name := v.Version
	if len(v.Revision) > 12 && !strings.Contains(name, v.Revision[:12]) { // as pseudo-versions do
		name += " " + v.Revision
	}
	return name + " kernels " + v.Kernels
}

func version() VersionReport {
	b := built.Read()
	return VersionReport{
		Version: b.Version, Revision: b.Revision, Time: b.Time, Modified: b.Modified, Kernels: tuned.KernelDigest(),
		Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
	}
}
