package differential

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// randomSearch draws a text and patterns, many of which occur in it.
func randomSearch(g generator) *Case {
	c := &Case{}
	var text Input
	alphabet := bases
	switch kind := g.IntN(4); {
	case kind == 0:
		size := 2 << g.IntN(2)
		c.Keep("symbols", fmt.Sprint("u", 8*size))
		text = Input{Symbol: size, Texts: [][]byte{g.symbols(g.length(200), size)}}
	case kind == 1:
		alphabet = g.one("a", "ab", bases, nucleotide, "ab\x00\xff\\\t", allBytes)
		text = Input{Texts: [][]byte{g.text(g.length(300), alphabet)}}
		c.Keep("input", "plain")
	default:
		alphabet = g.one(bases, nucleotide, anyLetter)
		text = g.records("text", 1+g.IntN(5), 80, alphabet, FASTA, FASTQ)
		if !g.sometimes(20) { // else no record may have a letter
			text.Texts[g.IntN(len(text.Texts))] = []byte("ACGTTA")
		}
	}
	text.Name = "text"
	if only(alphabet, nucleotide) && !c.Has("symbols") && g.sometimes(2) {
		c.Add("dna")
		g.maybe(c, 2, "both")
	}
	c.Inputs = []Input{text, g.patterns(&text, alphabet)}
	if strings.ContainsAny(alphabet, ">@;") { // a file may begin as others do
		c.Keep("queries", "lines")
	}
	return c
}

// patterns are pieces of a text and others.
func (g generator) patterns(text *Input, alphabet string) Input {
	in := Input{Name: "patterns", Format: Lines, CRLF: g.sometimes(4), Open: g.sometimes(4)}
	size := max(text.Symbol, 1)
	if size > 1 {
		in.Format, in.Symbol = Number, size
	} else if only(alphabet, anyLetter+nucleotide) && g.sometimes(3) {
		in.Format, in.Wrap, in.Nameless = FASTA, g.IntN(2)*5, g.sometimes(6)
	}
	for range 1 + g.IntN(8) {
		from := text.Texts[g.IntN(len(text.Texts))]
		n := len(from) / size
		var pattern []byte
		if n > 0 && !g.sometimes(4) {
			at := g.IntN(n)
			pattern = slices.Clone(from[at*size : min(n, at+1+g.IntN(8))*size])
		} else if size > 1 {
			pattern = g.symbols(g.IntN(3), size)
		} else {
			pattern = g.text(g.IntN(6), alphabet)
		}
		if size == 1 { // a line has no end
			pattern = bytes.ReplaceAll(bytes.ReplaceAll(pattern, []byte("\n"), []byte("a")), []byte("\r"), []byte("a"))
		}
		in.Texts = append(in.Texts, pattern)
	}
	if in.Format == FASTA { // it is recognised by a sequence
		in.Texts[0] = []byte("ACG")
	}
	return in
}

// hit is an occurrence of a pattern.
type hit struct {
	record, offset int
	reverse        bool
}

// folded are letters as they are compared: of DNA A, C, G and T, and 0 for what matches nothing.
func folded(text []byte, dna bool) []byte {
	text = slices.Clone(text)
	if !dna {
		return text
	}
	for i, b := range upper(text) {
		switch {
		case b == 'U':
			b = 'T'
		case !strings.Contains(bases, string(rune(b))):
			b = 0
		}
		text[i] = b
	}
	return text
}

// hits are the occurrences of a pattern, in ascending order.
func (c *Case) hits(pattern []byte) (all []hit) {
	in, size, dna := &c.Inputs[0], c.symbolSize(), c.Has("dna")
	texts := in.Texts
	if in.Format == Bytes {
		texts = [][]byte{in.Joined()}
	}
	strands := [][]byte{folded(pattern, dna)}
	if c.Has("both") {
		strands = append(strands, other(strands[0], 0))
	}
	for s, strand := range strands {
		if len(strand) == 0 || dna && bytes.IndexByte(strand, 0) >= 0 {
			continue
		}
		for k, text := range texts {
			text = folded(text, dna)
			for at := 0; at+len(strand) <= len(text); at += size {
				if bytes.Equal(text[at:at+len(strand)], strand) {
					all = append(all, hit{k, at / size, s == 1})
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.record, b.record), cmp.Compare(a.offset, b.offset),
			strings.Compare(a.strand(), b.strand()))
	})
	return all
}

func (h hit) strand() string {
	if h.reverse {
		return "-"
	}
	return "+"
}

// patternName is what results call pattern k.
func (c *Case) patternName(k int) string {
	in := &c.Inputs[1]
	switch in.Format {
	case FASTA:
		return in.RecordName(k)
	case Number:
		return numbers(in.Texts[k], in.Symbol, " ")
	}
	return strings.NewReplacer("\\", `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`).Replace(string(in.Texts[k]))
}

// counts are the lines of count.
func (c *Case) counts() string {
	var b strings.Builder
	for k, pattern := range c.Inputs[1].Texts {
		strands := [2]int{}
		for _, h := range c.hits(pattern) {
			if h.reverse {
				strands[1]++
			} else {
				strands[0]++
			}
		}
		fmt.Fprintf(&b, "%s\t%d", c.patternName(k), strands[0])
		if c.Has("both") {
			fmt.Fprintf(&b, "\t%d", strands[1])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// places are the lines of locate and match. name is what a text without records is called.
func (c *Case) places(name string) string {
	var b strings.Builder
	line := func(cells ...any) {
		words := make([]string, len(cells))
		for i, cell := range cells {
			words[i] = fmt.Sprint(cell)
		}
		b.WriteString(strings.Join(words, "\t") + "\n")
	}
	in, format, most := &c.Inputs[0], c.Value("format", "tsv"), c.Int("max-hits", 0)
	for k, pattern := range c.Inputs[1].Texts {
		hits, called, n := c.hits(pattern), c.patternName(k), len(pattern)/c.symbolSize()
		records := map[int]bool{}
		for _, h := range hits {
			records[h.record] = true
		}
		switch {
		case c.Has("documents"):
			line(called, len(hits), len(records))
			continue
		case most > 0 && len(hits) > most && format == "bed":
			line("#more than --max-hits", called, len(hits))
			continue
		case most > 0 && len(hits) > most && format == "paf":
			line(called, n, 0, 0, "*", "*", 0, 0, 0, 0, 0, 0, "nh:i:"+strconv.Itoa(len(hits)))
			continue
		case most > 0 && len(hits) > most && c.Has("both"):
			line(called, "*", "*", len(hits))
			continue
		case most > 0 && len(hits) > most:
			line(called, "*", len(hits))
			continue
		}
		for _, h := range hits {
			record, size := name, len(in.Joined())/c.symbolSize()
			if in.Format != Bytes {
				record, size = in.RecordName(h.record), len(in.Texts[h.record])
			}
			place := fmt.Sprint(h.offset)
			if in.Format != Bytes {
				place = record + ":" + place
			}
			switch {
			case format == "bed":
				line(record, h.offset, h.offset+n, called, 0, h.strand())
			case format == "paf":
				line(called, n, 0, n, h.strand(), record, size, h.offset, h.offset+n, n, n, 255)
			case c.Has("both"):
				line(called, place, h.strand())
			default:
				line(called, place)
			}
		}
	}
	return b.String()
}

// indexFlags are those of index in a case of searches.
var indexFlags = []string{"symbols", "input", "dna", "sample", "algorithm"}

func (c *Case) indexed() []string {
	return c.only([]string{"index", "text", "-o", "fmi"}, indexFlags...)
}

func (c *Case) searched(verb string) []string {
	return c.with([]string{verb, "fmi", "--patterns", "patterns"}, indexFlags...)
}

func addIndex(g generator, c *Case) {
	g.maybe(c, 3, "sample", "1", "2", "7", "64")
	addSorter(g, c, !c.Has("symbols"))
}

func addHits(g generator, c *Case) {
	g.maybe(c, 2, "format", "tsv", "bed", "paf")
	g.maybe(c, 3, "max-hits", "1", "2", "5")
}

var indexVerb = verb{
	random: func(g generator) *Case {
		c := randomSearch(g)
		addIndex(g, c)
		return c
	},
	commands: func(c *Case) [][]string { return [][]string{c.indexed(), c.searched("count"), c.searched("locate")} },
	check: func(c *Case, r *Run) error {
		return cmp.Or(same("count", r.Results[1].Out, c.counts()), same("locate", r.Out(), c.places("fmi")))
	},
}

var countVerb = verb{
	random: func(g generator) *Case {
		c := randomSearch(g)
		addIndex(g, c)
		if g.sometimes(4) {
			c.Flags = slices.DeleteFunc(c.Flags, func(f Flag) bool { return f.Name == "sample" })
			c.Add("sample", "0")
		}
		return c
	},
	commands: func(c *Case) [][]string { return [][]string{c.indexed(), c.searched("count")} },
	check:    func(c *Case, r *Run) error { return same("count", r.Out(), c.counts()) },
}

var locateVerb = verb{
	random: func(g generator) *Case {
		c := randomSearch(g)
		addIndex(g, c)
		addHits(g, c)
		return c
	},
	commands: func(c *Case) [][]string { return [][]string{c.indexed(), c.searched("locate")} },
	check:    func(c *Case, r *Run) error { return same("locate", r.Out(), c.places("fmi")) },
}

var matchVerb = verb{
	random: func(g generator) *Case {
		c := randomSearch(g)
		addSorter(g, c, false)
		if c.Inputs[0].Format != Bytes && !c.Has("both") && g.sometimes(4) {
			c.Add("documents")
		} else {
			addHits(g, c)
		}
		return c
	},
	commands: func(c *Case) [][]string { return [][]string{c.with([]string{"match", "text", "patterns"})} },
	check:    func(c *Case, r *Run) error { return same("match", r.Out(), c.places("text")) },
}
