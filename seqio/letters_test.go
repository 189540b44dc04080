package seqio

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// Letters are copied up to the first eight bytes with another one, wherever it is in them.
func TestCopyLetters(t *testing.T) {
	symbols := Options{}.symbols()
	for c := range 256 {
		for place := range 16 {
			line := []byte("ACGTNacgtnXYZxyzAZaz")
			line[place] = byte(c)
			letter := symbols[c] >= 0 && c != '*' && c != '-' && c != '.'
			want := place / 8 * 8
			if letter {
				want = 16
			}
			to := make([]byte, len(line))
			require.Equal(t, want, copyLetters(to, line), "%q at %d", c, place)
			require.Equal(t, line[:want], to[:want])
		}
	}
}

// The first blank of a header, and the first byte that it may not have, are found wherever they are.
func TestHeader(t *testing.T) {
	for c := range 256 {
		for place := range 20 {
			line := []byte("read1;of~\x80\xff some name\x01 ")
			line[place] = byte(c)
			require.Equal(t, bytes.IndexAny(line, " \t"), firstBlank(line), "%q at %d", c, place)
			wrong := bytes.IndexFunc(line, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
			require.Equal(t, wrong, wrongInHeader(line), "%q at %d", c, place)
		}
	}
}
