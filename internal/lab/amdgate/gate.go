package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/lab/programs"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// target is an architecture to compile for.
type target struct {
	name      string
	wavefront int
	// isa lists versions of the device library's architecture constant, best
	// first: older releases do not know newer chips, and nothing that the kernels
	// call depends on it.
	isa []string
}

var targets = []target{
	{"gfx906", 64, []string{"906"}},               // GCN 5.1: Radeon VII, MI50
	{"gfx90a", 64, []string{"90a"}},               // CDNA 2: MI200
	{"gfx942", 64, []string{"942", "940", "90a"}}, // CDNA 3: MI300
	{"gfx1030", 32, []string{"1030"}},             // RDNA 2
	{"gfx1100", 32, []string{"1100", "1030"}},     // RDNA 3
}

// maxLDS is the local memory that a work-group can have on every target.
const maxLDS = 64 << 10

// caps is what the library detects on such a device.
func (t target) caps() *device.Caps {
	c := &device.Caps{
		Name: t.name, Arch: t.name, Vendor: driver.AMD,
		SubgroupWidth: t.wavefront, Int64Atomics: true, ForwardProgress: true,
	}
	q := tuned.Quirks(c)
	q.Lanes, q.LongLoops = driver.LanesAMDGCN, true
	return c
}

// job is one program to compile.
type job struct {
	target    target
	row, name string // of the tuning table; of the program
	source    device.Source
}

func (j job) String() string { return fmt.Sprintf("%s [row %s, %s]", j.name, j.row, j.target.name) }

// jobs lists every program of every tuning row that an AMD device may get.
func jobs(targets []target) ([]job, error) {
	rows := tune.Sets()
	var all []job
	for _, t := range targets {
		for _, row := range slices.Sorted(maps.Keys(rows)) {
			if !forAMD(row) {
				continue
			}
			sources, err := programs.All(*t.caps(), rows[row])
			if err != nil {
				return nil, fmt.Errorf("row %s, %s: %w", row, t.name, err)
			}
			for _, src := range sources {
				all = append(all, job{t, row, programs.Name(src), src})
			}
		}
	}
	return all, nil
}

// forAMD leaves out rows of CPU shape and rows that name another maker's devices.
func forAMD(row string) bool {
	row = strings.ToLower(row)
	if row == "cpu" || strings.HasSuffix(row, "-cpu") {
		return false
	}
	for _, other := range []string{"nvidia", "sm_", "intel", "apple", "arm", "pocl", "mesa", "oclgrind"} {
		if strings.HasPrefix(row, other) {
			return false
		}
	}
	return true
}

// tools are the compiler, the linker and the directory of device libraries.
type tools struct{ clang, lld, bitcode string }

var errNoTools = errors.New("install the Debian packages clang-19, lld-19 and rocm-device-libs")

func findTools() (tools, error) {
	var t tools
	var err error
	if t.clang, err = exec.LookPath("clang-19"); err != nil {
		return t, fmt.Errorf("%w (no clang-19)", errNoTools)
	}
	if t.lld, err = exec.LookPath("ld.lld-19"); err != nil {
		return t, fmt.Errorf("%w (no ld.lld-19)", errNoTools)
	}
	for _, pattern := range []string{"/usr/lib/*/amdgcn/bitcode", "/usr/lib/amdgcn/bitcode", "/opt/rocm/amdgcn/bitcode"} {
		dirs, _ := filepath.Glob(pattern)
		for _, dir := range dirs {
			if exists(filepath.Join(dir, "opencl.bc")) {
				t.bitcode = dir
				return t, nil
			}
		}
	}
	return t, fmt.Errorf("%w (no amdgcn/bitcode/opencl.bc)", errNoTools)
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// libraries are the device libraries for a target, in link order.
func (t tools) libraries(tg target) ([]string, error) {
	wavefront64 := "oclc_wavefrontsize64_off"
	if tg.wavefront == 64 {
		wavefront64 = "oclc_wavefrontsize64_on"
	}
	names := []string{
		"opencl", "ocml", "ockl", wavefront64,
		"oclc_correctly_rounded_sqrt_on", "oclc_daz_opt_off", "oclc_finite_only_off", "oclc_unsafe_math_off",
		"oclc_abi_version_500", // what clang 19 emits
	}
	for _, isa := range tg.isa {
		if name := "oclc_isa_version_" + isa; exists(filepath.Join(t.bitcode, name+".bc")) {
			names = append(names, name)
			break
		}
	}
	for i, name := range names {
		names[i] = filepath.Join(t.bitcode, name+".bc")
		if !exists(names[i]) {
			return nil, fmt.Errorf("no device library %s", names[i])
		}
	}
	return names, nil
}

// result is what came of a job.
type result struct {
	job     job
	kernels []kernel
	err     error
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

// compileAll returns the results in the order of the jobs.
func (t tools) compileAll(jobs []job) []result {
	results := make([]result, len(jobs))
	next := make(chan int)
	var wg sync.WaitGroup
	for range runtime.NumCPU() {
		wg.Go(func() {
			for i := range next {
				results[i].job = jobs[i]
				text, err := tuned.Assemble(jobs[i].target.caps(), jobs[i].source)
				if err == nil {
					results[i].kernels, err = t.compile(text, jobs[i].target)
				}
				results[i].err = err
			}
		})
	}
	for i := range jobs {
		next <- i
	}
	close(next)
	wg.Wait()
	return results
}

// compile builds a code object of the text and reads its kernels.
func (t tools) compile(text string, tg target) ([]kernel, error) {
	dir, err := os.MkdirTemp("", "amdgate")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	libraries, err := t.libraries(tg)
	if err != nil {
		return nil, err
	}
	object, code := filepath.Join(dir, "program.o"), filepath.Join(dir, "program.co")
	// -O3 and the standard are what the drivers and package device use.
	args := []string{
		"-x", "cl", "-cl-std=CL1.2", "-target", "amdgcn-amd-amdhsa", "-mcpu=" + tg.name, "-O3",
		"-Xclang", "-finclude-default-header", "-nogpulib", "-Werror", "-Wparentheses",
	}
	for _, l := range libraries {
		args = append(args, "-Xclang", "-mlink-builtin-bitcode", "-Xclang", l)
	}
	cmd := exec.Command(t.clang, append(args, "-c", "-o", object, "-")...)
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("compiling: %w\n%s", err, out)
	}
	if out, err := exec.Command(t.lld, "-shared", "--no-undefined", "-o", code, object).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("linking: %w\n%s", err, out)
	}
	f, err := os.Open(code)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readCodeObject(f)
}
