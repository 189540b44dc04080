//go:build !linux

package addressspace

// remaining: other systems do not limit it, or do not tell.
func remaining() (bytes int64, limited bool) { return 0, false }
