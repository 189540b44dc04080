package devicetest

import (
	"fmt"
	"unsafe"
)

// Intact checks that memory still holds canaries.
func Intact[T any](where string, guard []T) error {
	if len(guard) == 0 {
		return nil
	}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&guard[0])), len(guard)*int(unsafe.Sizeof(guard[0])))
	for i, b := range bytes {
		if b != Canary {
			return fmt.Errorf("memory %s was overwritten at byte %d", where, i)
		}
	}
	return nil
}
