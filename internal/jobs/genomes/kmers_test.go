package genomes_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
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
				smallKmers(t, parts, 96*parts)
				e, set := enginetest.Opened(t, suffixcl.Options{}), genome(t, x.texts...)
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
		err := enginetest.Run(suffixcl.WithStats(t.Context(), &stats), e.Mappability(suffixcl.Set(set), o),
			func(m *suffixcl.Mappability) error {
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
	plan, err := e.Mappability(suffixcl.Set(set), o).Plan(t.Context())
	require.NoError(t, err)
	require.LessOrEqual(t, stats.PeakBytes, plan.Device())
	return stats
}

// Values come in blocks. One may end anywhere: in a sequence, before the separator after it, or after that.
func TestMappabilityInBlocks(t *testing.T) {
	e := enginetest.Opened(t, suffixcl.Options{})
	set := genome(t, "acgtacgtaca", "", "nnacgtnntacg", "gtacgtac", "acg", "a")
	for _, o := range []suffixcl.MappabilityOptions{
		{K: []int{1, 3}, Letters: "acgt"}, {K: []int{1, 3}}, {K: []int{2}, Unique: true, BothStrands: true, Letters: "acgt"},
	} {
		values := func() map[int][]uint32 {
			all := map[int][]uint32{}
			text, next := 0, 0
			err := enginetest.Run(t.Context(), e.Mappability(suffixcl.Set(set), o), func(m *suffixcl.Mappability) error {
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
				enginetest.SmallBlocks(t, block)
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
	e := enginetest.Opened(t, suffixcl.Options{})
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

// A plan has the memory of sorting suffixes where hashes may fail, which those of up to 32 letters in one part do not.
func TestMappabilityPlanOfFailingHashes(t *testing.T) {
	const ifHashesFail = ", if hashes fail"
	random := rand.New(rand.NewPCG(3, 4))
	varied := make([]byte, 20_000)
	for i := range varied {
		varied[i] = "acgt"[random.IntN(4)]
	}
	one := genome(t, strings.Repeat("a", len(varied)))
	options := func(k ...int) suffixcl.MappabilityOptions {
		return suffixcl.MappabilityOptions{K: k, BothStrands: true, Letters: "acgt"}
	}
	count := func(e *suffixcl.Engine, set *suffixcl.Collection, o suffixcl.MappabilityOptions) (sum int, err error) {
		err = enginetest.Run(t.Context(), e.Mappability(suffixcl.Set(set), o), func(m *suffixcl.Mappability) error {
			sum += len(m.Values)
			return nil
		})
		return sum, err
	}
	planned := func(e *suffixcl.Engine, set *suffixcl.Collection, o suffixcl.MappabilityOptions) device.MemoryPlan {
		plan, err := e.Mappability(suffixcl.Set(set), o).Plan(t.Context())
		require.NoError(t, err)
		require.NoError(t, plan.Fits(enginetest.Core(e).Session))
		require.Equal(t, "k-mers", plan[0].Phase)
		for _, p := range plan[1:] {
			require.Contains(t, p.Phase, ifHashesFail)
		}
		return plan
	}
	large := enginetest.Opened(t, suffixcl.Options{})
	require.Len(t, planned(large, one, options(5, 32)), 1, "nothing fails")
	require.Greater(t, len(planned(large, one, options(5, 33))), 1, "hashes may collide")

	smallKmers(t, 16, 1<<12)
	o := options(5, 20)
	plan := planned(large, one, o)
	sorted, err := large.Mappability(suffixcl.Set(one), suffixcl.MappabilityOptions{Unique: true, BothStrands: true,
		Letters: "acgt"}).Plan(t.Context())
	require.NoError(t, err)
	require.Equal(t, sorted.Device(), plan.Device())
	require.Greater(t, plan.Device(), plan[:1].Device())
	require.GreaterOrEqual(t, plan.Host(), sorted.Host())
	enough := enginetest.Opened(t, suffixcl.Options{MaxMemory: plan.Device()})
	n, err := count(enough, one, o)
	require.NoError(t, err)
	require.Equal(t, 2*len(varied), n)

	var memory *device.MemoryError
	short := enginetest.Opened(t, suffixcl.Options{MaxMemory: plan[:1].Device()})
	plan = planned(short, one, o)
	require.Len(t, plan, 2)
	require.Zero(t, plan[1].Device()+plan[1].Host)
	require.Regexp(t, `^refused, if hashes fail: .*phase ".*" needs .*, but the memory limit is`, plan[1].Phase)
	n, err = count(short, genome(t, string(varied)), o)
	require.NoError(t, err, "hashes do not fail")
	require.Equal(t, 2*len(varied), n)
	_, err = count(short, one, o)
	require.ErrorAs(t, err, &memory)
	require.ErrorContains(t, err, "hashes do not count these k-mers; suffixes cannot be sorted instead: ")
	require.ErrorContains(t, err, "needs")

	tiny := enginetest.Opened(t, suffixcl.Options{MaxMemory: int64(len(varied))})
	_, err = tiny.Mappability(suffixcl.Set(one), o).Plan(t.Context())
	require.ErrorAs(t, err, &memory)
	_, failed := count(tiny, one, o)
	require.ErrorAs(t, failed, &memory)
	require.Equal(t, err.Error(), failed.Error())
	require.Regexp(t, `phase "k-mers" needs .*; suffixes cannot be sorted instead: .* needs `, err.Error())

	as := strings.Repeat("a", 1000)
	several := genome(t, as, as, as, as)
	smallMappability(t, 5000) // characters of both strands: two texts at once
	plan = planned(large, several, o)
	require.GreaterOrEqual(t, plan.Host(), int64(4*4000*len(o.K)), "sums of groups")
	var stats suffixcl.Stats
	require.NoError(t, enginetest.Run(suffixcl.WithStats(t.Context(), &stats), large.Mappability(suffixcl.Set(several), o),
		func(*suffixcl.Mappability) error { return nil }))
	require.NotEmpty(t, stats.Algorithm)
	require.LessOrEqual(t, stats.PeakBytes, plan.Device())
}

// Memory that the engine keeps for its next call does not change which way fits.
func TestMappabilityPlanAfterACall(t *testing.T) {
	smallKmers(t, 64, 1<<12) // the most parts: fewer bytes do not serve
	random := rand.New(rand.NewPCG(5, 6))
	text := make([]byte, 20_000)
	for i := range text {
		text[i] = "acgt"[random.IntN(4)]
	}
	e, set := enginetest.Opened(t, suffixcl.Options{}), genome(t, string(text))
	o := suffixcl.MappabilityOptions{K: []int{20}, Letters: "acgt"}
	plan, err := e.Mappability(suffixcl.Set(set), o).Plan(t.Context())
	require.NoError(t, err)
	e = enginetest.Opened(t, suffixcl.Options{MaxMemory: plan[:1].Device()})
	_, err = e.InverseBWT(t.Context(), []byte("annbaa"), 4)
	require.NoError(t, err)
	require.Positive(t, enginetest.Core(e).Kept())
	var stats suffixcl.Stats
	require.NoError(t, enginetest.Run(suffixcl.WithStats(t.Context(), &stats), e.Mappability(suffixcl.Set(set), o),
		func(*suffixcl.Mappability) error { return nil }))
	require.Equal(t, plan[:1].Device(), stats.PeakBytes)
}
