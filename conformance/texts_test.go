package conformance

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/testkit/suitekit"
)

func TestTextsAreReproducible(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 15, 16, 17, 97, 1000, 4096} {
		texts := samples(n, 42)
		assert.Equal(t, texts, samples(n, 42), "n=%d", n)
		names := map[string]bool{}
		for _, text := range texts {
			assert.Len(t, text.data, n, text.name)
			assert.False(t, names[text.name], "%s twice at n=%d", text.name, n)
			names[text.name] = true
			again, err := NewText(text.name, n, 42)
			require.NoError(t, err)
			assert.Equal(t, text.data, again)
		}
		i := 0
		for class, text := range Texts(n, 42) {
			assert.Equal(t, texts[i].name, class)
			assert.Equal(t, texts[i].data, text)
			i++
		}
		assert.Len(t, texts, i)
	}
	a, _ := NewText("random/sigma=256", 100, 1)
	b, _ := NewText("random/sigma=256", 100, 2)
	assert.NotEqual(t, a, b, "the seed has no effect")
	_, err := NewText("no such class", 10, 1)
	assert.ErrorContains(t, err, "no such class")
}

// These bytes must stay the same from release to release: they are what a
// reported seed means.
func TestTextsAreStable(t *testing.T) {
	for class, want := range map[string]string{
		"random/sigma=26":  "jvvdntxgbqeixunbyhukqcykoxeraj",
		"dna-with-n":       "NNTTNGCGNAATGGTNNNACTATNGNGCTT",
		"repeats/sigma=26": "tdbkzzbdbkzzscbkxztkgkzxtdbkzz",
	} {
		text, err := NewText(class, 30, 7)
		require.NoError(t, err)
		assert.Equal(t, want, string(text), class)
	}
}

func TestFibonacci(t *testing.T) {
	assert.Equal(t, "abaababaabaab", string(fibonacci(13)))
	// The words of Fibonacci length satisfy F(k) = F(k-1) F(k-2).
	for before, length := 1, 2; length < 5000; before, length = length, before+length {
		next := fibonacci(before + length)
		assert.Equal(t, string(fibonacci(length))+string(fibonacci(before)), string(next))
	}
}

func TestThueMorse(t *testing.T) {
	assert.Equal(t, "abbabaabbaababba", string(thueMorse(16)))
	// Doubling the length appends the complement.
	swap := func(r rune) rune { return 'a' + 'b' - r }
	for n := 1; n <= 1024; n *= 2 {
		half := string(thueMorse(n))
		assert.Equal(t, half+strings.Map(swap, half), string(thueMorse(2*n)))
	}
}

func TestDeBruijn(t *testing.T) {
	assert.Equal(t, "aaaabaabbababbbb", string(deBruijn(16, "ab")))
	for _, c := range []struct {
		alphabet string
		n, order int
	}{{"ab", 1 << 12, 12}, {"ACGT", 1 << 10, 5}, {"ab", 2, 1}} {
		text := deBruijn(c.n, c.alphabet)
		cyclic := slices.Concat(text, text[:c.order-1])
		windows := map[string]bool{}
		for i := range c.n {
			windows[string(cyclic[i:i+c.order])] = true
		}
		assert.Len(t, windows, c.n, "every word of %d letters occurs once", c.order)
	}
}

func TestPeriodic(t *testing.T) {
	assert.Equal(t, []int{2, 3, 7, 64}, periods(101))
	assert.Equal(t, []int{2, 3, 5, 7, 64, 125}, periods(625)[:6])
	assert.Equal(t, []int{2, 3}, periods(4))
	assert.Empty(t, periods(2))
	for _, n := range []int{14, 15, 128, 1000} {
		for _, p := range periods(n) {
			text := periodic(p)(n, suitekit.Rand(1, "", n))
			assert.Equal(t, text[p:], text[:n-p], "period %d of %d", p, n)
			assert.Equal(t, 1, bytes.Count(text[:p], []byte("a")))
		}
	}
	broken := brokenPeriod(100, suitekit.Rand(1, "", 100))
	assert.Equal(t, broken[3:99], broken[:96])
	assert.NotEqual(t, broken[99], broken[96])
}

func TestOtherClasses(t *testing.T) {
	data := func(class string) []byte {
		text, err := NewText(class, 5000, 3)
		require.NoError(t, err)
		return text
	}
	distinct := func(text []byte) string {
		text = slices.Clone(text)
		slices.Sort(text)
		return string(slices.Compact(text))
	}
	assert.Equal(t, "a", distinct(data("equal/a")))
	assert.Equal(t, "a", distinct(data("random/sigma=1")))
	assert.Equal(t, "ab", distinct(data("random/sigma=2")))
	assert.Equal(t, "abcd", distinct(data("random/sigma=4")))
	assert.Len(t, distinct(data("random/sigma=26")), 26)
	assert.Len(t, distinct(data("random/sigma=256")), 256)
	assert.Equal(t, "\x00\xff", distinct(data("extremes")))
	assert.Equal(t, "ACGNT", distinct(data("dna-with-n")))
	assert.Contains(t, string(data("dna-with-n")), strings.Repeat("N", 5000/16))
	assert.Equal(t, "$ACGNT", distinct(data("dna-records")))
	assert.True(t, bytes.HasSuffix(data("trailing-zeros"), make([]byte, 5000/8)))
	assert.True(t, slices.IsSorted(data("sorted")))
	reverse := data("reversed")
	slices.Reverse(reverse)
	assert.True(t, slices.IsSorted(reverse))
	assert.Equal(t, "abaabaaabaaaab", string(staircase(14)))

	// Repetitive texts have long common prefixes, random ones short ones.
	longest := func(class string) uint32 {
		text := data(class)
		return slices.Max(ReferenceLCP(text, ReferenceSuffixArray(text)))
	}
	assert.Greater(t, longest("repeats/sigma=26"), uint32(100))
	assert.Greater(t, longest("versions"), uint32(100))
	assert.Less(t, longest("random/sigma=26"), uint32(10))
}

func TestExhaustive(t *testing.T) {
	var texts []string
	for text := range Exhaustive("ab", 2) {
		texts = append(texts, string(text))
	}
	assert.Equal(t, []string{"", "a", "b", "aa", "ab", "ba", "bb"}, texts)

	count := func(alphabet string, maxLen int) (n int) {
		for range Exhaustive(alphabet, maxLen) {
			n++
		}
		return n
	}
	assert.Equal(t, 8191, count("ab", 12))
	assert.Equal(t, 9841, count("abc", 8))
	assert.Equal(t, 0, count("ab", -1))
}
