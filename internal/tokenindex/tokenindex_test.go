package tokenindex_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/tokenindex"
)

// file are tokens as in a file.
func file(tokens []uint32, width int) (data []byte) {
	for _, token := range tokens {
		data = binary.LittleEndian.AppendUint32(data, token)[:len(data)+width]
	}
	return data
}

// table is that of tokens, by the definition.
func table(f tokenindex.Format, tokens []uint32, width int) []uint32 {
	data := file(tokens, width)
	positions := make([]uint32, len(tokens))
	for i := range positions {
		positions[i] = uint32(i)
	}
	slices.SortFunc(positions, func(a, b uint32) int {
		if f == tokenindex.Tokengrams {
			return slices.Compare(tokens[a:], tokens[b:])
		}
		return bytes.Compare(data[int(a)*width:], data[int(b)*width:])
	})
	return positions
}

// random tokens of documents, with separators where a format has them, and their offsets. Few different ones have
// bytes that order them otherwise in memory than as numbers.
func random(rng *rand.Rand, f tokenindex.Format, n, width int) (tokens []uint32, offsets []uint64) {
	separator := uint32(1<<(8*width) - 1)
	for len(tokens) < n {
		if f == tokenindex.InfiniGram && (len(tokens) == 0 || rng.IntN(10) == 0) {
			offsets = append(offsets, uint64(len(tokens)*width))
			tokens = append(tokens, separator)
		}
		tokens = append(tokens, []uint32{1, 2, 0x0100, 0x0201, 0x7FFFFF02, 0xFFFE}[rng.IntN(6)]&separator)
	}
	return tokens, offsets
}

func put(t *testing.T, dir, name string, data []byte) string {
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, data, 0o600))
	return path
}

func encoded(t *testing.T, f tokenindex.Format, tokens []uint32, width int) []byte {
	var b bytes.Buffer
	w := tokenindex.NewTableWriter(&b, f, int64(len(tokens)*width), width)
	positions := table(f, tokens, width)
	half := len(positions) / 2
	require.NoError(t, w.Write(positions[:half]))
	require.NoError(t, w.Write(positions[half:]))
	return b.Bytes()
}

func offsetFile(offsets []uint64) (data []byte) {
	for _, o := range offsets {
		data = binary.LittleEndian.AppendUint64(data, o)
	}
	return data
}

// occurrences of an n-gram in tokens.
func occurrences(tokens, gram []uint32) (places []int64) {
	for i := range tokens {
		if len(tokens)-i >= len(gram) && slices.Equal(tokens[i:i+len(gram)], gram) {
			places = append(places, int64(i))
		}
	}
	return places
}

// Counts, positions and next tokens are those of the tokens, for formats, widths and numbers of shards.
func TestQueries(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		format        tokenindex.Format
		width, shards int
	}{
		{tokenindex.InfiniGram, 1, 1}, {tokenindex.InfiniGram, 2, 3}, {tokenindex.InfiniGram, 4, 2},
		{tokenindex.Tokengrams, 2, 1}, {tokenindex.Tokengrams, 4, 1},
	} {
		t.Run(fmt.Sprintf("%v/u%d", c.format, 8*c.width), func(t *testing.T) {
			dir := t.TempDir()
			var shards [][]uint32
			var offsets [][]uint64
			total := 0
			for k := range c.shards {
				tokens, places := random(rng, c.format, []int{300, 1, 40}[k], c.width)
				if c.format == tokenindex.InfiniGram && k == 1 {
					tokens, places = nil, nil // a shard may be empty
				}
				shards, offsets, total = append(shards, tokens), append(offsets, places), total+len(tokens)
				put(t, dir, fmt.Sprintf("tokenized.%d", k), file(tokens, c.width))
				put(t, dir, fmt.Sprintf("table.%d", k), encoded(t, c.format, tokens, c.width))
				if c.format == tokenindex.InfiniGram && k != 2 {
					put(t, dir, fmt.Sprintf("offset.%d", k), offsetFile(places))
				}
			}
			x, err := tokenindex.Open(dir, c.width)
			if c.format == tokenindex.Tokengrams {
				x, err = tokenindex.OpenTable(c.format, c.width, filepath.Join(dir, "tokenized.0"),
					filepath.Join(dir, "table.0"))
			}
			require.NoError(t, err)
			defer x.Close()
			assert.EqualValues(t, total, x.Len())
			assert.Equal(t, c.shards, x.Shards())
			for range 300 {
				from := shards[0]
				at := rng.IntN(len(from))
				gram := slices.Clone(from[at:min(at+rng.IntN(5), len(from))])
				if len(gram) > 0 && rng.IntN(3) == 0 {
					gram[0] = 3 // which is nowhere
				}
				check(t, x, shards, offsets, gram, c.width)
			}
		})
	}
}

func check(t *testing.T, x *tokenindex.Index, shards [][]uint32, offsets [][]uint64, gram []uint32, width int) {
	var want []tokenindex.Position
	next := map[uint32]int64{}
	longest := -1
	for k, tokens := range shards {
		for _, at := range occurrences(tokens, gram) {
			p := tokenindex.Position{Shard: k, Token: at, Document: -1, Place: at}
			for d, offset := range offsets[k] {
				if k != 2 && offset <= uint64(at)*uint64(width) {
					p.Document, p.Place = int64(d), at-int64(offset)/int64(width)-1
				}
			}
			want = append(want, p)
		}
		for n := len(gram); n >= 0; n-- {
			if len(occurrences(tokens, gram[len(gram)-n:])) > 0 {
				longest = max(longest, n)
			}
		}
	}
	count, err := x.Count(gram)
	require.NoError(t, err)
	require.EqualValues(t, len(want), count, "%v", gram)
	var got []tokenindex.Position
	require.NoError(t, x.Each(gram, func(p tokenindex.Position) error {
		got = append(got, p)
		return nil
	}))
	slices.SortFunc(got, func(a, b tokenindex.Position) int {
		return cmp.Or(cmp.Compare(a.Shard, b.Shard), cmp.Compare(a.Token, b.Token))
	})
	require.Equal(t, want, got, "%v", gram)

	for _, backOff := range []bool{false, true} {
		end := gram
		if backOff {
			end = gram[len(gram)-longest:]
		}
		clear(next)
		prompt := int64(0)
		for _, tokens := range shards {
			for _, at := range occurrences(tokens, end) {
				prompt++
				if after := int(at) + len(end); after < len(tokens) {
					next[tokens[after]]++
				}
			}
		}
		d, err := x.Next(gram, backOff)
		require.NoError(t, err)
		require.Equal(t, len(end), d.SuffixLen)
		require.Equal(t, prompt, d.Prompt)
		require.Len(t, d.Next, len(next), "%v", gram)
		for i, n := range d.Next {
			require.Equal(t, next[n.Token], n.Count)
			if i > 0 {
				before := d.Next[i-1]
				require.True(t, before.Count > n.Count || before.Count == n.Count && before.Token < n.Token)
			}
		}
		for top := 1; top <= len(next)+1; top += 1 + top/2 {
			some, err := x.NextWithin(t.Context(), gram, backOff, top)
			require.NoError(t, err)
			require.Equal(t, d.Next[:min(top, len(next))], some.Next)
		}
	}
}

// Entries have as many bytes as the size of the tokens needs.
func TestEntryBytes(t *testing.T) {
	for size, want := range map[int64]int{
		0: 1, 1: 1, 2: 1, 256: 1, 257: 2, 1 << 16: 2, 1<<16 + 2: 3, 1 << 32: 4, 1<<32 + 1: 5, 1 << 40: 5,
	} {
		assert.Equal(t, want, tokenindex.InfiniGram.EntryBytes(size), size)
		assert.Equal(t, 8, tokenindex.Tokengrams.EntryBytes(size))
	}
}

func TestReadTokens(t *testing.T) {
	tokens := []uint32{0xFFFF, 1, 0x0203, 7}
	data := file(tokens, 2)
	f := &tokenindex.TokenFile{Name: "tokenized.0", File: bytes.NewReader(data), Size: 8, Format: tokenindex.InfiniGram}
	turned, err := tokenindex.ReadTokens[uint16](t.Context(), f)
	require.NoError(t, err)
	assert.Equal(t, []uint16{0xFFFF, 0x0100, 0x0302, 0x0700}, turned)
	f.Vocabulary = 0x0203
	_, err = tokenindex.ReadTokens[uint16](t.Context(), f)
	assert.EqualError(t, err, "tokenized.0: at byte 4: token 515 is not in the vocabulary of 515")
	f.Vocabulary = 0x0204
	_, err = tokenindex.ReadTokens[uint16](t.Context(), f)
	require.NoError(t, err, "separators are in no vocabulary")
	f.Format = tokenindex.Tokengrams
	_, err = tokenindex.ReadTokens[uint16](t.Context(), f)
	assert.ErrorContains(t, err, "at byte 0: token 65535")
	f.Vocabulary = 0
	plain, err := tokenindex.ReadTokens[uint32](t.Context(), f)
	require.NoError(t, err)
	assert.Equal(t, []uint32{0x0001FFFF, 0x00070203}, plain)
	_, err = tokenindex.ReadTokens[uint8](t.Context(), f)
	assert.ErrorContains(t, err, "tokengrams has no tokens of 1 bytes")
	f.Size = 7
	_, err = tokenindex.ReadTokens[uint16](t.Context(), f)
	assert.EqualError(t, err, "tokenized.0: at byte 6: the file ends within a token: 7 bytes, 2 a token")
	f.Size = 10
	_, err = tokenindex.ReadTokens[uint16](t.Context(), f)
	assert.ErrorContains(t, err, "reading tokenized.0: EOF")
	_, err = tokenindex.ReadTokens[uint16](t.Context(), &tokenindex.TokenFile{Size: 2})
	assert.Error(t, err, "no file")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = tokenindex.ReadTokens[uint16](ctx, f)
	assert.ErrorIs(t, err, context.Canceled)

	// On all processors, in pieces.
	rng := rand.New(rand.NewPCG(5, 6))
	long := make([]uint32, 5<<20+3)
	for i := range long {
		long[i] = rng.Uint32() >> 16
	}
	f = &tokenindex.TokenFile{Name: "x", File: bytes.NewReader(file(long, 2)), Size: int64(2 * len(long)),
		Format: tokenindex.Tokengrams}
	all, err := tokenindex.ReadTokens[uint16](t.Context(), f)
	require.NoError(t, err)
	for i := range all {
		if uint32(all[i]) != long[i] {
			t.Fatalf("token %d is %d", i, all[i])
		}
	}
}

func TestCheckOffsets(t *testing.T) {
	tokens := []uint16{0xFFFF, 1, 0xFFFF, 2}
	check := func(tokens []uint16, offsets ...uint64) error {
		file := offsetFile(offsets)
		return tokenindex.CheckOffsets(t.Context(), "offset.0", bytes.NewReader(file), int64(len(file)), "tokenized.0",
			tokens)
	}
	require.NoError(t, check(tokens, 0, 4))
	require.NoError(t, check(nil))
	for want, offsets := range map[string][]uint64{
		"offset.0: at byte 16: offset 8 is beyond":                    {0, 4, 8},
		"offset.0: at byte 8: offset 3 is no mult":                    {0, 3},
		"offset.0: at byte 0: offset 0 is followed by 0":              {0, 0},
		"offset.0: at byte 0: the first offset is":                    {4},
		"offset.0: at byte 16: at byte 6 of tokenized.0 is no separ":  {0, 4, 6},
		"tokenized.0: at byte 4: a separator within a document":       {0},
		"offset.0: it is empty, and tokenized.0 is not":               {},
		"offset.0: at byte 16: offset 18446744073709551615 is beyond": {0, 4, 1<<64 - 1},
	} {
		assert.ErrorContains(t, check(tokens, offsets...), want)
	}
	err := tokenindex.CheckOffsets(t.Context(), "offset.0", nil, 9, "tokenized.0", tokens)
	assert.EqualError(t, err, "offset.0: at byte 8: the file ends within an offset: 9 bytes")

	// On all processors, in pieces.
	const documents = 300_000
	many, places := make([]uint16, 2*documents), make([]uint64, documents)
	for d := range places {
		many[2*d], places[d] = 0xFFFF, uint64(4*d)
	}
	require.NoError(t, check(many, places...))
	many[401_001] = 0xFFFF
	assert.ErrorContains(t, check(many, places...), "tokenized.0: at byte 802002: a separator within")
}

// Files that do not go together, and damaged tables, are told with their place; no question goes on for ever.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	_, err := tokenindex.Open(dir, 2)
	assert.ErrorContains(t, err, "no file is called tokenized.0")
	tokens := []uint32{0xFFFF, 3, 1, 3, 1, 2}
	put(t, dir, "tokenized.0", file(tokens, 2))
	_, err = tokenindex.Open(dir, 2)
	assert.ErrorIs(t, err, os.ErrNotExist)
	good := encoded(t, tokenindex.InfiniGram, tokens, 2)
	name := put(t, dir, "table.0", good[:5])
	_, err = tokenindex.Open(dir, 2)
	assert.ErrorContains(t, err, "table.0: 5 bytes: no table of")
	put(t, dir, "table.0", good)
	put(t, dir, "offset.0", offsetFile([]uint64{0, 12}))
	_, err = tokenindex.Open(dir, 2)
	assert.ErrorContains(t, err, "offset 12 is beyond")
	put(t, dir, "offset.0", offsetFile([]uint64{0}))
	_, err = tokenindex.Open(dir, 3)
	assert.ErrorContains(t, err, "no tokens of 3 bytes")

	for _, entry := range []byte{1, 200} {
		bad := slices.Clone(good)
		bad[3] = entry
		put(t, dir, "table.0", bad)
		x, err := tokenindex.Open(dir, 2)
		require.NoError(t, err)
		_, err = x.Count([]uint32{3, 1})
		var wrong *tokenindex.Error
		if assert.ErrorAs(t, err, &wrong) {
			assert.Equal(t, tokenindex.Error{File: name, Offset: 3, Why: wrong.Why}, *wrong)
		}
		require.NoError(t, x.Close())
	}
	rng := rand.New(rand.NewPCG(7, 8))
	for range 50 {
		bad := slices.Clone(good)
		rng.Shuffle(len(bad), func(i, j int) { bad[i], bad[j] = bad[j], bad[i] })
		put(t, dir, "table.0", bad)
		x, err := tokenindex.Open(dir, 2)
		require.NoError(t, err)
		_, err = x.Next([]uint32{}, true) // an answer, or an error: the order is not looked at
		if err != nil {
			assert.ErrorContains(t, err, "table.0")
		}
		require.NoError(t, x.Close())
	}
	put(t, dir, "table.0", good)
	x, err := tokenindex.Open(dir, 2)
	require.NoError(t, err)
	defer x.Close()
	_, err = x.Count([]uint32{1 << 16})
	assert.ErrorContains(t, err, "token 0 of the n-gram is 65536")
	enough := errors.New("enough")
	assert.ErrorIs(t, x.Each([]uint32{3}, func(tokenindex.Position) error { return enough }), enough)
}

// FuzzOpen: files of any bytes are refused, or asked without end neither of time nor of memory; a table that is right
// gives the right counts.
func FuzzOpen(f *testing.F) {
	f.Add([]byte{255, 255, 1, 0, 2, 0}, []byte{2, 4, 0}, []byte{0, 0, 0, 0, 0, 0, 0, 0})
	f.Add([]byte{1, 0, 1, 0}, []byte{9, 9}, []byte{})
	f.Add([]byte{}, []byte{}, []byte{1})
	f.Fuzz(func(t *testing.T, tokens, table, offsets []byte) {
		dir := t.TempDir()
		put(t, dir, "tokenized.0", tokens)
		put(t, dir, "table.0", table)
		put(t, dir, "offset.0", offsets)
		for _, width := range []int{1, 2, 4} {
			x, err := tokenindex.Open(dir, width)
			if err != nil {
				continue
			}
			for _, gram := range [][]uint32{{}, {1}, {1, 2}} {
				count, err := x.Count(gram)
				require.True(t, err != nil || count >= 0 && count <= x.Len())
				d, err := x.Next(gram, true)
				require.True(t, err != nil || d.Prompt <= x.Len() && int64(len(d.Next)) <= x.Len())
				seen := int64(0)
				err = x.Each(gram, func(p tokenindex.Position) error {
					seen++
					require.Less(t, p.Token, x.Len())
					return nil
				})
				require.True(t, err != nil || seen == count)
			}
			require.NoError(t, x.Close())
		}
	})
}
