package verbs

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/internal/testkit/needed"
)

// ropebwt3Codes is the table of letters of ropebwt3 3.10, a code for each byte: 0 ends a text, 1 to 4 are A, C, G and
// T, and 5 is N.
const ropebwt3Codes = "" +
	"0123455555555555" + "5555555555555555" + "5555555555555555" + "5555555555555555" +
	"5152555355555555" + "5555455555555555" + "5152555355555555" + "5555455555555555" +
	"5555555555555555" + "5555555555555555" + "5555555555555555" + "5555555555555555" +
	"5555555555555555" + "5555555555555555" + "5555555555555555" + "5555555555555555"

// ropebwt3Strand is a text in the letters of ropebwt3, and its other strand. N is Z, which is larger than T.
func ropebwt3Strand(text []byte) (forward, reverse string) {
	a, b := make([]byte, len(text)), make([]byte, len(text))
	for i, c := range text {
		code := ropebwt3Codes[c] - '0'
		a[i], b[len(text)-1-i] = "$ACGTZ"[code], "$TGCAZ"[code]
	}
	return string(a), string(b)
}

// Each byte that a text can hold is the letter that ropebwt3 takes it for, on both strands.
func TestLettersOfRopebwt3(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	check := func(lines [][]byte) {
		clitest.Put(t, dir, "lines", append(bytes.Join(lines, []byte("\n")), '\n'))
		var forward, both []string
		for _, line := range lines {
			a, b := ropebwt3Strand(line)
			forward, both = append(forward, a), append(both, a, b)
		}
		for _, c := range []struct {
			texts []string
			flags []string
		}{{forward, nil}, {both, []string{"--both"}}} {
			args := []string{"bwt", "--set", "--format", "ropebwt3", "--input", "plain", "lines", "-o", "out"}
			clitest.Good(t, dir, append(args, c.flags...)...)
			_, _, _, _, letters := setOf(c.texts...)
			want := strings.NewReplacer("\x00", "\n", "Z", "N").Replace(string(letters))
			require.Equal(t, want, string(clitest.Get(t, dir, "out")), "%q %v", lines, c.flags)
		}
	}
	check([][]byte{[]byte("ACGTUACGT")})
	var lines [][]byte
	for c := 1; c < 256; c++ {
		if c != '\n' {
			lines = append(lines, []byte{'A', byte(c), 'C', 'T', byte(c), 'G'}, []byte{byte(c), 'T'})
		}
	}
	check(lines)
	clitest.Put(t, dir, "zero", []byte("ACGT\nAC\x00GT\n"))
	r := clitest.Run(t, dir, "bwt", "--set", "--format", "ropebwt3", "zero", "-o", "none")
	assert.Equal(t, cli.ExitFailed, r.Code)
	assert.Equal(t, "suffixcl: zero: text 1 holds the byte 0, which ends a text in ropebwt3, at offset 2\n", r.Errors)
	assert.NoFileExists(t, filepath.Join(dir, "none"))
}

// Each byte stands for itself in the files of gsufsort, but 0 and 255, which it does not take, and newlines, which end
// texts. Terminators are 1 in the transform, as a text's own byte 1 is, and 0 is before the first text.
func TestLettersOfGsufsort(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	check := func(file string, texts ...string) {
		clitest.Put(t, dir, "texts", []byte(file))
		clitest.Good(t, dir, "gsa", "texts", "--format", "gsufsort", "--gesa", "--bwt", "-o", "out")
		sa, lcp, da, offsets, letters := setOf(texts...)
		n := uint64(len(sa))
		sa, lcp, da = slices.Insert(sa, 0, n), slices.Insert(lcp, 0, 0), slices.Insert(da, 0, uint64(len(texts)))
		offsets, letters = slices.Insert(offsets, 0, 0), slices.Insert(letters, 0, 0)
		var all []byte
		for j := range sa {
			if letters[j] == 0 && sa[j] != 0 {
				letters[j] = 1
			}
			all = append(append(all, encode(da[j:j+1], 4)...), encode(offsets[j:j+1], 4)...)
			all = append(append(all, encode(lcp[j:j+1], 4)...), letters[j])
		}
		require.Equal(t, letters, clitest.Get(t, dir, "out.bwt"))
		require.Equal(t, all, clitest.Get(t, dir, "out.4.4.4.1.gesa"))
	}
	check(">a\nGATTACA\n>b\nGATT\n", "GATTACA", "GATT")
	var texts []string
	for c := 1; c < 255; c++ {
		if c != '\n' {
			texts = append(texts, string([]byte{'A', byte(c), 'b', byte(c), '~'}), string([]byte{'x', byte(c), 1, 'y'}))
		}
	}
	check(strings.Join(texts, "\n")+"\n", texts...)
}

// fastaLetters are all that a sequence may hold.
const fastaLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz*-."

// writeLetters writes two files of FASTA with stretches in common, whose letters are all that a sequence may hold.
func writeLetters(t *testing.T, dir string) (a, b string) {
	r := rand.New(rand.NewPCG(7, 1))
	stretch := func(letters string, n int) []byte {
		text := make([]byte, n)
		for i := range text {
			text[i] = letters[r.IntN(len(letters))]
		}
		return text
	}
	var common [][]byte
	for i := range len(fastaLetters) {
		c := fastaLetters[i : i+1]
		common = append(common, slices.Concat(stretch("ACGTacgt", 9), []byte(c), stretch("ACGTacgt", 9)))
	}
	common = append(common, stretch(fastaLetters, 40))
	for i, name := range []string{"a.fa", "b.fa"} {
		var file bytes.Buffer
		for k, text := range common {
			if i == 1 {
				text = bytes.ToUpper(text)
			}
			fmt.Fprintf(&file, ">%d\n%s%s%s\n", k, stretch("ACGT", 5), text, stretch(fastaLetters, 12))
		}
		clitest.Put(t, dir, name, file.Bytes())
	}
	return filepath.Join(dir, "a.fa"), filepath.Join(dir, "b.fa")
}

// Every letter of sequences is that which mummer takes it for, on both strands.
func TestLettersOfMummer(t *testing.T) {
	mummer, dir := needed.Program(t, "mummer"), t.TempDir()
	a, b := writeLetters(t, dir)
	for _, options := range []string{
		"-maxmatch -l 4 -b", "-maxmatch -l 4 -b -c -s", "-maxmatch -n -l 4 -b", "-mum -l 5 -b",
	} {
		args := append(strings.Fields(options), a, b)
		want, err := exec.Command(mummer, args...).Output()
		require.NoError(t, err, options)
		got := clitest.Good(t, dir, Arguments(append([]string{"/bin/mummer"}, args...))...)
		require.Equal(t, sortedLines(string(want)), sortedLines(got.Out), options)
	}
}

// The k-mers are jellyfish's, whatever letters there are between them.
func TestLettersOfJellyfish(t *testing.T) {
	jellyfish, dir := needed.Program(t, "jellyfish"), t.TempDir()
	a, _ := writeLetters(t, dir)
	const k = 4
	clitest.Good(t, dir, "mappability", a, "-k", "4", "--both", "--frequency", "--format", "txt", "-o", "m")
	counts := filepath.Join(dir, "counts")
	out, err := exec.Command(jellyfish, "count", "-C", "-m", "4", "-s", "1M", "-o", counts, a).CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.Command(jellyfish, "dump", "-c", counts).Output()
	require.NoError(t, err)
	want := map[string]string{}
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		want[f[0]] = f[1]
	}
	text, err := os.ReadFile(a)
	require.NoError(t, err)
	sequences := strings.Split(string(text), "\n")
	frequencies := strings.Split(string(clitest.Get(t, dir, "m.k4.txt")), "\n")
	require.Len(t, frequencies, len(sequences))
	got := map[string]string{}
	for i, line := range frequencies {
		if strings.HasPrefix(line, ">") {
			continue
		}
		for at, frequency := range strings.Fields(line) {
			if frequency == "0" {
				continue
			}
			word := []byte(strings.ToUpper(sequences[i][at : at+k]))
			other := make([]byte, k)
			for j, c := range word {
				other[k-1-j] = complementBase[c|0x20]
			}
			got[min(string(word), string(other))] = frequency
		}
	}
	require.Equal(t, want, got)
}
