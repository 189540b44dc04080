package verbs

import (
	"context"

	"github.com/suffixcl/suffixcl/cmd/internal/session"
	"github.com/suffixcl/suffixcl/internal/cli"
)

// turn is taken by the verb that runs within a program: one at a time, as verbs have the standard streams.
var turn = make(chan struct{}, 1)

// Within runs a verb in this process, and returns its exit code. helper is the path of the command, of which processes
// build programs, or empty. It waits for a verb that runs; the context ends both waiting and running.
func Within(ctx context.Context, words []string, streams cli.Streams, helper string) int {
	select {
	case turn <- struct{}{}:
	case <-ctx.Done():
		return cli.ExitInterrupted
	}
	defer func() { <-turn }()
	session.Helper = helper
	cli.TryDrivers(helper)
	return cli.Within(ctx, Root(), words, streams)
}
