//go:build !linux

package atomicfile

import "syscall"

// begin is of Linux alone.
func begin(syscall.Conn) {}
