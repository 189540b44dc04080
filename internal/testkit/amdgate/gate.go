package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/testkit/amdcode"
	"github.com/suffixcl/suffixcl/internal/testkit/programs"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// maxLDS is the local memory that a work-group can have on every target.
const maxLDS = 64 << 10

// capsOf is what the library detects on such a device.
func capsOf(t amdcode.Target) *device.Caps {
	c := &device.Caps{
		Name: t.Name, Arch: t.Name, Vendor: driver.AMD,
		SubgroupWidth: t.Wavefront, Int64Atomics: true, ForwardProgress: true,
	}
	q := tuned.Quirks(c)
	q.Lanes, q.LongLoops = driver.LanesAMDGCN, true
	return c
}

// job is one program to compile.
type job struct {
	target    amdcode.Target
	row, name string // of the tuning table; of the program
	source    device.Source
}

func (j job) String() string { return fmt.Sprintf("%s [row %s, %s]", j.name, j.row, j.target.Name) }

// withTiny are the targets whose programs with tiny tiles are compiled, one of each width of wavefronts: only tests
// have such tiles.
var withTiny = []string{"gfx942", "gfx1100"}

// jobs lists every program of the tuning row that a target gets, and with tiny tiles.
func jobs(targets []amdcode.Target) ([]job, error) {
	var all []job
	for _, t := range targets {
		c := capsOf(t)
		name, set := tune.RowFor(tune.Key{Device: c.Name, Arch: c.Arch, Vendor: c.Vendor, Kind: "gpu"})
		for _, row := range []struct {
			name string
			set  tune.Set
		}{{name, set}, {"tiny-gpu", tune.Tiny(false)}} {
			if row.name != name && !slices.Contains(withTiny, t.Name) {
				continue
			}
			sources, err := programs.All(*c, row.set)
			if err != nil {
				return nil, fmt.Errorf("row %s, %s: %w", row.name, t.Name, err)
			}
			for _, src := range sources {
				all = append(all, job{t, row.name, programs.Name(src), src})
			}
		}
	}
	return all, nil
}

// having are the jobs whose programs have one of these files.
func having(all []job, files []string) []job {
	return slices.DeleteFunc(all, func(j job) bool {
		return !slices.ContainsFunc(files, func(file string) bool { return slices.Contains(j.source.Files, file) })
	})
}

// result is what came of a job.
type result struct {
	job     job
	kernels []amdcode.Kernel
	err     error
	alone   bool // compiled by itself
}

// failures lists what must not be.
func (r result) failures() []string {
	if r.err != nil {
		return []string{r.err.Error()}
	}
	var list []string
	if len(r.kernels) == 0 {
		list = append(list, "no kernel in the code object")
	}
	for _, k := range r.kernels {
		if k.VGPRSpills > 0 {
			list = append(list, fmt.Sprintf("%s spills %d vector registers", k.Name, k.VGPRSpills))
		}
		if k.SGPRSpills > 0 {
			list = append(list, fmt.Sprintf("%s spills %d scalar registers", k.Name, k.SGPRSpills))
		}
		if k.Scratch > 0 && k.VGPRSpills == 0 && k.SGPRSpills == 0 {
			list = append(list, fmt.Sprintf("%s keeps a private array of %d bytes in memory: a loop over it is not unrolled",
				k.Name, k.Scratch))
		}
		if k.DynamicStack {
			list = append(list, fmt.Sprintf("%s needs a stack of unknown size", k.Name))
		}
		if k.LDS > maxLDS {
			list = append(list, fmt.Sprintf("%s needs %d bytes of local memory, a work-group has %d", k.Name, k.LDS, maxLDS))
		}
	}
	return list
}

// together is how many programs a process compiles: then its start counts for little, and its memory neither.
const together = 16

// compileAll returns the results in the order of the jobs.
func compileAll(c amdcode.Compiler, jobs []job) ([]result, error) {
	dir, err := os.MkdirTemp("", "amdgate")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	reduced, err := c.Reduced(context.Background(), dir)
	if err != nil {
		return nil, err
	}
	results := make([]result, len(jobs))
	for i, j := range jobs {
		results[i].job = j
	}
	next := make(chan []result)
	var wg sync.WaitGroup
	for range runtime.NumCPU() {
		wg.Go(func() {
			for some := range next {
				compileSome(c, reduced, some)
			}
		})
	}
	for first := 0; first < len(results); {
		last := first + 1
		for last < len(results) && last < first+together && jobs[last].target.Name == jobs[first].target.Name {
			last++
		}
		next <- results[first:last]
		first = last
	}
	close(next)
	wg.Wait()
	return results, nil
}

// compileSome fills in the results of jobs of one target. What fails together is compiled again by itself, with all
// libraries and the linker: that decides.
func compileSome(c, reduced amdcode.Compiler, results []result) {
	target := results[0].job.target
	texts := make([]string, len(results))
	for i := range results {
		texts[i], results[i].err = tuned.Assemble(capsOf(target), results[i].job.source) // empty, with an error
	}
	objects, together := reduced.Objects(context.Background(), texts, target)
	for i := range results {
		r := &results[i]
		if r.err != nil {
			continue
		}
		if together == nil {
			r.kernels, r.err = amdcode.ReadObject(objects[i])
		}
		if together != nil || r.err != nil {
			r.alone = true
			r.kernels, r.err = compile(c, texts[i], target)
		}
	}
}

// compile builds a code object of the text and reads its kernels.
func compile(c amdcode.Compiler, text string, t amdcode.Target) ([]amdcode.Kernel, error) {
	code, err := c.Compile(context.Background(), text, t)
	if err != nil {
		return nil, err
	}
	return amdcode.ReadKernels(code)
}
