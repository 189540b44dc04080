// Package suffixcl builds and uses suffix structures on any OpenCL device: the
// same bytes from NVIDIA and AMD GPUs and from CPU drivers.
//
//	e, err := suffixcl.Open(suffixcl.Options{})
//	if err != nil { ... }
//	defer e.Close()
//	sa, err := e.SuffixArray(ctx, text)
//
// A suffix array is unique, so the algorithm and the device never show in the
// result; [Engine.Verify] checks one in linear time. Memory is planned before
// anything runs ([Engine.Plan]) and refused with the numbers if it does not fit.
//
// [Engine.Index] and [Engine.Matcher] search a text for many patterns,
// [Engine.LongestRepeats] and its kin find its repeats.
//
// The packages below this one work on device memory and compose: the sorters suffixsort,
// prefixdoubling and skew, what is made of a suffix array (lcp, bwt, verify, fmindex, match,
// lrq), and under these scan, radixsort, merge and segsort, all on top of device. Package
// seqio reads FASTA and FASTQ.
package suffixcl

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/suffixcl/suffixcl/bwt"
	"github.com/suffixcl/suffixcl/device"
)

// MaxLen is the longest text in bytes: positions are 32-bit words, and one value
// is kept free.
const MaxLen = device.MaxLen

// Options of Open. The zero value is the fastest device and algorithm.
type Options struct {
	// Device: "auto", "gpu", "cpu", an index, or words of the device's name; see
	// device.Select. Empty means the environment variable SUFFIXCL_DEVICE, or "auto".
	Device string
	// Algorithm sorts the suffixes; empty means "auto".
	Algorithm string
	// MaxMemory bounds the device memory in bytes; 0 means what the device has.
	MaxMemory int64
	// Progress, if not nil, is called often from the goroutine that runs the
	// operation. It should return fast.
	Progress func(Progress)
	// Profile records the device time of every kernel, see Engine.Profile.
	Profile bool
	// CacheDir holds compiled kernels; see device.Config.
	CacheDir string
}

// Progress of an operation: done of total units in a phase. The unit is bytes for
// "upload" and "download", suffixes for a sort: those in their final place, or as much of
// the work.
type Progress struct {
	Phase       string
	Done, Total int64
}

// Stats of the last operation.
type Stats struct {
	Algorithm string        // that sorted the suffixes; "" if none did
	Upload    time.Duration // text, and suffix array of Verify, to the device
	Compute   time.Duration // device-resident part
	Download  time.Duration // results to the host
	// PeakBytes is the most device memory that was allocated at once.
	PeakBytes int64
}

// Engine computes on one device. It is safe for concurrent use; operations run
// one after the other.
type Engine struct {
	mu      sync.Mutex
	session *device.Session
	options Options
	stats   Stats

	landings [2][]uint32 // see landing
	pins     [2]*device.Pinned[uint32]
}

// Open opens a device. Errors match device.ErrNoDevice where none can be used,
// and say what to install.
func Open(o Options) (*Engine, error) {
	s, err := device.Open(device.Config{Selector: o.Device, Profile: o.Profile, MaxMemory: o.MaxMemory, CacheDir: o.CacheDir})
	if err != nil {
		return nil, err
	}
	e, err := New(s, o)
	if err != nil {
		s.Close()
		return nil, err
	}
	return e, nil
}

// New makes an engine of a session, which it takes over. Of the options, only
// Algorithm and Progress are used.
func New(s *device.Session, o Options) (*Engine, error) {
	o.Algorithm = cmp.Or(o.Algorithm, Auto)
	if !slices.Contains(Algorithms(), o.Algorithm) {
		return nil, unknownAlgorithm(o.Algorithm)
	}
	return &Engine{session: s, options: o}, nil
}

// Close releases the device.
func (e *Engine) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.session.Close()
}

// Caps tells which device it is and what it can do.
func (e *Engine) Caps() device.Caps { return *e.session.Caps() }

// Stats returns the times and memory of the last operation.
func (e *Engine) Stats() Stats {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.stats
}

// Profile returns the device time of every kernel of the last operation, by phase, if
// Options.Profile is set; see device.PhaseTimes for the sums.
func (e *Engine) Profile() []device.KernelTime {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.session.Profile()
}

// SuffixArray returns the positions of text in the order of the suffixes that
// start there; the empty text has an empty suffix array. Texts of up to 2^32-2
// bytes. See Plan for the memory.
//
// Errors: *device.MemoryError before anything is allocated; the context's; the
// device's, with the phase.
func (e *Engine) SuffixArray(ctx context.Context, text []byte) ([]uint32, error) {
	var sa []uint32
	err := e.run(ctx, OpSuffixArray, len(text), func(op *operation) error {
		if err := op.sort(text); err != nil {
			return err
		}
		var err error
		sa, err = download(op, op.sa)
		return err
	})
	return sa, err
}

// BWT returns the Burrows-Wheeler transform: len(text) bytes, the row of the end
// marker left out, and that row's number, the primary index, in the convention of
// libdivsufsort and libsais. Memory and errors as SuffixArray.
func (e *Engine) BWT(ctx context.Context, text []byte) (transform []byte, primary int, err error) {
	err = e.run(ctx, OpBWT, len(text), func(op *operation) error {
		out, row, err := op.sortBWT(text)
		if err != nil {
			return err
		}
		primary = row
		transform, err = download(op, out)
		return err
	})
	return transform, primary, err
}

// InverseBWT returns the text whose transform and primary index are given, in the
// convention of BWT. Errors as SuffixArray, and a *BWTError if there is no such text.
func (e *Engine) InverseBWT(ctx context.Context, transform []byte, primary int) (text []byte, err error) {
	err = e.run(ctx, OpInverseBWT, len(transform), func(op *operation) error {
		out, err := op.unbwt(transform, primary)
		if err != nil {
			return err
		}
		text, err = download(op, out)
		return err
	})
	return text, err
}

// LCP returns the LCP array of text: entry j is the length of the longest common prefix
// of the suffixes in slots j-1 and j of the suffix array, entry 0 is 0. Memory and errors
// as SuffixArray.
func (e *Engine) LCP(ctx context.Context, text []byte) ([]uint32, error) {
	var lengths []uint32
	err := e.run(ctx, OpLCP, len(text), func(op *operation) error {
		if err := op.sort(text); err != nil {
			return err
		}
		var err error
		lengths, err = op.lcpArray()
		return err
	})
	return lengths, err
}

// LCPOf is LCP with the suffix array given. It is verified first, with the errors of
// Verify.
func (e *Engine) LCPOf(ctx context.Context, text []byte, sa []uint32) ([]uint32, error) {
	return e.lcpOf(ctx, OpLCPOf, text, sa)
}

func (e *Engine) lcpOf(ctx context.Context, op Op, text []byte, sa []uint32) ([]uint32, error) {
	var lengths []uint32
	err := e.run(ctx, op, len(text), func(op *operation) error {
		if err := op.given(text, sa); err != nil {
			return err
		}
		if err := op.verify(); err != nil {
			return err
		}
		var err error
		lengths, err = op.lcpArray()
		return err
	})
	return lengths, err
}

// Verify returns nil if sa is the suffix array of text, and a *verify.Error with
// the first wrong slot if it is not. Linear time, on the device.
func (e *Engine) Verify(ctx context.Context, text []byte, sa []uint32) error {
	return e.run(ctx, OpVerify, len(text), func(op *operation) error {
		if err := op.given(text, sa); err != nil {
			return err
		}
		return op.verify()
	})
}

// VerifyBWT checks sa as Verify does, and that transform and primary are the
// Burrows-Wheeler transform of text.
func (e *Engine) VerifyBWT(ctx context.Context, text []byte, sa []uint32, transform []byte, primary int) error {
	return e.run(ctx, OpVerifyBWT, len(text), func(op *operation) error {
		if err := op.given(text, sa); err != nil {
			return err
		}
		if err := op.verify(); err != nil {
			return err
		}
		out, row, err := op.bwt()
		if err != nil {
			return err
		}
		want, err := download(op, out)
		if err != nil {
			return err
		}
		return compareBWT(want, row, transform, primary)
	})
}

// VerifyLCP checks sa as Verify does, and that lengths is the LCP array of text.
func (e *Engine) VerifyLCP(ctx context.Context, text []byte, sa, lengths []uint32) error {
	want, err := e.lcpOf(ctx, OpVerifyLCP, text, sa)
	if err != nil {
		return err
	}
	if len(lengths) != len(want) {
		return &LCPError{Slot: min(len(lengths), len(want)), Why: fmt.Sprintf("is where the lengths differ: %d entries for %d characters", len(lengths), len(want))}
	}
	for j := range want {
		if lengths[j] != want[j] {
			return &LCPError{Slot: j, Why: fmt.Sprintf("holds %d instead of %d", lengths[j], want[j])}
		}
	}
	return nil
}

// LCPError says why an array is not the LCP array of the text.
type LCPError struct {
	Slot int    // first slot that is wrong
	Why  string // what is wrong with it
}

func (e *LCPError) Error() string {
	return fmt.Sprintf("not the LCP array of the text: slot %d %s", e.Slot, e.Why)
}

// compareBWT returns a *BWTError for the first difference.
func compareBWT(want []byte, wantRow int, got []byte, gotRow int) error {
	if len(got) != len(want) {
		return &BWTError{Why: fmt.Sprintf("has %d bytes, the text %d", len(got), len(want))}
	}
	if gotRow != wantRow {
		return &BWTError{Why: fmt.Sprintf("has primary index %d instead of %d", gotRow, wantRow)}
	}
	for i := range want {
		if got[i] != want[i] {
			return &BWTError{Why: fmt.Sprintf("differs at byte %d: %#02x instead of %#02x", i, got[i], want[i])}
		}
	}
	return nil
}

// BWTError says why bytes are not the Burrows-Wheeler transform of the text, or of any.
type BWTError = bwt.Error

// Op names an operation for Plan.
type Op string

// The operations.
const (
	OpSuffixArray  Op = "sa"
	OpBWT          Op = "bwt"
	OpSuffixArrays Op = "sa of each" // for the longest text
	OpBWTs         Op = "bwt of each"
	OpInverseBWT   Op = "unbwt"
	OpLCP          Op = "lcp"
	OpLCPOf        Op = "lcp --sa"
	OpVerify       Op = "verify"
	OpVerifyBWT    Op = "verify --bwt"
	OpVerifyLCP    Op = "verify --lcp"
	OpIndex        Op = "index"      // the sort; building the index takes less
	OpMatch        Op = "match"      // the sort; searching takes less
	OpMatchOf      Op = "match --sa" // the check of the suffix array
	OpRepeats      Op = "repeats"
	OpAllRepeats   Op = "repeats --all"
)

// Plan returns the device and host memory of an operation on a text of n bytes,
// phase by phase. The device memory is what the operation allocates, exactly.
func (e *Engine) Plan(op Op, n int) (device.MemoryPlan, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var more []part
	if op == OpRepeats || op == OpAllRepeats {
		more = append(more, repeating(op == OpAllRepeats, repeatQuery{}))
	}
	o, err := e.plan(op, n, more...)
	if err != nil {
		return nil, err
	}
	defer o.release()
	return o.memory, nil
}
