package verbs

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// Package sentencepiece compares pieces and numbers with the definition and with spm_train.
func TestSeeds(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "corpus", []byte("sing a song\nsing  along\n\nrun along\n▅\n"+strings.Repeat("x", 50)+"\n"))
	few := []string{"seeds", "corpus", "--max-sentence-length", "40", "--no-characters"}
	r := clitest.Good(t, dir, append(few, "--size", "3")...)
	assert.Equal(t, "ng\t5\n▁a\t3\n▁s\t3\n", r.Out)
	assert.Contains(t, r.Errors, "1 sentence longer than 40 bytes left out")
	assert.Contains(t, r.Errors, "1 sentence with U+2585 left out")
	r = clitest.Good(t, dir, append(few, "--size", "3", "--fixed", "-q")...)
	assert.Equal(t, "▁along\t2\nalong\t2\nng\t5\n", r.Out)
	clitest.Good(t, dir, append(few, "--max-length", "2", "-o", "out", "--json")...)
	assert.Equal(t, "ng\t5\n▁a\t3\n", firstLines(string(clitest.Get(t, dir, "out")), 2))
	r = clitest.Good(t, dir, "seeds", "corpus", "--max-sentence-length", "40", "--coverage", "1")
	assert.Equal(t, "▁\t7\nn\t6\n", firstLines(r.Out, 2))
	clitest.Put(t, dir, "ready", []byte("▁aＡ\n▁aＡx\n"))
	assert.Equal(t, "▁aＡ\t2\naＡ\t2\n", clitest.Good(t, dir, "seeds", "ready", "--normalization", "normalized",
		"--no-characters", "--coverage", "1").Out)
	clitest.Put(t, dir, "weighted", []byte("sing a song\t3\nsing along\t2\n"))
	r = clitest.Good(t, dir, "seeds", "weighted", "--tsv", "--coverage", "1")
	assert.Equal(t, "▁\t13\ng\t10\nn\t10\ns\t8\na\t5\ni\t5\no\t5\nl\t2\nng\t8\n▁s\t6\n▁a\t4\n", r.Out)
	clitest.Put(t, dir, "symbols", []byte("a<s>bcdx\na<s>bcdy\nbcz\nbcw\n"))
	symbols := []string{"seeds", "symbols", "--no-characters", "--coverage", "1"}
	assert.Equal(t, "bc\t4\nbcd\t2\n▁bc\t2\ncd\t2\n", clitest.Good(t, dir, symbols...).Out)
	symbols = append(symbols, "--control-symbols", "<mask>,d")
	assert.Equal(t, "bc\t4\n▁bc\t2\n", clitest.Good(t, dir, symbols...).Out)
	assert.Empty(t, clitest.Good(t, dir, append(symbols, "--user-defined-symbols", "c")...).Out)
	clitest.Put(t, dir, "nothing", nil)
	assert.Empty(t, clitest.Good(t, dir, "seeds", "nothing").Out)
	assert.Contains(t, clitest.Good(t, dir, "plan", "seeds", "corpus", "--long").Out, "limits")
}

func firstLines(text string, n int) string {
	return strings.Join(strings.SplitAfter(text, "\n")[:n], "")
}

func TestSeedErrors(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "corpus", []byte("good\nbad \xff\n"))
	clitest.Put(t, dir, "out", []byte("old"))
	r := clitest.Run(t, dir, "seeds", "corpus", "-o", "out")
	assert.Equal(t, cli.ExitFailed, r.Code)
	assert.Equal(t, "suffixcl: corpus: line 2, byte 9 of the text: invalid UTF-8\n", r.Errors)
	clitest.Put(t, dir, "corpus", []byte("good\t1\nbad\t0\n"))
	r = clitest.Run(t, dir, "seeds", "corpus", "--tsv", "-o", "out")
	assert.Equal(t, cli.ExitFailed, r.Code)
	assert.Equal(t, "suffixcl: corpus: line 2, byte 7 of the text: wanted: a sentence, a tab, and how often it occurs\n",
		r.Errors)
	clitest.Put(t, dir, "corpus", []byte("many\t1\nmany\t1000000000000000000\n"))
	r = clitest.Run(t, dir, "seeds", "corpus", "--tsv", "-o", "out")
	assert.Equal(t, "suffixcl: corpus: line 2, byte 7 of the text: the sentences occur too often together\n", r.Errors)
	clitest.Put(t, dir, "corpus", []byte(strings.Repeat("some words\n", 1000)))
	r = clitest.Run(t, dir, "seeds", "corpus", "-o", "out", "--max-mem", "1000")
	assert.Equal(t, cli.ExitMemory, r.Code)
	r = clitest.Run(t, dir, "seeds", "corpus", "-o", "corpus")
	assert.Equal(t, cli.ExitFailed, r.Code)
	assert.Contains(t, r.Errors, "it is the same file as corpus")
	assert.Equal(t, []byte("old"), clitest.Get(t, dir, "out"))
	assert.Len(t, clitest.Files(t, dir), 2)
	for args, want := range map[string]string{
		"seeds":                                "CORPUS is missing",
		"seeds corpus --size 0":                "--size: want 1 or more",
		"seeds corpus --max-length 128":        "--max-length: want 2 to 127",
		"seeds corpus --coverage 0":            "--coverage",
		"seeds corpus --max-sentence-length 0": "want 1 or more",
		"seeds corpus --control-symbols a,,b":  "--control-symbols: a member of the list is empty",
		"seeds corpus --normalization nfd":     "must be one of nmt_nfkc, nfkc, identity, normalized",
	} {
		r := clitest.Run(t, dir, strings.Fields(args)...)
		assert.Equal(t, cli.ExitUsage, r.Code, args)
		assert.Contains(t, r.Errors, want, args)
	}
	if _, err := os.Stat("/dev/full"); err == nil {
		r := clitest.Run(t, dir, "seeds", "corpus", "-o", "/dev/full")
		assert.Equal(t, cli.ExitFailed, r.Code)
		assert.Contains(t, r.Errors, "no space left on device")
	}
}
