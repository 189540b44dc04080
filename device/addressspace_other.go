//go:build !linux

package device

// addressSpace: other systems do not limit it, or do not tell.
func addressSpace() (left int64, limited bool) { return 0, false }
