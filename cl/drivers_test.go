package cl_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/testkit/needed"
)

const poclICD = "/etc/OpenCL/vendors/pocl.icd"

// withoutHome lists PoCL's devices where its cache has no place of its own, and returns what the process prints.
func withoutHome(t *testing.T, temp string, environment ...string) string {
	if _, err := os.Stat(poclICD); err != nil {
		needed.Missing(t, "", "PoCL", "pocl-opencl-icd")
	}
	for _, name := range []string{"XDG_CACHE_HOME", "POCL_CACHE_DIR"} { // PoCL ends the process where one is empty
		t.Setenv(name, "")
		require.NoError(t, os.Unsetenv(name))
	}
	environment = append([]string{"OCL_ICD_VENDORS=" + poclICD, "HOME=/dev/null", "TMPDIR=" + temp}, environment...)
	return child(t, "list", environment...)
}

func defaultCache(temp string) string {
	return filepath.Join(temp, fmt.Sprintf("suffixcl-pocl-%d", os.Getuid()))
}

// PoCL has no devices without a cache: it gets a directory of the user's alone.
func TestPoCLWithoutHome(t *testing.T) {
	temp := t.TempDir()
	for range 2 {
		output := withoutHome(t, temp)
		require.Contains(t, output, "1 devices <nil>")
		require.Contains(t, output, fmt.Sprintf("POCL_CACHE_DIR=%q", defaultCache(temp)))
		info, err := os.Stat(defaultCache(temp))
		require.NoError(t, err)
		require.Equal(t, os.ModeDir|0o700, info.Mode())
	}
}

// A directory that others can write to is not used: PoCL loads code from there.
func TestPoCLWithoutAnyCache(t *testing.T) {
	temp := t.TempDir()
	require.NoError(t, os.Mkdir(defaultCache(temp), 0o700))
	require.NoError(t, os.Chmod(defaultCache(temp), 0o777))
	link := t.TempDir()
	require.NoError(t, os.Symlink(t.TempDir(), defaultCache(link)))
	for _, temp := range []string{temp, link, "/dev/null"} {
		output := withoutHome(t, temp)
		require.Contains(t, output, "ErrNoDevice\n")
		require.Contains(t, output, "it cannot write its cache: mkdir /dev/null: not a directory")
		require.Contains(t, output, "set POCL_CACHE_DIR to a directory that can be written")
		require.NotContains(t, output, "install")
		require.Contains(t, output, `POCL_CACHE_DIR=""`)
	}
}

// The user's own choice stands, and a home that can be written is left to PoCL.
func TestPoCLWithCache(t *testing.T) {
	chosen, temp := t.TempDir(), t.TempDir()
	output := withoutHome(t, temp, "POCL_CACHE_DIR="+chosen)
	require.Contains(t, output, "1 devices <nil>")
	require.Contains(t, output, fmt.Sprintf("POCL_CACHE_DIR=%q", chosen))
	for _, variable := range []string{"HOME", "XDG_CACHE_HOME"} {
		output = withoutHome(t, temp, variable+"="+t.TempDir())
		require.Contains(t, output, "1 devices <nil>")
		require.Contains(t, output, `POCL_CACHE_DIR=""`)
	}
	require.NoDirExists(t, defaultCache(temp))
}

func TestCheckRoom(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	require.NoError(t, cl.CheckRoom(dir, 1))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries)
	if runtime.GOOS == "linux" {
		require.ErrorContains(t, cl.CheckRoom(dir, 1<<62), "bytes are free")
	}
}

// What is to be done depends on what is there.
func TestAdvice(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("drivers are registered elsewhere")
	}
	const pocl, loader = "pocl-opencl-icd", "ocl-icd-libopencl1"
	none, some, file := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "one.icd")
	require.NoError(t, os.WriteFile(filepath.Join(some, "pocl.icd"), []byte("/nowhere/libpocl.so.9"), 0o644))
	require.NoError(t, os.WriteFile(file, []byte("libother.so.1\n"), 0o644))
	t.Setenv("OCL_ICD_FILENAMES", "")
	t.Setenv("OPENCL_VENDOR_PATH", "")
	t.Setenv("SUFFIXCL_OPENCL_LIBRARY", "")
	for _, c := range []struct {
		vendors     string
		err         func() error
		sentinel    error
		says, never []string
	}{
		{none, noLibrary, cl.ErrNoLibrary, []string{"tried libX.so (no)", loader, pocl}, nil},
		{some, noLibrary, cl.ErrNoLibrary, []string{loader, "/nowhere/libpocl.so.9"}, []string{pocl}},
		{none, cl.NoPlatform, cl.ErrNoPlatform, []string{"no driver is registered in " + none, pocl}, []string{loader}},
		{some, cl.NoPlatform, cl.ErrNoPlatform, []string{"/nowhere/libpocl.so.9 (", "cannot be loaded"}, []string{pocl}},
		{file, cl.NoPlatform, cl.ErrNoPlatform, []string{"libother.so.1 (" + file, "cannot be loaded"}, []string{pocl}},
		{"libother.so.1", cl.NoPlatform, cl.ErrNoPlatform, []string{"driver libother.so.1 cannot be loaded"}, []string{pocl}},
		{some, noDevice(cl.DeviceTypeAll), cl.ErrNoDevice, []string{"platform P", "cannot be loaded"}, []string{pocl}},
		{file, noDevice(cl.DeviceTypeAll), cl.ErrNoDevice, []string{"platform P", "libother.so.1", pocl}, nil},
		{file, noDevice(cl.DeviceTypeGPU), cl.ErrNoDevice, []string{"platform P", "libother.so.1"}, []string{pocl}},
	} {
		t.Setenv("OCL_ICD_VENDORS", c.vendors)
		err := c.err()
		require.ErrorIs(t, err, c.sentinel)
		if c.sentinel == cl.ErrNoDevice {
			require.ErrorIs(t, err, cl.OutOfHostMemory, "reasons are known")
		}
		for _, text := range c.says {
			require.ErrorContains(t, err, text)
		}
		for _, text := range c.never {
			require.NotContains(t, err.Error(), text)
		}
	}
}

func noLibrary() error { return cl.NoLibrary([]string{"libX.so (no)"}) }

func noDevice(t cl.DeviceType) func() error {
	return func() error { return cl.NoDevice(t, []error{errors.New("platform P has none"), cl.OutOfHostMemory}) }
}
