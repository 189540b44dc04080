package lrq_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
	"github.com/suffixcl/suffixcl/internal/testkit/lrqcpu"
	"github.com/suffixcl/suffixcl/internal/testkit/opticks"
	"github.com/suffixcl/suffixcl/internal/testkit/synthetic"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/lrq"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

var methods = []int{tune.LRQBounded, tune.LRQRaw, tune.LRQCompact}

// name is that of a method.
func name(method int) string { return []string{"", "raw", "compact", "bounded"}[method] }

// planned plans queries by a method.
func planned(s *device.Session, n, method int, o lrq.Options) (*lrq.Plan, error) {
	set := tuned.Of(s)
	defer func(method int) { set.LRQ.Method = method }(set.LRQ.Method)
	set.LRQ.Method = method
	return lrq.New(s, n, o)
}

// TestQueries compares every method with Algorithm 4 on the host, which is compared with
// the definition.
func TestQueries(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		e.Suite.Tile = tuned.Of(e.Session).LRQ.WG * tuned.Of(e.Session).LRQ.Items
		// Three methods, and buffers made anew for every text: fewer texts.
		e.Suite.MaxExhaustive2, e.Suite.MaxExhaustive3 = 5, 3
		e.Suite.Random, e.Suite.PerSize, e.Suite.Large = min(e.Suite.Random, 20), 2, min(e.Suite.Large, 1000)
		if e.Caps().CPUShape {
			e.Suite.Tile = min(e.Suite.Tile, 16)
		}
		for _, m := range methods {
			t.Run(name(m), func(t *testing.T) {
				if tooLong(e, m) || slow(e, m) {
					t.Skip("takes too long here")
				}
				conformance.Run(t, jobsuites.Repeats(service(t, e.Session, m), e.Suite))
			})
		}
	})
}

// tooLong: llvmpipe stops a work-item after 65,535 rounds of its loops.
func tooLong(e devicetest.Env, m int) bool {
	return m == tune.LRQRaw && e.Caps().Vendor == driver.Mesa
}

// slow: a simulator gets the paper's methods from the other tests only.
func slow(e devicetest.Env, m int) bool {
	return m != tune.LRQBounded && e.Caps().Vendor == driver.Oclgrind
}

type repeatsBuilder = func(ctx context.Context, text []byte, sa, lcp []uint32) (jobsuites.AllRepeats, error)

// service computes with one plan for many texts, made anew only for a longer one.
func service(t *testing.T, s *device.Session, m int) repeatsBuilder {
	var p *lrq.Plan
	var rows *lrq.Rows
	capacity := -1
	return func(ctx context.Context, text []byte, sa, lcp []uint32) (jobsuites.AllRepeats, error) {
		n := len(text)
		var all jobsuites.AllRepeats
		if n > capacity {
			capacity = 2 * n
			var err error
			if p, err = planned(s, capacity, m, lrq.Options{}); err != nil {
				return all, err
			}
			rows = lrq.NewRows(p, capacity)
		}
		ws, guards := devicetest.Workspace(t, s, rows.Workspace())
		defer ws.Release()
		array, lengths := devicetest.From(t, s, sa), devicetest.From(t, s, lcp)
		raw, starts := devicetest.Guard[uint32](t, s, n), devicetest.Guard[uint32](t, s, n)
		upto := devicetest.Guard[uint32](t, s, n)
		start, offsets := devicetest.Guard[uint32](t, s, n), devicetest.Guard[uint64](t, s, n+1)
		defer func() {
			for _, b := range []*devicetest.Guarded[uint32]{array, lengths, raw, starts, upto, start} {
				b.Release()
			}
			offsets.Release()
		}()
		p.Raw(array.Buffer, lengths.Buffer, nil, raw.Buffer)
		x := p.Index(ws, raw.Buffer, n, starts.Buffer, upto.Buffer)
		x.Leftmost(0, n, start.Buffer)
		rows.Count(ws, x, start.Buffer, 0, n, offsets.Buffer)
		var err error
		if all.Offsets, err = offsets.Slice(); err != nil {
			return all, err
		}
		total := int(all.Offsets[n])
		// Emitted in two parts.
		for _, part := range [][2]int{{0, total / 3}, {total / 3, total}} {
			out := devicetest.Guard[uint32](t, s, part[1]-part[0])
			rows.Emit(x, start.Buffer, 0, n, offsets.Buffer, uint64(part[0]), out.Buffer)
			got, err := out.Slice()
			if err != nil {
				return all, err
			}
			all.Starts = append(all.Starts, got...)
			out.Release()
		}
		// The leftmost in the place of upto, the lengths in that of starts.
		x.Leftmost(0, n, upto.Buffer)
		x.Lengths(upto.Buffer, n, starts.Buffer)
		if all.Length, err = starts.Slice(); err != nil {
			return all, err
		}
		if all.Leftmost, err = upto.Slice(); err != nil {
			return all, err
		}
		if _, err = raw.Slice(); err != nil {
			return all, err
		}
		if _, err = start.Slice(); err != nil {
			return all, err
		}
		return all, guards.Intact()
	}
}

func useful(text []byte) []lrqcpu.Repeat {
	sa := conformance.ReferenceSuffixArray(text)
	return lrqcpu.CPU(1).Compact(lrqcpu.CPU(1).Raw(lrqcpu.Rank(sa), conformance.ReferenceLCP(text, sa)))
}

func TestAdversarial(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		n := min(max(e.Suite.Large, 300), 1500) // fewer have not that many repeats
		for _, text := range [][]byte{synthetic.ManyRepeats(n), synthetic.SparseRepeats(n)} {
			require.Greater(t, float64(lrqcpu.CompactSteps(useful(text), n).Max), 0.6*math.Sqrt(float64(n)),
				"not that many repeats")
		}
		for name, text := range synthetic.Adversarial(n) {
			sa := conformance.ReferenceSuffixArray(text)
			lengths := conformance.ReferenceLCP(text, sa)
			want := lrqcpu.CPU(1).AllCompact(lrqcpu.Rank(sa), lengths)
			for _, m := range methods {
				if tooLong(e, m) {
					continue
				}
				got, err := service(t, e.Session, m)(context.Background(), text, sa, lengths)
				require.NoError(t, err, "%s by method %d", name, m)
				require.Equal(t, want.Length, got.Length, "%s by method %d", name, m)
				require.Equal(t, want.Offsets, got.Offsets, "%s by method %d", name, m)
				require.Equal(t, want.Starts, got.Starts, "%s by method %d", name, m)
			}
		}
	})
}

// Blocks and walks of full size.
func TestLarge(t *testing.T) {
	type result struct {
		text    []byte
		sa, lcp []uint32
		want    *lrqcpu.AllRepeats
	}
	texts := map[string]*result{"prose": {text: opticks.Text}, "many": {text: synthetic.ManyRepeats(100000)},
		"sparse": {text: synthetic.SparseRepeats(300000)}}
	for _, r := range texts {
		r.sa = conformance.ReferenceSuffixArray(r.text)
		r.lcp = conformance.ReferenceLCP(r.text, r.sa)
		r.want = lrqcpu.CPU(1).AllCompact(lrqcpu.Rank(r.sa), r.lcp)
	}
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		if strings.Contains(e.Variant, "tiny") {
			t.Skip("the tiles are tiny")
		}
		for name, r := range texts {
			if name != "prose" && e.Caps().Vendor == driver.Mesa {
				continue // a work-item lists 64 times 300 repeats: tooLong
			}
			for _, m := range []int{tune.LRQBounded, tune.LRQCompact} {
				got, err := service(t, e.Session, m)(context.Background(), r.text, r.sa, r.lcp)
				require.NoError(t, err, "%s by method %d", name, m)
				require.True(t, slices.Equal(r.want.Length, got.Length), "%s by method %d", name, m)
				require.True(t, slices.Equal(r.want.Offsets, got.Offsets), "%s by method %d", name, m)
				require.True(t, slices.Equal(r.want.Starts, got.Starts), "%s by method %d", name, m)
			}
		}
	})
}

// Rows of many starts, listed in windows of any size.
func TestWindows(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		s, n := e.Session, 500
		if !strings.Contains(e.Variant, "tiny") {
			n = min(20*e.Suite.Large, 20000) // rows of more than a Piece
		}
		text := synthetic.ManyRepeats(n)
		sa := conformance.ReferenceSuffixArray(text)
		lengths := conformance.ReferenceLCP(text, sa)
		want := lrqcpu.CPU(1).AllCompact(lrqcpu.Rank(sa), lengths).Starts
		p, err := lrq.New(s, n, lrq.Options{})
		require.NoError(t, err)
		rows := lrq.NewRows(p, n)
		ws, guards := devicetest.Workspace(t, s, rows.Workspace())
		defer ws.Release()
		raw, starts := devicetest.Guard[uint32](t, s, n), devicetest.Guard[uint32](t, s, n)
		upto, start := devicetest.Guard[uint32](t, s, n), devicetest.Guard[uint32](t, s, n)
		offsets := devicetest.Guard[uint64](t, s, n+1)
		p.Raw(devicetest.From(t, s, sa).Buffer, devicetest.From(t, s, lengths).Buffer, nil, raw.Buffer)
		x := p.Index(ws, raw.Buffer, n, starts.Buffer, upto.Buffer)
		x.Leftmost(0, n, start.Buffer)
		rows.Count(ws, x, start.Buffer, 0, n, offsets.Buffer)
		piece := min(tuned.Of(s).LRQ.Piece, 64)
		for _, size := range []int{1, piece, piece + 1, 3*piece + 2, 7*piece - 1} {
			for i := range 20 {
				size := min(size, len(want))
				from := (len(want) - size) * i / 19
				out := devicetest.Guard[uint32](t, s, size)
				rows.Emit(x, start.Buffer, 0, n, offsets.Buffer, uint64(from), out.Buffer)
				got, err := out.Slice()
				require.NoError(t, err)
				require.Equal(t, want[from:from+size], got, "from %d on", from)
				out.Release()
			}
		}
		require.NoError(t, guards.Intact())
	})
}

// Given positions, a shortest length, records, and one chunk after the other.
func TestOptions(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		s, n := e.Session, 700
		text, err := conformance.NewText("repeats/sigma=4", n, 3)
		require.NoError(t, err)
		ends := []uint32{1, 2, 150, 500}
		for _, end := range ends {
			text[end] = 0
		}
		sa := conformance.ReferenceSuffixArray(text)
		lcp := conformance.ReferenceLCP(text, sa)
		const shortest = 5
		raw := lrqcpu.CPU(1).Raw(lrqcpu.Rank(sa), lcp)
		r := 0
		for i := range raw {
			for r < len(ends) && int(ends[r]) < i {
				r++
			}
			if r < len(ends) {
				raw[i] = min(raw[i], ends[r]-uint32(i))
			}
		}
		want := make([]lrqcpu.Repeat, n)
		for k := range want {
			for i := range k + 1 {
				if length := raw[i]; i+int(length) > k && length >= shortest && length > want[k].Length {
					want[k] = lrqcpu.Repeat{Start: uint32(i), Length: length}
				}
			}
		}
		positions := []uint32{3, 3, 699, 0, 700, 1<<32 - 1, 250, 499, 500, 501}
		for _, m := range methods {
			p, err := planned(s, n, m, lrq.Options{MinLength: shortest})
			require.NoError(t, err)
			ws, guards := devicetest.Workspace(t, s, p.Workspace())
			array, lengths := devicetest.From(t, s, sa), devicetest.From(t, s, lcp)
			limits, llr := devicetest.From(t, s, ends), devicetest.Guard[uint32](t, s, n)
			p.Raw(array.Buffer, lengths.Buffer, limits.Buffer, llr.Buffer)
			got, err := llr.Slice()
			require.NoError(t, err)
			require.Equal(t, raw, got)
			x := p.Index(ws, llr.Buffer, n, devicetest.Guard[uint32](t, s, n).Buffer, devicetest.Guard[uint32](t, s, n).Buffer)
			for first := 0; first < n; first += 150 {
				count := min(150, n-first)
				start, length := devicetest.Guard[uint32](t, s, count), devicetest.Guard[uint32](t, s, count)
				x.Leftmost(first, count, start.Buffer)
				x.Lengths(start.Buffer, count, length.Buffer)
				requireRepeats(t, start, length, want[first:first+count])
			}
			at := devicetest.From(t, s, positions)
			start, length := devicetest.Guard[uint32](t, s, len(positions)), devicetest.Guard[uint32](t, s, len(positions))
			x.At(at.Buffer, start.Buffer)
			x.Lengths(start.Buffer, len(positions), length.Buffer)
			wantAt := make([]lrqcpu.Repeat, len(positions))
			for i, k := range positions {
				if int(k) < n {
					wantAt[i] = want[k]
				}
			}
			requireRepeats(t, start, length, wantAt)
			require.NoError(t, guards.Intact())
		}
	})
}

func requireRepeats(t *testing.T, start, length *devicetest.Guarded[uint32], want []lrqcpu.Repeat) {
	t.Helper()
	starts, err := start.Slice()
	require.NoError(t, err)
	lengths, err := length.Slice()
	require.NoError(t, err)
	got := make([]lrqcpu.Repeat, len(starts))
	for i := range got {
		got[i] = lrqcpu.Repeat{Start: starts[i], Length: lengths[i]}
	}
	require.Equal(t, want, got)
}

func TestMisuse(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		_, err := lrq.New(e.Session, limits.MaxLen+1, lrq.Options{})
		require.True(t, device.IsTooLarge(err), err)
		p, err := lrq.New(e.Session, 10, lrq.Options{})
		require.NoError(t, err)
		long, short := devicetest.Guard[uint32](t, e.Session, 11).Buffer, devicetest.Guard[uint32](t, e.Session, 9).Buffer
		ws, _ := devicetest.Workspace(t, e.Session, p.Workspace())
		for name, misuse := range map[string]func(){
			"long":      func() { p.Raw(long, long, nil, long) },
			"raw":       func() { p.Raw(long.View(0, 10), long, nil, short) },
			"index":     func() { p.Index(ws, long, 10, long, short) },
			"positions": func() { p.Index(ws, long, 10, long, long).Leftmost(5, 6, long) },
			"at":        func() { p.Index(ws, long, 10, long, long).At(long, short) },
			"lengths":   func() { p.Index(ws, long, 10, long, long).Lengths(long, 10, short) },
		} {
			ws.Reset(0)
			misuse()
			require.ErrorContains(t, e.Err(), "lrq:", name)
			e.Recover()
		}
	})
}
