package pangenome_test

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/jobs/pangenome"
	"github.com/suffixcl/suffixcl/internal/rope"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/internal/testkit/harness"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

// suffix is one of a string.
type suffix struct{ of, at int }

// naive is a collection by definition.
type naive struct {
	strings  [][]byte // codes
	suffixes []suffix // sorted: $ of string i before that of string j for i < j
}

// strandsOf are the strings of records, of both strands or one.
func strandsOf(records []string, forward bool) (all [][]byte) {
	for _, r := range records {
		var s []byte
		for _, b := range []byte(r) {
			code := strings.IndexByte("$ACGTN", b)
			if b >= 'a' {
				code = strings.IndexByte("$acgtn", b)
			}
			if code < 1 {
				code = 5
			}
			s = append(s, byte(code))
		}
		all = append(all, s)
		if forward {
			continue
		}
		other := make([]byte, len(s))
		for i, c := range s {
			other[len(s)-1-i] = []byte{0, 4, 3, 2, 1, 5}[c]
		}
		all = append(all, other)
	}
	return all
}

// naiveOf has the strings of records, of both strands or one.
func naiveOf(records []string, forward bool) *naive {
	n := &naive{strings: strandsOf(records, forward)}
	for i, s := range n.strings {
		for at := range len(s) + 1 {
			n.suffixes = append(n.suffixes, suffix{i, at})
		}
	}
	slices.SortFunc(n.suffixes, func(a, b suffix) int {
		return cmp.Or(bytes.Compare(n.strings[a.of][a.at:], n.strings[b.of][b.at:]), cmp.Compare(a.of, b.of))
	})
	return n
}

// transform has the letter before each suffix.
func (n *naive) transform() (codes []byte) {
	for _, s := range n.suffixes {
		if s.at == 0 {
			codes = append(codes, 0)
		} else {
			codes = append(codes, n.strings[s.of][s.at-1])
		}
	}
	return codes
}

// file is the transform as a file.
func (n *naive) file(t testing.TB) []byte {
	var e fmd.Encoder
	for _, c := range n.transform() {
		e.Add(fmd.Run{Letter: c, Len: 1})
	}
	var file bytes.Buffer
	_, err := e.WriteTo(&file)
	require.NoError(t, err)
	return file.Bytes()
}

// samples are those of every 2^rate-th row.
func (n *naive) samples(rate int) *fmd.Samples {
	m := uint64(len(n.strings))
	s := &fmd.Samples{Rate: rate, Strings: []uint64{}, Places: []uint64{}}
	for row, of := range n.suffixes {
		if of.at == 0 {
			s.Strings = append(s.Strings, uint64(of.of))
		}
		if row >= len(n.strings) && (row-len(n.strings))%(1<<rate) == 0 {
			s.Places = append(s.Places, uint64(of.at)<<fmd.Shift(m)|uint64(of.of))
		}
	}
	return s
}

// text is a string in letters.
func text(codes []byte) string {
	letters := make([]byte, len(codes))
	for i, c := range codes {
		letters[i] = "$ACGTN"[c]
	}
	return string(letters)
}

func randomText(rng *rand.Rand, n int, letters string) string {
	s := make([]byte, n)
	for i := range s {
		s[i] = letters[rng.IntN(len(letters))]
	}
	return string(s)
}

// mutated is a text with some other letters.
func mutated(rng *rand.Rand, s string, count int) string {
	b := []byte(s)
	for range min(count, len(b)) {
		b[rng.IntN(len(b))] = "ACGT"[rng.IntN(4)]
	}
	return string(b)
}

// collections are of all kinds.
func collections(rng *rand.Rand) map[string][]string {
	genome := randomText(rng, 700, "ACGT")
	all := map[string][]string{
		"none": nil, "a letter": {"A"}, "an empty record": {""}, "empty records": {"", "A", "", "", "ACG", ""},
		"copies":   slices.Repeat([]string{"ACGT"}, 20),
		"poly-A":   {strings.Repeat("A", 900), strings.Repeat("A", 900), strings.Repeat("A", 901)},
		"N":        {"NNNNNNNNNNACGTNNN", "NNN", "ANNA", "N"},
		"case":     {"acgtACGTnN", "ACGTACGTNN", "AcGtRyKm*-.u"},
		"tandem":   {strings.Repeat("ACG", 200), strings.Repeat("ACG", 201), strings.Repeat("CGA", 150)},
		"two":      {randomText(rng, 500, "AT"), randomText(rng, 500, "AT")},
		"random":   {genome, randomText(rng, 300, "ACGTN"), randomText(rng, 1, "ACGT")},
		"stretch":  {genome + randomText(rng, 100, "ACGT"), randomText(rng, 100, "ACGT") + genome},
		"same":     {genome, genome, genome},
		"prefixes": {}, "suffixes": {}, "haplotypes": {}, "tiny": {},
	}
	for n := range 30 {
		all["prefixes"] = append(all["prefixes"], genome[:2*n])
		all["suffixes"] = append(all["suffixes"], genome[len(genome)-2*n:])
		all["tiny"] = append(all["tiny"], randomText(rng, 1+rng.IntN(4), "ACGT"))
	}
	for range 4 {
		all["haplotypes"] = append(all["haplotypes"], mutated(rng, genome, 6))
	}
	return all
}

// section is a file in memory.
func section(file []byte) *io.SectionReader {
	return io.NewSectionReader(bytes.NewReader(file), 0, int64(len(file)))
}

// sets hands out records in batches.
func sets(batches ...[]string) func() (*suffixcl.Collection, error) {
	return func() (*suffixcl.Collection, error) {
		if len(batches) == 0 {
			return nil, io.EOF
		}
		var texts [][]byte
		for _, r := range batches[0] {
			texts = append(texts, []byte(r))
		}
		batches = batches[1:]
		return suffixcl.JoinTexts('\n', texts...)
	}
}

// Collections of all kinds are indexed as they are defined, however they come together.
func TestDefinition(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	rng := rand.New(rand.NewPCG(62, 1))
	made := func(o suffixcl.PangenomeOptions) []byte {
		made, err := e.Pangenome(o).All(t.Context())
		require.NoError(t, err)
		return made.File
	}
	for kind, records := range collections(rng) {
		for _, forward := range []bool{false, true} {
			want := naiveOf(records, forward)
			file := want.file(t)
			all, err := e.Pangenome(suffixcl.PangenomeOptions{Next: sets(records), Forward: forward}).All(t.Context())
			require.NoError(t, err)
			require.Equal(t, file, all.File, "%s, forward %v", kind, forward)
			transform, runs := want.transform(), 0
			for i, c := range transform {
				if i == 0 || c != transform[i-1] {
					runs++
				}
			}
			require.EqualValues(t, runs, all.Runs)
			require.EqualValues(t, len(want.strings), all.Counts[0])

			a, b := rng.IntN(len(records)+1), rng.IntN(len(records)+1)
			a, b = min(a, b), max(a, b)
			o := suffixcl.PangenomeOptions{Forward: forward}
			o.Next = sets(records[:a], records[a:b], records[b:])
			require.Equal(t, file, made(o), "%s, forward %v: batches %d, %d", kind, forward, a, b)
			o.Next = sets(records[:a])
			first := made(o)
			o.Next = sets(records[a:b])
			second := made(o)
			o.Indexes, o.Next = []*io.SectionReader{section(first), section(second)}, sets(records[b:])
			require.Equal(t, file, made(o), "%s, forward %v: merged at %d, appended at %d", kind, forward, a, b)

			found, err := e.PangenomeIndex(section(file)).Strings(nil).All(t.Context())
			require.NoError(t, err)
			require.Len(t, found, len(want.strings))
			for i, s := range found {
				require.Equal(t, text(want.strings[i]), string(s.Text))
				require.EqualValues(t, i, s.Row)
				require.Equal(t, suffix{i, 0}, want.suffixes[s.Whole])
			}
			if len(want.suffixes) > 0 {
				row := rng.IntN(len(want.suffixes))
				one, err := e.PangenomeIndex(section(file)).Strings([]uint64{uint64(row)}).All(t.Context())
				require.NoError(t, err)
				of := want.suffixes[row]
				require.Equal(t, text(want.strings[of.of][:of.at]), string(one[0].Text))
			}
			for _, rate := range []int{0, 3, 8} {
				made, err := e.PangenomeIndex(section(file)).Samples(rate).All(t.Context())
				require.NoError(t, err)
				got, err := fmd.ReadSamples(bytes.NewReader(made), int64(len(made)))
				require.NoError(t, err)
				require.Equal(t, want.samples(rate), got, "%s, forward %v, rate %d", kind, forward, rate)
			}
		}
	}
}

// Strings of an index that is merged are read and appended in parts, as the plan says. The bytes do not depend on them.
func TestMergeInParts(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	rng := rand.New(rand.NewPCG(62, 10))
	records := []string{"", randomText(rng, 4000, "ACGTN")}
	for range 40 {
		records = append(records, randomText(rng, rng.IntN(200), "ACGT"))
	}
	first, second := naiveOf(records[:5], false).file(t), naiveOf(records[5:], false).file(t)
	swapped := naiveOf(append(slices.Clone(records[5:]), records[:5]...), false).file(t)
	plan := func() int64 {
		o := suffixcl.PangenomeOptions{Indexes: []*io.SectionReader{section(first), section(second)}}
		plan, err := e.Pangenome(o).Plan(t.Context())
		require.NoError(t, err)
		return plan.Host()
	}
	whole := plan()
	merged := func(indexes ...*io.SectionReader) []byte {
		made, err := e.Pangenome(suffixcl.PangenomeOptions{Indexes: indexes}).All(t.Context())
		require.NoError(t, err)
		return made.File
	}
	for _, most := range []int{1, 100, 1000, 10_000} {
		end := pangenome.SetAtOnce(int64(2*most), most)
		require.Equal(t, naiveOf(records, false).file(t), merged(section(first), section(second)), most)
		require.Equal(t, swapped, merged(section(second), section(first)), most)
		require.LessOrEqual(t, plan(), whole)
		end()
	}
}

// Sets that are there before their turn change nothing, whichever of them are.
func TestAhead(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	rng := rand.New(rand.NewPCG(62, 10))
	genome := randomText(rng, 500, "ACGTN")
	for _, forward := range []bool{false, true} {
		var records []string
		var all []*suffixcl.Collection
		for range 8 {
			batch := []string{mutated(rng, genome, 5), "", mutated(rng, genome, 9)}[:1+rng.IntN(3)]
			set, err := sets(batch)()
			require.NoError(t, err)
			records, all = append(records, batch...), append(all, set)
		}
		seen, next := 0, 0
		o := suffixcl.PangenomeOptions{Forward: forward, Next: func() (*suffixcl.Collection, error) {
			if next == len(all) {
				return nil, io.EOF
			}
			next++
			return all[next-1], nil
		}, Ahead: func() *suffixcl.Collection {
			switch {
			case next == len(all) || rng.IntN(3) == 0:
				return nil
			case rng.IntN(4) == 0: // another value is of no use, but does no harm
				return all[0]
			}
			seen++
			return all[next]
		}}
		made, err := e.Pangenome(o).All(t.Context())
		require.NoError(t, err)
		require.Equal(t, naiveOf(records, forward).file(t), made.File)
		require.Positive(t, seen)
	}
}

// An index is saved while it grows: the file is that of the sets so far.
func TestSave(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	rng := rand.New(rand.NewPCG(62, 9))
	genome := randomText(rng, 500, "ACGT")
	records := []string{genome, mutated(rng, genome, 5), "", mutated(rng, genome, 5)}
	saved := 0
	o := suffixcl.PangenomeOptions{Next: sets(records[:1], records[1:3], records[3:])}
	o.Save = func(write func(io.Writer) (*suffixcl.Pangenome, error)) error {
		if saved++; saved == 1 {
			return nil // it need not be written
		}
		var file bytes.Buffer
		figures, err := write(&file)
		require.NoError(t, err)
		want := naiveOf(records[:saved+1], false)
		require.Equal(t, want.file(t), file.Bytes())
		require.EqualValues(t, len(want.strings), figures.Counts[0])
		require.Positive(t, figures.Runs)
		require.Nil(t, figures.File)
		_, err = e.Pangenome(suffixcl.PangenomeOptions{}).All(t.Context())
		require.ErrorIs(t, err, suffixcl.ErrInCallback)
		return nil
	}
	made, err := e.Pangenome(o).All(t.Context())
	require.NoError(t, err)
	require.Equal(t, naiveOf(records, false).file(t), made.File)
	require.Equal(t, 3, saved)

	full := errors.New("full")
	o.Next = sets(records)
	o.Save = func(write func(io.Writer) (*suffixcl.Pangenome, error)) error {
		_, err := write(fails{full})
		return err
	}
	_, err = e.Pangenome(o).All(t.Context())
	require.ErrorIs(t, err, full)
}

// fails is a writer that has no room.
type fails struct{ error }

func (f fails) Write([]byte) (int, error) { return 0, f.error }

// grown is the file of strings that were inserted letter by letter, of both strands.
func grown(t *testing.T, records []string) []byte {
	x := rope.New()
	for _, s := range strandsOf(records, false) {
		require.NoError(t, x.Append(t.Context(), append(slices.Clone(s), 0)))
	}
	return fileOf(t, func(yield func(fmd.Run) error) error { return x.Runs(t.Context(), yield) })
}

// Larger collections, which no naive sort is for: counts of 32 bits, numbers of strings of 18.
func TestLarge(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	rng := rand.New(rand.NewPCG(62, 5))
	tiny := make([]string, 70_000)
	for i := range tiny {
		tiny[i] = randomText(rng, 1+rng.IntN(4), "ACGT")
	}
	genome := randomText(rng, 50_000, "ACGT")
	for kind, records := range map[string][]string{
		"tiny": tiny, "poly-A": {strings.Repeat("A", 100_000), strings.Repeat("A", 100_000)},
		"haplotypes": {genome, mutated(rng, genome, 50), genome, mutated(rng, genome, 5)},
	} {
		half := len(records) / 2
		made, err := e.Pangenome(suffixcl.PangenomeOptions{Next: sets(records[:half], records[half:])}).All(t.Context())
		require.NoError(t, err)
		require.True(t, bytes.Equal(grown(t, records), made.File), kind)
		if kind == "tiny" {
			samples, err := e.PangenomeIndex(section(made.File)).Samples(8).All(t.Context())
			require.NoError(t, err)
			require.Equal(t, []byte{18, 0, 0, 0}, samples[8:12])
		}
	}
}

// Damaged files are errors, or have no effect; nothing crashes or is endless.
func TestDamaged(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	rng := rand.New(rand.NewPCG(62, 2))
	genome := randomText(rng, 300, "ACGT")
	of := naiveOf([]string{genome, mutated(rng, genome, 5), "NNACC"}, false)
	file := of.file(t)
	for range 1000 {
		bad := slices.Clone(file)
		switch rng.IntN(4) {
		case 0:
			bad = bad[:rng.IntN(len(bad))]
		case 1:
			bad[rng.IntN(80)] ^= 1 << rng.IntN(8)
		default:
			bad[rng.IntN(len(bad))] ^= 1 << rng.IntN(8)
		}
		var wrong *suffixcl.IndexError
		found, err := e.PangenomeIndex(section(bad)).Strings(nil).All(t.Context())
		if err != nil {
			assert.ErrorAs(t, err, &wrong)
		} else { // the file says the same in other bits, or it is of other strings
			for _, s := range found {
				assert.Less(t, len(s.Text), len(of.suffixes))
			}
		}
		made, err := e.Pangenome(suffixcl.PangenomeOptions{Indexes: []*io.SectionReader{section(file), section(bad)}}).
			All(t.Context())
		if err != nil {
			require.ErrorAs(t, err, &wrong)
			require.Equal(t, 1, wrong.Index)
		} else if len(found) == len(of.strings) && bytes.Equal(file, bad) {
			require.EqualValues(t, 2*len(of.strings), made.Counts[0])
		}
		_, err = e.PangenomeIndex(section(bad)).Samples(3).All(t.Context())
		if err != nil {
			require.ErrorAs(t, err, &wrong)
		}
		made, err = e.Pangenome(suffixcl.PangenomeOptions{Indexes: []*io.SectionReader{section(bad)}, Forward: true,
			Next: sets([]string{"GATTACA", ""})}).All(t.Context())
		if err != nil {
			require.ErrorAs(t, err, &wrong)
			require.Zero(t, wrong.Index)
		} else {
			h, err := fmd.ReadHeader(bytes.NewReader(bad), int64(len(bad)))
			require.NoError(t, err)
			require.Equal(t, h.Counts[0]+2, made.Counts[0])
			require.Equal(t, h.Counts[1]+3, made.Counts[1])
		}
	}
}

// fileOf is a file of runs.
func fileOf(t *testing.T, runs func(yield func(fmd.Run) error) error) []byte {
	var e fmd.Encoder
	require.NoError(t, runs(func(r fmd.Run) error {
		e.Add(r)
		return nil
	}))
	var file bytes.Buffer
	_, err := e.WriteTo(&file)
	require.NoError(t, err)
	return file.Bytes()
}

// Rows are more than 5 bytes can tell. The transform is none of a collection: ranks do not depend on that.
func TestManyRows(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	if caps := e.Caps(); harness.Simulated(&caps) {
		t.Skip("it takes 2^24 slots")
	}
	rng := rand.New(rand.NewPCG(62, 11))
	runs := []fmd.Run{{Letter: 1, Len: 1<<40 + 12345}}
	for i := range 3000 {
		runs = append(runs, fmd.Run{Letter: byte(i%2*3 + rng.IntN(3)), Len: 1 + rng.Uint64N(1<<rng.IntN(12))})
	}
	each := func(yield func(fmd.Run) error) error {
		for _, r := range runs {
			if err := yield(r); err != nil {
				return err
			}
		}
		return nil
	}
	file := fileOf(t, each)
	records := []string{randomText(rng, 2000, "ACGTN"), strings.Repeat("A", 300), "", randomText(rng, 3000, "CA")}
	want, err := rope.Load(each)
	require.NoError(t, err)
	for _, s := range strandsOf(records, true) {
		require.NoError(t, want.Append(t.Context(), append(slices.Clone(s), 0)))
	}
	o := suffixcl.PangenomeOptions{Indexes: []*io.SectionReader{section(file)}, Forward: true}
	o.Next = sets(records[:2], records[2:])
	made, err := e.Pangenome(o).All(t.Context())
	require.NoError(t, err)
	require.Greater(t, made.Counts[1], uint64(1)<<40)
	require.Equal(t, want.Counts(), made.Counts)
	wanted := fileOf(t, func(yield func(fmd.Run) error) error { return want.Runs(t.Context(), yield) })
	require.True(t, bytes.Equal(wanted, made.File))
}

// Wrong calls are errors.
func TestWrong(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	one := naiveOf([]string{"AAC"}, true).file(t)
	grow := func(next func() (*suffixcl.Collection, error), indexes ...*io.SectionReader) error {
		_, err := e.Pangenome(suffixcl.PangenomeOptions{Indexes: indexes, Next: next}).All(t.Context())
		return err
	}
	err := grow(sets([]string{"A"}), section(one))
	require.ErrorContains(t, err, "both strands")
	_, err = e.Pangenome(suffixcl.PangenomeOptions{Letters: -1}).All(t.Context())
	require.ErrorContains(t, err, "-1 letters")
	_, err = e.PangenomeIndex(section(one)).Strings([]uint64{4}).All(t.Context())
	require.ErrorContains(t, err, "row 4")
	_, err = e.PangenomeIndex(section(one)).Samples(-1).All(t.Context())
	require.ErrorContains(t, err, "2^-1 rows")
	var wrong *suffixcl.IndexError
	_, err = e.PangenomeIndex(section(bytes.Repeat([]byte("no index "), 20))).Strings(nil).All(t.Context())
	require.ErrorAs(t, err, &wrong)
	require.ErrorContains(t, grow(nil, nil), "no file")
	require.ErrorContains(t, err, "byte 0")
	// One of no collection: A leads to itself.
	var c fmd.Encoder
	c.Add(fmd.Run{Letter: 0, Len: 1})
	c.Add(fmd.Run{Letter: 1, Len: 3})
	var file bytes.Buffer
	_, err = c.WriteTo(&file)
	require.NoError(t, err)
	_, err = e.PangenomeIndex(section(file.Bytes())).Strings(nil).All(t.Context())
	require.ErrorContains(t, err, "3 letters are in no string")
	_, err = e.PangenomeIndex(section(file.Bytes())).Samples(1).All(t.Context())
	require.ErrorContains(t, err, "3 letters are in no string")
	err = grow(nil, section(one), section(file.Bytes()))
	require.ErrorContains(t, err, "3 letters are in no string")
}

// A plan has the memory of the largest batch, and of the index.
func TestPlan(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	plan, err := e.Pangenome(suffixcl.PangenomeOptions{Letters: 1 << 20, Texts: 3}).Plan(t.Context())
	require.NoError(t, err)
	require.Greater(t, plan.Device(), int64(10<<20))
	require.Greater(t, plan.Host(), int64(4<<20))
	file := naiveOf([]string{"ACGTTGCA"}, false).file(t)
	o := suffixcl.PangenomeOptions{Indexes: []*io.SectionReader{section(file)}, Letters: 1000, Texts: 1}
	plan, err = e.Pangenome(o).Plan(t.Context())
	require.NoError(t, err)
	require.Greater(t, plan.Host(), int64(2000))
}
