package primitives

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
)

// forOracles is Full with large inputs small enough for a quick test.
func forOracles() Config {
	cfg := conformance.Full()
	cfg.Large = 1 << 16
	return cfg
}

func small() Config {
	cfg := conformance.Reduced()
	cfg.Large = 5000
	return cfg
}

// assertFails wants at least one of the cases to fail, and the first error to show the seed.
func assertFails(t *testing.T, cases []Case) {
	t.Helper()
	for _, c := range cases {
		if err := c.Run(t.Context()); err != nil {
			assert.ErrorContains(t, err, "seed ")
			t.Log(err)
			return
		}
	}
	require.Fail(t, "the suite passes a wrong implementation")
}
