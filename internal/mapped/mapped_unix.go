//go:build unix

package mapped

import (
	"os"

	"golang.org/x/sys/unix"
)

func mapWhole(f *os.File, size int) ([]byte, error) {
	return unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
}

func unmap(data []byte) error { return unix.Munmap(data) }
