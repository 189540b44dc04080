package main_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/needed"
)

// debianPython is the program for which Debian's packages are: another that is first in the path lacks them.
const debianPython = "/usr/bin/python3"

// TestPython makes the wheel, installs it into a fresh venv, and runs the tests of the package there.
func TestPython(t *testing.T) {
	if os.Getenv("SUFFIXCL_PYTHON") == "0" {
		t.Skip("SUFFIXCL_PYTHON is 0: makes a wheel")
	}
	if exec.Command(debianPython, "-c", "import setuptools, wheel, ensurepip, numpy, pip, pytest").Run() != nil {
		needed.Missing(t, "REQUIRE_PYTHON", "numpy, pytest and what makes wheels", "python3-numpy", "python3-pip",
			"python3-pytest", "python3-setuptools", "python3-venv", "python3-wheel")
	}
	devicetest.Devices(t)
	dir := t.TempDir()
	out, err := exec.Command("make", "-C", "../..", "wheel", "WHEEL="+dir, "PYTHON="+debianPython, "WHEEL_FLAGS=",
		"WHEEL_LIBRARY="+libraryFor(t)+"/lib/libsuffixcl.so.0", "STAMP="+stamp(t)).CombinedOutput()
	require.NoError(t, err, "%s", out)
	tests := exec.Command("../../python/test", dir, "-rs", "--tb=short")
	tests.Env = append(tests.Environ(), "PYTHON="+debianPython)
	out, err = tests.CombinedOutput()
	require.NoError(t, err, "%s", out)
	t.Logf("%s", out)
}
