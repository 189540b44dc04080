package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestUnBWT(t *testing.T) {
	needDevice(t)
	for name, text := range map[string][]byte{"empty": {}, "one byte": {7}, "prose": prose(3000)} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			rows, primary := transform(text)
			put(t, dir, "bwt", rows)
			put(t, dir, "bwt.primary", fmt.Appendln(nil, primary))
			r := good(t, dir, "unbwt", "bwt", "-o", "text")
			assert.Empty(t, r.out)
			assert.True(t, bytes.Equal(text, get(t, dir, "text")))
			c := command(dir, "unbwt", "-", "-o", "-", "--primary", fmt.Sprint(primary))
			c.Stdin = bytes.NewReader(rows)
			r = finish(t, c)
			assert.Equal(t, exitDone, r.code, r.errors)
			assert.True(t, string(text) == r.out)

			r = suffixclIn(t, dir, "unbwt", "bwt", "-o", "out", "--primary", fmt.Sprint(len(text)+1))
			assert.Equal(t, exitVerify, r.code)
			assert.Contains(t, r.errors, "has no primary index")
			require.NoError(t, os.Remove(filepath.Join(dir, "bwt.primary")))
			r = suffixclIn(t, dir, "unbwt", "bwt", "-o", "out")
			assert.Equal(t, exitFailed, r.code)
			assert.Contains(t, r.errors, "bwt.primary")
			assert.Equal(t, []string{"bwt", "text"}, files(t, dir))
		})
	}
	dir := t.TempDir()
	put(t, dir, "bwt", bytes.Repeat([]byte("a"), 1000))
	r := suffixclIn(t, dir, "unbwt", "bwt", "-o", "out", "--primary", "500")
	assert.Equal(t, exitVerify, r.code)
	assert.Contains(t, r.errors, "that of no text")
	// It may look like an archive.
	put(t, dir, "gz", gzipped(t, nil))
	r = suffixclIn(t, dir, "unbwt", "gz", "-o", "out", "--primary", "1")
	assert.NotContains(t, r.errors, "decompressing")
	assert.Equal(t, []string{"bwt", "gz"}, files(t, dir))
}
