package harness

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/suffixcl/suffixcl/internal/tune"
)

func TestSets(t *testing.T) {
	var small tune.Set
	smallLocalMemory(nil, &small)
	wave := oneWave()
	for _, d := range []tune.Device{
		{MaxWorkGroup: 256, LocalMem: 32 << 10},
		{MaxWorkGroup: 256, LocalMem: 32 << 10, LookBack: true},
		{MaxWorkGroup: 256, LocalMem: 32 << 10, LookBack: true, Lanes: true},
	} {
		assert.NoError(t, small.Check(d))
		assert.NoError(t, wave.Check(d))
	}
}

func TestNamesAreDistinct(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range Known() {
		assert.False(t, seen[v.Name], v.Name)
		seen[v.Name] = true
	}
}
