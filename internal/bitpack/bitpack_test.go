package bitpack_test

import (
	"bytes"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/bitpack"
)

// codesOf are the codes of the letters, in their order.
func codesOf(letters string) (codes [256]uint32) {
	for b := range codes {
		codes[b] = bitpack.NoCode
	}
	for code, letter := range []byte(letters) {
		codes[letter] = uint32(code)
	}
	return codes
}

// reference packs bit by bit.
func reference(text []byte, codes *[256]uint32, width int) []uint64 {
	words := make([]uint64, (len(text)*width+63)/64)
	for i, c := range text {
		for b := range width {
			at := i*width + b
			words[at/64] |= uint64(codes[c]>>(width-1-b)&1) << (63 - at%64)
		}
	}
	return words
}

// Each letter but the last few of these has low bits of its own, so that vector instructions pack the first 16.
const alphabet = "ABCDEFGHIJKLMNO0"

func TestPack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, letters := range []string{"AC", "ACGT", "\nACGNT", alphabet, "Aa", "ACGTacgt", "A"} {
		codes := codesOf(letters)
		width := max(bits.Len(uint(len(letters)-1)), 1)
		p := bitpack.New(&codes, width)
		both := []*bitpack.Packer{p, p.WithoutLanes()}
		for n := range 1600 {
			text := make([]byte, n)
			for i := range text {
				text[i] = letters[rng.IntN(len(letters))]
			}
			want := reference(text, &codes, width)
			for _, p := range both {
				words := make([]uint64, len(want))
				require.True(t, p.Pack(words, text))
				require.Equal(t, want, words, "%d of %q", n, letters)
			}
			if n == 0 {
				continue
			}
			at := rng.IntN(n)
			before := text[at]
			for _, other := range []byte{0, before ^ 1<<rng.IntN(8), byte(rng.IntN(256))} {
				text[at] = other
				known := bytes.IndexByte([]byte(letters), other) >= 0
				for _, p := range both {
					require.Equal(t, known, p.Pack(make([]uint64, len(want)), text), "%d of %d of %q", at, n, letters)
				}
			}
		}
	}
}

// Every byte is told from every letter, wherever it is.
func TestStrange(t *testing.T) {
	codes := codesOf(alphabet)
	p := bitpack.New(&codes, 4)
	text, words := bytes.Repeat([]byte("B"), 1024), make([]uint64, 64)
	for at := range text {
		for c := range 256 {
			text[at] = byte(c)
			require.Equal(t, codes[c] != bitpack.NoCode, p.Pack(words, text), "%d at %d", c, at)
		}
		text[at] = 'B'
	}
}

func BenchmarkPack(b *testing.B) {
	for _, letters := range []string{"ACGT", "ACGNT", "ACGTacgt"} {
		codes := codesOf(letters)
		width := bits.Len(uint(len(letters) - 1))
		text := bytes.Repeat([]byte(letters), 4<<20/len(letters))
		words := make([]uint64, len(text)*width/64+1)
		p := bitpack.New(&codes, width)
		for _, p := range []*bitpack.Packer{p, p.WithoutLanes()} {
			b.Run(fmt.Sprintf("%s/vectors=%t", letters, p.HasLanes()), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					p.Pack(words, text)
				}
			})
		}
	}
}
