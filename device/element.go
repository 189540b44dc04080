package device

import (
	"math"
	"unsafe"
)

// Element is what buffers hold: a number of fixed width, little-endian on device and host, or an array of them, which
// is a vector of OpenCL C: [4]uint32 is uint4.
type Element interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int32 | ~int64 | ~[2]uint32 | ~[4]uint32 | ~[2]uint64
}

// Void is the element of memory for a kernel whose source chooses the type. Tests compare the elements of all other
// buffers with what the kernel declares.
type Void uint8

func sizeof[T Element]() int {
	var v T
	return int(unsafe.Sizeof(v))
}

// bytesFor is the size of n elements: -1 if n is negative, and the largest int64 if there is no such size.
func bytesFor[T Element](n int) int64 {
	size := int64(sizeof[T]())
	switch {
	case n < 0:
		return -1
	case int64(n) > math.MaxInt64/size:
		return math.MaxInt64
	}
	return int64(n) * size
}

// sum adds sizes: the largest int64 stands for everything above.
func sum(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// bytesOf views a slice as bytes, without copying.
func bytesOf[T Element](v []T) []byte {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), len(v)*sizeof[T]())
}
