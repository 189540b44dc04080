package device

import (
	"fmt"

	"github.com/suffixcl/suffixcl/internal/bytesize"
)

// LengthError says that a text or an array has a length out of its bounds.
type LengthError struct {
	What     string // "text", "suffix array", ...
	Len      int    // bytes of a text, entries of an array
	Min, Max int    // bounds of Len
}

func (e *LengthError) Error() string {
	switch {
	case e.Min == e.Max:
		return fmt.Sprintf("%s of %s: want %d", e.What, bytesize.Count(e.Len, "entry"), e.Max)
	case e.Len > e.Max:
		return fmt.Sprintf("%s of %s is too long: %s are possible",
			e.What, bytesize.Format(int64(e.Len)), bytesize.Format(int64(e.Max)))
	}
	return fmt.Sprintf("%s of %s: want %d to %d", e.What, bytesize.Count(e.Len, "entry"), e.Min, e.Max)
}
