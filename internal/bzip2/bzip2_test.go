package bzip2_test

import (
	"bytes"
	stdlib "compress/bzip2"
	"io"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/bzip2"
	"github.com/suffixcl/suffixcl/internal/testkit/needed"
	"github.com/suffixcl/suffixcl/internal/testkit/opticks"
)

// pack compresses a text that comes in two parts.
func pack(t testing.TB, text []byte) []byte {
	var stream bzip2.Stream
	s := bzip2.NewSplitter(func(b *bzip2.Block) error {
		require.LessOrEqual(t, len(b.Root()), bzip2.MaxBlock)
		stream.Add(b.LastColumn(conformance.ReferenceSuffixArray(b.Root())).Encode())
		return nil
	})
	require.NoError(t, s.Write(text[:len(text)/2]))
	require.NoError(t, s.Write(text[len(text)/2:]))
	require.NoError(t, s.Close())
	return stream.Close()
}

func texts() map[string][]byte {
	random := rand.New(rand.NewPCG(2, 3))
	noise, sparse, skewed := make([]byte, 70_000), make([]byte, 1_500_000), make([]byte, 30_000)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	for range 20_000 {
		sparse[random.IntN(len(sparse))] = byte(random.IntN(5))
	}
	for i := range skewed { // Fibonacci's weights make the longest codes
		for skewed[i] = 0; random.IntN(5) < 2 && skewed[i] < 250; skewed[i]++ {
		}
	}
	all := map[string][]byte{
		"empty": {}, "byte": {7}, "word": []byte("abracadabra"), "power": []byte(strings.Repeat("abaab", 1000)),
		"book": opticks.Text, "noise": noise, "sparse": sparse, "zeros": make([]byte, 3_000_000), "skewed": skewed,
		"two blocks": slices.Concat(noise, opticks.Text, noise, opticks.Text, noise, opticks.Text, noise, opticks.Text),
	}
	for _, n := range []int{2, 3, 4, 5, 254, 255, 256, 258, 259, 260} {
		all["run "+string(rune('a'+n%26))] = append(bytes.Repeat([]byte("x"), n), "yxx"...)
	}
	return all
}

// The standard library's reader takes the streams.
func TestStreams(t *testing.T) {
	for name, text := range texts() {
		got, err := io.ReadAll(stdlib.NewReader(bytes.NewReader(pack(t, text))))
		require.NoError(t, err, name)
		require.True(t, bytes.Equal(text, got), name)
	}
}

// No stream is longer than bzip2's, but for a few bytes.
func TestSize(t *testing.T) {
	needed.Program(t, "bzip2")
	for name, text := range texts() {
		c := exec.Command("bzip2", "-9", "-c")
		c.Stdin = bytes.NewReader(text)
		want, err := c.Output()
		require.NoError(t, err)
		require.LessOrEqual(t, float64(len(pack(t, text))), 1.003*float64(len(want))+4, name)
	}
}

func FuzzStream(f *testing.F) {
	f.Add([]byte("banana"), uint8(1))
	f.Add([]byte("aaaaa"), uint8(60))
	f.Fuzz(func(t *testing.T, text []byte, times uint8) {
		text = bytes.Repeat(text, int(times))
		got, err := io.ReadAll(stdlib.NewReader(bytes.NewReader(pack(t, text))))
		require.NoError(t, err)
		require.True(t, bytes.Equal(text, got))
	})
}
