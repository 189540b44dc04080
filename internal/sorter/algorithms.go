package sorter

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bwt"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/smalltexts"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/prefixdoubling"
	"github.com/suffixcl/suffixcl/sais"
	"github.com/suffixcl/suffixcl/skew"
	"github.com/suffixcl/suffixcl/suffixsort"
)

// Algorithm is a suffix sorter. All give the same result.
type Algorithm string

// The algorithms.
const (
	Auto        Algorithm = "auto"         // the best known for device and text
	Suffixsort  Algorithm = "suffixsort"   // package suffixsort: the fastest on GPUs
	Osipov      Algorithm = "osipov"       // prefix doubling, finished suffixes filtered out (Osipov 2012)
	ManberMyers Algorithm = "manber-myers" // prefix doubling of all suffixes in every round (Sun & Ma 2009)
	GPULS       Algorithm = "gpu-ls"       // prefix doubling inside groups, sorted by their size (GPU-LS)
	Hybrid      Algorithm = "hybrid"       // skew around prefix doubling (Wang, Baxter & Owens 2016)
	Skew        Algorithm = "skew"         // linear time (Wang, Baxter & Owens 2016)
	DeoKeely    Algorithm = "deo-keely"    // linear time (Deo & Keely 2013)
	SAIS        Algorithm = "sais"         // linear time, mostly one core of a CPU (Nong, Zhang & Chan 2011)
	SmallTexts  Algorithm = "small-texts"  // up to 64 KiB: prefix doubling in one work-group

	// Ranges sorts ranges of the suffix array, one after the other: package ranges. Only SuffixArray, BWT, LCP
	// and Ranges take it; AlgorithmAuto does there where no other fits.
	Ranges Algorithm = "ranges"
)

// Parse returns the algorithm of that name. Errors: ErrUnknownAlgorithm, with the names.
func Parse(name string) (Algorithm, error) {
	a := Algorithm(name)
	if all := append(Algorithms(), Ranges); !slices.Contains(all, a) {
		var names []string
		for _, known := range all {
			names = append(names, string(known))
		}
		return "", fmt.Errorf("%w %q: have %s", ErrUnknown, name, strings.Join(names, ", "))
	}
	return a, nil
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

// arraySorter is a sorter that makes no transform, of texts of bytes or of symbols.
type arraySorter[T input.Symbol] interface {
	Memory() device.PhaseMemory
	Allocate() error
	Run(ctx context.Context, text *device.Buffer[T], sa *device.Buffer[uint32],
		progress func(phase string, done, total int64)) error
	Release()
}

// transformer is a Sorter of one that makes no transform: package bwt makes it of the suffix array.
type transformer struct {
	arraySorter[uint8]
	forward *bwt.Forward
}

func (t *transformer) Memory() device.PhaseMemory {
	m := t.arraySorter.Memory()
	m.Buffers = slices.Concat(m.Buffers, t.forward.Memory().Buffers)
	return m
}

func (t *transformer) Allocate() error {
	if err := t.arraySorter.Allocate(); err != nil {
		return err
	}
	return t.forward.Allocate()
}

func (t *transformer) Release() {
	t.arraySorter.Release()
	t.forward.Release()
}

func (t *transformer) RunBWT(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32],
	out *device.Buffer[uint8], progress func(phase string, done, total int64)) (int, error) {
	if err := t.Run(ctx, text, sa, progress); err != nil {
		return 0, err
	}
	return t.forward.Run(ctx, text, sa.View(0, text.Len()), out)
}

type constructor = func(*device.Session, int) (Sorter, error)

type row struct {
	algorithm Algorithm
	make      constructor
}

// constructors of the algorithms, in the order of Algorithms.
var constructors = []row{
	{Hybrid, sorterOf(prefixdoubling.NewHybrid)},
	{GPULS, sorterOf(prefixdoubling.NewGPULS)},
	{Suffixsort, sorterOf(suffixsort.New)},
	{Osipov, sorterOf(prefixdoubling.NewOsipov)},
	{ManberMyers, sorterOf(prefixdoubling.NewManberMyers)},
	{Skew, sorterOf(skew.New)},
	{DeoKeely, sorterOf(skew.NewDeoKeely)},
	{SAIS, sorterOf(sais.New)},
	{SmallTexts, sorterOf(smalltexts.New)},
}

// sorterOf makes a constructor of the table from a package's.
func sorterOf[S arraySorter[uint8]](make func(*device.Session, int) (S, error)) constructor {
	return func(s *device.Session, n int) (Sorter, error) {
		made, err := make(s, n)
		if err != nil {
			return nil, err // not a nil S
		}
		if sorter, ok := any(made).(Sorter); ok {
			return sorter, nil
		}
		t := &transformer{arraySorter: made}
		tuned.Rarely(s, func() { t.forward = bwt.NewForward(s) })
		return t, nil
	}
}

// Algorithms lists those that sort in one piece: first AlgorithmAuto, which is one of the others. AlgorithmRanges
// is not among them.
func Algorithms() []Algorithm {
	all := []Algorithm{Auto}
	for _, c := range constructors {
		all = append(all, c.algorithm)
	}
	return all
}

// MaxLen is the longest text in bytes that the algorithm sorts on a device: the constant MaxLen, but less for
// AlgorithmSAIS and AlgorithmSmallTexts.
func (a Algorithm) MaxLen(caps *device.Caps) int {
	switch a {
	case SAIS:
		return sais.Longest(caps)
	case SmallTexts:
		return smalltexts.Longest(caps)
	}
	return limits.MaxLen
}

// saisCores is up to how many cores of a CPU one of them, with some help, is faster than all together are at
// what is made for GPUs.
const saisCores = 4

// How long a text of its own may be for AlgorithmSmallTexts to be taken. One core of a CPU sorts it; a work-group of a
// GPU, in its local memory. Longer ones gain nothing by a single core, or have not been measured on a GPU.
const (
	smallAloneCPU = 1 << 15
	smallAloneGPU = 1 << 12
)

// Automatic are the choices of AlgorithmAuto for texts of n bytes: what is fastest on a device of that
// kind (docs/benchmarks.md), and then what takes less memory.
func Automatic(caps *device.Caps, n int) []Algorithm {
	switch {
	case !caps.CPUShape && n <= min(smalltexts.Longest(caps), smallAloneGPU):
		return []Algorithm{SmallTexts}
	case caps.CPUShape && n <= min(smalltexts.Longest(caps), smallAloneCPU):
		return []Algorithm{SmallTexts, SAIS}
	}
	return General(caps, n)
}

// General are the choices among the sorters for texts of any length.
func General(caps *device.Caps, n int) []Algorithm {
	switch {
	case !caps.CPUShape:
		return []Algorithm{Suffixsort, Skew}
	case n > sais.Longest(caps):
		return []Algorithm{Hybrid, Skew}
	case caps.ComputeUnits <= saisCores:
		return []Algorithm{SAIS}
	}
	return []Algorithm{Hybrid, SAIS}
}

// New makes the sorter that an Engine with that algorithm uses for texts of up to n bytes, and tells which one it
// is. AlgorithmAuto takes the first that fits in the memory that is free with the text and the suffix array, which are
// to be allocated after it.
//
// Errors: ErrUnknownAlgorithm, a *LengthError.
func New(s *device.Session, choice Algorithm, n int) (sorter Sorter, algorithm Algorithm, err error) {
	arrays := device.NewLayout("")
	device.Reserve[uint8](arrays, "text", n)
	device.Reserve[uint32](arrays, "suffix array", n)
	fits := func(m device.PhaseMemory) bool {
		m.Buffers = slices.Concat(arrays.Memory().Buffers, m.Buffers)
		return device.MemoryPlan{m}.Fits(s) == nil
	}
	return Choose(s, choice, Automatic, n, fits)
}

// Choose makes the sorter for texts of n bytes: of what AlgorithmAuto stands for the first that fits, else the last.
func Choose(
	s *device.Session, choice Algorithm, auto func(*device.Caps, int) []Algorithm, n int,
	fits func(device.PhaseMemory) bool,
) (Sorter, Algorithm, error) {
	if _, err := Parse(string(choice)); err != nil {
		return nil, "", err
	}
	choices := []Algorithm{choice}
	switch choice {
	case Ranges:
		return nil, "", errOnlyArrays
	case Auto:
		choices = auto(s.Caps(), n)
	}
	var made Sorter
	for i, algorithm := range choices {
		k := slices.IndexFunc(constructors, func(r row) bool { return r.algorithm == algorithm })
		var err error
		if made, err = constructors[k].make(s, n); err != nil {
			return nil, "", err
		}
		if i == len(choices)-1 || fits(made.Memory()) {
			return made, algorithm, nil
		}
	}
	return made, choice, nil
}

var (
	// ErrUnknown is matched by the error for a name that is none of Algorithms, and for an algorithm that does
	// not sort such texts.
	ErrUnknown = errors.New("unknown algorithm")
	// errOnlyArrays: of operations that need the suffix array on the device.
	errOnlyArrays = fmt.Errorf("%w: %q makes suffix arrays, transforms, LCP arrays and FM-indexes only",
		ErrUnknown, Ranges)
)
