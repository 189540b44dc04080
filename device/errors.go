package device

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/suffixcl/suffixcl/cl"
)

// ErrNoDevice is matched by every error that means no usable device was found.
var ErrNoDevice = errors.New("no usable OpenCL device")

// MemoryError says that memory does not suffice, with the numbers. It is
// returned before anything is allocated wherever the need can be computed.
type MemoryError struct {
	What  string // buffer or phase that does not fit
	Need  int64  // bytes needed
	Have  int64  // bytes that the limit allows
	Limit string // which limit: "device memory", "largest buffer of the device", "--max-mem", ...
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("%s needs %s, but the %s is %s", e.What, FormatBytes(e.Need), e.Limit, FormatBytes(e.Have))
}

// PhaseError is a failure of enqueued work, with the phase it happened in.
type PhaseError struct {
	Phase string // phase of the algorithm, as named by Session.Phase
	Err   error
}

func (e *PhaseError) Error() string {
	if e.Phase == "" {
		return e.Err.Error()
	}
	return fmt.Sprintf("phase %q: %v", e.Phase, e.Err)
}

func (e *PhaseError) Unwrap() error { return e.Err }

// RoundsError says that suffixes are unsorted after as many rounds of doubling as the
// sorter may make.
type RoundsError struct {
	Unsorted int    // suffixes
	Rounds   int    // made
	Device   string // that does not compute right, if those sort every text; else empty
}

func (e *RoundsError) Error() string {
	text := fmt.Sprintf("%d suffixes are unsorted after %d rounds of doubling", e.Unsorted, e.Rounds)
	if e.Device != "" {
		text += ", enough for every text: " + e.Device + " does not compute right"
	}
	return text
}

// CheckRound is asked before each round of a sort by doubling, from round 0 on, with what is
// unsorted of n suffixes. It is a [RoundsError] after limit rounds; with limit 0 after as
// many as every text is sorted by, so that a device that computes wrong does not keep a
// sorter forever.
func (s *Session) CheckRound(round, limit, unsorted, n int) error {
	enough := bits.Len(uint(n)) // the depth, 1 at least, doubles at least in each
	switch {
	case limit > 0 && limit < enough && round >= limit:
		return &RoundsError{Unsorted: unsorted, Rounds: round}
	case round >= enough:
		return &RoundsError{Unsorted: unsorted, Rounds: round, Device: s.caps.Name}
	}
	return nil
}

// IsOutOfMemory reports whether err means that memory did not suffice, be it
// planned ([MemoryError]) or reported by the driver.
func IsOutOfMemory(err error) bool {
	var m *MemoryError
	return errors.As(err, &m) ||
		errors.Is(err, cl.MemObjectAllocationFailure) ||
		errors.Is(err, cl.OutOfHostMemory)
}

// FormatBytes writes a byte count with a binary unit and, from 1 KiB, the exact
// number behind it.
func FormatBytes(n int64) string {
	const units = "KMGTPE"
	if n == 1 {
		return "1 byte"
	}
	if n < 1024 {
		return fmt.Sprintf("%d bytes", n)
	}
	v, u := float64(n), -1
	for v >= 1023.95 && u+1 < len(units) { // would be written as 1024.0
		v, u = v/1024, u+1
	}
	return fmt.Sprintf("%.1f %ciB (%d bytes)", v, units[u], n)
}

// ParseBytes reads a size such as "512M", "2GiB", "1.5 kb" or "1000000". Units are
// binary; a fraction of a byte is dropped.
func ParseBytes(s string) (int64, error) {
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
