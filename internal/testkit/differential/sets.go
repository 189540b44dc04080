package differential

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
)

// randomSet draws the texts of a set in each form that a set is read in.
func randomSet(g generator, alphabet string) *Case {
	c := &Case{}
	formats := []Format{Lines, Lines, FASTA, FASTQ, JSON, Paths}
	if !only(alphabet, anyLetter+nucleotide) {
		formats = []Format{Lines, Paths}
	}
	in := g.records("texts", g.IntN(6), 60, alphabet, formats...)
	switch {
	case in.Format == JSON:
		c.Keep("field", "text")
	case in.Format == Paths && len(in.Texts) == 0: // which is refused
		in.Texts = [][]byte{nil}
	}
	if in.Format == FASTA || in.Format == FASTQ {
		in.Texts = append(in.Texts, []byte("A")) // the format is recognised by a sequence
		c.Keep("input", map[Format]string{FASTA: "fasta", FASTQ: "fastq"}[in.Format])
	}
	if in.Format == Lines && c.Value("input", "") == "" {
		c.Keep("input", "plain")
	}
	c.Inputs = []Input{in}
	g.maybe(c, 4, "upper")
	return c
}

// set are the texts of a set.
func (c *Case) set() [][]byte {
	texts := slices.Clone(c.Inputs[0].Texts)
	for k := range texts {
		if c.Has("upper") {
			texts[k] = upper(texts[k])
		}
	}
	return texts
}

func upper(text []byte) []byte {
	text = slices.Clone(text)
	for i, b := range text {
		if b >= 'a' && b <= 'z' {
			text[i] = b - 'a' + 'A'
		}
	}
	return text
}

// setSuffix is a suffix of a text of a set, which may be only its terminator.
type setSuffix struct{ position, text, offset int }

// setSuffixes are all of them in their order: terminators are smaller than letters, and ordered by text.
func setSuffixes(texts [][]byte) []setSuffix {
	var all []setSuffix
	for k, text := range texts {
		for offset := range len(text) + 1 {
			all = append(all, setSuffix{len(all), k, offset})
		}
	}
	slices.SortFunc(all, func(a, b setSuffix) int {
		return cmp.Or(bytes.Compare(texts[a.text][a.offset:], texts[b.text][b.offset:]), cmp.Compare(a.text, b.text))
	})
	return all
}

// prefix is how many letters two texts share at their beginnings.
func prefix(a, b []byte) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

var setVerb = verb{
	random: func(g generator) *Case {
		c := randomSet(g, g.one("ab", bases, nucleotide, "\x01\x02\xfe\x80~", "a\x01"))
		if g.sometimes(2) {
			c.Add("format", "gsufsort")
			g.maybe(c, 3, "gsa")
			g.maybe(c, 2, "gesa")
		}
		g.maybe(c, 2, "lcp")
		g.maybe(c, 2, "bwt")
		g.maybe(c, 3, "isa")
		if g.sometimes(2) {
			c.Add("da")
			g.maybe(c, 3, "da-width", "4", "5", "8")
		}
		c.Add("sa")
		g.maybe(c, 3, "width", "4", "5", "8")
		addSorter(g, c, false)
		return c
	},
	commands: func(c *Case) [][]string { return [][]string{c.with([]string{"gsa", "texts", "-o", "out"})} },
	check: func(c *Case, r *Run) error {
		var errs []error
		for name, want := range setFiles(c) {
			errs = append(errs, same(name, r.File(name), want))
		}
		return cmp.Or(errs...)
	},
}

// setFiles are the files of gsa.
func setFiles(c *Case) map[string][]byte {
	texts, gsufsort := c.set(), c.Value("format", "") == "gsufsort"
	w, d := c.Int("width", 4), c.Int("da-width", 4)
	if gsufsort {
		texts = slices.DeleteFunc(texts, func(text []byte) bool { return len(text) == 0 })
	}
	all := setSuffixes(texts)
	var sa, lcp, da, offsets []int
	var transform []byte
	if gsufsort { // the row of the end
		sa, lcp, da, offsets, transform = []int{len(all)}, []int{0}, []int{len(texts)}, []int{0}, []byte{1}
		if len(all) == 0 {
			transform[0] = 0
		}
	}
	for j, s := range all {
		h, before := 0, byte('\n')
		if j > 0 {
			h = prefix(texts[all[j-1].text][all[j-1].offset:], texts[s.text][s.offset:])
		}
		switch {
		case s.offset > 0:
			before = texts[s.text][s.offset-1]
		case gsufsort && s.position == 0:
			before = 0
		case gsufsort:
			before = 1
		}
		sa, lcp, da, offsets = append(sa, s.position), append(lcp, h), append(da, s.text), append(offsets, s.offset)
		transform = append(transform, before)
	}
	isa := make([]int, len(sa))
	for slot, position := range sa {
		isa[position] = slot
	}
	files := map[string][]byte{}
	add := func(flag, plain, theirs string, data []byte) {
		if name := plain; c.Has(flag) {
			if gsufsort {
				name = theirs
			}
			files["out."+name] = data
		}
	}
	add("sa", "sa", fmt.Sprintf("%d.sa", w), array(sa, w))
	add("lcp", "lcp", fmt.Sprintf("%d.lcp", w), array(lcp, w))
	add("da", "da", fmt.Sprintf("%d.da", d), array(da, d))
	add("isa", "isa", fmt.Sprintf("%d.isa", w), array(isa, w))
	add("bwt", "bwt", "bwt", transform)
	var pairs, rows []byte
	for j := range sa {
		pair := slices.Concat(array(da[j:j+1], d), array(offsets[j:j+1], w))
		pairs = append(pairs, pair...)
		rows = slices.Concat(rows, pair, array(lcp[j:j+1], w), transform[j:j+1])
	}
	add("gsa", "", fmt.Sprintf("%d.%d.gsa", d, w), pairs)
	add("gesa", "", fmt.Sprintf("%d.%d.%d.1.gesa", d, w, w), rows)
	return files
}

func randomSetTransform(g generator) *Case {
	both, ropebwt3 := g.sometimes(2), g.sometimes(2)
	alphabets := []string{"ab", bases, nucleotide, "\x01\x02\xfe\x80~"}
	switch {
	case ropebwt3:
		alphabets = append(alphabets, "ACGTU", "\x01\x02\x03\x04\x05\xffAcN")
	case both:
		alphabets = []string{bases, nucleotide}
	}
	c := randomSet(g, g.one(alphabets...))
	c.Keep("set", "")
	if both {
		c.Add("both")
	}
	if ropebwt3 {
		c.Add("format", "ropebwt3")
	}
	addSorter(g, c, false)
	return c
}

// setTransformOf is the transform of bwt --set.
func setTransformOf(c *Case) []byte {
	ropebwt3 := c.Value("format", "") == "ropebwt3"
	var texts [][]byte
	for _, text := range c.set() {
		if ropebwt3 { // N is Z, which is larger than T
			text = slices.Clone(text)
			for i, b := range text {
				text[i] = ropebwt3Letter(b)
			}
		}
		texts = append(texts, text)
		if c.Has("both") {
			texts = append(texts, other(text, 'Z'))
		}
	}
	var transform []byte
	for _, s := range setSuffixes(texts) {
		before := byte('\n')
		if s.offset > 0 {
			before = texts[s.text][s.offset-1]
		}
		if ropebwt3 && before == 'Z' {
			before = 'N'
		}
		transform = append(transform, before)
	}
	return transform
}

func ropebwt3Letter(b byte) byte {
	switch b {
	case 1, 'A', 'a':
		return 'A'
	case 2, 'C', 'c':
		return 'C'
	case 3, 'G', 'g':
		return 'G'
	case 4, 'T', 't':
		return 'T'
	}
	return 'Z'
}
