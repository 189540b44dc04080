package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/internal/tuned"
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
func versionLine(command string) string {
	r := version()
	line := command + " " + r.Version
	if r.Revision != "" {
		line += " (" + r.Revision
		if r.Modified {
			line += ", modified"
		}
		line += ")"
	}
	return fmt.Sprintf("%s %s %s/%s", line, r.Go, r.OS, r.Arch)
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
	r := VersionReport{
		Version: "(devel)", Kernels: tuned.KernelDigest(),
		Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return r
	}
	r.Version = cmp.Or(info.Main.Version, r.Version)
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			r.Revision = s.Value
		case "vcs.time":
			r.Time = s.Value
		case "vcs.modified":
			r.Modified = s.Value == "true"
		}
	}
	return r
}
