//go:build !linux && !darwin && !freebsd

package divsufsort

func openDivsufsort() (lib libdivsufsort, err error) { return lib, ErrNone }
