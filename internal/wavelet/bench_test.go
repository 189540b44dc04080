package wavelet_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/sdsl"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/opticks"
	"github.com/suffixcl/suffixcl/internal/wavelet"
)

// BenchmarkIndex makes an index of 20 MB of prose, whose letters are in no order, on a device and on the host.
func BenchmarkIndex(b *testing.B) {
	prose := opticks.Text
	text := bytes.Repeat(prose, 20_000_000/len(prose)+1)[:20_000_000]
	rand.New(rand.NewPCG(92, 2)).Shuffle(len(text), func(i, j int) { text[i], text[j] = text[j], text[i] })
	index := func(b *testing.B, maker sdsl.Maker) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			none := func(int) uint64 { return 0 }
			_, err := sdsl.Encode(b.Context(), sdsl.Parts{Transform: text, Rows: none, Places: none, Maker: maker})
			require.NoError(b, err)
		}
	}
	b.Run("host", func(b *testing.B) { index(b, nil) })
	for _, d := range devicetest.Devices(b) {
		b.Run(d.Name(), func(b *testing.B) {
			s := devicetest.Open(b, d, devicetest.Variants[0])
			index(b, wavelet.New(s, wavelet.PiecesOf(s, len(text))))
		})
	}
}
