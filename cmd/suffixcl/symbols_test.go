package main

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// symbolsOf are the big-endian codes of a file's symbols, which compare as these do.
func symbolsOf(file []byte, width int) [][]byte {
	var symbols [][]byte
	for at := 0; at < len(file); at += width {
		symbol := slices.Clone(file[at : at+width])
		slices.Reverse(symbol)
		symbols = append(symbols, symbol)
	}
	return symbols
}

func TestSymbols(t *testing.T) {
	clitest.NeedDevice(t)
	text := clitest.Prose(4000)
	for symbols, width := range map[string]int{"u16": 2, "u32": 4} {
		t.Run(symbols, func(t *testing.T) {
			dir := t.TempDir()
			clitest.Put(t, dir, "text", text)
			clitest.Good(t, dir, "sa", "text", "-o", "sa", "--symbols", symbols)
			clitest.Good(t, dir, "lcp", "text", "-o", "lcp", "--symbols", symbols)
			clitest.Good(t, dir, "bwt", "text", "-o", "bwt", "--symbols", symbols)

			coded := symbolsOf(text, width)
			sa := make([]uint64, len(coded))
			for i := range sa {
				sa[i] = uint64(i)
			}
			slices.SortFunc(sa, func(a, b uint64) int { return slices.CompareFunc(coded[a:], coded[b:], bytes.Compare) })
			assert.Equal(t, encode(sa, 4), clitest.Get(t, dir, "sa"))
			transform := slices.Clone(text[len(text)-width:])
			for _, suffix := range sa {
				if suffix > 0 {
					transform = append(transform, text[(int(suffix)-1)*width:int(suffix)*width]...)
				}
			}
			assert.Equal(t, transform, clitest.Get(t, dir, "bwt"))
			clitest.Good(t, dir, "unbwt", "bwt", "-o", "again", "--symbols", symbols)
			assert.Equal(t, text, clitest.Get(t, dir, "again"))
			lengths := clitest.Get(t, dir, "lcp")
			for j := 1; j < len(sa); j++ {
				a, b, h := coded[sa[j-1]:], coded[sa[j]:], 0
				for h < min(len(a), len(b)) && bytes.Equal(a[h], b[h]) {
					h++
				}
				if h != int(binary.LittleEndian.Uint32(lengths[4*j:])) {
					t.Fatalf("slot %d of the LCP array is not %d", j, h)
				}
			}

			r := clitest.Good(t, dir, "verify", "text", "sa", "--bwt", "bwt", "--lcp", "lcp", "--symbols", symbols, "--quiet")
			assert.Contains(t, r.Out, "OK: sa is the suffix array, bwt the Burrows-Wheeler transform and lcp the LCP array")
			clitest.Put(t, dir, "lcp", make([]byte, len(lengths)))
			r = clitest.Run(t, dir, "verify", "text", "sa", "--lcp", "lcp", "--symbols", symbols)
			assert.Equal(t, cli.ExitVerify, r.Code)
		})
	}
}

// Symbols that are not whole, and flags for bytes, are refused.
func TestWrongSymbols(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "odd", clitest.Prose(1002))
	clitest.Put(t, dir, "empty", nil)
	for _, args := range [][]string{{"sa", "odd", "-o", "out"}, {"plan", "sa", "odd"}, {"bwt", "odd", "-o", "out"}} {
		r := clitest.Run(t, dir, append(args, "--symbols", "u32")...)
		assert.Equal(t, cli.ExitFailed, r.Code)
		assert.Contains(t, r.Errors, "odd: its size is no multiple of a symbol: 1002 bytes, 4 a symbol")
	}
	for _, args := range [][]string{
		{"sa", "odd", "-o", "out", "--symbols", "u24"},
		{"sa", "odd", "-o", "out", "--symbols", "u16", "--input", "fasta"},
		{"lcp", "odd", "-o", "out", "--symbols", "u16", "--sa", "sa"},
	} {
		assert.Equal(t, cli.ExitUsage, clitest.Run(t, dir, args...).Code, "%v", args)
	}
	clitest.Good(t, dir, "sa", "empty", "-o", "out", "--symbols", "u16")
	assert.Empty(t, clitest.Get(t, dir, "out"))
	for _, verb := range []string{"sa", "lcp", "bwt", "unbwt", "verify"} {
		r := clitest.Good(t, dir, "plan", verb, "odd", "--symbols", "u16")
		assert.Contains(t, r.Out, "\nfits\n")
	}
}
