package synthetic_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/synthetic"
)

func TestTexts(t *testing.T) {
	made := func(name string) ([]byte, *synthetic.GenomeStats) {
		s, err := synthetic.Parse(name)
		require.NoError(t, err)
		text := bytes.Repeat([]byte{'?'}, s.Len)
		stats := s.Make(text)
		assert.Equal(t, s.Kind == "genome", stats != nil)
		return text, stats
	}
	for kind, class := range map[string]string{"all_a": "equal/a", "fibonacci": "fibonacci", "thue_morse": "thue-morse"} {
		for _, n := range []int{1, 2, 3, 1000, 100_000} {
			want, err := conformance.NewText(class, n, 1)
			require.NoError(t, err)
			got, _ := made(fmt.Sprintf("%s.%d", kind, n))
			assert.True(t, bytes.Equal(want, got), "%s, %d", kind, n)
		}
	}
	got, _ := made("syn.period2.5")
	assert.Equal(t, "ababa", string(got))
	for kind, symbols := range map[string]int{"random.byte": 256, "random.dna": 4, "genome": 4, "strains": 4} {
		for _, n := range []int{1, 33, 7000, 7001, 30_000, 300_000} {
			text, stats := made(fmt.Sprintf("%s.%d", kind, n))
			again, _ := made(fmt.Sprintf("syn.%s.%d", kind, n))
			assert.True(t, bytes.Equal(text, again))
			found := slices.Clone(text)
			slices.Sort(found)
			if n < 7000 {
				continue
			}
			assert.Len(t, slices.Compact(found), symbols)
			for _, c := range found[:1] {
				assert.InEpsilon(t, float64(n)/float64(symbols), bytes.Count(text, []byte{c}), 0.5)
			}
			if stats != nil && n > 200_000 {
				assert.InDelta(t, 0.3, float64(stats.CopiedBases)/float64(n), 0.01)
				assert.Equal(t, 1, stats.Duplications)
				assert.Greater(t, stats.DuplicatedBases, 10_000)
			}
		}
	}
	for _, kind := range []string{"strains", "versions"} { // and each is in the next one, a little changed
		text, _ := made(kind + ".1000000")
		passages := map[string]int{}
		for i := range len(text) - 30 {
			passages[string(text[i:i+30])]++
		}
		assert.Less(t, len(passages), 200_000, kind)
		assert.Greater(t, len(passages), 25_000, kind)
		for n := range 300 {
			made(fmt.Sprintf("%s.%d", kind, n+1))
		}
	}
	text, _ := made("genome_gaps.1000000")
	assert.InDelta(t, 50_000, bytes.Count(text, []byte("N")), 5_000)
	s, err := synthetic.Parse("genome.3.1G")
	require.NoError(t, err)
	assert.Equal(t, synthetic.Text{Name: "syn.genome.3.1G", Kind: "genome", Len: 3328599654}, s)
	s, err = synthetic.Parse("all_a.1G")
	require.NoError(t, err)
	assert.Equal(t, "syn.all_a.1024M", s.Name)
	for _, name := range []string{
		"", "genome", "genome.", "genome.x", "genome.0", "genome.9000000G", "gnome.1M", "random.1M",
	} {
		_, err := synthetic.Parse(name)
		assert.Error(t, err, name)
	}
}

// Texts that are made one letter after the other begin with the shorter ones.
func TestProse(t *testing.T) {
	for _, kind := range []string{"letters", "trigrams"} {
		long, short := make([]byte, 5000), make([]byte, 1001)
		synthetic.Text{Kind: kind}.Make(long)
		synthetic.Text{Kind: kind}.Make(short)
		assert.Equal(t, long[:len(short)], short, kind)
		assert.NotContains(t, long, byte(0), kind)
		synthetic.Text{Kind: kind}.Make(make([]byte, 1))
	}
	page := make([]byte, 5000)
	synthetic.Text{Kind: "markup"}.Make(page)
	assert.Contains(t, string(page), "</page>\n  <page>")
}
