package amdcode

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each type of MessagePack in each of its sizes.
func TestUnpack(t *testing.T) {
	long := strings.Repeat("x", 40)
	for doc, want := range map[string]any{
		"\xc0": nil, "\xc2": false, "\xc3": true,
		"\x00": 0., "\x7f": 127., "\xff": -1., "\xe0": -32.,
		"\xcc\xff": 255., "\xcd\xff\xfe": 65534., "\xce\x80\x00\x00\x00": 2147483648.,
		"\xcf\x00\x00\x00\x01\x00\x00\x00\x00": 4294967296.,
		"\xd0\x80":                             -128., "\xd1\xff\x00": -256., "\xd2\xff\xff\x00\x00": -65536.,
		"\xd3\xff\xff\xff\xff\x00\x00\x00\x00": -4294967296.,
		"\xa0":                                 "", "\xa2\"\n": "\"\n", "\xd9\x28" + long: long, "\xda\x00\x28" + long: long,
		"\xdb\x00\x00\x00\x28" + long: long,
		"\x90":                        []any{}, "\x92\x01\xa1a": []any{1., "a"}, "\xdc\x00\x01\xc0": []any{nil},
		"\xdd\x00\x00\x00\x01\x91\x02": []any{[]any{2.}},
		"\x80":                         map[string]any{}, "\x81\xa1k\x90": map[string]any{"k": []any{}},
		"\xde\x00\x01\xa1k\xc3": map[string]any{"k": true}, "\xdf\x00\x00\x00\x01\xa1k\x05": map[string]any{"k": 5.},
	} {
		var got any
		require.NoError(t, unpack([]byte(doc), &got), "%q", doc)
		assert.Equal(t, want, got, "%q", doc)
		for n := range doc {
			assert.ErrorContains(t, unpack([]byte(doc[:n]), &got), "cut off", "%q", doc[:n])
		}
	}
}

func TestUnpackRefuses(t *testing.T) {
	for doc, want := range map[string]string{
		"\xca\x00\x00\x00\x00":       "a value begins with 0xca", // a float
		"\x81\x01\x02":               "a key is no string",
		"\xdd\xff\xff\xff\xff\x00":   "cut off",
		strings.Repeat("\x91", 1000): "too deep",
	} {
		var got any
		assert.ErrorContains(t, unpack([]byte(doc), &got), want, "%q", doc)
	}
}
