package differential

import (
	"bytes"
	"slices"
	"strings"
)

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
