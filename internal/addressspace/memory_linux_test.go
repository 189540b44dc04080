package addressspace

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// flagsAt are the flags that the system has for the memory at an address.
func flagsAt(t *testing.T, address uintptr) string {
	maps, err := os.ReadFile("/proc/self/smaps")
	require.NoError(t, err)
	inside := false
	for line := range bytes.Lines(maps) {
		var lo, hi uintptr
		if n, _ := fmt.Sscanf(string(line), "%x-%x ", &lo, &hi); n == 2 {
			inside = lo <= address && address < hi
		}
		if flags, ok := strings.CutPrefix(string(line), "VmFlags:"); ok && inside {
			return flags
		}
	}
	return ""
}

// The advice is for whole huge pages, and for no memory around them.
func TestAdviseHuge(t *testing.T) {
	const page = 4096
	memory, err := unix.Mmap(-1, 0, 5*hugePage, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	require.NoError(t, err)
	defer func() { require.NoError(t, unix.Munmap(memory)) }()
	memory[0] = 1
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage/enabled"); err != nil {
		t.Log("this system has no huge pages; the memory stays what it is")
	}
	start := uintptr(unsafe.Pointer(&memory[0]))
	aligned := memory[-start&(hugePage-1):]
	whole := aligned[:4*hugePage-1]

	AdviseHuge(nil)
	AdviseHuge(whole[1:hugePage])
	require.NotContains(t, flagsAt(t, start), " hg")
	AdviseHuge(aligned[page : 3*hugePage])
	require.Equal(t, byte(1), memory[0])
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage/enabled"); err == nil {
		at := func(i int) string { return flagsAt(t, uintptr(unsafe.Pointer(&aligned[i]))) }
		require.NotContains(t, at(0), " hg")
		require.Contains(t, at(hugePage), " hg")
		require.Contains(t, at(3*hugePage-1), " hg")
		require.NotContains(t, at(3*hugePage), " hg")
	}
}

func TestMake(t *testing.T) {
	require.Empty(t, Make[uint32](0))
	require.Equal(t, make([]uint32, 5), Make[uint32](5))
	made := Make[uint32](4 * hugePage / 4)
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage/enabled"); err == nil {
		require.Contains(t, flagsAt(t, uintptr(unsafe.Pointer(&made[len(made)/2]))), " hg")
	}
	require.Equal(t, make([]uint32, len(made)), made)
}
