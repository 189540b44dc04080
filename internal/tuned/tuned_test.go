package tuned_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// A session without a device notes programs, and refuses all else.
func TestOffline(t *testing.T) {
	caps := device.Caps{Name: "none", Arch: "sm_90", GlobalMem: 1 << 30, MaxAlloc: 1 << 30, MaxWorkGroup: 512}
	set := tune.Tiny(false)
	s := tuned.Offline(caps, set)
	assert.Equal(t, caps, *s.Caps())
	assert.Equal(t, set, *tuned.Of(s))
	assert.Equal(t, tune.Key{Device: "none", Arch: "sm_90", Kind: "gpu"}, tuned.Key(s))
	assert.Equal(t, 512, tuned.Device(s).MaxWorkGroup)
	assert.Nil(t, tuned.CLDevice(s))

	before := len(tuned.Sources(s))
	source := device.Source{Files: []string{"scan.cl"}, Defines: device.Defines{"WG": 8}}
	kernel := s.Program(source).Kernel("k", 8)
	assert.Same(t, s.Program(source), s.Program(source))
	require.Len(t, tuned.Sources(s), before+1)
	assert.Contains(t, tuned.Sources(s), source)

	_, err := device.Alloc[uint32](s, 1)
	assert.Error(t, err)
	kernel.Launch(1, 0)
	assert.Error(t, s.Err())
	assert.NoError(t, s.Close())
}
