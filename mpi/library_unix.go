//go:build !windows

package mpi

import "github.com/ebitengine/purego"

// openLibrary makes the symbols global, which the plugins of Open MPI 4 expect.
func openLibrary(path string) (uintptr, error) {
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
}

func findSymbol(library uintptr, name string) (uintptr, error) { return purego.Dlsym(library, name) }

func closeLibrary(library uintptr) { _ = purego.Dlclose(library) }
