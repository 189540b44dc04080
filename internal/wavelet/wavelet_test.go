package wavelet_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/sdsl"
	"github.com/suffixcl/suffixcl/internal/testkit/builders"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
	"github.com/suffixcl/suffixcl/internal/wavelet"
)

// file is the index of a transform, with no samples.
func file(t *testing.T, transform []byte, maker sdsl.Maker) []byte {
	none := func(int) uint64 { return 0 }
	x, err := sdsl.Encode(t.Context(), sdsl.Parts{Transform: transform, Rows: none, Places: none, Maker: maker})
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, x.Write(&b))
	return b.Bytes()
}

// Any pieces make the file that the host makes.
func TestPieces(t *testing.T) {
	rng := rand.New(rand.NewPCG(92, 1))
	var texts [][]byte
	random := func(n int, letter func() byte) {
		text := make([]byte, n)
		for i := range text {
			text[i] = letter()
		}
		texts = append(texts, text)
	}
	any := func() byte { return byte(rng.Uint32()) }
	two := func() byte { return byte(rng.IntN(2)) }
	texts = append(texts, []byte("a"), bytes.Repeat([]byte("a"), 5000), bytes.Repeat([]byte("ab"), 4064))
	for _, n := range []int{2, 63, 64, 65, 126, 127, 128, 4063, 4064, 4065, 8127, 8128, 8129} {
		random(n, two)
	}
	random(30_000, any)
	random(30_000, func() byte { return byte(max(rng.IntN(40), 20)) })
	random(20_000, func() byte { return byte(255 * max(0, 1-rng.IntN(20))) })
	random(20_000, func() byte { return byte(255 * min(1, rng.IntN(20))) })
	var skewed, runs []byte
	for c, n, m := 0, 1, 1; n < 30_000; c, n, m = c+1, n+m, n { // the code of the rarest letter is as long as can be
		skewed = append(skewed, bytes.Repeat([]byte{byte(7 * c)}, n)...)
	}
	runs = slices.Clone(skewed)
	rng.Shuffle(len(skewed), func(a, b int) { skewed[a], skewed[b] = skewed[b], skewed[a] })
	texts = append(texts, skewed, runs)
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		for _, text := range texts {
			if most := max(e.Suite.Large, 9000); len(text) > most { // launches are slow there
				text = text[len(text)-most:]
			}
			want := file(t, text, nil)
			for _, of := range []wavelet.Pieces{
				wavelet.PiecesOf(e.Session, len(text)), {Letters: 1 + len(text)/3, Superblocks: 2},
				{Letters: 5003, Superblocks: 6},
			} {
				got := file(t, text, wavelet.New(e.Session, of))
				require.True(t, bytes.Equal(want, got), "%d letters from %d on, %+v", len(text), text[0], of)
			}
		}
	})
}

func TestTexts(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		conformance.Run(t, jobsuites.Files(builders.WaveletOf(e.Session), builders.WaveletOnHost, e.Suite))
	})
}

// Pieces are smaller where memory is bounded, and fit.
func TestBoundedMemory(t *testing.T) {
	for _, d := range devicetest.Devices(t) {
		var pieces []wavelet.Pieces
		for _, most := range []int64{8 << 20, 2 << 20} {
			s, err := device.Open(device.Config{Device: d, MaxMemory: most})
			require.NoError(t, err)
			defer s.Close()
			of := wavelet.PiecesOf(s, 1<<30)
			require.NoError(t, wavelet.New(s, of).Plan().Fits(s))
			pieces = append(pieces, of)
		}
		require.Greater(t, pieces[0].Letters, pieces[1].Letters)
		require.Greater(t, pieces[0].Superblocks, pieces[1].Superblocks)
	}
}

// A run that is cancelled says so, and leaves no memory.
func TestCancelled(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		none := func(int) uint64 { return 0 }
		_, err := sdsl.Encode(ctx, sdsl.Parts{Transform: []byte("banana"), Rows: none, Places: none,
			Maker: wavelet.New(e.Session, wavelet.Pieces{Letters: 6, Superblocks: 2})})
		require.ErrorIs(t, err, context.Canceled)
	})
}
