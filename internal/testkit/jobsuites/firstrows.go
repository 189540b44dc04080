package jobsuites

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/suffixcl/suffixcl/internal/testkit/suitekit"
)

// FirstRowsQuery asks for the index that STAR has before its suffix array: that of the plain suffixes, into which
// others may be inserted.
type FirstRowsQuery struct {
	Plain    PrefixQuery
	Inserted int // the suffixes at characters [Plain.End, Inserted) of the text and of its complement are inserted
	Last     int // row of the last plain suffix
	Width    int // bits of an entry: a bit for an absent one, below it one for a mark, and the row
}

// FirstRows is the suite for the index of STAR, on the texts of [conformance.SuffixArray] and on small genomes. index
// returns what [ReferenceFirstRows] does. It must not write to text.
func FirstRows(index func(ctx context.Context, text []byte, q FirstRowsQuery) ([]uint64, error), cfg Config) []Case {
	suite := textSuite[[]uint64]{
		run: func(ctx context.Context, text []byte) ([]uint64, error) {
			q := firstRowsQuery(text)
			return suitekit.Unchanged("text", text, func() ([]uint64, error) { return index(ctx, text, q) })
		},
		judge: func(text []byte, got []uint64) error {
			return suitekit.Compare("entry", got, ReferenceFirstRows(text, firstRowsQuery(text)))
		},
	}
	cfg = cfg.WithDefaults()
	cfg.MaxExhaustive2, cfg.MaxExhaustive3 = min(cfg.MaxExhaustive2, 5), min(cfg.MaxExhaustive3, 4)
	return append(suite.cases(cfg), Case{Name: "genomes", Run: func(ctx context.Context) error {
		rng := suitekit.Rand(cfg.Seed, "genomes", 0)
		for turn := range 2 * cfg.Random {
			text := longUnseen
			if turn > 0 {
				text = smallGenome(rng)
			}
			got, err := suite.run(ctx, text)
			if err == nil {
				err = suite.judge(text, got)
			}
			if err != nil {
				return fmt.Errorf("seed %d, text %v: %w", cfg.Seed, text, err)
			}
		}
		return nil
	}})
}

// longUnseen is a text of which the last row alone has two letters, as many as are told apart, and is not looked at.
var longUnseen = []byte{4, 1, 4, 1, 4, 1, 4, 1, 4, 2, 4, 2, 4, 2, 4, 2, 4, 2, 4, 3, 3}

// smallGenome has few letters between others, so that STAR may end with an error. In most of them it does not look at
// the last row.
func smallGenome(rng *rand.Rand) (text []byte) {
	for range 1 + 49*rng.IntN(3) {
		text = make([]byte, 4+rng.IntN(80))
		letters, gaps, apart := 1+rng.IntN(4), rng.IntN(10), rng.IntN(2)
		for i := range text {
			switch {
			case rng.IntN(10) < gaps || i%2 < apart:
				text[i] = 4
			case apart > 0:
				text[i] = byte(1 + rng.IntN(2))
			default:
				text[i] = byte(4 - rng.IntN(letters+1))
			}
		}
		if apart > 0 { // but for two letters, whose row is often the last
			i := rng.IntN(len(text) - 1)
			text[i], text[i+1] = 3, byte(rng.IntN(4))
		}
		if q := firstRowsQuery(text); unseenLast(plainOf(genomeRows(text, q)), q.Plain.Letters) {
			break
		}
	}
	return text
}

// firstRowsQuery is what is asked of a text. Plain suffixes are chosen as those of a genome are.
func firstRowsQuery(text []byte) FirstRowsQuery {
	n, sum := len(text), textSum(text)
	q := FirstRowsQuery{Plain: PrefixQuery{Letters: 1 + (n+sum)%6, End: n, Every: 1 + sum/5%3}, Inserted: n,
		Width: 33 + sum%31}
	if sum%3 > 0 {
		q.Plain.End -= sum / 7 % (n/2 + 1)
	}
	q.Plain.Last = 2*q.Plain.End - 1
	if n < 1<<9 && sum%4 > 0 { // the last row is not looked at, if that is possible
		for few := q; few.Plain.Letters > 0; few.Plain.Letters-- {
			if unseenLast(plainOf(genomeRows(text, few)), few.Plain.Letters) {
				q = few
				break
			}
		}
	}
	q.Last = max(slices.IndexFunc(genomeRows(text, q), func(r genomeRow) bool { return r.last }), 0)
	return q
}

// genomeRow is a row of the suffix array of STAR.
type genomeRow struct {
	letters  []uint8 // that its suffix begins with
	place    int
	inserted bool
	last     bool // of those that are plain
	unseen   bool
}

// genomeRows are all rows in their order: what is no letter is larger than all letters, and what begins with the same
// letters is ordered by its places.
func genomeRows(text []byte, q FirstRowsQuery) (rows []genomeRow) {
	inserted := PrefixQuery{Letters: q.Plain.Letters, From: q.Plain.End, End: q.Inserted, Every: 1}
	for _, of := range []PrefixQuery{q.Plain, inserted} {
		eachPrefix(text, of, func(letters []uint8, place int) {
			rows = append(rows, genomeRow{letters: slices.Clone(letters), place: place,
				inserted: of.From == q.Plain.End})
		})
	}
	slices.SortFunc(rows, func(a, b genomeRow) int {
		ended := func(r genomeRow) []uint8 { return append(slices.Clip(r.letters), 4) }
		return cmp.Or(slices.Compare(ended(a), ended(b)), cmp.Compare(a.place, b.place))
	})
	for row := len(rows) - 1; row >= 0; row-- {
		if !rows[row].inserted {
			rows[row].last = true
			break
		}
	}
	return rows
}

// plainOf are those that are not inserted.
func plainOf(rows []genomeRow) []genomeRow {
	return slices.DeleteFunc(slices.Clone(rows), func(r genomeRow) bool { return r.inserted })
}

// ReferenceFirstRows returns the index as STAR makes it, row by row; nil where STAR ends with an error. Its levels have
// the sequences of one letter, of two, and so on, and the sequences are in the order of their codes.
//
// An entry is the first row that begins with its sequence. One that is absent has the row of the next one of its level
// that is not, or the number of plain rows. A row of fewer letters than a level marks the last entry before it that is
// there. Marks stay when others are inserted, which mark entries of the whole.
func ReferenceFirstRows(text []byte, q FirstRowsQuery) []uint64 {
	return firstRows(text, q, unseenLast)
}

// firstRows is ReferenceFirstRows, where unseen tells whether the last plain row is not looked at.
func firstRows(text []byte, q FirstRowsQuery, unseen func(rows []genomeRow, letters int) bool) []uint64 {
	rows, letters := genomeRows(text, q), q.Plain.Letters
	n := len(plainOf(rows))
	if unseen(plainOf(rows), letters) {
		rows[slices.IndexFunc(rows, func(r genomeRow) bool { return r.last })].unseen = true
	}
	_, marks, ok := walkRows(plainOf(rows), letters, false)
	if !ok {
		return nil
	}
	first, more, ok := walkRows(rows, letters, true)
	if !ok {
		return nil
	}
	entries := make([]uint64, len(first))
	at := len(first)
	for level := letters; level > 0; level-- {
		next := n
		for range 1 << (2 * level) {
			at--
			if first[at] >= 0 {
				next = first[at]
				if marks[at] || more[at] {
					entries[at] = 1 << (q.Width - 2)
				}
			} else {
				entries[at] = 1 << (q.Width - 1)
			}
			entries[at] |= uint64(next)
		}
	}
	return entries
}

// unseenLast tells whether STAR does not look at the last row. Rows that begin with the same are a run. From the start
// of a run STAR goes to the next one in steps of several rows. It does not see a last run of one row if a step ends at
// the row before it.
func unseenLast(rows []genomeRow, letters int) bool {
	var runs []int // where each begins
	for row, r := range rows {
		if row == 0 || !slices.Equal(r.letters, rows[row-1].letters) {
			runs = append(runs, row)
		}
	}
	n, k, step := len(rows), len(runs), len(rows)>>(2*letters)+1
	return k >= 2 && runs[k-1] == n-1 && step >= 2 && (n-2-runs[k-2])%step == 0
}

// walkRows returns the first row of each sequence, -1 where there is none, and which entries are marked. Where a level
// has no entry yet, a row marks the last one of the level below, which loses the mark when it is made. Where others are
// inserted, they alone mark, and only entries of their level. It is not ok if a row has more letters than the first.
func walkRows(rows []genomeRow, letters int, inserting bool) (first []int, marks []bool, ok bool) {
	start := sequenceStarts(letters)
	first, marks = slices.Repeat([]int{-1}, start[letters+1]), make([]bool, start[letters+1])
	last := make([]int, letters+1) // entry of each level that is there
	for level := range last {
		last[level] = start[level] - 1
	}
	for row, r := range rows {
		if r.unseen {
			continue
		}
		for level := 1; level <= letters; level++ {
			if level <= len(r.letters) {
				at := start[level] + codeOf(r.letters[:level])
				if first[at] < 0 {
					first[at], marks[at] = row, false
				}
				last[level] = at
			} else if !inserting || r.inserted && last[level] >= start[level] {
				marks[last[level]] = true
			}
		}
		if len(r.letters) > len(rows[0].letters) {
			return nil, nil, false
		}
	}
	for at := range marks {
		marks[at] = marks[at] && first[at] >= 0 // absent ones are made at the end
	}
	return first, marks, true
}
