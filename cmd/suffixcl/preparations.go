package main

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/duplicates"
	"github.com/suffixcl/suffixcl/formats"
	"github.com/suffixcl/suffixcl/formats/bsdiff"
	"github.com/suffixcl/suffixcl/patterns"
	"github.com/suffixcl/suffixcl/seqio"
)

// planning plans an operation on a text of n symbols. A plan asks the session for the programs of the operation.
type planning func(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error)

// preparation is what a verb needs.
type preparation struct {
	verb  string
	plans []planning
	// rehearse calls what plans nothing before it is called; may be nil.
	rehearse func(ctx context.Context, e *suffixcl.Engine, text []byte) error
}

// preparations are those of the verbs that compute on a device, in the order of the help.
var preparations = []preparation{
	{"sa", plansOf(sortedArray), nil},
	{"lcp", plansOf(sortedLCP, knownLCP), nil},
	{"gsa", append(plansOf(sortedLCP), planSets), nil},
	{"bwt", plansOf(sortedBWT), nil},
	{"unbwt", plansOf(invertedBWT), nil},
	{"index", plansOf(madeIndex), rehearseIndex},
	{"build", append(plansOf(sortedBWT), planFormats), nil},
	{"count", plansOf(madeIndex), rehearseIndex},
	{"locate", plansOf(madeIndex), rehearseIndex},
	{"match", plansOf(madeMatcher), rehearseMatcher},
	{"repeats", []planning{planRepeats}, nil},
	{"intervals", append(plansOf(sortedLCP), planIntervals), rehearseIntervals},
	{"mems", append(plansOf(sortedLCP), planMems), nil},
	{"mums", append(plansOf(sortedLCP), planMums), rehearseMums},
	{"mappability", append(plansOf(sortedLCP), planMappability), nil},
	{"tokens", []planning{planTokens}, nil},
	{"seeds", []planning{planSeeds}, nil},
	{"dedup", []planning{planDedup}, nil},
	{"diff", append(plansOf(sortedArray), planDiff), nil},
	{"verify", plansOf(checkedArray, checkedBWT, checkedLCP), nil},
	{"devices", plansOf(sortedArray, checkedArray), nil},
}

// preparedLengths are those of texts that are sorted in different ways.
var preparedLengths = []int{1 << 12, 1 << 15, 1 << 20, 1 << 28}

// preparedText is how many letters the texts of plans have at most that take no length: sorters of longer ones come
// from plans that do.
const preparedText = 1 << 20

// manyTexts do not fit next to letters in a byte.
const manyTexts = 300

func preparedVerbs() (names []string) {
	for _, p := range preparations {
		names = append(names, p.verb)
	}
	return names
}

// plansOf are those of operations on texts of bytes.
func plansOf(ops ...operation) (plans []planning) {
	for _, op := range ops {
		plans = append(plans, func(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
			return op.plan(ctx, e, 1, n)
		})
	}
	return plans
}

// all are several plans as one. What does not fit is left out: the verb refuses it, too.
func all(plans ...func() (device.MemoryPlan, error)) (device.MemoryPlan, error) {
	var sum device.MemoryPlan
	for _, plan := range plans {
		p, err := plan()
		if err != nil && !device.IsTooLarge(err) {
			return nil, err
		}
		sum = append(sum, p...)
	}
	return sum, nil
}

// genomeOf is a text of n letters, or of preparedText.
func genomeOf(n int) []byte {
	const letters = "gattacagattcaccgt"
	return bytes.Repeat([]byte(letters), min(n, preparedText)/len(letters)+1)[:min(n, preparedText)]
}

// textsOf cuts a genome of n letters into texts.
func textsOf(n, count int) (texts [][]byte) {
	letters := genomeOf(n)
	for k := range count {
		texts = append(texts, letters[len(letters)*k/count:len(letters)*(k+1)/count])
	}
	return texts
}

func planSets(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	var plans []func() (device.MemoryPlan, error)
	for _, count := range []int{2, manyTexts} {
		set := suffixcl.Documents(textsOf(n, count)...)
		for _, lcp := range []bool{false, true} {
			want := suffixcl.Want{SA: true, LCP: lcp, Documents: true, BWT: true}
			plans = append(plans, func() (device.MemoryPlan, error) { return e.Arrays(set, want).Plan(ctx) })
		}
	}
	return all(plans...)
}

// planFormats plans the index of each program, but for what is sorted in ranges.
func planFormats(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	var plans []func() (device.MemoryPlan, error)
	for _, f := range indexFormats {
		plans = append(plans, func() (device.MemoryPlan, error) {
			b, err := seqio.ReadAll(strings.NewReader(">genome\n"+string(genomeOf(n))+"\n"), formats.Sequences("genome"))
			if err != nil {
				return nil, err
			}
			r, err := f.new(b)
			if err != nil {
				return nil, err
			}
			return r.Plan(ctx, e)
		})
	}
	return all(plans...)
}

// preparedIntervals are queries that take steps of their own.
var preparedIntervals = []suffixcl.IntervalOptions{{}, {LeftMaximal: true}, {Best: 1}, {Best: 1, Supermaximal: true}}

func planRepeats(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	return e.Repeats(suffixcl.Length(1, n), suffixcl.RepeatOptions{}).Plan(ctx)
}

func planIntervals(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	var plans []func() (device.MemoryPlan, error)
	for _, o := range preparedIntervals {
		plans = append(plans, func() (device.MemoryPlan, error) { return e.Intervals(suffixcl.Length(1, n), o).Plan(ctx) })
		for _, count := range []int{2, manyTexts} {
			set := suffixcl.Documents(textsOf(n, count)...)
			plans = append(plans, func() (device.MemoryPlan, error) { return e.Intervals(set, o).Plan(ctx) })
		}
	}
	return all(plans...)
}

func planMems(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	set := suffixcl.Documents(textsOf(n, 2)...)
	var plans []func() (device.MemoryPlan, error)
	for kind := suffixcl.UniqueInReference; kind <= suffixcl.MaximalExact; kind++ {
		for _, letters := range []string{"", genomeLetters} {
			o := suffixcl.MatchOptions{Kind: kind, Strands: suffixcl.BothStrands, Letters: letters}
			plans = append(plans, func() (device.MemoryPlan, error) { return e.Matches(set, set, o).Plan(ctx) })
		}
	}
	return all(plans...)
}

// preparedMums are multi-MUMs and multi-MEMs.
var preparedMums = []suffixcl.MultiMatchOptions{
	{MinLength: suffixcl.DefaultMatchLength, MostEach: 1, BothStrands: true, Letters: genomeLetters},
	{MinLength: suffixcl.DefaultMatchLength, BothStrands: true, Letters: genomeLetters},
}

func planMums(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	set := suffixcl.Documents(textsOf(n, 2)...)
	var plans []func() (device.MemoryPlan, error)
	for _, o := range preparedMums {
		plans = append(plans, func() (device.MemoryPlan, error) {
			return e.MultiMatches([]suffixcl.Text{set, set}, o).Plan(ctx)
		})
	}
	return all(plans...)
}

func planMappability(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	set := suffixcl.Documents(textsOf(n, 2)...)
	var plans []func() (device.MemoryPlan, error)
	for _, unique := range []bool{false, true} {
		for _, both := range []bool{false, true} {
			o := suffixcl.MappabilityOptions{K: []int{20, 50}, Unique: unique, BothStrands: both, Letters: genomeLetters}
			plans = append(plans, func() (device.MemoryPlan, error) { return e.Mappability(set, o).Plan(ctx) })
		}
	}
	return all(plans...)
}

// planTokens plans tokens of each width.
func planTokens(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	var plans []func() (device.MemoryPlan, error)
	for _, width := range []int{1, 2, 4} {
		plans = append(plans, func() (device.MemoryPlan, error) {
			return e.Arrays(suffixcl.Length(width, n), suffixcl.Want{}).Plan(ctx)
		})
	}
	return all(plans...)
}

func planSeeds(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	flags := seedsFlags{size: 1}
	return e.Intervals(suffixcl.Length(4, n), flags.options([]uint8{})).Plan(ctx)
}

// planDedup plans symbols of each width.
func planDedup(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	var plans []func() (device.MemoryPlan, error)
	for _, width := range []int{1, 2, 4} {
		for _, keep := range []duplicates.Keep{duplicates.KeepNone, duplicates.KeepFirst} {
			for _, other := range []int{0, n / 2} {
				o := duplicates.Options{Length: 100, SymbolBytes: width, Keep: keep, Other: other, Documents: 2, Frequent: 1}
				plans = append(plans,
					func() (device.MemoryPlan, error) { return e.Duplicates(suffixcl.Length(width, n), nil, o).Plan(ctx) })
			}
		}
	}
	return all(plans...)
}

func planDiff(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	return bsdiff.Plan(ctx, e, int64(n), int64(n))
}

// rehearsedPatterns occur in the text of the self-test.
func rehearsedPatterns(text []byte) (*patterns.Batch, error) {
	var b patterns.Batch
	return &b, errors.Join(b.Add(text[:3]), b.Add(text[len(text)-100:]))
}

func rehearseIndex(ctx context.Context, e *suffixcl.Engine, text []byte) error {
	const sample = 32 // which locate needs
	for _, c := range []struct {
		text []byte
		o    suffixcl.IndexOptions
	}{
		{text, suffixcl.IndexOptions{SampleEvery: sample}},
		{genomeOf(400), suffixcl.IndexOptions{SampleEvery: sample}},
		{append(genomeOf(400), 'n'), suffixcl.IndexOptions{SampleEvery: sample, DNA: true}}, // with what is no symbol
	} {
		x, err := e.Index(suffixcl.Bytes(c.text), c.o).All(ctx)
		if err != nil {
			return err
		}
		err = rehearseSearch(ctx, x, c.text)
		if err := errors.Join(err, x.Close()); err != nil {
			return err
		}
	}
	return nil
}

func rehearseMatcher(ctx context.Context, e *suffixcl.Engine, text []byte) error {
	for _, o := range []suffixcl.MatcherOptions{{}, {DNA: true}} {
		m, err := e.Matcher(suffixcl.Bytes(text), o).All(ctx)
		if err != nil {
			return err
		}
		if err := errors.Join(rehearseSearch(ctx, m, text), m.Close()); err != nil {
			return err
		}
	}
	return nil
}

func rehearseIntervals(ctx context.Context, e *suffixcl.Engine, text []byte) error {
	set := suffixcl.Documents(textsOf(400, 2)...)
	for _, o := range preparedIntervals {
		for _, t := range []suffixcl.Text{suffixcl.Bytes(text), set} {
			if _, err := e.Intervals(t, o).All(ctx); err != nil {
				return err
			}
		}
	}
	_, err := e.Intervals(set, suffixcl.IntervalOptions{Common: true}).All(ctx)
	return err
}

func rehearseMums(ctx context.Context, e *suffixcl.Engine, _ []byte) error {
	set := suffixcl.Documents(textsOf(400, 2)...)
	for _, o := range preparedMums {
		if _, err := e.MultiMatches([]suffixcl.Text{set, set}, o).All(ctx); err != nil {
			return err
		}
	}
	return nil
}

func rehearseSearch(ctx context.Context, x searcher, text []byte) error {
	b, err := rehearsedPatterns(text)
	if err != nil {
		return err
	}
	if _, err := x.Count(ctx, b); err != nil {
		return err
	}
	return x.Locate(ctx, b, func(int, []uint32) error { return nil })
}
