package intervals_test

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intervals"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

func TestIntervals(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		shape := tuned.Of(e.Session).Intervals
		e.Suite.Tile = min(shape.WG*shape.Items, 64)
		// Buffers are made anew for every text: fewer texts.
		e.Suite.MaxExhaustive2, e.Suite.MaxExhaustive3 = min(e.Suite.MaxExhaustive2, 5), 3
		e.Suite.Random, e.Suite.PerSize, e.Suite.Large = min(e.Suite.Random, 15), 1, min(e.Suite.Large, 700)
		conformance.Run(t, jobsuites.Intervals(service(t, e.Session), e.Suite))
	})
}

// arrays are what intervals are of, on the host.
type arrays struct {
	symbols, sa, lcp []uint32
	starts           []uint32 // of documents; nil: there are none
}

// prepare makes the arrays of a text, or of a set of documents.
func prepare(text []byte, documents [][]byte) (a arrays) {
	if documents == nil {
		for _, c := range text {
			a.symbols = append(a.symbols, uint32(c))
		}
		a.sa = conformance.ReferenceSuffixArray(text)
		a.lcp = conformance.ReferenceLCP(text, a.sa)
		return a
	}
	a.starts = make([]uint32, 0, 1)
	for k, d := range documents {
		a.starts = append(a.starts, uint32(len(a.symbols)))
		for _, c := range d {
			a.symbols = append(a.symbols, uint32(len(documents))+uint32(c))
		}
		a.symbols = append(a.symbols, uint32(k))
	}
	if len(a.starts) == 0 {
		a.starts = append(a.starts, 0)
	}
	set := jobsuites.ReferenceSet(documents)
	a.sa, a.lcp = set.SA, set.LCP
	return a
}

func filterOf(q jobsuites.IntervalQuery) intervals.Filter {
	return intervals.Filter{MinDepth: q.MinDepth, MaxDepth: q.MaxDepth, MinCount: q.MinCount, MaxCount: q.MaxCount,
		MinDocuments: q.MinDocuments, MaxDocuments: q.MaxDocuments, LeastEach: q.LeastEach, MostEach: q.MostEach,
		LeftMaximal: q.LeftMaximal, Supermaximal: q.Supermaximal}
}

var scores = map[string]intervals.Score{
	"count": intervals.ByCount, "depth": intervals.ByDepth, "area": intervals.ByArea,
}

// on uploads arrays, with the document array and the symbols before suffixes made on the device.
func (a arrays) on(t testing.TB, s *device.Session) (in intervals.Arrays, guards []interface{ Release() }) {
	give := func(data []uint32) *device.Buffer[uint32] {
		g := devicetest.From(t, s, data)
		guards = append(guards, g)
		return g.Buffer
	}
	in = intervals.Arrays{SA: give(a.sa), LCP: give(a.lcp), Before: give(make([]uint32, len(a.sa)))}
	intervals.NewBefore[uint32](s).Run(give(a.symbols), in.SA, in.Before)
	if a.starts != nil {
		in.Documents = give(make([]uint32, len(a.sa)))
		intervals.NewDocuments(s).Run(in.SA, give(a.starts), in.Documents)
	}
	return in, guards
}

// output is guarded.
type output struct {
	intervals.Output
	guards []*devicetest.Guarded[uint32]
}

func newOutput(t testing.TB, s *device.Session, n int, documents bool) (o output) {
	guard := func() *device.Buffer[uint32] {
		g := devicetest.Guard[uint32](t, s, n)
		o.guards = append(o.guards, g)
		return g.Buffer
	}
	o.Output = intervals.Output{Left: guard(), Right: guard(), Depth: guard(), Position: guard()}
	if documents {
		o.Output.Documents = guard()
	}
	return o
}

// read appends the first m intervals to list.
func read(list []jobsuites.Interval, o intervals.Output, m int) ([]jobsuites.Interval, error) {
	columns := make([][]uint32, 5)
	for i, b := range []*device.Buffer[uint32]{o.Left, o.Right, o.Depth, o.Position, o.Documents} {
		columns[i] = make([]uint32, m)
		if b == nil || m == 0 {
			continue
		}
		if err := b.View(0, m).Read(columns[i]); err != nil {
			return nil, err
		}
	}
	for i := range m {
		list = append(list, jobsuites.Interval{Left: columns[0][i], Right: columns[1][i], Depth: columns[2][i],
			Position: columns[3][i], Documents: columns[4][i]})
	}
	return list, nil
}

// service lists intervals in parts of an odd length.
func service(
	t testing.TB, s *device.Session,
) func(context.Context, []byte, [][]byte, jobsuites.IntervalQuery) ([]jobsuites.Interval, error) {
	return func(
		ctx context.Context, text []byte, documents [][]byte, q jobsuites.IntervalQuery,
	) (list []jobsuites.Interval, err error) {
		host := prepare(text, documents)
		n := len(host.sa)
		in, inputs := host.on(t, s)
		defer func() {
			for _, g := range inputs {
				g.Release()
			}
		}()
		part := max(n/3+n%5, 1)
		o := intervals.Options{Filter: filterOf(q), SymbolBits: bits.Len(uint(256 + len(documents)))}
		if documents != nil {
			o.Documents = max(len(documents), 1)
		}
		p, err := intervals.New(s, n, part, o)
		if err != nil {
			return nil, err
		}
		list = []jobsuites.Interval{}
		if q.Best > 0 {
			best, err := intervals.NewBest(p, q.Best, scores[q.By])
			if err != nil {
				return nil, err
			}
			ws, guards := devicetest.Workspace(t, s, best.Workspace())
			defer ws.Release()
			x := p.Index(ws, in)
			best.Begin(ws)
			for first := 0; first < n; first += part {
				if err := best.Add(ctx, ws, x, first, min(part, n-first)); err != nil {
					return nil, err
				}
			}
			o, m := best.Result()
			if list, err = read(list, o, m); err != nil {
				return nil, err
			}
			return list, guards.Intact()
		}
		ws, guards := devicetest.Workspace(t, s, p.Workspace())
		defer ws.Release()
		x := p.Index(ws, in)
		out, kept := newOutput(t, s, min(part, n), documents != nil), devicetest.Guard[uint64](t, s, 1)
		for first := 0; first < n; first += part {
			x.List(ws, first, min(part, n-first), 0, out.Output, kept.Buffer)
			m, err := kept.Slice()
			if err != nil {
				return nil, err
			}
			if list, err = read(list, out.Output, int(m[0])); err != nil {
				return nil, err
			}
		}
		for _, g := range out.guards {
			if _, err := g.Slice(); err != nil {
				return nil, err
			}
			g.Release()
		}
		kept.Release()
		return list, guards.Intact()
	}
}

func TestCommon(t *testing.T) {
	sets := [][][]byte{
		{}, {nil}, {nil, nil}, {[]byte("a")}, {[]byte("a"), []byte("a")}, {[]byte("ab"), []byte("ba"), nil, []byte("abab")},
		{[]byte("banana"), []byte("ananas"), []byte("bandana"), []byte("nan")},
	}
	random, err := conformance.NewText("repeats/sigma=4", 600, 5)
	require.NoError(t, err)
	var pieces [][]byte
	for at := 0; at < len(random); at += 40 {
		pieces = append(pieces, random[at:at+40])
	}
	sets = append(sets, pieces)
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		for _, documents := range sets {
			require.Equal(t, jobsuites.ReferenceCommon(documents), common(t, e.Session, documents), "%q", documents)
		}
	})
}

func common(t *testing.T, s *device.Session, documents [][]byte) []jobsuites.Interval {
	n := len(prepare(nil, documents).sa)
	list := make([]jobsuites.Interval, len(documents)+1)
	if n == 0 {
		return list
	}
	in, _ := prepare(nil, documents).on(t, s)
	part := n/2 + 1
	filter := intervals.Filter{MinDepth: 1, MinDocuments: 2}
	p, err := intervals.New(s, n, part, intervals.Options{Filter: filter, Documents: len(documents)})
	require.NoError(t, err)
	c := intervals.NewCommon(p)
	ws, guards := devicetest.Workspace(t, s, c.Workspace())
	defer ws.Release()
	x := p.Index(ws, in)
	c.Begin(ws)
	out, kept := newOutput(t, s, min(part, n), true), devicetest.Guard[uint64](t, s, 1)
	for first := 0; first < n; first += part {
		x.List(ws, first, min(part, n-first), 0, out.Output, kept.Buffer)
		m, err := kept.Slice()
		require.NoError(t, err)
		c.Add(out.Output, int(m[0]))
	}
	found, err := read(nil, c.Result(), len(list))
	require.NoError(t, err)
	require.NoError(t, guards.Intact())
	intervals.MostDocuments(len(list), func(k int) uint32 { return found[k].Depth }, func(k, from int) {
		list[k] = found[from]
		list[k].Documents = uint32(from)
	})
	return list
}

// Nested intervals, as many as suffixes, whose bounds are far from their slots; and a text of many levels of minima.
func TestLarge(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		n := min(e.Suite.Large, 40000)
		for name, lcp := range map[string]func(j int) uint32{
			"ascending":  func(j int) uint32 { return uint32(j) },
			"descending": func(j int) uint32 { return uint32(n - j) },
			"valleys":    func(j int) uint32 { return uint32(j % 1000) },
			"rulers":     func(j int) uint32 { return uint32(j & -j) },
			"equal":      func(int) uint32 { return 7 },
			"zeros":      func(int) uint32 { return 0 },
		} {
			a := arrays{symbols: make([]uint32, n), sa: make([]uint32, n), lcp: make([]uint32, n)}
			for j := range n {
				a.sa[j], a.lcp[j] = uint32(j), lcp(j)
			}
			a.lcp[0] = 0
			require.Equal(t, byStack(a.lcp), listed(t, e.Session, a), name)
		}
	})
}

// What steps carve one after the other from the same piece does not depend on whose tiles are smaller.
func TestUnlikeTiles(t *testing.T) {
	text, err := conformance.NewText("repeats/sigma=4", 6000, 5)
	require.NoError(t, err)
	documents := [][]byte{text[:1000], text[1000:4000], text[4000:]}
	for _, d := range devicetest.Devices(t) {
		sets := func(s *device.Session) (all [][]jobsuites.Interval) {
			for _, q := range []jobsuites.IntervalQuery{
				{MinDepth: 3, MinDocuments: 2, MostEach: 300, LeastEach: 2, LeftMaximal: true},
				{MinDepth: 3, Supermaximal: true, Best: 20, By: "area"},
			} {
				list, err := service(t, s)(t.Context(), nil, documents, q)
				require.NoError(t, err)
				require.NotEmpty(t, list)
				all = append(all, list)
			}
			return all
		}
		want := sets(devicetest.Open(t, d, devicetest.Variant{}))
		for name, edit := range map[string]func(set, tiny *tune.Set){
			"of scans":      func(set, tiny *tune.Set) { set.Scan, set.Template = tiny.Scan, tiny.Template },
			"of selections": func(set, tiny *tune.Set) { set.Compact = tiny.Compact },
			"of sorts":      func(set, tiny *tune.Set) { set.RadixSort = tiny.RadixSort },
			"of minima":     func(set, tiny *tune.Set) { set.Intervals = tiny.Intervals },
		} {
			s := devicetest.Open(t, d, devicetest.Variant{Edits: tuned.Edits{Set: func(c *device.Caps, set *tune.Set) {
				tiny := tune.Tiny(c.CPUShape)
				edit(set, &tiny)
			}}})
			require.Equal(t, want, sets(s), "small tiles %s", name)
		}
	}
}

// byStack are bounds and depths, in the order of slots: each interval is entered when it is closed.
func byStack(lcp []uint32) []jobsuites.Interval {
	n := len(lcp)
	at := make([]jobsuites.Interval, n+1)
	var stack []int // slots that stand for open intervals
	for j := 1; j <= n; j++ {
		left := j - 1
		for len(stack) > 0 && (j == n || lcp[stack[len(stack)-1]] > lcp[j]) {
			top := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			at[top].Right = uint32(j - 1)
			left = int(at[top].Left)
		}
		if j < n && (len(stack) == 0 || lcp[stack[len(stack)-1]] < lcp[j]) {
			at[j] = jobsuites.Interval{Left: uint32(left), Depth: lcp[j], Position: uint32(left)}
			stack = append(stack, j)
		}
	}
	return slices.DeleteFunc(at, func(i jobsuites.Interval) bool { return i.Right == 0 })
}

// listed are all intervals, in two parts.
func listed(t *testing.T, s *device.Session, a arrays) (list []jobsuites.Interval) {
	n := len(a.sa)
	in, inputs := a.on(t, s)
	part := n/2 + 1
	p, err := intervals.New(s, n, part, intervals.Options{})
	require.NoError(t, err)
	ws, guards := devicetest.Workspace(t, s, p.Workspace())
	defer ws.Release()
	x := p.Index(ws, in)
	out, kept := newOutput(t, s, part, false), devicetest.Guard[uint64](t, s, 1)
	for first := 0; first < n; first += part {
		x.List(ws, first, min(part, n-first), 0, out.Output, kept.Buffer)
		m, err := kept.Slice()
		require.NoError(t, err)
		list, err = read(list, out.Output, int(m[0]))
		require.NoError(t, err)
	}
	require.NoError(t, guards.Intact())
	for _, g := range inputs {
		g.Release()
	}
	for _, g := range out.guards {
		g.Release()
	}
	kept.Release()
	return list
}

func TestMisuse(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		s := e.Session
		_, err := intervals.New(s, limits.MaxLen+1, 1, intervals.Options{})
		require.True(t, device.IsTooLarge(err), err)
		_, err = intervals.New(s, 10, 10, intervals.Options{Filter: intervals.Filter{MinDocuments: 2}})
		require.ErrorContains(t, err, "document array")
		p, err := intervals.New(s, 10, 5, intervals.Options{})
		require.NoError(t, err)
		_, err = intervals.NewBest(p, 0, intervals.ByCount)
		require.ErrorContains(t, err, "the best 0")
		maximal, err := intervals.New(s, 10, 5, intervals.Options{Filter: intervals.Filter{LeftMaximal: true}})
		require.NoError(t, err)
		long, ten := devicetest.Guard[uint32](t, s, 11).Buffer, devicetest.From(t, s, make([]uint32, 10)).Buffer
		ws, _ := devicetest.Workspace(t, s, maximal.Workspace())
		kept := devicetest.Guard[uint64](t, s, 1).Buffer
		for name, misuse := range map[string]func(){
			"long":   func() { p.Index(ws, intervals.Arrays{SA: long, LCP: long}) },
			"lcp":    func() { p.Index(ws, intervals.Arrays{SA: ten, LCP: ten.View(0, 9)}) },
			"before": func() { maximal.Index(ws, intervals.Arrays{SA: ten, LCP: ten}) },
			"part": func() {
				x := p.Index(ws, intervals.Arrays{SA: ten, LCP: ten})
				x.List(ws, 0, 6, 0, newOutput(t, s, 10, false).Output, kept)
			},
			"room": func() {
				x := p.Index(ws, intervals.Arrays{SA: ten, LCP: ten})
				x.List(ws, 0, 5, 0, newOutput(t, s, 4, false).Output, kept)
			},
			"text":      func() { intervals.NewBefore[uint32](s).Run(long, ten, ten) },
			"documents": func() { intervals.NewDocuments(s).Run(ten, ten.View(0, 0), ten) },
		} {
			ws.Reset(0)
			misuse()
			require.ErrorContains(t, e.Err(), "intervals:", name)
			e.Recover()
		}
	})
}

// Limits take away what is too long, and cut where they say so; no other entry changes.
func TestLimits(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		rng := rand.New(rand.NewPCG(1, 9))
		shape := tuned.Of(e.Session).Intervals
		tile := min(shape.WG*shape.Items, 3000)
		for _, n := range []int{1, tile - 1, tile, tile + 1, 2*tile + 5} {
			if n < 1 {
				continue
			}
			sa, lcp, want, longest := make([]uint32, n), make([]uint32, n), make([]uint32, n), make([]uint8, n)
			for j, i := range rng.Perm(n) {
				sa[j], lcp[j], longest[i] = uint32(i), uint32(rng.IntN(150)), uint8(rng.IntN(256))
			}
			for j := range want {
				want[j] = lcp[j]
				if limit := longest[sa[j]]; lcp[j] > uint32(limit&intervals.MaxLimit) {
					want[j] = math.MaxUint32
					if limit&intervals.Cut != 0 {
						want[j] = uint32(limit & intervals.MaxLimit)
					}
				}
			}
			onSA, onLongest, onLCP := devicetest.From(t, e.Session, sa), devicetest.From(t, e.Session, longest),
				devicetest.From(t, e.Session, lcp)
			intervals.NewLimits(e.Session).Run(onSA.Buffer, onLongest.Buffer, onLCP.Buffer)
			got, err := onLCP.Slice()
			require.NoError(t, err)
			require.Equal(t, want, got)
			for _, g := range []interface{ Release() }{onSA, onLongest, onLCP} {
				g.Release()
			}
		}
		short := devicetest.Guard[uint32](t, e.Session, 2)
		defer short.Release()
		limits := devicetest.Guard[uint8](t, e.Session, 1)
		defer limits.Release()
		intervals.NewLimits(e.Session).Run(short.Buffer, limits.Buffer, short.Buffer)
		require.ErrorContains(t, e.Session.Finish(), "limits of 1")
		e.Session.Recover()
	})
}
