package fmindex_test

import (
	"bytes"
	"index/suffixarray"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/patternset"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/seqio"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

// build makes an index; the memory that it takes is the plan's, but for the escapes, whose
// runs are not known before.
func build(t testing.TB, s *device.Session, text []byte, h fmindex.Header) *fmindex.Index {
	h.Length, h.Counts = len(text), *fmindex.Histogram(text)
	b, err := fmindex.NewBuilder(s, h)
	require.NoError(t, err)
	defer b.Release()
	tuned.ResetPeak(s)
	before := tuned.PeakBytes(s)
	require.NoError(t, b.Allocate())
	escapes := 0
	if h.Alphabet == fmindex.DNA {
		escapes = len(text) - bytes.Count(text, []byte("A")) - bytes.Count(text, []byte("C")) -
			bytes.Count(text, []byte("G")) - bytes.Count(text, []byte("T"))
	}
	require.Equal(t, b.Memory().Device()-12*int64(escapes), tuned.PeakBytes(s)-before)
	in, sa := devicetest.From(t, s, text), devicetest.From(t, s, conformance.ReferenceSuffixArray(text))
	defer in.Release()
	defer sa.Release()
	x, err := b.Run(t.Context(), in.Buffer, sa.Buffer)
	require.NoError(t, err)
	t.Cleanup(x.Release)
	count, locate, err := x.Bytes()
	require.NoError(t, err)
	require.Equal(t, x.Memory().Device(), count+locate+4*520)
	require.LessOrEqual(t, x.Runs, escapes)
	return x
}

// readBack reads parts of the text from an index on the host.
func readBack(t testing.TB, x *fmindex.Index, text []byte, rng *rand.Rand) {
	f, err := x.Download(t.Context())
	require.NoError(t, err)
	for i := range 6 {
		from, to := 0, len(text)
		if i > 0 {
			from = rng.IntN(len(text) + 1)
			to = from + rng.IntN(min(len(text)-from, 300)+1)
		}
		got, err := f.Text(t.Context(), from, to)
		require.NoError(t, err)
		require.Equal(t, string(text[from:to]), string(got), "%d to %d", from, to)
	}
	_, err = f.Text(t.Context(), 0, len(text)+1)
	require.ErrorContains(t, err, "there are no bytes")
}

// search counts and locates a batch.
func search(t testing.TB, s *device.Session, x *fmindex.Index, list [][]byte) [][]int {
	set, _ := devicetest.Patterns(t, s, list)
	intervals, firsts := devicetest.Guard[[2]uint32](t, s, len(list)), devicetest.Guard[uint64](t, s, len(list)+1)
	defer intervals.Release()
	defer firsts.Release()
	number := patternset.NewNumbering(s, len(list))
	ws, guards := devicetest.Workspace(t, s, number.Workspace())
	defer ws.Release()
	x.Count(set, intervals.Buffer)
	number.Run(ws, intervals.Buffer, len(list), firsts.Buffer)
	rows, err := intervals.Slice()
	require.NoError(t, err)
	numbers, err := firsts.Slice()
	require.NoError(t, err)
	require.NoError(t, guards.Intact())
	found := make([][]int, len(list))
	var all []uint32
	total := int(numbers[len(list)])
	if x.Rate > 0 {
		// In two pieces, so that a launch begins inside of a pattern's.
		for _, piece := range [][2]int{{0, total / 2}, {total / 2, total}} {
			positions := devicetest.Guard[uint32](t, s, piece[1]-piece[0])
			x.Locate(intervals.Buffer, firsts.Buffer, len(list), uint64(piece[0]), piece[1]-piece[0], positions.Buffer)
			got, err := positions.Slice()
			require.NoError(t, err)
			all = append(all, got...)
			positions.Release()
		}
	}
	for q := range list {
		require.EqualValues(t, rows[q][1]-rows[q][0], numbers[q+1]-numbers[q])
		found[q] = make([]int, numbers[q+1]-numbers[q])
		for i := range found[q] {
			if x.Rate > 0 {
				found[q][i] = int(all[numbers[q]+uint64(i)])
			}
		}
		slices.Sort(found[q])
	}
	onHost(t, x, list, rows, found)
	return found
}

// onHost searches on the host, which finds the same.
func onHost(t testing.TB, x *fmindex.Index, list [][]byte, rows [][2]uint32, found [][]int) {
	f, err := x.Download(t.Context())
	require.NoError(t, err)
	host, err := f.Host()
	require.NoError(t, err)
	for q, pattern := range list {
		from, to := uint64(0), host.Rows()
		for i := len(pattern) - 1; i >= 0 && from < to; i-- {
			from, to = host.Longer(from, to, pattern[i])
		}
		if from >= to || len(pattern) == 0 {
			from, to = 0, 0
		}
		require.Equal(t, rows[q], [2]uint32{uint32(from), uint32(to)}, "%q", pattern)
		if x.Rate == 0 {
			_, err := host.Position(from)
			require.ErrorIs(t, err, fmindex.ErrNoSamples)
			continue
		}
		positions := []int{}
		for row := from; row < to && len(positions) < 50; row++ {
			position, err := host.Position(row)
			require.NoError(t, err)
			positions = append(positions, position)
		}
		slices.Sort(positions)
		if to-from <= 50 {
			require.Equal(t, found[q], positions, "%q", pattern)
		}
	}
	_, err = host.Position(host.Rows())
	require.ErrorIs(t, err, fmindex.ErrFormat)
}

// lookup is the oracle.
func lookup(oracle *suffixarray.Index, pattern []byte) []int {
	found := oracle.Lookup(pattern, -1)
	slices.Sort(found)
	return slices.Clip(append([]int{}, found...))
}

func TestIndex(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		rng := rand.New(rand.NewPCG(1, 7))
		var texts [][]byte
		for text := range conformance.Exhaustive("ab", min(e.Suite.MaxExhaustive2, 4)) {
			texts = append(texts, slices.Clone(text))
		}
		for _, sigma := range []int{1, 2, 3, 4, 5, 20, 255, 256} {
			for _, n := range []int{1, 63, 64, 65, 95, 96, 97, 130, 1000} {
				text := make([]byte, n)
				for i := range text {
					text[i] = byte(rng.IntN(sigma) * 256 / sigma)
				}
				texts = append(texts, text)
			}
		}
		texts = append(texts, bytes.Repeat([]byte("abaab"), 200))
		if e.Variant == "native" {
			large, err := conformance.NewText("random/sigma=4", e.Suite.Large/8, 3)
			require.NoError(t, err)
			texts = append(texts, large)
		}
		for i, text := range texts {
			if e.Variant != "native" && i%3 != 0 || len(text) > max(e.Suite.Large, 300) {
				continue // kernels are the same, or their tiles are
			}
			rate := []int{1, 2, 3, 8, 32, 200, 0}[i%7]
			x := build(t, e.Session, text, fmindex.Header{Rate: rate, Separator: fmindex.NoSeparator})
			oracle := suffixarray.New(text)
			list := devicetest.Queries(e.Session, text, rng)
			for q, got := range search(t, e.Session, x, list) {
				want := lookup(oracle, list[q])
				if rate == 0 {
					require.Len(t, got, len(want), "%q in %.100q", list[q], text)
				} else {
					require.Equal(t, want, got, "%q in %.100q, rate %d", list[q], text, rate)
				}
			}
			readBack(t, x, text, rng)
			x.Release()
		}
	})
}

// Of DNA only A, C, G and T match; escapes may be anywhere, and many.
func TestDNA(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		rng := rand.New(rand.NewPCG(2, 7))
		for _, often := range []int{2, 10, 300} {
			text := make([]byte, min(3000, 2*e.Suite.Large))
			for i := range text {
				if text[i] = "ACGT"[rng.IntN(4)]; rng.IntN(often) == 0 {
					text[i] = "acgN\n\x00\xff"[rng.IntN(7)]
				}
			}
			copy(text[len(text)/3:], bytes.Repeat([]byte("N"), len(text)/10))
			x := build(t, e.Session, text, fmindex.Header{Alphabet: fmindex.DNA, Rate: 5, Separator: '\n'})
			if often == 300 {
				require.Less(t, x.Runs, len(text)/20) // the 300 N make a small number
			}
			oracle := suffixarray.New(text)
			list := devicetest.Queries(e.Session, text, rng)
			list = append(list, []byte("acgu"), []byte("Acg"))
			for q, got := range search(t, e.Session, x, list) {
				folded := bytes.ReplaceAll(bytes.ToUpper(list[q]), []byte("U"), []byte("T"))
				want := []int{}
				if len(bytes.Trim(folded, "ACGT")) == 0 {
					want = lookup(oracle, folded)
				}
				require.Equal(t, want, got, "%q", list[q])
			}
			readBack(t, x, text, rng)
			x.Release()
		}
	})
}

// No occurrence crosses records, also where the separator is a symbol.
func TestSeparator(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		text := []byte("abc\nabcabd\n")
		x := build(t, e.Session, text,
			fmindex.Header{Rate: 2, Separator: '\n',
				Records: seqio.Table{{Name: "x", Length: 3}, {Name: "y", Offset: 4, Length: 6}}})
		got := search(t, e.Session, x, [][]byte{[]byte("c\na"), []byte("\n"), []byte("ab"), []byte("ca")})
		require.Equal(t, [][]int{{}, {}, {0, 4, 7}, {6}}, got)
	})
}

// What is stored and read again finds the same.
func TestFile(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		rng := rand.New(rand.NewPCG(3, 7))
		for _, alphabet := range []fmindex.Alphabet{fmindex.Auto, fmindex.DNA} {
			text := []byte("ACGTACGATTACANNNNACGT\nGATTACA\n")
			h := fmindex.Header{Alphabet: alphabet, Rate: 4, Separator: '\n',
				Records: seqio.Table{{Name: "one", Length: 21}, {Name: "two", Offset: 22, Length: 7}}}
			x := build(t, e.Session, text, h)
			list := devicetest.Queries(e.Session, text, rng)
			want := search(t, e.Session, x, list)
			f, err := x.Download(t.Context())
			require.NoError(t, err)
			var stored bytes.Buffer
			require.NoError(t, f.Write(&stored))
			again, err := fmindex.Read(bytes.NewReader(stored.Bytes()))
			require.NoError(t, err)
			require.Equal(t, f, again)
			opened, err := fmindex.Open(t.Context(), e.Session, again)
			require.NoError(t, err)
			require.Equal(t, want, search(t, e.Session, opened, list))
			header, err := fmindex.ReadHeader(bytes.NewReader(stored.Bytes()))
			require.NoError(t, err)
			require.Equal(t, &again.Header, header)
			memory, err := fmindex.Memory(e.Session, *header)
			require.NoError(t, err)
			require.Equal(t, opened.Memory(), memory)
			opened.Release()
			x.Release()
			damaged(t, stored.Bytes())
		}
	})
}

// damaged shows Read every cut and some flipped bits.
func damaged(t *testing.T, file []byte) {
	for n := range file {
		_, err := fmindex.Read(bytes.NewReader(file[:n]))
		require.ErrorIs(t, err, fmindex.ErrFormat, "%d bytes", n)
		if _, err := fmindex.ReadHeader(bytes.NewReader(file[:n])); err != nil {
			require.ErrorIs(t, err, fmindex.ErrFormat, "%d bytes", n)
		}
	}
	for at := range file {
		changed := slices.Clone(file)
		changed[at] ^= 1 << (at % 8)
		_, err := fmindex.Read(bytes.NewReader(changed))
		require.ErrorIs(t, err, fmindex.ErrFormat, "byte %d", at)
	}
	_, err := fmindex.Read(bytes.NewReader(append(slices.Clone(file), 0)))
	require.ErrorContains(t, err, "after its end")
	version := slices.Clone(file)
	version[len(fmindex.Magic)] = 9
	_, err = fmindex.Read(bytes.NewReader(version))
	require.ErrorContains(t, err, "version 9")
}

// A file that an earlier version has written can be read, and is written again as it is.
func TestGolden(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		for name, want := range map[string][]int{"dna.fmi": {6, 20}, "bytes.fmi": {6}, "symbols.fmi": {}} {
			data, err := os.ReadFile(filepath.Join("testdata", name))
			require.NoError(t, err)
			f, err := fmindex.Read(bytes.NewReader(data))
			require.NoError(t, err)
			var again bytes.Buffer
			require.NoError(t, f.Write(&again))
			require.Equal(t, data, again.Bytes())
			x, err := fmindex.Open(t.Context(), e.Session, f)
			require.NoError(t, err)
			require.Equal(t, [][]int{want}, search(t, e.Session, x, [][]byte{[]byte("GATTACA")}))
			x.Release()
		}
	})
}

// An index whose contents are no text's, but whose checksums are right, gives nonsense: a
// search ends and stays in its buffers.
func TestHostile(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		rng := rand.New(rand.NewPCG(4, 7))
		for _, h := range []fmindex.Header{{Rate: 3, Separator: -1}, {Rate: 3, Separator: -1, Alphabet: fmindex.DNA}} {
			text := make([]byte, 1000)
			for i := range text {
				text[i] = "ACGTNNxy"[rng.IntN(8)]
			}
			x := build(t, e.Session, text, h)
			f, err := x.Download(t.Context())
			require.NoError(t, err)
			x.Release()
			list := devicetest.Queries(e.Session, text, rng)
			for range 3 {
				f.Scramble(rng)
				_, _ = f.Text(t.Context(), 1, len(text)-1)
				x, err := fmindex.Open(t.Context(), e.Session, f)
				require.NoError(t, err)
				for q, found := range search(t, e.Session, x, list) {
					for _, position := range found {
						require.LessOrEqual(t, position, len(text), "%q", list[q])
					}
				}
				x.Release()
			}
		}
	})
}

// FuzzRead: what is no index is an error, and what is one is written as it was.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"dna.fmi", "bytes.fmi", "symbols.fmi"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		require.NoError(f, err)
		f.Add(data)
	}
	f.Add([]byte(fmindex.Magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := fmindex.Read(bytes.NewReader(data))
		if err != nil {
			require.Nil(t, file)
			return
		}
		var again bytes.Buffer
		require.NoError(t, file.Write(&again))
		require.Equal(t, data, again.Bytes())
	})
}

// FuzzHeader: the checks of a header, after its checksum.
func FuzzHeader(f *testing.F) {
	f.Add(12, 3, uint32(1), 4, -1, uint64(3), uint64(9), 0, 12)
	f.Add(0, 0, uint32(0), 0, 10, uint64(0), uint64(0), 0, 0)
	f.Fuzz(func(t *testing.T, length, primary int, alphabet uint32, rate, separator int, a, b uint64, offset, size int) {
		h := fmindex.Header{Length: length, Primary: primary, Alphabet: fmindex.Alphabet(alphabet), Rate: rate,
			Separator: separator, Records: seqio.Table{{Offset: offset, Length: size}}}
		h.Counts['A'], h.Counts['x'] = a, b
		if count, locate, err := h.Bytes(); err == nil {
			require.Positive(t, count)
			require.GreaterOrEqual(t, locate, int64(0))
			require.LessOrEqual(t, offset+size, length)
		}
	})
}

func TestSizeOfDNA(t *testing.T) {
	h := fmindex.Header{Length: 1 << 20, Primary: 1, Alphabet: fmindex.DNA, Rate: 32, Separator: fmindex.NoSeparator}
	h.Counts['A'] = 1 << 20
	count, locate, err := h.Bytes()
	require.NoError(t, err)
	require.InDelta(t, 0.5, float64(count)/(1<<20), 1e-4)
	require.InDelta(t, 1.0/6+4.0/32, float64(locate)/(1<<20), 1e-4)

	// Before it is built each N may be a run.
	h.Counts['A'], h.Counts['N'] = h.Counts['A']-1000, 1000
	planned, _, err := h.Bytes()
	require.NoError(t, err)
	require.Equal(t, count+12*1000, planned)
	h.Runs = 1
	built, _, err := h.Bytes()
	require.NoError(t, err)
	require.Equal(t, count+12, built)
}

func TestMisuse(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		for name, h := range map[string]fmindex.Header{
			"rate":      {Rate: -1, Separator: -1},
			"separator": {Separator: 256},
			"record":    {Separator: -1, Records: seqio.Table{{Length: 1}}},
			"counted":   {Separator: -1, Length: 3},
			"alphabet":  {Separator: -1, Alphabet: 7},
		} {
			_, err := fmindex.NewBuilder(e.Session, h)
			require.ErrorContains(t, err, name)
		}
		x := build(t, e.Session, []byte("banana"), fmindex.Header{Separator: -1})
		buffer := devicetest.Guard[uint32](t, e.Session, 1)
		x.Locate(nil, nil, 0, 0, 1, buffer.Buffer)
		require.ErrorContains(t, e.Err(), "no samples")
		e.Recover()
	})
}

// Where work-items cannot loop for long positions may not be too far apart.
func TestRateTooLarge(t *testing.T) {
	for _, d := range devicetest.Devices(t) {
		s, err := tuned.Open(device.Config{Device: d}, tuned.Edits{
			Caps: func(c *device.Caps) { tuned.Quirks(c).LongLoops = false },
		})
		require.NoError(t, err)
		defer s.Close()
		h := fmindex.Header{Length: 4, Rate: patternset.Longest(s) + 1, Separator: fmindex.NoSeparator,
			Counts: *fmindex.Histogram([]byte("text"))}
		_, err = fmindex.NewBuilder(s, h)
		require.ErrorContains(t, err, "cannot loop")
		h.Rate--
		b, err := fmindex.NewBuilder(s, h)
		require.NoError(t, err)
		b.Release()
	}
}
