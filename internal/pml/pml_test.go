package pml_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/pml"
	"github.com/suffixcl/suffixcl/internal/runfiles"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/harness"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

// run is one of a transform.
type run struct {
	head                     byte
	start, length, threshold uint64
}

// randomRuns are n runs of which no text need have the transform: the walk is defined for all of them. Some have up to
// 2^most rows.
func randomRuns(r *rand.Rand, n, most int) (runs []run) {
	letters := []string{"ACGT", "%ACGNT", "AT", "CG%"}[r.IntN(4)]
	end, row, after := r.IntN(n), uint64(0), map[byte]uint64{}
	for k := range n {
		one := run{head: letters[r.IntN(len(letters))], start: row, length: 1 + uint64(r.IntN(4))}
		if r.IntN(3) == 0 {
			one.length = 1 + r.Uint64N(1<<r.IntN(most+1))
		}
		for k > 0 && one.head == runs[k-1].head {
			one.head = letters[r.IntN(len(letters))]
		}
		if k == end {
			one.head, one.length = 0, 1
		}
		if last, is := after[one.head]; is {
			one.threshold = last + r.Uint64N(row-last+1)
		}
		row += one.length
		after[one.head] = row
		runs = append(runs, one)
	}
	return runs
}

func contentsOf(runs []run) (contents [3][]byte) {
	for _, of := range runs {
		contents[0] = append(contents[0], of.head)
		for k, v := range []uint64{of.length, of.threshold} {
			contents[k+1] = append(contents[k+1], byte(v), byte(v>>8), byte(v>>16), byte(v>>24), byte(v>>32))
		}
	}
	return contents
}

func filesOf(contents [3][]byte) (files runfiles.Files) {
	for k, b := range contents {
		files[k] = io.NewSectionReader(bytes.NewReader(b), 0, int64(len(b)))
	}
	return files
}

// lengthsOf are those of the definition, run by run.
func lengthsOf(runs []run, query []byte) []uint32 {
	rank := func(is func(head byte) bool, row uint64) (count uint64) {
		for _, of := range runs {
			if is(of.head) && of.start < row {
				count += min(of.length, row-of.start)
			}
		}
		return count
	}
	last := runs[len(runs)-1]
	rows := last.start + last.length
	row, length := rows-1, uint32(0)
	lengths := make([]uint32, len(query))
	for at := len(query) - 1; at >= 0; at-- {
		c := query[at]
		if c >= 'a' {
			c -= 'a' - 'A'
		}
		same := func(head byte) bool { return head == c }
		first := rank(func(head byte) bool { return head < c }, rows)
		if !bytes.ContainsRune([]byte("ACGT"), rune(c)) || rank(same, rows) == 0 {
			row, length = first, 0
			continue
		}
		length++
		var above, below *run // those of the letter next to the row
		inside := false
		for i := range runs {
			switch of := &runs[i]; {
			case of.head != c:
			case of.start > row:
				if below == nil {
					below = of
				}
			case of.start+of.length > row:
				inside = true
			default:
				above = of
			}
		}
		if !inside {
			length = 0
			if below != nil && row >= below.threshold {
				row = below.start
			} else {
				row = above.start + above.length - 1
			}
		}
		lengths[at] = length
		row = first + rank(same, row)
	}
	return lengths
}

func search(t *testing.T, e devicetest.Env, files runfiles.Files, queries [][]byte) (all [][]uint32) {
	t.Helper()
	v, err := pml.Look(files)
	require.NoError(t, err)
	x, err := v.Open(t.Context(), e.Session)
	require.NoError(t, err)
	defer x.Release()
	p, err := pml.NewSearch(x)
	require.NoError(t, err)
	defer p.Release()
	var ends []uint32
	text := bytes.Join(queries, nil)
	for at, q := range queries {
		ends = append(ends, uint32(len(q)))
		if at > 0 {
			ends[at] += ends[at-1]
		}
	}
	require.NoError(t, p.Each(t.Context(), text, ends, func(from, to int, lengths []uint32) error {
		for _, q := range queries[from:to] {
			all = append(all, append([]uint32{}, lengths[:len(q)]...))
			lengths = lengths[len(q):]
		}
		assert.Empty(t, lengths)
		return nil
	}))
	return all
}

// Runs and rows beyond 2^32, runs whose keys are far apart or in one cell, and several parts of the files.
func TestSearch(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		r := rand.New(rand.NewPCG(5, 6))
		for k, most := range []int{0, 3, 18, 34, 26, 2} {
			n, count := []int{1, 2, 300, 60, 900, 2*runfiles.PartRuns + 9}[k], []int{30, 30, 30, 30, 30, 4}[k]
			if harness.Simulated(e.Session.Caps()) {
				n, count = min(n, 40), 5
			}
			runs := randomRuns(r, n, most)
			var queries [][]byte
			var want [][]uint32
			for q := range count {
				query := make([]byte, r.IntN(30)*(q%3))
				letters := "ACGTNacgtR"[:4+r.IntN(7)]
				for i := range query {
					query[i] = letters[r.IntN(len(letters))]
				}
				queries, want = append(queries, query), append(want, lengthsOf(runs, query))
			}
			require.Equal(t, want, search(t, e, filesOf(contentsOf(runs)), queries), fmt.Sprint(n, most))
		}
	})
}

// Files that change after they were looked at are refused.
func TestChanged(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		r := rand.New(rand.NewPCG(7, 8))
		contents := contentsOf(randomRuns(r, 50, 9))
		v, err := pml.Look(filesOf(contents))
		require.NoError(t, err)
		for _, at := range [][2]int{{0, 3}, {0, 49}, {1, 5 * 7}} {
			contents[at[0]][at[1]] ^= 1
			_, err = v.Open(t.Context(), e.Session)
			assert.ErrorIs(t, err, runfiles.ErrChanged)
			contents[at[0]][at[1]] ^= 1
		}
		if tuned.Quirks(e.Session.Caps()).LongLoops {
			return
		}
		x, err := v.Open(t.Context(), e.Session)
		require.NoError(t, err)
		defer x.Release()
		p, err := pml.NewSearch(x)
		require.NoError(t, err)
		defer p.Release()
		err = p.Each(t.Context(), make([]byte, 999), []uint32{999}, nil)
		assert.ErrorContains(t, err, "a query of 999 letters")
	})
}
