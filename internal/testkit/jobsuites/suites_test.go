package jobsuites

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/suffixcl/suffixcl/conformance"
)

func small() Config {
	cfg := conformance.Reduced()
	cfg.MaxExhaustive2, cfg.Large = 6, 5000
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
	assert.Fail(t, "the suite passes a wrong implementation")
}
