package differential

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// randomDocuments draws a text with or without records, or of symbols.
func randomDocuments(g generator, alphabets ...string) *Case {
	c := &Case{}
	in := Input{}
	switch g.IntN(3) {
	case 0:
		size := 2 << g.IntN(2)
		c.Keep("symbols", fmt.Sprint("u", 8*size))
		in = Input{Symbol: size, Texts: [][]byte{g.symbols(g.length(100), size)}}
	case 1:
		in = Input{Texts: [][]byte{g.text(g.length(120), g.one(append(alphabets, "a", "ab", "a\x00\xff\\\t")...))}}
		c.Keep("input", "plain")
	default:
		in = g.records("text", 1+g.IntN(4), 60, g.one(alphabets...), FASTA, FASTQ)
		if !g.sometimes(20) {
			in.Texts[0] = append(in.Texts[0], 'A')
		}
	}
	in.Name = "text"
	c.Inputs = []Input{in}
	return c
}

// repeat is one of a record.
type repeat struct{ record, start, length int }

// longestRepeats are, for each position of each record, its longest repeats.
func (c *Case) longestRepeats() (all [][][]repeat) {
	in, size := &c.Inputs[0], c.symbolSize()
	texts := in.Texts
	if in.Format == Bytes {
		texts = [][]byte{in.Joined()}
	}
	var symbols, strands [][]uint64 // 0 equals nothing
	for _, text := range texts {
		codes := symbolsOf(text, size)
		for i, s := range codes {
			switch b := byte(s); {
			case !c.Has("dna"):
				codes[i] = s + 1
			case c.Value("mask", "none") == "lower" && b >= 'a' && b <= 'z':
				codes[i] = 0
			default:
				codes[i] = uint64(folded([]byte{b}, true)[0])
			}
		}
		symbols = append(symbols, codes)
		strand := make([]uint64, len(codes))
		for i, s := range codes {
			if s > 0 && c.Has("dna") {
				s = uint64(other([]byte{byte(s)}, 0)[0])
			} else if s > 0 {
				s = uint64(other([]byte{byte(s - 1)}, 0)[0]) + 1
			}
			strand[len(codes)-1-i] = s
		}
		strands = append(strands, strand)
	}
	common := func(a, b []uint64) int {
		n := 0
		for n < min(len(a), len(b)) && a[n] == b[n] && a[n] != 0 {
			n++
		}
		return n
	}
	longest := func(k, i int) (most int) {
		for l, text := range symbols {
			for j := range text {
				if l != k || j != i {
					most = max(most, common(symbols[k][i:], text[j:]))
				}
			}
		}
		if c.Has("both") {
			for _, text := range strands {
				for j := range text {
					most = max(most, common(symbols[k][i:], text[j:]))
				}
			}
		}
		return most
	}
	for k := range symbols {
		lengths := make([]int, len(symbols[k]))
		for i := range lengths {
			lengths[i] = longest(k, i)
		}
		each := make([][]repeat, len(lengths))
		for p := range each {
			best := max(c.Int("min-length", 1), 1)
			for s := 0; s <= p; s++ {
				if h := lengths[s]; s+h > p && h >= best {
					if h > best {
						each[p] = nil
					}
					best = h
					each[p] = append(each[p], repeat{k, s, h})
				}
			}
			if !c.Has("all") && len(each[p]) > 1 {
				each[p] = each[p][:1]
			}
		}
		all = append(all, each)
	}
	return all
}

var repeatsVerb = verb{
	random: func(g generator) *Case {
		c := randomDocuments(g, bases, nucleotide, nucleotide)
		g.maybe(c, 3, "all")
		g.maybe(c, 2, "min-length", "0", "1", "2", "3", "5")
		g.maybe(c, 3, "format", "tsv", "bed")
		g.maybe(c, 3, "top", "1", "2", "5", "100")
		text := string(c.Inputs[0].Joined())
		if !c.Has("symbols") && only(text, nucleotide) && g.sometimes(2) {
			c.Add("dna")
			g.maybe(c, 3, "mask", "none", "lower")
			g.maybe(c, 2, "both")
		} else if !c.Has("symbols") && only(text, bases) {
			g.maybe(c, 3, "both")
		}
		addSorter(g, c, false)
		return c
	},
	commands: func(c *Case) [][]string { return [][]string{c.with([]string{"repeats", "text"})} },
	check:    func(c *Case, r *Run) error { return same("repeats", r.Out(), c.repeatLines()) },
}

func (c *Case) repeatLines() string {
	var b strings.Builder
	in := &c.Inputs[0]
	bed := c.Value("format", "tsv") == "bed"
	name := func(k int) string {
		if in.Format == Bytes && bed {
			return "text\t"
		} else if in.Format == Bytes {
			return ""
		}
		return in.RecordName(k) + "\t"
	}
	var each []repeat
	for k, record := range c.longestRepeats() {
		for p, repeats := range record {
			for _, r := range repeats {
				if !slices.Contains(each, r) {
					each = append(each, r)
				}
				if !bed && !c.Has("top") {
					fmt.Fprintf(&b, "%s%d\t%d\t%d\n", name(k), p, r.start, r.length)
				}
			}
		}
	}
	if !bed && !c.Has("top") {
		return b.String()
	}
	slices.SortFunc(each, func(a, b repeat) int {
		return cmp.Or(cmp.Compare(a.record, b.record), cmp.Compare(a.start, b.start))
	})
	if c.Has("top") {
		slices.SortStableFunc(each, func(a, b repeat) int { return cmp.Compare(b.length, a.length) })
		each = each[:min(len(each), c.Int("top", 0))]
	}
	for _, r := range each {
		if bed {
			fmt.Fprintf(&b, "%s%d\t%d\trepeat\t%d\n", name(r.record), r.start, r.start+r.length, min(r.length, 1000))
		} else {
			fmt.Fprintf(&b, "%s%d\t%d\n", name(r.record), r.start, r.length)
		}
	}
	return b.String()
}

// interval is a substring that occurs at places that different characters follow.
type interval struct {
	text   string // in bytes
	depth  int
	places []repeat // record and start
	each   map[int]int
	left   bool // different characters precede
}

// intervals are all of them, whatever flags say.
func (c *Case) intervals() map[string]*interval {
	size := c.symbolSize()
	all := map[string]*interval{}
	texts := c.documents()
	for k, text := range texts {
		for i := 0; i < len(text); i += size {
			for j := i + size; j <= len(text); j += size {
				s := string(text[i:j])
				if all[s] == nil {
					all[s] = &interval{text: s, depth: (j - i) / size, each: map[int]int{}}
				}
				all[s].places = append(all[s].places, repeat{record: k, start: i / size})
				all[s].each[k]++
			}
		}
	}
	for s, v := range all {
		before, after := map[string]bool{}, map[string]bool{}
		for n, p := range v.places {
			text, at := texts[p.record], p.start*size
			before[letterAt(text, at-size, size, n)] = true
			after[letterAt(text, at+len(s), size, n)] = true
		}
		v.left = len(before) > 1
		if len(after) < 2 {
			delete(all, s)
		}
	}
	return all
}

// letterAt is the symbol at a place, or one that no other equals where there is none.
func letterAt(text []byte, at, size, unique int) string {
	if at < 0 || at+size > len(text) {
		return fmt.Sprint("end ", unique)
	}
	return string(text[at : at+size])
}

// documents are the records, the lines, or the text.
func (c *Case) documents() [][]byte {
	in := &c.Inputs[0]
	switch {
	case c.Has("lines"):
		lines := bytes.Split(in.Joined(), []byte("\n"))
		if len(lines[len(lines)-1]) == 0 {
			lines = lines[:len(lines)-1]
		}
		for i := range lines {
			lines[i] = bytes.TrimSuffix(lines[i], []byte("\r"))
		}
		return lines
	case in.Format == Bytes:
		return [][]byte{in.Joined()}
	}
	return in.Texts
}

var intervalsVerb = verb{
	random: func(g generator) *Case {
		c := randomDocuments(g, bases, nucleotide, "ab", "abc\n\r")
		if c.Inputs[0].Format != Bytes {
			for k, text := range c.Inputs[0].Texts {
				c.Inputs[0].Texts[k] = bytes.Map(func(r rune) rune {
					if r < ' ' {
						return 'A'
					}
					return r
				}, text)
			}
		}
		if c.Value("input", "") == "plain" {
			g.maybe(c, 2, "lines")
		}
		documents := c.Inputs[0].Format != Bytes || c.Has("lines")
		if documents && g.sometimes(5) {
			c.Add("common")
			return c
		}
		g.maybe(c, 3, "min-depth", "1", "2", "3")
		g.maybe(c, 4, "max-depth", "2", "4", "8")
		g.maybe(c, 3, "min-count", "2", "3", "4")
		g.maybe(c, 4, "max-count", "2", "3", "6")
		g.maybe(c, 3, "maximal")
		if documents {
			g.maybe(c, 4, "min-documents", "1", "2", "3")
			g.maybe(c, 4, "max-documents", "1", "2", "3")
			g.maybe(c, 4, "least-each", "1", "2")
			g.maybe(c, 4, "most-each", "1", "2", "3")
		}
		if g.sometimes(3) {
			c.Add("top", g.one("1", "2", "10"))
			g.maybe(c, 2, "by", "count", "depth", "area")
		}
		return c
	},
	commands: func(c *Case) [][]string { return [][]string{c.with([]string{"intervals", "text"})} },
	check:    func(c *Case, r *Run) error { return c.checkIntervals(r.Out()) },
}

// chosen are the intervals that the flags want, by their lines without places.
func (c *Case) chosen() map[string]*interval {
	atMost := func(n int, flag string) bool { most := c.Int(flag, 0); return most == 0 || n <= most }
	lines := map[string]*interval{}
	for _, v := range c.intervals() {
		ok := len(v.places) >= max(c.Int("min-count", 2), 2) && atMost(len(v.places), "max-count") &&
			v.depth >= c.Int("min-depth", 1) && atMost(v.depth, "max-depth") && (v.left || !c.Has("maximal")) &&
			len(v.each) >= c.Int("min-documents", 1) && atMost(len(v.each), "max-documents")
		for _, n := range v.each {
			ok = ok && n >= c.Int("least-each", 1) && atMost(n, "most-each")
		}
		if ok {
			lines[c.intervalLine(v)] = v
		}
	}
	return lines
}

// intervalLine is a line without the place.
func (c *Case) intervalLine(v *interval) string {
	var text strings.Builder
	if size := c.symbolSize(); size > 1 {
		text.WriteString(numbers([]byte(v.text), size, " "))
	} else {
		for _, b := range []byte(v.text) {
			switch at := strings.IndexByte("\\\t\n\r", b); {
			case at >= 0:
				text.WriteString([]string{`\\`, `\t`, `\n`, `\r`}[at])
			case b < ' ' || b > '~':
				fmt.Fprintf(&text, `\x%02x`, b)
			default:
				text.WriteByte(b)
			}
		}
	}
	return fmt.Sprintf("%d\t%d\t%d\t%s", v.depth, len(v.places), len(v.each), text.String())
}

func (v *interval) score(by string) int {
	return map[string]int{"count": len(v.places), "depth": v.depth, "area": v.depth * len(v.places)}[by]
}

func (c *Case) checkIntervals(out string) error {
	chosen := c.chosen()
	if c.Has("common") {
		chosen = map[string]*interval{}
		for _, v := range c.intervals() {
			chosen[c.intervalLine(v)] = v
		}
	}
	named := c.Inputs[0].Format != Bytes || c.Has("lines")
	var found []*interval
	seen := map[string]bool{}
	common := ""
	for line := range strings.Lines(out) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		k := ""
		if c.Has("common") {
			k, cells = cells[0], cells[1:]
		}
		place := len(cells) - 2
		without := strings.Join(append(slices.Clone(cells[:3]), cells[place+1]), "\t")
		v := chosen[without]
		if v == nil {
			return fmt.Errorf("%q is no interval that was asked for", line)
		}
		if c.Has("common") {
			common += fmt.Sprintf("%s\t%d\n", k, v.depth)
			if least, _ := strconv.Atoi(k); len(v.each) < least {
				return fmt.Errorf("%q: %d documents have it", line, len(v.each))
			}
			continue
		}
		if seen[without] {
			return fmt.Errorf("%q is there twice", line)
		}
		seen[without] = true
		if !slices.ContainsFunc(v.places, func(p repeat) bool {
			ok := cells[place] == strconv.Itoa(p.start)
			if named && c.Has("lines") {
				return ok && cells[3] == "#"+strconv.Itoa(p.record+1)
			}
			return ok && (!named || cells[3] == c.Inputs[0].RecordName(p.record))
		}) {
			return fmt.Errorf("%q is not at that place", line)
		}
		found = append(found, v)
	}
	if c.Has("common") {
		want := ""
		for k := 2; k <= len(c.documents()); k++ {
			depth := 0
			for _, v := range chosen {
				if len(v.each) >= k {
					depth = max(depth, v.depth)
				}
			}
			if depth > 0 {
				want += fmt.Sprintf("%d\t%d\n", k, depth)
			}
		}
		return same("common substrings", common, want)
	}
	if !c.Has("top") {
		if len(found) < len(chosen) {
			return fmt.Errorf("%d of %d intervals are missing: %s", len(chosen)-len(found), len(chosen), missing(chosen, seen))
		}
		return nil
	}
	by := c.Value("by", "count")
	var scores, best []int
	for _, v := range found {
		scores = append(scores, v.score(by))
	}
	for _, v := range chosen {
		best = append(best, v.score(by))
	}
	slices.SortFunc(best, func(a, b int) int { return cmp.Compare(b, a) })
	best = best[:min(len(best), c.Int("top", 0))]
	return same("scores of the best", fmt.Sprint(scores), fmt.Sprint(best))
}

func missing(chosen map[string]*interval, seen map[string]bool) string {
	for line := range chosen {
		if !seen[line] {
			return fmt.Sprintf("%q", line)
		}
	}
	return ""
}
