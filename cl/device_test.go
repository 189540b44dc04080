package cl_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
)

func TestPlatforms(t *testing.T) {
	allDevices(t)
	platforms, err := cl.GetPlatforms()
	require.NoError(t, err)
	require.NotEmpty(t, platforms)
	for _, p := range platforms {
		require.NotEmpty(t, p.Name())
		require.NotEmpty(t, p.Vendor())
		require.Contains(t, p.Version(), "OpenCL ")
		require.Contains(t, p.Profile(), "_PROFILE")
		require.NotContains(t, p.Extensions(), "\x00")
	}
}

func TestDeviceInfo(t *testing.T) {
	for _, d := range allDevices(t) {
		t.Run(d.Name(), func(t *testing.T) {
			require.NotEmpty(t, d.Name())
			require.NotEmpty(t, d.DriverVersion())
			require.Contains(t, d.Version(), "OpenCL ")
			require.Contains(t, d.OpenCLCVersion(), "OpenCL C ")
			require.Contains(t, d.Profile(), "_PROFILE")
			require.NotZero(t, d.Type())
			require.NotNil(t, d.Platform())
			require.Positive(t, d.MaxComputeUnits())
			require.Positive(t, d.MaxWorkGroupSize())
			require.Len(t, d.MaxWorkItemSizes(), 3)
			for _, size := range d.MaxWorkItemSizes() {
				require.Positive(t, size)
			}
			require.Contains(t, []int{32, 64}, d.AddressBits())
			require.GreaterOrEqual(t, d.GlobalMemSize(), int64(1<<20))
			require.Positive(t, d.MaxMemAllocSize())
			require.GreaterOrEqual(t, d.LocalMemSize(), int64(1<<10))
			require.Contains(t, []cl.LocalMemType{cl.LocalMemTypeLocal, cl.LocalMemTypeGlobal}, d.LocalMemType())
			require.Positive(t, d.MaxConstantBufferSize())
			require.Positive(t, d.MaxParameterSize())
			require.Positive(t, d.MemBaseAddrAlign())
			require.Positive(t, d.PreferredVectorWidthChar())
			require.Positive(t, d.PreferredVectorWidthInt())
			require.True(t, d.EndianLittle())
			require.True(t, d.Available())
			require.True(t, d.CompilerAvailable())
			require.NotZero(t, d.QueueProperties()&cl.CommandQueueProfilingEnable)
			for _, name := range strings.Fields(d.Extensions()) {
				require.True(t, d.HasExtension(name))
			}
			require.False(t, d.HasExtension("cl_khr"))
		})
	}
}

func TestDeviceInfoOfUnknownParameter(t *testing.T) {
	for _, d := range allDevices(t) {
		_, err := d.Info(0x7FFF)
		require.ErrorIs(t, err, cl.InvalidValue, d.Name())
		require.ErrorContains(t, err, "0x7fff")
		name, err := d.Info(0x102B)
		require.NoError(t, err)
		require.Contains(t, string(name), d.Name())
	}
}

func TestVendorInfo(t *testing.T) {
	for _, d := range allDevices(t) {
		t.Run(d.Name(), func(t *testing.T) {
			nvidia := d.HasExtension("cl_nv_device_attribute_query")
			major, _, ok := d.NvidiaComputeCapability()
			require.Equal(t, nvidia, ok)
			require.Equal(t, nvidia, major > 0)
			warp, ok := d.NvidiaWarpSize()
			require.Equal(t, nvidia, ok)
			require.Equal(t, nvidia, warp == 32)
			registers, _ := d.NvidiaRegistersPerBlock()
			require.Equal(t, nvidia, registers > 0)

			amd := d.HasExtension("cl_amd_device_attribute_query")
			width, ok := d.AMDWavefrontWidth()
			require.Equal(t, amd, ok)
			require.Equal(t, amd, width > 0)
			name, _ := d.AMDBoardName()
			require.Equal(t, amd, name != "")
			_, _, ok = d.AMDGfxIP()
			require.Equal(t, amd, ok)
			_, ok = d.AMDSIMDPerComputeUnit()
			require.Equal(t, amd, ok)

			_, ok = d.PCIBusInfo()
			require.Equal(t, d.HasExtension("cl_khr_pci_bus_info"), ok)
			_, ok = d.UUID()
			require.Equal(t, d.HasExtension("cl_khr_device_uuid"), ok)
		})
	}
}

func TestDeviceTypeString(t *testing.T) {
	require.Equal(t, "any", cl.DeviceTypeAll.String())
	require.Equal(t, "default|CPU", (cl.DeviceTypeDefault | cl.DeviceTypeCPU).String())
	require.Equal(t, "0x0", cl.DeviceType(0).String())
}

func TestContextArguments(t *testing.T) {
	_, err := cl.CreateContext(nil)
	require.ErrorIs(t, err, cl.InvalidValue)
	_, err = cl.CreateContext([]*cl.Device{nil})
	require.ErrorIs(t, err, cl.InvalidDevice)
}
