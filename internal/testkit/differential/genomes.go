package differential

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// genome draws an input of records, which at times have no letters at all.
func (g generator) genome(name string, pool []byte, alphabet string) Input {
	in := g.records(name, 1+g.IntN(4), 50, alphabet, FASTA, FASTA, FASTQ)
	for k := range in.Texts { // genomes share passages
		if n := len(pool); n > 0 && g.sometimes(2) {
			from := g.IntN(n)
			in.Texts[k] = append(in.Texts[k], pool[from:min(n, from+g.IntN(40))]...)
		}
	}
	if !g.sometimes(20) {
		in.Texts[g.IntN(len(in.Texts))] = append(slices.Clone(pool[:min(len(pool), 20)]), 'A')
	}
	return in
}

// matchLetters are letters as mems compares them; 0 equals nothing.
func matchLetters(text []byte, dna bool) []byte {
	text = upper(text)
	for i, b := range text {
		if dna && !strings.Contains(bases, string(rune(b))) {
			text[i] = 0
		}
	}
	return text
}

// occurrences counts a substring in texts.
func occurrences(texts [][]byte, s []byte) (n int) {
	for _, text := range texts {
		for at := 0; at+len(s) <= len(text); at++ {
			if bytes.Equal(text[at:at+len(s)], s) {
				n++
			}
		}
	}
	return n
}

var memsVerb = verb{
	random: func(g generator) *Case {
		c := &Case{}
		alphabet := g.one(bases, "AC", nucleotide, anyLetter)
		pool := g.text(120, alphabet)
		for _, name := range []string{"a.fa", "b.fa", "c.fa"}[:2+g.IntN(2)] {
			c.Inputs = append(c.Inputs, g.genome(name, pool, alphabet))
		}
		c.Keep("format", "tsv")
		c.Add("min-length", g.number(1, 9))
		g.maybe(c, 2, g.one("maxmatch", "mum", "mumreference"))
		g.maybe(c, 2, g.one("both", "both", "reverse"))
		g.maybe(c, 2, "dna")
		addSorter(g, c, false)
		return c
	},
	commands: func(c *Case) [][]string {
		args := []string{"mems"}
		for _, in := range c.Inputs {
			args = append(args, in.Name)
		}
		return [][]string{c.with(args)}
	},
	check: func(c *Case, r *Run) error { return sameLines("matches", r.Out(), c.matchLines()) },
}

func (c *Case) matchLines() string {
	var b strings.Builder
	dna := c.Has("dna")
	var reference [][]byte
	for _, text := range c.Inputs[0].Texts {
		reference = append(reference, matchLetters(text, dna))
	}
	for i := range c.Inputs[1:] {
		in := &c.Inputs[1+i]
		for k, text := range in.Texts {
			if !c.Has("reverse") {
				c.matchStrand(&b, reference, matchLetters(text, dna), in.RecordName(k), false)
			}
			if c.Has("reverse") || c.Has("both") {
				c.matchStrand(&b, reference, matchLetters(matchStrandOf(text), dna), in.RecordName(k), true)
			}
		}
	}
	return b.String()
}

// matchStrandOf is the other strand as mummer has it, which knows no U.
func matchStrandOf(text []byte) []byte {
	return other(bytes.ReplaceAll(upper(text), []byte("U"), []byte("N")), 'N')
}

// matchStrand writes the matches of a strand of a query.
func (c *Case) matchStrand(b *strings.Builder, reference [][]byte, query []byte, name string, reverse bool) {
	for k, text := range reference {
		for i := range text {
			for j := range query {
				if i > 0 && j > 0 && text[i-1] == query[j-1] && text[i-1] != 0 {
					continue // longer to the left
				}
				h := 0
				for h < min(len(text)-i, len(query)-j) && text[i+h] == query[j+h] && text[i+h] != 0 {
					h++
				}
				s := text[i : i+h]
				if h < c.Int("min-length", 20) || !c.Has("maxmatch") && occurrences(reference, s) > 1 ||
					c.Has("mum") && occurrences([][]byte{query}, s) > 1 {
					continue
				}
				at, strand := j, "+"
				if reverse {
					at, strand = len(query)-j-h, "-"
				}
				fmt.Fprintf(b, "%s\t%d\t%s\t%d\t%d\t%s\n", c.Inputs[0].RecordName(k), i, name, at, h, strand)
			}
		}
	}
}

var mumsVerb = verb{
	random: func(g generator) *Case {
		c := &Case{}
		alphabet := g.one(bases, bases, "AC", nucleotide, anyLetter)
		pool := g.text(120, alphabet)
		for _, name := range []string{"a.fa", "b.fa", "c.fa", "d.fa"}[:2+g.IntN(3)] {
			c.Inputs = append(c.Inputs, g.genome(name, pool, alphabet))
		}
		c.Add("min-length", g.number(2, 9))
		g.maybe(c, 3, "min-genomes", "2", "0")
		g.maybe(c, 3, "forward")
		addSorter(g, c, false)
		return c
	},
	commands: func(c *Case) [][]string {
		args := []string{"mums"}
		for _, in := range c.Inputs {
			args = append(args, in.Name)
		}
		return [][]string{c.with(args)}
	},
	check: func(c *Case, r *Run) error { return sameLines("multi-MUMs", r.Out(), c.multiMatchLines()) },
}

// genomePlace is an occurrence in a genome, of whose letters before it and behind it, in its direction, 0 is none.
type genomePlace struct {
	genome, position int
	reverse          bool
	before, after    byte
}

func (c *Case) multiMatchLines() string {
	all := map[string][]genomePlace{}
	for n, in := range c.Inputs {
		start := 0
		for _, text := range in.Texts {
			letters := matchLetters(text, true)
			at := func(i int) byte {
				if i < 0 || i >= len(letters) {
					return 0
				}
				return letters[i]
			}
			for i := range letters {
				for j := i + 1; j <= len(letters) && letters[j-1] != 0; j++ {
					if j-i < c.Int("min-length", 20) {
						continue
					}
					s := string(letters[i:j])
					all[s] = append(all[s], genomePlace{n, start + i, false, at(i - 1), at(j)})
					if !c.Has("forward") {
						s = string(other(letters[i:j], 0))
						all[s] = append(all[s], genomePlace{n, start + i, true, otherBase(at(j)), otherBase(at(i - 1))})
					}
				}
			}
			start += len(text)
		}
	}
	least := c.Int("min-genomes", 0)
	if least == 0 {
		least = len(c.Inputs)
	}
	var b strings.Builder
	for s, places := range all {
		slices.SortFunc(places, func(a, b genomePlace) int { return cmp.Compare(a.genome, b.genome) })
		wider := len(places) >= least && !places[0].reverse
		for i := 1; i < len(places); i++ {
			wider = wider && places[i].genome != places[i-1].genome
		}
		before, after := places[0].before != 0, places[0].after != 0 // all have the same letter there
		for _, p := range places {
			before, after = before && p.before == places[0].before, after && p.after == places[0].after
		}
		if !wider || before || after {
			continue
		}
		positions, strands := make([]string, len(c.Inputs)), make([]string, len(c.Inputs))
		for _, p := range places {
			positions[p.genome], strands[p.genome] = fmt.Sprint(p.position), hit{reverse: p.reverse}.strand()
		}
		fmt.Fprintf(&b, "%d\t%s\t%s\n", len(s), strings.Join(positions, ","), strings.Join(strands, ","))
	}
	return b.String()
}

func otherBase(b byte) byte { return other([]byte{b}, 0)[0] }

var mappabilityVerb = verb{
	random: func(g generator) *Case {
		c := &Case{}
		alphabet := g.one(bases, bases, "AC", nucleotide, anyLetter)
		c.Inputs = []Input{g.genome("genome.fa", g.text(60, alphabet), alphabet)}
		c.Add("k", g.one("1", "2", "3", "4", "7", "1,3", "2,5,9", "1,2,3,4,5,6"))
		switch g.IntN(3) {
		case 0:
			c.Add("format", "raw16")
		case 1:
			c.Add("format", "txt")
			c.Add("frequency")
		default:
			c.Add("frequency")
		}
		g.maybe(c, 2, "both")
		g.maybe(c, 3, "unique")
		return c
	},
	commands: func(c *Case) [][]string { return [][]string{c.with([]string{"mappability", "genome.fa", "-o", "out"})} },
	check: func(c *Case, r *Run) error {
		var errs []error
		format := c.Value("format", "bedgraph")
		for _, k := range strings.Split(c.Value("k", ""), ",") {
			var n int
			fmt.Sscan(k, &n)
			name := "out.k" + k + "." + format
			errs = append(errs, same(name, string(r.File(name)), c.frequencyFile(format, c.frequencies(n))))
		}
		if c.Has("unique") {
			lengths := c.frequencyFile("bedgraph", c.uniqueLengths())
			errs = append(errs, same("unique", string(r.File("out.unique.bedgraph")), lengths))
		}
		return cmp.Or(errs...)
	},
}

// words counts the places of each substring of k bases, of which with both strands that and its complement are one.
func (c *Case) words(k int) (counts map[string]int, each [][]string) {
	counts = map[string]int{}
	for _, text := range c.Inputs[0].Texts {
		letters := matchLetters(text, true)
		names := make([]string, len(letters))
		for i := 0; i+k <= len(letters); i++ {
			word := letters[i : i+k]
			if bytes.IndexByte(word, 0) >= 0 {
				continue
			}
			names[i] = string(word)
			if c.Has("both") {
				names[i] = min(names[i], string(other(word, 0)))
			}
			counts[names[i]]++
		}
		each = append(each, names)
	}
	return counts, each
}

func (c *Case) frequencies(k int) [][]int {
	counts, each := c.words(k)
	values := make([][]int, len(each))
	for i, names := range each {
		values[i] = make([]int, len(names))
		for at, name := range names {
			if name != "" {
				values[i][at] = counts[name]
			}
		}
	}
	return values
}

// uniqueLengths are those of the shortest substrings that occur once; of both strands none is its own complement.
func (c *Case) uniqueLengths() [][]int {
	var values [][]int
	longest := 0
	for _, text := range c.Inputs[0].Texts {
		values = append(values, make([]int, len(text)))
		longest = max(longest, len(text))
	}
	for k := 1; k <= longest; k++ {
		counts, each := c.words(k)
		for i, names := range each {
			for at, name := range names {
				own := c.Has("both") && name == string(other([]byte(name), 0))
				if name != "" && counts[name] == 1 && !own && values[i][at] == 0 {
					values[i][at] = k
				}
			}
		}
	}
	return values
}

func (c *Case) frequencyFile(format string, values [][]int) string {
	var b strings.Builder
	for k, each := range values {
		name := c.Inputs[0].RecordName(k)
		switch format {
		case "raw16":
			b.Write(array(each, 2))
		case "txt":
			b.WriteString(">" + name + "\n" + strings.Trim(fmt.Sprint(each), "[]") + "\n")
		default:
			for at := 0; at < len(each); {
				end := at
				for end < len(each) && each[end] == each[at] {
					end++
				}
				if each[at] > 0 {
					fmt.Fprintf(&b, "%s\t%d\t%d\t%d\n", name, at, end, each[at])
				}
				at = end
			}
		}
	}
	return b.String()
}

// pangenomeVerb is its verb thresholds.
var pangenomeVerb = verb{
	random: func(g generator) *Case {
		c := &Case{}
		alphabet := g.one(bases, bases, "A", "AC", nucleotide, anyLetter)
		pool := g.text(120, alphabet)
		for _, name := range []string{"a.fa", "b.fa"}[:1+g.IntN(2)] {
			in := g.records(name, 1+g.IntN(4), 60, alphabet, FASTA)
			for k := range in.Texts { // genomes share passages
				if g.sometimes(2) {
					in.Texts[k] = append(in.Texts[k], pool...)
				}
			}
			in.Texts[0] = append(in.Texts[0], 'A')
			c.Inputs = append(c.Inputs, in)
		}
		g.maybe(c, 2, "separators")
		addSorter(g, c, false)
		return c
	},
	commands: func(c *Case) [][]string {
		args := []string{"pangenome", "thresholds"}
		for _, in := range c.Inputs {
			args = append(args, in.Name)
		}
		return [][]string{c.with(append(args, "out"))}
	},
	check: func(c *Case, r *Run) error {
		want := c.thresholdFiles()
		for _, name := range []string{"out.bwt.heads", "out.bwt.len", "out.thr_pos"} {
			if err := same(name, r.File(name), want[name]); err != nil {
				return err
			}
		}
		return nil
	},
}

// thresholdFiles are the files of Movi.
func (c *Case) thresholdFiles() map[string][]byte {
	var text []byte
	for _, in := range c.Inputs {
		for _, record := range in.Texts {
			strand := upper(record)
			for i, b := range strand {
				if !strings.Contains("CGT", string(rune(b))) {
					strand[i] = 'A'
				}
			}
			for range 2 {
				text = append(text, strand...)
				if c.Has("separators") {
					text = append(text, '%')
				}
				strand = other(strand, 0)
			}
		}
	}
	text = append(text, 0)
	rows := make([]int, len(text))
	for i := range rows {
		rows[i] = i
	}
	slices.SortFunc(rows, func(a, b int) int { return bytes.Compare(text[a:], text[b:]) })
	var heads []byte
	var lengths, thresholds []int
	for row := range rows {
		letter := text[(rows[row]+len(text)-1)%len(text)]
		if len(heads) > 0 && heads[len(heads)-1] == letter {
			lengths[len(lengths)-1]++
			continue
		}
		// From this row up to the last one of the same letter: the first of the shortest ones is what stays.
		least, threshold, known := len(text), 0, false
		for j := row; j > 0 && !known; j-- {
			if h := prefix(text[rows[j-1]:], text[rows[j]:]); h <= least {
				least, threshold = h, j
			}
			known = text[(rows[j-1]+len(text)-1)%len(text)] == letter
		}
		if !known {
			threshold = 0
		}
		heads, lengths, thresholds = append(heads, letter), append(lengths, 1), append(thresholds, threshold)
	}
	return map[string][]byte{"out.bwt.heads": heads, "out.bwt.len": array(lengths, 5), "out.thr_pos": array(thresholds, 5)}
}
