package main

import (
	"fmt"
	"os"

	"github.com/suffixcl/suffixcl/internal/cli"
)

// labFlags are the flags of measurements.
type labFlags struct {
	cli.DeviceFlags
	cli.TextFlags
	json  bool
	quiet bool
}

// tell is the progress of a measurement.
func (f *labFlags) tell(format string, args ...any) { tell(f.quiet, format, args...) }

// tell writes a line to people, unless they want none.
func tell(quiet bool, format string, args ...any) {
	if !quiet {
		fmt.Fprintf(os.Stderr, "suffixcl-lab: "+format+"\n", args...)
	}
}
