package seqio

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Letters are copied up to the first byte that is none, wherever it is, and as many as there is room for.
func TestCopyLetters(t *testing.T) {
	for _, o := range []Options{{}, {Upper: true}, {DNA: true}, {DNA: true, Upper: true}} {
		a := newAlphabet(o)
		valid, usual := "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "ACGTNacgtnXYZxyzAZazMKV"
		if o.DNA {
			valid, usual = "ACGTURYSWKMBDHVN", "ACGTTACGacgtAgAAACCTGGTA"
		}
		for c := range 256 {
			for place := range 20 {
				line := []byte(usual)
				line[place] = byte(c)
				upper := string(bytes.ToUpper([]byte{byte(c)}))
				n, want := len(line), string(line)
				if !strings.Contains(valid, upper) && (o.DNA || !strings.Contains("*-.", upper)) {
					n = place
				}
				if o.Upper {
					want = strings.ToUpper(want)
				}
				if o.DNA {
					want = strings.NewReplacer("U", "T", "u", "t").Replace(want)
				}
				for room := range len(line) + 9 {
					to := make([]byte, room)
					require.Equal(t, min(n, room), a.copy(to, line), "%q at %d", c, place)
					require.Equal(t, want[:min(n, room)], string(to[:min(n, room)]))
				}
			}
		}
	}
}

// The end of a header, its first blank, and the end of qualities are found wherever they are.
func TestMarksInLines(t *testing.T) {
	for c := range 256 {
		for place := range 20 {
			line := []byte("read1;of~\x80\xff some name\x01 ")
			line[place] = byte(c)
			wrong := bytes.IndexFunc(line, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
			n, blank := headerBytes(line)
			require.Equal(t, wrong, n, "%q at %d", c, place)
			require.Equal(t, bytes.IndexAny(line[:n], " \t"), blank, "%q at %d", c, place)
			n, _ = headerBytes(line[:place])
			require.Equal(t, min(wrong, place), n)

			line = []byte("!~IIII~!!~IIIIIII~~II!!!\n")
			line[place] = byte(c)
			for most := range len(line) {
				want := most
				if c < '!' || c > '~' {
					want = min(most, place)
				}
				require.Equal(t, want, symbolsOfQuality(line, most), "%q at %d", c, place)
			}
		}
	}
}
