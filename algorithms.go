package suffixcl

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/suffixcl/suffixcl/bwt"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/prefixdoubling"
	"github.com/suffixcl/suffixcl/sais"
	"github.com/suffixcl/suffixcl/skew"
	"github.com/suffixcl/suffixcl/suffixsort"
)

// Algorithm names of Options.Algorithm.
const (
	Auto        = "auto"         // the best known for device and text
	Packed      = "suffixsort"   // windows of coded text, then prefix doubling at the ends of chains of groups
	Osipov      = "osipov"       // prefix doubling with finished suffixes filtered out (Osipov 2012)
	ManberMyers = "manber-myers" // prefix doubling that sorts all suffixes in every round (Sun & Ma 2009)
	GPULS       = "gpu-ls"       // prefix doubling inside groups, which are sorted by their size (GPU-LS)
	Hybrid      = "hybrid"       // a step of skew around prefix doubling (Wang, Baxter & Owens 2016)
	Skew        = "skew"         // linear time (Wang, Baxter & Owens 2015)
	DeoKeely    = "deo-keely"    // linear time (Deo & Keely 2013)
	SAIS        = "sais"         // linear time, mostly on one core of a CPU (Nong, Zhang & Chan 2011)
)

// Sorter sorts suffixes where text and suffix array are in device memory; see
// prefixdoubling.Osipov. It may be used again and again, and by one goroutine.
type Sorter interface {
	// Memory is the device memory beside text and suffix array.
	Memory() device.PhaseMemory
	// Allocate takes it, before Run.
	Allocate() error
	// Run writes the suffix array of text. It only enqueues, but for counts that it reads.
	// progress may be nil.
	Run(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32], progress func(phase string, done, total int64)) error
	// Release frees memory and kernels.
	Release()
}

// Transformer is a Sorter that makes the Burrows-Wheeler transform faster than package bwt does from
// its suffix array.
type Transformer interface {
	Sorter
	// RunBWT is Run, and writes the transform to the start of out and returns the primary index.
	RunBWT(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32], out *device.Buffer[uint8], progress func(phase string, done, total int64)) (primary int, err error)
}

// Transforming returns the sorter if it is a Transformer, else one that makes the transform of the suffix
// array by package bwt. It takes the sorter over.
func Transforming(s *device.Session, o Sorter) Transformer {
	if t, ok := o.(Transformer); ok {
		return t
	}
	return &transformer{o, bwt.NewForward(s)}
}

// transformer is a Sorter and what it lacks.
type transformer struct {
	Sorter
	forward *bwt.Forward
}

func (t *transformer) Memory() device.PhaseMemory {
	m := t.Sorter.Memory()
	m.Buffers = slices.Concat(m.Buffers, t.forward.Memory().Buffers)
	return m
}

func (t *transformer) Allocate() error {
	if err := t.Sorter.Allocate(); err != nil {
		return err
	}
	return t.forward.Allocate()
}

func (t *transformer) Release() {
	t.Sorter.Release()
	t.forward.Release()
}

func (t *transformer) RunBWT(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32], out *device.Buffer[uint8], progress func(phase string, done, total int64)) (int, error) {
	if err := t.Run(ctx, text, sa, progress); err != nil {
		return 0, err
	}
	return t.forward.Run(ctx, text, sa, out)
}

type constructor = func(*device.Session, int) (Sorter, error)

type algorithm struct {
	name string
	make constructor
}

var algorithms = []algorithm{
	{Hybrid, with(prefixdoubling.NewHybrid, prefixdoubling.HybridOptions{})},
	{GPULS, with(prefixdoubling.NewGPULS, prefixdoubling.GPULSOptions{})},
	{Packed, with(suffixsort.New, suffixsort.Options{})},
	{Osipov, sorterOf(prefixdoubling.NewOsipov)},
	{ManberMyers, with(prefixdoubling.NewManberMyers, prefixdoubling.ManberMyersOptions{})},
	{Skew, sorterOf(skew.New)},
	{DeoKeely, sorterOf(skew.NewDeoKeely)},
	{SAIS, sorterOf(sais.New)},
}

// sorterOf makes a constructor of the table from a package's.
func sorterOf[S Sorter](make func(*device.Session, int) (S, error)) constructor {
	return func(s *device.Session, n int) (Sorter, error) {
		made, err := make(s, n)
		if err != nil {
			return nil, err // not a nil S
		}
		return made, nil
	}
}

// with is sorterOf for a constructor with options.
func with[S Sorter, O any](make func(*device.Session, int, O) (S, error), o O) constructor {
	return sorterOf(func(s *device.Session, n int) (S, error) { return make(s, n, o) })
}

// Algorithms lists what Options.Algorithm accepts.
func Algorithms() []string {
	names := []string{Auto}
	for _, a := range algorithms {
		names = append(names, a.name)
	}
	return names
}

// Longest is the longest text in bytes that an algorithm sorts on a device: MaxLen but for SAIS.
func Longest(algorithm string, caps *device.Caps) int {
	if algorithm == SAIS {
		return sais.Longest(caps)
	}
	return MaxLen
}

// fewCores is up to how many cores of a CPU one of them, with some help, is faster than all
// together are at what is made for GPUs.
const fewCores = 4

// automatic are the choices of Auto for texts of n bytes: what is fastest on a device of that
// kind (docs/benchmarks.md), and then what takes less memory.
func automatic(caps *device.Caps, n int) []string {
	switch {
	case !caps.CPUShape:
		return []string{Packed, Skew}
	case n > sais.Longest(caps):
		return []string{Hybrid, Skew}
	case caps.ComputeUnits <= fewCores:
		return []string{SAIS}
	}
	return []string{Hybrid, SAIS}
}

// NewSorter makes the sorter that an Engine with that algorithm would use for texts of n
// bytes, and tells its name. Text and suffix array should be allocated before: Auto looks at
// the memory that is left.
//
// Errors: an unknown algorithm, n over MaxLen, kernels that do not build.
func NewSorter(s *device.Session, algorithm string, n int) (made Sorter, name string, err error) {
	return newSorter(s, algorithm, n, func(m device.PhaseMemory) bool { return device.MemoryPlan{m}.Fits(s) == nil })
}

// newSorter makes the sorter for texts of n bytes: of Auto's choices the first that fits,
// else the last.
func newSorter(s *device.Session, choice string, n int, fits func(device.PhaseMemory) bool) (Sorter, string, error) {
	names := []string{choice}
	if choice == Auto {
		names = automatic(s.Caps(), n)
	}
	for i, name := range names {
		k := slices.IndexFunc(algorithms, func(a algorithm) bool { return a.name == name })
		if k < 0 {
			break
		}
		made, err := algorithms[k].make(s, n)
		if err != nil {
			return nil, "", err
		}
		if i == len(names)-1 || fits(made.Memory()) {
			return made, name, nil
		}
		made.Release()
	}
	return nil, "", unknownAlgorithm(choice)
}

// chooseSorter makes the sorter for texts of n bytes and plans its phase.
func (o *operation) chooseSorter(n int, host int64) (err error) {
	o.sorter, o.algorithm, err = newSorter(o.e.session, o.e.options.Algorithm, n, func(m device.PhaseMemory) bool {
		return device.MemoryPlan{o.phaseOf(m, host)}.Fits(o.e.session) == nil
	})
	if err == nil {
		o.phase(o.sorter.Memory(), host)
	}
	return err
}

func unknownAlgorithm(name string) error {
	return fmt.Errorf("unknown algorithm %q: have %s", name, strings.Join(Algorithms(), ", "))
}
