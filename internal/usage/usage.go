// Package usage tells calls that are not possible as they were made from those that failed.
package usage

import "errors"

// Err is suffixcl.ErrUsage.
var Err = errors.New("suffixcl: a call that is not possible")

// Error is an error that matches Err.
type Error struct{ Why error }

// New is an Error with a text.
func New(text string) error { return &Error{errors.New(text)} }

// Error is that of Why.
func (e *Error) Error() string { return e.Why.Error() }

// Unwrap is Why.
func (e *Error) Unwrap() error { return e.Why }

// Is reports whether target is Err.
func (e *Error) Is(target error) bool { return target == Err }
