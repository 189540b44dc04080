// Package limits has the lengths of texts that the algorithms take.
package limits

import "github.com/suffixcl/suffixcl/device"

// MaxLen is the longest text in bytes, and the longest array of its suffixes: positions are 32-bit words, and one value
// stays free.
const MaxLen = 1<<32 - 2

// CheckLen returns a *[device.LengthError] unless n is from 0 to limit.
func CheckLen(what string, n, limit int) error {
	if n >= 0 && n <= limit {
		return nil
	}
	return &device.LengthError{What: what, Len: n, Max: limit}
}
