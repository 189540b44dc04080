package input

import (
	"fmt"

	"github.com/suffixcl/suffixcl/internal/usage"
)

var (
	// ErrNoSymbols: a job runs whose text is only a Length. It matches suffixcl.ErrUsage, as the next one.
	ErrNoSymbols = usage.New("suffixcl: the text has a length, and no symbols")
	// ErrNotInMemory: a job that reads its text at any place has one of a Reader.
	ErrNotInMemory = usage.New("suffixcl: the text of a reader is not in memory, as this job needs it")
)

// TextError is suffixcl.TextError.
type TextError struct {
	Text   int
	Offset int
	Why    string
}

func (e *TextError) Error() string {
	switch {
	case e.Text < 0:
		return fmt.Sprintf("position %d: %s", e.Offset, e.Why)
	case e.Offset < 0:
		return fmt.Sprintf("text %d %s", e.Text, e.Why)
	}
	return fmt.Sprintf("text %d %s at offset %d", e.Text, e.Why, e.Offset)
}
