//go:build unix

package cli

import (
	"os/signal"
	"syscall"
)

// ignoreFileSizeSignal turns a write beyond the file size limit into an error;
// by default it ends the process with a stack trace.
func ignoreFileSizeSignal() { signal.Ignore(syscall.SIGXFSZ) }
