package differential

import (
	"fmt"
	"strings"
)

// passagesVerb has an index of bytes or records, or of infini-gram mini, and documents some parts of which are there.
var passagesVerb = verb{
	random: func(g generator) *Case {
		c := &Case{}
		alphabet, formats := "ab", []Format{Bytes, FASTA, JSON}
		index := formats[g.IntN(len(formats))]
		switch {
		case index == FASTA && g.sometimes(2):
			c.Add("dna")
			alphabet = nucleotide
		case g.sometimes(3):
			alphabet = "abcd"
		}
		all := g.texts(2+g.IntN(6), 60, alphabet)
		cut := 1 + g.IntN(len(all)-1)
		text := Input{Name: "text", Format: index, Texts: all[:cut]}
		documents := Input{Name: "documents", Format: []Format{Lines, JSON, Paths}[g.IntN(3)], Texts: all[cut:],
			CRLF: g.sometimes(4), Open: g.sometimes(4)}
		switch documents.Format {
		case Lines:
			c.Keep("input", "lines")
		case JSON:
			c.Keep("field", "text")
		}
		c.Inputs = []Input{text, documents}
		g.maybe(c, 3, "sample", "1", "7")
		c.Add("min-length", g.number(1, 6))
		g.maybe(c, 2, "min-count", "1", "2", "3")
		g.maybe(c, 3, "format", "tsv", "documents")
		return c
	},
	commands: func(c *Case) [][]string {
		index := c.only([]string{"index", "text", "-o", "fmi"}, "dna", "sample")
		if c.Inputs[0].Format == JSON {
			index = []string{"build", "infini-gram-mini", "text", "fmi"}
		}
		return [][]string{index, c.with([]string{"passages", "fmi", "documents"}, "dna", "sample")}
	},
	check: func(c *Case, r *Run) error { return same("passages", r.Out(), c.passageLines()) },
}

// passageTexts are what no passage goes beyond.
func (c *Case) passageTexts() []string {
	if c.Inputs[0].Format == Bytes {
		return []string{string(c.Inputs[0].Joined())}
	}
	var texts []string
	for _, text := range c.Inputs[0].Texts {
		texts = append(texts, string(text))
	}
	return texts
}

// matching is a text as it is compared: with --dna in upper case, with T for U.
func (c *Case) matching(text string) string {
	if !c.Has("dna") {
		return text
	}
	return strings.ReplaceAll(strings.ToUpper(text), "U", "T")
}

// passageLines are what is written about all documents.
func (c *Case) passageLines() string {
	var texts []string
	for _, text := range c.passageTexts() {
		texts = append(texts, c.matching(text))
	}
	length, least := c.Int("min-length", 50), c.Int("min-count", 1)
	var b strings.Builder
	for k, document := range c.Inputs[1].Texts {
		name := fmt.Sprintf("documents:%d", k+1)
		if c.Inputs[1].Format == Paths {
			name = fmt.Sprintf("documents/%03d", k)
		}
		letters, n := c.matching(string(document)), len(document)
		count := func(start, end int) (times int) {
			if start < 0 || end > n || c.Has("dna") && !only(letters[start:end], bases) {
				return 0
			}
			for _, text := range texts {
				for i := range len(text) - (end - start) + 1 {
					if text[i:i+end-start] == letters[start:end] {
						times++
					}
				}
			}
			return times
		}
		covered, passages, longest := make([]bool, n), 0, 0
		for start := range n {
			for end := start + length; end <= n; end++ {
				times := count(start, end)
				if times < least || count(start-1, end) >= least || count(start, end+1) >= least {
					continue
				}
				passages++
				longest = max(longest, end-start)
				for at := start; at < end; at++ {
					covered[at] = true
				}
				if c.Value("format", "tsv") == "tsv" {
					fmt.Fprintf(&b, "%s\t%d\t%d\t%d\n", name, start, end, times)
				}
			}
		}
		if c.Value("format", "tsv") == "documents" {
			letters := 0
			for _, is := range covered {
				if is {
					letters++
				}
			}
			fmt.Fprintf(&b, "%s\t%d\t%d\t%.4f\t%d\t%d\n", name, n, letters, float64(letters)/float64(max(n, 1)), passages,
				longest)
		}
	}
	return b.String()
}
