package cl_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
)

func TestPlatforms(t *testing.T) {
	for _, d := range allDevices(t) {
		p := d.Platform()
		require.NotEmpty(t, p.Name())
		require.NotEmpty(t, p.Vendor())
		require.Contains(t, p.Version(), "OpenCL ")
	}
}

func TestDeviceInfo(t *testing.T) {
	for _, d := range allDevices(t) {
		t.Run(d.Name(), func(t *testing.T) {
			require.NotEmpty(t, d.Name())
			require.NotEmpty(t, d.DriverVersion())
			require.Contains(t, d.Version(), "OpenCL ")
			require.NotZero(t, d.Type())
			require.NotNil(t, d.Platform())
			require.Positive(t, d.MaxComputeUnits())
			require.Positive(t, d.MaxWorkGroupSize())
			require.Contains(t, []int{32, 64}, d.AddressBits())
			require.GreaterOrEqual(t, d.GlobalMemSize(), int64(1<<20))
			require.Positive(t, d.MaxMemAllocSize())
			require.GreaterOrEqual(t, d.LocalMemSize(), int64(1<<10))
			require.True(t, d.EndianLittle())
			require.True(t, d.Available())
			require.True(t, d.CompilerAvailable())
			require.True(t, strings.HasPrefix(d.Extensions(), "cl_"))
		})
	}
}

func TestNvidiaComputeCapability(t *testing.T) {
	for _, d := range allDevices(t) {
		major, _, ok := d.NvidiaComputeCapability()
		require.Equal(t, strings.Contains(d.Extensions(), "cl_nv_device_attribute_query"), ok)
		require.Equal(t, ok, major > 0)
	}
}

func TestDeviceTypeString(t *testing.T) {
	require.Equal(t, "any", cl.DeviceTypeAll.String())
	require.Equal(t, "default|CPU", (cl.DeviceTypeCPU | 1).String())
	require.Equal(t, "0x0", cl.DeviceType(0).String())
}

func TestContextArguments(t *testing.T) {
	_, err := cl.CreateContext(nil)
	require.ErrorIs(t, err, cl.InvalidValue)
	_, err = cl.CreateContext([]*cl.Device{nil})
	require.ErrorIs(t, err, cl.InvalidDevice)
}
