package main

import (
	"bytes"
	"errors"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// mississippi is what `suffixcl repeats` writes for that text.
const mississippi = "1\t1\t4\n2\t1\t4\n3\t1\t4\n4\t1\t4\n5\t4\t4\n6\t4\t4\n7\t4\t4\n8\t8\t1\n9\t9\t1\n10\t10\t1\n"

func TestPlotRepeats(t *testing.T) {
	dir := t.TempDir()
	clitest.Put(t, dir, "repeats.tsv", []byte(mississippi))
	for _, name := range []string{"out.png", "out.svg", "out.PDF"} {
		r := clitest.Good(t, dir, "plot", "repeats", "repeats.tsv", "-o", name)
		assert.Empty(t, r.Out+r.Errors)
	}
	_, err := png.Decode(bytes.NewReader(clitest.Get(t, dir, "out.png")))
	assert.NoError(t, err)
	svg := clitest.Get(t, dir, "out.svg")
	assert.NoError(t, wellFormed(svg))
	assert.Contains(t, string(svg), "Longest repeats of repeats<")
	assert.True(t, bytes.HasPrefix(clitest.Get(t, dir, "out.PDF"), []byte("%PDF-")))
	c := clitest.Command(dir, "plot", "repeats", "-", "-o", "stdin.png", "--length", "11", "--bins", "3")
	c.Stdin = strings.NewReader(mississippi)
	assert.Equal(t, cli.ExitDone, clitest.Finish(t, c).Code)

	before := clitest.Files(t, dir)
	for text, want := range map[string]string{
		"":                            "wrong.tsv: there is nothing to draw",
		"1\t4\n4\t4\n":                "wrong.tsv:1: want position, start and length", // --top
		"text\t1\t5\trepeat\t4\n":     "wrong.tsv:1: want position, start and length", // BED
		mississippi + "11\t10\n":      "wrong.tsv:11: want position",
		"1\t1\tmany\n":                "wrong.tsv:1: want position",
		"1\t-1\t4\n":                  "wrong.tsv:1: want position",
		"4294967296\t4294967296\t1\n": "wrong.tsv:1: want position",
		// --top, of a record with the name 7.
		"7\t100\t50\n":                         "wrong.tsv:1: the repeat of 50 characters at 100 does not cover position 7",
		"5\t1\t4\n":                            "wrong.tsv:1: the repeat of 4 characters at 1 does not cover position 5",
		"200\t200\t1\n":                        "repeats up to position 200, in a text of --length 100",
		"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00": "wrong.tsv",
	} {
		clitest.Put(t, dir, "wrong.tsv", []byte(text))
		args := []string{"plot", "repeats", "wrong.tsv", "-o", "wrong.png"}
		if text != "" {
			args = append(args, "--length", "100")
		}
		r := clitest.Run(t, dir, args...)
		assert.Equal(t, cli.ExitFailed, r.Code, "%q", text)
		assert.Contains(t, r.Errors, want, "%q", text)
	}
	assert.Equal(t, append(before, "wrong.tsv"), clitest.Files(t, dir))
	assert.Equal(t, cli.ExitFailed, clitest.Run(t, dir, "plot", "repeats", "missing", "-o", "out.png").Code)
}

func TestBins(t *testing.T) {
	for _, n := range []int64{1, 7, 100} {
		for _, limit := range []int{1, 3, 100} {
			for _, known := range []int64{0, n} {
				b := newBins(limit, known)
				var sum int64
				for i := range n {
					b.add(i, i)
					sum += i
				}
				require.Equal(t, n, b.n)
				require.LessOrEqual(t, (n+b.width-1)/b.width, int64(limit))
				for i, s := range b.sum {
					sum -= s
					if last := min(int64(i+1)*b.width, n) - 1; last >= int64(i)*b.width {
						require.Equal(t, last, b.longest[i])
					}
				}
				require.Zero(t, sum)
			}
		}
	}
}

// Records follow one another; of several repeats of a position one counts.
func TestReadRepeats(t *testing.T) {
	b := newBins(100, 0)
	require.NoError(t, readRepeats(strings.NewReader("a\t0\t0\t3\na\t0\t0\t3\na\t2\t0\t3\nb\t1\t1\t2\r\nb\t0\t0\t9"), b))
	assert.EqualValues(t, 6, b.n)
	assert.Equal(t, []int64{3, 0, 3, 0, 2, 9}, b.longest[:6])
	assert.Equal(t, b.longest, b.sum)

	failed := errors.New("failed")
	r := readerFunc(func([]byte) (int, error) { return 0, failed })
	assert.ErrorIs(t, readRepeats(r, b), failed)
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
