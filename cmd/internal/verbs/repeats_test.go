package verbs

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

func TestRepeats(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "text", []byte("mississippi"))
	assert.Equal(t, "1\t1\t4\n2\t1\t4\n3\t1\t4\n4\t1\t4\n5\t4\t4\n6\t4\t4\n7\t4\t4\n8\t8\t1\n9\t9\t1\n10\t10\t1\n",
		clitest.Good(t, dir, "repeats", "text").Out)
	assert.Equal(t, "1\t1\t4\n2\t1\t4\n3\t1\t4\n4\t1\t4\n4\t4\t4\n5\t4\t4\n6\t4\t4\n7\t4\t4\n",
		clitest.Good(t, dir, "repeats", "text", "--all", "--min-length", "4").Out)
	assert.Equal(t, "text\t1\t5\trepeat\t4\ntext\t4\t8\trepeat\t4\n",
		clitest.Good(t, dir, "repeats", "text", "--format", "bed", "--min-length", "2").Out)
	assert.Equal(t, "1\t4\n4\t4\n8\t1\n", clitest.Good(t, dir, "repeats", "text", "--top", "3").Out)
	assert.Empty(t, clitest.Good(t, dir, "repeats", "text", "--min-length", "12").Out)
	clitest.Put(t, dir, "none", []byte("abcdef"))
	clitest.Put(t, dir, "empty", nil)
	clitest.Put(t, dir, "one", []byte("a"))
	for _, name := range []string{"none", "empty", "one"} {
		assert.Empty(t, clitest.Good(t, dir, "repeats", name, "--all").Out)
	}

	clitest.Put(t, dir, "fa", []byte(">a x\nACGTTTACG\n>b\nTTTACGGG\n"))
	assert.Equal(t, "a\t3\t6\nb\t0\t6\na\t0\t3\nb\t5\t2\nb\t6\t2\n",
		clitest.Good(t, dir, "repeats", "fa", "--input", "auto", "--all", "--top", "9").Out)
	assert.Equal(t, "a\t0\t4\trepeat\t4\na\t3\t9\trepeat\t6\nb\t0\t6\trepeat\t6\n",
		clitest.Good(t, dir, "repeats", "fa", "--input", "fasta", "--both", "--min-length", "3", "--format", "bed").Out)
	r := clitest.Run(t, dir, "repeats", "text", "--both")
	assert.Equal(t, cli.ExitFailed, r.Code)
	assert.Equal(t, "suffixcl: text: position 1: 'i' is no nucleotide, and has no complement\n", r.Errors)
	clitest.Put(t, dir, "bad.fa", []byte(">a x\nACG\n>b\nTT\nT*A\n"))
	r = clitest.Run(t, dir, "repeats", "bad.fa", "--both")
	assert.Equal(t, cli.ExitFailed, r.Code)
	assert.Equal(t, "suffixcl: bad.fa: position 3 of b: '*' is no nucleotide, and has no complement\n", r.Errors)

	before := clitest.Files(t, dir)
	if _, err := os.Stat("/dev/full"); err == nil {
		r := clitest.Run(t, dir, "repeats", "text", "-o", "/dev/full")
		assert.Equal(t, cli.ExitFailed, r.Code)
		assert.Contains(t, r.Errors, "cannot write /dev/full: no space left")
	}
	r = clitest.Run(t, dir, "repeats", "text", "-o", "out", "--max-mem", "100")
	assert.Equal(t, cli.ExitMemory, r.Code)
	assert.Equal(t, before, clitest.Files(t, dir))

	r = clitest.Good(t, dir, "repeats", "text", "-o", "table")
	assert.Empty(t, r.Out)
	assert.Equal(t, 10, strings.Count(string(clitest.Get(t, dir, "table")), "\n"))
}

func TestTopRepeats(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var all []recordRepeat
	var top topRepeats
	for i := range 200 {
		r := recordRepeat{Repeat: suffixcl.Repeat{Start: uint32(i), Length: uint32(rng.IntN(9))}}
		all = append(all, r)
		top.add(r, 50)
	}
	slices.SortStableFunc(all, func(a, b recordRepeat) int { return int(b.Length) - int(a.Length) })
	assert.Equal(t, all[:50], []recordRepeat(top.sorted()))
}
