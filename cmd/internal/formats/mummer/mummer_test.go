package mummer

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAppend(t *testing.T) {
	assert.Equal(t, []string{"  a   ", "  long"}, PadNames([]string{"a", "long"}))
	assert.Equal(t, "> q", string(AppendQuery(nil, "q", false, -1)))
	assert.Equal(t, "> q Reverse  Len = 0", string(AppendQuery(nil, "q", true, 0)))
	assert.Equal(t, "       1        20        30", string(AppendMatch(nil, "", 1, 20, 30)))
	assert.Equal(t, "x  name         1        20  123456789", string(AppendMatch([]byte("x"), "  name", 1, 20, 123456789)))
	assert.Equal(t, "  99999999  100000000", string(appendColumn(appendColumn(nil, 99_999_999), 100_000_000)))
}
