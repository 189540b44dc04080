package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/match"
	"github.com/suffixcl/suffixcl/internal/patternset"
	"github.com/suffixcl/suffixcl/patterns"
)

// Matching is the comparison of Liao, Sun, Ma & Qin: suffix array and suffix tree, CPU and
// device, for sets of queries of which half are pieces of the reference, and half such
// pieces with one base of twenty changed.
type Matching struct {
	Reference []byte
	Length    int   // of a query
	Queries   []int // sizes of the sets
	Threads   []int // of the CPU
	MostOnCPU int   // larger sets are left to the device
	Progress  func(format string, args ...any)
}

// MatchingRow is one measurement; times in seconds.
type MatchingRow struct {
	Method  string  `json:"method"` // "array", "tree", "paper's array": two searches from the first character
	Where   string  `json:"where"`  // "cpu" or "device"
	Threads int     `json:"threads,omitempty"`
	Queries int     `json:"queries"`
	Index   float64 `json:"index_transfer_s"` // transfers to the device
	Upload  float64 `json:"query_transfer_s"`
	Kernel  float64 `json:"kernel_s"` // on the CPU, the search
	Result  float64 `json:"result_transfer_s"`
}

// Total is what the paper calls the runtime.
func (r MatchingRow) Total() float64 { return r.Index + r.Upload + r.Kernel + r.Result }

// MatchingSize is the size of an index in bytes.
type MatchingSize struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
}

// MatchingReport is what Run measures.
type MatchingReport struct {
	Reference int            `json:"reference"`
	Length    int            `json:"query_length"`
	Found     int            `json:"found"` // queries of the largest set that occur
	Sizes     []MatchingSize `json:"sizes"`
	Rows      []MatchingRow  `json:"rows"`
}

// Run measures on s, which it closes. All methods must find the same.
func (m *Matching) Run(ctx context.Context, s *device.Session) (*MatchingReport, error) {
	e, err := suffixcl.New(s, suffixcl.EngineOptions{KeepMemory: -1})
	if err != nil {
		return nil, err
	}
	defer e.Close()
	text, n := m.Reference, len(m.Reference)
	r := &MatchingReport{Reference: n, Length: m.Length}
	m.Progress("suffix array, LCP array and tree of %d characters", n)
	sa, err := e.SuffixArray(ctx, text)
	if err != nil {
		return nil, err
	}
	known, err := e.Arrays(suffixcl.Bytes(text), suffixcl.Want{LCP: true, Known: sa}).All(ctx)
	if err != nil {
		return nil, err
	}
	batch, err := m.queries(slices.Max(m.Queries))
	if err != nil {
		return nil, err
	}

	u := &setup{ctx: ctx, s: s}
	defer u.releaseAll()
	in, array := upload(u, text), upload(u, sa)
	if u.err != nil {
		return nil, u.err
	}
	search, err := match.NewArray(s, n, fmindex.Histogram(text))
	if err != nil {
		return nil, err
	}
	defer search.Release()
	if err := search.Build(in, array); err != nil {
		return nil, err
	}
	tree, err := match.NewTree(s, n)
	if err != nil {
		return nil, err
	}
	defer tree.Release()
	lcp := upload(u, known.LCP)
	if u.err != nil {
		return nil, u.err
	}
	if err := tree.Build(in, array, lcp); err != nil {
		return nil, err
	}
	nodes := make([]uint32, tree.Nodes().Len())
	if err := tree.Nodes().Download(ctx, nodes, nil); err != nil {
		return nil, err
	}
	host := match.Host{Text: text, SA: sa, Nodes: nodes}
	if r.Sizes, err = m.sizes(search, nodes); err != nil {
		return nil, err
	}

	l := device.NewLayout("patterns")
	slots := patternset.Reserve(l, batch.Len(), len(batch.Text))
	slot := device.Reserve[[2]uint32](l, "intervals", batch.Len())
	order := search.ReserveOrder(l, batch.Len())
	if err := l.Allocate(s); err != nil {
		return nil, err
	}
	defer l.Release(s)
	intervals := slot.Buffer(s)
	want, got := make([][2]uint32, batch.Len()), make([][2]uint32, batch.Len())

	// The index goes to the device once for each set, as in the paper. What is best of
	// three is what the transfers and the kernel can do.
	arrayTransfer, err := bestOf(ctx, s, 3, func() error {
		if err := in.Upload(ctx, text, nil); err != nil {
			return err
		}
		return array.Upload(ctx, sa, nil)
	})
	if err != nil {
		return nil, err
	}
	nodesTransfer, err := bestOf(ctx, s, 3, func() error { return tree.Nodes().Upload(ctx, nodes, nil) })
	if err != nil {
		return nil, err
	}
	for _, queries := range m.Queries {
		part := &patterns.Batch{Offsets: batch.Offsets[:queries+1], Text: batch.Text[:batch.Offsets[queries]]}
		var set patternset.Set
		up, err := bestOf(ctx, s, 2, func() error {
			set, err = slots.Upload(ctx, s, part)
			return err
		})
		if err != nil {
			return nil, err
		}
		for i, method := range []struct {
			name   string
			index  float64
			search func()
		}{
			{"paper's array", arrayTransfer, func() { search.SearchPaper(in, array, set, intervals) }},
			{"array", arrayTransfer, func() { search.Search(in, array, set, order, intervals) }},
			{"tree", arrayTransfer + nodesTransfer, func() { tree.Search(in, array, set, intervals) }},
		} {
			kernel, err := bestOf(ctx, s, 3, func() error {
				method.search()
				return s.Finish()
			})
			if err != nil {
				return nil, err
			}
			down, err := bestOf(ctx, s, 2, func() error { return intervals.Download(ctx, got[:queries], nil) })
			if err != nil {
				return nil, err
			}
			if i == 0 {
				copy(want, got[:queries])
			}
			if err := m.equal(method.name, want, got, queries); err != nil {
				return nil, err
			}
			r.Rows = append(r.Rows, MatchingRow{method.name, "device", 0, queries, method.index, up, kernel, down})
			m.Progress("%d queries, %s on the device: %.3g s in the kernel", queries, method.name, kernel)
		}
		if queries > m.MostOnCPU {
			continue
		}
		for _, threads := range m.Threads {
			for _, method := range []struct {
				name string
				find func(*patterns.Batch, int, [][2]uint32)
			}{{"array", host.SearchArray}, {"tree", host.SearchTree}} {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				began := time.Now()
				method.find(part, threads, got)
				took := time.Since(began).Seconds()
				if err := m.equal(method.name, want, got, queries); err != nil {
					return nil, err
				}
				r.Rows = append(r.Rows, MatchingRow{
					Method: method.name, Where: "cpu", Threads: threads, Queries: queries, Kernel: took,
				})
				m.Progress("%d queries, %s on the CPU, %d threads: %.3g s", queries, method.name, threads, took)
			}
		}
	}
	for _, interval := range want {
		if interval[0] < interval[1] {
			r.Found++
		}
	}
	return r, nil
}

func (m *Matching) equal(method string, want, got [][2]uint32, queries int) error {
	for q := range queries {
		if got[q] != want[q] {
			return fmt.Errorf("query %d: %s finds slots %v, the paper's array %v", q, method, got[q], want[q])
		}
	}
	return nil
}

func bestOf(ctx context.Context, s *device.Session, rounds int, f func() error) (float64, error) {
	var best float64
	for round := range rounds {
		if err := s.Check(ctx); err != nil {
			return 0, err
		}
		began := time.Now()
		if err := f(); err != nil {
			return 0, err
		}
		if took := time.Since(began).Seconds(); round == 0 || took < best {
			best = took
		}
	}
	return best, nil
}

func (m *Matching) queries(count int) (*patterns.Batch, error) {
	if m.Length < 1 || m.Length > len(m.Reference) {
		return nil, fmt.Errorf("queries of %d characters of a reference of %d", m.Length, len(m.Reference))
	}
	rng := rand.New(rand.NewPCG(1, 1))
	b := &patterns.Batch{Text: make([]byte, 0, count*m.Length), Offsets: make([]uint32, 0, count+1)}
	for q := range count {
		at := rng.IntN(len(m.Reference) - m.Length + 1)
		if err := b.Add(m.Reference[at : at+m.Length]); err != nil {
			return nil, err
		}
		if q%2 == 1 {
			query := b.Pattern(q)
			for range max(m.Length/20, 1) {
				query[rng.IntN(m.Length)] = "ACGT"[rng.IntN(4)]
			}
		}
	}
	return b, nil
}

func (m *Matching) sizes(search *match.Array, nodes []uint32) ([]MatchingSize, error) {
	n := int64(len(m.Reference))
	h := fmindex.Header{
		Length:    int(n),
		Primary:   int(min(n, 1)),
		Counts:    *fmindex.Histogram(m.Reference),
		Rate:      32,
		Separator: fmindex.NoSeparator,
		Alphabet:  fmindex.DNA,
	}
	count, locate, err := h.Bytes()
	array := n + 4*n
	return []MatchingSize{
		{"suffix array and text", array},
		{"suffix tree, suffix array and text", array + 4*int64(len(nodes))},
		{"table of strings, packed text", search.Memory().Device()},
		{"FM-index, to count", count},
		{"FM-index, samples to locate", locate},
	}, err
}
