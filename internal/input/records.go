package input

import (
	"fmt"

	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/seqio"
)

// CheckRecords returns a *TextError unless records are parts of a text of n characters that ascend and do not
// overlap.
func CheckRecords(records seqio.Table, n int) error {
	end := 0
	for i, r := range records {
		if r.Offset < end || r.Length < 0 || r.Length > n-r.Offset {
			return &TextError{-1, r.Offset, fmt.Sprintf("record %d of %s is not after those before, and in the text of %d",
				i, bytesize.Count(r.Length, "character"), n)}
		}
		end = r.End()
	}
	return nil
}
