package cl

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/suffixcl/suffixcl/internal/hooks"
)

// load makes sure that the library is loaded. It tries again after a failure.
func load() error {
	if loaded.Load() != nil {
		return nil
	}
	loading.Lock()
	defer loading.Unlock()
	if loaded.Load() != nil {
		return nil
	}
	if table := hooks.Implementation(); table != nil {
		lib, err := nativeLibrary(table)
		if err == nil {
			loaded.Store(lib)
		}
		return err
	}
	offerPoCLCache()
	var failures []string
	if path := os.Getenv(libraryVariable); path != "" {
		if err := tried([]string{path})[path]; err != nil {
			return noLibrary([]string{fmt.Sprintf("%s (%v)", path, err)})
		}
	}
	for _, path := range libraryPaths() {
		lib, err := loadFrom(path)
		if err == nil {
			lib.icds = unregistered()
			loaded.Store(lib)
			return nil
		}
		failures = append(failures, fmt.Sprintf("%s (%v)", path, err))
	}
	icds, err := withoutLoader()
	if len(icds) > 0 {
		loaded.Store(&library{icds: icds})
		return nil
	}
	if err != nil && !errors.Is(err, errNoICD) && !strings.Contains(failures[0], err.Error()) {
		failures = append(failures, fmt.Sprintf("as a driver: %v", err))
	}
	for _, why := range hooks.LeftOut() {
		failures = append(failures, why.Error())
	}
	return noLibrary(failures)
}

func libraryPaths() []string {
	if path := os.Getenv(libraryVariable); path != "" {
		return []string{path}
	}
	switch runtime.GOOS {
	case "windows":
		return []string{"OpenCL.dll"}
	case "darwin":
		return []string{"/System/Library/Frameworks/OpenCL.framework/OpenCL"}
	}
	return []string{"libOpenCL.so.1", "libOpenCL.so"}
}

// nativeLibrary takes the functions from a table in Go.
func nativeLibrary(table hooks.Functions) (*library, error) {
	lib := new(library)
	for f := range lib.functions {
		if lib.functions[f].native = table[functions[f].name]; lib.functions[f].native == nil {
			return nil, fmt.Errorf("%w: the implementation in Go has no %s", ErrNoLibrary, functions[f].name)
		}
	}
	return lib, nil
}

func loadFrom(path string) (*library, error) {
	handle, err := openLibrary(path)
	if err != nil {
		return nil, err
	}
	lib := new(library)
	for f := range lib.functions {
		address, err := findSymbol(handle, functions[f].name)
		if err != nil || address == 0 {
			closeLibrary(handle)
			return nil, fmt.Errorf("not an OpenCL 1.2 library: it has no %s", functions[f].name)
		}
		lib.functions[f].address = address
	}
	return lib, nil
}
