package device

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/suffixcl/suffixcl/internal/atomicfile"
)

const (
	// cacheVersion is that of the files, which have a directory for each. Those of older versions are removed.
	cacheVersion = 2
	// cacheLimit bounds the bytes of all files, of which a program has 0.1 MB as a rule.
	cacheLimit = 512 << 20
	// cacheTouch is how old the time of a file gets before use renews it.
	cacheTouch = time.Hour
)

// diskCache keeps the binaries of programs in a directory, which processes share. What was not used for longest is
// removed when there is too much of it. The cache is a convenience: that it cannot be read or written is no error.
//
// The file of a binary is the SHA-256 of key and binary, followed by the binary. What does not match, a file under
// another's name included, is as good as none: drivers crash on damaged binaries.
type diskCache struct {
	dir   string // "" keeps nothing
	limit int64  // bytes
	used  int64  // bytes of all files, but for what other processes did since evict; 0 before the first
}

// newDiskCache returns the cache in a directory: that of the user if it is empty, and none if it is "off".
func newDiskCache(dir string) diskCache {
	switch dir {
	case "off":
		return diskCache{}
	case "":
		user, err := os.UserCacheDir()
		if err != nil {
			return diskCache{} // no home: do without
		}
		dir = filepath.Join(user, "suffixcl", "programs")
	}
	return diskCache{dir: dir, limit: cacheLimit}
}

func (c *diskCache) path(key string) string {
	return filepath.Join(c.version(cacheVersion), key+".clbin")
}

// version is the directory of the files of a version. The first had none.
func (c *diskCache) version(v int) string {
	if v == 1 {
		return c.dir
	}
	return filepath.Join(c.dir, fmt.Sprintf("v%d", v))
}

func checksum(key string, binary []byte) []byte {
	h := sha256.New()
	io.WriteString(h, key)
	h.Write(binary)
	return h.Sum(nil)
}

// load returns the binary of a key, or nil.
func (c *diskCache) load(key string) []byte {
	if c.dir == "" {
		return nil
	}
	data, err := os.ReadFile(c.path(key))
	if err != nil || len(data) <= sha256.Size {
		return nil
	}
	sum, binary := data[:sha256.Size], data[sha256.Size:]
	if !bytes.Equal(sum, checksum(key, binary)) {
		return nil
	}
	now := time.Now()
	if info, err := os.Stat(c.path(key)); err == nil && now.Sub(info.ModTime()) > cacheTouch {
		_ = os.Chtimes(c.path(key), now, now)
	}
	return binary
}

// store keeps a binary.
func (c *diskCache) store(key string, binary []byte) {
	if c.dir == "" || len(binary) == 0 || os.MkdirAll(c.version(cacheVersion), 0o755) != nil {
		return
	}
	data := slices.Concat(checksum(key, binary), binary)
	if atomicfile.WriteFile(c.path(key), data, 0o644) != nil {
		return
	}
	unknown := c.used == 0
	if c.used += int64(len(data)); unknown || c.used > c.limit {
		c.evict()
	}
}

// evict removes the files of older versions, those that a process has left unfinished, and what was used longest
// ago, if there is too much: a tenth more than has to go, so that it is not called for every file.
func (c *diskCache) evict() {
	for v := 1; v < cacheVersion; v++ {
		for _, f := range listCache(c.version(v)) {
			_ = os.Remove(f.path)
		}
	}
	files := listCache(c.version(cacheVersion))
	c.used = 0
	for _, f := range files {
		c.used += f.bytes
	}
	enough := c.limit
	if c.used > c.limit {
		enough -= c.limit / 10
	}
	slices.SortFunc(files, func(a, b cachedFile) int { return a.time.Compare(b.time) })
	for _, f := range files {
		abandoned := f.unfinished && time.Since(f.time) > cacheTouch
		if (abandoned || !f.unfinished && c.used > enough) && os.Remove(f.path) == nil {
			c.used -= f.bytes
		}
	}
}

// cachedFile is a file of the cache.
type cachedFile struct {
	path       string
	bytes      int64
	time       time.Time // of the last use
	unfinished bool
}

var cacheFile = regexp.MustCompile(`^\.?[0-9a-f]{64}(\.clbin[0-9]*|\.[0-9]+\.tmp)$`)

// listCache lists the cache's files of a directory, and no others.
func listCache(dir string) []cachedFile {
	entries, _ := os.ReadDir(dir)
	var files []cachedFile
	for _, e := range entries {
		if !e.Type().IsRegular() || !cacheFile.MatchString(e.Name()) {
			continue
		}
		if info, err := e.Info(); err == nil { // not removed meanwhile
			unfinished := e.Name()[0] == '.' || filepath.Ext(e.Name()) != ".clbin"
			files = append(files, cachedFile{filepath.Join(dir, e.Name()), info.Size(), info.ModTime(), unfinished})
		}
	}
	return files
}
