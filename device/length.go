package device

import (
	"fmt"

	"github.com/suffixcl/suffixcl/internal/bytesize"
)

// LengthError says that something has a length that it may not have.
type LengthError struct {
	What     string // "text", "suffix array", ...
	Len      int    // entries that it has; of a text bytes
	Min, Max int    // entries that it may have
}

func (e *LengthError) Error() string {
	switch {
	case e.Min == e.Max:
		return fmt.Sprintf("%s of %d entries: want %d", e.What, e.Len, e.Max)
	case e.Len > e.Max:
		return fmt.Sprintf("%s of %s is too long: %s are possible",
			e.What, bytesize.Format(int64(e.Len)), bytesize.Format(int64(e.Max)))
	}
	return fmt.Sprintf("%s of %d entries: want %d to %d", e.What, e.Len, e.Min, e.Max)
}
