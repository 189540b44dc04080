//go:build !linux

package atomicfile

import "syscall"

// begin does nothing: only Linux has such a call.
func begin(syscall.Conn) {}
