package seqio

import (
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
