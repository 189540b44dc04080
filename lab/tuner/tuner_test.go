package tuner

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

func TestEveryGroupIsMeasured(t *testing.T) {
	primitives, groups := Names()
	for _, d := range []tune.Device{{CPU: true}, {}, {LookBack: true}} {
		for _, g := range tune.Space(d) {
			_, ok := caseOf(g.Name)
			assert.True(t, ok, "no case for %s", g.Name)
			assert.Contains(t, primitives, g.Primitive)
			assert.Contains(t, groups, g.Name)
		}
	}
}

// each opens every device in its own shape and in that of GPUs, and searches little.
func each(t *testing.T, f func(t *testing.T, o Options)) {
	for _, d := range devicetest.Devices(t) {
		for name, caps := range map[string]func(*device.Caps){
			"native": nil,
			"gpu":    func(c *device.Caps) { c.CPUShape = false },
		} {
			t.Run(d.Platform().Name()+"/"+name, func(t *testing.T) {
				f(t, Options{Device: device.Config{Device: d}, edits: tuned.Edits{Caps: caps}, Items: 3000})
			})
		}
	}
}

// A search within a time measures every group once at least, and what it finds can be
// applied.
func TestSearch(t *testing.T) {
	each(t, func(t *testing.T, o Options) {
		o.Budget = time.Nanosecond
		steps := 0
		o.Progress = func(s Step) {
			steps++
			assert.Less(t, s.Number, s.Of)
			assert.Less(t, s.Tried, s.Points)
		}
		r, err := Search(t.Context(), o)
		require.NoError(t, err)
		s, err := tuned.Open(o.Device, o.edits)
		require.NoError(t, err)
		defer s.Close()
		assert.Len(t, r.Findings, len(tune.Space(tuned.Device(s))))
		assert.Equal(t, len(r.Findings), steps)
		for _, f := range r.Findings {
			assert.Equal(t, 1, f.Tried, f.Group)
			assert.Zero(t, f.Refused+f.Wrong, "%s: %s", f.Group, f.Error)
			assert.Positive(t, f.BuiltIn, f.Group)
			assert.InDelta(t, 1, f.Gain(), 0, f.Group)
			assert.Equal(t, 3000, f.Items)
		}
		assert.Empty(t, r.Entry().Parameters)
		assert.Equal(t, s.Caps().Name, r.Device)
	})
}

// From tiny tiles on there is something to gain, and it is found.
func TestClimb(t *testing.T) {
	for _, d := range devicetest.Devices(t) {
		t.Run(d.Platform().Name(), func(t *testing.T) {
			r, err := Search(t.Context(), Options{
				Device: device.Config{Device: d},
				edits: tuned.Edits{
					Caps: func(c *device.Caps) { c.CPUShape = true },
					Set:  func(_ *device.Caps, set *tune.Set) { set.Scan.Items = 2 },
				},
				Only: []string{"scan"}, Items: 50000,
			})
			require.NoError(t, err)
			require.Len(t, r.Findings, 1)
			f := r.Findings[0]
			assert.True(t, f.Changed, "%+v", f)
			assert.Greater(t, f.Gain(), margin)
			assert.Equal(t, f.Points, f.Tried, "there was time for all")
			assert.Zero(t, f.Wrong+f.Refused, f.Error)
			e := r.Entry()
			assert.Equal(t, f.Parameters, e.Parameters)
			assert.Equal(t, "cpu", e.Kind)
			set := tune.For(tune.Key{Kind: "cpu"})
			require.NoError(t, e.Apply(&set, tune.Device{CPU: true, LocalMem: 1 << 15}))
			assert.Equal(t, f.Parameters["Scan.Items"], set.Scan.Items)
		})
	}
}

// A search that is stopped returns what it has.
func TestCancel(t *testing.T) {
	each(t, func(t *testing.T, o Options) {
		ctx, cancel := context.WithCancel(t.Context())
		o.Progress = func(s Step) {
			if s.Number == 1 {
				cancel()
			}
		}
		o.Budget = time.Nanosecond
		r, err := Search(ctx, o)
		require.ErrorIs(t, err, context.Canceled)
		require.Len(t, r.Findings, 1)
		assert.Positive(t, r.Findings[0].BuiltIn)
	})
}

// What does not work is counted, and the search goes on.
func TestRefused(t *testing.T) {
	for _, d := range devicetest.Devices(t) {
		r, err := Search(t.Context(), Options{
			Device: device.Config{Device: d},
			edits:  tuned.Edits{Set: func(_ *device.Caps, set *tune.Set) { set.Scan.WG = 1 << 20 }},
			Only:   []string{"scan", "compact", "merge 64"}, Items: 1000, Budget: time.Nanosecond,
		})
		require.NoError(t, err)
		require.Len(t, r.Findings, 3)
		scan, compact, merge := r.Findings[0], r.Findings[1], r.Findings[2]
		assert.Equal(t, 1, scan.Refused)
		assert.Zero(t, scan.BuiltIn)
		assert.False(t, scan.Changed)
		assert.InDelta(t, 1, scan.Gain(), 0)
		assert.Positive(t, compact.BuiltIn)
		assert.Zero(t, merge.BuiltIn, "its input is sorted, which needs a scan")
		assert.Contains(t, merge.Error, "merge")
	}
}

// Inputs shrink to what fits.
func TestLittleMemory(t *testing.T) {
	for _, d := range devicetest.Devices(t) {
		r, err := Search(t.Context(), Options{
			Device: device.Config{Device: d, MaxMemory: 1 << 20},
			Only:   []string{"scan"}, Items: 1 << 20, Budget: time.Nanosecond,
		})
		require.NoError(t, err)
		assert.Less(t, r.Findings[0].Items, 1<<20)
		assert.Positive(t, r.Findings[0].BuiltIn)
	}
}

func TestNearest(t *testing.T) {
	points := [][]int{{0, 0}, {2, 1}, {1, 3}}
	assert.Equal(t, 1, nearest(points, []int{2, 2}))
	assert.Equal(t, 0, nearest(points, []int{0, 1}))
	assert.Equal(t, 3, distance([]int{0, 1}, []int{2, 0}))
}

// Save adds to a file, takes back what a new search does not find again, and keeps what
// was found for other groups, unless the two do not go together.
func TestSave(t *testing.T) {
	name := filepath.Join(t.TempDir(), "tuning.json")
	row := tune.For(tune.Key{Kind: "gpu"})
	report := func(findings ...Finding) Report {
		return Report{Device: "d", Driver: "1", Kind: "gpu", Findings: findings,
			facts: tune.Device{MaxWorkGroup: 512, LocalMem: 1 << 16, LookBack: true}, table: row}
	}
	found := func(changed bool, params map[string]int) Finding {
		return Finding{Parameters: params, Changed: changed, BuiltIn: 1, Best: 2, Items: 8}
	}
	params := func() map[string]int {
		f, err := tune.ReadFile(name)
		require.NoError(t, err)
		require.Len(t, f.Devices, 1)
		assert.Contains(t, f.Devices[0].From, "suffixcl-lab tune")
		return f.Devices[0].Parameters
	}
	scan := found(true, map[string]int{"Scan.WG": 64, "Scan.Items": 8})
	merge := found(true, map[string]int{"Merge.WG": 512, "Merge.Items": 5})
	saved, err := report(found(false, map[string]int{"Scan.WG": 256})).Save(name)
	require.NoError(t, err)
	assert.False(t, saved, "there is nothing to save")
	assert.NoFileExists(t, name)
	saved, err = report(scan, merge).Save(name)
	require.NoError(t, err)
	assert.True(t, saved)
	assert.Equal(t, map[string]int{"Scan.WG": 64, "Scan.Items": 8, "Merge.WG": 512, "Merge.Items": 5}, params())
	merge.Changed = false
	_, err = report(merge).Save(name)
	require.NoError(t, err)
	assert.Equal(t, map[string]int{"Scan.WG": 64, "Scan.Items": 8}, params())
	_, err = report(found(true, map[string]int{"Merge.WG": 512})).Save(name)
	require.NoError(t, err)
	_, err = report(found(true, map[string]int{"Merge.Items64": 15})).Save(name)
	require.NoError(t, err)
	assert.Equal(t, map[string]int{"Merge.Items64": 15}, params(), "512 x 15 do not fit")
	// A file that is not one stays as it is.
	require.NoError(t, os.WriteFile(name, []byte("{"), 0o644))
	_, err = report(scan).Save(name)
	assert.ErrorContains(t, err, name)
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, "{", string(data))
}

// The corners of the space work, or are refused.
func TestCorners(t *testing.T) {
	for _, d := range devicetest.Devices(t) {
		t.Run(d.Platform().Name(), func(t *testing.T) {
			s := &search{ctx: t.Context(), o: Options{
				Device: device.Config{Device: d}, edits: tuned.Edits{TuningFile: "off"},
			}}
			require.NoError(t, s.open())
			defer s.close()
			s.facts, s.set = tuned.Device(s.s), *tuned.Of(s.s)
			for _, g := range tune.Space(s.facts) {
				s.finding, s.items = new(Finding), 3000
				s.c, _ = caseOf(g.Name)
				values, points := g.Points(s.set, s.facts)
				for _, p := range [][]int{points[0], points[len(points)-1]} {
					set := s.set
					g.Set(&set, values, p)
					_, err := s.try(set)
					require.NoError(t, err)
				}
				s.drop()
				assert.Zero(t, s.finding.Wrong, "%s: %s", g.Name, s.finding.Error)
			}
		})
	}
}
