//go:build !linux

package addressspace

// remaining tells nothing: other systems do not limit the address space, or do not tell.
func remaining() (bytes int64, limited bool) { return 0, false }
