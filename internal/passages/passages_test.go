package passages_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/passages"
)

// rows is an index by definition: the suffixes of a text in their order.
type rows struct {
	text     string
	suffixes []string
	row      []uint64 // of the suffix that begins at a place
	steps    int
}

func newRows(text string) *rows {
	x := &rows{text: text, row: make([]uint64, len(text)+1)}
	for i := range len(text) + 1 {
		x.suffixes = append(x.suffixes, text[i:])
	}
	slices.Sort(x.suffixes)
	for r, s := range x.suffixes {
		x.row[len(text)-len(s)] = uint64(r)
	}
	return x
}

func (x *rows) Rows() uint64 { return uint64(len(x.suffixes)) }

func (x *rows) Longer(from, to uint64, letter byte) (uint64, uint64) {
	x.steps++
	least, most := uint64(len(x.suffixes)), uint64(0)
	for _, s := range x.suffixes[from:to] {
		if at := len(x.text) - len(s); at > 0 && x.text[at-1] == letter {
			least, most = min(least, x.row[at-1]), max(most, x.row[at-1]+1)
		}
	}
	if least >= most {
		return 0, 0
	}
	return least, most
}

// count is how often a part of a text occurs.
func count(text, part string) (n uint64) {
	for i := range len(text) - len(part) + 1 {
		if text[i:i+len(part)] == part {
			n++
		}
	}
	return n
}

// reference are the passages by definition: what occurs, and not with a letter more on either side.
func reference(text, document string, length int, least uint64) (list []passages.Passage) {
	n := len(document)
	occurs := func(start, end int) bool {
		return start >= 0 && end <= n && count(text, document[start:end]) >= least
	}
	for start := range n {
		for end := start + length; end <= n; end++ {
			if occurs(start, end) && !occurs(start-1, end) && !occurs(start, end+1) {
				list = append(list, passages.Passage{Start: start, End: end, Count: count(text, document[start:end])})
			}
		}
	}
	return list
}

func find(t testing.TB, s passages.Searcher, length int) (list []passages.Passage) {
	require.NoError(t, passages.Find(t.Context(), s, length, func(p passages.Passage) error {
		list = append(list, p)
		return nil
	}))
	return list
}

func check(t *testing.T, x *rows, document string, length int, least uint64) {
	want := reference(x.text, document, length, least)
	backward := &passages.Backward{Context: t.Context(), Index: x, Document: []byte(document), MinCount: least}
	counted := &passages.Counted{Length: len(document), MinCount: least,
		Count: func(start, end int) (uint64, error) {
			low := sort.SearchStrings(x.suffixes, document[start:end])
			high := low
			for high < len(x.suffixes) && strings.HasPrefix(x.suffixes[high], document[start:end]) {
				high++
			}
			return uint64(high - low), nil
		}, Equal: func(a, b, n int) bool { return document[a:a+n] == document[b:b+n] }}
	for name, s := range map[string]passages.Searcher{"backward": backward, "counted": counted} {
		got := find(t, s, length)
		if !slices.Equal(got, want) {
			t.Fatalf("%s: %q in %q, %d letters, %d times:\n%v\n%v", name, document, x.text, length, least, got, want)
		}
	}
}

// each calls f with all texts of two letters up to a length.
func each(n int, f func(text string)) {
	for length := range n + 1 {
		for bits := range 1 << length {
			text := make([]byte, length)
			for i := range text {
				text[i] = "ab"[bits>>i&1]
			}
			f(string(text))
		}
	}
}

func TestAllShort(t *testing.T) {
	each(4, func(text string) {
		x := newRows(text)
		each(6, func(document string) {
			for length := 1; length <= 3; length++ {
				for least := range uint64(2) {
					check(t, x, document, length, least+1)
				}
			}
		})
	})
}

// Random texts, with letters that one side lacks, and texts that repeat.
func TestRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	letters := func(n, sigma int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte('a' + rng.IntN(sigma))
		}
		return string(b)
	}
	for range 400 {
		text := letters(rng.IntN(80), 1+rng.IntN(3))
		document := letters(rng.IntN(40), 1+rng.IntN(4))
		switch rng.IntN(4) {
		case 0: // parts of the text, and what is between
			for range 3 {
				if at := rng.IntN(len(text) + 1); at < len(text) {
					document += text[at:at+rng.IntN(len(text)-at)] + letters(rng.IntN(3), 4)
				}
			}
		case 1:
			period := letters(1+rng.IntN(6), 2)
			text = letters(rng.IntN(4), 2) + strings.Repeat(period, rng.IntN(8)) + letters(rng.IntN(4), 2)
			document = letters(rng.IntN(4), 2) + strings.Repeat(period, rng.IntN(14)) + letters(rng.IntN(4), 2)
		case 2:
			text = strings.Repeat("a", rng.IntN(9)) + "b" + strings.Repeat("a", rng.IntN(5))
			document = strings.Repeat("a", rng.IntN(30)) + letters(rng.IntN(3), 2) + strings.Repeat("a", rng.IntN(9))
		}
		check(t, newRows(text), document, 1+rng.IntN(7), 1+uint64(rng.IntN(3)))
	}
}

// The steps of documents that stand in the text, or repeat.
func TestSteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	prose := make([]byte, 2000)
	for i := range prose {
		prose[i] = byte('a' + rng.IntN(20))
	}
	line := string(prose[:80])
	for name, c := range map[string]struct {
		text, document string
		length, most   int
		passages       int
	}{
		"whole":                     {string(prose), string(prose[100:1900]), 50, 2 * 1800, 1},
		"twice":                     {string(prose) + "#" + string(prose), string(prose), 50, 2 * 2000, 1},
		"none":                      {string(prose), strings.Repeat("0", 2000), 50, 2000 / 50 * 2, 0},
		"other":                     {string(prose), string(prose[:40]) + "#" + string(prose[900:940]), 50, 100, 0},
		"one letter":                {strings.Repeat("a", 300), strings.Repeat("a", 3000), 50, 20 * 300, 2701},
		"one letter, short":         {strings.Repeat("a", 49) + "b", strings.Repeat("a", 3000), 50, 100, 0},
		"lines":                     {strings.Repeat(line, 5), strings.Repeat(line, 20), 50, 20 * 400, 16},
		"one letter that goes on":   {strings.Repeat("a", 1200), strings.Repeat("a", 1000), 50, 12 * 1000, 1},
		"parts with what is absent": {string(prose), string(prose[:500]) + "#" + string(prose[500:900]), 50, 2000, 2},
	} {
		x := newRows(c.text)
		b := &passages.Backward{Context: t.Context(), Index: x, Document: []byte(c.document), MinCount: 1}
		assert.Len(t, find(t, b, c.length), c.passages, name)
		assert.LessOrEqual(t, x.steps, c.most, name)
	}
}

// Errors end the search.
func TestErrors(t *testing.T) {
	document := bytes.Repeat([]byte("ab"), 3000)
	b := func(ctx context.Context) *passages.Backward {
		return &passages.Backward{Context: ctx, Index: newRows("abab"), Document: document, MinCount: 1}
	}
	none := func(passages.Passage) error { return nil }
	require.ErrorContains(t, passages.Find(t.Context(), b(t.Context()), 0, none), "one letter or more")
	failed := errors.New("failed")
	fails := func(passages.Passage) error { return failed }
	require.ErrorIs(t, passages.Find(t.Context(), b(t.Context()), 2, fails), failed)
	for fails := range 12 {
		calls := 0
		c := &passages.Counted{Length: 40, MinCount: 1, Equal: func(int, int, int) bool { return false },
			Count: func(start, end int) (uint64, error) {
				if calls++; calls > fails {
					return 0, failed
				}
				return uint64(max(9-(end-start), 0)), nil
			}}
		require.ErrorIs(t, passages.Find(t.Context(), c, 2, none), failed, fmt.Sprint(fails))
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(failed)
	document = document[:5000]
	long := &passages.Backward{Context: ctx, Index: newRows(string(document)), Document: document, MinCount: 1}
	require.ErrorIs(t, passages.Find(t.Context(), long, 2, none), failed)
	require.ErrorIs(t, passages.Find(ctx, b(t.Context()), 2, none), failed)
}
