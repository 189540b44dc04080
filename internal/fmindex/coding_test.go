package fmindex_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
)

// What occurs of a pattern in digits begins and ends where symbols do, and only where the pattern does.
func TestCode(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ sigma, width int }{
		{0, 1}, {1, 1}, {2, 1}, {255, 1}, {256, 2}, {257, 2}, {16384, 2}, {16385, 3}, {65536, 3},
	} {
		text := make([]uint32, c.sigma+c.sigma/2)
		for i := range text {
			text[i] = uint32(i%max(c.sigma, 1)) * 65537 // up to 2^32-1
		}
		rng.Shuffle(len(text), func(i, j int) { text[i], text[j] = text[j], text[i] })
		coding, coded, err := fmindex.Code(text)
		require.NoError(t, err)
		require.Equal(t, c.width, coding.Width(), c.sigma)
		require.Equal(t, 4, coding.SymbolBytes)
		require.Len(t, coded, c.width*len(text))
		require.Len(t, coding.Values, c.sigma)
		require.True(t, slices.IsSorted(coding.Values))
		for range min(len(text), 20) {
			at := rng.IntN(len(text))
			list := [][]uint32{text[at:min(at+1+rng.IntN(3), len(text))], {text[at], 7}, {1}, {1<<32 - 2, text[at]}}
			for _, pattern := range list {
				var code []byte
				for _, symbol := range pattern {
					code = binary.BigEndian.AppendUint32(code, symbol)
				}
				digits, offsets, err := coding.Patterns(code, []uint32{0, uint32(len(code))})
				require.NoError(t, err)
				require.Equal(t, []uint32{0, uint32(c.width * len(pattern))}, offsets)
				var want, got []int
				for i := range text {
					if i+len(pattern) <= len(text) && slices.Equal(text[i:i+len(pattern)], pattern) {
						want = append(want, c.width*i)
					}
				}
				for from := 0; ; from++ {
					next := bytes.Index(coded[from:], digits)
					if next < 0 {
						break
					}
					from += next
					got = append(got, from)
				}
				require.Equal(t, want, got, "%v of %d", pattern, c.sigma)
			}
		}
	}
	narrow, coded, err := fmindex.Code([]uint16{65535, 0, 65535})
	require.NoError(t, err)
	require.Equal(t, &fmindex.Coding{SymbolBytes: 2, Values: []uint32{0, 65535}}, narrow)
	require.Equal(t, []byte{1, 0, 1}, coded)
}

// An index of symbols is stored with them, read again, and refused where it does not agree with itself.
func TestSymbolFile(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		text := make([]uint16, 260)
		for i := range text {
			text[i] = uint16(i%257) * 255
		}
		coding, coded, err := fmindex.Code(text)
		require.NoError(t, err)
		x := build(t, e.Session, coded, fmindex.Header{Rate: 6, Separator: fmindex.NoSeparator, Coding: coding})
		f, err := x.Download(t.Context())
		require.NoError(t, err)
		x.Release()
		var stored bytes.Buffer
		require.NoError(t, f.Write(&stored))
		again, err := fmindex.Read(bytes.NewReader(stored.Bytes()))
		require.NoError(t, err)
		require.Equal(t, f, again)
		golden, err := os.ReadFile(filepath.Join("testdata", "symbols.fmi"))
		require.NoError(t, err)
		require.Equal(t, golden, stored.Bytes())
		for n := 0; n < stored.Len(); n += 1 + n/100 {
			_, err := fmindex.Read(bytes.NewReader(stored.Bytes()[:n]))
			require.ErrorIs(t, err, fmindex.ErrFormat, "%d bytes", n)
			changed := slices.Clone(stored.Bytes())
			changed[n] ^= 1 << (n % 8)
			_, err = fmindex.Read(bytes.NewReader(changed))
			require.ErrorIs(t, err, fmindex.ErrFormat, "byte %d", n)
		}
		for why, change := range map[string]func(h *fmindex.Header){
			"symbols of 3 bytes":      func(h *fmindex.Header) { h.Coding.SymbolBytes = 3 },
			"have no alphabet":        func(h *fmindex.Header) { h.Separator = 'x' },
			"is not above the one":    func(h *fmindex.Header) { h.Coding.Values[9] = h.Coding.Values[8] },
			"more than 2 bytes":       func(h *fmindex.Header) { h.Coding.Values[256] = 1 << 16 },
			"for symbols of 3 digits": func(h *fmindex.Header) { h.Coding.Values = make([]uint32, 1<<15) },
			"distinct symbols":        func(h *fmindex.Header) { h.Coding.Values = make([]uint32, 300) },
			"which is no digit": func(h *fmindex.Header) {
				h.Counts[0]--
				h.Counts[200]++
			},
			"first digits": func(h *fmindex.Header) {
				h.Counts[0]--
				h.Counts[25]++
			},
		} {
			changed := *f
			changed.Coding = &fmindex.Coding{SymbolBytes: 2, Values: slices.Clone(coding.Values)}
			change(&changed.Header)
			require.ErrorContains(t, changed.Write(&bytes.Buffer{}), why)
		}
	})
}
