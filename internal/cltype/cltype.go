// Package cltype names the types of OpenCL C that elements of buffers have.
package cltype

import "unsafe"

// Name is the type of OpenCL C that has the layout of T.
func Name[T uint8 | uint32 | uint64 | [2]uint32]() string {
	var v T
	switch any(v).(type) {
	case uint8:
		return "uchar"
	case uint64:
		return "ulong"
	case [2]uint32:
		return "uint2"
	}
	return "uint"
}

// Size is the number of bytes of a T.
func Size[T any]() int { return int(unsafe.Sizeof(*new(T))) }
