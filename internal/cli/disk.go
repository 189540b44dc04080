package cli

import (
	"fmt"
	"path/filepath"

	"github.com/suffixcl/suffixcl/internal/bytesize"
)

// Directory is where the file of a result is, and "" for what is none.
func (o *Output) Directory() string {
	if o.path == "" {
		return ""
	}
	return filepath.Dir(o.path)
}

// CheckRoom returns an error if the file system of a directory has no room for so many bytes.
func CheckRoom(dir string, bytes int64) error {
	if free, known := FreeBytes(dir); known && bytes > free {
		return fmt.Errorf("it takes %s, and the file system of %s has %d free", bytesize.Count(bytes, "byte"), dir, free)
	}
	return nil
}
