package verbs

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// symbolsOf are the big-endian codes of a file's symbols, which compare as these do.
func symbolsOf(file []byte, width int) [][]byte {
	var symbols [][]byte
	for at := 0; at < len(file); at += width {
		symbol := slices.Clone(file[at : at+width])
		slices.Reverse(symbol)
		symbols = append(symbols, symbol)
	}
	return symbols
}

func TestSymbols(t *testing.T) {
	clitest.NeedDevice(t)
	text := clitest.Prose(4000)
	for symbols, width := range map[string]int{"u16": 2, "u32": 4} {
		t.Run(symbols, func(t *testing.T) {
			dir := t.TempDir()
			clitest.Put(t, dir, "text", text)
			clitest.Good(t, dir, "sa", "text", "-o", "sa", "--symbols", symbols)
			clitest.Good(t, dir, "lcp", "text", "-o", "lcp", "--symbols", symbols)
			clitest.Good(t, dir, "bwt", "text", "-o", "bwt", "--symbols", symbols)

			coded := symbolsOf(text, width)
			sa := make([]uint64, len(coded))
			for i := range sa {
				sa[i] = uint64(i)
			}
			slices.SortFunc(sa, func(a, b uint64) int { return slices.CompareFunc(coded[a:], coded[b:], bytes.Compare) })
			assert.Equal(t, encode(sa, 4), clitest.Get(t, dir, "sa"))
			transform := slices.Clone(text[len(text)-width:])
			for _, suffix := range sa {
				if suffix > 0 {
					transform = append(transform, text[(int(suffix)-1)*width:int(suffix)*width]...)
				}
			}
			assert.Equal(t, transform, clitest.Get(t, dir, "bwt"))
			clitest.Good(t, dir, "unbwt", "bwt", "-o", "again", "--symbols", symbols)
			assert.Equal(t, text, clitest.Get(t, dir, "again"))
			lengths := clitest.Get(t, dir, "lcp")
			for j := 1; j < len(sa); j++ {
				a, b, h := coded[sa[j-1]:], coded[sa[j]:], 0
				for h < min(len(a), len(b)) && bytes.Equal(a[h], b[h]) {
					h++
				}
				if h != int(binary.LittleEndian.Uint32(lengths[4*j:])) {
					t.Fatalf("slot %d of the LCP array is not %d", j, h)
				}
			}

			clitest.Good(t, dir, "lcp", "text", "--sa", "sa", "-o", "of", "--symbols", symbols)
			assert.Equal(t, lengths, clitest.Get(t, dir, "of"))
			clitest.Good(t, dir, "plan", "lcp", "text", "--sa", "sa", "-o", "of", "--symbols", symbols)

			r := clitest.Good(t, dir, "verify", "text", "sa", "--bwt", "bwt", "--lcp", "lcp", "--symbols", symbols, "--quiet")
			assert.Contains(t, r.Out, "OK: sa is the suffix array, bwt the Burrows-Wheeler transform and lcp the LCP array")
			clitest.Put(t, dir, "lcp", make([]byte, len(lengths)))
			r = clitest.Run(t, dir, "lcp", "text", "--sa", "lcp", "-o", "of", "--symbols", symbols)
			assert.Equal(t, cli.ExitVerify, r.Code)
			r = clitest.Run(t, dir, "verify", "text", "sa", "--lcp", "lcp", "--symbols", symbols)
			assert.Equal(t, cli.ExitVerify, r.Code)
		})
	}
}

// Symbols that are not whole, and flags for bytes, are refused.
func TestWrongSymbols(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "odd", clitest.Prose(1002))
	clitest.Put(t, dir, "empty", nil)
	for _, args := range [][]string{
		{"sa", "odd", "-o", "out"}, {"plan", "sa", "odd"}, {"bwt", "odd", "-o", "out"},
		{"lcp", "odd", "-o", "out", "--sa", "sa"},
	} {
		r := clitest.Run(t, dir, append(args, "--symbols", "u32")...)
		assert.Equal(t, cli.ExitFailed, r.Code)
		assert.Contains(t, r.Errors, "odd: its size is no multiple of a symbol: 1002 bytes, 4 a symbol")
	}
	for _, args := range [][]string{
		{"sa", "odd", "-o", "out", "--symbols", "u24"},
		{"sa", "odd", "-o", "out", "--symbols", "u16", "--input", "fasta"},
	} {
		assert.Equal(t, cli.ExitUsage, clitest.Run(t, dir, args...).Code, "%v", args)
	}
	for _, args := range []string{"sa odd -o out", "bwt odd -o out", "repeats odd", "index odd -o out", "plan sa odd"} {
		verb := strings.TrimSuffix(strings.TrimSuffix(args, " -o out"), " odd")
		r := clitest.Run(t, dir, append(strings.Fields(args), "--symbols", "u16", "--algorithm", "skew")...)
		assert.Equal(t, cli.ExitUsage, r.Code, args)
		assert.Equal(t, "suffixcl: skew sorts texts of bytes only; texts of symbols: [suffixsort sais] (see suffixcl "+
			verb+" --help)\n", r.Errors, args)
	}
	clitest.Good(t, dir, "sa", "empty", "-o", "out", "--symbols", "u16")
	assert.Empty(t, clitest.Get(t, dir, "out"))
	for _, verb := range []string{"sa", "lcp", "bwt", "unbwt", "verify"} {
		r := clitest.Good(t, dir, "plan", verb, "odd", "--symbols", "u16")
		assert.Contains(t, r.Out, "\nfits\n")
	}
}

// tokensOf is a text in which symbols repeat, and a file of them.
func tokensOf(n, width int) (symbols []uint64, file []byte) {
	prose := clitest.Prose(n)
	for _, c := range prose {
		symbol := uint64(c)<<(8*width-8) | 7
		symbols = append(symbols, symbol)
		file = append(file, binary.LittleEndian.AppendUint64(nil, symbol)[:width]...)
	}
	return symbols, file
}

// Repeats, intervals and occurrences of symbols are those of the bytes that they are made of.
func TestJobsOnSymbols(t *testing.T) {
	clitest.NeedDevice(t)
	for symbols, width := range map[string]int{"u16": 2, "u32": 4} {
		t.Run(symbols, func(t *testing.T) {
			dir := t.TempDir()
			tokens, file := tokensOf(1500, width)
			clitest.Put(t, dir, "text", clitest.Prose(1500))
			clitest.Put(t, dir, "tokens", file)
			number := func(i int) string { return strconv.FormatUint(tokens[i], 10) }
			both := func(verb string, args ...string) (plain, coded string) {
				plain = clitest.Good(t, dir, append([]string{verb, "text", "--input", "plain", "-q"}, args...)...).Out
				coded = clitest.Good(t, dir, append([]string{verb, "tokens", "-q", "--symbols", symbols}, args...)...).Out
				return plain, coded
			}
			plain, coded := both("repeats", "--min-length", "3")
			assert.NotEmpty(t, plain)
			assert.Equal(t, plain, coded)
			plain, coded = both("repeats", "--all", "--top", "20")
			assert.Equal(t, plain, coded)

			plain, coded = both("intervals", "--min-depth", "2", "--maximal")
			rows, want := strings.Split(coded, "\n"), strings.Split(plain, "\n")
			assert.Len(t, rows, len(want))
			for i, row := range want {
				if row == "" {
					continue
				}
				columns, got := strings.Split(row, "\t"), strings.Split(rows[i], "\t")
				assert.Equal(t, columns[:4], got[:4])
				at, err := strconv.Atoi(columns[3])
				assert.NoError(t, err)
				depth, err := strconv.Atoi(columns[0])
				assert.NoError(t, err)
				var numbers []string
				for k := at; k < at+depth; k++ {
					numbers = append(numbers, number(k))
				}
				assert.Equal(t, strings.Join(numbers, " "), got[4])
			}

			queries, lines := "", ""
			for _, at := range []int{3, 100, 1490} {
				query := number(at) + " " + number(at+1) + " " + number(at+2)
				queries += query + "\r\n"
				for _, i := range occurrencesOf(tokens, tokens[at:at+3]) {
					lines += query + "\t" + strconv.Itoa(i) + "\n"
				}
			}
			clitest.Put(t, dir, "queries", []byte(queries+"\n5\n"))
			r := clitest.Good(t, dir, "match", "tokens", "queries", "--symbols", symbols, "-q")
			assert.Equal(t, lines, r.Out)
			clitest.Good(t, dir, "sa", "tokens", "-o", "sa", "--symbols", symbols)
			r = clitest.Good(t, dir, "match", "tokens", "queries", "--symbols", symbols, "-q", "--sa", "sa")
			assert.Equal(t, lines, r.Out)
			r = clitest.Good(t, dir, "match", "tokens", "queries", "--symbols", symbols, "-q", "--format", "bed")
			assert.Contains(t, r.Out, "tokens\t3\t6\t")

			indexSymbols(t, dir, symbols, lines, number(3)+" "+number(4))
			clitest.Put(t, dir, "wrong", []byte("1 2\n3 x\n"))
			r = clitest.Run(t, dir, "match", "tokens", "wrong", "--symbols", symbols)
			assert.Equal(t, cli.ExitFailed, r.Code)
			assert.Contains(t, r.Errors, `line 2: "x" is no symbol of `)
			clitest.Put(t, dir, "odd", file[:len(file)-1])
			for _, verb := range []string{"repeats", "intervals", "index"} {
				out := []string{"-o", filepath.Join(t.TempDir(), "out")}
				for _, args := range [][]string{{verb, "odd"}, {"plan", verb, "odd"}} {
					args = append(args, out...)
					r = clitest.Run(t, dir, append(args, "--symbols", symbols)...)
					assert.Equal(t, cli.ExitFailed, r.Code)
					assert.Contains(t, r.Errors, "odd: its size is no multiple of a symbol")
				}
				clitest.Good(t, dir, append([]string{"plan", verb, "tokens", "--symbols", symbols}, out...)...)
			}
			clitest.Good(t, dir, "plan", "match", "tokens", "--symbols", symbols)
			for _, args := range [][]string{{"repeats", "tokens", "--dna"}, {"intervals", "tokens", "--lines"},
				{"match", "tokens", "queries", "--queries", "fasta"}, {"repeats", "tokens", "--input", "fasta"},
				{"index", "tokens", "-o", "out", "--dna"}, {"index", "tokens", "-o", "out", "--input", "fasta"}} {
				r = clitest.Run(t, dir, append(args, "--symbols", symbols)...)
				assert.Equal(t, cli.ExitUsage, r.Code, args)
			}
		})
	}
}

// codedOnce runs the command, which must succeed, and write symbols in the digits of an index once.
func codedOnce(t *testing.T, dir string, args ...string) clitest.Result {
	line := t.TempDir()
	c := clitest.Command(dir, args...)
	c.Env = append(os.Environ(), cli.TimelineVariable+"="+line)
	r := clitest.Finish(t, c)
	require.Equal(t, cli.ExitDone, r.Code, r.Errors)
	files, err := filepath.Glob(filepath.Join(line, "*"))
	require.NoError(t, err)
	coded := 0
	for _, name := range files {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		coded += strings.Count(string(data), `"code symbols"`)
	}
	assert.Equal(t, 1, coded, args)
	return r
}

// indexSymbols makes an index of tokens, in which count and locate find what match does. An index of other symbols than
// are asked for is an error.
func indexSymbols(t *testing.T, dir, symbols, lines, pattern string) {
	args := []string{"index", "tokens", "-o", "tokens.fmi", "--symbols", symbols, "--sample", "4"}
	codedOnce(t, dir, append(args, "-q")...)
	var p verb.PlanReport
	r := codedOnce(t, dir, slices.Concat([]string{"plan"}, args, []string{"--json"})...)
	require.NoError(t, json.Unmarshal([]byte(r.Out), &p))
	assert.EqualValues(t, len(clitest.Get(t, dir, "tokens.fmi")), p.Result)
	r = clitest.Good(t, dir, "locate", "tokens.fmi", "--patterns", "queries", "-q", "--symbols", symbols)
	assert.Equal(t, lines, r.Out)
	r = clitest.Good(t, dir, "count", "tokens.fmi", pattern, "5", "-q")
	assert.Regexp(t, "^"+pattern+"\t[1-9][0-9]*\n5\t0\n$", r.Out)
	if symbols == "u32" {
		return // the rest is as that of the other width
	}
	clitest.Good(t, dir, "plan", "count", "tokens.fmi", "--symbols", symbols)
	for _, c := range []struct {
		args []string
		code int
		why  string
	}{
		{[]string{"count", "tokens.fmi", "5", "--symbols", "u32"}, cli.ExitFailed,
			"tokens.fmi: an index of symbols of 2 bytes, and --symbols u32"},
		{[]string{"plan", "locate", "tokens.fmi", "--symbols", "u8"}, cli.ExitFailed, "and --symbols u8"},
		{[]string{"count", "tokens.fmi", "5", "x"}, cli.ExitFailed, `"x" is no symbol of `},
		{[]string{"count", "tokens.fmi", "--patterns", "queries", "--queries", "fasta"}, cli.ExitUsage,
			"--queries fasta is for indexes of bytes"},
	} {
		r := clitest.Run(t, dir, c.args...)
		assert.Equal(t, c.code, r.Code, c.args)
		assert.Contains(t, r.Errors, c.why, c.args)
	}
}

// occurrencesOf are the positions of a pattern.
func occurrencesOf(text, pattern []uint64) (positions []int) {
	for i := 0; i+len(pattern) <= len(text); i++ {
		if slices.Equal(text[i:i+len(pattern)], pattern) {
			positions = append(positions, i)
		}
	}
	return positions
}
