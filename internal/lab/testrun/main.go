// Testrun runs `go test` with the arguments that it is given, and prints what `go test` prints, each package as soon as
// it ends. What tests that passed have printed is left out. At the end it says why tests were skipped, one line a
// reason, which tests took longest, and how long all took.
//
//	go run ./internal/lab/testrun -count=1 ./...
//
// Its exit code is that of `go test`, or 130 after an interrupt.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"syscall"
)

func main() {
	code, err := run(os.Stdout, os.Stderr, os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "testrun:", err)
	}
	os.Exit(code)
}

// arguments are those of the go command. Its flag -C has to be the first.
func arguments(given []string) []string {
	if len(given) > 1 && given[0] == "-C" {
		return slices.Concat([]string{"test"}, given[:2], []string{"-json"}, given[2:])
	}
	return slices.Concat([]string{"test", "-json"}, given)
}

// run returns the exit code. An error is one of this program, not one of the tests.
func run(out, errs io.Writer, args []string) (int, error) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	command := exec.Command("go", arguments(args)...)
	command.Stderr = errs
	stdout, err := command.StdoutPipe()
	if err != nil {
		return 1, err
	}
	if err := command.Start(); err != nil {
		return 1, err
	}
	ended, interrupted := make(chan struct{}), make(chan bool, 1)
	go func() {
		select {
		case s := <-signals: // a terminal has sent it to the go command, too, which takes the first one only
			command.Process.Signal(s)
			interrupted <- true
		case <-ended:
			interrupted <- false
		}
	}()
	r := newReport(out)
	read := follow(stdout, r)
	err = command.Wait()
	close(ended)
	if <-interrupted {
		return 130, nil
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || read != nil {
		return 1, errors.Join(err, read)
	}
	code := command.ProcessState.ExitCode()
	if code <= 1 { // else the usage was wrong
		r.end(code != 0)
	}
	return code, nil
}

// follow hands the lines of a stream to a report.
func follow(stream io.Reader, r *report) error {
	lines := bufio.NewReader(stream)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			r.line(line)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
