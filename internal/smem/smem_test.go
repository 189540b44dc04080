package smem_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/rlbwt"
	"github.com/suffixcl/suffixcl/internal/smem"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/harness"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

const every = 4

// complement is the other strand.
func complement(s []byte) []byte {
	c := bytes.Map(func(r rune) rune {
		if at := strings.IndexRune("ACGT", r); at >= 0 {
			return rune("TGCA"[at])
		}
		return r
	}, s)
	slices.Reverse(c)
	return c
}

// sorted are the places of the suffixes of a text, that of its end first.
func sorted(text []byte) []int {
	sa := make([]int, len(text)+1)
	for i := range sa {
		sa[i] = i
	}
	slices.SortFunc(sa, func(a, b int) int { return bytes.Compare(text[a:], text[b:]) })
	return sa
}

// transform is that of both strands of bases, and their sorted suffixes.
func transform(bases []byte) (*smem.Transform, []byte, []int) {
	text := slices.Concat(bases, complement(bases))
	sa := sorted(text)
	t := &smem.Transform{Every: every}
	for row, place := range sa {
		if place == 0 {
			t.Primary = row
		} else {
			t.Bases = append(t.Bases, byte(strings.IndexByte("ACGT", text[place-1])))
		}
		if row > 0 && row%every == 0 {
			t.Samples = append(t.Samples, uint64(place))
		}
	}
	return t, text, sa
}

// collection is the transform of strings, each followed by its reverse complement, with their sorted suffixes.
func collection(list [][]byte) (codes, text []byte, sa []int) {
	var number []int
	for _, s := range list {
		for _, strand := range [][]byte{s, complement(s)} {
			text = append(append(text, strand...), '$')
			for range len(strand) + 1 {
				number = append(number, bytes.Count(text, []byte("$")))
			}
		}
	}
	for i, c := range text {
		codes = append(codes, byte(strings.IndexByte("$ACGTN", c)))
		sa = append(sa, i)
	}
	whole := func(at int) []byte { return codes[at : at+bytes.IndexByte(codes[at:], 0)+1] }
	slices.SortFunc(sa, func(a, b int) int {
		return cmp.Or(bytes.Compare(whole(a), whole(b)), cmp.Compare(number[a], number[b]))
	})
	return codes, text, sa
}

// matches are those of the definition.
func matches(text []byte, sa []int, queries [][]byte, letters string, o smem.Options) (f smem.Found) {
	rows := func(s []byte) (row, hits uint64) {
		for i, place := range sa {
			if bytes.HasPrefix(text[place:], s) {
				if hits == 0 {
					row = uint64(i)
				}
				hits++
			}
		}
		return row, hits
	}
	for q, query := range queries {
		before := 0 // the end of the match before
		for start := range query {
			end := start
			for end < len(query) && strings.IndexByte(letters, query[end]) >= 0 {
				if _, hits := rows(query[start : end+1]); hits < o.Hits {
					break
				}
				end++
			}
			if end <= before {
				continue
			}
			before = end
			if end-start < o.Least {
				continue
			}
			row, hits := rows(query[start:end])
			f.Matches = append(f.Matches, smem.Match{Query: uint32(q), Start: uint32(start), End: uint32(end), Row: row,
				Hits: hits})
			for i := row; hits <= o.Located && i < row+hits; i++ {
				f.Positions = append(f.Positions, uint64(sa[i]))
			}
		}
	}
	return f
}

// inputs are bases and queries of them.
func inputs(r *rand.Rand, n int) (bases []byte, queries [][]byte) {
	letters := "ACGT"[:2+r.IntN(3)]
	for range n {
		bases = append(bases, letters[r.IntN(len(letters))])
	}
	if r.IntN(2) == 0 {
		copy(bases[n/2:], bases[:n/3])
	}
	for k := range 12 {
		var q []byte
		for range k % 4 {
			at := r.IntN(n)
			q = append(q, bases[at:min(n, at+r.IntN(n/2))]...)
			if k%3 == 0 {
				q = append(q, "ACGTN"[r.IntN(5)])
			}
		}
		if k%2 == 0 {
			q = complement(q)
		}
		queries = append(queries, q[:min(len(q), 60)])
	}
	return bases, append(queries, nil, []byte("N"), []byte("A"), bytes.Repeat([]byte("A"), 50))
}

func join(queries [][]byte) (text []byte, ends []uint32) {
	for _, q := range queries {
		text = append(text, q...)
		ends = append(ends, uint32(len(text)))
	}
	return text, ends
}

func search(t *testing.T, x *smem.Index, queries [][]byte, o smem.Options) (all smem.Found) {
	t.Helper()
	p, err := smem.NewSearch(x, o)
	require.NoError(t, err)
	defer p.Release()
	text, ends := join(queries)
	next := 0
	require.NoError(t, p.Each(t.Context(), text, ends, func(from, to int, f *smem.Found) error {
		assert.Equal(t, next, from)
		next = to
		all.Matches = append(all.Matches, f.Matches...)
		all.Positions = append(all.Positions, f.Positions...)
		return nil
	}))
	assert.Equal(t, len(queries), next)
	return all
}

// sizes are those of texts, without the largest on a simulator.
func sizes(e devicetest.Env, all ...int) []int {
	if harness.Simulated(e.Session.Caps()) {
		return all[:len(all)-1]
	}
	return all
}

func TestTransform(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		r := rand.New(rand.NewPCG(1, 2))
		for k, n := range sizes(e, 1, 2, 60, 250) {
			bases, queries := inputs(r, max(n, 2))
			bases = bases[:n]
			of, text, sa := transform(bases)
			x, err := smem.Open(t.Context(), e.Session, of)
			require.NoError(t, err)
			for _, o := range []smem.Options{{Least: 1, Hits: 1, Located: 20}, {Least: 3, Hits: 2, Located: 3},
				{Least: 12, Hits: 1 + uint64(k)}} {
				want := matches(text, sa, queries, "ACGT", o)
				got := search(t, x, queries, o)
				require.Equal(t, want, got, fmt.Sprint(n, o))
			}
			x.Release()
		}
	})
}

func TestRuns(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		r := rand.New(rand.NewPCG(1, 3))
		for k, n := range sizes(e, 1, 2, 40, 140) {
			bases, queries := inputs(r, max(n, 2))
			if k > 1 {
				copy(bases[n/2:], "NNNNNN")
			}
			list := [][]byte{bases[:n], bases[n/3 : n/2], nil}
			codes, text, sa := collection(list)
			of, err := rlbwt.Load(t.Context(), e.Session, func(yield fmd.Yield) error {
				for _, place := range sa {
					letter := byte(0)
					if place > 0 {
						letter = codes[place-1]
					}
					if err := yield([]fmd.Run{{Letter: letter, Len: 1}}); err != nil {
						return err
					}
				}
				return nil
			})
			require.NoError(t, err)
			x, err := smem.Runs(t.Context(), e.Session, of)
			require.NoError(t, err)
			queries = append(queries, []byte("NNNNN"), bases[max(n/2-9, 0):min(n/2+12, n)])
			if !tuned.Quirks(e.Session.Caps()).LongLoops {
				for i, q := range queries {
					queries[i] = q[:min(len(q), 24)]
				}
			}
			for _, o := range []smem.Options{{Least: 1, Hits: 1}, {Least: 3, Hits: 2}, {Least: 12, Hits: 1 + uint64(k)}} {
				want := matches(text, sa, queries, "ACGTN", o)
				require.Equal(t, want, search(t, x, queries, o), fmt.Sprint(n, o))
			}
			x.Release()
		}
	})
}

func TestOneStrand(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		of, err := rlbwt.Load(t.Context(), e.Session, func(yield fmd.Yield) error {
			return yield([]fmd.Run{{Letter: 2, Len: 1}, {Letter: 0, Len: 1}, {Letter: 1, Len: 1}})
		})
		require.NoError(t, err)
		_, err = smem.Runs(t.Context(), e.Session, of)
		require.ErrorIs(t, err, smem.ErrOneStrand)
		_, err = smem.Open(t.Context(), e.Session, &smem.Transform{Bases: []byte{1, 1, 2}})
		require.ErrorIs(t, err, smem.ErrOneStrand)
	})
}
