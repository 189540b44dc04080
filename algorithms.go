package suffixcl

import (
	"context"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// Algorithm is a suffix sorter. All give the same result.
type Algorithm string

// The algorithms.
const (
	AlgorithmAuto        Algorithm = "auto"         // the best known for device and text
	AlgorithmSuffixsort  Algorithm = "suffixsort"   // package suffixsort: the fastest on GPUs
	AlgorithmOsipov      Algorithm = "osipov"       // prefix doubling, finished suffixes filtered out (Osipov 2012)
	AlgorithmManberMyers Algorithm = "manber-myers" // prefix doubling of all suffixes in every round (Sun & Ma 2009)
	AlgorithmGPULS       Algorithm = "gpu-ls"       // prefix doubling inside groups, sorted by their size (GPU-LS)
	AlgorithmHybrid      Algorithm = "hybrid"       // skew around prefix doubling (Wang, Baxter & Owens 2016)
	AlgorithmSkew        Algorithm = "skew"         // linear time (Wang, Baxter & Owens 2016)
	AlgorithmDeoKeely    Algorithm = "deo-keely"    // linear time (Deo & Keely 2013)
	AlgorithmSAIS        Algorithm = "sais"         // linear time, mostly one core of a CPU (Nong, Zhang & Chan 2011)
	AlgorithmSmallTexts  Algorithm = "small-texts"  // up to 64 KiB: prefix doubling in one work-group

	// AlgorithmRanges sorts ranges of the suffix array, one after the other: package ranges. Only SuffixArray, BWT, LCP
	// and Ranges take it; AlgorithmAuto does there where no other fits.
	AlgorithmRanges Algorithm = "ranges"
)

// ParseAlgorithm returns the algorithm of that name. Errors: ErrUsage, with the names.
func ParseAlgorithm(name string) (Algorithm, error) {
	found, err := sorter.Parse(name)
	return Algorithm(found), public(err)
}

// Sorter sorts the suffixes of texts in device memory. Text and suffix array belong to the caller. It may be used again
// and again, by one goroutine.
type Sorter interface {
	// Memory is the device memory in addition to text and suffix array.
	Memory() device.PhaseMemory
	// Allocate takes that memory. It must be called before Run. Errors: *device.MemoryError, the device's.
	Allocate() error
	// Run writes the suffix array of text [n] to sa [n]. It waits for the counts that it reads back, not for the result.
	// progress may be nil. Errors: the context's, the device's, a text longer than planned.
	Run(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32],
		progress func(phase string, done, total int64)) error
	// RunBWT writes the transform to out [n], and returns the primary index. sa [n] holds the suffix array then, or
	// anything. Errors as Run.
	RunBWT(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32], out *device.Buffer[uint8],
		progress func(phase string, done, total int64)) (primary int, err error)
	// Release frees the memory; Allocate may take it again.
	Release()
}

// Algorithms lists those that sort in one piece: first AlgorithmAuto, which is one of the others. AlgorithmRanges
// is not among them.
func Algorithms() []Algorithm {
	var all []Algorithm
	for _, a := range sorter.Algorithms() {
		all = append(all, Algorithm(a))
	}
	return all
}

// MaxLen is the longest text in bytes that the algorithm sorts on a device: the constant MaxLen, but less for
// AlgorithmSAIS and AlgorithmSmallTexts.
func (a Algorithm) MaxLen(caps *device.Caps) int {
	return sorter.Algorithm(a).MaxLen(caps)
}

// NewSorter makes the sorter that an Engine with that algorithm uses for texts of up to n bytes, and tells which one it
// is. AlgorithmAuto takes the first that fits in the memory that is free with the text and the suffix array, which are
// to be allocated after it.
//
// Errors: ErrUsage, a *LengthError.
func NewSorter(s *device.Session, choice Algorithm, n int) (made Sorter, algorithm Algorithm, err error) {
	if s == nil {
		return nil, "", call.ErrNoEngine
	}
	made, chosen, err := sorter.New(s, sorter.Algorithm(choice), n)
	return made, Algorithm(chosen), public(err)
}
