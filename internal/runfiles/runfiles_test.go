package runfiles_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/runfiles"
)

// filesOf are files of n runs of A and C in turns, of 2 rows each, but for the end, which is the last one.
func filesOf(n int) (contents [3][]byte) {
	number := func(v int) []byte { return []byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24), 0} }
	for k := range n {
		head, length, threshold := "AC"[k%2], 2, max(2*k-1, 0)
		if k < 2 {
			threshold = 0
		}
		if k == n-1 {
			head, length, threshold = 0, 1, 0
		}
		contents[0] = append(contents[0], head)
		contents[1] = append(contents[1], number(length)...)
		contents[2] = append(contents[2], number(threshold)...)
	}
	return contents
}

// all are the runs of files.
type all struct {
	heads               []byte
	lengths, thresholds []uint64
	parts               int
}

func read(contents [3][]byte) (of all, err error) {
	var files runfiles.Files
	for k, b := range contents {
		files[k] = io.NewSectionReader(bytes.NewReader(b), 0, int64(len(b)))
	}
	v, err := files.Survey()
	if err != nil {
		return of, err
	}
	var totals [256]runfiles.Totals
	row := uint64(0)
	err = runfiles.Each(v, func(p *runfiles.Part) int { return len(p.Heads) }, func(p *runfiles.Part, n int) error {
		if int(p.First) != len(of.heads) || p.Row != row || p.Before != totals || n != len(p.Heads) {
			return errors.New("what is before a part is wrong")
		}
		for i, head := range p.Heads {
			row += p.Lengths[i]
			c := &totals[head]
			*c = runfiles.Totals{Runs: c.Runs + 1, Rows: c.Rows + p.Lengths[i], After: row}
		}
		of.heads = append(of.heads, p.Heads...)
		of.lengths, of.thresholds = append(of.lengths, p.Lengths...), append(of.thresholds, p.Thresholds...)
		of.parts++
		return nil
	})
	if err == nil && (v.Letters != totals || v.Rows != row) {
		err = errors.New("the totals are wrong")
	}
	return of, err
}

// What is wrong at the border of two parts, and in the last run, is found.
func TestParts(t *testing.T) {
	const part, n = 1 << 20, 1<<20 + 3
	of, err := read(filesOf(n))
	require.NoError(t, err)
	assert.Equal(t, 1+part/runfiles.PartRuns, of.parts)
	assert.Len(t, of.heads, n)
	for _, k := range []int{2, part - 1, part, n - 2} {
		assert.Equal(t, uint64(2), of.lengths[k])
		assert.Equal(t, uint64(2*k-1), of.thresholds[k])
	}
	for want, change := range map[string]func(c *[3][]byte){
		".bwt.heads: byte 1048576: has the letter 'C' in runs 1048575 and 1048576": func(c *[3][]byte) {
			c[0][part] = 'C'
		},
		".bwt.heads: byte 1048579: has 0 ends of the text, not 1":        func(c *[3][]byte) { c[0][n-1] = 'T' },
		".bwt.len: byte 5242880: has no rows in run 1048576":             func(c *[3][]byte) { c[1][5*part] = 0 },
		".bwt.len: byte 5242894: ends too early: there are 1048579 runs": func(c *[3][]byte) { c[1] = c[1][:5*n-1] },
		".thr_pos: byte 5242895: has 1 byte too many":                    func(c *[3][]byte) { c[2] = append(c[2], 0) },
		".thr_pos: byte 5242880: has threshold 2097148 for run 1048576, which has 2097150 to 2097152": func(c *[3][]byte) {
			c[2][5*part] = 0xfc
		},
	} {
		contents := filesOf(n)
		change(&contents)
		_, err := read(contents)
		var wrong *runfiles.Error
		require.ErrorAs(t, err, &wrong, want)
		assert.EqualError(t, err, want)
	}
}
