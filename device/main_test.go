package device_test

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// childVariable makes the test binary do one thing in a process of its own:
// what a loader or a driver reads from the environment, it reads once.
const (
	childVariable = "DEVICE_TEST_CHILD"
	childOpen     = "open"     // open the default device, print what the error matches
	childBuild    = "build"    // build and run a program with the cache of...
	childTogether = "together" // the same by 50 goroutines, none of which is the first
	cacheVariable = "DEVICE_TEST_CACHE"
	indexVariable = "DEVICE_TEST_INDEX"
)

// What OpenCL has and package cl has no name for.
const (
	deviceTypeDefault = cl.DeviceType(1 << 0)
	deviceTypeCustom  = cl.DeviceType(1 << 4)
	invalidKernelName = cl.Code(-46)
)

// programs is the program cache that the tests share, so that each program is
// compiled once.
var programs string

func TestMain(m *testing.M) {
	// Asked for here so that the go command does not reuse a result from other drivers.
	for _, name := range []string{"OCL_ICD_VENDORS", "RUSTICL_ENABLE", "POCL_DEVICES", "SUFFIXCL_DEVICE"} {
		os.Getenv(name)
	}
	if job := os.Getenv(childVariable); job != "" {
		if err := children[job](); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		return
	}
	os.Unsetenv("SUFFIXCL_DEVICE")
	var err error
	if programs, err = os.MkdirTemp("", "device-test-*"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(programs)
	os.Exit(code)
}

// children are what the test binary can do.
var children = map[string]func() error{childOpen: openDefault, childBuild: build, childTogether: buildTogether}

// openDefault is childOpen.
func openDefault() error {
	s, err := device.Open(device.Config{CacheDir: "off"})
	for name, target := range map[string]error{
		"device.ErrNoDevice": device.ErrNoDevice,
		"cl.ErrNoLibrary":    cl.ErrNoLibrary, "cl.ErrNoPlatform": cl.ErrNoPlatform, "cl.ErrNoDevice": cl.ErrNoDevice,
	} {
		if errors.Is(err, target) {
			fmt.Println("matches", name)
		}
	}
	if err != nil {
		fmt.Println(err)
		return nil
	}
	fmt.Println("opened", s.Caps().Name)
	return s.Close()
}

// buildTogether is childTogether. The sessions are used one after the other: PoCL 5.0 fails an assertion of its own
// where many build and close at once.
func buildTogether() error {
	var opening errgroup.Group
	var use sync.Mutex
	for range 50 {
		opening.Go(func() error {
			s, err := openChild()
			if err != nil {
				return err
			}
			use.Lock()
			defer use.Unlock()
			return cmp.Or(sumTo(s, 100), s.Close())
		})
	}
	return opening.Wait()
}

func openChild() (*device.Session, error) {
	return device.Open(device.Config{Selector: os.Getenv(indexVariable), CacheDir: os.Getenv(cacheVariable)})
}

// build is childBuild.
func build() error {
	s, err := openChild()
	if err != nil {
		return err
	}
	defer s.Close()
	return sumTo(s, 100)
}

// child runs the test binary for a job and returns what it prints.
func child(t testing.TB, job string, environment ...string) (string, error) {
	self, err := os.Executable()
	require.NoError(t, err)
	command := exec.Command(self)
	command.Env = append(append(os.Environ(), childVariable+"="+job), environment...)
	output, err := command.CombinedOutput()
	return string(output), err
}

// each runs a test on every device.
func each(t *testing.T, test func(t *testing.T, d *cl.Device)) {
	for i, d := range devicetest.Devices(t) {
		t.Run(strconv.Itoa(i)+"/"+d.Platform().Name(), func(t *testing.T) { test(t, d) })
	}
}

// indexOf is what a child process selects the device by.
func indexOf(t testing.TB, d *cl.Device) string {
	all, err := device.List()
	require.NoError(t, err)
	return strconv.Itoa(slices.IndexFunc(all, func(o *cl.Device) bool {
		return o.Name() == d.Name() && o.Platform().Name() == d.Platform().Name()
	}))
}

// open opens a session that is closed with the test.
func open(t testing.TB, d *cl.Device, c device.Config) *device.Session {
	return openWith(t, d, c, tuned.Edits{})
}

// openWith is open with other capabilities or parameters.
func openWith(t testing.TB, d *cl.Device, c device.Config, e tuned.Edits) *device.Session {
	c.Device = d
	if identified := tuned.Identify(d); c.CacheDir == "" && identified.Vendor != driver.PoCL { // which has its own
		c.CacheDir = programs
	}
	s, err := tuned.Open(c, e)
	require.NoError(t, err)
	t.Cleanup(func() {
		require.Zero(t, s.LiveBytes(), "device memory left")
		require.NoError(t, s.Close())
	})
	return s
}

// sessions runs a test on a session of every device.
func sessions(t *testing.T, test func(t *testing.T, s *device.Session)) {
	each(t, func(t *testing.T, d *cl.Device) { test(t, open(t, d, device.Config{})) })
}

func alloc[T device.Element](t testing.TB, s *device.Session, n int) *device.Buffer[T] {
	b, err := device.Alloc[T](s, n)
	require.NoError(t, err)
	t.Cleanup(b.Release)
	return b
}

func from[T device.Element](t testing.TB, s *device.Session, values []T) *device.Buffer[T] {
	b := alloc[T](t, s, len(values))
	require.NoError(t, b.Write(values))
	return b
}

func read[T device.Element](t testing.TB, b *device.Buffer[T]) []T {
	values := make([]T, b.Len())
	require.NoError(t, b.Read(values))
	return values
}

func iota32(n int) []uint32 {
	values := make([]uint32, n)
	for i := range values {
		values[i] = uint32(i)
	}
	return values
}

// scanSource is a small program: scan_partials(partials, n) replaces n values by
// their exclusive sums and puts the sum of all after them.
func scanSource(wg int) device.Source {
	return device.Source{Files: []string{"scan.cl"}, Defines: device.Defines{
		"WG": wg, "ITEMS": 2, "T": "uint", "OP": "OP_ADD", "IDENTITY": "0u", "INCLUSIVE": 0,
		"T_BYTES": 4, "LOOK_BACK": 0,
	}}
}

const group = 8

func scanKernel(t testing.TB, s *device.Session) *device.Kernel {
	k := s.Program(scanSource(group)).Kernel("scan_partials", group)
	require.NoError(t, k.Make())
	return k
}

// sumTo checks that scanSource does what it should.
func sumTo(s *device.Session, n int) error {
	k := s.Program(scanSource(group)).Kernel("scan_partials", group)
	b, err := device.Alloc[uint32](s, n+1)
	if err != nil {
		return err
	}
	defer b.Release()
	values := iota32(n + 1)
	if err := b.Write(values); err != nil {
		return err
	}
	k.Launch(1, 0, b, uint64(n))
	if err := b.Read(values); err != nil {
		return err
	}
	if want := uint32(n * (n - 1) / 2); values[n] != want {
		return fmt.Errorf("sum of the numbers below %d is %d, got %d", n, want, values[n])
	}
	return nil
}
