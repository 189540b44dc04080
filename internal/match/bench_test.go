package match_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/lcp"
	"github.com/suffixcl/suffixcl/internal/match"
	"github.com/suffixcl/suffixcl/internal/patternset"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/patterns"
	"github.com/suffixcl/suffixcl/prefixdoubling"
)

// BenchmarkSearch measures searches for reads of 100 bases of celegans.50MB.dna, or of
// random bases where SUFFIXCL_CORPORA does not lead to it: FM-index, suffix array, tree.
// On a GPU 10^7 reads of 5 * 10^7 bases, elsewhere a hundredth.
func BenchmarkSearch(b *testing.B) {
	devicetest.Devices(b)
	s, err := device.Open(device.Config{})
	require.NoError(b, err)
	defer s.Close()
	n, count, length := 50_000_000, 10_000_000, 100
	if s.Caps().Kind() != "gpu" {
		n, count = n/100, count/100
	}
	rng := rand.New(rand.NewPCG(1, 1))
	text, err := os.ReadFile(filepath.Join(os.Getenv("SUFFIXCL_CORPORA"), "celegans.50MB.dna"))
	if err != nil {
		text = make([]byte, n)
		for i := range text {
			text[i] = "ACGT"[rng.IntN(4)]
		}
	}
	text = text[:min(len(text), n)]
	n = len(text)
	var reads patterns.Batch
	for i := range count {
		at := rng.IntN(n - length)
		require.NoError(b, reads.Add(text[at:at+length]))
		if i%2 == 1 {
			reads.Text[len(reads.Text)-1-rng.IntN(length)] = "ACGT"[rng.IntN(4)]
		}
	}
	in, err := device.Alloc[uint8](s, n)
	require.NoError(b, err)
	defer in.Release()
	arrays := make([]*device.Buffer[uint32], 3)
	for i := range arrays {
		arrays[i], err = device.Alloc[uint32](s, n)
		require.NoError(b, err)
		defer arrays[i].Release()
	}
	sa := arrays[0]
	require.NoError(b, in.Upload(b.Context(), text, nil))
	sorter, err := prefixdoubling.NewOsipov(s, n)
	require.NoError(b, err)
	require.NoError(b, sorter.Allocate())
	require.NoError(b, sorter.Run(b.Context(), in, sa, nil))
	sorter.Release()
	lengths, err := lcp.New(s, n)
	require.NoError(b, err)
	ws, err := device.NewWorkspace(s, lengths.Workspace())
	require.NoError(b, err)
	lengths.Run(ws, in, sa, arrays[1], arrays[2])

	layout := device.NewLayout("patterns")
	slots := patternset.Reserve(layout, count, len(reads.Text))
	intervals := device.Reserve[[2]uint32](layout, "intervals", count)
	firsts := device.Reserve[uint64](layout, "firsts", count+1)
	require.NoError(b, layout.Allocate(s))
	defer layout.Release(s)
	began := time.Now()
	set, err := slots.Upload(b.Context(), s, &reads)
	require.NoError(b, err)
	b.Logf("%d reads of %d of %d bases; upload %v", count, length, n, time.Since(began))
	found := intervals.Buffer(s)
	measure := func(name string, f func()) {
		b.Run(name, func(b *testing.B) {
			f()
			require.NoError(b, s.Finish())
			b.ResetTimer()
			for range b.N {
				f()
			}
			require.NoError(b, s.Finish())
			each := b.Elapsed().Seconds() / float64(b.N)
			b.ReportMetric(float64(count)/each/1e6, "Mreads/s")
			b.ReportMetric(float64(count*length)/each/1e9, "Gchar/s")
		})
	}
	timed := func(name string, f func()) {
		require.NoError(b, s.Finish())
		began := time.Now()
		f()
		require.NoError(b, s.Finish())
		fmt.Printf("%s: %v\n", name, time.Since(began))
	}

	a, err := match.NewArray(s, n, fmindex.Histogram(text))
	require.NoError(b, err)
	defer a.Release()
	timed("table of strings", func() { require.NoError(b, a.Build(in, sa)) })
	tree, err := match.NewTree(s, n)
	require.NoError(b, err)
	defer tree.Release()
	timed("tree", func() { require.NoError(b, tree.Build(in, sa, arrays[2])) })
	builder,
		err := fmindex.NewBuilder(s,
		fmindex.Header{Length: n, Counts: *fmindex.Histogram(text), Alphabet: fmindex.DNA, Rate: 32,
			Separator: fmindex.NoSeparator})
	require.NoError(b, err)
	require.NoError(b, builder.Allocate())
	var x *fmindex.Index
	timed("FM-index", func() {
		x, err = builder.Run(b.Context(), in, sa)
		require.NoError(b, err)
	})
	builder.Release()
	defer x.Release()
	var check [3][]([2]uint32)
	for i, search := range []func(){
		func() { a.Search(in, sa, set, nil, found) }, func() { tree.Search(in, sa, set, found) },
		func() { x.Count(set, found) }} {
		check[i] = make([][2]uint32, count)
		search()
		require.NoError(b, found.Download(b.Context(), check[i], nil))
	}
	for q := range count {
		require.True(b, check[0][q] == check[1][q] && check[2][q][1]-check[2][q][0] == check[0][q][1]-check[0][q][0],
			"%d: %v %v %v", q, check[0][q], check[1][q], check[2][q])
	}
	measure("array", func() { a.Search(in, sa, set, nil, found) })
	sorting := device.NewLayout("order")
	order := a.ReserveOrder(sorting, count)
	require.NoError(b, sorting.Allocate(s))
	defer sorting.Release(s)
	if order != nil {
		measure("array, in order", func() { a.Search(in, sa, set, order, found) })
	}
	measure("paper", func() { a.SearchPaper(in, sa, set, found) })
	measure("tree", func() { tree.Search(in, sa, set, found) })
	measure("fmindex", func() { x.Count(set, found) })

	// What sorting the reads first could gain: neighbours share what they read.
	lines := make([][]byte, count)
	for q := range lines {
		lines[q] = reads.Pattern(q)
	}
	slices.SortFunc(lines, bytes.Compare)
	var sorted patterns.Batch
	for _, read := range lines {
		require.NoError(b, sorted.Add(read))
	}
	set, err = slots.Upload(b.Context(), s, &sorted)
	require.NoError(b, err)
	measure("array, sorted reads", func() { a.Search(in, sa, set, nil, found) })
	measure("fmindex, sorted reads", func() { x.Count(set, found) })
	set, err = slots.Upload(b.Context(), s, &reads)
	require.NoError(b, err)

	number := patternset.NewNumbering(s, count)
	numbering, err := device.NewWorkspace(s, number.Workspace())
	require.NoError(b, err)
	defer numbering.Release()
	number.Run(numbering, found, count, firsts.Buffer(s))
	var total [1]uint64
	require.NoError(b, firsts.Buffer(s).View(count, 1).Read(total[:]))
	m := int(min(total[0], uint64(2*count)))
	positions, err := device.Alloc[uint32](s, m)
	require.NoError(b, err)
	defer positions.Release()
	b.Run("locate", func(b *testing.B) {
		for range b.N {
			x.Locate(found, firsts.Buffer(s), count, 0, m, positions)
		}
		require.NoError(b, s.Finish())
		b.ReportMetric(float64(m)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mpositions/s")
	})
	ws.Release()
}
