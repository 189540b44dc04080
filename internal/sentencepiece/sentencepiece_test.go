package sentencepiece_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"github.com/suffixcl/suffixcl/internal/sentencepiece"
	"github.com/suffixcl/suffixcl/internal/testkit/needed"
)

func ExampleRead() {
	corpus, err := sentencepiece.Read(context.Background(), []byte("Ｆｕｌｌ  width\n\nﬁve\tﬁsh \n"), sentencepiece.Options{
		Coverage: 1,
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(strings.ReplaceAll(text(corpus.Symbols), "\x00", "|"), corpus.Sentences, corpus.Empty)
	fmt.Println(corpus.Characters[:3])
	// Output:
	// ▁Full▁width|▁five▁fish| 2 1
	// [{▁ 4} {i 3} {f 2}]
}

// Every place allows exactly the pieces that the rules allow.
func TestLimits(t *testing.T) {
	alphabet := []rune("ab1２ ж漢あー\u0301.▅　٣") // letters of scripts, digits, an inherited one, a space
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		var b strings.Builder
		for range 1 + rng.IntN(60) {
			b.WriteRune(alphabet[rng.IntN(len(alphabet))])
			if rng.IntN(9) == 0 {
				b.WriteByte('\n')
			}
		}
		c, err := sentencepiece.Read(t.Context(), []byte(b.String()),
			sentencepiece.Options{Normalization: sentencepiece.Normalized, Coverage: []float64{1, 0.8}[round%2]})
		require.NoError(t, err)
		rules := sentencepiece.Rules{MaxLength: []int{0, 1, 3, 127}[round%4], MixScripts: rng.IntN(4) == 0,
			MixNumbers: rng.IntN(2) == 0, SplitDigits: rng.IntN(3) == 0, Fixed: rng.IntN(2) == 0}
		longest, err := c.Limits(t.Context(), rules)
		require.NoError(t, err)
		for i := range c.Symbols {
			most := 0
			for most < len(c.Symbols)-i && valid(c.Symbols[i:i+most+1], rules) {
				most++
			}
			ends := most > 0 && i+most < len(c.Symbols) && c.Symbols[i+most] == sentencepiece.Boundary
			want := uint8(most)
			if ends && rules.Fixed {
				want += 128
			}
			require.Equal(t, want, longest[i], "%q at %d, %+v", text(c.Symbols), i, rules)
		}
	}
}

// A text of several parts is the sum of them.
func TestParts(t *testing.T) {
	line := "один two 三つ\n"
	const lines = 1 << 17
	c, err := sentencepiece.Read(t.Context(), bytes.Repeat([]byte(line), lines), sentencepiece.Options{Coverage: 1})
	require.NoError(t, err)
	once, err := sentencepiece.Read(t.Context(), []byte(line), sentencepiece.Options{Coverage: 1})
	require.NoError(t, err)
	assert.Equal(t, lines, c.Sentences)
	require.Len(t, c.Symbols, lines*len(once.Symbols))
	for i, s := range c.Symbols {
		if s != once.Symbols[i%len(once.Symbols)] {
			t.Fatalf("symbol %d is %q", i, rune(s))
		}
	}
	for i, s := range once.Characters {
		assert.Equal(t, sentencepiece.Seed{Piece: s.Piece, Frequency: s.Frequency * lines}, c.Characters[i])
	}
}

func TestErrors(t *testing.T) {
	corpus := bytes.Repeat([]byte("a line\n"), 400_000)
	corpus[2_000_003], corpus[1_500_003] = 0xFF, 0xC3
	_, err := sentencepiece.Read(t.Context(), corpus, sentencepiece.Options{})
	var wrong *sentencepiece.Error
	require.ErrorAs(t, err, &wrong)
	assert.Equal(t, sentencepiece.Error{Line: 1_500_003/7 + 1, Offset: 1_500_003, Why: "invalid UTF-8"}, *wrong)

	_, err = sentencepiece.Read(t.Context(), nil, sentencepiece.Options{Coverage: 2})
	assert.ErrorContains(t, err, "coverage 2")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = sentencepiece.Read(ctx, []byte("a\n"), sentencepiece.Options{})
	assert.ErrorIs(t, err, context.Canceled)

	c, err := sentencepiece.Read(t.Context(), nil, sentencepiece.Options{})
	require.NoError(t, err)
	assert.Empty(t, c.Symbols)
	_, err = c.Limits(t.Context(), sentencepiece.Rules{MaxLength: 128})
	assert.ErrorContains(t, err, "1 to 127")
	_, err = sentencepiece.ParseNormalization("nfd")
	assert.ErrorContains(t, err, "nmt_nfkc nfkc identity normalized")
}

// The rules of normalisation are those of spm_normalize, each of them, but for its order of combining marks.
func TestNormalization(t *testing.T) {
	program := needed.Program(t, "spm_normalize")
	for _, rule := range []sentencepiece.Normalization{sentencepiece.NMTNFKC, sentencepiece.NFKC} {
		c := exec.CommandContext(t.Context(), program, "--decompile", "--normalization_rule_name="+rule.String())
		rules, err := c.Output()
		require.NoError(t, err)
		var before, after strings.Builder
		count := 0
		lines := bufio.NewScanner(bytes.NewReader(rules))
		for ; lines.Scan(); count++ {
			cells := strings.Split(lines.Text(), "\t")
			from, to := characters(t, cells[0]), characters(t, cells[1])
			if strings.Contains(from, "\n") {
				continue
			}
			before.WriteString("[" + from + "]\n") // <s> is a symbol
			after.WriteString(strings.ReplaceAll("["+to+"]", " ", "▁") + "\n")
		}
		require.Greater(t, count, 200_000)
		o := sentencepiece.Options{Normalization: rule, Coverage: 1}
		got, err := sentencepiece.Read(t.Context(), []byte(before.String()), o)
		require.NoError(t, err)
		sentences := strings.Split(text(got.Symbols), "\x00")
		for i, want := range strings.Split(strings.TrimSpace(after.String()), "\n") {
			for strings.Contains(want, "▁▁") {
				want = strings.ReplaceAll(want, "▁▁", "▁")
			}
			require.Equal(t, "▁"+want, sentences[i], "%v, rule %d", rule, i)
		}
	}
	assert.NotEqual(t, "q\u0307\u0323", norm.NFKC.String("q\u0307\u0323"), "which spm_normalize leaves in this order")
}

// characters are those of numbers.
func characters(t *testing.T, numbers string) string {
	var b strings.Builder
	for _, number := range strings.Fields(numbers) {
		r, err := strconv.ParseUint(number, 16, 32)
		require.NoError(t, err)
		b.WriteRune(rune(r))
	}
	return b.String()
}

// FuzzRead: a text of any bytes is refused with the place where it is no UTF-8, or becomes sentences. No limit reaches
// over a boundary.
func FuzzRead(f *testing.F) {
	f.Add([]byte("a b\n\nｃ\u0301 ▅\r\n"), uint8(0))
	f.Add([]byte("\xff\n"), uint8(1))
	f.Add([]byte("\x00\n～\u200b"), uint8(2))
	f.Add([]byte("a<s>\t3\n▁</s> <unk>\t9\n"), uint8(6))
	f.Fuzz(func(t *testing.T, data []byte, rule uint8) {
		o := sentencepiece.Options{Normalization: sentencepiece.Normalization(rule % 4), Coverage: 1, Weighted: rule&4 > 0}
		c, err := sentencepiece.Read(t.Context(), data, o)
		if !utf8.Valid(data) {
			var wrong *sentencepiece.Error
			require.ErrorAs(t, err, &wrong)
			if !o.Weighted { // else lines may be wrong before
				require.False(t, utf8.FullRune(data[wrong.Offset:]) && utf8.Valid(data[:wrong.Offset+1]))
			}
			return
		}
		if o.Weighted && err != nil {
			require.ErrorContains(t, err, "occur")
			return
		}
		require.NoError(t, err)
		copies := 1
		if o.Weighted {
			copies = 2
		}
		require.Equal(t, copies*c.Sentences, strings.Count(text(c.Symbols), "\x00"))
		longest, err := c.Limits(t.Context(), sentencepiece.Rules{Fixed: rule > 7})
		require.NoError(t, err)
		for i, most := range longest {
			piece := c.Symbols[i : i+int(most&127)]
			require.NotContains(t, piece, uint32(sentencepiece.Boundary))
			require.NotContains(t, piece, uint32(sentencepiece.Unknown))
		}
	})
}
