//go:build !linux

package cli

func checkReplaceable(string) error { return nil }
