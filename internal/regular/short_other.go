//go:build !unix

package regular

import (
	"io"
	"os"
)

// ReadShort reads all of a regular file of up to so many bytes, at least one. It is nil for other files, and where
// anything fails: Open tells why.
func ReadShort(name string, limit int) []byte {
	if Check(name) != nil {
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	if err != nil || len(data) == 0 || len(data) > limit {
		return nil
	}
	return data
}
