package cli

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestVersionLine(t *testing.T) {
	v := VersionReport{Version: "v0.2.0", Go: "go1.26.0", OS: "linux", Arch: "amd64"}
	assert.Equal(t, "suffixcl v0.2.0 go1.26.0 linux/amd64", v.line("suffixcl"))
	v.Revision, v.Time = "8bdb9f08c0de", "2026-11-29T22:40:00Z"
	assert.Equal(t, "suffixcl v0.2.0 (8bdb9f08c0de, 2026-11-29) go1.26.0 linux/amd64", v.line("suffixcl"))
	v.Modified = true
	assert.Equal(t, "suffixcl v0.2.0 (8bdb9f08c0de, 2026-11-29, modified) go1.26.0 linux/amd64", v.line("suffixcl"))
}
