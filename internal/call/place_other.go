//go:build !gc || !linux || (!amd64 && !arm64)

package call

// place is the number of this goroutine.
func place() uint64 { return goroutine() }
