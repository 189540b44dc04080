// Command suffixcl builds and uses suffix structures on OpenCL devices: suffix and LCP
// arrays, Burrows-Wheeler transforms, FM-indexes, search, longest repeats. See suffixcl
// --help, and the help of each verb.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/verify"
)

// The exit codes. The help of the command says what they mean, and so does the README.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitNoDevice    = 3
	exitMemory      = 4
	exitVerify      = 5
	exitInterrupted = 130
)

const rootHelp = `suffixcl builds and uses suffix structures on any OpenCL device: suffix and LCP
arrays, the Burrows-Wheeler transform and its inverse, FM-indexes, search for
many patterns, longest repeats.

A file may be "-": standard input, standard output. Texts are bytes; gzip and
xz are recognised by their headers and decompressed, unless --raw is given. With
--input fasta or fastq the text is the sequences of all records, one after the
other and symbols as they are; with --input auto it is so if the file looks like
one of these. A result file appears under its name only when it is complete.

Standard output carries results, and with --json one JSON object; progress (on
a terminal), the summary line and errors go to standard error. If the result
itself goes to standard output, the JSON object goes to standard error. An
interrupt ends a verb cleanly, a second one at once.

Environment:
  SUFFIXCL_DEVICE          device for --device, if that is not given
  SUFFIXCL_OPENCL_LIBRARY  OpenCL library to load instead of the system's
  SUFFIXCL_TUNING          tuning file to use instead of the user's; "off": none

Exit codes:
  0  done                        4  does not fit in memory
  1  failed                      5  verification failed
  2  wrong usage               130  interrupted
  3  no usable device`

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	ignoreFileSizeSignal()
	ctx, stop := signalContext()
	defer stop()
	context.AfterFunc(ctx, stop) // the second signal ends the process at once

	root := rootCommand()
	root.SetArgs(args)
	command, err := root.ExecuteContextC(ctx)
	code := exitCode(ctx, err)
	switch {
	case err == nil:
	case code == exitInterrupted:
		fmt.Fprintln(os.Stderr, "suffixcl: interrupted")
	case code == exitUsage:
		fmt.Fprintf(os.Stderr, "suffixcl: %v (see %s --help)\n", errors.Unwrap(asUsage(err)), command.CommandPath())
	default:
		fmt.Fprintf(os.Stderr, "suffixcl: %v\n", err)
	}
	return code
}

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

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "suffixcl",
		Short:         "Suffix structures on OpenCL devices",
		Long:          rootHelp,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	cobra.EnableCommandSorting = false
	for _, group := range []struct {
		title string
		verbs []*cobra.Command
	}{
		{"Build", []*cobra.Command{saCommand(), lcpCommand(), bwtCommand(), unbwtCommand(), indexCommand()}},
		{"Search", []*cobra.Command{countCommand(), locateCommand(), matchCommand(), repeatsCommand()}},
		{"Check and plan", []*cobra.Command{verifyCommand(), planCommand(), devicesCommand(), conformanceCommand()}},
		{"Measure", []*cobra.Command{benchCommand(), tuneCommand()}},
		{"Other", []*cobra.Command{versionCommand(), helpCommand()}},
	} {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title + ":"})
		for _, verb := range group.verbs {
			verb.GroupID = group.title
			needVerb(verb)
			root.AddCommand(verb)
		}
	}
	root.SetHelpCommand(root.Commands()[len(root.Commands())-1])
	root.SetCompletionCommandGroupID("Other")
	root.SetUsageTemplate(strings.NewReplacer(
		"Available Commands:", "Verbs:", "[command]", "VERB", "a command", "a verb",
		"{{if .Runnable}}", "{{if and .Runnable (not .DisableFlagsInUseLine)}}", // see needVerb
	).Replace(root.UsageTemplate()))
	needVerb(root)
	return root
}

// needVerb makes it wrong usage to call a command that only has verbs without one of them.
func needVerb(c *cobra.Command) {
	if !c.Runnable() {
		c.Args, c.DisableFlagsInUseLine = cobra.NoArgs, true
		c.RunE = func(*cobra.Command, []string) error { return errors.New("a verb is missing") }
	}
}

// helpCommand is cobra's, but for the exit code where there is no such verb.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [VERB...]",
		Short: "Help about a verb",
		RunE: func(c *cobra.Command, args []string) error {
			about, rest, err := c.Root().Find(args)
			if err == nil && len(rest) > 0 {
				err = fmt.Errorf("there is no verb %q", strings.Join(args, " "))
			}
			if err != nil {
				return err
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}

// workError marks the errors of a verb that has begun its work. Every other error
// comes from cobra, which checks flags and arguments: wrong usage.
type workError struct{ error }

func (e workError) Unwrap() error { return e.error }

// usageError is wrong usage that only the verb itself can see.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// work makes a cobra function of a verb's.
func work(f func(ctx context.Context, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		if err := f(c.Context(), args); err != nil {
			return workError{err}
		}
		return nil
	}
}

// asUsage returns err as a usageError if it is one.
func asUsage(err error) error {
	var u usageError
	if errors.As(err, &u) {
		return u
	}
	var w workError
	if err != nil && !errors.As(err, &w) {
		return usageError{err}
	}
	return nil
}

// mismatch is a verification failure that needs no device to be seen.
type mismatch struct{ why string }

func (e *mismatch) Error() string { return e.why }

func wrongResult(err error) bool {
	var (
		array     *verify.Error
		transform *suffixcl.BWTError
		lengths   *suffixcl.LCPError
		file      *mismatch
	)
	return errors.As(err, &array) || errors.As(err, &transform) || errors.As(err, &lengths) || errors.As(err, &file)
}

func exitCode(ctx context.Context, err error) int {
	switch {
	case err == nil:
		return exitDone
	case ctx.Err() != nil:
		return exitInterrupted
	case asUsage(err) != nil:
		return exitUsage
	case wrongResult(err):
		return exitVerify
	case device.IsOutOfMemory(err):
		return exitMemory
	case errors.Is(err, device.ErrNoDevice):
		return exitNoDevice
	}
	return exitFailed
}

// plural writes a count with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "y") {
		noun = strings.TrimSuffix(noun, "y") + "ie"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
