package cli

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"syscall"
)

// signalContext ends with an interrupt, a request to terminate, or the end of the terminal, and what is done then
// cleans up. A second interrupt or request ends the process at once; the end of a terminal comes more than once, from
// its shell and from the kernel. A signal that the caller had ignored stays so: that is how shells keep interrupts
// from jobs in the background, and nohup keeps the end of the terminal from its command.
func signalContext() (context.Context, context.CancelFunc) {
	urgent := heeded(os.Interrupt, syscall.SIGTERM)
	all := append(heeded(syscall.SIGHUP), urgent...)
	if len(all) == 0 { // to NotifyContext and Reset, that would mean all
		return context.WithCancel(context.Background())
	}
	ctx, stop := signal.NotifyContext(context.Background(), all...)
	context.AfterFunc(ctx, func() {
		if len(urgent) > 0 {
			signal.Reset(urgent...)
		}
	})
	return ctx, stop
}

// heeded are the signals that are not ignored.
func heeded(signals ...os.Signal) []os.Signal { return slices.DeleteFunc(signals, signal.Ignored) }
