package addressspace

import (
	"bytes"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Resident is the most memory that the process has had at once, as the system counts it; 0 if it does not tell.
func Resident() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(status) {
		var kb int64
		if n, _ := fmt.Sscanf(string(line), "VmHWM: %d kB", &kb); n == 1 {
			return kb << 10
		}
	}
	return 0
}

// hugePage is the least size of a huge page on the processors of today.
const hugePage = 2 << 20

// AdviseHuge asks the system for huge pages where the process has memory that was not used yet. They take less time
// than small ones to come into being, and to find again.
func AdviseHuge(memory []byte) {
	skipped := -uintptr(unsafe.Pointer(unsafe.SliceData(memory))) & (hugePage - 1)
	if len(memory) < int(skipped)+hugePage {
		return
	}
	// It is no more than advice: where the system has none to give, small pages do.
	_ = unix.Madvise(memory[skipped:], unix.MADV_HUGEPAGE)
}
