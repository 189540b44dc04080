// Package devicetest runs tests on every OpenCL device found, in every variant of package
// harness.
package devicetest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/amdgpu"
	"github.com/suffixcl/suffixcl/internal/testkit/harness"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Names of package harness that tests use.
type (
	Variant                   = harness.Variant
	Guarded[T device.Element] = harness.Guarded[T]
	Guards                    = harness.Guards
)

// Variants of every device.
var Variants = harness.Variants

// Canary fills the memory after and in a Guarded buffer.
const Canary = harness.Canary

// Intact checks that memory still holds canaries.
func Intact[T any](where string, guard []T) error { return harness.Intact(where, guard) }

// Soak makes tests as long as they should be now and then.
var Soak = os.Getenv("SUFFIXCL_SOAK") == "1"

// Env is a session in a variant, and how much to try on it.
type Env struct {
	*device.Session
	Variant string
	// Suite is sized for the device: launches on software rasterisers and
	// simulators are slow.
	Suite conformance.Config
}

// Each runs f as a subtest for every device and variant. Without a device the
// test is skipped, or fails if REQUIRE_OPENCL is 1. With -short the first variant
// is the only one, and tries few texts.
func Each(t *testing.T, f func(t *testing.T, e Env)) { each(t, harness.VariantsFor, f) }

func each(t *testing.T, variants func(*cl.Device) []Variant, f func(t *testing.T, e Env)) {
	for _, d := range Devices(t) {
		t.Run(d.Platform().Name()+"/"+d.Name(), func(t *testing.T) {
			for i, v := range variants(d) {
				t.Run(v.Name, func(t *testing.T) {
					if i > 0 && testing.Short() {
						t.Skip("-short: the native variant alone")
					}
					suite := harness.Suite(d, v)
					if testing.Short() && suite.Large > harness.Few().Large {
						suite = harness.Few()
					}
					// 2,000 texts for each sorter instead of 18,000, which `conformance --full` has.
					longest2, longest3 := 9, 6
					if Soak {
						longest2, longest3 = 11, 7
					}
					if caps := tuned.Identify(d); !Soak && caps.Kind() != "gpu" { // dozens of tiles of full size
						suite.Large = min(suite.Large, 1<<18)
					}
					suite.MaxExhaustive2 = min(suite.MaxExhaustive2, longest2)
					suite.MaxExhaustive3 = min(suite.MaxExhaustive3, longest3)
					f(t, Env{Session: Open(t, d, v), Variant: v.Name, Suite: suite})
				})
			}
		})
	}
}

// FullTiles tells that this is a CPU with the full-size tiles of GPUs, which take long to
// compile there.
func (e Env) FullTiles() bool {
	return e.Variant == Variants[len(Variants)-1].Name && e.Caps().Kind() != "gpu"
}

// Composed is Each for what is composed of primitives: without FullTiles. The primitives' own
// tests have them.
func Composed(t *testing.T, f func(t *testing.T, e Env)) {
	Each(t, func(t *testing.T, e Env) {
		if e.FullTiles() {
			t.Skip("of a GPU")
		}
		f(t, e)
	})
}

// Huge is Native on GPUs, where SUFFIXCL_HUGE is n or more; elsewhere the test is skipped.
func Huge(t *testing.T, n int, f func(t *testing.T, e Env)) {
	if huge, _ := strconv.Atoi(os.Getenv("SUFFIXCL_HUGE")); huge < n {
		t.Skipf("SUFFIXCL_HUGE is not %d or more", n)
	}
	Native(t, func(t *testing.T, e Env) {
		if e.Caps().Kind() != "gpu" {
			t.Skip("not a GPU")
		}
		f(t, e)
	})
}

// Native is Each with the first variant only.
func Native(t *testing.T, f func(t *testing.T, e Env)) {
	Each(t, func(t *testing.T, e Env) {
		if e.Variant == Variants[0].Name {
			f(t, e)
		}
	})
}

// Chunked is Native with transfers of `bytes` bytes at a time.
func Chunked(t *testing.T, bytes int, f func(t *testing.T, e Env)) {
	each(t, func(*cl.Device) []Variant { return []Variant{{Name: "chunked", Edits: tuned.Edits{Chunk: bytes}}} }, f)
}

// Main runs the tests of a package with examples, or whose tests open engines by suffixcl.Open, for its TestMain. It
// leaves the examples out where there is no device: unlike tests they cannot skip themselves.
func Main(m *testing.M) {
	flag.Parse()
	if err := emulate(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if _, err := device.List(); errors.Is(err, device.ErrNoDevice) && os.Getenv("REQUIRE_OPENCL") != "1" {
		skip := flag.Lookup("test.skip").Value
		_ = skip.Set(strings.TrimPrefix(skip.String()+"|^Example", "|"))
	}
	os.Exit(m.Run())
}

// emulate has the tests run on an emulated AMD GPU where the environment asks for one.
var emulate = sync.OnceValue(amdgpu.InstallFromEnvironment)

// deviceVariable names the environment variable with the index of the only device that tests run on.
const deviceVariable = "SUFFIXCL_TEST_DEVICE"

// Devices lists every device, or that of SUFFIXCL_TEST_DEVICE.
func Devices(t testing.TB) []*cl.Device {
	// Asked for here so that the go command does not reuse a result from other
	// drivers: the loader reads them without its knowledge.
	for _, name := range []string{"OCL_ICD_VENDORS", "RUSTICL_ENABLE", "POCL_DEVICES"} {
		os.Getenv(name)
	}
	require.NoError(t, emulate())
	devices, err := device.List()
	if err != nil {
		if os.Getenv("REQUIRE_OPENCL") == "1" {
			require.NoError(t, err, "REQUIRE_OPENCL=1")
		}
		t.Skip(err)
	}
	if only := os.Getenv(deviceVariable); only != "" {
		i, err := strconv.Atoi(only)
		require.True(t, err == nil && 0 <= i && i < len(devices), "%s=%s of %d devices", deviceVariable, only, len(devices))
		return devices[i : i+1]
	}
	return devices
}

// Open opens a session that is closed with the test, which fails if the session
// still holds device memory then. The test is skipped if the driver cannot have the variant.
//
// But in benchmarks launches are compared with what kernels declare, and memory that nothing has been written to
// holds random words.
func Open(t testing.TB, d *cl.Device, v Variant) *device.Session {
	if _, benchmark := t.(*testing.B); !benchmark {
		v.Hooks.Signatures, v.Hooks.Fill = true, harness.RandomFill()
	}
	s, err := harness.Open(d, v)
	require.NoError(t, err)
	t.Cleanup(func() {
		require.Zero(t, s.LiveBytes(), "device memory left")
		require.NoError(t, s.Close())
	})
	NeedWorkGroups(t, s)
	return s
}

// NeedWorkGroups skips the test of a session with work-groups where the driver cannot have them.
func NeedWorkGroups(t testing.TB, s *device.Session) {
	if c := s.Caps(); !c.CPUShape && !harness.WorkGroups(c) {
		t.Skip(c.Platform + " " + c.DriverVersion + " miscompiles work-groups")
	}
}

// Guard allocates n elements before a guard; guard and contents are canaries.
// It is released with the test.
func Guard[T device.Element](t testing.TB, s *device.Session, n int) *Guarded[T] {
	g, err := harness.Guard[T](s, n)
	require.NoError(t, err)
	t.Cleanup(g.Release)
	return g
}

// From is Guard with contents.
func From[T device.Element](t testing.TB, s *device.Session, data []T) *Guarded[T] {
	g := Guard[T](t, s, len(data))
	require.NoError(t, g.Upload(context.Background(), data, nil))
	return g
}

// Workspace makes a guarded workspace of exactly the pieces that a plan asks for. It is
// released with the test.
func Workspace(t testing.TB, s *device.Session, p device.Pieces) (*device.Workspace, Guards) {
	ws, guards, err := harness.Workspace(s, p)
	require.NoError(t, err)
	t.Cleanup(ws.Release)
	return ws, guards
}
