// Package cltype names the types of OpenCL C that elements of buffers have.
package cltype

import (
	"fmt"
	"reflect"
	"unsafe"
)

// Name is the type of OpenCL C that has the layout of T.
func Name[T uint8 | uint16 | uint32 | uint64 | [2]uint32]() string { return Of(reflect.TypeFor[T]()) }

// Of is the type of OpenCL C that has the layout of a type of Go: scalars, and arrays of them, which are vectors. A
// type for which OpenCL C has no name is called as in Go.
func Of(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Uint8:
		return "uchar"
	case reflect.Uint16:
		return "ushort"
	case reflect.Uint32:
		return "uint"
	case reflect.Uint64:
		return "ulong"
	case reflect.Int32:
		return "int"
	case reflect.Int64:
		return "long"
	case reflect.Array:
		return fmt.Sprintf("%s%d", Of(t.Elem()), t.Len())
	}
	return t.String()
}

// Flag is a bool as kernels take it.
func Flag(set bool) uint32 {
	if set {
		return 1
	}
	return 0
}

// Symbol adds the type of a text's symbols to the defines of a program, as SYMBOL. For bytes it adds nothing: they are
// what the files of the program take without SYMBOL.
func Symbol[T uint8 | uint16 | uint32, D ~map[string]any](defines D) D {
	if Size[T]() > 1 {
		defines["SYMBOL"] = Name[T]()
	}
	return defines
}

// Size is the number of bytes of a T.
func Size[T any]() int { return int(unsafe.Sizeof(*new(T))) }
