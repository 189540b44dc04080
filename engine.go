// Package suffixcl builds and uses suffix structures on any OpenCL device: the
// same bytes from NVIDIA and AMD GPUs and from CPU drivers.
//
//	engine, err := suffixcl.Open(suffixcl.Options{})
//	if err != nil { ... }
//	defer engine.Close()
//	sa, err := engine.SuffixArray(ctx, text) // sa [len(text)]uint32
//
// A suffix array is unique, so the algorithm and the device never show in the
// result; [Engine.Verify] checks one in linear time. Memory is planned before
// anything runs ([Job.Plan]) and refused with the numbers if it does not fit.
//
// A nil set of texts, batch of patterns or result is an empty one. A nil function that a call needs, and an
// engine that was not opened, are [ErrUsage]. A nil context never ends.
//
// [Engine.Index] and [Engine.Matcher] search a text for many patterns,
// [Engine.Repeats], [Engine.Intervals], [Engine.Matches] and others make a [Job]: its memory is planned, and its result
// comes in parts or as a whole. [Engine.Arrays] takes texts of 16- and 32-bit
// symbols, and sets of texts, and makes several arrays in one call. [Engine.Stream] takes streams of texts. [WithStats]
// measures a call.
//
// The packages below this one work on device memory and compose: the sorters prefixdoubling and skew, and those that
// [NewSorter] makes; lrq, which finds repeats in a suffix array; and under these scan, radixsort, merge and segsort,
// all on top of device.
// Package seqio reads FASTA and FASTQ.
package suffixcl

import (
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// MaxLen is the longest text in bytes: positions are 32-bit words, and one value
// is kept free.
const MaxLen = limits.MaxLen

// Options of Open. The zero value is the fastest device and algorithm.
type Options struct {
	// Device: "auto", "gpu", "cpu", an index, or words of the device's name; see
	// device.Config. Empty means the environment variable SUFFIXCL_DEVICE, or "auto".
	Device string
	// MaxMemory bounds the device memory in bytes; 0 means what the device has.
	MaxMemory int64
	// Profile records the device time of every kernel, for Stats.Profile.
	Profile bool
	// CacheDir is the directory for compiled kernels; empty: the one that device.Config describes.
	CacheDir string
	// Helper is the suffixcl command, by its path: several processes of it build the programs that a call certainly
	// needs, while the engine moves data. Helpers is their number. See device.Config. The library starts no process
	// without it.
	Helper  string
	Helpers int

	// As in EngineOptions.
	Algorithm  Algorithm
	Progress   func(phase string, done, total int64)
	KeepMemory int64
}

// EngineOptions of New. The zero value is the fastest algorithm.
type EngineOptions struct {
	// Algorithm sorts the suffixes; "" means AlgorithmAuto.
	Algorithm Algorithm
	// Progress, if not nil, is called often while an operation runs, from the goroutine that
	// called the engine, or from one of its own for batches that are searched for together. It should return fast. It may
	// not call the engine: see ErrInCallback.
	//
	// done of total units of a phase are done. Phases "upload" and "download" count bytes, a sort counts suffixes in
	// their final place or an equal share of its work, and "repeats" counts positions. Phases that the device does in one
	// go, as "verify" and "lcp", are told when they begin, with a total of 0. Phase "compile" comes while a program is
	// compiled, which takes seconds and happens once on a device: it counts programs, and its total is 0.
	Progress func(phase string, done, total int64)
	// KeepMemory bounds the bytes of device memory that the engine keeps from one call for the
	// next of the same operation and size; 0 means 64 MiB, a negative number none. Plan names
	// what an operation keeps. The next call of another kind frees it first. Ranges and whatever
	// else releases its memory keep as much, if Open is told: see device.Config.
	KeepMemory int64
}

// Engine computes on one device. It is safe for concurrent use: operations run one after the other, and a call that
// waits for its turn ends with its context. Small searches, and small texts to sort, that wait have one turn together.
type Engine struct{ core *call.Engine }

// engine is that of the jobs, unless there is an error.
func engine(core *call.Engine, err error) (*Engine, error) {
	if err != nil {
		return nil, public(err)
	}
	return &Engine{core}, nil
}

func init() {
	call.Of = func(e any) *call.Engine {
		of, _ := e.(*Engine)
		return of.inner()
	}
}

// inner is the engine of the jobs; nil where there is none.
func (e *Engine) inner() *call.Engine {
	if e == nil {
		return nil
	}
	return e.core
}

// Open opens a device. Errors match device.ErrNoDevice where none can be used,
// and say what to install; ErrUsage.
func Open(o Options) (*Engine, error) {
	if o.MaxMemory < 0 {
		return nil, fmt.Errorf("suffixcl: a memory limit of %d bytes", o.MaxMemory)
	}
	core, err := call.Open(device.Config{Selector: o.Device, Profile: o.Profile, MaxMemory: o.MaxMemory,
		KeepMemory: o.KeepMemory, CacheDir: o.CacheDir, Helper: o.Helper, Helpers: o.Helpers},
		call.EngineOptions{Algorithm: sorter.Algorithm(o.Algorithm), Progress: o.Progress, KeepMemory: o.KeepMemory})
	return engine(core, err)
}

// New makes an engine of a session, which it takes over: Close closes it. Errors: ErrUsage.
func New(s *device.Session, o EngineOptions) (*Engine, error) {
	core, err := call.New(s, call.EngineOptions{Algorithm: sorter.Algorithm(o.Algorithm), Progress: o.Progress,
		KeepMemory: o.KeepMemory})
	return engine(core, err)
}

// Close waits for the call that runs, and releases the device. Calls that wait, and later ones,
// get ErrClosed. Closing twice does nothing. Errors: ErrInCallback, ErrUsage, the device's.
func (e *Engine) Close() error {
	return public(e.inner().Close())
}

// Caps tells which device it is and what it can do.
func (e *Engine) Caps() device.Caps {
	return e.inner().Caps()
}
