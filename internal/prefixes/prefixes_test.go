package prefixes_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/prefixes"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// codes are those of A, C, G and T.
var codes = func() (codes [256]uint8) {
	for c := range codes {
		codes[c] = prefixes.NoLetter
	}
	for code, letter := range []byte("ACGT") {
		codes[letter] = byte(code)
	}
	return codes
}()

// counted is the definition: suffix by suffix, letter by letter.
func counted(text string, k int, of prefixes.Part) map[int]int {
	counts := map[int]int{}
	add := func(from, step, flip int) {
		sequence, letters := 0, 0
		for i := from; letters < k && i >= 0 && i < len(text) && codes[text[i]] < 4; i += step {
			sequence = 4*sequence + int(codes[text[i]])^flip
			letters++
		}
		if letters > 0 {
			counts[prefixes.Start(letters)+sequence]++
		}
	}
	for i := of.From; i < of.End; i++ {
		if (of.Last-i)%of.Every == 0 {
			add(i, 1, 0)
		}
		if i%of.Every == 0 {
			add(i, -1, 3)
		}
	}
	return counts
}

func TestCounts(t *testing.T) {
	rng := rand.New(rand.NewPCG(66, 1))
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		m := tuned.Of(e.Session).Map
		tile := prefixes.Unit * m.WG * m.Items
		for round, n := range []int{1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 300, tile - 1, tile, tile + 1, tile + 40} {
			letters := "ACGT"[:1+rng.IntN(4)]
			if rng.IntN(2) == 0 {
				letters += "N"
			}
			text := make([]byte, min(n, 1<<15))
			for i := range text {
				if text[i] = letters[rng.IntN(len(letters))]; i > 40 && rng.IntN(3) > 0 {
					text[i] = text[i-1-rng.IntN(20)] // repeats
				}
			}
			n := len(text)
			k := 1 + round%6
			check(t, e, text, k, prefixes.Sequences(k), 0, prefixes.Part{End: n, Every: 1, Last: n})
			from, end := rng.IntN(n), rng.IntN(n)
			of := prefixes.Part{From: min(from, end), End: max(from, end) + 1, Every: 1 + rng.IntN(3), Last: n + rng.IntN(9)}
			room := 1 + rng.IntN(prefixes.Sequences(k))
			check(t, e, text, k, room, rng.IntN(prefixes.Sequences(k)), of)
			for sequence := range counted(string(text), prefixes.Longest, of) {
				check(t, e, text, prefixes.Longest, room, max(sequence-rng.IntN(room), 0), of)
				break
			}
		}
	})
}

// check compares the counts of some sequences. The text is packed in pieces.
func check(t *testing.T, e devicetest.Env, text []byte, k, room, first int, of prefixes.Part) {
	t.Helper()
	const piece = 8 * prefixes.Unit
	p, err := prefixes.New(e.Session, len(text), k, room, piece)
	require.NoError(t, err)
	require.NoError(t, p.Layout().Allocate(e.Session))
	defer p.Layout().Release(e.Session)
	p.Begin(&codes)
	for at := 0; at < len(text); at += piece {
		part := p.Piece(min(piece, len(text)-at))
		part.Write(text[at : at+part.Len()])
		p.Pack(part, at)
	}
	p.Clear()
	p.Count(of, first)
	got, want := make([]uint32, p.Room()), make([]uint32, p.Room())
	require.NoError(t, p.Counts().Read(got))
	for sequence, count := range counted(string(text), k, of) {
		if sequence >= first && sequence-first < len(want) {
			want[sequence-first] = uint32(count)
		}
	}
	require.Equal(t, want, got, "%d characters, %d letters, %+v, %s", len(text), k, of, text[:min(len(text), 100)])
	carries, err := p.Carries()
	require.NoError(t, err)
	require.Empty(t, carries)
	p.Counts().Fill(^uint32(0)) // and all pass 2^32 that are counted
	p.Count(of, first)
	carries, err = p.Carries()
	require.NoError(t, err)
	var passed, all int
	for _, count := range want {
		if count > 0 {
			all++
		}
	}
	for _, sequence := range carries {
		require.NotZero(t, want[sequence-first])
		passed++
	}
	require.Equal(t, min(all, 32), passed)
}

func TestRefused(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		for _, k := range []int{0, prefixes.Longest + 1} {
			_, err := prefixes.New(e.Session, 10, k, 10, 10)
			require.ErrorContains(t, err, "1 to 16 are possible")
		}
	})
}
