package verbs

import (
	"errors"
	"strings"

	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/tokenindex"
)

const togetherHelp = `"5613,4086 OR 23116,21082 AND 6483" asks for n-grams that occur together. AND is between
clauses, and OR between the n-grams of a clause. A clause has a place where one of them
begins. Told are the places of the rarest clause for which each other clause has a place in
the document, so that neighbours in the text are at most --max-diff-tokens apart. All are
looked at: counts are exact.`

// addDiff declares the flag for questions of several clauses.
func (f *gramsFlags) addDiff(flags interface {
	Int64Var(to *int64, name string, value int64, usage string)
}) {
	flags.Int64Var(&f.maxDiff, "max-diff-tokens", 100, "with AND: most tokens from a clause to the next one in the text")
}

// question is an n-gram, or several with AND and OR: then clauses has them, and gram is nil.
type question struct {
	gram    []uint32
	clauses [][][]uint32
}

// parseQuestion reads n-grams, with AND and OR between them as words.
func parseQuestion(text string) (question, error) {
	words := strings.Fields(text)
	clauses := [][][]uint32{nil}
	from := 0
	for i := 0; i <= len(words); i++ {
		if i < len(words) && words[i] != "AND" && words[i] != "OR" {
			continue
		}
		if i == len(words) && from == 0 { // neither word is there
			gram, err := parseGram(text)
			return question{gram: gram}, err
		}
		gram, err := parseGram(strings.Join(words[from:i], " "))
		if err != nil {
			return question{}, err
		}
		if len(gram) == 0 {
			return question{}, errors.New("AND and OR are between n-grams, none of which is empty")
		}
		last := &clauses[len(clauses)-1]
		*last = append(*last, gram)
		if i < len(words) && words[i] == "AND" {
			clauses = append(clauses, nil)
		}
		from = i + 1
	}
	q := tokenindex.CNF{Clauses: clauses, MaxDiff: 1}
	return question{clauses: clauses}, q.Check()
}

// gramsOnly refuses questions of several n-grams.
func (q *question) gramsOnly() error {
	if q.clauses != nil {
		return cli.Usage("AND and OR are for count and find")
	}
	return nil
}

// question begins a row.
func (t *gramTable) question(q question) error {
	if q.clauses == nil {
		return t.gram(q.gram)
	}
	for c, clause := range q.clauses {
		for i, gram := range clause {
			if err := t.gram(gram); err != nil {
				return err
			}
			t.Line = t.Line[:len(t.Line)-1] // the tab
			switch {
			case i < len(clause)-1:
				t.Line = append(t.Line, " OR "...)
			case c < len(q.clauses)-1:
				t.Line = append(t.Line, " AND "...)
			}
		}
	}
	t.Line = append(t.Line, '\t')
	return nil
}

// cnf is a question of several n-grams, all places of which are looked at.
func (f *gramsFlags) cnf(q question) tokenindex.CNF {
	return tokenindex.CNF{Clauses: q.clauses, MaxDiff: f.maxDiff}
}

// countOf is how often a question is met.
func (f *gramsFlags) countOf(x *tokenindex.Index, q question, t *gramTable) (int64, error) {
	if q.clauses == nil {
		return x.Count(q.gram)
	}
	found, err := x.EachCNF(t.ctx, f.cnf(q), nil)
	return found.Count, err
}

// eachOf yields where a question is met.
func (f *gramsFlags) eachOf(x *tokenindex.Index, q question, t *gramTable,
	yield func(tokenindex.Position) error) error {
	if q.clauses == nil {
		return x.Each(q.gram, yield)
	}
	_, err := x.EachCNF(t.ctx, f.cnf(q), func(i int, token int64) error { return yield(x.PositionOf(i, token)) })
	return err
}
