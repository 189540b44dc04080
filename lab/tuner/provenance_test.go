package tuner_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/lab/tuner"
)

// TestProvenance: the table of docs/tuning.md is that of internal/tune/rows.
func TestProvenance(t *testing.T) {
	page, err := os.ReadFile("../../docs/tuning.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(page), "<!-- suffixcl-lab tune rows -->\n")
	require.True(t, found)
	got, _, _ := strings.Cut(rest, "\n\n")
	assert.Equal(t, strings.TrimSpace(tuner.Provenance()), strings.TrimSpace(got), "run bin/suffixcl-lab tune rows")
}
