package cli

import (
	"context"
	"errors"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/addressspace"
)

// The exit codes. ExitCodesHelp says what they mean, and so does the guide.
const (
	ExitDone        = 0
	ExitFailed      = 1
	ExitUsage       = 2
	ExitNoDevice    = 3
	ExitMemory      = 4
	ExitVerify      = 5
	ExitInterrupted = 130
)

// ExitCodesHelp is the part of a command's help about its exit codes.
const ExitCodesHelp = `Exit codes:
  0  done                        4  does not fit in memory
  1  failed                      5  verification failed
  2  wrong usage               130  interrupted
  3  no usable device`

// EnvironmentHelp is the part of a command's help about environment variables.
const EnvironmentHelp = `Environment:
  SUFFIXCL_DEVICE          device for --device, if that is not given
  SUFFIXCL_OPENCL_LIBRARY  OpenCL library, or driver, to load instead of the system's
  SUFFIXCL_CACHE           directory of compiled programs instead of the user's; may be shared
                           and read-only; several, and archives of prepare --export, separated
                           as in PATH; "off": none
  SUFFIXCL_HELPERS         processes that build programs at the same time; 0, -1: none
  SUFFIXCL_TUNING          tuning file to use instead of the user's; "off": none`

// startSpace is what Go takes at once: an arena of its heap, or the stacks of eight threads.
const startSpace = 64 << 20

// Main runs a command and returns its exit code. Errors go to standard error, one line
// after the name of the command. The first interrupt ends the context of the verb, the
// second one the process.
func Main(root *cobra.Command, args []string) int {
	// Go ends the process where there is no room for a thread: that of the signals, to begin with.
	if left, ok := addressspace.Check(startSpace); !ok {
		err := &device.MemoryError{What: root.Name(), Need: startSpace, Have: left, Limit: addressspace.Limit}
		Tell("%s: %v\n", root.Name(), err)
		return ExitMemory
	}
	ignoreFileSizeSignal()
	ctx, stop := signalContext()
	defer stop()

	if outputClosed() {
		if none, err := os.Open(os.DevNull); err == nil { // which takes nothing: every write is an error
			os.Stdout = none
		}
	}
	return execute(ctx, root, args)
}

// execute is Main without what concerns the process.
func execute(ctx context.Context, root *cobra.Command, args []string) int {
	help := &stickyWriter{w: os.Stdout} // cobra does not look at errors
	root.SetOut(help)
	root.SetArgs(args)
	command, err := root.ExecuteContextC(ctx)
	if err == nil || help.err != nil {
		err = finishOutput(help.err)
	}
	code := ExitCode(ctx, err)
	prefix := root.Name() + ": "
	line := func(err error) string { // some errors of the library begin with its name
		return prefix + strings.TrimPrefix(err.Error(), prefix)
	}
	switch {
	case err == nil:
	case code == ExitInterrupted:
		Tell("%sinterrupted\n", prefix)
	case code == ExitUsage:
		Tell("%s (see %s --help)\n", line(errors.Unwrap(asUsage(err))), command.CommandPath())
	default:
		Tell("%s\n", line(err))
	}
	return code
}

// finishOutput closes standard output: some file systems tell only then that they are full. It returns the first
// error of writing.
func finishOutput(err error) error {
	if closing := os.Stdout.Close(); err == nil && !errors.Is(closing, syscall.EBADF) { // was closed all the time
		err = closing
	}
	if err != nil {
		return workError{StandardOutput(err)}
	}
	return nil
}

// ExitCode is the exit code of a verb that ended with an error, or nil.
func ExitCode(ctx context.Context, err error) int {
	switch {
	case err == nil:
		return ExitDone
	case ctx.Err() != nil:
		return ExitInterrupted
	case asUsage(err) != nil:
		return ExitUsage
	case IsMismatch(err):
		return ExitVerify
	case device.IsTooLarge(err):
		return ExitMemory
	case errors.Is(err, device.ErrNoDevice):
		return ExitNoDevice
	}
	return ExitFailed
}
