package infinigrammini

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/sdsl"
)

// written is the index of a text as sdsl writes it, sorted by comparison.
func written(t *testing.T, text []byte) []byte {
	n := len(text)
	sa, rows, transform := make([]int, n), make([]int, n), make([]byte, n)
	for i := range sa {
		sa[i] = i
	}
	slices.SortFunc(sa, func(a, b int) int { return bytes.Compare(text[a:], text[b:]) })
	for row, i := range sa {
		rows[i] = row
		transform[row] = text[(i+n-1)%n]
	}
	x, err := sdsl.Encode(t.Context(), sdsl.Parts{Transform: transform,
		Rows:   func(k int) uint64 { return uint64(sa[k*sdsl.RowsBetween]) },
		Places: func(k int) uint64 { return uint64(rows[k*sdsl.PlacesBetween]) }})
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, x.Write(&b))
	return b.Bytes()
}

// index writes the files of documents into a directory.
func index(t *testing.T, dir string, documents []string, zero bool) {
	var lines bytes.Buffer
	for i, d := range documents {
		fmt.Fprintf(&lines, "{\"text\": %q, \"id\": %d}\n", d, i)
	}
	var c Corpus
	require.NoError(t, c.AddLines("lines", "corpus.jsonl", &lines, "text"))
	require.NoError(t, c.Finish(zero))
	require.NoError(t, os.MkdirAll(dir, 0o755))
	for name, data := range map[string][]byte{DataFile: written(t, c.Data), MetaFile: written(t, c.Meta),
		DataOffsetFile: words(c.DataOffsets), MetaOffsetFile: words(c.MetaOffsets)} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o644))
	}
}

var documents = []string{"the quick brown fox", "", "jumps over the lazy dog\n", "é 漢 the", "the"}

// What is asked of shards is what their documents tell.
func TestIndex(t *testing.T) {
	ctx := t.Context()
	for _, zero := range []bool{false, true} {
		dir := t.TempDir()
		index(t, filepath.Join(dir, "a"), documents, zero)
		index(t, filepath.Join(dir, "b[*]"), documents[:2], zero)
		x, err := Open(dir)
		require.NoError(t, err)
		require.Len(t, x.Shards, 2)
		assert.True(t, Is(dir))
		assert.EqualValues(t, 5, x.Count([]byte("the")))
		assert.EqualValues(t, 7, x.Count([]byte{Separator}))
		for k, all := range [][]string{documents, documents[:2]} {
			s := x.Shards[k]
			require.Equal(t, len(all), s.Documents())
			for i, want := range all {
				from, to, err := s.Document(i)
				require.NoError(t, err)
				require.Len(t, want, int(to-from))
				text, err := s.DocumentText(ctx, []byte("before"), i)
				require.NoError(t, err)
				require.Equal(t, "before"+want, string(text))
				meta, err := s.Metadata(ctx, nil, i)
				require.NoError(t, err)
				require.Equal(t, fmt.Sprintf(`{"path": "corpus.jsonl", "linenum": %d, "metadata": {"id": %d}}`, i, i),
					string(meta))
			}
			row, end := s.Interval([]byte("the"))
			for ; row < end; row++ {
				place, err := s.Place(ctx, row)
				require.NoError(t, err)
				i, from, to, err := s.DocumentAt(place)
				require.NoError(t, err)
				require.LessOrEqual(t, place+3, to)
				require.Equal(t, "the", all[i][place-from:][:3])
			}
		}
		require.NoError(t, x.Close())
		x, err = Open(filepath.Join(dir, "a"), filepath.Join(dir, "b[*]", DataFile))
		require.NoError(t, err)
		assert.Len(t, x.Shards, 2)
		require.NoError(t, x.Close())
	}
}

// Files that are not there, or are those of another index.
func TestOtherFiles(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	index(t, filepath.Join(dir, "a"), documents, false)
	others := slices.Clone(documents)
	others[0], others[1] = others[1], others[0]
	index(t, filepath.Join(dir, "other"), others, false)
	index(t, filepath.Join(dir, "fewer"), documents[:3], false)
	path := func(in, name string) string { return filepath.Join(dir, in, name) }
	take := func(from, name string) {
		data, err := os.ReadFile(path(from, name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path("a", name), data, 0o644))
	}
	opened := func() (*Shard, error) {
		x, err := Open(path("a", ""))
		if err != nil {
			return nil, err
		}
		t.Cleanup(func() { x.Close() })
		return x.Shards[0], nil
	}
	var wrong *FileError

	take("fewer", DataOffsetFile)
	_, err := opened()
	require.ErrorAs(t, err, &wrong)
	assert.EqualError(t, err, path("a", DataOffsetFile)+": 3 offsets, but "+path("a", DataFile)+
		" has 5 documents: they are those of another text")
	take("other", DataOffsetFile)
	s, err := opened()
	require.NoError(t, err)
	_, err = s.DocumentText(ctx, nil, 0)
	require.NoError(t, err) // a document that is none of the other, of one byte
	_, err = s.DocumentText(ctx, nil, 1)
	require.ErrorContains(t, err, "data_offset: at byte 8: the bytes 2 to 21 of")
	take("other", MetaOffsetFile)
	s, err = opened()
	require.NoError(t, err)
	_, err = s.Metadata(ctx, nil, 0)
	require.NoError(t, err) // whose lines are as long
	take("fewer", MetaOffsetFile)
	_, err = opened()
	require.ErrorContains(t, err, "meta_offset: 3 offsets, but")

	require.NoError(t, os.Remove(path("a", MetaOffsetFile)))
	s, err = opened()
	require.NoError(t, err)
	_, err = s.Metadata(ctx, nil, 0)
	require.ErrorIs(t, err, ErrNoMetadata)
	require.NoError(t, os.WriteFile(path("a", DataOffsetFile), []byte("1234567"), 0o644))
	_, err = opened()
	require.ErrorContains(t, err, "data_offset: at byte 0: the file ends within an offset")
	require.NoError(t, os.Remove(path("a", DataOffsetFile)))
	s, err = opened()
	require.NoError(t, err)
	assert.EqualValues(t, 4, s.Count([]byte("the")))
	_, _, err = s.Document(0)
	require.ErrorIs(t, err, ErrNoOffsets)
	_, _, _, err = s.DocumentAt(5)
	require.ErrorIs(t, err, ErrNoOffsets)

	_, err = Open(path("a", DataOffsetFile))
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.NoError(t, os.Mkdir(path("empty", ""), 0o755))
	_, err = Open(path("empty", ""))
	require.ErrorContains(t, err, "neither it nor a directory in it has a file data.fm9")
	require.NoError(t, os.WriteFile(path("empty", "short.fm9"), []byte("short"), 0o644))
	_, err = Open(path("empty", "short.fm9"))
	var damaged *sdsl.Error
	require.ErrorAs(t, err, &damaged)
	assert.True(t, strings.HasPrefix(err.Error(), path("empty", "short.fm9")), err.Error())
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	_, err = s.Text(cancelled, nil, 0, s.Len())
	require.True(t, err == nil || errors.Is(err, context.Canceled))
}

// A damaged index is an error, or ends every question. What Check lets pass answers as before.
func TestDamagedIndex(t *testing.T) {
	rng := rand.New(rand.NewPCG(66, 9))
	ctx, dir := t.Context(), t.TempDir()
	all := slices.Concat(documents, []string{strings.Repeat("long ", 100)})
	index(t, dir, all, false)
	passed := 0
	for _, name := range []string{DataFile, MetaFile, DataOffsetFile, MetaOffsetFile} {
		whole, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		for range 125 {
			data := slices.Clone(whole)
			switch rng.IntN(3) {
			case 0:
				data = data[:rng.IntN(len(data))]
			case 1:
				data[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
			default:
				binary.LittleEndian.PutUint64(data[rng.IntN(len(data)-8):], rng.Uint64())
			}
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o644))
			x, err := Open(dir)
			if err != nil {
				require.ErrorContains(t, err, dir)
				continue
			}
			right := x.Check(ctx) == nil
			s := x.Shards[0]
			row, end := s.Interval([]byte("the"))
			require.LessOrEqual(t, row, end)
			for ; row < end; row++ {
				if place, err := s.Place(ctx, row); err == nil {
					_, _, _, _ = s.DocumentAt(place)
				}
			}
			for i := range s.Documents() {
				text, err := s.DocumentText(ctx, nil, i)
				require.True(t, err != nil || !bytes.Contains(text, []byte{Separator}))
				_, wrong := s.Metadata(ctx, nil, i)
				if right {
					require.NoError(t, errors.Join(err, wrong))
					require.Equal(t, all[i], string(text))
				}
			}
			if right {
				passed++
				require.EqualValues(t, 4, s.Count([]byte("the")))
			}
			require.NoError(t, x.Close())
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), whole, 0o644))
	}
	assert.Less(t, passed, 100)
}
