package radixsort_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/harness"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/radixsort"
)

// methods are variants that make every device sort by every method, and lanes of
// every width that onesweep may meet.
func methods(t *testing.T, f func(t *testing.T, e devicetest.Env)) {
	emulated := func(width int) devicetest.Variant {
		return devicetest.Variant{Edits: tuned.Edits{
			Caps: func(c *device.Caps) {
				c.CPUShape, c.ForwardProgress = false, true
				c.SubgroupWidth, tuned.Quirks(c).Lanes = width, driver.LanesLocal
			},
			Set: func(_ *device.Caps, set *tune.Set) {
				*set = tune.Tiny(false)
				for _, k := range []int{4, 8} {
					for _, v := range []int{0, 4, 8} {
						*set.RadixSort.Tile(k, v) = tune.RadixTile{WG: 64, Items: 3, Small: 2}
					}
				}
			},
		}}
	}
	for _, d := range devicetest.Devices(t) {
		t.Run(d.Platform().Name(), func(t *testing.T) {
			variants := map[string]devicetest.Variant{
				"lanes-1": emulated(1), "lanes-8": emulated(8), "lanes-32": emulated(32), "lanes-64": emulated(64),
			}
			for _, v := range devicetest.Variants {
				if v.Set != nil {
					variants[v.Name] = v
				}
			}
			variants["reduce-tiny"] = devicetest.Variant{Edits: tuned.Edits{
				Caps: func(c *device.Caps) { c.CPUShape, c.ForwardProgress = false, false },
				Set:  func(_ *device.Caps, set *tune.Set) { *set = tune.Tiny(false) },
			}}
			for name, v := range variants {
				t.Run(name, func(t *testing.T) {
					suite := conformance.Tiny()
					suite.Large = 1000
					f(t, devicetest.Env{Session: devicetest.Open(t, d, v), Variant: name, Suite: suite})
				})
			}
		})
	}
}

func TestMethods(t *testing.T) {
	methods(t, func(t *testing.T, e devicetest.Env) {
		testPairs[uint32, uint32](t, e, nil)
		testPairs[uint64, uint64](t, e, nil)
		testKeys[uint64](t, e)
	})
}

// A method that waits for tiles must not care how late they are.
func TestStalledTiles(t *testing.T) {
	methods(t, func(t *testing.T, e devicetest.Env) {
		if lanes, ok := strings.CutPrefix(e.Variant, "lanes-"); ok && lanes != "32" {
			t.Skip("lanes do not wait for tiles")
		}
		e.Suite.PerSize = 1
		testPairs[uint32, uint32](t, e, device.Defines{"RADIX_STALL": 2000})
	})
}

// More pairs than the words by which tiles talk can count are sorted in portions.
func TestPortions(t *testing.T) {
	methods(t, func(t *testing.T, e devicetest.Env) {
		const n = 1000
		for _, portion := range []int{1, 50, 64, 333, 999, 1000} {
			if portion == 1 && e.Suite.Tile < 16 {
				continue
			}
			p := radixsort.NewPairs[uint64, uint32](e.Session, n)
			whole := min(p.SetPortion(portion), n)
			keys, values := make([]uint64, n), make([]uint32, n)
			for i := range keys {
				keys[i], values[i] = uint64(i)*0x9e3779b97f4a7c15>>20, uint32(i)
			}
			checkSorted(t, e, p, keys, values, 3, 40)
			checkSorted(t, e, p, keys[:whole], values[:whole], 3, 40) // one launch, larger than those of n
		}
	})
}

// checkSorted sorts pairs whose values are their numbers.
func checkSorted[K uint32 | uint64](
	t *testing.T, e devicetest.Env, p *radixsort.Plan[K, uint32], keys []K, values []uint32, lo, hi int, args ...any,
) {
	t.Helper()
	want := slices.Clone(values)
	slices.SortStableFunc(want, func(a, b uint32) int {
		return cmp.Compare(keys[a]>>lo&(1<<(hi-lo)-1), keys[b]>>lo&(1<<(hi-lo)-1))
	})
	gotKeys, gotValues, err := sort(t, e, p, keys, values, lo, hi, args...)
	require.NoError(t, err)
	require.Equal(t, want, gotValues)
	for i, v := range want {
		require.Equal(t, keys[v], gotKeys[i])
	}
}

// The first pass sorts what the template computes, even if there are no bits.
func TestTemplate(t *testing.T) {
	methods(t, func(t *testing.T, e devicetest.Env) {
		source := device.Source{Defines: device.Defines{
			"RADIX_PARAMS":        ", uint factor",
			"RADIX_LOAD_KEY(i)":   "((uint)(i) * factor)",
			"RADIX_LOAD_VALUE(i)": "((uint)(i))",
		}}
		for _, factor := range []uint32{0, 1, 77777, 0x9e3779b9} {
			for _, n := range []int{0, 1, 31, 700} {
				if n == 700 && factor != 0x9e3779b9 && harness.Simulated(e.Caps()) {
					continue // a simulator sorts several tiles of one kind of keys
				}
				p := radixsort.NewTemplate[uint32, uint32](e.Session, n, source)
				keys, values := make([]uint32, n), make([]uint32, n)
				for i := range keys {
					keys[i], values[i] = uint32(i)*factor, uint32(i)
				}
				for _, bits := range [][2]int{{0, 32}, {4, 21}, {5, 5}} {
					checkSorted(t, e, p, keys, values, bits[0], bits[1], factor)
				}
			}
		}
	})
}

// The profile counts what the first pass of a template reads, and what all passes write.
func TestTemplateTraffic(t *testing.T) {
	const n = 1000
	for _, d := range devicetest.Devices(t) {
		s, err := device.Open(device.Config{Device: d, Profile: true})
		require.NoError(t, err)
		defer s.Close()
		plan := radixsort.NewTemplate[uint32, uint64](s, n, device.Source{Defines: device.Defines{
			"RADIX_PARAMS": ", uint factor", "RADIX_LOAD_KEY(i)": "((uint)(i) * factor)", "RADIX_LOAD_VALUE(i)": "(i)",
		}})
		ws, err := device.NewWorkspace(s, plan.Workspace())
		require.NoError(t, err)
		defer ws.Release()
		var keys radixsort.Pair[uint32]
		var values radixsort.Pair[uint64]
		for _, b := range []**device.Buffer[uint32]{&keys.Cur, &keys.Alt} {
			*b, err = device.Alloc[uint32](s, n)
			require.NoError(t, err)
			defer (*b).Release()
		}
		for _, b := range []**device.Buffer[uint64]{&values.Cur, &values.Alt} {
			*b, err = device.Alloc[uint64](s, n)
			require.NoError(t, err)
			defer (*b).Release()
		}
		traffic := func() (bytes int64) {
			s.ResetProfile()
			plan.Run(ws, &keys, &values, n, 0, 16, uint32(3))
			require.NoError(t, s.Finish())
			for _, k := range s.Profile() {
				if k.Kernel != "radix_clear" && strings.HasPrefix(k.Kernel, "radix_") {
					bytes += k.Bytes
				}
			}
			return bytes
		}
		as := traffic()
		plan.Reads(0.5, 2)
		require.EqualValues(t, n*(2*4+8-2*0.5-2), as-traffic())
	}
}
