package verbs

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// suffixArray is the obvious one.
func suffixArray(text []byte) []uint64 {
	sa := make([]uint64, len(text))
	for i := range sa {
		sa[i] = uint64(i)
	}
	slices.SortFunc(sa, func(a, b uint64) int { return bytes.Compare(text[a:], text[b:]) })
	return sa
}

func encode(sa []uint64, width int) []byte {
	file := []byte{}
	for _, v := range sa {
		file = append(file, binary.LittleEndian.AppendUint64(nil, v)[:width]...)
	}
	return file
}

func TestSuffixArray(t *testing.T) {
	clitest.NeedDevice(t)
	for name, text := range map[string][]byte{
		"empty": {}, "one byte": {0}, "two": {255, 255}, "banana": []byte("banana"), "prose": clitest.Prose(5000),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			clitest.Put(t, dir, "text", text)
			for _, width := range []int{4, 5, 8} {
				w := fmt.Sprint(width)
				r := clitest.Good(t, dir, "sa", "text", "-o", "sa"+w, "--width", w)
				assert.Empty(t, r.Out)
				assert.Regexp(t, `; \S+ m?s, [0-9.]+ MB/s in all, \d+ % of it \w+: open \S+ m?s, `, r.Errors)
				assert.Equal(t, 1, strings.Count(r.Errors, "\n"))
				assert.True(t, bytes.Equal(encode(suffixArray(text), width), clitest.Get(t, dir, "sa"+w)))
			}
			assert.Equal(t, []string{"sa4", "sa5", "sa8", "text"}, clitest.Files(t, dir))
			r := clitest.Good(t, dir, "verify", "text", "sa5", "--width", "5", "--quiet")
			assert.Contains(t, r.Out, "OK: sa5 is the suffix array of text")
			assert.Empty(t, r.Errors)
		})
	}
}
