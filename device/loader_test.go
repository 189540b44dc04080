package device_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// loading asks for programs of the cache, which so many goroutines load.
func loading(t *testing.T, s *device.Session, goroutines int) (programs []*device.Program) {
	t.Helper()
	s.LoadBy(goroutines)
	tuned.Forget(s)
	for _, wg := range []int{1, 2, 4, 8} {
		programs = append(programs, s.Program(scanSource(wg)))
	}
	tuned.BuildAhead(s)
	return programs
}

// Programs of the cache are loaded before they are launched. What is not launched is released.
func TestLoadedAhead(t *testing.T) {
	cached(t, func(t *testing.T, d *cl.Device) {
		dir := t.TempDir()
		first := open(t, d, device.Config{CacheDir: dir})
		for _, p := range loading(t, first, 0) {
			_, err := p.Build()
			require.NoError(t, err)
		}
		objects := hooks.LiveObjects.Load()
		for _, goroutines := range []int{0, 1, 3} {
			s, err := device.Open(device.Config{Device: d, CacheDir: dir})
			require.NoError(t, err)
			_, before := s.Builds()
			programs := loading(t, s, goroutines)
			if goroutines > 0 {
				assert.Equal(t, len(programs), s.Loaded())
				tuned.BuildAhead(s)
				assert.Equal(t, len(programs), s.Loaded(), "nothing twice")
			}
			for _, p := range programs[1:] {
				_, err := p.Build()
				require.NoError(t, err)
			}
			require.NoError(t, sumTo(s, 100))
			compiled, loaded := s.Builds()
			assert.Zero(t, compiled)
			assert.Equal(t, len(programs)-1, loaded-before)
			s.Recover()
			assert.LessOrEqual(t, s.Loaded(), 1)
			require.NoError(t, s.Close())
			assert.Equal(t, objects, hooks.LiveObjects.Load(), "%d goroutines: objects left", goroutines)
		}
	})
}

// A binary that the driver refuses is compiled again.
func TestRefusedAhead(t *testing.T) {
	cached(t, func(t *testing.T, d *cl.Device) {
		if tuned.Identify(d).Vendor == driver.Mesa {
			t.Skip("aborts the process")
		}
		dir := t.TempDir()
		path := cachePath(t, d, dir)
		cacheRun(t, d, dir)
		garbage := []byte(strings.Repeat("not a binary ", 100))
		key := strings.TrimSuffix(filepath.Base(path), ".clbin")
		require.NoError(t, os.WriteFile(path, append(device.Checksum(key, garbage), garbage...), 0o644))
		s := open(t, d, device.Config{CacheDir: dir})
		programs := loading(t, s, 2)
		require.NoError(t, sumTo(s, 100))
		compiled, _ := s.Builds()
		assert.Positive(t, compiled)
		require.NotEmpty(t, programs)
		compiled, loaded := cacheRun(t, d, dir)
		assert.Equal(t, [2]int{0, 1}, [2]int{compiled, loaded}, "replaced")
	})
}
