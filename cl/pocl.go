package cl

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	poclPlatform = "Portable Computing Language"
	// poclCacheRoom is what PoCL needs for the programs of this module, some times over. It ends the process where
	// it runs out of it.
	poclCacheRoom     = 32 << 20
	poclCacheVariable = "POCL_CACHE_DIR"
)

// offerPoCLCache is offerCache where PoCL is a driver that the loader is told of, or that the environment names.
func offerPoCLCache() {
	if hasPoCL() {
		offerCache()
	}
}

// offerCache gives PoCL a directory for its cache where it has none: for a service without a home, on a home that is
// read-only, on a full disk. PoCL has no devices then, or ends the process. The environment is changed only where the
// user has not chosen a directory, and PoCL's own cannot be written.
func offerCache() {
	if os.Getenv(poclCacheVariable) != "" || checkRoom(poclCache(), poclCacheRoom) == nil {
		return
	}
	if dir, err := privateDirectory(); err == nil && checkRoom(dir, poclCacheRoom) == nil {
		_ = os.Setenv(poclCacheVariable, dir) // purego tells the C library
	}
}

// hasPoCL tells whether PoCL is among the drivers, or the library itself.
func hasPoCL() bool {
	return driver{library: os.Getenv(libraryVariable)}.isPoCL() || slices.ContainsFunc(registered(), driver.isPoCL)
}

// poclCache is where PoCL has its cache if the user has not chosen a directory.
func poclCache() string {
	if dir := os.Getenv("XDG_CACHE_HOME"); dir != "" {
		return filepath.Join(dir, "pocl", "kcache")
	}
	if home := os.Getenv("HOME"); home != "" {
		return filepath.Join(home, ".cache", "pocl", "kcache")
	}
	return "/tmp/pocl/kcache"
}

// PoCLCache is the directory where PoCL keeps what it has compiled, once it is in use.
func PoCLCache() string { return cmp.Or(os.Getenv(poclCacheVariable), poclCache()) }

// checkRoom returns why files of so many bytes cannot be written to a directory. The directory is made if need be,
// as PoCL does.
func checkRoom(dir string, bytes int64) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "room-*")
	if err != nil {
		return err
	}
	err = errors.Join(f.Close(), os.Remove(f.Name()))
	if free, known := freeSpace(dir); known && free < bytes {
		err = errors.Join(err, fmt.Errorf("%s: only %d bytes are free", dir, free))
	}
	return err
}

// poclReason says why PoCL has no CPU, as far as that can be seen.
func poclReason() string {
	chosen, standard := os.Getenv(poclCacheVariable), poclCache()
	err := checkRoom(cmp.Or(chosen, standard), poclCacheRoom)
	if chosen != "" && checkRoom(standard, poclCacheRoom) == nil { // where it goes then
		err = nil
	}
	if err != nil {
		return fmt.Sprintf("it cannot write its cache: %s; set %s to a directory that can be written, with %d MiB free",
			strings.ReplaceAll(err.Error(), "\n", ", "), poclCacheVariable, poclCacheRoom>>20)
	}
	return "POCL_DEBUG=error shows what it says"
}
