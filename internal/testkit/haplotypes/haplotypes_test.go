package haplotypes

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/testkit/synthetic"
)

// base by base is a part by its definition.
func (g *Genome) byDefinition(k, from, to int) (made []byte) {
	seed := uint64(k) << 20
	founder := synthetic.Mix(81+seed, uint64(from)) % founders
	for i := from; i < to; {
		x := synthetic.Mix(82+seed, uint64(i))
		if below(x, switches) {
			founder = x % founders
		}
		n := 1
		switch site := synthetic.Mix(83, uint64(i)); {
		case isSame(i):
			made = append(made, g.base[i])
		case below(site, sites) && below(synthetic.Mix(85+founder<<20, uint64(i)), frequency(site)):
			n, made = g.variant(made, i, site)
		case below(x>>1<<2, mutations):
			made = append(made, letter(x>>8))
		default:
			made = append(made, g.base[i])
		}
		i += n
	}
	return made
}

func TestHaplotypes(t *testing.T) {
	const n = 3<<20 + 777
	g, err := New(n)
	require.NoError(t, err)
	a := g.Haplotype(0, nil)
	b := g.Haplotype(1, make([]byte, 0, 4<<20))
	assert.Equal(t, a, g.Haplotype(0, make([]byte, 5)))
	assert.NotEqual(t, a, b)
	assert.InDelta(t, n, len(a), n/100)
	differ := 0
	for i := range 1000 { // before the first insertion or deletion, or near it
		if a[i] != b[i] {
			differ++
		}
	}
	assert.Less(t, differ, 800)
	for k, got := range [][]byte{a, b} {
		var want []byte
		for from := 0; from < n; from += piece {
			want = append(want, g.byDefinition(k, from, min(from+piece, n))...)
		}
		require.Equal(t, want, got)
		for _, c := range got {
			require.True(t, c >= 1 && c <= 4)
		}
	}
}
