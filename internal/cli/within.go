package cli

import (
	"context"
	"fmt"
	"os"
	"sync"

	"github.com/spf13/cobra"
)

// Streams are what a command in another program's process has in place of standard input, output and error.
type Streams struct {
	Input *os.File // nil: it is empty
	// Output and Errors take what is written, one call at a time each. They keep nothing of it. nil: it is dropped. An
	// error of theirs ends the verb.
	Output, Errors func(written []byte) error
	// Progress, if not nil, is told that done of total units of a phase are done; a total of 0 is not known. It is told,
	// too, where --quiet keeps progress from people.
	Progress func(phase string, done, total int64)
}

// Within runs a command in this process until the context ends, and returns its exit code. Signals of the process stay
// as they are. Two at a time may not run: os.Stdin, os.Stdout and os.Stderr stand for the streams meanwhile.
func Within(ctx context.Context, root *cobra.Command, args []string, streams Streams) int {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	stdin, stdout, stderr := os.Stdin, os.Stdout, os.Stderr
	defer func() { os.Stdin, os.Stdout, os.Stderr, progressWithin = stdin, stdout, stderr, nil }()
	none, err := os.Open(os.DevNull)
	if err != nil {
		return ExitFailed
	}
	defer none.Close()
	if os.Stdin = streams.Input; streams.Input == nil {
		os.Stdin = none
	}
	progressWithin = streams.Progress
	var readers sync.WaitGroup
	var ends []*os.File
	for _, s := range []struct {
		file **os.File
		take func([]byte) error
	}{{&os.Stdout, streams.Output}, {&os.Stderr, streams.Errors}} {
		r, w, err := os.Pipe()
		if err != nil {
			*s.file = none
			continue
		}
		*s.file = w
		ends = append(ends, w)
		readers.Go(func() {
			if err := forward(r, s.take); err != nil {
				stop(err)
			}
		})
	}
	code := execute(ctx, root, args)
	for _, w := range ends {
		w.Close() // which the command may have done
	}
	readers.Wait()
	if cause := context.Cause(ctx); cause != nil && code == ExitDone {
		return ExitInterrupted // what was written last was not taken
	}
	return code
}

// progressWithin is Streams.Progress of the command that runs within this process.
var progressWithin func(phase string, done, total int64)

// forward hands on what comes from a pipe, and closes it. After an error it drops the rest: else the writer would wait.
func forward(r *os.File, take func([]byte) error) (failed error) {
	defer r.Close()
	buffer := make([]byte, 1<<16)
	for {
		n, err := r.Read(buffer)
		if n > 0 && take != nil && failed == nil {
			if failed = take(buffer[:n]); failed != nil {
				failed = fmt.Errorf("taking what is written: %w", failed)
			}
		}
		if err != nil {
			return failed
		}
	}
}
