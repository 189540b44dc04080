package suffixcl

import (
	"context"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/prefixdoubling"
	"github.com/suffixcl/suffixcl/skew"
	"github.com/suffixcl/suffixcl/suffixsort"
)

// Algorithm names of Options.Algorithm.
const (
	Auto     = "auto"       // the best known for device and text
	Packed   = "suffixsort" // windows of coded text, extended, then doubled
	Osipov   = "osipov"     // prefix doubling with finished suffixes filtered out (Osipov 2012)
	Skew     = "skew"       // linear time (Wang, Baxter & Owens 2015)
	DeoKeely = "deo-keely"  // linear time (Deo & Keely 2013)
)

// sorter sorts suffixes on the device; see prefixdoubling.Osipov.
type sorter interface {
	Memory() device.PhaseMemory
	Allocate() error
	Run(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32], progress func(phase string, done, total int64)) error
	Release()
}

// algorithms, the one that auto chooses first.
var algorithms = []struct {
	name string
	make func(*device.Session, int) (sorter, error)
}{
	{Osipov, sorterOf(prefixdoubling.NewOsipov)},
	{Skew, sorterOf(skew.New)},
	{DeoKeely, sorterOf(skew.NewDeoKeely)},
	{Packed, sorterOf(func(s *device.Session, n int) (*suffixsort.Sorter, error) { return suffixsort.New(s, n) })},
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

// Algorithms lists what Options.Algorithm accepts.
func Algorithms() []string {
	names := []string{Auto}
	for _, a := range algorithms {
		names = append(names, a.name)
	}
	return names
}

// Algorithm is the one that sorts the suffixes: what "auto" chose, or the option.
func (e *Engine) Algorithm() string {
	if e.options.Algorithm == Auto {
		return algorithms[0].name
	}
	return e.options.Algorithm
}

// newSorter makes the sorter for texts of n bytes.
func (e *Engine) newSorter(n int) (sorter, error) {
	name := e.Algorithm()
	i := 0
	for algorithms[i].name != name { // New has checked it
		i++
	}
	return algorithms[i].make(e.session, n)
}
