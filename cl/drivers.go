package cl

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

const libraryVariable = "SUFFIXCL_OPENCL_LIBRARY"

const (
	installLibrary = "to install one: Debian and Ubuntu: ocl-icd-libopencl1; Fedora, Arch and Homebrew: ocl-icd; " +
		"the drivers of NVIDIA, AMD and Intel bring their own"
	installDriver = "to install a driver: the one of the device's vendor (NVIDIA, AMD, Intel), or " + installPoCL
	installPoCL   = "PoCL for the CPU (Debian and Ubuntu: pocl-opencl-icd; Fedora, Arch and Homebrew: pocl)"
)

// driver is one that the loader is told of: an ICD, "installable client driver".
type driver struct {
	file    string // of the registration; empty where the environment names the library
	library string // name or path
}

func (d driver) String() string {
	if d.file == "" {
		return d.library
	}
	return fmt.Sprintf("%s (%s)", d.library, d.file)
}

func (d driver) isPoCL() bool { return strings.Contains(filepath.Base(d.library), "pocl") }

// vendors is where loaders look for drivers: a directory of .icd files, one such file, or a library.
func vendors() string {
	return cmp.Or(os.Getenv("OCL_ICD_VENDORS"), os.Getenv("OPENCL_VENDOR_PATH"), "/etc/OpenCL/vendors")
}

// registered lists the drivers that the loader is told of. Windows has them in its registry: none are listed.
func registered() []driver {
	if runtime.GOOS == "windows" {
		return nil
	}
	paths := append(filepath.SplitList(os.Getenv("OCL_ICD_FILENAMES")), vendors())
	inside, _ := filepath.Glob(filepath.Join(vendors(), "*.icd"))
	var drivers []driver
	for _, path := range append(paths, inside...) {
		if filepath.Ext(path) == ".icd" {
			if text, err := os.ReadFile(path); err == nil {
				library, _, _ := strings.Cut(string(text), "\n")
				drivers = append(drivers, driver{path, strings.TrimSpace(library)})
			}
		} else if name := filepath.Base(path); strings.Contains(name, ".so") || strings.Contains(name, ".dylib") {
			drivers = append(drivers, driver{library: path})
		}
	}
	return drivers
}

// reasons are what prevents something, in one line.
type reasons []error

func (r reasons) Error() string {
	texts := make([]string, len(r))
	for i, reason := range r {
		texts[i] = reason.Error()
	}
	return strings.Join(texts, "; ")
}

func (r reasons) Unwrap() []error { return r }

// broken says of each driver that cannot be loaded why not.
func broken(drivers []driver) (failures reasons) {
	var paths []string
	for _, d := range drivers {
		paths = append(paths, d.library)
	}
	bad := tried(paths)
	for _, d := range drivers {
		library, err := uintptr(0), bad[d.library]
		if err == nil {
			library, err = openLibrary(d.library)
		}
		if err != nil {
			failures = append(failures, fmt.Errorf("driver %v cannot be loaded: %w", d, err))
			continue
		}
		closeLibrary(library)
	}
	return failures
}

// noLibrary is the error where no OpenCL library can be loaded.
func noLibrary(failures []string) error {
	advice := installLibrary
	switch drivers := registered(); {
	case os.Getenv(libraryVariable) != "":
		return fmt.Errorf("%w: tried %s; %s is set, so nothing else was tried",
			ErrNoLibrary, strings.Join(failures, ", "), libraryVariable)
	case len(drivers) > 0:
		advice = fmt.Sprintf("there is a driver, %v, but not the library that finds it; %s", drivers[0], installLibrary)
	default:
		advice += "; " + installDriver
	}
	return fmt.Errorf("%w: tried %s; set %s to use a library elsewhere; %s",
		ErrNoLibrary, strings.Join(failures, ", "), libraryVariable, advice)
}

// noPlatform is the error where the library has no driver.
func noPlatform() error {
	drivers := registered()
	if runtime.GOOS == "windows" {
		return fmt.Errorf("%w: no driver is registered; %s", ErrNoPlatform, installDriver)
	}
	if len(drivers) == 0 {
		return fmt.Errorf("%w: no driver is registered in %s; %s", ErrNoPlatform, vendors(), installDriver)
	}
	failures := broken(drivers)
	if len(failures) == 0 {
		failures = append(failures, fmt.Errorf("no platform of the drivers that are registered: %v", drivers))
	}
	return fmt.Errorf("%w: %w", ErrNoPlatform, failures)
}

// noDevice is the error where the platforms have no device of a type, for their reasons.
func noDevice(t DeviceType, why reasons) error {
	drivers := registered()
	why = append(why, broken(drivers)...)
	if t&DeviceTypeCPU != 0 && !slices.ContainsFunc(drivers, driver.isPoCL) {
		why = append(why, errors.New("a driver that has one everywhere is "+installPoCL))
	}
	return fmt.Errorf("%w: %w", ErrNoDevice, why)
}
