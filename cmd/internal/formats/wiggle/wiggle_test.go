package wiggle

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAppend(t *testing.T) {
	assert.Equal(t, "variableStep chrom=c span=7\n1 ", string(AppendStep(AppendSpan(nil, []byte("c"), 7), 0)))
	assert.Equal(t, "c\t0\t7\t", string(AppendRange(nil, []byte("c"), 0, 7)))
}
