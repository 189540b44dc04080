package suffixcl

import (
	"context"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/prefixdoubling"
	"github.com/suffixcl/suffixcl/skew"
	"github.com/suffixcl/suffixcl/suffixsort"
)

// Algorithm names of Options.Algorithm.
const (
	Auto        = "auto"         // the best known for device and text
	Packed      = "suffixsort"   // windows of coded text sorted and extended, then prefix doubling
	Osipov      = "osipov"       // prefix doubling with finished suffixes filtered out (Osipov 2012)
	ManberMyers = "manber-myers" // prefix doubling that sorts all suffixes in every round (Sun & Ma 2009)
	GPULS       = "gpu-ls"       // prefix doubling inside groups, which are sorted by their size (GPU-LS)
	Hybrid      = "hybrid"       // a step of skew around prefix doubling (Wang, Baxter & Owens 2016)
	Skew        = "skew"         // linear time (Wang, Baxter & Owens 2015)
	DeoKeely    = "deo-keely"    // linear time (Deo & Keely 2013)
)

// sorter sorts suffixes on the device; see prefixdoubling.Osipov.
type sorter interface {
	Memory() device.PhaseMemory
	Allocate() error
	Run(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32], progress func(phase string, done, total int64)) error
	Release()
}

type algorithm struct {
	name string
	make func(*device.Session, int) (sorter, error)
}

var algorithms = []algorithm{
	{Hybrid, tuned(prefixdoubling.NewHybrid)},
	{GPULS, tuned(prefixdoubling.NewGPULS)},
	{Packed, tuned(suffixsort.New)},
	{Osipov, sorterOf(prefixdoubling.NewOsipov)},
	{ManberMyers, tuned(prefixdoubling.NewManberMyers)},
	{Skew, sorterOf(skew.New)},
	{DeoKeely, sorterOf(skew.NewDeoKeely)},
}

// sorterOf makes a constructor of the table from a package's.
func sorterOf[S sorter](make func(*device.Session, int) (S, error)) func(*device.Session, int) (sorter, error) {
	return func(s *device.Session, n int) (sorter, error) {
		made, err := make(s, n)
		if err != nil {
			return nil, err // not a nil S
		}
		return made, nil
	}
}

// tuned is sorterOf for a constructor with options, which are to be as tuned.
func tuned[S sorter, O any](make func(*device.Session, int, O) (S, error)) func(*device.Session, int) (sorter, error) {
	return sorterOf(func(s *device.Session, n int) (S, error) {
		var o O
		return make(s, n, o)
	})
}

// Algorithms lists what Options.Algorithm accepts.
func Algorithms() []string {
	names := []string{Auto}
	for _, a := range algorithms {
		names = append(names, a.name)
	}
	return names
}

// automatic are the choices of Auto: the fastest on every kind of device and text but small
// ones (docs/benchmarks.md), and one that takes two thirds of its memory.
var automatic = []string{Hybrid, Skew}

// chooseSorter makes the sorter for texts of n bytes and plans its phase: of Auto's choices
// the first that fits, else the last.
func (o *operation) chooseSorter(n int, host int64) error {
	names := []string{o.e.options.Algorithm}
	if names[0] == Auto {
		names = automatic
	}
	for i, name := range names {
		k := slices.IndexFunc(algorithms, func(a algorithm) bool { return a.name == name }) // New has checked it
		sorter, err := algorithms[k].make(o.e.session, n)
		if err != nil {
			return err
		}
		phase := o.phaseOf(sorter.Memory(), host)
		if i == len(names)-1 || (device.MemoryPlan{phase}).Fits(o.e.session) == nil {
			o.sorter, o.algorithm = sorter, name
			o.memory = append(o.memory, phase)
			return nil
		}
		sorter.Release()
	}
	return nil
}
