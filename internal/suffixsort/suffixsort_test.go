package suffixsort_test

import (
	"bytes"
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/dc3"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/suffixsort"
	"github.com/suffixcl/suffixcl/internal/testkit/amdgpu"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/harness"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Few bits and rounds at first bring small texts to every phase.
var options = map[string]suffixsort.Options{
	"auto":           {},
	"doubling":       {Bits: 16, Extensions: -1, Window: 1, NoSkew: true},
	"extended":       {Bits: 16, NoSkew: true},
	"skew":           {Capacity: lists(1)},
	"samples":        {Samples: 1, Uneven: true, Bits: 16, Window: 1, NoSkew: true},
	"doubling, skew": {Bits: 16, Extensions: -1, Window: 1},
}

// lists is the same capacity for every list.
func lists(capacity int) suffixsort.Capacity {
	return suffixsort.Capacity{Windows: capacity, Ranks: capacity, Representatives: capacity}
}

func sorter(o suffixsort.Options) devicetest.NewSorter {
	return func(s *device.Session, n int) (devicetest.Sorter, error) { return suffixsort.NewWith(s, n, o) }
}

func TestSuffixArray(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		e.Suite.Tile = tuned.Of(e.Session).Scan.WG * tuned.Of(e.Session).Scan.Items
		for name, o := range options {
			t.Run(name, func(t *testing.T) {
				suite := e.Suite
				if name != "auto" {
					suite.MaxExhaustive2, suite.MaxExhaustive3 = min(suite.MaxExhaustive2, 8), min(suite.MaxExhaustive3, 5)
					suite.PerSize, suite.Random, suite.Large = min(suite.PerSize, 6), min(suite.Random, 50), min(suite.Large, 1<<17)
				}
				conformance.Run(t, conformance.SuffixArray(devicetest.SorterService(t, e.Session, sorter(o)), suite))
			})
		}
	})
}

// transformer makes the transform with each suffix array.
type transformer struct {
	*suffixsort.Sorter
	out     *devicetest.Guarded[uint8]
	primary int
}

func (x *transformer) Run(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32],
	progress func(phase string, done, total int64)) (err error) {
	x.out.Fill(devicetest.Canary)
	x.primary, err = x.RunBWT(ctx, text, sa, x.out.Buffer, progress)
	return err
}

func (x *transformer) Release() {
	x.Sorter.Release()
	x.out.Release()
}

func TestBWT(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		suite := e.Suite
		suite.MaxExhaustive2, suite.MaxExhaustive3 = min(suite.MaxExhaustive2, 8), min(suite.MaxExhaustive3, 5)
		suite.PerSize, suite.Random, suite.Large = min(suite.PerSize, 6), min(suite.Random, 50), min(suite.Large, 1<<17)
		for _, name := range []string{"auto", "doubling", "extended", "skew"} {
			t.Run(name, func(t *testing.T) {
				var x *transformer
				sort := devicetest.SorterService(t, e.Session, func(s *device.Session, n int) (devicetest.Sorter, error) {
					p, err := suffixsort.NewWith(s, n, options[name])
					if err != nil {
						return nil, err
					}
					x = &transformer{Sorter: p, out: devicetest.Guard[uint8](t, s, n)}
					return x, nil
				})
				conformance.Run(t, conformance.BWT(func(ctx context.Context, text []byte) ([]byte, int, error) {
					n := len(text)
					if _, err := sort(ctx, text); err != nil {
						return nil, 0, err
					}
					got, err := x.out.Slice()
					if err != nil {
						return nil, 0, err
					}
					return got[:n], x.primary, devicetest.Intact("after the transform", got[n:])
				}, suite))
			})
		}
	})
}

// structured is a random mixture of fresh text, runs, periods, and copies of what is
// there, some of them changed.
func structured(rng *rand.Rand, n int) []byte {
	alphabet := []int{1, 2, 3, 4, 5, 26, 256}[rng.IntN(7)]
	first := rng.IntN(257 - alphabet)
	letter := func() byte { return byte(first + rng.IntN(alphabet)) }
	var text []byte
	for len(text) < n {
		size := 1 + rng.IntN(1<<rng.IntN(11))
		switch rng.IntN(5) {
		case 0:
			for range size {
				text = append(text, letter())
			}
		case 1:
			for c := letter(); size > 0; size-- {
				text = append(text, c)
			}
		case 2:
			period := min(1+rng.IntN(20), len(text))
			for ; period > 0 && size > 0; size-- {
				text = append(text, text[len(text)-period])
			}
		default:
			if len(text) == 0 {
				continue
			}
			from := rng.IntN(len(text))
			text = append(text, text[from:min(from+size, len(text))]...)
			if rng.IntN(2) == 0 {
				text[len(text)-1-rng.IntN(min(size, len(text)))] = letter()
			}
		}
	}
	return text[:n:n]
}

func TestStructured(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		seeds, longest := 200, 20000
		switch {
		case tuned.Of(e.Session).Map.WG < 16 && e.Variant != "native": // tiny tiles
			seeds, longest = 60, 2000
		case e.Suite.Large < 1<<18:
			seeds, longest = 12, 5000
		}
		for name, o := range options {
			build := devicetest.SorterService(t, e.Session, sorter(o))
			for seed := range uint64(seeds) {
				rng := rand.New(rand.NewPCG(seed, 7))
				text := structured(rng, rng.IntN(longest))
				sa, err := build(context.Background(), text)
				require.NoError(t, err, "%s, seed %d, %d bytes", name, seed, len(text))
				require.NoError(t, conformance.CheckSuffixArray(text, sa), "%s, seed %d, %d bytes", name, seed, len(text))
			}
		}
	})
}

// run sorts a text, checks the result, and tells the phases.
func run(t *testing.T, s *device.Session, text []byte, o suffixsort.Options) (phases []string) {
	t.Helper()
	p, err := suffixsort.NewWith(s, len(text), o)
	require.NoError(t, err)
	defer p.Release()
	require.NoError(t, p.Allocate())
	in, err := device.Alloc[uint8](s, len(text))
	require.NoError(t, err)
	defer in.Release()
	sa, err := device.Alloc[uint32](s, len(text))
	require.NoError(t, err)
	defer sa.Release()
	require.NoError(t, in.Upload(t.Context(), text, nil))
	transform, err := device.Alloc[uint8](s, len(text))
	require.NoError(t, err)
	defer transform.Release()
	host := make([]uint32, len(text))
	for _, again := range []bool{false, true} { // the second time finds what the first has left
		phases = nil
		var last int64
		progress := func(phase string, done, total int64) {
			require.EqualValues(t, len(text), total)
			require.LessOrEqual(t, last, done, phase)
			last = done
			phases = append(phases, phase)
		}
		primary := 0
		if again {
			primary, err = p.RunBWT(t.Context(), in, sa, transform, progress)
		} else {
			err = p.Run(t.Context(), in, sa, progress)
		}
		require.NoError(t, err)
		if !again {
			require.NoError(t, sa.Download(t.Context(), host, nil))
			require.NoError(t, conformance.CheckSuffixArray(text, host), "%+v %v", o, phases)
		} else {
			bwt := make([]byte, len(text))
			require.NoError(t, transform.Download(t.Context(), bwt, nil))
			want, row := conformance.ReferenceBWT(text, host)
			require.Equal(t, row, primary)
			require.True(t, bytes.Equal(want, bwt), "%+v %v", o, phases)
		}
	}
	return phases
}

func random(rng *rand.Rand, n int, letters string) []byte {
	text := make([]byte, n)
	for i := range text {
		text[i] = letters[rng.IntN(len(letters))]
	}
	return text
}

// Every step, in the kernels of CPUs and of GPUs, on texts so short that a simulator, which looks for
// races, takes seconds.
func TestSteps(t *testing.T) { everyStep(t, func(*device.Caps) {}) }

// Kernels answer the host where they reach its memory, as those of PoCL and of the emulator do.
func TestAnswers(t *testing.T) { everyStep(t, harness.Answers) }

func everyStep(t *testing.T, edit func(*device.Caps)) {
	for _, cpu := range []bool{true, false} {
		s, err := tuned.Open(device.Config{Device: devicetest.Devices(t)[0]}, tuned.Edits{
			Caps: func(c *device.Caps) {
				c.CPUShape = cpu
				edit(c)
			},
			Set: func(_ *device.Caps, set *tune.Set) { *set = tune.Tiny(cpu) },
		})
		require.NoError(t, err)
		t.Cleanup(func() { s.Close() })
		switch {
		case !cpu:
			devicetest.NeedWorkGroups(t, s)
		case s.Caps().Platform == amdgpu.Platform:
			continue // it runs the code of GPUs
		}
		for _, o := range stepOptions {
			for _, text := range stepTexts() {
				require.Contains(t, run(t, s, text, o), suffixsort.PhaseDouble)
			}
		}
		// No bytes of these are counted: the counters of the first round are the first of all.
		sort := devicetest.SymbolService(t, s, func(s *device.Session, n int) (devicetest.SymbolSorter[uint16], error) {
			return suffixsort.NewSymbols[uint16](s, n)
		})
		for _, text := range tokenTexts() {
			sa, err := sort(t.Context(), text)
			require.NoError(t, err)
			require.Equal(t, conformance.ReferenceSymbolSuffixArray(text), sa)
		}
	}
}

// With these options short texts go through every step.
var stepOptions = []suffixsort.Options{
	{}, {Bits: 16, Extensions: -1}, {Bits: 16, Window: 1}, {Bits: 16, Samples: 1, Uneven: true},
}

func stepTexts() [][]byte {
	rng := rand.New(rand.NewPCG(3, 4))
	genome := random(rng, 150, "acgt")
	var strains []byte
	for range 6 {
		strains = append(strains, genome...)
		strains[len(strains)-1-rng.IntN(150)] = "acgt"[rng.IntN(4)]
	}
	phrases := slices.Clone(strains)
	for i := 400; i < 700; i += 20 {
		copy(phrases[i:], genome[rng.IntN(2)*20:][:20])
	}
	both := []byte(strings.ToUpper(string(phrases)) + string(phrases))
	few := random(rng, 1500, "acgt") // of which most suffixes are sorted before their ranks are wanted
	copy(few[1000:], few[100:190])
	return [][]byte{strains, phrases, both, random(rng, 900, "acgt"), few}
}

// tokenTexts are texts of more symbols than a code of bytes has: of all kinds alike, and of some often, with a copy.
func tokenTexts() [][]uint16 {
	rng := rand.New(rand.NewPCG(5, 6))
	even, uneven := make([]uint16, 400), make([]uint16, 500)
	for i := range even {
		even[i] = uint16(rng.Uint32())
	}
	for i := range uneven {
		uneven[i] = uint16(40_000 / (1 + rng.IntN(2_000)))
	}
	copy(uneven[300:], uneven[100:200])
	return [][]uint16{even, uneven}
}

// No step goes by what memory holds before anything has been written there.
func TestUnwritten(t *testing.T) {
	devicetest.Unwritten(t, func(t *testing.T, s *device.Session, trace *devicetest.Trace) error {
		for _, o := range stepOptions {
			for i, text := range stepTexts() {
				trace.Part("text %d with %+v", i, o)
				trace.Result(run(t, s, text, o))
			}
		}
		return nil
	})
}

// Large groups in pieces; groups longer than a piece; more representatives than the capacity, which is for skew.
func TestCapacity(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		rng := rand.New(rand.NewPCG(8, 9))
		n := 1 << 15
		if e.Suite.Large < 1<<18 {
			n = 1 << 13
		}
		const letters = "abcdefghijklmnopqrst"
		words := make([][]byte, 12)
		for i := range words {
			words[i] = random(rng, 20, letters)
		}
		spaced := func(words [][]byte) (text []byte) {
			for len(text) < n {
				text = append(append(text, words[rng.IntN(len(words))]...), letters[rng.IntN(20)])
			}
			return text
		}
		phrases := spaced(words)
		runs := random(rng, n, letters)
		copy(runs[n/2:], bytes.Repeat([]byte("ac"), n/7))
		for _, c := range []struct {
			name     string
			text     []byte
			capacity int
			skew     bool
		}{
			{"random", random(rng, n, letters), n / 25, false},
			{"packed", random(rng, n, "acgt"), 2, false}, // extended when chains have been looked for
			{"phrases", phrases, n / 2, false},
			{"phrases", phrases, n / 5, false},
			// Small groups are extended whatever the capacity.
			{"phrases", phrases, 2, n/21/len(words) >= tuned.Of(e.Session).Groups.Limit},
			{"one word", spaced(words[:1]), 2, true}, // so often that no group is small
			{"a run", runs, n / 2, false},
			{"a run", runs, n / 10, true},
		} {
			phases := run(t, e.Session, c.text, suffixsort.Options{Capacity: lists(c.capacity)})
			require.Equal(t, c.skew, slices.Contains(phases, dc3.PhaseSort),
				"%s, capacity %d of %d: %v", c.name, c.capacity, n, phases)
		}
	})
}

// Samples are sorted first, unless they are too many or their groups too long.
func TestSamples(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		rng := rand.New(rand.NewPCG(10, 11))
		n := 1 << 14
		if e.Suite.Large < 1<<18 {
			n = 1 << 12
		}
		const letters = "abcdefghijklmnopqrst"
		var words, skewed []byte
		dictionary := make([][]byte, 50)
		for i := range dictionary {
			dictionary[i] = random(rng, 1+rng.IntN(12), letters)
		}
		for len(words) < n {
			words = append(append(words, dictionary[rng.IntN(len(dictionary))]...), ' ')
		}
		for range n { // codes of up to 14 bits
			skewed = append(skewed, byte('a'+bits.TrailingZeros32(rng.Uint32()|1<<25)))
		}
		mostly := bytes.Repeat([]byte{'a'}, n) // rises are rare: more suffixes of some samples than local memory has room for
		for range n / 10 {
			mostly[rng.IntN(n)] = "bcd"[rng.IntN(3)]
		}
		copies := slices.Concat(words[:n/4], []byte{'x'}, words[:n/4], []byte{'y'}, words[:n/3])
		runs := random(rng, n, letters)
		copy(runs[n/4:], bytes.Repeat([]byte{'a'}, n/2))
		for _, c := range []struct {
			name    string
			text    []byte
			options suffixsort.Options
			induced bool
		}{
			{"words", words, suffixsort.Options{}, true},
			{"copies", copies, suffixsort.Options{}, true},
			{"skewed", skewed, suffixsort.Options{}, true},
			{"skewed", skewed, suffixsort.Options{Bits: 16}, true},
			{"random", random(rng, n, letters), suffixsort.Options{}, true},
			{"packed", random(rng, n, "acgt"), suffixsort.Options{}, false},
			{"uneven", random(rng, n, "acgt"), suffixsort.Options{Uneven: true}, true},
			{"short codes", random(rng, n, "acgt"), suffixsort.Options{Uneven: true, Bits: 16}, true},
			{"rare rises", mostly, suffixsort.Options{Uneven: true}, true},
			{"runs", runs, suffixsort.Options{}, false},
			{"long groups", bytes.Repeat(words[:100], n/100), suffixsort.Options{Capacity: lists(1)}, false},
			{"not extended", words, suffixsort.Options{Extensions: -1}, false},
		} {
			c.options.Samples = 1
			phases := run(t, e.Session, append(c.text, "acgt"[rng.IntN(4)]), c.options)
			require.Equal(t, c.induced, slices.Contains(phases, suffixsort.PhaseInduce), "%s: %v", c.name, phases)
		}
	})
}

// Large groups of as many suffixes as a team, a work-group or a division has room for, and of one more.
func TestLargeGroups(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		rng := rand.New(rand.NewPCG(12, 13))
		set := tuned.Of(e.Session)
		m := set.Middle
		fits := m.WG * m.Items
		longest := min(max(m.DivideWG*m.DivideItems/16, 8), 255) * (fits * 2 / 5)
		for _, size := range []int{set.Groups.Limit, m.WG / 4 * m.Items, fits, 3 * fits / 2, longest} {
			if size > 1<<15 { // Go sorts what the device is compared with
				continue
			}
			for _, size := range []int{size, size + 1} {
				for _, endings := range []int{1 << 20, 9, 2, 1} {
					ending := make([][]byte, min(endings, size))
					for i := range ending {
						ending[i] = random(rng, 10, "abcdef")
					}
					var text []byte
					for range size {
						text = append(append(text, "qqqqqqqq"...), ending[rng.IntN(len(ending))]...)
						text = append(text, random(rng, 2+rng.IntN(3), "abcdef")...)
					}
					for _, o := range []suffixsort.Options{{Bits: 16}, {Bits: 16, Extensions: -1, NoSkew: true}} {
						run(t, e.Session, text, o)
					}
				}
			}
		}
	})
}

// Groups that lead to others are not sorted: of copies of a text only what ends them.
func TestChains(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		rng := rand.New(rand.NewPCG(5, 6))
		const length = 400
		for _, letters := range []string{"acgt", "abcdefghijklmnopqrst"} {
			fresh := random(rng, length, letters)
			var copies []byte
			for range 20 {
				copies = append(append(copies, fresh...), letters[rng.IntN(len(letters))])
			}
			phases := run(t, e.Session, copies, suffixsort.Options{Capacity: lists(len(copies) / 10)})
			require.NotContains(t, phases, dc3.PhaseSort)
			require.Contains(t, phases, suffixsort.PhaseDouble)
		}
	})
}

// What is allocated is no more than the plan says, and just that for one text or another.
func TestMemory(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		for _, o := range []suffixsort.Options{{}, {NoSkew: true}} {
			devicetest.SorterMemory(t, e, sorter(o))
		}
		rng := rand.New(rand.NewPCG(1, 2))
		for _, n := range []int{100, 1 << 13, 1 << 16} {
			var peaks []int64
			for _, o := range []suffixsort.Options{{}, {Capacity: lists(1)}} { // the second is for skew
				before := e.LiveBytes()
				tuned.ResetPeak(e.Session)
				run(t, e.Session, random(rng, n, "abcdefghijklmnop"), o)
				peaks = append(peaks, tuned.PeakBytes(e.Session)-before-int64(6*n))
				require.Equal(t, before, e.LiveBytes())
			}
			p, err := suffixsort.New(e.Session, n)
			require.NoError(t, err)
			require.Equal(t, p.Memory().Device(), slices.Max(peaks))
			p.Release()
		}
	})
}

func TestProgressAndCancel(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		text := make([]byte, 1<<12)
		text[len(text)/2] = 1
		o := suffixsort.Options{NoSkew: true}
		devicetest.SorterProgress(t, e, sorter(o), text, func(_ int, done int64) bool { return done > 0 })
	})
}

func TestTooLong(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		devicetest.SorterTooLong(t, e, sorter(suffixsort.Options{}), limits.MaxLen)
		_, err := suffixsort.NewWith(e.Session, 10, suffixsort.Options{Bits: 9})
		require.ErrorContains(t, err, "windows of 9 bits")
		_, err = suffixsort.NewWith(e.Session, 10, suffixsort.Options{Capacity: suffixsort.Capacity{Ranks: -1}})
		require.ErrorContains(t, err, "negative capacity")

		p, err := suffixsort.New(e.Session, 10)
		require.NoError(t, err)
		defer p.Release()
		text, sa := devicetest.Guard[uint8](t, e.Session, 10), devicetest.Guard[uint32](t, e.Session, 10)
		_, err = p.RunBWT(t.Context(), text.Buffer, sa.Buffer, text.View(0, 9), nil)
		require.ErrorContains(t, err, "transform of 10 bytes, room for 9")
	})
}
