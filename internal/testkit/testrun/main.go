// Testrun runs `go test` with the arguments that it is given, and prints what `go test` prints, each package as soon as
// it ends. What tests that passed have printed is left out. At the end it says why tests were skipped, one line a
// reason, which tests took longest, and how long all took.
//
//	go run ./internal/testkit/testrun -count=1 ./... ./lab/...
//
// Packages may be of modules below the current one, unlike those of `go test`: each module has its turn. The exit code
// is that of `go test`, or 130 after an interrupt.
package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

func main() {
	code, err := run(os.Stdout, os.Stderr, os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "testrun:", err)
	}
	os.Exit(code)
}

// command is `go test` with what it is given, in the directory of a module.
func command(dir string, given []string) *exec.Cmd {
	return exec.Command("go", slices.Concat([]string{"test", "-C", dir, "-json"}, given)...)
}

// byModule are the arguments of the go command in each module that has one of the packages, by its directory, in the
// order in which they are named. Flags go to all of them.
func byModule(base string, given []string) (dirs []string, args map[string][]string) {
	var flags []string
	packages := map[string][]string{}
	for _, arg := range given {
		if !strings.HasPrefix(arg, "./") {
			flags = append(flags, arg)
			continue
		}
		dir, pkg := moduleOf(base, arg)
		if packages[dir] == nil {
			dirs = append(dirs, dir)
		}
		packages[dir] = append(packages[dir], pkg)
	}
	if len(dirs) == 0 {
		dirs = []string{base}
	}
	args = map[string][]string{}
	for _, dir := range dirs {
		args[dir] = slices.Concat(flags, packages[dir])
	}
	return dirs, args
}

// moduleOf is the directory of the module below base, or base, that a package is in, and the package as it is named
// there.
func moduleOf(base, pkg string) (dir, name string) {
	parts := strings.Split(pkg, "/") // the first is "."
	for n := len(parts); n > 1; n-- {
		dir := filepath.Join(base, filepath.Join(parts[:n]...))
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, "./" + strings.Join(parts[n:], "/")
		}
	}
	return base, pkg
}

// run returns the exit code, the first that is not 0. An error is one of this program, not one of the tests. The flag
// -C has to be the first, as for the go command.
func run(out, errs io.Writer, args []string) (int, error) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	base := "."
	if len(args) > 1 && args[0] == "-C" {
		base, args = args[1], args[2:]
	}
	r := newReport(out)
	first := 0
	dirs, arguments := byModule(base, args)
	for _, dir := range dirs {
		code, err := runModule(command(dir, arguments[dir]), errs, r, signals)
		if err != nil || code > 1 { // interrupted, or the usage was wrong
			return code, err
		}
		first = cmp.Or(first, code)
	}
	r.end(first != 0)
	return first, nil
}

// runModule returns the exit code of the tests of a module.
func runModule(command *exec.Cmd, errs io.Writer, r *report, signals <-chan os.Signal) (int, error) {
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
	return command.ProcessState.ExitCode(), nil
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
