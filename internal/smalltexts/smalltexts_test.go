package smalltexts_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/smalltexts"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// sorter is New, for texts that a service has room for twice.
func sorter(s *device.Session, n int) (devicetest.Sorter, error) {
	return smalltexts.New(s, min(n, smalltexts.Longest(s.Caps())))
}

// longest is the longest text that tests of an environment have.
func longest(e devicetest.Env) int { return min(e.Suite.Large, smalltexts.Longest(e.Caps())/2) }

func TestConformance(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		set := tuned.Of(e.Session).SmallTexts
		e.Suite.Tile = min(set.Long.WG*set.Long.Items, 200)
		e.Suite.Large = longest(e)
		conformance.Run(t, conformance.SuffixArray(devicetest.SorterService(t, e.Session, sorter), e.Suite))
	})
}

// batch sorts texts in one batch: as many as there is room for, of up to n bytes.
func batch(t *testing.T, s *device.Session, n, room int, texts [][]byte) {
	t.Helper()
	p, err := smalltexts.NewBatch(s, n, room)
	require.NoError(t, err)
	defer p.Release()
	before := s.LiveBytes()
	require.NoError(t, p.Allocate())
	require.Equal(t, p.Memory().Device(), s.LiveBytes()-before)

	bounds := make([]uint32, 1, len(texts)+1)
	for _, text := range texts {
		bounds = append(bounds, bounds[len(bounds)-1]+uint32(len(text)))
	}
	all := slices.Concat(texts...)
	const header = 5 // the texts are a part of a buffer, and so are the transforms
	memory := devicetest.From(t, s, slices.Concat(make([]byte, header), all))
	on := smalltexts.Texts{
		Bytes:  memory.View(header, len(all)),
		Bounds: devicetest.From(t, s, bounds).Buffer,
		Count:  len(texts),
		Most:   n,
	}
	sa, transforms := devicetest.Guard[uint32](t, s, len(all)), devicetest.Guard[uint8](t, s, header+len(all))
	primaries := devicetest.Guard[uint32](t, s, len(texts))
	for range 2 { // the second time finds what the first has left
		p.SuffixArrays(on, sa.Buffer)
		p.Transforms(on, transforms.View(header, len(all)), primaries.Buffer)
		arrays, err := sa.Slice()
		require.NoError(t, err)
		bwts, err := transforms.Slice()
		require.NoError(t, err)
		rows, err := primaries.Slice()
		require.NoError(t, err)
		for i, text := range texts {
			got := arrays[bounds[i]:bounds[i+1]]
			require.NoError(t, conformance.CheckSuffixArray(text, got), "text %d of %d: %.40q", i, len(texts), text)
			want, row := conformance.ReferenceBWT(text, got)
			require.True(t, bytes.Equal(want, bwts[header+bounds[i]:header+bounds[i+1]]), "transform %d: %.40q", i, text)
			require.EqualValues(t, row, rows[i], "%.40q", text)
		}
	}
}

// Every text over small alphabets, of characters of one and of several bits: shorter than, as long as and longer than a
// tile.
func TestExhaustive(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		for _, c := range []struct {
			letters string
			longest int
		}{{"\x00\xff", e.Suite.MaxExhaustive2}, {"abc", e.Suite.MaxExhaustive3}, {"\x00\x01\x02\x03\x04", 4}} {
			var texts [][]byte
			level := [][]byte{{}}
			for range c.longest {
				var next [][]byte
				for _, text := range level {
					for _, letter := range []byte(c.letters) {
						next = append(next, append(slices.Clone(text), letter))
					}
				}
				texts, level = append(texts, level...), next
			}
			texts = append(texts, level...)
			batch(t, e.Session, c.longest, len(texts), texts)
			batch(t, e.Session, c.longest, 3, texts[:min(len(texts), 50)]) // several launches where memory is global
		}
	})
}

// Texts of every class and of lengths around tiles, in one batch, and with room for much longer ones.
func TestBatches(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		set := tuned.Of(e.Session).SmallTexts
		short, long := set.Short.WG*set.Short.Items, set.Long.WG*set.Long.Items
		lengths := []int{1, 2, 3, 31, 32, 33, 47, 48, 49, 50, 128, 1000}
		for _, n := range []int{short, long, 2 * long, 4 * long} {
			lengths = append(lengths, n-1, n, n+1)
		}
		lengths = slices.DeleteFunc(lengths, func(n int) bool { return n > longest(e) })
		texts := [][]byte{{}, {}}
		for i, class := range []string{
			"equal/0", "equal/255", "periodic/p=7", "periodic/broken", "fibonacci", "thue-morse", "staircase",
			"extremes", "trailing-zeros", "random/sigma=2", "random/sigma=4", "random/sigma=256", "repeats/sigma=26",
		} {
			for _, n := range lengths {
				text, err := conformance.NewText(class, n, uint64(i+1))
				if n < 8 && err != nil {
					continue // some classes have no texts as short as that
				}
				require.NoError(t, err)
				texts = append(texts, text)
			}
		}
		rng := rand.New(rand.NewPCG(1, 2))
		rng.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
		for _, n := range []int{short, long, longest(e)} {
			some := slices.Clone(texts)
			some = slices.DeleteFunc(some, func(text []byte) bool { return len(text) > n })
			batch(t, e.Session, n, len(some), some)
			batch(t, e.Session, n, 2, some[:min(5, len(some))])
		}
		batch(t, e.Session, 10, 4, nil)
		batch(t, e.Session, 0, 2, [][]byte{{}, {}})
	})
}

// The kernels of both shapes, on texts so short that a simulator, which looks for races, takes seconds.
func TestShapes(t *testing.T) {
	for _, cpu := range []bool{true, false} {
		s, err := tuned.Open(device.Config{Device: devicetest.Devices(t)[0]}, tuned.Edits{
			Caps: func(c *device.Caps) { c.CPUShape = cpu },
			Set:  func(_ *device.Caps, set *tune.Set) { *set = tune.Tiny(cpu) },
		})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, s.Close()) })
		if !cpu {
			devicetest.NeedWorkGroups(t, s)
		}
		tile := tuned.Of(s).SmallTexts.Long
		for _, n := range []int{2, tile.WG * tile.Items, 100} { // short, in a tile, in several
			var texts [][]byte
			for i, class := range []string{"equal/0", "fibonacci", "random/sigma=4", "repeats/sigma=26"} {
				text, err := conformance.NewText(class, n-i%2, uint64(i+1))
				require.NoError(t, err)
				texts = append(texts, text)
			}
			batch(t, s, n, 3, texts)
		}
	}
}

// The longest text, whose ranks take all of 16 bits.
func TestLongest(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		n := smalltexts.Longest(e.Caps())
		for _, class := range []string{"random/sigma=4", "equal/255", "fibonacci", "repeats/sigma=26"} {
			text, err := conformance.NewText(class, n, 1)
			require.NoError(t, err)
			batch(t, e.Session, n, 1, [][]byte{text})
		}
	})
}

func TestAlone(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		devicetest.SorterMemory(t, e, func(s *device.Session, n int) (devicetest.Sorter, error) {
			return sorter(s, n)
		})
		devicetest.SorterProgress(t, e, sorter, []byte("one call for one text"),
			func(int, int64) bool { return true }, func(call int, _ int64) bool { return call == 2 })
		devicetest.SorterTooLong(t, e, func(s *device.Session, n int) (devicetest.Sorter, error) {
			return smalltexts.New(s, n)
		}, smalltexts.Longest(e.Caps()))

		for n := range 60 {
			text, err := conformance.NewText("random/sigma=2", n, 1)
			require.NoError(t, err)
			p, err := smalltexts.New(e.Session, n)
			require.NoError(t, err)
			require.NoError(t, p.Allocate())
			in, out := devicetest.From(t, e.Session, text), devicetest.Guard[uint8](t, e.Session, n)
			primary, err := p.RunBWT(t.Context(), in.Buffer, nil, out.Buffer, nil)
			require.NoError(t, err)
			got, err := out.Slice()
			require.NoError(t, err)
			want, row := conformance.ReferenceBWT(text, conformance.ReferenceSuffixArray(text))
			require.Equal(t, row, primary)
			require.True(t, bytes.Equal(want, got))
			p.Release()
		}
		p, err := smalltexts.New(e.Session, 10)
		require.NoError(t, err)
		in, out := devicetest.Guard[uint8](t, e.Session, 10), devicetest.Guard[uint8](t, e.Session, 9)
		_, err = p.RunBWT(context.Background(), in.Buffer, nil, out.Buffer, nil)
		require.ErrorContains(t, err, "room for 9")
	})
}

// No step goes by what memory holds before anything has been written there.
func TestUnwritten(t *testing.T) {
	devicetest.Unwritten(t, func(t *testing.T, s *device.Session, trace *devicetest.Trace) error {
		for i, class := range []string{"equal/0", "fibonacci", "random/sigma=4", "periodic/broken", "repeats/sigma=26"} {
			for _, n := range []int{0, 1, 10, 16, 24, 100, 300} {
				text, err := conformance.NewText(class, n, uint64(i+1))
				require.NoError(t, err)
				trace.Part("%v", text)
				batch(t, s, n, 2, [][]byte{text, {}, text})
			}
		}
		return nil
	})
}
