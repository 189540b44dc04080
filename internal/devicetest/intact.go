package devicetest

import (
	"fmt"
	"unsafe"
)

// intact checks that memory still holds canaries.
func intact[T any](where string, guard []T) error {
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&guard[0])), len(guard)*int(unsafe.Sizeof(guard[0])))
	for i, b := range bytes {
		if b != canary {
			return fmt.Errorf("memory %s the buffer was overwritten at byte %d of the guard", where, i)
		}
	}
	return nil
}
