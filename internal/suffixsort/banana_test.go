package suffixsort

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
)

// The example of the package's documentation, step by step.
func TestBanana(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		const text = "banana"
		n := len(text)
		p, err := newSorter(e.Session, arena{n: n}, options{NoSkew: true}, nil)
		require.NoError(t, err)
		defer p.Release()
		require.NoError(t, p.Allocate())
		in, sa := devicetest.Guard[uint8](t, e.Session, n), devicetest.Guard[uint32](t, e.Session, n)
		require.NoError(t, in.Upload(t.Context(), []byte(text), nil))
		r, err := p.newRun(in.View(0, n), n, sa.View(0, n), nil)
		require.NoError(t, err)
		words := func(b *device.Buffer[uint32], n int) []uint32 {
			host := make([]uint32, n)
			require.NoError(t, b.Read(host))
			return host
		}
		var phases []string
		begin := func(phase string) error {
			phases = append(phases, phase)
			return nil
		}

		bytes, _, ok, err := r.countBytes()
		require.NoError(t, err)
		require.False(t, ok)
		c := newCode(bytes, true)
		c.classify(bytes)
		assert.Equal(t, []uint32{0<<30 | 1, 2<<30 | 1<<classBit | 2, 3<<30 | 1<<classBit | 2},
			[]uint32{c.table['a'], c.table['b'], c.table['n']})

		// One symbol a window: two bits each instead.
		c = code{sigma: 3, width: 2}
		c.table['a'], c.table['b'], c.table['n'], c.table[256] = 0<<30|2, 1<<30|2, 2<<30|2, 0<<30|2
		r.coded, err = r.steps.coder.encode(c, r.text, r.memory.table.Buffer(e.Session), r.memory.longs(tenantPacked))
		require.NoError(t, err)
		r.steps.first.bits, r.steps.extension.policy = 2, -1
		require.NoError(t, r.sortFirst(begin))
		assert.Equal(t, []uint32{5, 3, 1, 0, 4, 2}, words(r.all.suffixes, n))
		assert.Equal(t, []uint32{0b011011}, words(r.all.heads, 1)) // slots 0, 1, 3 and 4
		assert.Equal(t, 4, r.all.unsorted.sum())
		assert.Equal(t, 1, r.depths.uniform)

		const several = 1 << 31
		require.NoError(t, r.invert(begin))
		assert.Equal(t, []uint32{3, 1 | several, 4 | several, 1 | several, 4 | several, 0},
			words(r.memory.words(tenantISA), n))
		chosen, err := r.findRepresentatives(begin)
		require.NoError(t, err)
		assert.Equal(t, 2, chosen.sum())
		assert.Equal(t, []uint32{0b110000, 0}, words(r.memory.words(tenantChosen), 2)) // slots 4 and 5

		ok, err = r.sortRepresentatives(begin, chosen)
		require.NoError(t, err)
		require.True(t, ok)
		assert.Equal(t, []uint32{5, 4}, words(r.memory.words(tenantRanks), 2)) // slots
		assert.Equal(t, []uint32{5, 3, 1, 0, 4, 2}, words(r.all.suffixes, n))
		assert.Equal(t, []string{phaseInitial, phaseInvert, phaseChain, phaseDouble, phaseChain}, phases)
	})
}
