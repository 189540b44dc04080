package differential

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
)

// plainSorters are those of --algorithm.
var plainSorters = []string{"hybrid", "gpu-ls", "suffixsort", "osipov", "manber-myers", "skew", "deo-keely", "sais",
	"small-texts"}

// symbolSize is the number of bytes of a symbol.
func (c *Case) symbolSize() int {
	return map[string]int{"u8": 1, "u16": 2, "u32": 4}[c.Value("symbols", "u8")]
}

// text is the text of verbs for one text: the sequences of records, if a flag says so, or the file.
func (c *Case) text() []byte {
	if in := c.Value("input", "plain"); in != "plain" {
		return c.Inputs[0].Joined()
	}
	return c.Inputs[0].data()
}

// randomText draws a text and its flags.
func randomText(g generator, formats bool) *Case {
	c := &Case{}
	in := Input{Name: "text"}
	switch kind := g.IntN(6); {
	case kind < 2:
		size := 2 << g.IntN(2)
		c.Keep("symbols", fmt.Sprint("u", 8*size))
		in.Symbol, in.Texts = size, [][]byte{g.symbols(g.length(300), size)}
		g.maybe(c, 3, "order", "memory")
	case kind == 2 && formats:
		in = g.records("text", 1+g.IntN(4), 80, anyLetter, FASTA, FASTQ)
		in.Texts[0] = append(in.Texts[0], 'A') // it is recognised
		c.Keep("input", map[Format]string{FASTA: "fasta", FASTQ: "fastq"}[in.Format])
		g.maybe(c, 3, "order", "specials-largest", "end-largest")
	default:
		in.Texts = [][]byte{g.text(g.length(400), g.one("a", "ab", bases, "ACGTN", "\x00\xff", "\x00\x01\xfe\xff", allBytes))}
		g.maybe(c, 3, "order", "specials-largest", "end-largest")
		if c.Value("order", "") == "specials-largest" {
			g.maybe(c, 2, "letters", "a", "ab", "AC", "N")
		}
	}
	c.Inputs = []Input{in}
	return c
}

// ordered is a text whose suffixes compare as lists of keys, the last of which is that of the end.
type ordered struct {
	symbols []uint64
	keys    []uint64 // [n + 1]
	last    bool     // the end is the largest
}

func (c *Case) ordered(text []byte) *ordered {
	const largest = 1 << 62
	size, order, letters := c.symbolSize(), c.Value("order", "plain"), c.Value("letters", "ACGT")
	o := &ordered{symbols: symbolsOf(text, size), last: order == "end-largest" || order == "specials-largest"}
	for i, s := range o.symbols {
		key := s + 1
		switch {
		case order == "memory":
			key = 0
			for range size {
				key, s = key<<8|s&255, s>>8
			}
			key++
		case order == "specials-largest" && !bytes.Contains([]byte(letters), []byte{byte(s)}):
			key = largest/2 + uint64(i)
		}
		o.keys = append(o.keys, key)
	}
	end := uint64(0)
	if o.last {
		end = largest
	}
	o.keys = append(o.keys, end)
	return o
}

// suffixes is the suffix array.
func (o *ordered) suffixes() []int {
	sa := make([]int, len(o.symbols))
	for i := range sa {
		sa[i] = i
	}
	slices.SortFunc(sa, func(a, b int) int { return slices.Compare(o.keys[a:], o.keys[b:]) })
	return sa
}

// common is the LCP array.
func (o *ordered) common(sa []int) []int {
	lcp := make([]int, len(sa))
	for j := 1; j < len(sa); j++ {
		a, b := o.keys[sa[j-1]:], o.keys[sa[j]:]
		for lcp[j] < min(len(a), len(b)) && a[lcp[j]] == b[lcp[j]] {
			lcp[j]++
		}
	}
	return lcp
}

// transform is the Burrows-Wheeler transform, and its primary index.
func (o *ordered) transform(sa []int) (symbols []uint64, primary int) {
	rows := slices.Insert(slices.Clone(sa), 0, len(o.symbols))
	if o.last {
		rows = append(slices.Clone(sa), len(o.symbols))
	}
	for row, i := range rows {
		if i > 0 {
			symbols = append(symbols, o.symbols[i-1])
		} else {
			primary = row
		}
	}
	return symbols, primary
}

// addSorter chooses one at times; of ranges where a verb and the text allow it.
func addSorter(g generator, c *Case, ranges bool) {
	sorters := plainSorters
	switch {
	case c.Has("symbols") || c.Has("token") || c.Has("normalization"):
		sorters = []string{"suffixsort", "sais"}
	case ranges:
		sorters = append(slices.Clone(sorters), "ranges", "ranges")
	}
	g.maybe(c, 2, "algorithm", sorters...)
}

// arrayVerb is sa or lcp.
func arrayVerb(name string) verb {
	return verb{
		random: func(g generator) *Case {
			c := randomText(g, true)
			g.maybe(c, 3, "width", "4", "5", "8")
			if name == "lcp" && g.sometimes(3) {
				c.Add("sa", "given")
			} else {
				addSorter(g, c, c.Value("order", "plain") == "plain" && !c.Has("symbols"))
			}
			return c
		},
		files: func(c *Case) []File {
			files := c.Inputs[0].Files()
			if c.Has("sa") {
				files = append(files, File{"given", array(c.ordered(c.text()).suffixes(), c.Int("width", 4))})
			}
			return files
		},
		commands: func(c *Case) [][]string { return [][]string{c.with([]string{name, "text", "-o", "out"})} },
		check: func(c *Case, r *Run) error {
			o := c.ordered(c.text())
			want := o.suffixes()
			if name == "lcp" {
				want = o.common(want)
			}
			return same(name, r.File("out"), array(want, c.Int("width", 4)))
		},
	}
}

var transformVerb = verb{
	random: func(g generator) *Case {
		if g.sometimes(2) {
			return randomSetTransform(g)
		}
		c := randomText(g, true)
		addSorter(g, c, c.Value("order", "plain") == "plain" && !c.Has("symbols"))
		return c
	},
	commands: func(c *Case) [][]string { return [][]string{c.with([]string{"bwt", c.Inputs[0].Name, "-o", "out"})} },
	check: func(c *Case, r *Run) error {
		if c.Has("set") {
			return same("transform", r.File("out"), setTransformOf(c))
		}
		o := c.ordered(c.text())
		symbols, primary := o.transform(o.suffixes())
		return cmp.Or(
			same("transform", r.File("out"), array(symbols, c.symbolSize())),
			same("primary index", string(r.File("out.primary")), fmt.Sprintln(primary)),
			same("primary index printed", r.Out(), fmt.Sprintln(primary)),
		)
	},
}

var inverseVerb = verb{
	random: func(g generator) *Case {
		c := randomText(g, false)
		for c.Value("order", "") == "specials-largest" { // which is not inverted
			c = randomText(g, false)
		}
		if g.sometimes(3) {
			c.Add("primary", "given")
		}
		return c
	},
	files: func(c *Case) []File {
		o := c.ordered(c.text())
		symbols, primary := o.transform(o.suffixes())
		files := []File{{"bwt", array(symbols, c.symbolSize())}}
		if !c.Has("primary") {
			files = append(files, File{"bwt.primary", fmt.Appendln(nil, primary)})
		}
		return files
	},
	commands: func(c *Case) [][]string {
		args := c.with([]string{"unbwt", "bwt", "-o", "out"}, "primary")
		if c.Has("primary") {
			o := c.ordered(c.text())
			_, primary := o.transform(o.suffixes())
			args = append(args, "--primary", strconv.Itoa(primary))
		}
		return [][]string{args}
	},
	check: func(c *Case, r *Run) error { return same("text", r.File("out"), c.text()) },
}

// verifyVerb has right files, and with damage, which is in a flag of the case alone, wrong ones.
var verifyVerb = verb{
	random: func(g generator) *Case {
		c := randomText(g, true)
		g.maybe(c, 3, "width", "4", "5", "8")
		g.maybe(c, 2, "lcp", "given.lcp")
		g.maybe(c, 2, "bwt", "given.bwt")
		g.maybe(c, 2, "damage", g.number(0, 999))
		return c
	},
	files: func(c *Case) []File {
		files, _ := verified(c)
		return files
	},
	commands: func(c *Case) [][]string { return [][]string{c.with([]string{"verify", "text", "given.sa"}, "damage")} },
	judges:   true,
	check: func(c *Case, r *Run) error {
		want := 0
		if _, damaged := verified(c); damaged {
			want = 5
		}
		if got := r.Results[0]; got.Code != want {
			return fmt.Errorf("exit code %d, want %d: %s%s", got.Code, want, got.Out, got.Errors)
		}
		return nil
	},
}

// verified are text and arrays, one of which is damaged: two entries that differ are exchanged.
func verified(c *Case) (files []File, damaged bool) {
	o := c.ordered(c.text())
	sa := o.suffixes()
	symbols, primary := o.transform(sa)
	arrays := [][]uint64{nil, nil, symbols}
	for j, h := range o.common(sa) {
		arrays[0], arrays[1] = append(arrays[0], uint64(sa[j])), append(arrays[1], uint64(h))
	}
	kinds := []int{0}
	if c.Has("lcp") {
		kinds = append(kinds, 1)
	}
	if c.Has("bwt") {
		kinds = append(kinds, 2)
	}
	if damage := c.Int("damage", -1); damage >= 0 {
		a := arrays[kinds[damage%len(kinds)]]
		for i := range a {
			if j := (i + damage) % len(a); a[i] != a[j] {
				a[i], a[j], damaged = a[j], a[i], true
				break
			}
		}
	}
	width := c.Int("width", 4)
	files = append(c.Inputs[0].Files(), File{"given.sa", array(arrays[0], width)},
		File{"given.lcp", array(arrays[1], width)}, File{"given.bwt", array(arrays[2], c.symbolSize())},
		File{"given.bwt.primary", fmt.Appendln(nil, primary)})
	return files, damaged
}
