//go:build !unix

package clitest

func heedFileSizeSignal() {}
