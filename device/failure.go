package device

import (
	"errors"
	"fmt"
)

// failure is the first failure of enqueued work. It sticks until it is cleared.
type failure struct {
	phase string // of what is enqueued from now on
	err   error
}

// fail records a failure, unless there is one already.
func (f *failure) fail(err error) {
	if err != nil && f.err == nil {
		f.err = f.inPhase(err)
	}
}

// inPhase adds the phase to an error that has none.
func (f *failure) inPhase(err error) error {
	var known *phaseError
	if errors.As(err, &known) {
		return err
	}
	return &phaseError{Phase: f.phase, Err: err}
}

// phaseError is a failure of enqueued work, with the phase it happened in.
type phaseError struct {
	Phase string // phase of the algorithm, as named by Session.Phase
	Err   error
}

func (e *phaseError) Error() string {
	if e.Phase == "" {
		return e.Err.Error()
	}
	return fmt.Sprintf("phase %q: %v", e.Phase, e.Err)
}

func (e *phaseError) Unwrap() error { return e.Err }
