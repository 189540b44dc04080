package cl

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"github.com/suffixcl/suffixcl/internal/hooks"
)

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
