package cl

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"

	known "github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/hooks"
)

var (
	// errNoICD says that a library is no driver.
	errNoICD = errors.New("not a driver: it has no clIcdGetPlatformIDsKHR")
	// errNoPlatform says that a driver has nothing to drive.
	errNoPlatform = errors.New("the driver has no platform")
)

// platformNotFoundKHR is what a driver without a platform returns.
const platformNotFoundKHR Code = -1001

func init() { hooks.Drivers.Load = loadTried }

// loadICD loads a driver, and lists its platforms. Platforms without OpenCL 1.2 are left out: their tables are shorter.
func loadICD(path string) (*icd, error) {
	handle, err := openLibrary(path)
	if err != nil {
		return nil, err
	}
	d, err := newICD(handle, path)
	if err != nil {
		closeLibrary(handle)
	}
	return d, err
}

func newICD(handle uintptr, path string) (*icd, error) {
	extension, err := findSymbol(handle, "clGetExtensionFunctionAddress")
	if err != nil || extension == 0 {
		return nil, errNoICD
	}
	name := []byte("clIcdGetPlatformIDsKHR\x00")
	list, _, _ := purego.SyscallN(extension, uintptr(unsafe.Pointer(&name[0])))
	runtime.KeepAlive(name)
	if list == 0 {
		return nil, errNoICD
	}
	count := new(uint32)
	status, _, _ := purego.SyscallN(list, 0, 0, uintptr(unsafe.Pointer(count)))
	switch code := Code(int32(status)); {
	case code == platformNotFoundKHR || code == success && *count == 0:
		return nil, errNoPlatform
	case code != success:
		return nil, &Error{Call: "clIcdGetPlatformIDsKHR", Code: code}
	}
	handles := make([]uintptr, *count)
	status, _, _ = purego.SyscallN(list, uintptr(*count), uintptr(unsafe.Pointer(&handles[0])), 0)
	if code := Code(int32(status)); code != success {
		return nil, &Error{Call: "clIcdGetPlatformIDsKHR", Code: code}
	}
	d := &icd{library: path}
	for _, platform := range handles {
		if err = checkPlatform(platform); err == nil {
			d.platforms = append(d.platforms, platform)
		}
	}
	if len(d.platforms) == 0 {
		return nil, err
	}
	return d, nil
}

// checkPlatform returns why a platform cannot be called through its table.
func checkPlatform(platform uintptr) error {
	if platform == 0 || wordAt(platform) == 0 {
		return errors.New("its platform has no table of functions")
	}
	if err := checkTable(platform, clGetPlatformInfo, clGetPlatformInfo+1); err != nil {
		return err
	}
	if version := icdVersion(platform); version < "OpenCL 1.2" {
		return fmt.Errorf("its platform has %q, and OpenCL 1.2 is needed", version)
	}
	return checkTable(platform, 0, numFunctions)
}

// icdVersion is the version of a platform, "OpenCL 3.0 ...".
func icdVersion(platform uintptr) string {
	text := new([256]byte)
	_, _, _ = purego.SyscallN(tableEntry(platform, clGetPlatformInfo), platform, platformVersion, uintptr(len(text)),
		uintptr(unsafe.Pointer(&text[0])), 0)
	return toText(text[:])
}

// Names of drivers that are known, in the linker's path or in directories of their own.
var knownDrivers = []string{
	"libnvidia-opencl.so.1",
	"libamdocl64.so", "/opt/rocm/lib/libamdocl64.so", "/opt/rocm-*/lib/libamdocl64.so",
	"libigdrcl.so", "/usr/lib/*/intel-opencl/libigdrcl.so", "/usr/local/lib/intel-opencl/libigdrcl.so",
	"libpocl.so.2", "libRusticlOpenCL.so.1",
}

// candidates are libraries that may be drivers: those that are registered, and then those that are known by name.
func candidates() (paths []string) {
	for _, d := range registered() {
		paths = append(paths, d.library)
	}
	if root := os.Getenv("ROCM_PATH"); root != "" {
		paths = append(paths, filepath.Join(root, "lib", "libamdocl64.so"))
	}
	for _, name := range knownDrivers {
		if !strings.Contains(name, "/") {
			paths = append(paths, name)
			continue
		}
		found, _ := filepath.Glob(name) // of a pattern that is right
		paths = append(paths, found...)
	}
	return paths
}

// loadTried loads drivers as loadICDs does: of several with one name the first that works.
func loadTried(paths []string, begin, end func(i int)) {
	var seen []string
	for i, path := range paths {
		if slices.Contains(seen, nameOf(path)) {
			continue
		}
		begin(i)
		if (driver{library: path}).isPoCL() {
			offerCache()
		}
		if _, err := loadICD(path); err == nil {
			seen = append(seen, nameOf(path))
		}
		end(i)
	}
}

// nameOf is the name of a library without its version.
func nameOf(path string) string { return strings.TrimRight(filepath.Base(path), ".0123456789") }

// loadOrNote loads a driver, unless another process has ended of it. Why it is not used is noted, if it is there and is
// not merely without a device.
func loadOrNote(path string, bad map[string]error) *icd {
	err := bad[path]
	if err == nil {
		if (driver{library: path}).isPoCL() {
			offerCache()
		}
		var d *icd
		if d, err = loadICD(path); err == nil {
			return d
		}
	}
	if file := fileOf(path); file != "" && !errors.Is(err, errNoPlatform) {
		hooks.LeaveOut(fmt.Errorf("driver %s is left out: %w", path, err))
	}
	return nil
}

// loadICDs loads the drivers that are there where no loader is.
func loadICDs() (icds []*icd) {
	if runtime.GOOS != "linux" {
		return nil
	}
	paths := candidates()
	bad := tried(paths)
	var names, files []string
	for _, path := range paths {
		file := fileOf(path)
		if slices.Contains(names, nameOf(path)) || file != "" && slices.Contains(files, file) {
			continue
		}
		files = append(files, file)
		if d := loadOrNote(path, bad); d != nil {
			names = append(names, nameOf(path))
			icds = append(icds, d)
		}
	}
	return icds
}

// unregistered are vendors' drivers of GPUs that the system shows, and that no loader is told of.
func unregistered() (icds []*icd) {
	if runtime.GOOS != "linux" || os.Getenv(libraryVariable) != "" {
		return nil
	}
	told := registered()
	for _, gpu := range known.Visible("/") {
		of := func(d driver) bool { return strings.Contains(filepath.Base(d.library), gpu.Library) }
		if slices.ContainsFunc(told, of) {
			continue
		}
		paths := slices.DeleteFunc(candidates(), func(path string) bool {
			return !strings.HasPrefix(filepath.Base(path), gpu.Library+".so")
		})
		bad := tried(paths)
		for _, path := range paths {
			if d := loadOrNote(path, bad); d != nil {
				icds = append(icds, d)
				break
			}
		}
	}
	return icds
}

// withoutLoader are the drivers where no loader is: the one that the environment names, or all that are found. What is
// the matter with the former is an error, with the latter a note.
func withoutLoader() ([]*icd, error) {
	path := os.Getenv(libraryVariable)
	if path == "" {
		return loadICDs(), nil
	}
	d, err := loadICD(path)
	if err != nil {
		return nil, err
	}
	return []*icd{d}, nil
}
