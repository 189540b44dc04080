package runner

import (
	"context"
	"maps"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/suffixsort"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Every program has commonFile. Every session is told of selfTestFile, which nothing is computed with.
const (
	commonFile   = "common.cl"
	selfTestFile = "selftest.cl"
)

// Elsewhere are kernel files that no subject has, with the package whose suite runs them on a device.
var Elsewhere = map[string]string{
	"distributed.cl":        "distributed",
	"distributed_cover.cl":  "distributed",
	"distributed_names.cl":  "distributed",
	"radixsegments.cl":      "radixsort",
	"segscan.cl":            "scan",
	selfTestFile:            "device",
	"verify_buckets_lcp.cl": "verify",
}

// KernelFiles are the kernel files in the programs of each subject, by its name, and under "" those that every session
// has. Each subject runs on sessions without a device, of all tuning rows: it asks for its programs, and then fails at
// its first allocation.
func KernelFiles(ctx context.Context) (map[string][]string, error) {
	files := map[string]map[string]bool{"": {commonFile: true}}
	for _, s := range Subjects() {
		files[s.Name] = map[string]bool{}
	}
	found := make([]map[string][]string, 0)
	g, ctx := errgroup.WithContext(ctx)
	for _, s := range offline() {
		into := make(map[string][]string)
		found = append(found, into)
		g.Go(func() error { return s.kernelFiles(ctx, into) })
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for _, of := range found {
		for name, list := range of {
			for _, file := range list {
				files[name][file] = true
			}
		}
	}
	sorted := make(map[string][]string)
	for name, set := range files {
		sorted[name] = slices.Sorted(maps.Keys(set))
	}
	return sorted, nil
}

// noDevice is what a session without a device is made of.
type noDevice struct {
	caps device.Caps
	set  tune.Set
}

// offline are devices that can do everything, and smaller ones that cannot, with the parameters of each tuning row. The
// default sorter of a CPU depends on how many cores it has.
func offline() (list []noDevice) {
	for _, set := range tune.Sets() {
		for _, large := range []bool{true, false} {
			c := device.Caps{CPUShape: set.Map.WG == 1, SubgroupWidth: 1, ComputeUnits: 2, MaxWorkGroup: 1024,
				GlobalMem: 1 << 40, MaxAlloc: 1 << 40, LocalMem: 48 << 10, ForwardProgress: large, Int64Atomics: true}
			if large {
				c.ComputeUnits = 100
			}
			tuned.Quirks(&c).LongLoops = true
			list = append(list, noDevice{c, set})
		}
	}
	return list
}

// Lengths of a dry run: of texts, and of those for which plans have steps that shorter ones do without.
const (
	smallText  = 1 << 7 // one work-group sorts it
	middleText = 1 << 12
	longText   = 1 << 16
	hugeLength = 1 << 28
)

// sorterFile is in the programs of all that sorts by suffixsort.
const sorterFile = "suffixsort.cl"

func (d noDevice) kernelFiles(ctx context.Context, into map[string][]string) error {
	base := filesOf(tuned.Offline(d.caps, d.set))
	into[""] = slices.DeleteFunc(slices.Clone(base), func(file string) bool { return file == selfTestFile })
	cfg := conformance.Tiny()
	cfg.Seed, cfg.PerSize, cfg.Random = 1, 1, 1
	cfg.MaxExhaustive2, cfg.MaxExhaustive3 = 2, 2
	for _, subject := range Subjects() {
		s := tuned.Offline(d.caps, d.set)
		if subject.cases == nil {
			continue
		}
		for _, cfg.Large = range []int{middleText, longText} { // sorters differ
			for _, c := range oneOfEach(subject.cases(s, cfg)) {
				_ = c.Run(ctx) // fails without a device
				s.Recover()
			}
		}
		if subject.later != nil {
			subject.later(s)
		}
		if slices.Contains(filesOf(s), sorterFile) {
			if _, err := suffixsort.New(s, hugeLength); err != nil {
				return err
			}
		}
		for _, file := range filesOf(s) {
			if !slices.Contains(base, file) {
				into[subject.Name] = append(into[subject.Name], file)
			}
		}
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// oneOfEach are cases that plan differently: the last of each class, and of all large ones.
func oneOfEach(cases []conformance.Case) (few []conformance.Case) {
	last := make(map[string]int)
	for i, c := range cases {
		class, _, _ := strings.Cut(c.Name, "/n=")
		if before, _, large := strings.Cut(class, "large/"); large {
			class = before + "large"
		}
		last[class] = i
	}
	for _, i := range slices.Sorted(maps.Values(last)) {
		few = append(few, cases[i])
	}
	return few
}

// filesOf are the files in the programs that a session was asked for.
func filesOf(s *device.Session) (files []string) {
	for _, source := range tuned.Sources(s) {
		files = append(files, source.Files...)
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// Newest is the run of a summary that began last, or nil.
func (s *Summary) Newest() *RunSummary {
	if len(s.Runs) == 0 {
		return nil
	}
	return slices.MaxFunc(s.Runs, func(a, b *RunSummary) int { return strings.Compare(a.Began, b.Began) })
}

// ChangedKernels are the files that are not as they were when a run was made: changed, new or gone since. !known: the
// run does not tell files apart, and its kernels are others as a whole.
func (r *RunInfo) ChangedKernels() (files []string, known bool) {
	now := tuned.KernelDigests()
	if r.Kernels == nil {
		if _, digest, _ := strings.Cut(r.Library, wordKernels); digest == tuned.KernelDigest() {
			return nil, true
		}
		return slices.Sorted(maps.Keys(now)), false
	}
	for file := range maps.Keys(now) {
		if now[file] != r.Kernels[file] {
			files = append(files, file)
		}
	}
	for file := range r.Kernels {
		if _, there := now[file]; !there {
			files = append(files, file)
		}
	}
	slices.Sort(files)
	return files, true
}
