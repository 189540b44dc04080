package cli

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"syscall"
)

// signalContext ends with an interrupt or a request to terminate. A signal that the
// caller had ignored stays so: that is how shells keep interrupts from jobs in the
// background.
func signalContext() (context.Context, context.CancelFunc) {
	wanted := slices.DeleteFunc([]os.Signal{os.Interrupt, syscall.SIGTERM}, signal.Ignored)
	if len(wanted) == 0 { // to NotifyContext, that would mean all
		return context.WithCancel(context.Background())
	}
	return signal.NotifyContext(context.Background(), wanted...)
}
