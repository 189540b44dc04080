package input_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/seqio"
)

func TestCollection(t *testing.T) {
	joined, err := suffixcl.JoinTexts('\n', []byte("ab"), nil, []byte("c"))
	require.NoError(t, err)
	split, err := suffixcl.SplitText([]byte("ab\n\nc"), '\n')
	require.NoError(t, err)
	b, err := seqio.ReadAll(strings.NewReader(">x\nab\n>y\n>z\nc\n"),
		seqio.Options{Format: seqio.FASTA, Separator: []byte("\n")})
	require.NoError(t, err)
	records, err := suffixcl.CollectRecords(b.Text, b.Records)
	require.NoError(t, err)
	given, err := suffixcl.NewCollection([]byte("ab\n\nc\n"), []uint32{2, 3, 5})
	require.NoError(t, err)
	for _, c := range []*suffixcl.Collection{split, records, given} {
		require.Equal(t, joined, c)
	}
	require.Equal(t, 6, joined.Len())
	require.Equal(t, 3, joined.Count())
	require.Equal(t, "c", string(joined.Text(2)))
	position := 0
	for k := range joined.Count() {
		for at := range len(joined.Text(k)) + 1 {
			text, offset, ok := joined.Find(position)
			require.True(t, ok)
			require.Equal(t, []int{k, at}, []int{text, offset})
			position++
		}
	}
	for _, none := range []int{-1, position, position + 1, math.MaxInt} {
		_, _, ok := joined.Find(none)
		require.False(t, ok, none)
	}
	require.NoError(t, joined.CheckTerminator('\n'))
	for _, text := range []string{"", "\n"} {
		c, err := suffixcl.SplitText([]byte(text), '\n')
		require.NoError(t, err)
		require.Equal(t, len(text), c.Count())
	}
}

func TestBothStrands(t *testing.T) {
	c, err := suffixcl.JoinTexts(0, []byte("ACGn"), nil)
	require.NoError(t, err)
	both, err := c.BothStrands('\n')
	require.NoError(t, err)
	require.Equal(t, "ACGn\nnCGT\n\n\n", string(both.Bytes()))
	require.Equal(t, 4, both.Count())
	many := enginetest.Reads(t, 20_000, 30) // for several processors
	for i, text := range many {
		many[i] = bytes.ToUpper(bytes.Map(func(r rune) rune { return rune("ACGT"[r&3]) }, text[:i%30]))
	}
	c, err = suffixcl.JoinTexts(0, many...)
	require.NoError(t, err)
	both, err = c.BothStrands(0)
	require.NoError(t, err)
	require.Equal(t, 40_000, both.Count())
	for i, text := range many {
		strand := both.Text(2*i + 1)
		require.True(t, bytes.Equal(text, both.Text(2*i)), i)
		for k, base := range text {
			require.Equal(t, map[byte]byte{'A': 'T', 'C': 'G', 'G': 'C', 'T': 'A'}[base], strand[len(text)-1-k])
		}
	}
	c, err = suffixcl.JoinTexts(0, []byte("A"), []byte("A!"))
	require.NoError(t, err)
	_, err = c.BothStrands('\n')
	require.ErrorContains(t, err, `text 1 holds '!', which is no nucleotide, at offset 1`)
}

func TestCollectionErrors(t *testing.T) {
	for _, c := range []struct {
		make func() (*suffixcl.Collection, error)
		why  string
	}{
		{func() (*suffixcl.Collection, error) { return suffixcl.NewCollection([]byte("ab"), []uint32{1, 0}) },
			"text 1 ends at 0, before it begins at 2: ends must ascend"},
		{func() (*suffixcl.Collection, error) { return suffixcl.NewCollection([]byte("ab"), []uint32{2}) },
			"text 0 ends at 2, and the buffer at 2"},
		{func() (*suffixcl.Collection, error) { return suffixcl.NewCollection([]byte("ab"), []uint32{0}) },
			"text 1 has no terminator"},
		{func() (*suffixcl.Collection, error) {
			return suffixcl.CollectRecords([]byte("a\nb"), seqio.Table{{Offset: 0, Length: 1}, {Offset: 2, Length: 1}})
		}, "text 1 is from 2 to 3 of 3 bytes, and should begin at 2"},
	} {
		_, err := c.make()
		var wrong *suffixcl.TextError
		require.ErrorAs(t, err, &wrong)
		require.ErrorContains(t, err, c.why)
	}
	c, err := suffixcl.JoinTexts('\n', []byte("ab"), []byte("c\nd"))
	require.NoError(t, err)
	require.ErrorContains(t, c.CheckTerminator('\n'), "text 1 holds the terminator 0x0a at offset 1")
}
