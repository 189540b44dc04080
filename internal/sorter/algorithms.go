package sorter

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bwt"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/sais"
	"github.com/suffixcl/suffixcl/internal/smalltexts"
	"github.com/suffixcl/suffixcl/internal/suffixsort"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/internal/usage"
	"github.com/suffixcl/suffixcl/prefixdoubling"
	"github.com/suffixcl/suffixcl/skew"
)

// Algorithm is suffixcl.Algorithm.
type Algorithm string

// The algorithms: suffixcl.AlgorithmAuto and so on.
const (
	Auto        Algorithm = "auto"
	Suffixsort  Algorithm = "suffixsort"
	Osipov      Algorithm = "osipov"
	ManberMyers Algorithm = "manber-myers"
	GPULS       Algorithm = "gpu-ls"
	Hybrid      Algorithm = "hybrid"
	Skew        Algorithm = "skew"
	DeoKeely    Algorithm = "deo-keely"
	SAIS        Algorithm = "sais"
	SmallTexts  Algorithm = "small-texts"
	Ranges      Algorithm = "ranges"
)

// Parse is suffixcl.ParseAlgorithm.
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

// Sorter is suffixcl.Sorter.
type Sorter interface {
	Memory() device.PhaseMemory
	Allocate() error
	Run(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32],
		progress func(phase string, done, total int64)) error
	RunBWT(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32], out *device.Buffer[uint8],
		progress func(phase string, done, total int64)) (primary int, err error)
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

// Algorithms is suffixcl.Algorithms.
func Algorithms() []Algorithm {
	all := []Algorithm{Auto}
	for _, c := range constructors {
		all = append(all, c.algorithm)
	}
	return all
}

// MaxLen is that of suffixcl.Algorithm.
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

// New is suffixcl.NewSorter.
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
	// not sort such texts. It matches suffixcl.ErrUsage.
	ErrUnknown = usage.New("unknown algorithm")
	// errOnlyArrays: of operations that need the suffix array on the device.
	errOnlyArrays = fmt.Errorf("%w: %q makes suffix arrays, transforms, LCP arrays and FM-indexes only",
		ErrUnknown, Ranges)
)
