//go:build unix

package clitest

import (
	"os"
	"os/signal"
	"syscall"
)

// heedFileSizeSignal undoes that a command ignores the signal: child processes would inherit that.
func heedFileSizeSignal() {
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGXFSZ)
	signal.Stop(heard)
}
