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

// transform is the obvious Burrows-Wheeler transform.
func transform(text []byte) (rows []byte, primary int) {
	if len(text) == 0 {
		return rows, 0
	}
	rows = []byte{text[len(text)-1]}
	for i, p := range suffixArray(text) {
		if p == 0 {
			primary = i + 1
		} else {
			rows = append(rows, text[p-1])
		}
	}
	return rows, primary
}

func TestBWT(t *testing.T) {
	needDevice(t)
	for name, text := range map[string][]byte{"empty": {}, "one byte": {7}, "prose": prose(3000)} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, "text", text)
			rows, primary := transform(text)
			number := fmt.Sprintf("%d\n", primary)

			r := good(t, dir, "bwt", "text", "-o", "out")
			assert.Equal(t, number, r.out)
			assert.Equal(t, number, string(get(t, dir, "out.primary")))
			assert.True(t, bytes.Equal(rows, get(t, dir, "out")))
			assert.Equal(t, []string{"out", "out.primary", "text"}, files(t, dir))

			good(t, dir, "sa", "text", "-o", "sa", "--quiet")
			r = good(t, dir, "verify", "text", "sa", "--bwt", "out")
			assert.Contains(t, r.out, "OK: sa is the suffix array and out the Burrows-Wheeler transform of text")
			require.NoError(t, os.Remove(filepath.Join(dir, "out.primary")))
			r = suffixclIn(t, dir, "verify", "text", "sa", "--bwt", "out")
			assert.Equal(t, exitFailed, r.code)
			assert.Contains(t, r.errors, "out.primary")
			good(t, dir, "verify", "text", "sa", "--bwt", "out", "--primary", fmt.Sprint(primary))
		})
	}
}
