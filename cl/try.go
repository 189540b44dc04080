package cl

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/suffixcl/suffixcl/internal/hooks"
)

func init() { hooks.Drivers.Load = loadTried }

// tried returns which drivers must not be loaded, and why: those that end another process which loads them. Where the
// program has no such process there are none. What the linker does not find is not tried.
func tried(paths []string) map[string]error {
	if hooks.Drivers.Try == nil {
		return nil
	}
	var list []hooks.Driver
	for _, path := range paths {
		if file := fileOf(path); file != "" {
			list = append(list, hooks.Driver{Name: path, File: file})
		}
	}
	if len(list) == 0 {
		return nil
	}
	return hooks.Drivers.Try(list)
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

// fileOf is the file that the linker takes for a library, without links; "" if it is not found.
func fileOf(library string) string {
	paths := []string{library}
	if !strings.Contains(library, "/") {
		paths = inLinkerPath(library)
	}
	for _, path := range paths {
		if file, err := filepath.EvalSymlinks(path); err == nil {
			return file
		}
	}
	return ""
}

// inLinkerPath are the places of a library where the linker of glibc looks, in its order.
func inLinkerPath(name string) (paths []string) {
	for _, dir := range filepath.SplitList(os.Getenv("LD_LIBRARY_PATH")) {
		paths = append(paths, filepath.Join(dir, name))
	}
	cache, _ := os.ReadFile("/etc/ld.so.cache") // has the paths as texts with a 0 at their ends
	for text := range bytes.SplitSeq(cache, []byte{0}) {
		if bytes.HasPrefix(text, []byte("/")) && bytes.HasSuffix(text, []byte("/"+name)) {
			paths = append(paths, string(text))
		}
	}
	for _, dir := range []string{"/lib64", "/usr/lib64", "/lib", "/usr/lib"} {
		paths = append(paths, filepath.Join(dir, name))
	}
	return paths
}

// executable are the ranges of addresses with code; none where the system does not tell.
func executable() (ranges [][2]uintptr) {
	if runtime.GOOS != "linux" {
		return nil
	}
	maps, _ := os.ReadFile("/proc/self/maps")
	for line := range strings.Lines(string(maps)) {
		var from, to uintptr
		var access string
		if n, _ := fmt.Sscanf(line, "%x-%x %s", &from, &to, &access); n == 3 && strings.Contains(access, "x") {
			ranges = append(ranges, [2]uintptr{from, to})
		}
	}
	return ranges
}

// checkTable returns which function is missing in the table of a platform. Tables do not tell their lengths: where one
// has ended stands something else than the address of code.
func checkTable(platform uintptr, from, to function) error {
	code := executable()
	for f := from; f < to; f++ {
		address := tableEntry(platform, f)
		inside := func(r [2]uintptr) bool { return r[0] <= address && address < r[1] }
		if f != clGetPlatformIDs && (address == 0 || len(code) > 0 && !slices.ContainsFunc(code, inside)) {
			return fmt.Errorf("its table is too short: it has no %s", functions[f].name)
		}
	}
	return nil
}
