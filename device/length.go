package device

import "fmt"

// LengthError says that something has a length that it may not have.
type LengthError struct {
	What     string // "text", "suffix array", ...
	Len      int    // entries that it has
	Min, Max int    // entries that it may have
}

func (e *LengthError) Error() string {
	switch {
	case e.Min == e.Max:
		return fmt.Sprintf("%s of %d entries: want %d", e.What, e.Len, e.Max)
	case e.Len > e.Max:
		return fmt.Sprintf("%s of %d entries is too long: %d are possible", e.What, e.Len, e.Max)
	}
	return fmt.Sprintf("%s of %d entries: want %d to %d", e.What, e.Len, e.Min, e.Max)
}

// CheckLen returns a *[LengthError] unless n is from 0 to limit.
func CheckLen(what string, n, limit int) error {
	if n >= 0 && n <= limit {
		return nil
	}
	return &LengthError{What: what, Len: n, Max: limit}
}
