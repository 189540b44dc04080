package intmath_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/suffixcl/suffixcl/internal/intmath"
)

func TestRounding(t *testing.T) {
	for _, c := range []struct{ n, d, quotient, multiple int }{
		{0, 1, 0, 0}, {0, 7, 0, 0}, {1, 7, 1, 7}, {6, 7, 1, 7}, {7, 7, 1, 7}, {8, 7, 2, 14},
		{1 << 40, 1 << 10, 1 << 30, 1 << 40},
	} {
		assert.Equal(t, c.quotient, intmath.CeilDiv(c.n, c.d), "%d / %d", c.n, c.d)
		assert.Equal(t, c.multiple, intmath.RoundUp(c.n, c.d), "%d to %d", c.n, c.d)
	}
}
