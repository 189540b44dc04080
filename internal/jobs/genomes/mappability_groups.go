package genomes

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// MappabilityMost is the most characters of a text that is sorted at once. Tests make it smaller.
var MappabilityMost = limits.MaxLen

// mappabilityTexts are texts, cut into stretches with k-mers.
type mappabilityTexts struct {
	o     MappabilityOptions
	texts *input.Collection
	runs  [][][2]int
	sizes []int // characters of the stretches of each text, with separators, on the strands that count

	hashed   bool  // hashes count the k-mers; nothing else is wanted
	unhashed error // why hashes do not, where they could
}

// divide are the lengths that hashes count, and the others.
func (o MappabilityOptions) divide(e *call.Engine, texts *input.Collection) []*mappabilityTexts {
	all := o.cut(texts)
	if !o.byHash() {
		return []*mappabilityTexts{all}
	}
	kmers, parts := all, []*mappabilityTexts(nil)
	if o.Unique || len(o.K) > mostHashed {
		if groups, err := all.groups(e); err == nil && groups == nil {
			return []*mappabilityTexts{all} // suffixes are sorted once for all
		}
	}
	if o.Unique {
		hashed, sorted := o, o
		hashed.Unique, sorted.K = false, nil
		kmers, parts = hashed.cut(texts), append(parts, sorted.cut(texts))
	}
	if n := kmers.len(); n > 0 {
		if _, err := newKmerCounting(e, n, kmers.o); err != nil {
			if !o.Unique {
				all.unhashed = err
			}
			return []*mappabilityTexts{all}
		}
	}
	kmers.hashed = true
	return append([]*mappabilityTexts{kmers}, parts...)
}

// len is how many characters one strand of all texts has.
func (m *mappabilityTexts) len() int { return m.size(nil) / m.strands() }

// Run yields all values.
func (m *mappabilityTexts) Run(c *call.Call, yield func(*Mappability) error) error {
	if m.hashed {
		done, err := m.eachByHash(c, yield)
		if !errors.Is(err, errUncounted) {
			return err
		}
		m = m.withoutHashes(done)
	}
	groups, err := m.groups(c.Engine)
	if err != nil {
		return m.refused(err)
	}
	if groups == nil {
		return m.each(c, nil, yield)
	}
	plan, err := m.planOf(c.Engine, groups)
	if err == nil {
		err = plan.Fits(c.Session) // with the sums
	}
	if err != nil {
		return m.refused(err)
	}
	return m.eachInGroups(c, groups, yield)
}

// withoutHashes are the lengths after so many, for which suffixes are sorted: of the same stretches, so that one plan
// is for all of them.
func (m *mappabilityTexts) withoutHashes(done int) *mappabilityTexts {
	sorted := *m
	sorted.o.K = m.o.K[done:]
	sorted.hashed = false
	sorted.unhashed = errUncounted
	return &sorted
}

// refused is the error where suffixes cannot be sorted. Where hashes could count, it tells why they do not, too.
func (m *mappabilityTexts) refused(err error) error {
	if m.unhashed == nil || !device.IsTooLarge(err) {
		return err
	}
	return fmt.Errorf("%w; suffixes cannot be sorted instead: %w", m.unhashed, err)
}

func (o MappabilityOptions) cut(texts *input.Collection) *mappabilityTexts {
	m := &mappabilityTexts{o: o, texts: texts, runs: make([][][2]int, texts.Count()), sizes: make([]int, texts.Count())}
	cut := ofLetters(o.Letters, o.least())
	for k := range m.runs {
		m.runs[k] = cut.runs(texts.Text(k))
		for _, run := range m.runs[k] {
			m.sizes[k] += (run[1] - run[0] + 1) * m.strands()
		}
	}
	return m
}

func (m *mappabilityTexts) strands() int {
	if m.o.BothStrands {
		return 2
	}
	return 1
}

// delimit makes the text of so many strands of some texts, or of all: so many characters come first whose values are
// wanted.
func (m *mappabilityTexts) delimit(members []bool, strands int) (t *delimitedText, positions int) {
	t = &delimitedText{}
	for strand := range strands {
		for k, runs := range m.runs {
			if members != nil && !members[k] {
				continue
			}
			for _, run := range runs {
				t.add(m.texts.Text(k), k, run[0], run[1], strand > 0)
			}
		}
		if strand == 0 {
			positions = t.len()
		}
	}
	return t, positions
}

// separators are those of all texts.
func (m *mappabilityTexts) separators() (count int) {
	for _, runs := range m.runs {
		count += len(runs) * m.strands()
	}
	return count
}

// fits says why a text of n characters cannot be treated at once.
func (m *mappabilityTexts) fits(e *call.Engine, n int) error {
	if n > MappabilityMost {
		return &device.LengthError{What: "text of the strands", Len: n, Max: limits.MaxLen}
	}
	counts, err := newCounting(e, n, m.separators(), n/m.strands(), m.o)
	if err != nil {
		return err
	}
	return counts.Plan().Fits(e.Session)
}

// groups are texts of which any two groups can be treated at once; nil: all of them can. Error: two texts cannot.
func (m *mappabilityTexts) groups(e *call.Engine) ([][]bool, error) {
	all, sizes := m.size(nil), slices.Clone(m.sizes)
	if all == 0 {
		return nil, nil
	}
	why := m.fits(e, all)
	if why == nil {
		return nil, nil
	}
	if len(sizes) < 3 {
		return nil, why
	}
	slices.Sort(sizes)
	longest, second := sizes[len(sizes)-1], sizes[len(sizes)-2]
	if err := m.fits(e, longest+second); err != nil {
		return nil, fmt.Errorf("the two longest sequences do not fit at once: %w", err)
	}
	most := longest + second
	most += sort.Search(min(all, MappabilityMost)-most, func(more int) bool { return m.fits(e, most+more+1) != nil })
	capacity := most / 2 // of each group, but one that is the longest text
	if longest > capacity {
		capacity = most - longest
	}
	var groups [][]bool
	room := 0
	for k, size := range m.sizes {
		if size > room || len(groups) == 0 {
			groups = append(groups, make([]bool, len(m.sizes)))
			room = capacity
		}
		groups[len(groups)-1][k] = true
		room -= size
	}
	return groups, nil
}

// size is how many characters some texts have, or all.
func (m *mappabilityTexts) size(members []bool) (size int) {
	for k := range m.sizes {
		if members == nil || members[k] {
			size += m.sizes[k]
		}
	}
	return size
}

// union has the texts of two groups.
func union(a, b []bool) []bool {
	both := slices.Clone(a)
	for k, is := range b {
		both[k] = both[k] || is
	}
	return both
}

// plan is the memory of run.
func (m *mappabilityTexts) plan(e *call.Engine) (device.MemoryPlan, error) {
	if !m.hashed {
		plan, groups, err := m.planSorted(e)
		if err == nil {
			m.o.tell(groups)
		}
		return plan, m.refused(err)
	}
	counts, err := newKmerCounting(e, m.len(), m.o)
	if err != nil {
		return nil, err
	}
	plan := counts.Plan()
	if !counts.mayFail() {
		return plan, nil
	}
	instead, err := m.planInstead(e)
	return append(plan, instead...), err
}

// planInstead is the memory of sorting suffixes where hashes fail. If that does not fit, run is refused then and takes
// nothing: a phase without memory has the numbers.
func (m *mappabilityTexts) planInstead(e *call.Engine) (plan device.MemoryPlan, err error) {
	tuned.Rarely(e.Session, func() { plan, _, err = m.withoutHashes(0).planSorted(e) })
	if err == nil {
		err = plan.Fits(e.Session)
	}
	if device.IsTooLarge(err) {
		return device.MemoryPlan{{Phase: "refused" + ifHashesFail + ": " + err.Error()}}, nil
	}
	plan = slices.Clone(plan)
	for i := range plan {
		plan[i].Phase += ifHashesFail
	}
	return plan, err
}

// planSorted is the memory of sorting suffixes, in so many groups; 0: of all texts at once.
func (m *mappabilityTexts) planSorted(e *call.Engine) (plan device.MemoryPlan, groups int, err error) {
	of, err := m.groups(e)
	if err != nil {
		return nil, 0, err
	}
	plan, err = m.planOf(e, of)
	return plan, len(of), err
}

// planOf is the memory of groups: that of the largest pair, and the sums. nil: of all texts at once.
func (m *mappabilityTexts) planOf(e *call.Engine, groups [][]bool) (device.MemoryPlan, error) {
	n, sums := m.size(nil), int64(0)
	if groups != nil {
		n, sums = 0, 4*int64(m.texts.Len())*int64(len(m.o.lengths()))
	}
	for i, a := range groups {
		for _, b := range groups[:i] {
			n = max(n, m.size(union(a, b)))
		}
	}
	counts, err := newCounting(e, n, m.separators(), n/m.strands(), m.o)
	if err != nil {
		return nil, err
	}
	plan := slices.Clone(counts.Plan())
	for i := range plan {
		plan[i].Host += sums
	}
	return plan, nil
}

// ifHashesFail is what the names of phases end in that are for k-mers that hashes do not count.
const ifHashesFail = ", if hashes fail"

// repeated is the length of a shortest unique substring where what is up to the end of the text occurs again.
const repeated = math.MaxUint32

// eachInGroups adds up what pairs of groups count. A k-mer of a group is counted with each of the others, and so its
// own group too often: as often as there are groups, less two. A substring is unique if it is so with each of the
// others.
func (m *mappabilityTexts) eachInGroups(c *call.Call, groups [][]bool, yield func(*Mappability) error) error {
	m.o.tell(len(groups))
	lengths := m.o.lengths()
	once := *m // a length that is wanted twice is added up once
	once.o.K = slices.Compact(slices.Sorted(slices.Values(m.o.K)))
	sums := map[int][]uint32{}
	for _, k := range lengths {
		sums[k] = make([]uint32, m.texts.Len())
	}
	count := func(members []bool, weight uint32) error {
		return once.each(c, members, func(part *Mappability) error {
			if !members[part.Text] || part.K == 0 && weight != 1 {
				return nil
			}
			sum := sums[part.K][m.texts.Start(part.Text)+part.First:]
			parallel.Do(len(part.Values), 1<<16, func(lo, hi int) {
				for i := lo; i < hi; i++ {
					switch v := part.Values[i]; {
					case part.K > 0:
						sum[i] += weight * v
					case v == 0:
						sum[i] = repeated
					default:
						sum[i] = max(sum[i], v)
					}
				}
			})
			return nil
		})
	}
	for i, a := range groups {
		for _, b := range groups[:i] {
			if err := count(union(a, b), 1); err != nil {
				return err
			}
		}
		if len(groups) > 2 {
			if err := count(a, ^uint32(len(groups)-2)+1); err != nil {
				return err
			}
		}
	}
	return m.yieldSums(lengths, sums, yield)
}

// yieldSums yields the sums, text by text.
func (m *mappabilityTexts) yieldSums(lengths []int, sums map[int][]uint32, yield func(*Mappability) error) error {
	for _, k := range lengths {
		for text := range m.texts.Count() {
			n := len(m.texts.Text(text))
			for first := 0; first < n; first += call.BlockLength {
				from := m.texts.Start(text) + first
				values := sums[k][from : from+min(call.BlockLength, n-first)]
				for i, v := range values {
					if k == 0 && v == repeated {
						values[i] = 0
					}
				}
				if err := yield(&Mappability{K: k, Text: text, First: first, Values: values}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
