package call_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

// requireNotWrong: a failure is not a verdict.
func requireNotWrong(t *testing.T, err error, format string, args ...any) {
	t.Helper()
	var wrong *suffixcl.MismatchError
	if errors.Is(err, enginetest.ErrWrong) || errors.As(err, &wrong) {
		t.Fatalf(format+": %v", append(args, err)...)
	}
}

// A failure is what happens to calls of the driver from one on.
type failure struct {
	name   string
	wanted func(call string) bool // only these are counted and fail
	onward bool                   // all that follow fail, too
	short  bool                   // transfers fail half-way
}

func (f failure) String() string { return f.name }

// failures are those of a device that has its programs.
var failures = []failure{
	{name: "alone", wanted: anyCall},
	{name: "onward", wanted: anyCall, onward: true},
	{name: "short", wanted: transfer, short: true},
}

// faults fails the calls from first on, or only that one, counted from 0 among those
// that are wanted, with the codes that drivers give.
type faults struct {
	failure
	first  int64
	calls  atomic.Int64
	failed atomic.Value // name of the first call that failed
}

// symbolAlgorithms sort texts of symbols.
var symbolAlgorithms = []suffixcl.Algorithm{suffixcl.AlgorithmSuffixsort, suffixcl.AlgorithmSAIS}

// slow devices get fewer tries.
func slow(d *cl.Device) bool {
	v := tuned.Identify(d).Vendor
	return v == driver.Oclgrind || v == driver.Mesa
}

func anyCall(string) bool { return true }

func transfer(call string) bool {
	return call == "clEnqueueReadBuffer" || call == "clEnqueueWriteBuffer"
}

func building(call string) bool {
	return strings.HasPrefix(call, "clCreate") && call != "clCreateBuffer" || strings.HasPrefix(call, "clBuild") ||
		strings.HasPrefix(call, "clGetKernel") || strings.HasPrefix(call, "clGetProgram")
}

// during runs f with the faults.
func (x *faults) during(f func() error) error {
	restore := hooks.InjectFaults(func(call string) int32 {
		if !x.wanted(call) {
			return 0
		}
		if k := x.calls.Add(1) - 1; k < x.first || k > x.first && !x.onward {
			return 0
		}
		x.failed.CompareAndSwap(nil, call)
		switch {
		case x.short:
			return hooks.Short
		case call == "clCreateBuffer":
			return int32(cl.MemObjectAllocationFailure)
		case call == "clBuildProgram":
			return -11 // CL_BUILD_PROGRAM_FAILURE
		}
		return int32(cl.OutOfResources)
	})
	defer restore()
	return f()
}

// TestFaults fails calls to the driver (every one if SUFFIXCL_SOAK is 1), alone, with all
// that follow, and transfers half-way, in every operation and algorithm: there is an error and no wrong
// answer, nothing leaks, and the engine works when the driver does.
func TestFaults(t *testing.T) {
	text, err := conformance.NewText("repeats/sigma=4", 90, 1)
	require.NoError(t, err)
	a := enginetest.AnswersOf(text)
	for _, d := range devicetest.Devices(t) {
		for _, profile := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%s/profile=%v", d.Platform().Name(), d.Name(), profile), func(t *testing.T) {
				before := hooks.LiveObjects.Load()
				// One session for all: it builds what they share once.
				s, err := tuned.Open(device.Config{Device: d, Profile: profile}, tuned.Edits{
					// So that the skew algorithms recurse.
					Set: func(c *device.Caps, set *tune.Set) { *set = tune.Tiny(c.CPUShape) },
				})
				require.NoError(t, err)
				for _, algorithm := range suffixcl.Algorithms()[1:] {
					for _, op := range enginetest.Operations {
						if !hasFaults(d, algorithm, op.Op) || profile && algorithm != suffixcl.AlgorithmSuffixsort {
							continue // what a profile adds, launches and reads have, not sorters
						}
						t.Run(string(algorithm)+"/"+op.Op.String(), func(t *testing.T) {
							e, err := suffixcl.New(s, suffixcl.EngineOptions{Algorithm: algorithm})
							require.NoError(t, err)
							require.NoError(t, op.Run(context.Background(), e, a)) // programs are built
							for _, f := range failures {
								n := sweep(t, s, e, func() error { return op.Run(context.Background(), e, a) }, f, profile)
								t.Logf("%d calls to the driver, %v", n, f)
							}
							enginetest.Core(e).Forget()
						})
					}
				}
				require.NoError(t, s.Close())
				require.Equal(t, before, hooks.LiveObjects.Load(), "objects left")
			})
		}
	}
}

// hasFaults tells whether TestFaults goes through an operation by an algorithm, which has not been tried by another.
func hasFaults(d *cl.Device, algorithm suffixcl.Algorithm, op enginetest.Op) bool {
	sorts := op == enginetest.OpSuffixArray || op == enginetest.OpBWT && algorithm == suffixcl.AlgorithmSuffixsort
	symbols := (op == enginetest.OpBuild || op == enginetest.OpRepeatsOf) && slices.Contains(symbolAlgorithms, algorithm)
	if op == enginetest.OpRepeatsOf && !symbols {
		return false // it has symbols
	}
	return algorithm == suffixcl.Algorithms()[1] || !slow(d) && sorts || symbols
}

// sweep fails each wanted call of run, or with sparse some of them; it returns their number.
func sweep(t *testing.T, s *device.Session, e *suffixcl.Engine, op func() error, f failure, sparse bool) int64 {
	run := func() error {
		enginetest.Core(e).Forget() // so that every run makes the same calls
		return op()
	}
	count := faults{failure: f, first: 1 << 60}
	require.NoError(t, count.during(run))
	enginetest.Core(e).Forget()
	objects := hooks.LiveObjects.Load()
	step := max(1, count.calls.Load()/12)
	switch {
	case devicetest.Soak:
		step = 1
	case sparse || testing.Short() || slow(tuned.CLDevice(s)):
		step = max(1, count.calls.Load()/6)
	}
	for k := int64(0); k < count.calls.Load(); k += step {
		x := faults{failure: f, first: k}
		err := x.during(run)
		what := fmt.Sprintf("call %d, %v, %v", k, x.failed.Load(), f)
		requireNotWrong(t, err, "%s", what)
		switch failed := x.failed.Load(); {
		case failed == nil: // the last calls are not made if what they ask about is done
			require.NoError(t, err, what)
			require.Greater(t, k, count.calls.Load()*9/10, what)
		case failed != "clGetEventProfilingInfo" || err != nil: // a time that is not known is no failure
			var code cl.Code
			require.ErrorAs(t, err, &code, what)
		}
		enginetest.Core(e).Forget()
		require.Zero(t, s.LiveBytes(), "%s: %v", what, err)
		require.Equal(t, objects, hooks.LiveObjects.Load(), "%s: objects left after %v", what, err)
		if k%7 == 0 || f.onward {
			require.NoError(t, run(), "after %s", what)
		}
	}
	return count.calls.Load()
}

// TestSlowDevice: calls that take their time now and then change no answer.
func TestSlowDevice(t *testing.T) {
	enginetest.Each(t, suffixcl.Options{}, func(t *testing.T, e *suffixcl.Engine, _ conformance.Config) {
		text, err := conformance.NewText("repeats/sigma=4", 90, 1)
		require.NoError(t, err)
		a := enginetest.AnswersOf(text)
		var calls atomic.Int64
		defer hooks.InjectFaults(func(string) int32 {
			if calls.Add(1)%37 == 0 {
				time.Sleep(time.Millisecond)
			}
			return 0
		})()
		for _, op := range enginetest.Operations {
			require.NoError(t, op.Run(context.Background(), e, a), op.Op)
		}
		require.Positive(t, calls.Load())
	})
}

// TestFaultsOfBuilding fails what opens a device and builds its programs.
func TestFaultsOfBuilding(t *testing.T) {
	a := enginetest.AnswersOf([]byte("mississippi"))
	for _, d := range devicetest.Devices(t) {
		t.Run(d.Platform().Name()+"/"+d.Name(), func(t *testing.T) {
			cache := t.TempDir()
			run := func() error {
				s, err := device.Open(device.Config{Device: d, CacheDir: cache})
				if err != nil {
					return err
				}
				defer s.Close()
				e, err := suffixcl.New(s, suffixcl.EngineOptions{})
				if err != nil {
					return err
				}
				defer func() {
					enginetest.Core(e).Forget()
					require.Zero(t, s.LiveBytes())
				}()
				for _, op := range enginetest.Operations {
					if err := op.Run(context.Background(), e, a); err != nil {
						return err
					}
				}
				return nil
			}
			require.NoError(t, run())
			objects := hooks.LiveObjects.Load()
			count := faults{failure: failure{wanted: building}, first: 1 << 60}
			require.NoError(t, count.during(run))
			step := max(1, count.calls.Load()/15)
			tolerated := 0
			for k := int64(0); k < count.calls.Load(); k += step {
				for _, onward := range []bool{false, true} {
					x := faults{failure: failure{wanted: building, onward: onward}, first: k}
					err := x.during(run)
					what := fmt.Sprintf("call %d, %v, onward %v", k, x.failed.Load(), onward)
					requireNotWrong(t, err, "%s", what)
					require.Equal(t, objects, hooks.LiveObjects.Load(), "%s: objects left after %v", what, err)
					if err == nil { // a binary in the cache is replaced by the source
						require.False(t, onward, what)
						tolerated++
					}
				}
			}
			t.Logf("%d calls, every %d-th failed, %d tolerated", count.calls.Load(), step, tolerated)
			require.NoError(t, run())
		})
	}
}

// TestLeaks: many small jobs leave the memory of device and process as it was.
func TestLeaks(t *testing.T) {
	jobs := 1000
	if devicetest.Soak {
		jobs = 10000
	}
	for _, d := range devicetest.Devices(t) {
		t.Run(d.Platform().Name()+"/"+d.Name(), func(t *testing.T) {
			s, err := device.Open(device.Config{Device: d})
			require.NoError(t, err)
			e, err := suffixcl.New(s, suffixcl.EngineOptions{})
			require.NoError(t, err)
			defer e.Close()
			jobs := jobs
			if slow(d) {
				jobs = 40
			}
			a := enginetest.AnswersOf([]byte("how many small jobs until the memory is full?"))
			round := func(n int) {
				for i := range n {
					require.NoError(t, enginetest.Operations[i%len(enginetest.Operations)].Run(context.Background(), e, a))
				}
			}
			round(max(jobs/4, len(enginetest.Operations))) // warm: each has built its programs
			enginetest.Core(e).Forget()
			objects, memory := hooks.LiveObjects.Load(), hostMemory()
			round(jobs)
			grown := hostMemory() - memory
			enginetest.Core(e).Forget()
			require.Equal(t, objects, hooks.LiveObjects.Load())
			require.Zero(t, s.LiveBytes())
			t.Logf("%d jobs: the process grew by %d KiB", jobs, grown>>10)
			if s.Caps().Vendor == driver.PoCL {
				assert.Less(t, grown, int64(24<<20))
			}
		})
	}
}

// hostMemory is the resident memory of the process, 0 where it cannot be told.
func hostMemory() int64 {
	runtime.GC()
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, resident int64
	fmt.Sscan(string(data), &size, &resident)
	return resident * int64(os.Getpagesize())
}

// TestConcurrentEngines: sessions share nothing that they could spoil.
func TestConcurrentEngines(t *testing.T) {
	for _, d := range devicetest.Devices(t) {
		t.Run(d.Platform().Name()+"/"+d.Name(), func(t *testing.T) {
			before := hooks.LiveObjects.Load()
			var wg sync.WaitGroup
			for g := range 4 {
				wg.Go(func() {
					s, err := device.Open(device.Config{Device: d})
					if !assert.NoError(t, err) {
						return
					}
					e, err := suffixcl.New(s, suffixcl.EngineOptions{})
					if !assert.NoError(t, err) {
						return
					}
					defer e.Close()
					for i := range 6 {
						text, err := conformance.NewText("random/sigma=4", 300*g+17*i, uint64(i+1))
						assert.NoError(t, err)
						op := enginetest.Operations[(g+i)%len(enginetest.Operations)]
						assert.NoError(t, op.Run(context.Background(), e, enginetest.AnswersOf(text)), op.Op)
					}
				})
			}
			wg.Wait()
			require.Equal(t, before, hooks.LiveObjects.Load())
		})
	}
}

// TestCancelAnyTime: whenever an operation is cancelled, it gives up what it has, and the
// engine goes on.
func TestCancelAnyTime(t *testing.T) {
	enginetest.Each(t, suffixcl.Options{}, func(t *testing.T, e *suffixcl.Engine, _ conformance.Config) {
		text, err := conformance.NewText("random/sigma=2", 3000, 1)
		require.NoError(t, err)
		a := enginetest.AnswersOf(text)
		var start time.Time
		for range 2 { // the first builds the programs
			start = time.Now()
			for _, op := range enginetest.Operations {
				require.NoError(t, op.Run(context.Background(), e, a))
			}
		}
		whole := time.Since(start) / time.Duration(len(enginetest.Operations))
		enginetest.Core(e).Forget()
		objects := hooks.LiveObjects.Load()
		rng := rand.New(rand.NewPCG(1, 2))
		cancelled := 0
		for i := range 6 * len(enginetest.Operations) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Duration(rng.Int64N(int64(whole))))
			op := enginetest.Operations[i%len(enginetest.Operations)]
			err := op.Run(ctx, e, a)
			cancel()
			requireNotWrong(t, err, "%s", op.Op)
			if err != nil {
				require.ErrorIs(t, err, context.DeadlineExceeded)
				cancelled++
			}
			enginetest.Core(e).Forget()
			require.Equal(t, objects, hooks.LiveObjects.Load(), op.Op)
		}
		t.Logf("%d of %d cancelled", cancelled, 6*len(enginetest.Operations))
		for _, op := range enginetest.Operations {
			require.NoError(t, op.Run(context.Background(), e, a))
		}
	})
}

// TestSharedProgramCache: processes that fill one cache at the same time do not meet half a
// program there.
func TestSharedProgramCache(t *testing.T) {
	const variable = "SUFFIXCL_TEST_CACHE"
	if cache := os.Getenv(variable); cache != "" { // such a process
		e, err := suffixcl.Open(suffixcl.Options{CacheDir: cache})
		require.NoError(t, err)
		defer e.Close()
		require.NoError(t, enginetest.Operations[0].Run(context.Background(), e, enginetest.AnswersOf([]byte("mississippi"))))
		return
	}
	devicetest.Devices(t)
	cache := t.TempDir()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			c := exec.Command(os.Args[0], "-test.run=^TestSharedProgramCache$")
			c.Env = append(os.Environ(), variable+"="+cache)
			out, err := c.CombinedOutput()
			assert.NoError(t, err, "%s", out)
		})
	}
	wg.Wait()
	require.NoError(t, filepath.WalkDir(cache, func(path string, f fs.DirEntry, err error) error {
		assert.True(t, err != nil || f.IsDir() || filepath.Ext(path) == ".clbin", "%s is left", path)
		return err
	}))
}
