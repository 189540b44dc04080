// Package programs lists every program that the library builds, so that gates can compile all of them without a device.
// It plans everything on a session without a device, which notes the programs that constructors ask for. A package that
// builds programs is planned here; the test finds kernel files that nothing asks for.
package programs

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/internal/bwt"
	"github.com/suffixcl/suffixcl/internal/duplicates"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/intervals"
	"github.com/suffixcl/suffixcl/internal/lcp"
	"github.com/suffixcl/suffixcl/internal/mappability"
	"github.com/suffixcl/suffixcl/internal/match"
	"github.com/suffixcl/suffixcl/internal/matches"
	"github.com/suffixcl/suffixcl/internal/patternset"
	"github.com/suffixcl/suffixcl/internal/pml"
	"github.com/suffixcl/suffixcl/internal/prefixes"
	"github.com/suffixcl/suffixcl/internal/ranges"
	"github.com/suffixcl/suffixcl/internal/rlbwt"
	"github.com/suffixcl/suffixcl/internal/sais"
	"github.com/suffixcl/suffixcl/internal/sets"
	"github.com/suffixcl/suffixcl/internal/smalltexts"
	"github.com/suffixcl/suffixcl/internal/smem"
	"github.com/suffixcl/suffixcl/internal/suffixsort"
	"github.com/suffixcl/suffixcl/internal/thresholds"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/internal/verify"
	"github.com/suffixcl/suffixcl/internal/wavelet"
	"github.com/suffixcl/suffixcl/lrq"
	"github.com/suffixcl/suffixcl/merge"
	"github.com/suffixcl/suffixcl/prefixdoubling"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/scan"
	"github.com/suffixcl/suffixcl/segsort"
	"github.com/suffixcl/suffixcl/skew"
)

// length of what is planned: enough for every step that short texts do without.
const length = 1 << 30

// All returns the programs for a device with these capabilities and tuning parameters, the methods for devices without
// forward progress included.
func All(c device.Caps, set tune.Set) ([]device.Source, error) {
	var all []device.Source
	named := make(map[string]bool)
	for _, progress := range []bool{c.ForwardProgress, false} {
		c.ForwardProgress = progress
		s := tuned.Offline(c, set)
		plans := planner{s: s}
		plans.primitives()
		plans.sorters()
		plans.derived()
		plans.sets()
		if err := errors.Join(plans.errs...); err != nil {
			return nil, err
		}
		for _, src := range tuned.Sources(s) {
			if name := Name(src); !named[name] {
				named[name] = true
				all = append(all, src)
			}
		}
	}
	return all, nil
}

// planner plans on a session, and notes what fails.
type planner struct {
	s    *device.Session
	errs []error
}

// plan is a constructor that may fail.
func plan[T, O any](p *planner, make func(*device.Session, int, O) (T, error), o O) {
	_, err := make(p.s, length, o)
	p.errs = append(p.errs, err)
}

// without is a constructor without options, as plan takes it.
func without[T any](make func(*device.Session, int) (T, error)) func(*device.Session, int, struct{}) (T, error) {
	return func(s *device.Session, n int, _ struct{}) (T, error) { return make(s, n) }
}

func (p *planner) primitives() {
	scans[uint32](p)
	scans[uint64](p)
	scans[[2]uint32](p)
	for _, o := range scanOptions {
		scan.NewSegmented[uint32](p.s, length, o)
		scan.NewSegmented[uint64](p.s, length, o)
	}
	sorts[uint32](p)
	sorts[uint64](p)
	radixsort.NewSegments(p.s, length, 1)
	segsort.NewHeads(p.s)
	segmentedSorts[uint32, uint32](p)
	segmentedSorts[uint32, uint64](p)
	segmentedSorts[uint64, uint32](p)
	segmentedSorts[uint64, uint64](p)
}

var scanOptions = []scan.Options{
	{Op: scan.Sum}, {Op: scan.Sum, Inclusive: true}, {Op: scan.Max}, {Op: scan.Max, Inclusive: true},
}

func scans[T scan.Value](p *planner) {
	for _, o := range scanOptions {
		scan.NewPlan[T](p.s, length, o)
	}
	scan.NewSelect[T](p.s, length)
	scan.NewPartition[T](p.s, length)
}

// sorts plans the radix sorts and merges of keys of a type, alone and with values.
func sorts[K uint32 | uint64](p *planner) {
	radixsort.NewKeys[K](p.s, length)
	radixsort.NewPairs[K, uint32](p.s, length)
	radixsort.NewPairs[K, uint64](p.s, length)
	merge.NewKeys[K](p.s, length)
	merge.NewPairs[K, uint32](p.s, length)
	merge.NewPairs[K, uint64](p.s, length)
}

func segmentedSorts[K, V uint32 | uint64](p *planner) {
	for strategy := segsort.Auto; strategy <= segsort.BlockMerge; strategy++ {
		plan(p, segsort.New[K, V], segsort.Options{Strategy: strategy})
	}
}

func (p *planner) sorters() {
	plan(p, without(skew.New), struct{}{})
	plan(p, without(skew.NewDeoKeely), struct{}{})
	plan(p, without(prefixdoubling.NewManberMyers), struct{}{})
	plan(p, without(prefixdoubling.NewOsipov), struct{}{})
	set := tuned.Of(p.s)
	for set.GPULS.Medium = tune.MediumGlobal; set.GPULS.Medium <= tune.MediumRadix; set.GPULS.Medium++ {
		plan(p, without(prefixdoubling.NewGPULS), struct{}{})
	}
	plan(p, without(prefixdoubling.NewHybrid), struct{}{})
	plan(p, without(sais.New), struct{}{})
	plan(p, without(suffixsort.New), struct{}{})
	_, err := smalltexts.New(p.s, smalltexts.Longest(p.s.Caps()))
	p.errs = append(p.errs, err)
	symbolSorters[uint16](p)
	symbolSorters[uint32](p)
	some := &ranges.Entries{Bits: 33, From: []uint64{0}, Add: []uint64{0}, Every: 2, Only: []uint64{0}}
	plan(p, ranges.New[uint32], ranges.Options{Capacity: length / 4, LCP: true, Packed: some})
	plan(p, ranges.New[uint64], ranges.Options{Capacity: length / 4, LCP: true, Packed: some})
	for _, symbolBytes := range []int{1, 2, 4} {
		plan(p, duplicates.New,
			duplicates.Options{Length: 100, SymbolBytes: symbolBytes, Frequent: 1, Piece: length / 2, Capacity: length / 8})
	}
}

func symbolSorters[T uint16 | uint32](p *planner) {
	plan(p, without(sais.NewSymbols[T]), struct{}{})
	plan(p, without(suffixsort.NewSymbols[T]), struct{}{})
}

func symbolArrays[T uint16 | uint32](p *planner) {
	bwt.NewSymbolForward[T](p.s)
	plan(p, without(bwt.NewSymbolInverse[T]), struct{}{})
	plan(p, without(lcp.NewSymbols[T]), struct{}{})
	verify.NewSymbols[T](p.s, length)
}

func (p *planner) sets() { sets.New(p.s, sets.Shape{N: length, M: length / 100, Least: true}, length) }

func (p *planner) derived() {
	bwt.NewForward(p.s)
	plan(p, without(bwt.NewInverse), struct{}{})
	symbolArrays[uint16](p)
	symbolArrays[uint32](p)
	plan(p, without(lcp.New), struct{}{})
	verify.New(p.s, length)
	plan(p, without(verify.NewBuckets), struct{}{})
	plan(p, without(verify.NewBucketsLCP), struct{}{})
	set := tuned.Of(p.s)
	for set.LRQ.Method = tune.LRQRaw; set.LRQ.Method <= tune.LRQBounded; set.LRQ.Method++ {
		plan(p, lrq.New, lrq.Options{})
	}
	p.intervals()
	p.genomes()
	_, err := thresholds.New(p.s, length, length)
	p.errs = append(p.errs, err)
	patternset.NewNumbering(p.s, length)
	rlbwt.Prepare(p.s)
	_, err = smem.Memory(p.s, length, 1)
	p.errs = append(p.errs, err)
	smem.RunsMemory(p.s, length, 1)
	pml.Prepare(p.s)
	patternset.NewFolding(p.s, new([256]uint32))
	for _, alphabet := range []fmindex.Alphabet{fmindex.DNA, fmindex.Auto} {
		h := fmindex.Header{Length: length, Alphabet: alphabet, Separator: fmindex.NoSeparator}
		for _, c := range "ACGTNRYK" {
			h.Counts[c] = length / 8
		}
		_, err := fmindex.NewBuilder(p.s, h)
		p.errs = append(p.errs, err)
	}
	for _, symbolBytes := range []int{1, 2, 4} {
		_, err := match.NewSymbolArray(p.s, length, symbolBytes, new([256]uint64))
		p.errs = append(p.errs, err)
	}
	plan(p, without(match.NewTree), struct{}{})
	distributed.New(nil, p.s, distributed.Options{})
}

func (p *planner) intervals() {
	o := intervals.Options{Documents: 1, Filter: intervals.Filter{LeftMaximal: true, Supermaximal: true}}
	finder, err := intervals.New(p.s, length, length, o)
	p.errs = append(p.errs, err)
	_, err = intervals.NewBest(finder, 1, intervals.ByCount)
	p.errs = append(p.errs, err)
	intervals.NewCommon(finder)
	intervals.NewCounter(p.s, length, 1)
	intervals.NewBefore[uint8](p.s)
	intervals.NewBefore[uint16](p.s)
	intervals.NewBefore[uint32](p.s)
	intervals.NewDocuments(p.s)
	intervals.NewLimits(p.s)
	intervals.NewOccurrences(p.s, length)
}

func (p *planner) genomes() {
	for _, unique := range []bool{false, true} {
		_, err := matches.New(p.s, length, length/2, matches.Options{Least: 1, Unique: unique, Classes: 2, Part: length})
		p.errs = append(p.errs, err)
	}
	_, err := matches.NewSeeds(p.s, length, length/2, 40, length)
	p.errs = append(p.errs, err)
	_, err = mappability.New(p.s, length)
	p.errs = append(p.errs, err)
	_, err = mappability.NewKmers(p.s, length, length)
	p.errs = append(p.errs, err)
	_, err = prefixes.NewFirstRows(p.s, length, prefixes.Longest, prefixes.Longest, length, 35, 1<<15, true)
	p.errs = append(p.errs, err)
	lcp.NewBound(p.s)
	wavelet.New(p.s, wavelet.Pieces{Letters: length, Superblocks: 64})
}

// Name tells the programs of All apart for people: the files without common.cl and the defines other than WG.
func Name(src device.Source) string {
	var b strings.Builder
	for i, file := range src.Files {
		if i > 0 {
			b.WriteByte('+')
		}
		b.WriteString(strings.TrimSuffix(file, ".cl"))
	}
	for _, name := range slices.Sorted(maps.Keys(src.Defines)) {
		if name == "WG" {
			continue
		}
		fmt.Fprintf(&b, " %s=%v", name, src.Defines[name])
	}
	return b.String()
}
