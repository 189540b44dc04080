package differential

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRandomIsDeterministic(t *testing.T) {
	for _, verb := range Verbs() {
		different := false
		for i := range uint64(20) {
			c := Random(verb, 7, i)
			assert.Equal(t, c, Random(verb, 7, i))
			different = different || !assert.ObjectsAreEqual(c, Random(verb, 8, i))
		}
		assert.True(t, different, verb)
	}
}

// A command that does nothing, and says that all is well, is found out, whatever the verb.
func TestNothingIsWrong(t *testing.T) {
	for _, verb := range Verbs() {
		found := 0
		for i := range uint64(40) {
			var wrong *Wrong
			if errors.As(Check(Random(verb, 1, i), func(string, []string) Result { return Result{} }), &wrong) {
				found++
			}
		}
		if verb == "plan" { // two exit codes are compared
			assert.Zero(t, found)
		} else {
			assert.Positive(t, found, verb)
		}
	}
	agree := 0
	disagreeing := func(string, []string) Result { agree += 2; return Result{Code: agree % 4} } // 2, 0, 2, 0, ...
	assert.Error(t, Check(Random("plan", 1, 0), disagreeing))
}

// Each verb has texts of which something is found: an oracle of nothing would judge nothing.
func TestOracles(t *testing.T) {
	text := func(format Format, texts ...string) Input {
		in := Input{Name: "text", Format: format}
		for _, s := range texts {
			in.Texts = append(in.Texts, []byte(s))
		}
		return in
	}
	with := func(in Input, flags ...Flag) *Case { return &Case{Inputs: []Input{in}, Flags: flags} }

	c := with(text(Bytes, "banana"))
	o := c.ordered(c.text())
	sa := o.suffixes()
	assert.Equal(t, []int{5, 3, 1, 0, 4, 2}, sa)
	assert.Equal(t, []int{0, 1, 3, 0, 0, 2}, o.common(sa))
	symbols, primary := o.transform(sa)
	assert.Equal(t, "annbaa", string(array(symbols, 1)))
	assert.Equal(t, 4, primary)

	c = with(text(Bytes, "banana"), Flag{Name: "order", Value: "end-largest"})
	assert.Equal(t, []int{1, 3, 5, 0, 2, 4}, c.ordered(c.text()).suffixes())
	assert.Equal(t, "1\t1\t3\n2\t1\t3\n3\t1\t3\n4\t3\t3\n5\t3\t3\n", with(text(Bytes, "xanana")).repeatLines())

	lines := with(text(Bytes, "banana")).chosen()
	assert.Contains(t, lines, "3\t2\t1\tana")
	assert.Contains(t, lines, "1\t3\t1\ta")
	assert.Contains(t, lines, "2\t2\t1\tna")
	assert.Len(t, lines, 3)

	set := setFiles(with(text(Lines, "GATTACA", "GATT"), Flag{Name: "format", Value: "gsufsort"}, Flag{Name: "bwt"}))
	assert.Equal(t, "\x01ATCTGGA\x01\x00TTAA", string(set["out.bwt"]))

	match := with(text(FASTA, "ACGTA"), Flag{Name: "dna"}, Flag{Name: "both"})
	match.Inputs = append(match.Inputs, Input{Name: "patterns", Format: Lines, Texts: [][]byte{[]byte("ac"), []byte("N")}})
	assert.Equal(t, "ac\tr0:0\t+\nac\tr0:2\t-\n", match.places("text"))
	assert.Equal(t, "ac\t1\t1\nN\t0\t0\n", match.counts())

	mappable := with(text(FASTA, "ACGTNAC"), Flag{Name: "both"})
	assert.Equal(t, [][]int{{3, 1, 3, 0, 0, 3, 0}}, mappable.frequencies(2))

	duplicates := with(text(Bytes, "x\n\n\ny\n\n\nz"), Flag{Name: "separator", Value: `\x0a`},
		Flag{Name: "min-length", Value: "2"})
	assert.NotContains(t, duplicates.removed(), true) // empty documents are no duplicates
	duplicates.Inputs[0] = text(Bytes, "abc\nabc")
	assert.Equal(t, [][2]int{{0, 3}, {4, 7}}, rangesOf(duplicates.removed()))
}

// A case is made as small as can be, and its flags go that make no difference.
func TestShrink(t *testing.T) {
	run := func(dir string, args []string) Result { // wrong where a text has a q
		text, err := os.ReadFile(filepath.Join(dir, "text"))
		require.NoError(t, err)
		c := &Case{Inputs: []Input{{Name: "text", Texts: [][]byte{text}}}}
		sa := c.ordered(text).suffixes()
		if bytes.IndexByte(text, 'q') >= 0 {
			sa[0]++
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, "out"), array(sa, 4), 0o666))
		return Result{}
	}
	c := &Case{Verb: "sa", Inputs: []Input{{Name: "text", Texts: [][]byte{[]byte("the quick brown fox jumps")}}},
		Flags: []Flag{{Name: "algorithm", Value: "sais"}, {Name: "input", Value: "plain", Stays: true}}}
	var wrong *Wrong
	require.ErrorAs(t, Check(c, run), &wrong)
	small := Shrink(wrong, run, time.Minute)
	assert.Equal(t, "printf 'q' >text && suffixcl sa text -o out --input plain", small.Shell)

	c.Inputs[0].Texts[0] = []byte("the brown fox")
	assert.NoError(t, Check(c, run))
}

// A shell makes the files of a case.
func TestShell(t *testing.T) {
	dir := t.TempDir()
	files := []File{{"all", []byte(allBytes)},
		{"in/side", []byte("-n 100% 'sure'\\")}, {"empty", nil}, {"long", counted(70_001)}}
	c := exec.Command("sh", "-c", shell(files, nil))
	c.Dir = dir
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(dir, f.Name))
		require.NoError(t, err)
		assert.True(t, bytes.Equal(f.Data, data), "%s: %q", f.Name, data)
	}
	for _, arg := range []string{"", "plain", "two words", "it's", "tab\tand \x01", `\xff`} {
		out, err := exec.Command("sh", "-c", "printf %s "+word(arg)).Output()
		require.NoError(t, err)
		assert.Equal(t, arg, string(out))
	}
}
