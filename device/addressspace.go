package device

import (
	"runtime"
	"runtime/metrics"
)

// compileSpace is the address space that a process needs besides what is planned: for threads, and for what the
// driver compiles with.
const compileSpace = 128 << 20

// driverSpace is what loading a driver takes. PoCL 3.1 maps 240 to 450 MiB, and has a thread for each processor.
func driverSpace() int64 { return 512<<20 + int64(runtime.NumCPU())*8<<20 }

// CheckAddressSpace is a *[MemoryError] where the process may not take so many bytes more of address space
// (ulimit -v). Drivers, and Go, end the process when they get none.
func CheckAddressSpace(what string, bytes int64) error {
	left, limited := addressSpace()
	if !limited || bytes <= left {
		return nil
	}
	// Go keeps the address space of what is garbage, and uses it again. The collector is asked only where that can
	// help: it starts threads, which ends the process where there is no room for their stacks.
	free, objects := goHeap()
	if left+free < bytes && left+free+objects >= bytes {
		runtime.GC()
		free, _ = goHeap()
	}
	if left += free; bytes <= left {
		return nil
	}
	return &MemoryError{What: what, Need: bytes, Have: left, Limit: "address space left to the process (ulimit -v)"}
}

// goHeap returns the bytes of Go's heap that are free, and those of objects, garbage included.
func goHeap() (free, objects int64) {
	samples := []metrics.Sample{
		{Name: "/memory/classes/heap/free:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"},
	}
	metrics.Read(samples)
	var bytes [3]int64
	for i, s := range samples {
		if s.Value.Kind() == metrics.KindUint64 {
			bytes[i] = int64(s.Value.Uint64())
		}
	}
	return bytes[0] + bytes[1], bytes[2]
}
