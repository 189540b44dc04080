package main

/*
#include "bridge.h"
*/
import "C"

import (
	"errors"
	"os"
	"strings"
	"sync"
	"unsafe"

	"github.com/suffixcl/suffixcl/cmd/internal/verbs"
	"github.com/suffixcl/suffixcl/internal/cli"
)

// runs are the verbs that run or wait.
var runs handle[struct{}]

//export suffixcl_run
func suffixcl_run(options *C.suffixcl_run_options, count C.int, words **C.char) C.int {
	code := cli.ExitDone
	failed := status(func() error {
		var a arguments
		o := whole(&a, "options", options)
		var args []string
		for _, w := range slice[*C.char](&a, "words", words, C.uint64_t(max(count, 0))) {
			args = append(args, word(w))
		}
		if count < 0 {
			a.fail("count is %d", int(count))
		}
		if a.err != nil {
			return a.err
		}
		streams := cli.Streams{Output: taker(o.output, o.output_data)}
		var said lastLine
		errs := taker(o.errors, o.errors_data)
		streams.Errors = func(written []byte) error {
			said.add(written)
			return errs(written)
		}
		if o.progress != nil {
			streams.Progress = progressOf(o.progress, o.progress_data)
		}
		if o.input != nil {
			f, err := os.Open(word(o.input))
			if err != nil {
				return usage("options.input: %v", err)
			}
			defer f.Close()
			streams.Input = f
		}
		ctx, done := runs.begin()
		defer done()
		code = verbs.Within(ctx, args, streams, word(o.command))
		if code != cli.ExitDone {
			return errors.New(said.String())
		}
		return nil
	})
	if code != cli.ExitDone {
		return C.int(code)
	}
	return failed
}

//export suffixcl_run_cancel
func suffixcl_run_cancel() C.int {
	return status(func() error {
		runs.cancel()
		return nil
	})
}

// taker hands what is written to a function of the caller, which may be none.
func taker(take C.suffixcl_take_bytes, data unsafe.Pointer) func([]byte) error {
	return func(written []byte) error {
		if take != nil && C.bridge_bytes(take, data, first[C.uint8_t](written), C.uint64_t(len(written))) != 0 {
			return stoppedError{}
		}
		return nil
	}
}

// lastLine keeps the last line of what is written: that of an error.
type lastLine struct {
	mu   sync.Mutex
	tail string
}

// mostLine is how much of a line is kept.
const mostLine = 4096

func (l *lastLine) add(written []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tail += string(written)
	whole := strings.TrimRight(l.tail, "\n")
	if i := strings.LastIndexByte(whole, '\n'); i >= 0 {
		l.tail = l.tail[i+1:]
	}
	if len(l.tail) > mostLine {
		l.tail = l.tail[:mostLine]
	}
}

func (l *lastLine) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.TrimSpace(l.tail)
}
