package main

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"image/png"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
)

func TestRepeats(t *testing.T) {
	needDevice(t)
	dir := t.TempDir()
	put(t, dir, "text", []byte("mississippi"))
	assert.Equal(t, "1\t1\t4\n2\t1\t4\n3\t1\t4\n4\t1\t4\n5\t4\t4\n6\t4\t4\n7\t4\t4\n8\t8\t1\n9\t9\t1\n10\t10\t1\n", good(t, dir, "repeats", "text").out)
	assert.Equal(t, "1\t1\t4\n2\t1\t4\n3\t1\t4\n4\t1\t4\n4\t4\t4\n5\t4\t4\n6\t4\t4\n7\t4\t4\n", good(t, dir, "repeats", "text", "--all", "--min-length", "4").out)
	assert.Equal(t, "text\t1\t5\trepeat\t4\ntext\t4\t8\trepeat\t4\n", good(t, dir, "repeats", "text", "--format", "bed", "--min-length", "2").out)
	assert.Equal(t, "1\t4\n4\t4\n8\t1\n", good(t, dir, "repeats", "text", "--top", "3").out)
	assert.Empty(t, good(t, dir, "repeats", "text", "--min-length", "12").out)
	put(t, dir, "none", []byte("abcdef"))
	put(t, dir, "empty", nil)
	put(t, dir, "one", []byte("a"))
	for _, name := range []string{"none", "empty", "one"} {
		assert.Empty(t, good(t, dir, "repeats", name, "--all").out)
	}

	put(t, dir, "fa", []byte(">a x\nACGTTTACG\n>b\nTTTACGGG\n"))
	assert.Equal(t, "a\t3\t6\nb\t0\t6\na\t0\t3\nb\t5\t2\nb\t6\t2\n", good(t, dir, "repeats", "fa", "--input", "auto", "--all", "--top", "9").out)
	assert.Equal(t, "a\t0\t4\trepeat\t4\na\t3\t9\trepeat\t6\nb\t0\t6\trepeat\t6\n",
		good(t, dir, "repeats", "fa", "--input", "fasta", "--both", "--min-length", "3", "--format", "bed").out)
	r := suffixclIn(t, dir, "repeats", "text", "--both")
	assert.Equal(t, exitFailed, r.code)
	assert.Contains(t, r.errors, "position 1: 'i' is no nucleotide")

	before := files(t, dir)
	if _, err := os.Stat("/dev/full"); err == nil {
		r := suffixclIn(t, dir, "repeats", "text", "-o", "/dev/full")
		assert.Equal(t, exitFailed, r.code)
		assert.Contains(t, r.errors, "cannot write /dev/full: no space left")
	}
	r = suffixclIn(t, dir, "repeats", "text", "-o", "out", "--max-mem", "100")
	assert.Equal(t, exitMemory, r.code)
	r = suffixclIn(t, dir, "repeats", "empty", "--plot", "out.png")
	assert.Equal(t, exitFailed, r.code)
	assert.Contains(t, r.errors, "the text is empty")
	assert.Equal(t, before, files(t, dir))

	r = good(t, dir, "repeats", "text", "--plot", "out.png,out.svg", "-o", "table")
	assert.Empty(t, r.out)
	_, err := png.Decode(bytes.NewReader(get(t, dir, "out.png")))
	assert.NoError(t, err)
	assert.NoError(t, wellFormed(get(t, dir, "out.svg")))
	assert.Equal(t, 10, strings.Count(string(get(t, dir, "table")), "\n"))
	assert.Empty(t, good(t, dir, "repeats", "one", "--plot", "out.svg").out)
}

func wellFormed(text []byte) error {
	d := xml.NewDecoder(bytes.NewReader(text))
	for {
		if _, err := d.Token(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func TestTopRepeats(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var all []found
	var top topRepeats
	for i := range 200 {
		r := found{0, suffixcl.Repeat{Start: uint32(i), Length: uint32(rng.IntN(9))}}
		all = append(all, r)
		top.add(r, 50)
	}
	slices.SortStableFunc(all, func(a, b found) int { return int(b.Length) - int(a.Length) })
	assert.Equal(t, all[:50], []found(top.sorted()))
}

func TestBins(t *testing.T) {
	for _, n := range []int{1, 7, 100} {
		for _, most := range []int{1, 3, 100} {
			b := newBins(n, most)
			lengths := make([]uint32, n)
			var sum uint64
			for i := range lengths {
				lengths[i] = uint32(i)
				sum += uint64(i)
			}
			b.add(0, lengths[:n/2])
			b.add(n/2, lengths[n/2:])
			require.Equal(t, uint32(n-1), b.longest[len(b.longest)-1])
			for i, s := range b.sum {
				sum -= s
				require.Equal(t, uint32(b.begin(i+1)-1), b.longest[i])
			}
			require.Zero(t, sum)
		}
	}
}

func TestBenchRepeats(t *testing.T) {
	needDevice(t)
	dir := t.TempDir()
	put(t, dir, "text", prose(2000))
	r := good(t, dir, "bench", "repeats", "text", "--sizes", "1000", "--out", "new/out", "--runs", "1", "--sequential")
	for _, title := range []string{"Table 2", "Figure 4", "Table 3", "Table 4", "device bounded", "end to end"} {
		assert.Contains(t, r.out, title)
	}
	assert.Contains(t, r.errors, "text, 1000 characters")
	rows, err := csv.NewReader(bytes.NewReader(get(t, dir, "new/out/figure4.csv"))).ReadAll()
	require.NoError(t, err)
	assert.Len(t, rows, 1+2*(5+6+4))
	assert.NoError(t, wellFormed(get(t, dir, "new/out/figure4-all-text.svg")))
	for _, args := range [][]string{{}, {"text", "--sizes", "many"}} {
		assert.Equal(t, exitUsage, suffixclIn(t, dir, append([]string{"bench", "repeats"}, args...)...).code)
	}
	assert.Equal(t, exitFailed, suffixclIn(t, dir, "bench", "repeats", "missing").code)
}
