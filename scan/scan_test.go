package scan_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/primitives"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/scan"
)

// eachMethod runs f on every device and variant, where tiles look back also without.
func eachMethod(t *testing.T, f func(t *testing.T, e devicetest.Env)) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		t.Run("auto", func(t *testing.T) { f(t, e) })
		c := e.Caps()
		if !c.ForwardProgress || !c.Int64Atomics || c.CPUShape {
			return
		}
		c.ForwardProgress = false
		defer func() { c.ForwardProgress = true }()
		e.Suite.PerSize, e.Suite.Large = 2, min(e.Suite.Large, 1<<16) // the only method of other variants
		t.Run("reduce", func(t *testing.T) { f(t, e) })
	})
}

// scanTile is the tile for elements of that size.
func scanTile(e devicetest.Env, bytes int) int {
	shape := tuned.Of(e.Session).Scan
	return shape.WG * shape.ItemsOf(bytes)
}

func TestScan(t *testing.T) {
	eachMethod(t, func(t *testing.T, e devicetest.Env) {
		t.Run("u32", func(t *testing.T) { testScan[uint32](t, e, 4) })
		if !e.FullTiles() { // one type is enough there
			t.Run("u64", func(t *testing.T) { testScan[uint64](t, e, 8) })
		}
	})
}

func add[T uint32 | uint64](a, b T) T    { return a + b }
func larger[T uint32 | uint64](a, b T) T { return max(a, b) }

// prefixes combines the elements before each, or up to it.
func prefixes[T uint32 | uint64](in []T, combine func(a, b T) T, inclusive bool) []T {
	out := make([]T, len(in))
	var before T
	for i, v := range in {
		with := combine(before, v)
		if out[i] = before; inclusive {
			out[i] = with
		}
		before = with
	}
	return out
}

func testScan[T uint32 | uint64](t *testing.T, e devicetest.Env, bytes int) {
	e.Suite.Tile = scanTile(e, bytes)
	for _, c := range []struct {
		name    string
		options scan.Options
		combine func(a, b T) T
	}{
		{"exclusive-sum", scan.Options{}, add[T]},
		{"inclusive-sum", scan.Options{Inclusive: true}, add[T]},
		{"exclusive-max", scan.Options{Op: scan.Max}, larger[T]},
		{"inclusive-max", scan.Options{Op: scan.Max, Inclusive: true}, larger[T]},
	} {
		t.Run(c.name, func(t *testing.T) {
			conformance.Run(t,
				primitives.Scan(func(in []T) ([]T, error) { return runScan(t, e, in, c.options) }, c.combine, c.options.Inclusive,
					e.Suite))
		})
	}
}

func runScan[T scan.Value](t *testing.T, e devicetest.Env, in []T, o scan.Options) ([]T, error) {
	p := scan.NewPlan[T](e.Session, len(in), o)
	ws, guards := devicetest.Workspace(t, e.Session, p.Workspace())
	defer ws.Release()
	from, to := devicetest.From(t, e.Session, in), devicetest.Guard[T](t, e.Session, len(in))
	defer from.Release()
	defer to.Release()
	p.Run(ws, from.Buffer, to.Buffer, len(in))
	if err := guards.Intact(); err != nil {
		return nil, err
	}
	return to.Slice()
}

// Pairs are scanned as two arrays.
func TestScanPairs(t *testing.T) {
	eachMethod(t, func(t *testing.T, e devicetest.Env) {
		rng := rand.New(rand.NewPCG(1, 2))
		tile := scanTile(e, 8)
		for _, n := range []int{1, tile - 1, tile, tile + 1, 5*tile + 3} {
			in := make([][2]uint32, n)
			x, y := make([]uint32, n), make([]uint32, n)
			for i := range in {
				x[i], y[i] = rng.Uint32(), rng.Uint32()
				in[i] = [2]uint32{x[i], y[i]}
			}
			for op, combine := range map[scan.Op]func(a, b uint32) uint32{scan.Sum: add[uint32], scan.Max: larger[uint32]} {
				x, y := prefixes(x, combine, true), prefixes(y, combine, true)
				got, err := runScan(t, e, in, scan.Options{Op: op, Inclusive: true})
				require.NoError(t, err)
				for i := range got {
					require.Equal(t, [2]uint32{x[i], y[i]}, got[i], "n=%d, element %d", n, i)
				}
			}
		}
	})
}

func TestScanInPlace(t *testing.T) {
	eachMethod(t, func(t *testing.T, e devicetest.Env) {
		n := 3*scanTile(e, 4) + 5
		p := scan.NewPlan[uint32](e.Session, n, scan.Options{})
		in := make([]uint32, n)
		for i := range in {
			in[i] = uint32(i * i)
		}
		ws, _ := devicetest.Workspace(t, e.Session, p.Workspace())
		b := devicetest.From(t, e.Session, in)
		p.Run(ws, b.Buffer, b.Buffer, len(in))
		got, err := b.Slice()
		require.NoError(t, err)
		require.Equal(t, prefixes(in, add, false), got)
	})
}

// One plan serves every length up to its own, in a workspace that others wrote to.
func TestScanAgain(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		n := 4 * scanTile(e, 4)
		p := scan.NewPlan[uint32](e.Session, n, scan.Options{})
		in := make([]uint32, n)
		for i := range in {
			in[i] = uint32(i) * 2654435761
		}
		ws, guards := devicetest.Workspace(t, e.Session, p.Workspace())
		from, to := devicetest.From(t, e.Session, in), devicetest.Guard[uint32](t, e.Session, n)
		for _, m := range []int{n, 1, n / 2, n/4 + 1, n} {
			p.Run(ws, from.Buffer, to.Buffer, m)
			got, err := to.Slice()
			require.NoError(t, err)
			require.Equal(t, prefixes(in[:m], add, false), got[:m])
			guards.Fill(0xFF)
		}
	})
}

func TestSegmented(t *testing.T) {
	eachMethod(t, func(t *testing.T, e devicetest.Env) {
		t.Run("u32", func(t *testing.T) { testSegmented[uint32](t, e, 4) })
		if !e.FullTiles() {
			t.Run("u64", func(t *testing.T) { testSegmented[uint64](t, e, 8) })
		}
	})
}

func testSegmented[T uint32 | uint64](t *testing.T, e devicetest.Env, bytes int) {
	rng := rand.New(rand.NewPCG(3, uint64(bytes)))
	tile := scanTile(e, 2*bytes)
	for _, o := range []scan.Options{{}, {Inclusive: true}, {Op: scan.Max}, {Op: scan.Max, Inclusive: true}} {
		for _, n := range []int{0, 1, tile - 1, tile + 1, 5*tile + 5} {
			for _, every := range []int{1, 3, 2*tile + 1} {
				in, heads := make([]T, n), make([]uint8, n)
				for i := range in {
					in[i] = T(rng.Uint64())
					if rng.IntN(every) == 0 || i > 0 && i%tile == 0 && every == 3 { // ends on every tile boundary
						heads[i] = uint8(1 + i%255)
					}
				}
				got, err := runSegmented(t, e, heads, in, o)
				require.NoError(t, err)
				require.Equal(t, segmented(heads, in, o), got, "n=%d, a head in %d, %+v", n, every, o)
			}
		}
	}
}

// segmented is the reference.
func segmented[T uint32 | uint64](heads []uint8, in []T, o scan.Options) []T {
	out := make([]T, len(in))
	var before T
	for i, v := range in {
		if heads[i] != 0 {
			before = 0
		}
		value := before + v
		if o.Op == scan.Max {
			value = max(before, v)
		}
		out[i] = before
		if o.Inclusive {
			out[i] = value
		}
		before = value
	}
	return out
}

func runSegmented[T uint32 | uint64](t *testing.T, e devicetest.Env, heads []uint8, in []T,
	o scan.Options) ([]T, error) {
	p := scan.NewSegmented[T](e.Session, len(in), o)
	ws, guards := devicetest.Workspace(t, e.Session, p.Workspace())
	defer ws.Release()
	from, to := devicetest.From(t, e.Session, in), devicetest.Guard[T](t, e.Session, len(in))
	marks := devicetest.From(t, e.Session, heads)
	defer from.Release()
	defer to.Release()
	defer marks.Release()
	p.Run(ws, marks.Buffer, from.Buffer, to.Buffer, len(in))
	if err := guards.Intact(); err != nil {
		return nil, err
	}
	return to.Slice()
}

// Every third tile publishes late: those after it have to wait, and must not wait
// forever. Where nothing looks back, the macro does nothing.
func TestStall(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		polls := 20000
		if e.Suite.Large < 10000 { // slow devices, tiny tiles
			polls = 50
		}
		for _, c := range []struct {
			name, typ string
			bytes     int
		}{{"uint", "uint", 4}, {"ulong", "ulong", 8}} {
			t.Run(c.name, func(t *testing.T) {
				n := 100*scanTile(e, c.bytes) + 1
				p := scan.NewTemplate(e.Session, n,
					scan.TemplateOptions{ElementBytes: c.bytes, Source: device.Source{Defines: device.Defines{
						"T": c.typ, "T_BYTES": c.bytes, "OP": "OP_ADD", "IDENTITY": "((" + c.typ + ")0)",
						"INCLUSIVE": 1, "STALL": polls,
					}}})
				ws, guards := devicetest.Workspace(t, e.Session, p.Workspace())
				defer ws.Release()
				if c.bytes == 4 {
					runStalled[uint32](t, e, p, ws, n)
				} else {
					runStalled[uint64](t, e, p, ws, n)
				}
				require.NoError(t, guards.Intact())
			})
		}
		t.Run("select", func(t *testing.T) {
			n := 100*tuned.Of(e.Session).Compact.WG*tuned.Of(e.Session).Compact.Items + 1
			stalled := below("uint")
			stalled.Defines["STALL"] = polls
			p := scan.NewCompactTemplate(e.Session, n, stalled)
			in, want := make([]uint32, n), []uint32(nil)
			for i := range in {
				if in[i] = uint32(i) * 2654435761; in[i] < 1<<31 {
					want = append(want, in[i])
				}
			}
			ws, _ := devicetest.Workspace(t, e.Session, p.Workspace())
			from, to := devicetest.From(t, e.Session, in), devicetest.Guard[uint32](t, e.Session, len(want))
			kept := devicetest.Guard[uint64](t, e.Session, 1)
			p.Run(ws, n, 8, kept.Buffer, uint64(1<<31), from.Buffer, to.Buffer)
			count, err := kept.Slice()
			require.NoError(t, err)
			require.Equal(t, uint64(len(want)), count[0])
			got, err := to.Slice()
			require.NoError(t, err)
			require.Equal(t, want, got)
		})
	})
}

func runStalled[T uint32 | uint64](t *testing.T, e devicetest.Env, p *scan.Template, ws *device.Workspace, n int) {
	in := make([]T, n)
	for i := range in {
		in[i] = ^T(0) / T(i+1)
	}
	from, to := devicetest.From(t, e.Session, in), devicetest.Guard[T](t, e.Session, n)
	defer from.Release()
	defer to.Release()
	p.Run(ws, n, 0, from.Buffer, to.Buffer)
	got, err := to.Slice()
	require.NoError(t, err)
	require.Equal(t, prefixes(in, add, true), got)
}

// runCompact returns what comes out in a buffer for room elements, and their number.
func runCompact[T scan.Value](t *testing.T, e devicetest.Env, create func(*device.Session, int) *scan.Selection[T],
	in []T, flags []uint8, room int) ([]T, int, error) {
	c := create(e.Session, len(in))
	ws, guards := devicetest.Workspace(t, e.Session, c.Workspace())
	from, marks := devicetest.From(t, e.Session, in), devicetest.From(t, e.Session, flags)
	kept, to := devicetest.Guard[uint64](t, e.Session, 1), devicetest.Guard[T](t, e.Session, room)
	defer ws.Release()
	defer from.Release()
	defer marks.Release()
	defer kept.Release()
	defer to.Release()
	c.Run(ws, marks.Buffer, from.Buffer, to.Buffer, len(in), kept.Buffer)
	if err := guards.Intact(); err != nil {
		return nil, 0, err
	}
	count, err := kept.Slice()
	if err != nil {
		return nil, 0, err
	}
	out, err := to.Slice()
	return out, int(count[0]), err
}

func bytesOf(flagged []bool) (flags []uint8, set int) {
	flags = make([]uint8, len(flagged))
	for i, f := range flagged {
		if f {
			flags[i] = uint8(1 + i%255)
			set++
		}
	}
	return flags, set
}

func TestSelect(t *testing.T) {
	eachMethod(t, func(t *testing.T, e devicetest.Env) {
		e.Suite.Tile = tuned.Of(e.Session).Compact.WG * tuned.Of(e.Session).Compact.Items
		t.Run("u32", func(t *testing.T) { testCompact[uint32](t, e) })
		t.Run("u64", func(t *testing.T) { testCompact[uint64](t, e) })
	})
}

func testCompact[T uint32 | uint64](t *testing.T, e devicetest.Env) {
	brief := e.Suite // for what shares its kernels with select
	brief.PerSize, brief.Large = 2, min(e.Suite.Large, 1<<16)
	t.Run("select", func(t *testing.T) {
		conformance.Run(t, primitives.Select(func(in []T, flagged []bool) ([]T, error) {
			flags, room := bytesOf(flagged) // no room for one too many
			out, n, err := runCompact(t, e, scan.NewSelect[T], in, flags, room)
			if err != nil {
				return nil, err
			}
			return out[:min(n, room)], nil
		}, e.Suite))
	})
	t.Run("partition", func(t *testing.T) {
		conformance.Run(t, primitives.Partition(func(in []T, flagged []bool) ([]T, int, error) {
			flags, _ := bytesOf(flagged)
			return runCompact(t, e, scan.NewPartition[T], in, flags, len(in))
		}, e.Suite))
	})
	t.Run("select-if", func(t *testing.T) {
		// By the elements' numbers: those flagged are below the bound.
		conformance.Run(t, primitives.Select(func(in []T, flagged []bool) ([]T, error) {
			set := 0
			for _, f := range flagged {
				if f {
					set++
				}
			}
			values := make([]T, len(in))
			yes, no := T(0), T(set)
			for i, f := range flagged {
				if f {
					values[i] = yes
					yes++
				} else {
					values[i] = no
					no++
				}
			}
			kept, err := runSelectIf(t, e, values, set)
			if err != nil {
				return nil, err
			}
			out := []T{}
			for i, f := range flagged { // back to the values of the suite
				if f && len(out) < len(kept) {
					if kept[len(out)] != values[i] {
						return nil, fmt.Errorf("element %d is %d, want %d", len(out), kept[len(out)], values[i])
					}
					out = append(out, in[i])
				}
			}
			return out, nil
		}, brief))
	})
}

// below is a selection of the elements that are less than a bound.
func below(typ string) device.Source {
	return device.Source{Defines: device.Defines{
		"COMPACT_PARAMS": ", ulong bound, __global const " + typ + " *in, __global " + typ + " *out",
		"COMPACT_ITEM":   typ, "COMPACT_BY_ITEM": 1,
		"COMPACT_LOAD(i)": "in[i]", "COMPACT_KEEP(i)": "(item < bound)", "COMPACT_EMIT(i, to)": "out[to] = item",
	}}
}

func runSelectIf[T uint32 | uint64](t *testing.T, e devicetest.Env, in []T, set int) ([]T, error) {
	p := scan.NewCompactTemplate(e.Session, len(in), below(cltype.Name[T]()))
	ws, _ := devicetest.Workspace(t, e.Session, p.Workspace())
	defer ws.Release()
	from, to := devicetest.From(t, e.Session, in), devicetest.Guard[T](t, e.Session, set)
	kept := devicetest.Guard[uint64](t, e.Session, 1)
	defer from.Release()
	defer to.Release()
	defer kept.Release()
	p.Run(ws, len(in), 8, kept.Buffer, uint64(set), from.Buffer, to.Buffer)
	n, err := kept.Slice()
	if err != nil {
		return nil, err
	}
	if n[0] != uint64(set) {
		return nil, fmt.Errorf("%d elements kept, want %d", n[0], set)
	}
	return to.Slice()
}

func TestMisuse(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		ws, _ := devicetest.Workspace(t, e.Session, device.Pieces{1 << 16, 1 << 16})
		b, flags := devicetest.Guard[uint32](t, e.Session, 10), devicetest.Guard[uint8](t, e.Session, 9)
		kept := devicetest.Guard[uint64](t, e.Session, 1)
		fails := func(want string) {
			t.Helper()
			assert.ErrorContains(t, e.Err(), want)
			e.Recover()
		}
		p := scan.NewPlan[uint32](e.Session, 9, scan.Options{})
		p.Run(ws, b.Buffer, b.Buffer, 11)
		fails("11 elements in buffers of 10")
		p.Run(ws, b.Buffer, b.Buffer, 10)
		fails("planned for 9")
		c := scan.NewPartition[uint32](e.Session, 10)
		c.Run(ws, flags.Buffer, b.Buffer, b.Buffer, 10, kept.Buffer)
		fails("9 flags")
		c.Run(ws, flags.Buffer, b.Buffer, b.View(0, 8), 9, kept.Buffer)
		fails("compacting 9 elements in buffers of 10 and 8")
		c.Run(ws, flags.Buffer, b.Buffer, b.Buffer, 9, kept.View(0, 0))
		fails("0 counts")
		g := scan.NewSegmented[uint32](e.Session, 10, scan.Options{})
		g.Run(ws, flags.Buffer, b.Buffer, b.Buffer, 10)
		fails("9 heads")
	})
}
