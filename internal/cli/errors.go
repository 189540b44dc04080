package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// workError marks the errors of a verb that has begun its work. Every other error
// comes from cobra, which checks flags and arguments: wrong usage.
type workError struct{ error }

func (e workError) Unwrap() error { return e.error }

// usageError is wrong usage that only the verb itself can see.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// Usage returns an error of wrong usage: exit code ExitUsage.
func Usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// Work makes a cobra function of a verb's. Errors of f are not wrong usage, except those
// of Usage.
func Work(f func(ctx context.Context, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		if err := f(c.Context(), args); err != nil {
			return workError{err}
		}
		return nil
	}
}

// WorkCode is ExitCode for an error inside of what Work runs: it is no wrong usage unless it says so.
func WorkCode(ctx context.Context, err error) int { return ExitCode(ctx, workError{err}) }

// asUsage returns err as a usageError if it is one.
func asUsage(err error) error {
	var u usageError
	if errors.As(err, &u) {
		return u
	}
	if errors.Is(err, sorter.ErrUnknown) { // one that does not take the text, which only the engine knows
		return usageError{err}
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

// Mismatch returns the error of a wrong result: exit code ExitVerify.
func Mismatch(format string, args ...any) error { return &mismatch{fmt.Sprintf(format, args...)} }

// IsMismatch reports whether err says that a result is wrong.
func IsMismatch(err error) bool {
	var (
		array *suffixcl.MismatchError
		file  *mismatch
	)
	return errors.As(err, &array) || errors.As(err, &file)
}

// WithoutPath takes operation and path off an error, where the message has a better
// name for the file.
func WithoutPath(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Err
	}
	return err
}
