package device

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/suffixcl/suffixcl/internal/atomicfile"
	"github.com/suffixcl/suffixcl/internal/regular"
)

const (
	// cacheVersion is that of the files, which have a directory for each. Those of older versions are removed.
	cacheVersion = 2
	// cacheLimit bounds the bytes of all files, of which a program has 0.1 MB as a rule.
	cacheLimit = 512 << 20
	// cacheTouch is how old the time of a file gets before use renews it.
	cacheTouch = time.Hour
)

// cacheVariable names the environment variable with the places of compiled programs, if Config.CacheDir is empty.
const cacheVariable = "SUFFIXCL_CACHE"

// diskCache keeps the binaries of programs in a directory, which processes share. What was not used for longest is
// removed when there is too much of it. The cache is a convenience: that it cannot be read or written is no error.
//
// The file of a binary is the SHA-256 of key and binary, followed by the binary. What does not match, a file under
// another's name included, is as good as none: drivers crash on damaged binaries.
type diskCache struct {
	dir   string   // "" keeps nothing
	read  []*shelf // are only read, after dir
	limit int64    // bytes
	used  int64    // bytes of all files, but for what other processes did since evict; 0 before the first
	notes []string // what people should know
}

// newDiskCache returns the cache in a list of directories and archives. Empty means the one that the environment has,
// else own; "off" means that none is written. What others could write is not used, as a binary runs with the rights of
// the process. Where no directory of the list can be written, own keeps what is lacking.
func newDiskCache(list, own string) diskCache {
	if list == "" {
		list = os.Getenv(cacheVariable)
	}
	c := diskCache{limit: cacheLimit}
	if keeps := c.shelves(list); keeps && c.dir == "" {
		c.dir = own
	}
	return c
}

// writable tells whether files can be made in a directory. One that is not there counts as such.
func writable(dir string) bool {
	f, err := os.CreateTemp(dir, ".writable")
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	f.Close()
	return os.Remove(f.Name()) == nil
}

// userCache is the directory of the user's programs, or "" where there is no home.
func userCache() string {
	user, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(user, "suffixcl", "programs")
}

func (c *diskCache) path(key string) string { return cachePath(c.dir, key) }

func cachePath(dir, key string) string {
	return filepath.Join(versionDir(dir, cacheVersion), key+exactSuffix)
}

// versionDir is the directory of the files of a version. The first had none.
func versionDir(dir string, v int) string {
	if v == 1 {
		return dir
	}
	return filepath.Join(dir, fmt.Sprintf("v%d", v))
}

func checksum(key string, binary []byte) []byte {
	h := sha256.New()
	io.WriteString(h, key)
	h.Write(binary)
	return h.Sum(nil)
}

// load returns the binary of a key, or nil.
func (c *diskCache) load(key string) []byte {
	if binary := c.loadOwn(key); binary != nil {
		return binary
	}
	binary, _ := c.loadRead(key)
	return binary
}

// loadOwn returns the binary of a key from the directory that is written, or nil.
func (c *diskCache) loadOwn(key string) []byte {
	if c.dir == "" {
		return nil
	}
	binary := readBinary(c.path(key), key)
	if binary == nil {
		return nil
	}
	now := time.Now()
	if info, err := os.Stat(c.path(key)); err == nil && now.Sub(info.ModTime()) > cacheTouch {
		_ = os.Chtimes(c.path(key), now, now)
	}
	return binary
}

// readBinary returns the binary of a file, or nil if it is not whole.
func readBinary(path, key string) []byte {
	data, err := regular.ReadFile(path)
	if err != nil {
		return nil
	}
	return parseBinary(data, key)
}

// parseBinary returns the binary in a file's bytes, or nil.
func parseBinary(data []byte, key string) []byte {
	if len(data) <= sha256.Size {
		return nil
	}
	sum, binary := data[:sha256.Size], data[sha256.Size:]
	if !bytes.Equal(sum, checksum(key, binary)) {
		return nil
	}
	return binary
}

// store keeps a binary.
func (c *diskCache) store(key string, binary []byte) {
	if c.dir == "" || len(binary) == 0 || os.MkdirAll(versionDir(c.dir, cacheVersion), 0o755) != nil {
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
		for _, f := range listCache(versionDir(c.dir, v)) {
			_ = os.Remove(f.path)
		}
	}
	files := listCache(versionDir(c.dir, cacheVersion))
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
