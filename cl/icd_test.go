package cl_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/testkit/needed"
)

// drivers are those that are tested without a loader, with what they need in their environment.
var drivers = map[string]string{
	"libpocl.so.2": "", "libRusticlOpenCL.so.1": "RUSTICL_ENABLE=llvmpipe",
	"/usr/lib/oclgrind*/liboclgrind-rt-icd.so":  "", // of Debian; elsewhere it is below a directory of the architecture
	"/usr/lib/*/oclgrind/liboclgrind-rt-icd.so": "",
}

// calls are the tests of calls, by how their names begin.
var calls = []string{"Buffer", "Map", "NonBlocking", "Short", "Dropped", "Kernel", "Vector", "Launch", "Fixed", "Null",
	"Argument", "Release", "Wait", "Profiling", "NoProfiling", "Binary", "Build", "Program", "Unknown", "DeviceInfo"}

// pocl is the library of PoCL's driver.
func pocl(t *testing.T) string {
	text, err := os.ReadFile(poclICD)
	if err != nil {
		needed.Missing(t, "", "PoCL", "pocl-opencl-icd")
	}
	return strings.TrimSpace(string(text))
}

// A driver that the environment names is called without the loader: its kernels run, and its errors are those of calls.
func TestDriverWithoutLoader(t *testing.T) {
	pocl(t)
	for library, environment := range drivers {
		if strings.Contains(library, "*") {
			found, _ := filepath.Glob(library)
			if len(found) == 0 {
				t.Log("no", library)
				continue
			}
			library = found[0]
		}
		if _, err := cl.LoadICD(library); err != nil {
			t.Log(err)
			continue
		}
		output := child(t, "list", "SUFFIXCL_OPENCL_LIBRARY="+library, environment)
		assert.Contains(t, output, "1 devices <nil>", library)
		output = child(t, "libraries", "SUFFIXCL_OPENCL_LIBRARY="+library, environment)
		assert.Equal(t, library+"\n", output)
	}
	self, err := os.Executable()
	require.NoError(t, err)
	command := exec.Command(self, "-test.v", "-test.run=^(Example|Test("+strings.Join(calls, "|")+").*)$")
	command.Env = append(os.Environ(), "SUFFIXCL_OPENCL_LIBRARY=libpocl.so.2", "REQUIRE_OPENCL=1")
	output, err := command.CombinedOutput()
	require.NoError(t, err, string(output))
	require.Contains(t, string(output), "--- PASS: Example")
	require.Greater(t, strings.Count(string(output), "--- PASS: Test"), 5)
}

// A platform that the loader lists, too, is there once, and its library is the loader's matter.
func TestDriverTwice(t *testing.T) {
	d, err := cl.LoadICD(pocl(t))
	require.NoError(t, err)
	require.Len(t, d.Platforms(), 1)
	for _, device := range allDevices(t) {
		require.Empty(t, device.Platform().Library())
		if device.Platform().Name() == "Portable Computing Language" {
			require.True(t, d.Has(device.Platform()))
			require.Empty(t, cl.More(d, device.Platform()))
		}
	}
	require.Len(t, cl.More(d, nil), 1)
}

// Where neither loader nor registration is, drivers are found by their names.
func TestNoLoader(t *testing.T) {
	pocl(t)
	self, err := os.Executable()
	require.NoError(t, err)
	script := `for f in $(ldconfig -p | sed -n 's/.*libOpenCL.so.* => //p'); do
	mount --bind /dev/null "$f" || exit 77
done
mount -t tmpfs none /etc/OpenCL || exit 77
exec "$0"`
	for name, want := range map[string]string{"list": "1 devices <nil>", "libraries": "libpocl.so.2\n"} {
		command := exec.Command("unshare", "--mount", "sh", "-c", script, self)
		command.Env = append(os.Environ(), childVariable+"="+name, "RUSTICL_ENABLE=")
		output, err := command.CombinedOutput()
		if err != nil {
			t.Skipf("no mount namespace: %v, %s", err, output)
		}
		require.Contains(t, string(output), want)
	}
}

// What is no driver says so.
func TestNotADriver(t *testing.T) {
	text := filepath.Join(t.TempDir(), "libtext.so")
	require.NoError(t, os.WriteFile(text, []byte("not a library\n"), 0o600))
	for _, library := range []string{text, "libNoSuchDriver.so.7", "libc.so.6"} {
		_, err := cl.LoadICD(library)
		require.Error(t, err, library)
	}
	output := child(t, "list", "SUFFIXCL_OPENCL_LIBRARY="+text)
	require.Contains(t, output, "ErrNoLibrary\n")
	require.Contains(t, output, text)
}
