package suffixsort

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/periodic"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/segsort"
)

// overlaps tells whether two tenants share words, whenever they live.
func (t tenant) overlaps(other tenant) bool {
	return t.block == other.block && t.offset < other.end() && other.offset < t.end()
}

// faults are tenants that leave their block, begin where they may not, or live with another in the same place.
func faults(all [tenants]tenant, words [blocks]int) (list []string) {
	for i, t := range all {
		if t.block != blockResult && t.end() > words[t.block] || t.offset < 0 || t.words < 0 {
			list = append(list, fmt.Sprintf("%s: words %d to %d of %d", t.name, t.offset, t.end(), words[t.block]))
		}
		if t.words > 0 && 4*t.offset%t.align() != 0 {
			list = append(list, fmt.Sprintf("%s: word %d", t.name, t.offset))
		}
		for _, other := range all[:i] {
			if t.lives&other.lives != 0 && t.overlaps(other) {
				list = append(list, fmt.Sprintf("%s and %s", other.name, t.name))
			}
		}
	}
	return list
}

var forms = []form{
	{}, {packed: true}, {partitioned: true}, {packed: true, partitioned: true}, {sampled: true},
	{partitioned: true, sampled: true},
}

func lengths() []int {
	lengths := []int{1 << 20, 1<<20 + 1, 12345677, 1<<31 - 1}
	for n := range 300 {
		lengths = append(lengths, n)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		lengths = append(lengths, rng.IntN(1<<(1+rng.IntN(30))))
	}
	return lengths
}

func TestArena(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	capacity := func() int { return 1 + rng.IntN(1<<rng.IntN(20)) }
	for _, n := range lengths() {
		for _, o := range []Options{
			{}, {NoSkew: true}, {Capacity: Capacity{1, 1, 1}},
			{Capacity: Capacity{Windows: capacity(), Ranks: capacity(), Representatives: capacity()}},
		} {
			for _, a := range []arena{{n: n, capacity: o.capacity(n)}, {n: n, capacity: o.capacity(n), symbols: true}} {
				words := a.words()
				for _, shorter := range []int{n, n - n/3, n / 2, n / 8, min(n, 1)} {
					for _, f := range forms {
						require.Empty(t, faults(a.tenants(shorter, f), words), "%d of %+v, %+v, %+v", shorter, a, o, f)
					}
				}
			}
		}
	}
}

// Tenants that are moved, or live longer, are found.
func TestArenaFaults(t *testing.T) {
	a := arena{n: 1001, capacity: Options{}.capacity(1001)}
	good, words := a.tenants(a.n, form{}), a.words()
	require.Empty(t, faults(good, words))
	for _, c := range []struct {
		change func(*[tenants]tenant)
		want   []string
	}{
		{func(all *[tenants]tenant) { all[tenantNext].offset-- }, []string{"order and next"}},
		{
			func(all *[tenants]tenant) { all[tenantISA].lives |= 1 << stepDoubleLarge },
			[]string{"ISA and listed keys"},
		},
		{
			func(all *[tenants]tenant) { all[tenantSnapshot].lives |= 1 << stepExtendLarge },
			[]string{"snapshot and listed slots"},
		},
		{func(all *[tenants]tenant) { all[tenantDepths].offset++; all[tenantDepths].words = 1 }, nil},
		{func(all *[tenants]tenant) { all[tenantLongKeys].offset++ }, []string{"keys: word 1", "ranks and keys"}},
	} {
		changed := good
		c.change(&changed)
		got := faults(changed, words)
		require.Len(t, got, len(c.want), "%v", got)
		for _, want := range c.want {
			assert.Contains(t, fmt.Sprint(got), want)
		}
	}
}

func TestLifetime(t *testing.T) {
	assert.EqualValues(t, 1, during(stepCode, stepCode))
	assert.EqualValues(t, 0b1110, during(stepMark, stepFirstSort))
	assert.LessOrEqual(t, int(steps), 32)
}

// The blocks are as long as the formula that the documentation gives, and what is planned is their sum.
func TestMemoryFormula(t *testing.T) {
	s := tuned.Offline(device.Caps{MaxWorkGroup: 256, MaxAlloc: 1 << 40, GlobalMem: 1 << 40}, tune.Tiny(false))
	for _, n := range lengths() {
		for _, o := range []Options{{NoSkew: true}, {}, {Capacity: Capacity{1, 1, 1}}, {Capacity: Capacity{700, 700, 700}}} {
			c := o.capacity(n)
			w, k, r := c.Windows, c.Ranks, c.Representatives
			bitmap, ends := segsort.HeadWords(n), segsort.HeadWords(r)
			want := []int{
				4 * tableWords, 4 * countWords, periodic.Most(n),
				4 * even(max(n, 3*w, 6*k)),
				4 * even(max(n, 3*w, intmath.RoundUp(2*ends, 4)+k+3*r)),
				4 * even(max(n, w, 3*bitmap, 4*r)),
				8 * (intmath.CeilDiv(n, 16) + 1),
				4 * bitmap, 4 * bitmap, 8 * bitmap, 8 * bitmap,
				4 * ends, 4 * ends, 8 * ends, 4 * segsort.HeadWords(max(k, r)),
			}
			m := planMemory(s, arena{n: n, capacity: c}, nil)
			var got []int
			for _, l := range []*device.Layout{m.kept, m.shared} {
				for _, b := range l.Memory().Buffers {
					got = append(got, int(b.Bytes))
				}
			}
			require.Equal(t, want, got, "%d characters, %+v", n, o)
		}
	}
}

// chart shows the tenants by block, where they are, and in which steps they live.
func chart(a arena, f form) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%-30s %7s %7s  steps %s\n", "tenant", "word", "words", "0123456789abcdefghijklmn")
	for b, name := range []string{"isa", "order", "ranks", "packed", "starts", "classes", "heads", "result"} {
		fmt.Fprintf(&s, "%s\n", name)
		for _, t := range a.tenants(a.n, f) {
			if t.block != block(b) || t.lives == 0 {
				continue
			}
			fmt.Fprintf(&s, "  %-28s %7d %7d        ", t.name, t.offset, t.words)
			for step := range steps {
				s.WriteByte(".#"[t.lives>>step&1])
			}
			s.WriteByte('\n')
		}
	}
	return s.String()
}

// testdata/arena.txt shows the arena to people.
func TestArenaChart(t *testing.T) {
	const n = 1 << 20
	want, err := os.ReadFile("testdata/arena.txt")
	require.NoError(t, err)
	got := chart(arena{n: n, capacity: Options{}.capacity(n)}, form{partitioned: true, sampled: true})
	_, rest, ok := strings.Cut(string(want), "\n\n")
	require.True(t, ok)
	require.Equal(t, rest, got)
}
