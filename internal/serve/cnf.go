package serve

import (
	"context"
	"slices"

	"github.com/suffixcl/suffixcl/internal/tokenindex"
)

// conjunctions is a backend that finds n-grams together: it yields the shard and the place of each.
type conjunctions interface {
	together(ctx context.Context, q tokenindex.CNF, yield func(s int, place int64) error) (tokenindex.Together, error)
}

func (t *tokens) together(ctx context.Context, q tokenindex.CNF, yield func(s int, place int64) error,
) (tokenindex.Together, error) {
	return t.EachCNF(ctx, q, yield)
}

type findCNFAnswer struct {
	Count  int64     `json:"cnt"`
	Approx bool      `json:"approx"`
	Places [][]int64 `json:"ptrs_by_shard"`
	query
}

// prepareCNF checks what clauses can be asked for.
func (x *Index) prepareCNF(r *request) error {
	if !r.several() && r.kind != typeFindCNF {
		return nil
	}
	if !slices.Contains([]string{typeCount, typeFindCNF, typeByPlace, typeByRank}, r.kind) {
		return refuse("%s: query_ids is no list of integers: clauses are for %s, %s and documents", r.kind, typeCount,
			typeFindCNF)
	}
	if _, ok := x.backend.(conjunctions); !ok {
		return refuse("index %s has no conjunctions of n-grams (CNF): a table of tokens has", x.Name)
	}
	if r.kind == typeFindCNF && r.asked && r.cnf == nil {
		return refuse("%s: query_ids is no list of clauses, which are lists of n-grams", r.kind)
	}
	return nil
}

func (r *request) conjunction() tokenindex.CNF {
	return tokenindex.CNF{Clauses: r.cnf, MaxDiff: r.maxDiff, MaxFreq: r.maxFreq}
}

func (x *Index) answerCountCNF(ctx context.Context, r *request) (any, error) {
	found, err := x.backend.(conjunctions).together(ctx, r.conjunction(), nil)
	if err != nil {
		return nil, err
	}
	return &countAnswer{Count: found.Count, Approx: found.Approx, query: x.query(r)}, nil
}

func (x *Index) answerFindCNF(ctx context.Context, r *request) (any, error) {
	a := &findCNFAnswer{Places: make([][]int64, x.backend.shards()), query: x.query(r)}
	for s := range a.Places {
		a.Places[s] = []int64{}
	}
	found, err := x.backend.(conjunctions).together(ctx, r.conjunction(), func(s int, place int64) error {
		a.Places[s] = append(a.Places[s], place*int64(x.SymbolBytes))
		return nil
	})
	if err != nil {
		return nil, err
	}
	a.Count, a.Approx = found.Count, found.Approx
	return a, nil
}

// spansOfClauses are the pieces of a passage. Where n-grams begin together, the piece is that of the longest one, and
// of such of the first clause.
func spansOfClauses(symbols []uint32, cnf [][][]uint32) []span {
	list := []span{}
	plain := 0 // where what no clause has begins
	for i := 0; i < len(symbols); {
		length, of := 0, -1
		for c, clause := range cnf {
			for _, gram := range clause {
				rest := symbols[i:]
				if len(gram) > length && len(gram) <= len(rest) && equal(rest[:len(gram)], gram) {
					length, of = len(gram), c
				}
			}
		}
		if of < 0 {
			i++
			continue
		}
		if plain < i {
			list = append(list, span{numbersOf(symbols[plain:i]), -1})
		}
		list = append(list, span{numbersOf(symbols[i : i+length]), of})
		i += length
		plain = i
	}
	if plain < len(symbols) {
		list = append(list, span{numbersOf(symbols[plain:]), -1})
	}
	return list
}
