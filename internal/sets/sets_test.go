package sets_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/sets"
)

// Every number of a separator has its digits, and symbols fit their types.
func TestCode(t *testing.T) {
	for letters := range 257 {
		for _, m := range []int{0, 1, 2, 3, 15, 16, 17, 255, 256, 257, 1 << 16, 100_000, 10_000_000, 1<<32 - 2} {
			c := sets.NewCode(sets.Shape{N: m, M: m, Least: letters%2 == 0}, letters)
			reach := 1
			for range c.Digits {
				reach *= c.Base
			}
			require.GreaterOrEqual(t, reach, m, "%+v", c)
			if c.Digits > 0 {
				require.Less(t, reach/c.Base, m, "%+v has a digit too many", c)
			}
			symbols := letters + c.Base + 1
			if c.Digits == 0 {
				symbols = letters + 1
			}
			require.LessOrEqual(t, symbols, map[bool]int{true: 256, false: 512}[c.Bytes], "%+v", c)
			require.LessOrEqual(t, c.Digits, 8, "%+v", c)
			require.Equal(t, m+c.Digits*m, c.Len())
			require.Equal(t, map[bool]int{true: 1, false: 2}[c.Bytes], c.SymbolBytes())
		}
	}
	reads := sets.NewCode(sets.Shape{N: 1_010_000_000, M: 10_000_000, Least: true}, 4)
	require.True(t, reads.Bytes)
	require.Equal(t, 3, reads.Digits)
}
