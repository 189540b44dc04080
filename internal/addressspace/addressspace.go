// Package addressspace tells what the process may still take of its address space (ulimit -v). Drivers, and Go, end the
// process when they get none.
package addressspace

import (
	"runtime"
	"runtime/metrics"
	"unsafe"
)

// Limit names the limit, for errors.
const Limit = "address space left to the process (ulimit -v)"

// Check tells whether the process may take so many bytes more. If it may not, left is the number of bytes that it may
// take.
func Check(bytes int64) (left int64, ok bool) {
	left, limited := remaining()
	if !limited || bytes <= left {
		return left, true
	}
	// Go keeps the address space of garbage, and uses it again. The collector is asked only where that can help: it starts
	// threads, which ends the process where there is no room for their stacks.
	free, objects := goHeap()
	if left+free < bytes && left+free+objects >= bytes {
		runtime.GC()
		free, _ = goHeap()
	}
	left += free
	return left, bytes <= left
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

// Make is make for memory that is filled soon, in huge pages where the system has them. Pages come into being when they
// are written to, which several processors should do.
func Make[T any](n int) []T {
	made := make([]T, n)
	AdviseHuge(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(made))), n*int(unsafe.Sizeof(*new(T)))))
	return made
}
