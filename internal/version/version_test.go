package version

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
)

const commit = "8bdb9f08c0dec0dec0dec0dec0dec0dec0dec0de"

func TestOf(t *testing.T) {
	checkout := []debug.BuildSetting{
		{Key: "vcs.revision", Value: commit},
		{Key: "vcs.time", Value: "2026-11-29T22:40:00Z"},
		{Key: "vcs.modified", Value: "true"},
	}
	for _, c := range []struct {
		name     string
		version  string
		settings []debug.BuildSetting
		want     Build
	}{
		{"no version control", "(devel)", nil, Build{Version: "(devel)"}},
		{"nothing", "", nil, Build{Version: "(devel)"}},
		{"installed", "v0.2.0", nil, Build{Version: "v0.2.0"}},
		{"a candidate installed", "v0.2.0-rc.1", nil, Build{Version: "v0.2.0-rc.1"}},
		{
			"checkout", "v0.2.1-0.20261129224000-8bdb9f08c0de+dirty", checkout,
			Build{"v0.2.1-0.20261129224000-8bdb9f08c0de+dirty", commit, "2026-11-29T22:40:00Z", true},
		},
		{
			"checkout of a tag", "v0.2.0", checkout[:2],
			Build{Version: "v0.2.0", Revision: commit, Time: "2026-11-29T22:40:00Z"},
		},
		{
			"a commit installed", "v0.2.1-0.20261129224000-8bdb9f08c0de", nil,
			Build{"v0.2.1-0.20261129224000-8bdb9f08c0de", "8bdb9f08c0de", "2026-11-29T22:40:00Z", false},
		},
		{
			"a commit without a tag before it", "v0.0.0-20261129224000-8bdb9f08c0de", nil,
			Build{"v0.0.0-20261129224000-8bdb9f08c0de", "8bdb9f08c0de", "2026-11-29T22:40:00Z", false},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := of(&debug.BuildInfo{Main: debug.Module{Version: c.version}, Settings: c.settings})
			assert.Equal(t, c.want, got)
		})
	}
}

func TestPseudo(t *testing.T) {
	for _, version := range []string{
		"", "v0.2.0", "v0.2.0-8bdb9f08c0de", "v0.2.0-20261399000000-8bdb9f08c0de", "v0.2.0-20261129224000-8bdb9f08c0dX",
		"v0.2.0-20261129224000-8bdb9f0", "(devel)",
	} {
		revision, date := pseudo(version)
		assert.Empty(t, revision+date, version)
	}
}

// What the linker has set comes before what the go command knows.
func TestRelease(t *testing.T) {
	defer func() { number, revision, date, modified = "", "", "", "" }()
	number, revision, date, modified = "v0.2.0", commit, "2026-11-29T22:40:00Z", "true"
	assert.Equal(t, Build{"v0.2.0", commit, "2026-11-29T22:40:00Z", true}, Read())
	modified = "false"
	assert.False(t, Read().Modified)
}
