package suffixcl_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
)

// What hashes count is what the sorted suffixes count, which shortest unique substrings ask for.
func TestKmersByHash(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 3))
	text := func(n int, letters string) string {
		all := make([]byte, n)
		for i := range all {
			all[i] = letters[random.IntN(len(letters))]
		}
		return string(all)
	}
	reversed := func(of string) string {
		other := map[rune]rune{'a': 't', 'c': 'g', 'g': 'c', 't': 'a'}
		letters := []byte{}
		for _, c := range of {
			letters = append([]byte{byte(other[c])}, letters...)
		}
		return string(letters)
	}
	base := text(3000, "acgt")
	palindrome := base[:200] + reversed(base[:200])
	repeats := []string{base, "", base[100:700] + "n" + base[900:2000], reversed(base[1000:2500]), "acg", palindrome,
		palindrome, strings.Repeat("acca", 90)}
	for _, x := range []struct {
		name, letters string
		texts         []string
	}{
		{"repeats", "acgt", repeats},
		{"letters twice", "ttaaccgg", repeats},
		{"a k-mer that fills a part", "acgt",
			[]string{strings.Repeat("a", 2000), "aacc" + base[:40], strings.Repeat("t", 300)}},
		{"two letters", "ab", []string{text(2000, "ab"), text(700, "abn")}},
		{"complements", "at", []string{text(2000, "at"), text(700, "atn")}},
		{"no complements", "agc", []string{text(2000, "agc")}},
		{"five letters", "acgtx", []string{text(2000, "acgtx")}},
		{"bytes", "", []string{base}},
		{"no letters", "acgt", []string{"nnn", "", "n"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			for _, parts := range []int{1, 8} {
				suffixcl.SmallKmers(t, parts, 96*parts)
				e, set := opened(t, suffixcl.Options{}), genome(t, x.texts...)
				for _, both := range []bool{false, true} {
					for _, k := range [][]int{{1, 2, 31, 32}, {33, 50, 64}, {65, 128, 256}} {
						requireCountedAlike(t, e, set, suffixcl.MappabilityOptions{K: k, BothStrands: both, Letters: x.letters})
					}
				}
			}
		})
	}
}

// requireCountedAlike compares the ways of counting.
func requireCountedAlike(
	t *testing.T, e *suffixcl.Engine, set *suffixcl.Collection, o suffixcl.MappabilityOptions,
) (stats suffixcl.Stats) {
	t.Helper()
	values := func(o suffixcl.MappabilityOptions) map[int][]uint32 {
		all := map[int][]uint32{}
		stats = suffixcl.Stats{}
		err := e.EachMappability(suffixcl.WithStats(t.Context(), &stats), set, o, func(m *suffixcl.Mappability) error {
			all[m.K] = append(all[m.K], m.Values...)
			return nil
		})
		require.NoError(t, err)
		delete(all, 0)
		return all
	}
	unique := o
	unique.Unique = true
	want := values(unique)
	require.Equal(t, want, values(o), "%+v", o)
	plan, err := e.PlanMappability(t.Context(), set, o)
	require.NoError(t, err)
	if stats.Algorithm == "" { // no suffixes were sorted
		require.LessOrEqual(t, stats.PeakBytes, plan.Device())
	}
	return stats
}

// Values come in blocks. One may end anywhere: in a sequence, before the separator after it, or after that.
func TestMappabilityInBlocks(t *testing.T) {
	e := opened(t, suffixcl.Options{})
	set := genome(t, "acgtacgtaca", "", "nnacgtnntacg", "gtacgtac", "acg", "a")
	for _, o := range []suffixcl.MappabilityOptions{
		{K: []int{1, 3}, Letters: "acgt"}, {K: []int{1, 3}}, {K: []int{2}, Unique: true, BothStrands: true, Letters: "acgt"},
	} {
		values := func() map[int][]uint32 {
			all := map[int][]uint32{}
			text, next := 0, 0
			err := e.EachMappability(t.Context(), set, o, func(m *suffixcl.Mappability) error {
				if m.Text != text {
					text, next = m.Text, 0
				}
				require.Equal(t, next, m.First, "text %d", m.Text)
				next += len(m.Values)
				all[m.K] = append(all[m.K], m.Values...)
				return nil
			})
			require.NoError(t, err)
			return all
		}
		want := values()
		for block := 1; block < 40; block++ {
			t.Run(fmt.Sprint(block), func(t *testing.T) {
				suffixcl.SmallBlocks(t, block)
				require.Equal(t, want, values(), "%+v", o)
			})
		}
	}
}

// Different k-mers with the same hash are found out. Another hash tells them apart, or the suffixes are sorted.
func TestKmersThatCollide(t *testing.T) {
	mixed := func(x uint64) uint64 { // as kmers.cl
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		return x ^ x>>31
	}
	letters := func(words ...uint64) string {
		var b strings.Builder
		for _, word := range words {
			for up := 62; up >= 0; up -= 2 {
				b.WriteByte("acgt"[word>>up&3])
			}
		}
		return b.String()
	}
	random := rand.New(rand.NewPCG(1, 2))
	colliding := func(seeds uint64) (texts []string) {
		for seed := range seeds {
			a, b, c := random.Uint64(), random.Uint64(), random.Uint64()
			texts = append(texts, letters(a, c), letters(b, c^mixed(seed^a)^mixed(seed^b)))
		}
		return texts
	}
	e := opened(t, suffixcl.Options{})
	for _, x := range []struct {
		seeds  uint64
		sorted bool
	}{{1, false}, {3, false}, {16, true}} {
		stats := requireCountedAlike(t, e, genome(t, colliding(x.seeds)...),
			suffixcl.MappabilityOptions{K: []int{64}, Letters: "acgt"})
		require.Equal(t, x.sorted, stats.Algorithm != "", "hashes of %d seeds collide", x.seeds)
	}
	stats := requireCountedAlike(t, e, genome(t, strings.Repeat("ac", 300)),
		suffixcl.MappabilityOptions{K: []int{257}, Letters: "acgt"})
	require.NotEmpty(t, stats.Algorithm, "k is greater than hashes serve")
}
