package input

import (
	"errors"
	"fmt"

	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/seqio"
)

// The errors of texts.
var (
	// ErrNoSymbols: a job runs whose text is only a Length.
	ErrNoSymbols = errors.New("suffixcl: the text has a length, and no symbols")
	// ErrNotInMemory: a job that reads its text at any place has one of a Reader.
	ErrNotInMemory = errors.New("suffixcl: the text of a reader is not in memory, as this job needs it")
)

// RecordError is suffixcl.RecordError.
type RecordError struct {
	Record int
	Why    string
}

func (e *RecordError) Error() string { return fmt.Sprintf("record %d %s", e.Record, e.Why) }

// CheckRecords returns a *RecordError unless records are parts of a text of n characters that ascend and do not
// overlap.
func CheckRecords(records seqio.Table, n int) error {
	end := 0
	for i, r := range records {
		if r.Offset < end || r.Length < 0 || r.Length > n-r.Offset {
			return &RecordError{i, fmt.Sprintf("of %s from %d on is not after those before, and in the text of %d",
				bytesize.Count(r.Length, "character"), r.Offset, n)}
		}
		end = r.End()
	}
	return nil
}
