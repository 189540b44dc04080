package device_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
)

func keyOf(i int) string { return fmt.Sprintf("%064x", i) }

// binaryOf has 1000 bytes, and a file of it 1032.
func binaryOf(i int) []byte { return bytes.Repeat([]byte(fmt.Sprintf("%10d", i)), 100) }

const fileBytes = 1032

// age sets the time of the last use of a file.
func age(t *testing.T, path string, by time.Duration) {
	then := time.Now().Add(-by)
	require.NoError(t, os.Chtimes(path, then, then))
}

// What was used longest ago goes first when there is too much.
func TestCacheBound(t *testing.T) {
	dir := t.TempDir()
	c := device.NewDiskCache(dir, 20*fileBytes)
	for i := range 20 {
		c.Store(keyOf(i), binaryOf(i))
		age(t, c.Path(keyOf(i)), time.Duration(100-i)*time.Hour)
	}
	require.Len(t, list(t, dir), 20)
	require.Equal(t, binaryOf(0), c.Load(keyOf(0)), "used again")
	c.Store(keyOf(20), binaryOf(20))
	for i := range 21 {
		binary := c.Load(keyOf(i))
		if i >= 1 && i <= 3 { // to 18 files, nine tenths
			require.Nil(t, binary, i)
		} else {
			require.Equal(t, binaryOf(i), binary, i)
			age(t, c.Path(keyOf(i)), time.Duration(100-i)*time.Minute)
		}
	}

	// Another process, which does not know how much there is, keeps the bound as well.
	other := device.NewDiskCache(dir, 10*fileBytes)
	other.Store(keyOf(21), binaryOf(21))
	require.Len(t, list(t, dir), 9)
	require.NotNil(t, other.Load(keyOf(21)))
	require.NotNil(t, other.Load(keyOf(20)))
	require.Nil(t, other.Load(keyOf(0)))
}

// A file's time is renewed now and then, not at every use.
func TestCacheTouch(t *testing.T) {
	c := device.NewDiskCache(t.TempDir(), 1<<20)
	c.Store(keyOf(1), binaryOf(1))
	for _, by := range []time.Duration{time.Minute, 2 * time.Hour} {
		age(t, c.Path(keyOf(1)), by)
		require.NotNil(t, c.Load(keyOf(1)))
		info, err := os.Stat(c.Path(keyOf(1)))
		require.NoError(t, err)
		require.Equal(t, by > time.Hour, time.Since(info.ModTime()) < 30*time.Second, by)
	}
}

// Files of the first version and unfinished ones go; what is not the cache's stays.
func TestCacheLeftovers(t *testing.T) {
	dir := t.TempDir()
	c := device.NewDiskCache(dir, 1<<20)
	current := filepath.Dir(c.Path(keyOf(1)))
	require.NoError(t, os.MkdirAll(filepath.Join(current, keyOf(9)+".clbin"), 0o755), "a directory")
	unfinished := "." + keyOf(7) + ".clbin"
	gone := []string{
		filepath.Join(dir, keyOf(2)+".clbin"), filepath.Join(dir, keyOf(3)+".123456.tmp"),
		filepath.Join(current, unfinished+"123"),
	}
	kept := []string{
		filepath.Join(dir, "notes.clbin"), filepath.Join(dir, "README"), filepath.Join(dir, "sub", keyOf(4)+".clbin"),
		filepath.Join(current, "x"+keyOf(5)+".clbin"), filepath.Join(current, unfinished+"456"),
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "sub"), 0o755))
	for _, name := range append(gone, kept...) {
		require.NoError(t, os.WriteFile(name, []byte("something"), 0o644))
		if !strings.HasSuffix(name, "456") { // that one is being written
			age(t, name, 2*time.Hour)
		}
	}
	c.Store(keyOf(1), binaryOf(1))
	for _, name := range gone {
		assert.NoFileExists(t, name)
	}
	for _, name := range kept {
		assert.FileExists(t, name)
	}
	require.Equal(t, binaryOf(1), c.Load(keyOf(1)))
}

// A binary that is larger than the bound is not kept, and nothing is where there is no directory.
func TestCacheExtremes(t *testing.T) {
	dir := t.TempDir()
	c := device.NewDiskCache(dir, 100)
	c.Store(keyOf(1), binaryOf(1))
	require.Empty(t, list(t, dir))
	c.Store(keyOf(2), nil)
	require.Empty(t, list(t, dir))
	none := device.NewDiskCache("", 100)
	none.Store(keyOf(1), binaryOf(1))
	require.Nil(t, none.Load(keyOf(1)))
}

// Caches on one directory, as those of several processes, give what was stored or nothing, while files come and go.
func TestCacheTogether(t *testing.T) {
	dir := t.TempDir()
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			c := device.NewDiskCache(dir, 5*fileBytes)
			for i := range 50 {
				key := (i*7 + worker) % 20
				if binary := c.Load(keyOf(key)); binary == nil {
					c.Store(keyOf(key), binaryOf(key))
				} else {
					assert.Equal(t, binaryOf(key), binary)
				}
			}
		})
	}
	group.Wait()
	last := device.NewDiskCache(dir, 5*fileBytes)
	last.Store(keyOf(100), binaryOf(100))
	require.LessOrEqual(t, len(list(t, dir)), 5)
	for _, name := range list(t, dir) {
		assert.Equal(t, ".clbin", filepath.Ext(name), "no temporary file is left")
	}
}
