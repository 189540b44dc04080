package differential

import (
	"fmt"
	"slices"
)

// inRanges is a case whose text is sorted in ranges, or just not.
func (g generator) inRanges() *Case {
	n := 150_000 + g.IntN(300_000)
	c := &Case{Inputs: []Input{{Name: "text", Texts: [][]byte{counted(n)}}}}
	c.Keep("verb", g.one("sa", "lcp", "bwt", "index"))
	c.Keep("input", "plain")
	c.Add("max-mem", fmt.Sprint(n*(3+g.IntN(5))))
	return c
}

// planVerb has a limit of device memory. The plan says whether the verb fits, and the verb agrees.
var planVerb = verb{
	random: func(g generator) *Case {
		if g.sometimes(3) {
			return g.inRanges()
		}
		c := &Case{}
		in := Input{Name: "text", Texts: [][]byte{g.text(1<<g.IntN(12), g.one("ab", bases, allBytes))}}
		if g.sometimes(2) {
			in.Texts[0] = counted(1<<(12+g.IntN(8)) + g.IntN(1000))
		}
		c.Keep("verb", g.one("sa", "lcp", "bwt", "gsa", "index", "repeats", "intervals", "match", "mems", "mappability",
			"dedup"))
		switch c.Value("verb", "") {
		case "sa", "lcp", "bwt":
			g.maybe(c, 3, "order", "end-largest")
			addSorter(g, c, !c.Has("order"))
		case "mems", "mappability":
			in = g.records("text", 1+g.IntN(4), 1<<g.IntN(12), bases, FASTA)
			in.Texts[0] = append(in.Texts[0], 'A')
		case "gsa":
			in = g.records("text", 1+g.IntN(40), 1<<g.IntN(10), bases, Lines)
		case "index":
			addIndex(g, c)
		}
		if !slices.Contains([]string{"mems", "mappability", "dedup"}, c.Value("verb", "")) {
			c.Keep("input", "plain")
		}
		c.Add("max-mem", fmt.Sprint(len(in.data())*(1+g.IntN(30))+g.IntN(1<<20))) // about what it takes
		c.Inputs = []Input{in, {Name: "queries", Format: Lines, Texts: [][]byte{[]byte("ACGT"), []byte("ab")}}}
		return c
	},
	commands: func(c *Case) [][]string {
		verb := c.Value("verb", "")
		args := map[string][]string{
			"gsa": {"text", "-o", "out", "--sa", "--lcp"}, "match": {"text", "queries", "-o", "out"},
			"mems": {"text", "text", "-o", "out"}, "mappability": {"text", "-k", "4", "-o", "out"},
		}[verb]
		if args == nil {
			args = []string{"text", "-o", "out"}
		}
		args = c.with(append([]string{verb}, args...), "verb")
		return [][]string{slices.Concat([]string{"plan"}, args), args}
	},
	judges: true,
	check: func(c *Case, r *Run) error {
		plan, run := r.Results[0], r.Results[1]
		for _, result := range r.Results {
			if result.Code != 0 && result.Code != 4 {
				return fmt.Errorf("exit code %d: %s", result.Code, result.Errors)
			}
		}
		if plan.Code != run.Code {
			return fmt.Errorf("the plan ends with exit code %d, the verb with %d: %s%s", plan.Code, run.Code, plan.Errors,
				run.Errors)
		}
		return nil
	},
}
