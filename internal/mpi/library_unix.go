//go:build !windows

package mpi

import (
	"runtime"

	"github.com/ebitengine/purego"
)

// wholeProgram stands for all libraries of the program whose symbols are global.
const wholeProgram = uintptr(purego.RTLD_DEFAULT)

// noLoad has dlopen find only what is there; purego has no name for it.
var noLoad = map[string]int{"linux": 0x4, "darwin": 0x10, "freebsd": 0x2000}

// openLibrary makes the symbols global, which the plugins of Open MPI 4 expect.
func openLibrary(path string) (uintptr, error) {
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
}

// openedLibrary is a library that the program has loaded already, or 0.
func openedLibrary(path string) uintptr {
	flag, known := noLoad[runtime.GOOS]
	if !known {
		return 0
	}
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|flag)
	if err != nil {
		return 0
	}
	return handle
}

func findSymbol(library uintptr, name string) (uintptr, error) { return purego.Dlsym(library, name) }

func closeLibrary(library uintptr) { _ = purego.Dlclose(library) }
