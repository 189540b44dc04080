//go:build linux || darwin || freebsd

package divsufsort

import (
	"fmt"
	"runtime"

	"github.com/ebitengine/purego"
)

func openDivsufsort() (lib libdivsufsort, err error) {
	name := "libdivsufsort.so.3"
	if runtime.GOOS == "darwin" {
		name = "libdivsufsort.3.dylib"
	}
	handle, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return lib, fmt.Errorf("%w: %w", ErrNone, err)
	}
	for symbol, function := range map[string]any{
		"divsufsort": &lib.divsufsort,
		"divbwt":     &lib.divbwt,
	} {
		address, err := purego.Dlsym(handle, symbol)
		if err != nil {
			return lib, fmt.Errorf("%w: %w", ErrNone, err)
		}
		purego.RegisterFunc(function, address)
	}
	return lib, nil
}
