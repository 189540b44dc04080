package differential

import (
	"fmt"
	"slices"
)

// planVerb has a limit of device memory. The plan says whether the verb fits, and the verb agrees.
var planVerb = verb{
	random: func(g generator) *Case {
		c := &Case{}
		in := Input{Name: "text", Texts: [][]byte{g.text(1<<g.IntN(15), g.one("ab", bases, allBytes))}}
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
		c.Add("max-mem", fmt.Sprint(1<<(14+g.IntN(10))))
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
