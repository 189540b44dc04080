package cl_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
)

// childVariable makes the test binary run one of children and exit: what a driver or a loader reads from the
// environment, it reads once, and it is initialised once.
const childVariable = "CL_TEST_CHILD"

var children = map[string]func(){"list": listDevices, "concurrent": firstUse, "libraries": listLibraries}

func TestMain(m *testing.M) {
	// Asked for here so that the go command does not reuse a result from other drivers.
	for _, name := range []string{"OCL_ICD_VENDORS", "RUSTICL_ENABLE", "POCL_DEVICES"} {
		os.Getenv(name)
	}
	if child := children[os.Getenv(childVariable)]; child != nil {
		child()
		return
	}
	devicetest.Main(m)
}

func listDevices() {
	devices, err := cl.GetDevices(cl.DeviceTypeAll)
	for name, sentinel := range map[string]error{
		"ErrNoLibrary": cl.ErrNoLibrary, "ErrNoPlatform": cl.ErrNoPlatform, "ErrNoDevice": cl.ErrNoDevice,
	} {
		if errors.Is(err, sentinel) {
			fmt.Println(name)
		}
	}
	fmt.Println(len(devices), "devices", err)
	fmt.Printf("POCL_CACHE_DIR=%q\n", os.Getenv("POCL_CACHE_DIR"))
}

// listLibraries prints the libraries of drivers that are called without a loader.
func listLibraries() {
	devices, err := cl.GetDevices(cl.DeviceTypeAll)
	if err != nil {
		fmt.Println(err)
	}
	for _, d := range devices {
		fmt.Println(d.Platform().Library())
	}
}

// setup is what most tests need of a device.
type setup struct {
	device  *cl.Device
	context *cl.Context
	queue   *cl.CommandQueue
}

// allDevices returns every device, and skips the test if there is none, unless REQUIRE_OPENCL is 1.
func allDevices(t testing.TB) []*cl.Device {
	devices, err := cl.GetDevices(cl.DeviceTypeAll)
	if err != nil && os.Getenv("REQUIRE_OPENCL") != "1" {
		t.Skip(err)
	}
	require.NoError(t, err)
	return devices
}

// eachDevice runs a test on every device.
func eachDevice(t *testing.T, test func(t *testing.T, s *setup)) {
	for _, device := range allDevices(t) {
		t.Run(device.Name(), func(t *testing.T) { test(t, newSetup(t, device)) })
	}
}

// skip skips the test on the platforms with this in their name.
func (s *setup) skip(t testing.TB, platform, why string) {
	if strings.Contains(s.device.Platform().Name(), platform) {
		t.Skip(why)
	}
}

func newSetup(t testing.TB, device *cl.Device) *setup {
	context, err := cl.CreateContext([]*cl.Device{device})
	require.NoError(t, err)
	t.Cleanup(context.Release)
	queue, err := context.CreateCommandQueue(device, cl.CommandQueueProfilingEnable)
	require.NoError(t, err)
	t.Cleanup(queue.Release)
	return &setup{device, context, queue}
}

func (s *setup) build(t testing.TB, source string) *cl.Program {
	program, err := s.context.CreateProgramWithSource([]string{source})
	require.NoError(t, err)
	t.Cleanup(program.Release)
	require.NoError(t, program.BuildProgram(nil, "-cl-std=CL1.2"))
	return program
}

func (s *setup) kernel(t testing.TB, source, name string) *cl.Kernel {
	kernel, err := s.build(t, source).CreateKernel(name)
	require.NoError(t, err)
	t.Cleanup(kernel.Release)
	return kernel
}

func (s *setup) buffer(t testing.TB, size int) *cl.MemObject {
	buffer, err := s.context.CreateEmptyBuffer(cl.MemReadWrite, size)
	require.NoError(t, err)
	t.Cleanup(buffer.Release)
	return buffer
}

func filled[T any](t testing.TB, s *setup, values []T) *cl.MemObject {
	size := len(values) * int(unsafe.Sizeof(values[0]))
	buffer := s.buffer(t, size)
	event, err := s.queue.EnqueueWriteBuffer(buffer, true, 0, size, unsafe.Pointer(&values[0]), nil)
	require.NoError(t, err)
	event.Release()
	return buffer
}

// read returns the first n elements of a buffer.
func read[T any](t testing.TB, s *setup, buffer *cl.MemObject, n int) []T {
	values := make([]T, n)
	size := n * int(unsafe.Sizeof(values[0]))
	event, err := s.queue.EnqueueReadBuffer(buffer, true, 0, size, unsafe.Pointer(&values[0]), nil)
	require.NoError(t, err)
	event.Release()
	return values
}

func iota32(n int, first uint32) []uint32 {
	values := make([]uint32, n)
	for i := range values {
		values[i] = first + uint32(i)
	}
	return values
}
