package cl_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
)

// child runs one of children in a process with another environment, and returns what it prints.
func child(t *testing.T, name string, environment ...string) string {
	self, err := os.Executable()
	require.NoError(t, err)
	command := exec.Command(self)
	command.Env = append(append(os.Environ(), childVariable+"="+name), environment...)
	output, err := command.CombinedOutput()
	require.NoError(t, err, string(output))
	return string(output)
}

func TestNoLibrary(t *testing.T) {
	path := filepath.Join(t.TempDir(), "libNothing.so")
	output := child(t, "list", "SUFFIXCL_OPENCL_LIBRARY="+path)
	require.Contains(t, output, "ErrNoLibrary\n")
	require.Contains(t, output, path)
	require.Contains(t, output, "SUFFIXCL_OPENCL_LIBRARY is set")
	require.NotContains(t, output, "install")
}

func TestNotAnOpenCLLibrary(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs a library that is always there")
	}
	output := child(t, "list", "SUFFIXCL_OPENCL_LIBRARY=libc.so.6")
	if strings.Contains(output, "No such file") {
		t.Skip("no libc.so.6")
	}
	require.Contains(t, output, "ErrNoLibrary\n")
	require.Contains(t, output, "clGetPlatformIDs")
}

func TestNoPlatform(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("drivers are registered elsewhere")
	}
	allDevices(t)
	dir := t.TempDir()
	output := child(t, "list", "OCL_ICD_VENDORS="+dir)
	if strings.Contains(output, "devices <nil>") {
		t.Skip("the loader does not read OCL_ICD_VENDORS")
	}
	require.Contains(t, output, "ErrNoPlatform\n")
	require.Contains(t, output, "no driver is registered in "+dir)
	require.Contains(t, output, "pocl-opencl-icd")
}

// A driver that is registered and cannot be loaded is named, with the reason, and nothing is to be installed.
func TestBrokenDriver(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("drivers are registered elsewhere")
	}
	allDevices(t)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "some.icd"), []byte("libNoSuchDriver.so.7\n"), 0o644))
	output := child(t, "list", "OCL_ICD_VENDORS="+dir)
	if strings.Contains(output, "devices <nil>") {
		t.Skip("the loader does not read OCL_ICD_VENDORS")
	}
	require.Contains(t, output, "ErrNoPlatform\n")
	require.Contains(t, output, "libNoSuchDriver.so.7 ("+filepath.Join(dir, "some.icd")+") cannot be loaded: ")
	require.NotContains(t, output, "install")
}

func TestNoDevice(t *testing.T) {
	const driver = "/etc/OpenCL/vendors/rusticl.icd" // has no devices unless told which
	if _, err := os.Stat(driver); err != nil {
		t.Skip(err)
	}
	output := child(t, "list", "OCL_ICD_VENDORS="+driver, "RUSTICL_ENABLE=")
	require.Contains(t, output, "ErrNoDevice\n")
	require.Contains(t, output, "rusticl")
	require.Contains(t, output, "RUSTICL_ENABLE")
}

func TestNoDeviceOfType(t *testing.T) {
	for _, device := range allDevices(t) {
		devices, err := cl.DevicesOf(device.Platform(), cl.DeviceTypeAccelerator)
		if err == nil {
			require.NotEmpty(t, devices)
			continue
		}
		require.ErrorIs(t, err, cl.ErrNoDevice)
	}
}
