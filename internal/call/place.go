//go:build gc && linux && (amd64 || arm64)

package call

// place is where the runtime has this goroutine. No two goroutines have the same at a time, but one after the other
// may. It takes a nanosecond, where the number of a goroutine takes microseconds.
func place() uint64
