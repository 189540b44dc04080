package tokenindex

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/bits"
	"os"
	"slices"
)

// MaxClauses is the most clauses of a CNF: each one doubles the work at a place.
const MaxClauses = 8

// CNF asks for n-grams that occur together, in conjunctive normal form: of each clause at least one n-gram.
type CNF struct {
	Clauses [][][]uint32
	// MaxDiff is the most tokens from where one clause begins to where the next one in the text does.
	MaxDiff int64
	// MaxFreq is the most places of the rarest clause that are looked at, but for one in each shard; 0: all.
	MaxFreq int64
}

// Check returns an error of clauses that cannot be asked for.
func (q *CNF) Check() error {
	switch {
	case len(q.Clauses) == 0:
		return fmt.Errorf("there is no clause")
	case len(q.Clauses) > MaxClauses:
		return fmt.Errorf("there are %d clauses: the most are %d", len(q.Clauses), MaxClauses)
	case q.MaxDiff < 1 || q.MaxFreq < 0:
		return fmt.Errorf("clauses are at least one token apart, and limits not negative")
	}
	for c, clause := range q.Clauses {
		if len(clause) == 0 {
			return fmt.Errorf("clause %d of %d has no n-gram", c+1, len(q.Clauses))
		}
		for _, gram := range clause {
			if len(gram) == 0 {
				return fmt.Errorf("clause %d of %d has an empty n-gram", c+1, len(q.Clauses))
			}
		}
	}
	return nil
}

// Together is how often the clauses of a CNF occur together.
type Together struct {
	Count  int64
	Approx bool // Count is estimated from MaxFreq places
}

// EachCNF counts the places of the rarest clause around which all clauses occur together, and yields them: the number
// of the shard from 0 on, and the token. Without yield it only counts.
//
// A place of a clause is where one of its n-grams begins. Clauses occur together where there is a place of each in a
// document, so that neighbours in the text are at most MaxDiff tokens apart; several clauses may have the same place.
// The rarest clause is the one with the fewest places in the shard, of such the first.
//
// If the rarest clauses of all shards have more than MaxFreq places, some are looked at, evenly over the table, and the
// count is estimated. With one clause it is exact. Others may be as frequent as they like: tokens around each place are
// compared with them. Places come in the order of the text, 65,536 at a time; they take 8 bytes each. Errors: those of
// Check; as Count; the context's; that of yield.
func (x *Index) EachCNF(ctx context.Context, q CNF, yield func(i int, token int64) error) (Together, error) {
	if err := q.Check(); err != nil {
		return Together{}, fmt.Errorf("tokenindex: %w", err)
	}
	clauses := make([]clause, len(q.Clauses))
	for c, grams := range q.Clauses {
		var err error
		if clauses[c], err = x.clauseOf(grams); err != nil {
			return Together{}, err
		}
	}
	var total int64
	scans := make([]cnfScan, len(x.shards))
	for i, s := range x.shards {
		if ctx.Err() != nil {
			return Together{}, context.Cause(ctx)
		}
		var err error
		if scans[i], err = s.scanOf(clauses, q.MaxDiff); err != nil {
			return Together{}, err
		}
		total += scans[i].count
	}
	var found Together
	if len(clauses) == 1 {
		found.Count = total
		if yield == nil {
			return found, nil
		}
	}
	for i := range scans {
		scan := &scans[i]
		looked := scan.count
		if q.MaxFreq > 0 && total > q.MaxFreq {
			looked = min(looked, max(share(q.MaxFreq, scan.count, total), 1))
		}
		hits, err := scan.run(ctx, looked, func(token int64) error {
			if yield == nil {
				return nil
			}
			return yield(i, token)
		})
		if err != nil {
			return Together{}, err
		}
		if len(clauses) == 1 {
			continue
		}
		if looked < scan.count {
			found.Approx = true
			hits = int64(math.Round(float64(hits) / float64(looked) * float64(scan.count)))
		}
		found.Count += hits
	}
	return found, nil
}

// PositionOf is that of a token of shard i.
func (x *Index) PositionOf(i int, token int64) Position { return x.shards[i].place(token) }

// share is a*b/c, rounded down, where that is less than 2^64.
func share(a, b, c int64) int64 {
	high, low := bits.Mul64(uint64(a), uint64(b))
	quotient, _ := bits.Div64(high, low, uint64(c))
	return int64(quotient)
}

// clause is n-grams as in the files, none of which begins with another: so no place has two of them.
type clause [][]byte

func (x *Index) clauseOf(grams [][]uint32) (clause, error) {
	all := make(clause, len(grams))
	for i, gram := range grams {
		var err error
		if all[i], err = x.Encode(gram); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(all, bytes.Compare) // what begins with another comes after it
	kept := all[:1]
	for _, gram := range all[1:] {
		if !bytes.HasPrefix(gram, kept[len(kept)-1]) {
			kept = append(kept, gram)
		}
	}
	return kept, nil
}

// cnfScan looks at places of the rarest clause of a shard.
type cnfScan struct {
	s        *shard
	segments []Segment // of its n-grams
	count    int64     // their slots
	others   []clause
	maxDiff  int64
	begins   [256]uint8 // the others, a bit each, with an n-gram that begins with the byte
	all      int        // a bit for each of the others
	// reach has, for each set of others, the steps to the last place of a chain with just these; or never.
	reach [2][1 << (MaxClauses - 1)]int64
}

const never = math.MinInt64 / 2

func (s *shard) scanOf(clauses []clause, maxDiff int64) (cnfScan, error) {
	scan := cnfScan{s: s, maxDiff: min(maxDiff, s.n), count: -1}
	rarest := 0
	for c, grams := range clauses {
		segments := make([]Segment, len(grams))
		count := int64(0)
		for i, gram := range grams {
			var err error
			if segments[i].From, segments[i].To, err = s.find(gram); err != nil {
				return scan, err
			}
			count += segments[i].To - segments[i].From
		}
		if scan.count < 0 || count < scan.count {
			scan.segments, scan.count, rarest = segments, count, c
		}
	}
	scan.others = slices.Delete(slices.Clone(clauses), rarest, rarest+1)
	scan.all = 1<<len(scan.others) - 1
	for c, grams := range scan.others {
		for _, gram := range grams {
			scan.begins[gram[0]] |= 1 << c
		}
	}
	return scan, nil
}

// placesAtOnce is how many places are sorted, so that the text is read from its beginning to its end.
const placesAtOnce = 1 << 16

// run looks at so many places, evenly over the slots, and calls hit for those with all clauses. It returns their
// number.
func (c *cnfScan) run(ctx context.Context, looked int64, hit func(token int64) error) (hits int64, err error) {
	places := make([]int64, 0, min(looked, placesAtOnce))
	segment, before := 0, int64(0) // slots of the segments before
	for k := int64(0); k < looked; {
		places = places[:0]
		for ; k < looked && len(places) < placesAtOnce; k++ {
			slot := k
			if looked < c.count {
				slot = share(2*k+1, c.count, 2*looked)
			}
			for slot-before >= c.segments[segment].To-c.segments[segment].From {
				before += c.segments[segment].To - c.segments[segment].From
				segment++
			}
			token, err := c.s.suffix(c.segments[segment].From + slot - before)
			if err != nil {
				return hits, err
			}
			places = append(places, token)
		}
		slices.Sort(places)
		for i, token := range places {
			if i%256 == 0 && ctx.Err() != nil {
				return hits, context.Cause(ctx)
			}
			together, err := c.together(token)
			if err != nil {
				return hits, err
			}
			if !together {
				continue
			}
			hits++
			if err := hit(token); err != nil {
				return hits, err
			}
		}
	}
	return hits, nil
}

// together tells whether the others have places around a token. A chain of places goes to the left, and one to the
// right; together they have each of the others once. What each side can have is known after a step for each token.
func (c *cnfScan) together(token int64) (bool, error) {
	if c.all == 0 {
		return true, nil
	}
	data := c.s.tokens.Bytes()
	if data == nil {
		return false, fmt.Errorf("reading %s: %w", c.s.tokensName, os.ErrClosed)
	}
	width := int64(c.s.width)
	for side, direction := range []int64{-1, 1} {
		reach, other := c.reach[side][:c.all+1], c.reach[1-side][:c.all+1]
		for set := range reach {
			reach[set] = never
		}
		reach[0] = 0
		for steps, last := int64(side), int64(0); steps-last <= c.maxDiff; steps++ { // on the left from the place itself
			at := token + direction*steps
			if at < 0 || at >= c.s.n || c.border(data, at, side, steps) {
				break
			}
			if c.extend(reach, data[at*width:], steps) {
				last = steps
				for set, reached := range reach {
					if reached == steps && (set == c.all || side == 1 && other[c.all^set] != never) {
						return true, nil
					}
				}
			}
		}
	}
	return false, nil
}

// border tells whether a document ends between a token and the one before it on the way.
func (c *cnfScan) border(data []byte, at int64, side int, steps int64) bool {
	if !c.s.format.separators() || steps == 0 {
		return false
	}
	width := int64(c.s.width)
	begins := at // the right one of the two: the separator that begins a document belongs to it
	if side == 0 {
		begins = at + 1
	}
	for _, b := range data[begins*width : (begins+1)*width] {
		if b != 0xff {
			return false
		}
	}
	return true
}

// extend adds a place after so many steps to the chains that reach it. It tells whether there are any.
func (c *cnfScan) extend(reach []int64, text []byte, steps int64) (any bool) {
	for maybe := c.begins[text[0]]; maybe != 0; maybe &= maybe - 1 {
		other := bits.TrailingZeros8(maybe)
		if !slices.ContainsFunc(c.others[other], func(gram []byte) bool { return bytes.HasPrefix(text, gram) }) {
			continue
		}
		for set, reached := range reach {
			if set>>other&1 == 0 && steps-reached <= c.maxDiff {
				reach[set|1<<other] = steps
				any = true
			}
		}
	}
	return any
}
