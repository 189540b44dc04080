package rlbwt_test

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/rlbwt"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/harness"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

// transform is the definition: all suffixes are sorted, where the $ of a string is less than that of a later one.
func transform(codes []byte) (letters []byte) {
	type suffix struct{ at, end, number int }
	var all []suffix
	begin, number := 0, 0
	for end, c := range codes {
		if c == 0 {
			for at := begin; at <= end; at++ {
				all = append(all, suffix{at, end, number})
			}
			begin, number = end+1, number+1
		}
	}
	slices.SortFunc(all, func(a, b suffix) int {
		return cmp.Or(bytes.Compare(codes[a.at:a.end+1], codes[b.at:b.end+1]), cmp.Compare(a.number, b.number))
	})
	for _, s := range all {
		if s.at == 0 {
			letters = append(letters, 0)
			continue
		}
		letters = append(letters, codes[s.at-1])
	}
	return letters
}

func runsOf(letters []byte) (runs []fmd.Run) {
	for _, c := range letters {
		if k := len(runs) - 1; k >= 0 && runs[k].Letter == c {
			runs[k].Len++
			continue
		}
		runs = append(runs, fmd.Run{Letter: c, Len: 1})
	}
	return runs
}

func allRuns(t *testing.T, x *rlbwt.Index) (runs []fmd.Run) {
	t.Helper()
	require.NoError(t, x.Runs(t.Context(), func(r fmd.Run) error {
		runs = append(runs, r)
		return nil
	}))
	return runs
}

// set is a collection of strings, joined.
func set(list ...string) []byte {
	var codes []byte
	for _, s := range list {
		for _, c := range []byte(s) {
			codes = append(codes, byte(strings.IndexByte("$ACGTN", c)))
		}
		codes = append(codes, 0)
	}
	return codes
}

func random(rng *rand.Rand, n int, letters string) string {
	s := make([]byte, n)
	for i := range s {
		s[i] = letters[rng.IntN(len(letters))]
	}
	return string(s)
}

// mutated is s with some letters chosen anew, and some left out.
func mutated(rng *rand.Rand, s string, rate float64) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		switch x := rng.Float64(); {
		case x < rate/2:
			b.WriteByte("ACGT"[rng.IntN(4)])
		case x < rate:
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

type collection struct {
	name    string
	strings []string
}

func collections(rng *rand.Rand, n int) []collection {
	genome := random(rng, n, "ACGT")
	haplotypes := make([]string, 6)
	for i := range haplotypes {
		haplotypes[i] = mutated(rng, genome, 0.01)
	}
	var short, prefixes, suffixes, reads []string
	for range n / 4 {
		short = append(short, random(rng, rng.IntN(4), "ACGTN"))
	}
	for i := 0; i < min(n, 40); i++ {
		prefixes, suffixes = append(prefixes, genome[:i]), append(suffixes, genome[i:min(n, 40)])
	}
	for range 40 {
		at := rng.IntN(n - n/8)
		reads = append(reads, genome[at:at+n/8])
	}
	return []collection{
		{"random", []string{random(rng, n, "ACGT"), random(rng, n/2, "ACGTN"), random(rng, 3, "AC")}},
		{"haplotypes", haplotypes},
		{"identical", []string{genome, genome, genome, genome}},
		{"prefixes", prefixes},
		{"suffixes", suffixes},
		{"empty", []string{"", "A", "", "", genome, ""}},
		{"poly-A", []string{strings.Repeat("A", n), strings.Repeat("A", n/2), strings.Repeat("A", n) + "C"}},
		{"N", []string{strings.Repeat("N", n/2) + genome, genome + strings.Repeat("N", n), "N"}},
		{"tandem", []string{strings.Repeat("ACG", n/3), strings.Repeat("ACG", n/4), "T" + strings.Repeat("ACG", n/3)}},
		{"two letters", []string{random(rng, n, "AT"), random(rng, n, "AT")}},
		{"one letter", []string{"A"}},
		{"copies", slices.Repeat([]string{"ACGT"}, 20)},
		{"short", short},
		{"reads", reads},
	}
}

// ones has everything as small as it can be.
var ones = devicetest.Variant{Name: "ones", Edits: tuned.Edits{Set: func(_ *device.Caps, set *tune.Set) {
	set.RLBWT.Walkers, set.RLBWT.Shortest, set.RLBWT.Longest, set.RLBWT.Events = 1, 1, 1, 1
	set.RLBWT.Runs, set.RLBWT.PartBlocks, set.RLBWT.PartRows, set.RLBWT.MergeBlocks = 1, 1, 1, 20
}}}

// The index is the transform by definition, however the strings come.
func TestAppend(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		testCollections(t, e.Session, min(e.Suite.Large, 400))
	})
}

func TestAppendOnes(t *testing.T) {
	for _, d := range devicetest.Devices(t) {
		testCollections(t, devicetest.Open(t, d, ones), 60)
	}
}

func testCollections(t *testing.T, s *device.Session, n int) {
	t.Helper()
	if slow(s) {
		n = min(n, 40)
	}
	for i, c := range collections(rand.New(rand.NewPCG(1, 2)), n) {
		if !slow(s) {
			testAppend(t, s, c, 1)
		}
		testAppend(t, s, c, 2+i%2)
	}
}

func testAppend(t *testing.T, s *device.Session, c collection, batches int) {
	t.Helper()
	before := s.LiveBytes()
	x, err := rlbwt.New(s)
	require.NoError(t, err)
	var parts [][]byte
	for k := range batches {
		parts = append(parts, set(c.strings[k*len(c.strings)/batches:(k+1)*len(c.strings)/batches]...))
	}
	all := []byte{}
	for k, codes := range parts {
		switch {
		case k+1 == batches:
			x.Announce([]byte{1, 0}) // which does not come
		case k%2 == 0:
			x.Announce(parts[k+1])
		}
		require.NoError(t, x.Append(t.Context(), codes), "%s, part %d of %d", c.name, k, batches)
		all = append(all, codes...)
		want := transform(all)
		require.Equal(t, runsOf(want), allRuns(t, x), "%s, part %d of %d", c.name, k, batches)
		require.EqualValues(t, len(all), x.Len())
	}
	checkRanks(t, x, transform(all))
	var got []byte
	numbers := make([]uint64, x.Strings())
	for i := range numbers {
		numbers[i] = uint64(i)
	}
	require.NoError(t, x.Extract(t.Context(), numbers, func(_ int, letters []byte, _ uint64) error {
		got = append(append(got, letters...), 0)
		return nil
	}))
	require.Equal(t, all, append([]byte{}, got...), c.name)
	loaded, err := rlbwt.Load(t.Context(), s, func(yield fmd.Yield) error {
		return x.RunParts(t.Context(), yield)
	})
	require.NoError(t, err)
	require.Equal(t, allRuns(t, x), allRuns(t, loaded), c.name)
	require.Equal(t, x.Counts(), loaded.Counts())
	loaded.Release()
	x.Release()
	require.Equal(t, before, s.LiveBytes(), c.name)
}

func checkRanks(t *testing.T, x *rlbwt.Index, letters []byte) {
	t.Helper()
	var rows, want []uint64
	var of []byte
	var counts [fmd.Letters]uint64
	for row := range len(letters) + 1 {
		for c := range byte(fmd.Letters) {
			rows, of, want = append(rows, uint64(row)), append(of, c), append(want, counts[c])
		}
		if row < len(letters) {
			counts[letters[row]]++
		}
	}
	got, err := x.Rank(t.Context(), of, rows)
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.Equal(t, counts, x.Counts())
}

// slow tells a simulator or a software rasteriser.
func slow(s *device.Session) bool {
	return harness.Simulated(s.Caps()) || !tuned.Quirks(s.Caps()).LongLoops
}

// Runs of any length, and many blocks.
func TestLoad(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		many, lengths := 60_000, []uint64{1, 3, 40, 1 << 12, 1 << 20, 1 << 33}
		if slow(e.Session) {
			many, lengths = 400, lengths[1:5]
		}
		for _, longest := range lengths {
			testLoad(t, e.Session, many, longest)
		}
	})
}

// Each run has a block of its own: several superblocks.
func TestLoadOnes(t *testing.T) {
	for _, d := range devicetest.Devices(t) {
		s := devicetest.Open(t, d, ones)
		testLoad(t, s, 1_400, 3)
		testLoad(t, s, 1_400, 1<<20)
	}
}

// inParts yields runs, some at a time.
func inParts(rng *rand.Rand, runs []fmd.Run) func(yield fmd.Yield) error {
	return func(yield fmd.Yield) error {
		for left := runs; len(left) > 0; {
			n := min(1+rng.IntN(len(runs)), len(left))
			if err := yield(left[:n]); err != nil {
				return err
			}
			left = left[n:]
		}
		return nil
	}
}

func testLoad(t *testing.T, s *device.Session, many int, longest uint64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, longest))
	var runs []fmd.Run
	var rows uint64
	last := byte(9)
	for range many {
		letter := byte(rng.IntN(fmd.Letters))
		if letter == last || letter == 0 && longest > 1000 {
			continue
		}
		r := fmd.Run{Letter: letter, Len: 1 + rng.Uint64N(longest)}
		if longest == 1<<33 && len(runs)%1000 != 0 {
			r.Len = 1 + r.Len%9
		}
		runs, last, rows = append(runs, r), letter, rows+r.Len
	}
	x, err := rlbwt.Load(t.Context(), s, inParts(rng, runs))
	require.NoError(t, err)
	require.Equal(t, runs, allRuns(t, x))
	require.Equal(t, rows, x.Len())
	checkSomeRanks(t, rng, x, runs)
	x.Release()
}

func checkSomeRanks(t *testing.T, rng *rand.Rand, x *rlbwt.Index, runs []fmd.Run) {
	t.Helper()
	var row uint64
	var counts [fmd.Letters]uint64
	var rows, want []uint64
	var of []byte
	for _, r := range runs {
		within := rng.Uint64N(r.Len)
		for c := range byte(fmd.Letters) {
			rows, of, want = append(rows, row), append(of, c), append(want, counts[c])
		}
		rows, of, want = append(rows, row+within), append(of, r.Letter), append(want, counts[r.Letter]+within)
		counts[r.Letter] += r.Len
		row += r.Len
	}
	got, err := x.Rank(t.Context(), of, rows)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func TestRefused(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		x, err := rlbwt.New(e.Session)
		require.NoError(t, err)
		defer x.Release()
		assert.ErrorContains(t, x.Append(t.Context(), []byte{1, 2}), "without an end")
		assert.ErrorContains(t, x.Append(t.Context(), []byte{1, 6, 0}), "letter 6 at 1")
		long := slices.Repeat([]byte{1, 2, 3, 0}, 1<<19) // each part that is checked has ends
		long[1<<20+1], long[1<<20+5] = 7, 8
		assert.ErrorContains(t, x.Append(t.Context(), long), "letter 7 at 1048577")
		assert.NoError(t, x.Append(t.Context(), nil))
		_, err = x.Rank(t.Context(), []byte{1}, []uint64{1})
		assert.ErrorContains(t, err, "row 1 of 0")
		assert.ErrorContains(t, x.Extract(t.Context(), []uint64{0}, nil), "row 0 of 0")
		_, err = rlbwt.Load(t.Context(), e.Session, func(yield fmd.Yield) error {
			return yield([]fmd.Run{{Letter: 6, Len: 1}})
		})
		assert.ErrorContains(t, err, "letter 6")
	})
}

// Strings of unlike lengths come in order, and what stands before other rows, whatever room there is, however long
// pieces are.
func TestExtractWithin(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		rng := rand.New(rand.NewPCG(7, 8))
		var all []string
		count, long, longest := 300, 5000, 0
		if slow(e.Session) {
			count, long = 80, 500
		}
		for i := range count {
			n := rng.IntN(60)
			if i%70 == 3 {
				n = long + rng.IntN(long/2)
			}
			longest = max(longest, n)
			all = append(all, random(rng, n, "ACGT"))
		}
		x, err := rlbwt.New(e.Session)
		require.NoError(t, err)
		defer func() { x.Release() }()
		codes := set(all...)
		require.NoError(t, x.Append(t.Context(), codes))
		numbers := make([]uint64, len(all))
		for i := range numbers {
			numbers[i] = uint64(i)
		}
		letters := transform(codes)
		steps := stepsOf(letters)
		for _, piece := range []int{300, 20} {
			restore := rlbwt.SetPieces(piece, 200)
			for _, room := range []int64{0, 3000, int64(2 * len(codes))} {
				peak := int64(0)
				end := rlbwt.SetHeld(func(bytes int64) { peak = max(peak, bytes) })
				var got []byte
				require.NoError(t, x.ExtractWithin(t.Context(), numbers, room, func(i int, letters []byte, _ uint64) error {
					require.Equal(t, bytes.Count(got, []byte{0}), i)
					got = append(append(got, letters...), 0)
					return nil
				}))
				end()
				require.True(t, bytes.Equal(codes, got), "room %d, pieces of %d", room, piece)
				require.LessOrEqual(t, peak, max(room, 200, int64(longest)), "room %d, pieces of %d", room, piece)
			}
			rows := []uint64{0, 0, x.Len() - 1, x.Len() / 2, 3, rng.Uint64N(x.Len()), x.Len() / 2}
			require.NoError(t, x.Extract(t.Context(), rows, func(i int, got []byte, whole uint64) error {
				want, row := before(letters, steps, rows[i])
				require.Equal(t, want, append([]byte{}, got...), "row %d, pieces of %d", rows[i], piece)
				require.Equal(t, row, whole, "row %d, pieces of %d", rows[i], piece)
				return nil
			}))
			restore()
		}
	})
}

// stepsOf are the rows of the suffixes that begin with the letters of a transform.
func stepsOf(letters []byte) []uint64 {
	rows := make([]uint64, len(letters))
	for i := range rows {
		rows[i] = uint64(i)
	}
	slices.SortStableFunc(rows, func(a, b uint64) int { return int(letters[a]) - int(letters[b]) })
	steps := make([]uint64, len(letters))
	for to, row := range rows {
		steps[row] = uint64(to)
	}
	return steps
}

// before is what stands before a row of a transform, and the row of the whole string.
func before(letters []byte, steps []uint64, row uint64) (text []byte, whole uint64) {
	text = []byte{}
	for whole = row; letters[whole] != 0; whole = steps[whole] {
		text = append(text, letters[whole])
	}
	slices.Reverse(text)
	return text, whole
}

// Nothing depends on memory that nothing has been written to.
func TestUnwritten(t *testing.T) {
	devicetest.Unwritten(t, func(t *testing.T, s *device.Session, trace *devicetest.Trace) error {
		for _, c := range collections(rand.New(rand.NewPCG(5, 6)), 100) {
			if !slices.Contains([]string{"haplotypes", "empty", "poly-A", "N"}, c.name) {
				continue
			}
			trace.Part("%s", c.name)
			x, err := rlbwt.New(s)
			if err != nil {
				return err
			}
			half := len(c.strings) / 2
			for _, part := range [][]string{c.strings[:half], c.strings[half:]} {
				if err := x.Append(t.Context(), set(part...)); err != nil {
					return err
				}
				trace.Result(allRuns(t, x), madeFile(t, x))
			}
			checkRanks(t, x, transform(set(c.strings...)))
			err = x.Extract(t.Context(), []uint64{0, uint64(half)}, func(i int, letters []byte, row uint64) error {
				trace.Result(i, letters, row)
				return nil
			})
			x.Release()
			if err != nil {
				return err
			}
		}
		return nil
	})
}
