package device_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// listed are all devices there are, whichever tests run on.
func listed(t *testing.T) []*cl.Device {
	devicetest.Devices(t)
	devices, err := device.List()
	require.NoError(t, err)
	return devices
}

func TestSelectIndex(t *testing.T) {
	devices := listed(t)
	for i, want := range devices {
		got, err := device.Select(" " + strconv.Itoa(i) + " ")
		require.NoError(t, err)
		require.Equal(t, want.Name(), got.Name())
		require.Equal(t, want.Platform().Name(), got.Platform().Name())
	}
	for _, i := range []int{-1, len(devices), 1 << 40} {
		_, err := device.Select(strconv.Itoa(i))
		require.ErrorIs(t, err, device.ErrNoDevice)
		require.ErrorContains(t, err, "there is no device "+strconv.Itoa(i))
		require.ErrorContains(t, err, "0: "+devices[0].Name(), "the error lists what there is")
	}
}

func TestSelectKind(t *testing.T) {
	devices := listed(t)
	for _, kind := range []string{"cpu", "gpu", "GPU"} {
		some := slices.ContainsFunc(devices, func(d *cl.Device) bool {
			c := tuned.Identify(d)
			return c.Kind() == strings.ToLower(kind)
		})
		d, err := device.Select(kind)
		if !some {
			require.ErrorIs(t, err, device.ErrNoDevice)
			require.ErrorContains(t, err, `no device matches "`+kind+`"`)
			continue
		}
		require.NoError(t, err)
		c := tuned.Identify(d)
		require.Equal(t, strings.ToLower(kind), c.Kind())
	}
	auto, err := device.Select("auto")
	require.NoError(t, err)
	if d, err := device.Select("gpu"); err == nil {
		require.Equal(t, d.Name(), auto.Name(), "auto prefers a GPU")
	}
}

func TestSelectWords(t *testing.T) {
	each(t, func(t *testing.T, want *cl.Device) {
		words := strings.Fields(want.Platform().Name() + " " + want.Name())
		for _, selector := range []string{
			words[0],
			strings.ToUpper(words[0]),
			words[0][1 : len(words[0])-1],
			strings.Join(words, "  "),
			words[len(words)-1] + " " + words[0], // in any order
		} {
			if _, err := strconv.Atoi(selector); err == nil {
				continue
			}
			got, err := device.Select(selector)
			require.NoError(t, err, selector)
			names := []string{got.Name(), got.Vendor(), got.Platform().Name(), got.Platform().Vendor()}
			text := strings.ToLower(strings.Join(names, " "))
			for _, word := range strings.Fields(strings.ToLower(selector)) {
				require.Contains(t, text, word)
			}
		}
		_, err := device.Select(words[0] + " no-such-word")
		require.ErrorIs(t, err, device.ErrNoDevice, "all words must occur")
	})
}

func TestSelectEnvironment(t *testing.T) {
	devices := listed(t)
	t.Setenv("SUFFIXCL_DEVICE", "no such device")
	for _, selector := range []string{"", "  "} {
		_, err := device.Select(selector)
		require.ErrorIs(t, err, device.ErrNoDevice)
		require.ErrorContains(t, err, `no device matches "no such device" (SUFFIXCL_DEVICE): found 0: `)
	}
	_, err := device.Open(device.Config{})
	require.ErrorIs(t, err, device.ErrNoDevice)

	_, err = device.Select("of the flag")
	require.NotContains(t, err.Error(), "SUFFIXCL_DEVICE")
	t.Setenv("SUFFIXCL_DEVICE", "12345")
	_, err = tuned.Choose(devices, "")
	require.ErrorContains(t, err, "there is no device 12345 (SUFFIXCL_DEVICE)")

	d, err := device.Select("0")
	require.NoError(t, err, "a selector beats the environment")
	require.Equal(t, devices[0].Name(), d.Name())

	t.Setenv("SUFFIXCL_DEVICE", strconv.Itoa(len(devices)-1))
	s, err := device.Open(device.Config{CacheDir: programs})
	require.NoError(t, err)
	require.Equal(t, devices[len(devices)-1].Name(), tuned.CLDevice(s).Name())
	require.NoError(t, s.Close())

	t.Setenv("SUFFIXCL_DEVICE", " ")
	_, err = device.Select("")
	require.NoError(t, err, "blank means auto")
}

// A device that cannot be used is not chosen, and the errors say why.
func TestSelectUnavailable(t *testing.T) {
	devices := listed(t)
	defer hooks.InjectFaults(func(call string) int32 {
		if call == "clGetDeviceInfo" {
			return -2 // CL_DEVICE_NOT_AVAILABLE
		}
		return 0
	})()
	_, err := tuned.Choose(devices, "auto")
	require.ErrorIs(t, err, device.ErrNoDevice)
	require.ErrorContains(t, err, devices[0].Platform().Name()+": not available)")
	_, err = device.Open(device.Config{Device: devices[0]})
	require.ErrorIs(t, err, device.ErrNoDevice)
	require.ErrorContains(t, err, devices[0].Platform().Name()+": not available")
}

func TestSelectOnNothing(t *testing.T) {
	output, err := child(t, childOpen, "SUFFIXCL_OPENCL_LIBRARY="+filepath.Join(t.TempDir(), "libNothing.so"))
	require.NoError(t, err, output)
	assert.Contains(t, output, "matches device.ErrNoDevice\n")
	assert.Contains(t, output, "matches cl.ErrNoLibrary\n")
	assert.Contains(t, output, "libNothing.so")

	if runtime.GOOS != "linux" {
		t.Skip("drivers are registered elsewhere")
	}
	devicetest.Devices(t)
	output, err = child(t, childOpen, "OCL_ICD_VENDORS="+t.TempDir())
	require.NoError(t, err, output)
	if strings.Contains(output, "opened") {
		t.Skip("the loader does not read OCL_ICD_VENDORS")
	}
	assert.Contains(t, output, "matches device.ErrNoDevice\n")
	assert.Contains(t, output, "matches cl.ErrNoPlatform\n")

	const driver = "/etc/OpenCL/vendors/rusticl.icd" // has no devices unless told which
	if _, err := os.Stat(driver); err == nil {
		output, err = child(t, childOpen, "OCL_ICD_VENDORS="+driver, "RUSTICL_ENABLE=")
		require.NoError(t, err, output)
		assert.Contains(t, output, "matches device.ErrNoDevice\n")
		assert.Contains(t, output, "matches cl.ErrNoDevice\n")
	}
}

func TestRate(t *testing.T) {
	const cpu, gpu, accelerator = cl.DeviceTypeCPU, cl.DeviceTypeGPU, cl.DeviceTypeAccelerator
	// From the fastest to the slowest.
	order := []struct {
		name   string
		typ    cl.DeviceType
		vendor string
		units  int
		clock  int
		shared bool
	}{
		{"H200", gpu, driver.NVIDIA, 132, 1980, false},
		{"the same through PoCL", gpu, driver.PoCL, 132, 1980, false},
		{"a smaller discrete GPU", gpu, driver.AMD, 32, 2000, false},
		{"an integrated GPU", gpu, driver.Intel, 96, 1300, true},
		{"the same through rusticl", gpu, driver.Mesa, 96, 1300, true},
		{"a GPU that says nothing", gpu, driver.Apple, 0, 0, true},
		{"an accelerator", accelerator, driver.Other, 1 << 12, 4000, false},
		{"a CPU", cpu, driver.PoCL, 128, 3000, true},
		{"a smaller CPU", cpu, driver.Intel, 2, 2000, true},
		{"a software rasteriser", cpu, driver.Mesa, 128, 3000, true},
		{"a simulator", cpu | gpu | accelerator, driver.Oclgrind, 1 << 20, 5000, false},
	}
	for i := 1; i < len(order); i++ {
		a, b := order[i-1], order[i]
		assert.Greater(t, device.Rate(a.typ, a.vendor, a.units, a.clock, a.shared),
			device.Rate(b.typ, b.vendor, b.units, b.clock, b.shared),
			"%s before %s", a.name, b.name)
	}
}
