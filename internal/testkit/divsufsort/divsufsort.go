// Package divsufsort calls libdivsufsort, where it is installed: an oracle that the project has not written.
package divsufsort

import (
	"errors"
	"fmt"
	"math"
	"sync"
)

// ErrNone is returned, wrapped, where libdivsufsort cannot be loaded.
var ErrNone = errors.New("libdivsufsort is not available")

// libdivsufsort holds the entry points of the shared library. The argument n is
// its saidx_t, a signed 32-bit integer; arrays of it are passed as uint32, all
// entries being non-negative.
type libdivsufsort struct {
	divsufsort func(text *byte, sa *uint32, n int32) int32
	divbwt     func(text, bwt *byte, work *int32, n int32) int32
}

// loadDivsufsort loads the shared library once.
var loadDivsufsort = sync.OnceValues(openDivsufsort)

// SuffixArray returns the suffix array of text as computed by libdivsufsort,
// which is loaded when first needed; without it the error is ErrNone.
func SuffixArray(text []byte) ([]uint32, error) {
	lib, err := loadDivsufsort()
	if err != nil {
		return nil, err
	}
	if err := checkDivsufsortSize(len(text)); err != nil {
		return nil, err
	}
	sa := make([]uint32, len(text))
	if len(text) == 0 {
		return sa, nil
	}
	if code := lib.divsufsort(&text[0], &sa[0], int32(len(text))); code != 0 {
		return nil, fmt.Errorf("divsufsort returned %d for n=%d", code, len(text))
	}
	return sa, nil
}

// BWT returns the Burrows-Wheeler transform of text and its primary index as
// computed by libdivsufsort; see [ReferenceBWT] for their definition. Without the
// library the error is ErrNone.
func BWT(text []byte) (bwt []byte, primary int, err error) {
	lib, err := loadDivsufsort()
	if err != nil {
		return nil, 0, err
	}
	if err := checkDivsufsortSize(len(text)); err != nil {
		return nil, 0, err
	}
	bwt = make([]byte, len(text))
	if len(text) == 0 {
		return bwt, 0, nil
	}
	// The library would allocate the work space itself, of n+1 entries.
	work := make([]int32, len(text)+1)
	code := lib.divbwt(&text[0], &bwt[0], &work[0], int32(len(text)))
	if code < 0 {
		return nil, 0, fmt.Errorf("divbwt returned %d for n=%d", code, len(text))
	}
	return bwt, int(code), nil
}

func checkDivsufsortSize(n int) error {
	if n >= math.MaxInt32 {
		return fmt.Errorf("n=%d is too large for libdivsufsort", n)
	}
	return nil
}
