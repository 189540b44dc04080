package mpi

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"
)

var plainTypes sync.Map // reflect.Type -> bool

// Plain tells whether values of a type may be sent: whether they hold no pointers, and nothing whose size depends on
// the machine, as int does.
func Plain(t reflect.Type) bool {
	if known, ok := plainTypes.Load(t); ok {
		return known.(bool)
	}
	plain := false
	switch t.Kind() {
	case reflect.Bool, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint16,
		reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		plain = true
	case reflect.Array:
		plain = Plain(t.Elem())
	case reflect.Struct:
		plain = true
		for i := range t.NumField() {
			plain = plain && Plain(t.Field(i).Type)
		}
	}
	plainTypes.Store(t, plain)
	return plain
}

// bytesOf views slices as bytes. Errors: ErrNotPlain.
func bytesOf[T any](v []T) ([]byte, error) {
	if t := reflect.TypeFor[T](); !Plain(t) {
		return nil, fmt.Errorf("%w: %v", ErrNotPlain, t)
	}
	size := int(unsafe.Sizeof(*new(T)))
	if len(v) == 0 || size == 0 {
		return nil, nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), len(v)*size), nil
}

// two is bytesOf for what is sent and what is received.
func two[T any](a, b []T) ([]byte, []byte, error) {
	x, err := bytesOf(a)
	if err != nil {
		return nil, nil, err
	}
	y, err := bytesOf(b)
	return x, y, err
}

// lengths returns an error unless a slice has the length that a call needs.
func lengths(what string, got, want int) error {
	if got == want {
		return nil
	}
	return fmt.Errorf("mpi: %s has %d elements instead of %d: %w", what, got, want, ErrCount)
}

// size is the size of an element in bytes, at least 1.
func size[T any]() int { return max(1, int(unsafe.Sizeof(*new(T)))) }
