package match_test

import (
	"bytes"
	"index/suffixarray"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/match"
	"github.com/suffixcl/suffixcl/internal/patternset"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

func TestMatch(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		rng := rand.New(rand.NewPCG(1, 9))
		var texts [][]byte
		for text := range conformance.Exhaustive("ab", min(e.Suite.MaxExhaustive2, 4)) {
			texts = append(texts, slices.Clone(text))
		}
		for _, sigma := range []int{1, 2, 4, 5, 256} {
			for _, n := range []int{1, 15, 16, 17, 31, 33, 255, 257, 1000} {
				text := make([]byte, n)
				for i := range text {
					text[i] = byte(rng.IntN(sigma) * 256 / sigma)
				}
				texts = append(texts, text)
			}
		}
		texts = append(texts, bytes.Repeat([]byte("abaab"), 200))
		for _, n := range []int{30, 64, 300, 1500} { // packed, but for some words
			for _, others := range []string{"$", "N", "BN\x00~\xc1"} {
				text := make([]byte, n)
				for i := range text {
					if text[i] = "ACGT"[rng.IntN(4)]; rng.IntN(40) == 0 {
						text[i] = others[rng.IntN(len(others))]
					}
				}
				copy(text[n/2:], text[:n/3]) // so that long patterns occur twice
				texts = append(texts, text)
			}
		}
		if e.Caps().Vendor == driver.Oclgrind { // slow
			texts = slices.DeleteFunc(texts, func(text []byte) bool { return len(text) > 300 })
		} else if e.Variant == "native" {
			for _, name := range []string{"random/sigma=4", "fibonacci"} {
				large, err := conformance.NewText(name, e.Suite.Large/16, 3)
				require.NoError(t, err)
				texts = append(texts, large)
			}
		}
		for _, text := range texts {
			testSearches(t, e.Session, text, devicetest.Queries(e.Session, text, rng))
		}
	})
}

func testSearches(t *testing.T, s *device.Session, text []byte, list [][]byte) {
	n := len(text)
	array := conformance.ReferenceSuffixArray(text)
	in, sa := devicetest.From(t, s, text), devicetest.From(t, s, array)
	lengths := devicetest.From(t, s, conformance.ReferenceLCP(text, array))
	defer in.Release()
	defer sa.Release()
	defer lengths.Release()
	a, err := match.NewArray(s, n, fmindex.Histogram(text))
	require.NoError(t, err)
	defer a.Release()
	require.NoError(t, a.Build(in.Buffer, sa.Buffer))
	tree, err := match.NewTree(s, n)
	require.NoError(t, err)
	defer tree.Release()
	require.NoError(t, tree.Build(in.Buffer, sa.Buffer, lengths.Buffer))
	nodes := make([]uint32, tree.Nodes().Len())
	require.NoError(t, tree.Nodes().Download(t.Context(), nodes, nil))
	set, batch := devicetest.Patterns(t, s, list)

	host := match.Host{Text: text, SA: array, Nodes: nodes}
	want, found := make([][2]uint32, len(list)), make([][2]uint32, len(list))
	host.SearchArray(batch, 2, want)
	host.SearchTree(batch, 3, found)
	require.Equal(t, want, found, "tree on the host, %.200q", text)
	oracle := suffixarray.New(text)
	for q, pattern := range list {
		positions := []int{}
		for j := want[q][0]; j < want[q][1]; j++ {
			positions = append(positions, int(array[j]))
		}
		expected := oracle.Lookup(pattern, -1)
		require.ElementsMatch(t, expected, positions, "%q in %.200q", pattern, text)
	}
	order := reserveOrder(t, s, a, len(list))
	for name, search := range map[string]func(*device.Buffer[[2]uint32]){
		"array":           func(found *device.Buffer[[2]uint32]) { a.Search(in.Buffer, sa.Buffer, set, nil, found) },
		"array, in order": func(found *device.Buffer[[2]uint32]) { a.Search(in.Buffer, sa.Buffer, set, order, found) },
		"paper":           func(found *device.Buffer[[2]uint32]) { a.SearchPaper(in.Buffer, sa.Buffer, set, found) },
		"tree":            func(found *device.Buffer[[2]uint32]) { tree.Search(in.Buffer, sa.Buffer, set, found) },
	} {
		intervals := devicetest.Guard[[2]uint32](t, s, len(list))
		search(intervals.Buffer)
		got, err := intervals.Slice()
		require.NoError(t, err)
		for q := range want {
			require.Equal(t, want[q], got[q], "%s: %q in %.200q", name, list[q], text)
		}
		intervals.Release()
	}
}

// reserveOrder allocates an Order for the test; nil where the device has none.
func reserveOrder(t *testing.T, s *device.Session, a *match.Array, count int) *match.Order {
	l := device.NewLayout("order")
	order := a.ReserveOrder(l, count)
	require.NoError(t, l.Allocate(s))
	t.Cleanup(func() { l.Release(s) })
	return order
}

// Parts of a batch.
func TestOrder(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		rng := rand.New(rand.NewPCG(6, 9))
		tuned.Of(e.Session).Search.Order, tuned.Of(e.Session).Search.OrderText = 2, 2
		count := 2000
		if e.Caps().Vendor == driver.Mesa || e.Caps().Vendor == driver.Oclgrind { // slow
			count = 100
		}
		for _, letters := range []string{"ACGT", "abcdefghijklmnop", "\xe9"} {
			text := make([]byte, 3000)
			for i := range text {
				text[i] = letters[rng.IntN(len(letters))]
			}
			var list [][]byte
			for range count {
				at := rng.IntN(len(text))
				pattern := slices.Clone(text[at:min(at+rng.IntN(40), len(text))])
				if len(pattern) > 0 && rng.IntN(3) == 0 {
					pattern[rng.IntN(len(pattern))] = "ACGTN\xff"[rng.IntN(6)]
				}
				list = append(list, pattern)
			}
			in, sa := devicetest.From(t, e.Session, text), devicetest.From(t, e.Session, conformance.ReferenceSuffixArray(text))
			a, err := match.NewArray(e.Session, len(text), fmindex.Histogram(text))
			require.NoError(t, err)
			defer a.Release()
			require.NoError(t, a.Build(in.Buffer, sa.Buffer))
			order := reserveOrder(t, e.Session, a, count/2)
			require.Equal(t, len(letters) == 1, order == nil)
			set, _ := devicetest.Patterns(t, e.Session, list)
			var found [2][][2]uint32
			for i, order := range []*match.Order{nil, order} {
				intervals := devicetest.Guard[[2]uint32](t, e.Session, len(list))
				for _, part := range [][2]int{{0, 1}, {1, count / 2}, {count / 2, count}} {
					piece := set
					piece.First, piece.Len = part[0], part[1]-part[0]
					a.Search(in.Buffer, sa.Buffer, piece, order, intervals.Buffer)
				}
				found[i], err = intervals.Slice()
				require.NoError(t, err)
			}
			require.Equal(t, found[0], found[1])
			if order != nil {
				a.Search(in.Buffer, sa.Buffer, set, order, devicetest.Guard[[2]uint32](t, e.Session, len(list)).Buffer)
				require.ErrorContains(t, e.Finish(), "room for")
				e.Recover()
			}
		}
	})
}

func TestLocate(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		s, text := e.Session, bytes.Repeat([]byte("abcab"), 30)
		array := conformance.ReferenceSuffixArray(text)
		in, sa := devicetest.From(t, s, text), devicetest.From(t, s, array)
		a, err := match.NewArray(s, len(text), fmindex.Histogram(text))
		require.NoError(t, err)
		defer a.Release()
		require.NoError(t, a.Build(in.Buffer, sa.Buffer))
		list := [][]byte{nil, []byte("ab"), []byte("x"), []byte("c"), []byte("bc"), nil}
		set, _ := devicetest.Patterns(t, s, list)
		intervals, firsts := devicetest.Guard[[2]uint32](t, s, len(list)), devicetest.Guard[uint64](t, s, len(list)+1)
		number := patternset.NewNumbering(s, len(list))
		ws, _ := devicetest.Workspace(t, s, number.Workspace())
		a.Search(in.Buffer, sa.Buffer, set, nil, intervals.Buffer)
		number.Run(ws, intervals.Buffer, len(list), firsts.Buffer)
		numbers, err := firsts.Slice()
		require.NoError(t, err)
		require.Equal(t, []uint64{0, 0, 60, 60, 90, 120, 120}, numbers)
		positions := devicetest.Guard[uint32](t, s, 50)
		a.Locate(sa.Buffer, intervals.Buffer, firsts.Buffer, len(list), 55, 50, positions.Buffer)
		got, err := positions.Slice()
		require.NoError(t, err)
		rows, err := intervals.Slice()
		require.NoError(t, err)
		var want []uint32
		for _, r := range rows {
			want = append(want, array[r[0]:r[1]]...)
		}
		require.Equal(t, want[55:105], got)
	})
}

// Arrays that do not belong to the text give nonsense, inside the buffers, and end.
func TestForeignArray(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		rng := rand.New(rand.NewPCG(5, 9))
		s, text := e.Session, make([]byte, 500)
		for i := range text {
			text[i] = byte("ACGT"[rng.IntN(4)])
		}
		for range 4 {
			array, lengths := make([]uint32, len(text)), make([]uint32, len(text))
			for j := range array {
				array[j] = rng.Uint32() >> rng.IntN(32)
				lengths[j] = rng.Uint32() >> rng.IntN(32)
			}
			lengths[0] = 0
			in, sa, lcp := devicetest.From(t, s, text), devicetest.From(t, s, array), devicetest.From(t, s, lengths)
			a, err := match.NewArray(s, len(text), fmindex.Histogram(text))
			require.NoError(t, err)
			require.NoError(t, a.Build(in.Buffer, sa.Buffer))
			tree, err := match.NewTree(s, len(text))
			require.NoError(t, err)
			require.NoError(t, tree.Build(in.Buffer, sa.Buffer, lcp.Buffer))
			set, _ := devicetest.Patterns(t, s, devicetest.Queries(e.Session, text, rng))
			intervals := devicetest.Guard[[2]uint32](t, s, set.Len)
			a.Search(in.Buffer, sa.Buffer, set, nil, intervals.Buffer)
			a.SearchPaper(in.Buffer, sa.Buffer, set, intervals.Buffer)
			tree.Search(in.Buffer, sa.Buffer, set, intervals.Buffer)
			_, err = intervals.Slice()
			require.NoError(t, err)
			a.Release()
			tree.Release()
		}
	})
}

func TestMisuse(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		_, err := match.NewArray(e.Session, limits.MaxLen+1, new([256]uint64))
		require.True(t, device.IsTooLarge(err), err)
		a, err := match.NewArray(e.Session, 5, fmindex.Histogram([]byte("abcde")))
		require.NoError(t, err)
		defer a.Release()
		text, sa := devicetest.Guard[uint8](t, e.Session, 6), devicetest.Guard[uint32](t, e.Session, 6)
		require.ErrorContains(t, a.Build(text.Buffer, sa.Buffer), "planned for 5")
	})
}
