package cl

import (
	"encoding/binary"
	"strings"
	"unsafe"
)

// toText returns what precedes the NUL.
func toText(value []byte) string {
	s, _, _ := strings.Cut(string(value), "\x00")
	return s
}

func toNumber(value []byte) uint64 {
	switch {
	case len(value) >= 8:
		return binary.NativeEndian.Uint64(value)
	case len(value) >= 4:
		return uint64(binary.NativeEndian.Uint32(value))
	case len(value) > 0:
		return uint64(value[0])
	}
	return 0
}

// toHandles reads an array of size_t or of objects.
func toHandles(value []byte) []uintptr {
	const size = int(unsafe.Sizeof(uintptr(0)))
	list := make([]uintptr, len(value)/size)
	for i := range list {
		list[i] = uintptr(toNumber(value[i*size : (i+1)*size]))
	}
	return list
}

func toBool(b bool) uintptr {
	if b {
		return 1
	}
	return 0
}
