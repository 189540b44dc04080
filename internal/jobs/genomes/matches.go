package genomes

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// MatchKind is suffixcl.MatchKind.
type MatchKind int

// The kinds.
const (
	UniqueInReference MatchKind = iota // maximal, and occurs once in the reference
	MaximalUnique                      // and once in the query, of which each text and strand counts for itself: MUMs
	MaximalExact                       // all that are maximal: MEMs
)

// Strands are suffixcl.Strands.
type Strands int

// The strands of a query that are matched. The reverse one is the reverse complement.
const (
	ForwardStrand Strands = iota
	ReverseStrand
	BothStrands
)

// DefaultMatchLength is suffixcl.DefaultMatchLength.
const DefaultMatchLength = 20

// MatchOptions are suffixcl.MatchOptions.
type MatchOptions struct {
	Kind      MatchKind
	MinLength int
	Strands   Strands
	Letters   string
}

func (o MatchOptions) check() (MatchOptions, error) {
	o.MinLength = cmp.Or(o.MinLength, DefaultMatchLength)
	switch {
	case o.Kind < UniqueInReference || o.Kind > MaximalExact:
		return o, fmt.Errorf("suffixcl: unknown kind of matches %d", o.Kind)
	case o.Strands < ForwardStrand || o.Strands > BothStrands:
		return o, fmt.Errorf("suffixcl: unknown strands %d", o.Strands)
	case o.MinLength < 1 || o.MinLength > limits.MaxLen:
		return o, fmt.Errorf("suffixcl: matches of %d letters", o.MinLength)
	}
	return o, nil
}

// Match is suffixcl.Match.
type Match struct {
	Reference uint32
	Query     uint32
	Length    uint32
}

// Matches are suffixcl.Matches.
type Matches struct {
	Text    int
	Reverse bool
	Matches []Match
}

// FindMatches is suffixcl.Engine.Matches.
func FindMatches(e *call.Engine, reference, queries input.Text, o MatchOptions) call.Job[*Matches, []*Matches] {
	o, err := o.check()
	sets := make([]*input.Collection, 2)
	for i, text := range []input.Text{reference, queries} {
		if err == nil {
			sets[i], err = text.AsSet()
		}
		if err == nil && o.Letters == "" {
			err = sets[i].CheckTerminator(0)
		}
	}
	if err != nil {
		return call.Refused[*Matches, []*Matches](e, err)
	}
	return call.Job[*Matches, []*Matches]{Engine: e, Collect: allMatches,
		Operation: func() (call.Operation, error) { return newMatchTexts(sets[0], sets[1], o).largest(e) },
		Run: func(ctx context.Context, yield func(*Matches) error) error {
			c, err := e.Begin(ctx)
			if err != nil {
				return err
			}
			defer c.End()
			c.CallsBack()
			of := newMatchTexts(sets[0], sets[1], o)
			most, err := of.mostAtOnce(e)
			if err != nil {
				return err
			}
			for done := 0; done < len(of.strands); {
				batch := of.batch(done, most)
				if err := of.match(c, batch, done, yield); err != nil {
					return err
				}
				done += batch
			}
			return nil
		}}
}

// allMatches has one for each text and strand.
func allMatches(run func(yield func(*Matches) error) error) (all []*Matches, err error) {
	err = run(func(part *Matches) error {
		if last := len(all) - 1; last < 0 || all[last].Text != part.Text || all[last].Reverse != part.Reverse {
			all = append(all, &Matches{Text: part.Text, Reverse: part.Reverse})
		}
		of := all[len(all)-1]
		of.Matches = append(of.Matches, part.Matches...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// largest is the operation of the piece of the queries that takes most.
func (m *matchTexts) largest(e *call.Engine) (call.Operation, error) {
	most, err := m.mostAtOnce(e)
	if err != nil {
		return nil, err
	}
	if m.base.len() == 0 || m.length(0, len(m.strands)) == m.base.len() {
		return call.Combined{}, nil // nothing is sorted
	}
	largest, at := -1, 0
	for done := 0; done < len(m.strands); {
		batch := m.batch(done, most)
		if n := m.length(done, batch); n > largest {
			largest, at = n, done
		}
		done += batch
	}
	t := m.text(at, m.batch(at, most))
	o, err := m.plan(e, t.len(), len(t.ends))
	if err != nil {
		return nil, err // not a nil *pairing
	}
	return o, nil
}

// strandOf is a strand of a text of the queries.
type strandOf struct {
	text    int
	reverse bool
}

// matchTexts are a reference and queries, cut into stretches.
type matchTexts struct {
	o         MatchOptions
	queries   *input.Collection
	reference *input.Collection
	base      delimitedText // the reference
	strands   []strandOf
	runs      [][][2]int // of the texts of the queries
	before    []int      // bytes that the strands before one take
}

func newMatchTexts(reference, queries *input.Collection, o MatchOptions) *matchTexts {
	m := &matchTexts{o: o, reference: reference, queries: queries}
	cut := ofLetters(o.Letters, o.MinLength)
	for k := range reference.Count() {
		for _, run := range cut.runs(reference.Text(k)) {
			m.base.add(reference.Text(k), k, run[0], run[1], false)
		}
	}
	m.before = []int{0}
	m.runs = make([][][2]int, queries.Count())
	for k := range queries.Count() {
		m.runs[k] = cut.runs(queries.Text(k))
		size := 0
		for _, run := range m.runs[k] {
			size += run[1] - run[0] + 1
		}
		for _, reverse := range []bool{false, true} {
			if o.Strands == BothStrands || reverse == (o.Strands == ReverseStrand) {
				m.strands = append(m.strands, strandOf{k, reverse})
				m.before = append(m.before, m.before[len(m.before)-1]+size)
			}
		}
	}
	return m
}

// length is that of the text of the reference and some strands.
func (m *matchTexts) length(first, count int) int {
	return m.base.len() + m.before[first+count] - m.before[first]
}

// plan plans matching a text.
func (m *matchTexts) plan(e *call.Engine, n, separators int) (*pairing, error) {
	return newPairing(e, n, m.base.len(), separators, m.o)
}

// mostAtOnce is the greatest length of a text that can be treated, or that of all where that is less. Error: a strand
// does not fit with the reference.
func (m *matchTexts) mostAtOnce(e *call.Engine) (int, error) {
	if m.base.len() == 0 || len(m.strands) == 0 {
		return m.length(0, len(m.strands)), nil
	}
	fits := func(n int) error {
		if n == m.base.len() {
			return nil
		}
		separators := len(m.base.ends) + (n-m.base.len())/(m.o.MinLength+1) + 1
		o, err := m.plan(e, n, separators)
		if err == nil {
			err = o.Plan().Fits(e.Session)
		}
		return err
	}
	all, longest := m.length(0, len(m.strands)), 0
	if fits(all) == nil {
		return all, nil
	}
	for k := range m.strands {
		longest = max(longest, m.length(k, 1))
	}
	if err := fits(longest); err != nil {
		return 0, fmt.Errorf("the longest sequence of the queries does not fit with the reference: %w", err)
	}
	more := sort.Search(all-longest, func(d int) bool { return fits(longest+d+1) != nil })
	return longest + more, nil
}

// batch is how many strands from `first` on are treated at once.
func (m *matchTexts) batch(first, most int) int {
	count := 1
	for first+count < len(m.strands) && m.length(first, count+1) <= most {
		count++
	}
	return count
}

// text is the reference and some strands, whose numbers own the stretches.
func (m *matchTexts) text(first, count int) *delimitedText {
	t := &delimitedText{ends: slices.Clone(m.base.ends), pieces: slices.Clone(m.base.pieces),
		copies: slices.Clone(m.base.copies)}
	for k := first; k < first+count; k++ {
		of := m.strands[k]
		sequence, runs := m.queries.Text(of.text), m.runs[of.text]
		for i := range runs {
			run := runs[i]
			if of.reverse {
				run = runs[len(runs)-1-i]
			}
			t.add(sequence, k, run[0], run[1], of.reverse)
		}
	}
	return t
}

// match yields the matches of some strands.
func (m *matchTexts) match(c *call.Call, count, first int, yield func(*Matches) error) error {
	t := m.text(first, count)
	sink := &matchSink{of: m, t: t, yield: yield, at: first, piece: len(m.base.pieces)}
	if m.base.len() > 0 && t.len() > m.base.len() {
		t.fill()
		o, err := call.PrepareAlone(c, func() (*pairing, error) { return m.plan(c.Engine, t.len(), len(t.ends)) })
		if err != nil {
			return err
		}
		defer o.Free(c.Session)
		if err := o.Run(c, t, sink.add); err != nil {
			return err
		}
	}
	return sink.through(first + count)
}

// matchSink yields matches strand by strand.
type matchSink struct {
	of    *matchTexts
	t     *delimitedText
	yield func(*Matches) error
	at    int // the strand
	piece int // the stretch of the first match of the last strand
	have  []Match
	any   bool // some of the strand's have been yielded
}

// matchesEach are worth a processor: the stretch of each is looked up.
const matchesEach = 1 << 13

// add takes matches, by position in the queries.
func (k *matchSink) add(references, queries, lengths []uint32) error {
	base := uint32(k.of.base.len())
	for from := 0; from < len(queries); {
		k.piece = k.t.endAfter(base+queries[from], k.piece)
		owner := k.t.pieces[k.piece].owner
		if err := k.through(int(owner)); err != nil {
			return err
		}
		// Those of the strand: few as a rule where strands are many.
		more := k.piece + 1
		for more < len(k.t.pieces) && k.t.pieces[more].owner == owner {
			more++
		}
		strand := k.t.ends[more-1]
		count := call.ExponentialSearch(queries[from:], func(q uint32) bool { return base+q < strand })
		k.have = slices.Grow(k.have, count)
		to := k.have[len(k.have) : len(k.have)+count]
		parallel.Do(count, matchesEach, func(lo, hi int) {
			k.t.matches(to[lo:hi], k.of.reference, base, references[from+lo:], queries[from+lo:], lengths[from+lo:], k.piece)
		})
		k.have = k.have[:len(k.have)+count]
		from += count
	}
	if k.of.o.Kind != MaximalUnique && len(k.have) > 0 {
		return k.flush()
	}
	return nil
}

// matches lists matches with the queries' stretches from number `piece` on, by their places in texts.
func (t *delimitedText) matches(
	to []Match, reference *input.Collection, base uint32, references, queries, lengths []uint32, piece int,
) {
	last := 0
	for i := range to {
		position, r := base+queries[i], references[i]
		piece = t.endAfter(position, piece)
		of := &t.pieces[last]
		if r < of.start || r >= of.start+of.length {
			last = t.find(r)
			of = &t.pieces[last]
		}
		query := &t.pieces[piece]
		to[i] = Match{
			Reference: uint32(reference.Start(int(of.owner))) + of.offset + r - of.start,
			Query:     query.offset + position - query.start,
			Length:    lengths[i],
		}
	}
}

// flush yields what there is of a strand.
func (k *matchSink) flush() error {
	of := k.of.strands[k.at]
	err := k.yield(&Matches{Text: of.text, Reverse: of.reverse, Matches: k.have})
	k.have, k.any = k.have[:0], true
	return err
}

// through ends the strands before number `to`.
func (k *matchSink) through(to int) error {
	for k.at < to {
		if k.of.o.Kind == MaximalUnique {
			k.have = uniqueInQuery(k.have)
		}
		if len(k.have) > 0 || !k.any {
			if err := k.flush(); err != nil {
				return err
			}
		}
		k.at, k.any = k.at+1, false
	}
	return nil
}

// uniqueInQuery keeps those of the matches of one strand that are unique in it, given that they are unique in the
// reference: a second occurrence is in another match, which covers the same letters of the reference. It sorts them by
// position in the reference, in linear time but for matches that begin at the same.
func uniqueInQuery(matches []Match) []Match {
	from, to := matches, make([]Match, len(matches))
	for shift := 0; shift < 32; shift += 11 {
		var starts [1 << 11]int
		digit := func(m *Match) int { return int(m.Reference>>shift) & (len(starts) - 1) }
		for i := range from {
			starts[digit(&from[i])]++
		}
		sum := 0
		for d := range starts {
			starts[d], sum = sum, sum+starts[d]
		}
		for i := range from {
			d := digit(&from[i])
			to[starts[d]] = from[i]
			starts[d]++
		}
		from, to = to, from
	}
	kept, right := to[:0], uint64(0)
	for i := 0; i < len(from); {
		end := i + 1
		for end < len(from) && from[end].Reference == from[i].Reference {
			end++
		}
		// Only the longest of these can be unique, unless another is as long.
		best, same := from[i], false
		for _, m := range from[i+1 : end] {
			if m.Length > best.Length {
				best, same = m, false
			} else if m.Length == best.Length {
				same = true
			}
		}
		if reach := uint64(best.Reference) + uint64(best.Length); reach > right {
			if right = reach; !same {
				kept = append(kept, best)
			}
		}
		i = end
	}
	return kept
}

// classesOf numbers letters from 1 on, all bytes where there are none. What is no letter has class 0, as byte 0 has.
// The number of classes counts that.
func classesOf(letters string) (classes [256]uint8, count int) {
	count = 1
	for b := 1; b < 256; b++ {
		if letters == "" || strings.IndexByte(letters, byte(b)) >= 0 {
			classes[b], count = uint8(count), count+1
		}
	}
	return classes, count
}
