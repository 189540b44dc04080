// Package bytesize reads and writes sizes and counts for people.
package bytesize

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Format writes a number of bytes with a binary unit and, from 1 KiB, the exact number after it.
func Format(n int64) string {
	if n < 1024 {
		return Short(n)
	}
	return fmt.Sprintf("%s (%d bytes)", Short(n), n)
}

// Short writes a number of bytes with a binary unit, to four digits.
func Short(n int64) string {
	const units = "KMGTPE"
	if n < 1024 {
		return Count(n, "byte")
	}
	v, u := float64(n), -1
	for v >= 1023.95 && u+1 < len(units) { // would be written as 1024.0
		v, u = v/1024, u+1
	}
	return fmt.Sprintf("%.1f %ciB", v, units[u])
}

// Count writes a count with its noun, of which it forms the plural.
func Count[N int | int64 | uint64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	switch {
	case strings.HasSuffix(noun, "y"):
		noun = strings.TrimSuffix(noun, "y") + "ie"
	case strings.HasSuffix(noun, "ch"):
		noun += "e"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Parse reads a size such as "512M", "2GiB", "1.5 kb" or "1000000". Units are binary; a fraction of a byte is
// dropped.
func Parse(s string) (int64, error) {
	t := strings.ToUpper(strings.TrimSpace(s))
	digits := len(t) - len(strings.TrimLeft(t, "0123456789."))
	number, unit := t[:digits], strings.TrimSpace(t[digits:])
	shift, ok := 0, unit == "" || unit == "B"
	if !ok {
		if i := strings.IndexByte("KMGTPE", unit[0]); i >= 0 {
			rest := unit[1:]
			shift, ok = 10*(i+1), rest == "" || rest == "B" || rest == "IB"
		}
	}
	v, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%q is not a size: want a number with an optional unit K, M, G, T, P or E", s)
	}
	if whole, err := strconv.ParseInt(number, 10, 64); err == nil && whole <= math.MaxInt64>>shift {
		return whole << shift, nil
	}
	if v *= float64(int64(1) << shift); v < 1<<63 {
		return int64(v), nil
	}
	return 0, fmt.Errorf("%q is too large", s)
}
