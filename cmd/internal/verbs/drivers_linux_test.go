package verbs

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/internal/testkit/needed"
)

// machine is a system without a loader. Drivers are registered by a directory of its own, which is empty at first.
type machine struct {
	t                *testing.T
	dir, icds, cache string
	environment      []string
}

// withoutLoader hides the loader behind files of its names that are no libraries.
func withoutLoader(t *testing.T, environment ...string) *machine {
	clitest.NeedDevice(t)
	m := &machine{t: t, dir: t.TempDir(), icds: t.TempDir(), cache: t.TempDir()}
	hidden := t.TempDir()
	for _, name := range []string{"libOpenCL.so.1", "libOpenCL.so"} {
		clitest.Put(t, hidden, name, []byte("no library\n"))
	}
	m.environment = append(os.Environ(), "LD_LIBRARY_PATH="+hidden, "OCL_ICD_VENDORS="+m.icds, "RUSTICL_ENABLE=",
		"SUFFIXCL_DEVICE=", "SUFFIXCL_OPENCL_LIBRARY=", "SUFFIXCL_CACHE=", "XDG_CACHE_HOME="+m.cache,
		"POCL_CACHE_DIR="+cl.PoCLCache()) // which knows most of the kernels: compilation takes long
	m.environment = append(m.environment, environment...)
	return m
}

func (m *machine) register(library string) {
	name := strings.NewReplacer("/", "_", ".", "_").Replace(library) + ".icd"
	clitest.Put(m.t, m.icds, name, []byte(library+"\n"))
}

func (m *machine) run(args ...string) clitest.Result {
	c := clitest.Command(m.dir, args...)
	c.Env = m.environment
	return clitest.Finish(m.t, c)
}

// devices are those that work, or are not tested, by their platforms.
func (m *machine) devices(args ...string) (map[string]deviceReport, clitest.Result) {
	r := m.run(append([]string{"devices", "--json"}, args...)...)
	var list devicesReport
	require.NoError(m.t, json.Unmarshal([]byte(r.Out), &list), r.Errors)
	devices := make(map[string]deviceReport)
	for _, d := range list.Devices {
		require.True(m.t, d.Works, d.Error)
		require.NotContains(m.t, devices, d.Platform, "a device is listed once")
		devices[d.Platform] = d
	}
	return devices, r
}

// needPoCL leaves out tests where PoCL cannot be found by its name.
func (m *machine) needPoCL(devices map[string]deviceReport) {
	if _, ok := devices[pocl]; !ok {
		needed.Missing(m.t, "REQUIRE_OPENCL", "libpocl.so.2", "pocl-opencl-icd")
	}
}

// Where neither loader nor registration is, the driver is found by its name, and sorts.
func TestWithoutLoader(t *testing.T) {
	m := withoutLoader(t)
	devices, r := m.devices()
	m.needPoCL(devices)
	assert.Equal(t, "libpocl.so.2", devices[pocl].Library)
	assert.Empty(t, r.Errors)
	clitest.Put(t, m.dir, "text", clitest.Prose(3000))
	r = m.run("sa", "text", "-o", "out", "-q")
	require.Equal(t, cli.ExitDone, r.Code, r.Errors)
	r = m.run("verify", "text", "out")
	assert.Equal(t, cli.ExitDone, r.Code, r.Errors)
	listed, err := os.ReadDir(filepath.Join(m.cache, "suffixcl", "drivers"))
	require.NoError(t, err)
	assert.NotEmpty(t, listed, "what ends no process is remembered")
}

// The same in a name space of mounts, where no file of the loader and nothing of /etc/OpenCL is to be seen.
func TestWithoutLoaderFiles(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "text", clitest.Prose(3000))
	const script = `for f in $(ldconfig -p | sed -n 's/.*libOpenCL.so.* => //p'); do
	mount --bind /dev/null "$f" || exit 77
done
mount -t tmpfs none /etc/OpenCL || exit 77
"$0" devices --json && "$0" sa text -o out -q && "$0" verify text out -q`
	c := exec.Command("unshare", "--mount", "sh", "-c", script, clitest.Program())
	c.Dir = dir
	c.Env = append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir(), "RUSTICL_ENABLE=", "OCL_ICD_VENDORS=", "SUFFIXCL_DEVICE=")
	var errs strings.Builder
	c.Stderr = &errs
	output, err := c.Output()
	if len(output) == 0 {
		t.Skipf("no mount name space, or no PoCL: %v, %s", err, errs.String())
	}
	require.NoError(t, err, errs.String())
	assert.Contains(t, string(output), `"library": "libpocl.so.2"`)
}

// oclgrind is the library of Oclgrind's driver.
func oclgrind(t *testing.T) string {
	for _, pattern := range []string{"/usr/lib/oclgrind/liboclgrind-rt-icd.so",
		"/usr/lib/*/oclgrind/liboclgrind-rt-icd.so", "/usr/lib/*/liboclgrind-rt-icd.so"} {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			return found[0]
		}
	}
	needed.Missing(t, "", "liboclgrind-rt-icd.so", "oclgrind")
	return ""
}

// Two drivers without a loader: each device is listed once, and both sort a text alike.
func TestTwoDriversWithoutLoader(t *testing.T) {
	for name, prepare := range map[string]func(*machine){
		"rusticl":  func(m *machine) { m.environment = append(m.environment, "RUSTICL_ENABLE=llvmpipe") },
		"Oclgrind": func(m *machine) { m.register(oclgrind(m.t)) },
	} {
		t.Run(name, func(t *testing.T) {
			m := withoutLoader(t)
			prepare(m)
			devices, r := m.devices("--no-test")
			m.needPoCL(devices)
			if _, ok := devices[name]; !ok && name == "rusticl" {
				needed.Missing(t, "", name, "mesa-opencl-icd")
			}
			require.Len(t, devices, 2, r.Out)
			require.NotEmpty(t, devices[name].Library)
			require.Empty(t, r.Errors)
			clitest.Put(t, m.dir, "text", clitest.Prose(600))
			for platform := range devices {
				r := m.run("sa", "text", "-o", platform, "--device", platform, "-q")
				require.Equal(t, cli.ExitDone, r.Code, r.Errors)
			}
			assert.Equal(t, clitest.Get(t, m.dir, pocl), clitest.Get(t, m.dir, name))
		})
	}
}

// driverStart is C that begins a driver: where a table would be, and how it is asked for.
const driverStart = `#include <stdlib.h>
#include <string.h>
static int platforms(unsigned n, void **list, unsigned *count);
void *clGetExtensionFunctionAddress(const char *name) {
	return strcmp(name, "clIcdGetPlatformIDsKHR") ? 0 : (void *)platforms;
}
`

// driverOf is C of a driver whose table has two functions, and which says that its version is another.
func driverOf(version string) string {
	return driverStart + `static int info(void *p, unsigned what, size_t size, void *value, size_t *need) {
	if (value) strncpy(value, "` + version + `", size);
	if (need) *need = sizeof "` + version + `";
	return 0;
}
static void *table[] = {(void *)platforms, (void *)info, 0};
static struct { void **table; } platform = {table};
static int platforms(unsigned n, void **list, unsigned *count) {
	if (count) *count = 1;
	if (list) *list = &platform;
	return 0;
}
`
}

// A driver that ends the process, or is none, is named, and the next one does the work.
func TestBadDrivers(t *testing.T) {
	gcc := needed.Compiler(t, "cc")
	compiled := func(source string) func(*testing.T, string) {
		return func(t *testing.T, library string) {
			c := exec.Command(gcc, "-shared", "-fPIC", "-w", "-x", "c", "-", "-o", library)
			c.Stdin = strings.NewReader(source)
			output, err := c.CombinedOutput()
			require.NoError(t, err, string(output))
		}
	}
	nothing := "static int platforms(unsigned n, void **list, unsigned *count) { *count = 0; return 0; }\n"
	for name, bad := range map[string]struct {
		make  func(t *testing.T, library string)
		says  string
		crash bool
	}{
		"constructor": {compiled(driverStart + nothing +
			"__attribute__((constructor)) static void begin(void) { abort(); }\n"),
			"it ends the process that loads it: SIGABRT", true},
		"exit": {compiled(driverStart + nothing +
			"__attribute__((constructor)) static void begin(void) { _exit(0); }\n"),
			"it ends the process that loads it", true},
		"platforms": {compiled(driverStart +
			"static int platforms(unsigned n, void **list, unsigned *count) { *(volatile int *)8 = 1; return 0; }\n"),
			"it ends the process that loads it: SIGSEGV", true},
		"old":   {compiled(driverOf("OpenCL 1.0 old")), `its platform has "OpenCL 1.0 old", and OpenCL 1.2 is needed`, false},
		"short": {compiled(driverOf("OpenCL 3.0 short")), "its table is too short: it has no clGetDeviceIDs", false},
		"text": {func(t *testing.T, library string) {
			require.NoError(t, os.WriteFile(library, []byte("no library\n"), 0o755))
		}, "", false},
		"architecture": {func(t *testing.T, library string) {
			compiled(driverStart+nothing)(t, library)
			elf, err := os.ReadFile(library)
			require.NoError(t, err)
			elf[18], elf[19] = 8, 0 // e_machine: MIPS
			require.NoError(t, os.WriteFile(library, elf, 0o755))
		}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			m := withoutLoader(t)
			library := filepath.Join(t.TempDir(), "libbad.so.1")
			bad.make(t, library)
			m.register(library)
			for range 2 {
				devices, r := m.devices("--no-test")
				m.needPoCL(devices)
				require.Len(t, devices, 1)
				assert.Contains(t, r.Errors, "suffixcl: note: driver "+library+" is left out: ")
				assert.Contains(t, r.Errors, bad.says)
			}
			clitest.Put(t, m.dir, "text", clitest.Prose(2000))
			if name == "constructor" { // the others do not differ in this
				r := m.run("sa", "text", "-o", "out")
				require.Equal(t, cli.ExitDone, r.Code, r.Errors)
				assert.Contains(t, r.Errors, "note: driver "+library+" is left out: ")
				assert.Empty(t, m.run("sa", "text", "-o", "out", "-q").Errors)
			}

			// Named by the environment there is no next one.
			m.environment = append(m.environment, "SUFFIXCL_OPENCL_LIBRARY="+library)
			r := m.run("sa", "text", "-o", "other")
			assert.Equal(t, cli.ExitNoDevice, r.Code)
			assert.Contains(t, r.Errors, library)
			assert.Contains(t, r.Errors, bad.says)
		})
	}
}
