package jobsuites

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/suffixcl/suffixcl/conformance"
)

func firstRowsOf(_ context.Context, text []byte, q FirstRowsQuery) ([]uint64, error) {
	return ReferenceFirstRows(text, q), nil
}

func TestFirstRowsPass(t *testing.T) { conformance.Run(t, FirstRows(firstRowsOf, small())) }

// All was written down by hand. Rows are those of the codes.
func TestReferenceFirstRows(t *testing.T) {
	const marked, absent = 1 << 31, 1 << 32
	query := func(letters, plain, n int) FirstRowsQuery {
		return FirstRowsQuery{Plain: PrefixQuery{Letters: letters, End: plain, Every: 1, Last: 2*plain - 1}, Inserted: n,
			Width: 33}
	}
	none := slices.Repeat([]uint64{2 | absent}, 9)
	for name, c := range map[string]struct {
		text []byte
		q    FirstRowsQuery
		want []uint64
	}{
		"01, 1, 23, 3": {[]byte{0, 1, 4}, query(2, 3, 3), slices.Concat([]uint64{0, 1, 2, 3, absent, marked}, none,
			[]uint64{2 | marked, 4 | absent, 4 | absent, 4 | absent, 4 | absent})},
		"0, 1, 2, and 3, which is not seen": {[]byte{0, 1, 4}, query(1, 3, 3), []uint64{0, 1, 2, 4 | absent}},
		"the same, and 0 and 3 are inserted after 0 and before 3": {[]byte{0, 1, 4, 3}, query(1, 2, 4),
			[]uint64{0, 2, 3, 4}},
		"0, 1, 2, and 3, which is not seen; 0 and 3 are inserted before 0 and after 3": {[]byte{1, 3, 3}, query(1, 2, 3),
			[]uint64{0, 2, 3, 5}},
		"1 and 2 alone, and two letters": {[]byte{1}, query(2, 1, 1), slices.Concat([]uint64{absent, 0, 1, 2 | absent},
			slices.Repeat([]uint64{2 | absent}, 16))},
		"0 and 3 alone: a mark before the next level": {[]byte{0}, query(2, 1, 1), slices.Concat(
			[]uint64{0, 1 | absent, 1 | absent, 1 | marked}, slices.Repeat([]uint64{2 | absent}, 16))},
		"0 is before 31": {[]byte{0, 4, 3, 1}, query(2, 4, 4), nil},
	} {
		assert.Equal(t, c.want, ReferenceFirstRows(c.text, c.q), name)
	}
}

func TestLongUnseen(t *testing.T) {
	q := firstRowsQuery(longUnseen)
	rows := plainOf(genomeRows(longUnseen, q))
	assert.Equal(t, 2, q.Plain.Letters)
	assert.True(t, unseenLast(rows, 2))
	for row, r := range rows {
		assert.Equal(t, row == len(rows)-1, len(r.letters) == 2, row)
	}
	assert.NotNil(t, ReferenceFirstRows(longUnseen, q))
}

// Each part of what STAR does is in some text.
func TestFirstRowsFail(t *testing.T) {
	for name, wrong := range map[string]func(text []byte, q FirstRowsQuery) []uint64{
		"without marks": func(text []byte, q FirstRowsQuery) []uint64 {
			entries := ReferenceFirstRows(text, q)
			for i := range entries {
				entries[i] &^= 1 << (q.Width - 2)
			}
			return entries
		},
		"all rows after the last entry": func(text []byte, q FirstRowsQuery) []uint64 {
			entries, old := ReferenceFirstRows(text, q), uint64(0)
			for _, r := range genomeRows(text, q) {
				if !r.inserted {
					old++
				}
			}
			for i, e := range entries {
				if e == old|1<<(q.Width-1) {
					entries[i] = uint64(len(genomeRows(text, q))) | 1<<(q.Width-1)
				}
			}
			return entries
		},
		"nothing is inserted": func(text []byte, q FirstRowsQuery) []uint64 {
			q.Inserted = q.Plain.End
			return ReferenceFirstRows(text, q)
		},
		"inserted suffixes are plain": func(text []byte, q FirstRowsQuery) []uint64 {
			if q.Plain.Every == 1 {
				q.Plain.End, q.Plain.Last = q.Inserted, 2*q.Inserted-1
			}
			return ReferenceFirstRows(text, q)
		},
		"all rows are looked at": func(text []byte, q FirstRowsQuery) []uint64 {
			return firstRows(text, q, func([]genomeRow, int) bool { return false })
		},
		"the last row is not the plain one's": func(text []byte, q FirstRowsQuery) []uint64 {
			return firstRows(text, q, func(plain []genomeRow, letters int) bool {
				return unseenLast(genomeRows(text, q), letters)
			})
		},
		"every suffix": func(text []byte, q FirstRowsQuery) []uint64 {
			q.Plain.Every = 1
			return ReferenceFirstRows(text, q)
		},
		"nothing is refused": func(text []byte, q FirstRowsQuery) []uint64 {
			if entries := ReferenceFirstRows(text, q); entries != nil {
				return entries
			}
			return make([]uint64, 4)
		},
	} {
		t.Run(name, func(t *testing.T) {
			assertFails(t, FirstRows(func(_ context.Context, text []byte, q FirstRowsQuery) ([]uint64, error) {
				return wrong(text, q), nil
			}, small()))
		})
	}
}
