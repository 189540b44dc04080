package main

import (
	"cmp"
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/internal/lab/runner"
)

// versionReport says what was built, from what.
type versionReport struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Time     string `json:"time,omitempty"`     // of the revision
	Modified bool   `json:"modified,omitempty"` // since the revision
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}

func versionCommand() *cobra.Command {
	var flags jobFlags
	c := &cobra.Command{
		Use:   "version",
		Short: "Say which version this is",
		Args:  cobra.NoArgs,
		RunE: work(func(context.Context, []string) error {
			r := version()
			if flags.json {
				return printJSON(os.Stdout, &r)
			}
			line := "suffixcl " + r.Version
			if r.Revision != "" {
				line += " (" + r.Revision
				if r.Modified {
					line += ", modified"
				}
				line += ")"
			}
			return printResult("%s %s %s/%s", line, r.Go, r.OS, r.Arch)
		}),
	}
	flags.addJSON(c.Flags())
	return c
}

// library names what is measured or tested: version, revision if the build knows it, kernels.
func library() string {
	v := version()
	name := v.Version
	if len(v.Revision) > 12 && !strings.Contains(name, v.Revision[:12]) { // as pseudo-versions do
		name += " " + v.Revision
	}
	return name + " kernels " + runner.Kernels()
}

func version() versionReport {
	r := versionReport{Version: "(devel)", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
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
