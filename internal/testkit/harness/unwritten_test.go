package harness_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/harness"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/scan"
)

// sums computes sums by a scan of many tiles, and launches a kernel named stray if there is one.
func sums(t *testing.T, stray bool) func(s *device.Session, trace *harness.Trace) error {
	return func(s *device.Session, trace *harness.Trace) error {
		wg := tuned.Of(s).Scan.WG
		n := 3 * wg * tuned.Of(s).Scan.Items
		b, err := device.Alloc[uint32](s, n)
		require.NoError(t, err)
		defer b.Release()
		b.Fill(1)
		o := scan.Options{}
		p := scan.NewPlan[uint32](s, n, o)
		ws, err := device.NewWorkspace(s, p.Workspace())
		require.NoError(t, err)
		defer ws.Release()
		trace.Part("sums")
		p.Run(ws, b, b, n)
		if stray {
			all := tuned.Sources(s)
			i := slices.IndexFunc(all, func(src device.Source) bool { return slices.Contains(src.Files, "scan.cl") })
			s.Program(all[i]).Kernel("stray", wg).Launch(1, 4, b)
		}
		host := make([]uint32, n)
		err = b.Download(t.Context(), host, nil)
		trace.Result(host)
		return err
	}
}

// TestUnwritten: a kernel that reads memory that nothing has been written to is reported, in global and in local
// memory; one that does not is not.
func TestUnwritten(t *testing.T) {
	const stray = "KERNEL_WG(WG) stray(__global uint *out) { __local uint a[2]; out[0] = a[1]; }"
	const read = "memory that nothing has been written to is read"
	edits := map[string]func(text string) string{
		"":               nil,
		"before the sum": replace("? partials[i] : IDENTITY", "? partials[i] + partials[tiles] : IDENTITY"),
		"local memory":   func(text string) string { return text + stray },
	}
	for _, c := range []struct {
		edit  string
		local bool
		want  string // "" for no error
	}{
		{"", false, ""},
		{"", true, ""},
		{"before the sum", false, "sums: " + read + ": result "},
		{"local memory", true, "sums: " + read + ": result "},
	} {
		eachDevice(t, func(t *testing.T, check func(harness.Unwritten, compute) error) {
			err := check(harness.Unwritten{Local: c.local, Edit: edits[c.edit]}, sums(t, c.edit == "local memory"))
			if c.want == "" {
				assert.NoError(t, err, c.edit)
			} else {
				assert.ErrorContains(t, err, c.want, c.edit)
			}
		})
	}
}

// TestUnwrittenByTheHost: so is a host that goes by such memory, in what it launches and in what it reads.
func TestUnwrittenByTheHost(t *testing.T) {
	const read = "memory that nothing has been written to is read"
	failed := errors.New("failed")
	for name, c := range map[string]struct {
		compute compute
		want    string
	}{
		"new memory": {func(s *device.Session, trace *harness.Trace) error {
			b, err := device.Alloc[uint8](s, 2)
			require.NoError(t, err)
			defer b.Release()
			trace.Part("reading")
			return b.Read(make([]uint8, 2))
		}, "reading: " + read + ": read 00 00 where it holds zeros, read a5 a5 where it holds 0xA5"},
		"an earlier step's": {func(s *device.Session, trace *harness.Trace) error {
			ws, err := device.NewWorkspace(s, device.PieceOf[uint8](2))
			require.NoError(t, err)
			defer ws.Release()
			device.Carve[uint8](ws, 2).Fill(7)
			ws.Reset(0)
			return device.Carve[uint8](ws, 2).Read(make([]uint8, 2))
		}, "read 00 00 where it holds zeros, read a5 a5 where it holds 0xA5"},
		"a launch": {func(s *device.Session, trace *harness.Trace) error {
			b, err := device.Alloc[uint8](s, 1)
			require.NoError(t, err)
			defer b.Release()
			var many [1]uint8
			require.NoError(t, b.Download(t.Context(), many[:], nil))
			if many[0] != 0 {
				return nil
			}
			return sums(t, false)(s, trace)
		}, ", nothing where it holds 0xA5"},
		"chance": {func(_ *device.Session, trace *harness.Trace) error {
			trace.Part("throwing")
			trace.Result(rand.Uint64())
			return nil
		}, "throwing: not the same twice with the same memory: result "},
		"a difference late": {func(s *device.Session, trace *harness.Trace) error {
			b, err := device.Alloc[uint8](s, 100)
			require.NoError(t, err)
			defer b.Release()
			b.View(0, 99).Fill(7)
			return b.Read(make([]uint8, 100))
		}, "07 07 07 a5 where it holds 0xA5"},
		"a failure": {func(_ *device.Session, trace *harness.Trace) error {
			trace.Part("failing")
			return failed
		}, "failing, with memory that holds zeros: failed"},
	} {
		eachDevice(t, func(t *testing.T, check func(harness.Unwritten, compute) error) {
			assert.ErrorContains(t, check(harness.Unwritten{}, c.compute), c.want, name)
		})
	}
}

type compute = func(s *device.Session, trace *harness.Trace) error

// eachDevice runs a test on every device, as it is and with kernels of the other shape. Scans are reduce-then-scan,
// whose kernel the test edits.
func eachDevice(t *testing.T, test func(t *testing.T, check func(harness.Unwritten, compute) error)) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		for _, v := range harness.Variants[:3] {
			if v.Name == e.Variant {
				shape := v.Caps
				v.Caps = func(c *device.Caps) {
					if shape != nil {
						shape(c)
					}
					c.ForwardProgress = false
				}
				test(t, func(u harness.Unwritten, f compute) error { return u.Check(tuned.CLDevice(e.Session), v, f) })
			}
		}
	})
}

func replace(old, by string) func(string) string {
	return func(text string) string { return strings.ReplaceAll(text, old, by) }
}
