// Package devicetest runs tests on every OpenCL device found, in every variant:
// the device's own capabilities and tuning, the other kernel shape, capabilities
// forced off, tiny tiles.
package devicetest

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tune"
)

// Variant is a way to use a device.
type Variant struct {
	Name   string
	Caps   func(*device.Caps)
	Tuning func(*device.Caps, *tune.Set)
}

func otherShape(c *device.Caps) { c.CPUShape = !c.CPUShape }

// wave64 is a GPU with wavefronts of 64 that offers nothing beyond OpenCL 1.2.
func wave64(c *device.Caps) {
	c.CPUShape, c.SubgroupWidth, c.Lanes = false, 64, device.LanesLocal
	c.Int64Atomics, c.ForwardProgress, c.PTX = false, false, false
}

func tiny(c *device.Caps, set *tune.Set) { *set = tune.Tiny(c.CPUShape) }

// Variants of every device. The first is the device as it is.
var Variants = []Variant{
	{Name: "native"},
	{Name: "tiny", Tuning: tiny},
	{Name: "other-shape-tiny", Caps: otherShape, Tuning: tiny},
	{Name: "wave64", Caps: wave64},
}

// Env is a session in a variant, and how much to try on it.
type Env struct {
	*device.Session
	Variant string
	// Suite is sized for the device: launches on software rasterisers and
	// simulators are slow.
	Suite conformance.Config
}

// Each runs f as a subtest for every device and variant. Without a device the
// test is skipped, or fails if REQUIRE_OPENCL is 1.
func Each(t *testing.T, f func(t *testing.T, e Env)) {
	for _, d := range Devices(t) {
		t.Run(d.Platform().Name()+"/"+d.Name(), func(t *testing.T) {
			for _, v := range variantsFor(d) {
				t.Run(v.Name, func(t *testing.T) {
					f(t, Env{Session: Open(t, d, v), Variant: v.Name, Suite: suite(d, v)})
				})
			}
		})
	}
}

// Native is Each with the first variant only.
func Native(t *testing.T, f func(t *testing.T, e Env)) {
	Each(t, func(t *testing.T, e Env) {
		if e.Variant == Variants[0].Name {
			f(t, e)
		}
	})
}

// Devices lists every device.
func Devices(t testing.TB) []*cl.Device {
	// Asked for here so that the go command does not reuse a result from other
	// drivers: the loader reads them behind its back.
	for _, name := range []string{"OCL_ICD_VENDORS", "RUSTICL_ENABLE", "POCL_DEVICES", "OCLGRIND_UNINITIALIZED"} {
		os.Getenv(name)
	}
	devices, err := device.List()
	if err != nil {
		if os.Getenv("REQUIRE_OPENCL") == "1" {
			require.NoError(t, err, "REQUIRE_OPENCL=1")
		}
		t.Skip(err)
	}
	return devices
}

// Open opens a session that is closed with the test, which fails if the session
// still holds device memory then.
func Open(t testing.TB, d *cl.Device, v Variant) *device.Session {
	var caps *device.Caps
	s, err := device.Open(device.Config{Device: d,
		Caps: func(c *device.Caps) {
			if v.Caps != nil {
				v.Caps(c)
			}
			caps = c
		},
		Tuning: func(set *tune.Set) {
			if v.Tuning != nil {
				v.Tuning(caps, set)
			}
		}})
	require.NoError(t, err)
	t.Cleanup(func() {
		require.Zero(t, s.LiveBytes(), "device memory left")
		require.NoError(t, s.Close())
	})
	return s
}

func vendor(d *cl.Device) device.Vendor { return device.Identify(d).Vendor }

// variantsFor are all of them, but fewer where a launch takes long: on a simulator
// those with tiny tiles, on a software rasteriser the device as it is, and the other
// shape.
func variantsFor(d *cl.Device) []Variant {
	names := map[device.Vendor][]string{
		device.Oclgrind: {"tiny", "other-shape-tiny"},
		device.Mesa:     {"native", "other-shape-tiny"},
	}[vendor(d)]
	if names == nil {
		return Variants
	}
	return slices.DeleteFunc(slices.Clone(Variants), func(v Variant) bool { return !slices.Contains(names, v.Name) })
}

func suite(d *cl.Device, v Variant) conformance.Config {
	c := conformance.Reduced()
	switch {
	case vendor(d) == device.Oclgrind:
		c = conformance.Tiny()
	case v.Name == Variants[0].Name && vendor(d) != device.Mesa:
		c = conformance.Full()
	}
	if v.Tuning != nil {
		c.Large = min(c.Large, 3000) // hundreds of tiny tiles already
	}
	return c
}

// Canary fills the memory behind and in a Guarded buffer.
const Canary = 0xA5

// Guarded is a buffer with a guard behind it.
type Guarded[T device.Element] struct {
	*device.Buffer[T]
	whole *device.Buffer[T]
}

// guardOf is the length of guards: none on Oclgrind, which checks bounds by itself, and
// takes partial writes for none.
func guardOf(s *device.Session) int {
	if s.Caps().Vendor == device.Oclgrind {
		return 0
	}
	return 64
}

// Guard allocates n elements before a guard; guard and contents are canaries.
// It is released with the test.
func Guard[T device.Element](t testing.TB, s *device.Session, n int) *Guarded[T] {
	guard := guardOf(s)
	whole, err := device.Alloc[T](s, n+guard)
	require.NoError(t, err)
	t.Cleanup(whole.Release)
	if guard > 0 {
		device.Reinterpret[uint8](whole).Fill(Canary)
	}
	return &Guarded[T]{Buffer: whole.View(0, n), whole: whole}
}

// From is Guard with contents.
func From[T device.Element](t testing.TB, s *device.Session, data []T) *Guarded[T] {
	g := Guard[T](t, s, len(data))
	require.NoError(t, g.Upload(context.Background(), data, nil))
	return g
}

// Slice reads the contents back after checking that the guard is intact.
func (g *Guarded[T]) Slice() ([]T, error) {
	all := make([]T, g.whole.Len())
	if err := g.whole.Download(context.Background(), all, nil); err != nil {
		return nil, err
	}
	n := g.Len()
	if err := Intact("behind the buffer", all[n:]); err != nil {
		return nil, err
	}
	return all[:n:n], nil
}

// Guards are the guards behind the pieces of a workspace.
type Guards []*Guarded[uint8]

// Workspace makes a guarded workspace of exactly the pieces that a plan asks for. It is
// released with the test.
func Workspace(t testing.TB, s *device.Session, p device.Pieces) (*device.Workspace, Guards) {
	padded := slices.Clone(p)
	for i := range padded {
		padded[i] += int64(guardOf(s))
	}
	ws, err := device.NewWorkspace(s, padded)
	require.NoError(t, err)
	t.Cleanup(ws.Release)
	var guards Guards
	for i := range p {
		whole := device.Carve[uint8](ws, int(padded[i]))
		if guardOf(s) > 0 {
			whole.Fill(Canary)
		}
		guards = append(guards, &Guarded[uint8]{Buffer: whole.View(0, int(p[i])), whole: whole})
	}
	ws.Reset(0)
	return ws, guards
}

// Fill sets all bytes of the pieces.
func (g Guards) Fill(v uint8) {
	for _, piece := range g {
		piece.Buffer.Fill(v)
	}
}

// Intact checks the guards.
func (g Guards) Intact() error {
	for i, g := range g {
		if _, err := g.Slice(); err != nil {
			return fmt.Errorf("piece %d of the workspace: %w", i+1, err)
		}
	}
	return nil
}
