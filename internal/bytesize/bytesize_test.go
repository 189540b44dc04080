package bytesize_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/bytesize"
)

func TestFormat(t *testing.T) {
	for n, want := range map[int64]string{
		0:                   "0 bytes",
		1023:                "1023 bytes",
		1024:                "1.0 KiB (1024 bytes)",
		1536:                "1.5 KiB (1536 bytes)",
		1<<20 - 1:           "1.0 MiB (1048575 bytes)",
		1 << 20:             "1.0 MiB (1048576 bytes)",
		5 << 30:             "5.0 GiB (5368709120 bytes)",
		3 << 40:             "3.0 TiB (3298534883328 bytes)",
		1 << 50:             "1.0 PiB (1125899906842624 bytes)",
		math.MaxInt64:       "8.0 EiB (9223372036854775807 bytes)",
		1000*1024*1024 + 52: "1000.0 MiB (1048576052 bytes)",
	} {
		assert.Equal(t, want, bytesize.Format(n))
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]int64{
		"0":                   0,
		"1000000":             1000000,
		"512M":                512 << 20,
		"512m":                512 << 20,
		"2GiB":                2 << 30,
		"2 gib":               2 << 30,
		" 2GB ":               2 << 30,
		"7b":                  7,
		"7 B":                 7,
		"1k":                  1 << 10,
		"1.5K":                1536,
		".5k":                 512,
		"0.3":                 0,
		"3T":                  3 << 40,
		"3P":                  3 << 50,
		"7E":                  7 << 60,
		"9007199254740993":    1<<53 + 1, // no float64
		"9223372036854775807": math.MaxInt64,
		"0e":                  0,
	} {
		got, err := bytesize.Parse(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	for _, text := range []string{
		"", " ", "B", "K", "KiB", "-1", "+1", "1.2.3", "1..", ".", "1e3", "0x10", "1 2", "5iB", "1BB", "1KK", "1KBiB",
		"1Q", "NaN", "Inf", "12,5M", "M512", "1_000", "٣", "5G!",
	} {
		_, err := bytesize.Parse(text)
		assert.ErrorContains(t, err, "is not a size", text)
	}
	for _, text := range []string{"8E", "9223372036854775808", "8192P", "1" + fmt.Sprintf("%0400d", 0)} {
		_, err := bytesize.Parse(text)
		assert.ErrorContains(t, err, "too large", text)
	}
}

func TestFormattedParse(t *testing.T) {
	for _, n := range []int64{0, 1, 1023} {
		var number int64
		var unit string
		_, err := fmt.Sscan(bytesize.Format(n), &number, &unit)
		require.NoError(t, err)
		got, err := bytesize.Parse(fmt.Sprint(number))
		require.NoError(t, err)
		assert.Equal(t, n, got)
	}
}

func TestCount(t *testing.T) {
	assert.Equal(t, "0 bytes", bytesize.Count(0, "byte"))
	assert.Equal(t, "1 byte", bytesize.Count(int64(1), "byte"))
	assert.Equal(t, "2 matches", bytesize.Count(2, "match"))
	assert.Equal(t, "1 entry", bytesize.Count(uint64(1), "entry"))
	assert.Equal(t, "2 entries", bytesize.Count(2, "entry"))
}
