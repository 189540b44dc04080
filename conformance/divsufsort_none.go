//go:build !linux && !darwin && !freebsd

package conformance

func openDivsufsort() (lib libdivsufsort, err error) { return lib, ErrNoDivsufsort }
