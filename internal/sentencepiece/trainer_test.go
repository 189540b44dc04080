package sentencepiece_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/sentencepiece"
	"github.com/suffixcl/suffixcl/internal/testkit/needed"
)

// words of five scripts, and one without spaces.
var words = map[string]string{
	"Latin": "the river runs past our house and under an old bridge café naïve 42 1914 mill-stone's e-mail; Ærøskøbing " +
		"running runner ran rain rains raining",
	"Cyrillic": "река течёт мимо нашего дома и под старым мостом вода водой водяной 1812 год годы года №7 — потом",
	"Arabic":   "النهر يجري قرب بيتنا وتحت جسر قديم الماء مياه ١٢٣ كتاب كتب مكتبة، كاتب",
	"Devanagari": "नदी हमारे घर के पास से बहती है और पुराने पुल के नीचे पानी १२ किताब किताबें लिखना लिखता है। ज़मीन " +
		"क्षेत्र",
	"Hangul":   "강은 우리 집 옆을 지나 오래된 다리 밑으로 흐른다 물 물가 물결 3월 책 책상 책장. 각",
	"Japanese": "川は家のそばを流れて、古い橋の下をくぐる。コーヒー㌔ﾊﾝｶｸ東京タワー２０２６年㍻～そして々",
}

// sentences are made of the words of a script.
func sentences(script string, count int) string {
	rng := rand.New(rand.NewPCG(1, uint64(len(script))))
	var b strings.Builder
	pieces, joint := strings.Fields(words[script]), " "
	if script == "Japanese" {
		joint, pieces = "", nil
		for _, r := range words[script] {
			pieces = append(pieces, string(r))
		}
	}
	for range count {
		at := rng.IntN(len(pieces))
		for range rng.IntN(9) {
			if rng.IntN(4) == 0 {
				at = rng.IntN(len(pieces))
			}
			b.WriteString(pieces[at%len(pieces)] + joint)
			at++
		}
		b.WriteString([]string{"\n", "\n", "\n", " \t\n", ".\u200b\n", "\r\n"}[rng.IntN(6)])
	}
	return b.String()
}

// valid tells whether characters are a piece, by the rules of spm_train one after the other.
func valid(piece []uint32, r sentencepiece.Rules) bool {
	if len(piece) > max(r.MaxLength, 1) && r.MaxLength > 0 || r.MaxLength == 0 && len(piece) > 16 {
		return false
	}
	previous := ""
	for i, c := range piece {
		if c == 0 || c == sentencepiece.Unknown {
			return false
		}
		if c == sentencepiece.Mark {
			if i > 0 {
				return false
			}
			continue
		}
		script := "Common"
		for name, table := range unicode.Scripts {
			if unicode.Is(table, rune(c)) {
				script = name
			}
		}
		digit := c >= '0' && c <= '9' || c >= '０' && c <= '９'
		switch {
		case script == "Hiragana", script == "Katakana", c == 'ー':
			script = "Han"
		case script == "Inherited":
			script = previous
		}
		if digit && r.MixNumbers {
			script = ""
		}
		if digit && r.SplitDigits && len(piece) > 1 {
			return false
		}
		if !r.MixScripts && script != "" && previous != "" && script != previous {
			return false
		}
		previous = script
	}
	return true
}

// seeds are the pieces of at least two characters and how often they occur, by the definition: prefixes of suffixes
// that occur twice or more, and that different symbols follow.
func seeds(symbols []uint32, r sentencepiece.Rules) map[string]int64 {
	sa := make([]int, len(symbols))
	for i := range sa {
		sa[i] = i
	}
	rest := func(i int) []uint32 {
		if r.Fixed { // the boundary after i is like no other
			end := i + slices.Index(symbols[i:], 0)
			return append(slices.Clone(symbols[i:end]), uint32(1<<24+end))
		}
		return symbols[i:]
	}
	slices.SortFunc(sa, func(a, b int) int { return slices.Compare(rest(a), rest(b)) })
	found := map[string]int64{}
	type open struct{ depth, from int }
	stack := []open{{0, 0}}
	for j := 1; j <= len(sa); j++ {
		depth := 0
		if j < len(sa) {
			a, b := rest(sa[j-1]), rest(sa[j])
			for depth < min(len(a), len(b)) && a[depth] == b[depth] {
				depth++
			}
		}
		from := j - 1
		for top := stack[len(stack)-1]; top.depth > depth; top = stack[len(stack)-1] {
			piece := symbols[sa[top.from] : sa[top.from]+top.depth]
			if top.depth > 1 && valid(piece, r) {
				found[text(piece)] = int64(j - top.from)
			}
			from, stack = top.from, stack[:len(stack)-1]
		}
		if stack[len(stack)-1].depth < depth {
			stack = append(stack, open{depth, from})
		}
	}
	return found
}

func text(symbols []uint32) string {
	var b strings.Builder
	for _, c := range symbols {
		b.WriteRune(rune(c))
	}
	return b.String()
}

// logged are the numbers that spm_train logs until it has its seeds.
func logged(t *testing.T, corpus string, options ...string) (characters, alphabet, sentences, pieces int) {
	dir := t.TempDir()
	name := filepath.Join(dir, "corpus")
	require.NoError(t, os.WriteFile(name, []byte(corpus), 0o600))
	c := exec.CommandContext(t.Context(), needed.Program(t, "spm_train"), append([]string{"--input=" + name,
		"--model_prefix=" + filepath.Join(dir, "m"), "--vocab_size=600", "--hard_vocab_limit=false"}, options...)...)
	log, err := c.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	defer c.Wait()
	defer c.Process.Kill() // it goes on to train
	numbers := map[string]int{}
	number := regexp.MustCompile(`(chars count=|Alphabet size=|preprocessed |Initialized )(\d+)`)
	lines := bufio.NewScanner(log)
	var said []string
	for lines.Scan() && numbers["Initialized "] == 0 {
		said = append(said, lines.Text())
		if m := number.FindStringSubmatch(lines.Text()); m != nil {
			numbers[m[1]], err = strconv.Atoi(m[2])
			require.NoError(t, err)
		}
	}
	require.NotZero(t, numbers["Initialized "], "%q", said[max(len(said)-2, 0):])
	return numbers["chars count="], numbers["Alphabet size="], numbers["preprocessed "], numbers["Initialized "]
}

// Sentences, characters and the number of seeds are those of spm_train, in every script and with every option.
func TestTrainer(t *testing.T) {
	needed.Program(t, "spm_train")
	type run struct {
		options []string
		read    sentencepiece.Options
		rules   sentencepiece.Rules
	}
	runs := []run{
		{},
		{[]string{"--character_coverage=0.985"}, sentencepiece.Options{Coverage: 0.985}, sentencepiece.Rules{}},
	}
	others := []run{
		{[]string{"--normalization_rule_name=nfkc"}, sentencepiece.Options{Normalization: sentencepiece.NFKC},
			sentencepiece.Rules{}},
		{[]string{"--normalization_rule_name=identity", "--character_coverage=1"},
			sentencepiece.Options{Normalization: sentencepiece.Identity, Coverage: 1}, sentencepiece.Rules{}},
		{[]string{"--split_by_unicode_script=false"}, sentencepiece.Options{}, sentencepiece.Rules{MixScripts: true}},
		{[]string{"--split_by_number=false"}, sentencepiece.Options{}, sentencepiece.Rules{MixNumbers: true}},
		{[]string{"--split_digits=true"}, sentencepiece.Options{}, sentencepiece.Rules{SplitDigits: true}},
		{[]string{"--max_sentencepiece_length=3", "--max_sentence_length=40"}, sentencepiece.Options{MaxSentence: 40},
			sentencepiece.Rules{MaxLength: 3}},
	}
	all := ""
	compare := func(name, corpus string, r run) {
		name = strings.ReplaceAll(fmt.Sprint(name, r.options), ",", ";") // it is that of a directory, which a comma would end
		t.Run(name, func(t *testing.T) {
			characters, alphabet, count, pieces := logged(t, corpus, r.options...)
			c, err := sentencepiece.Read(t.Context(), []byte(corpus), r.read)
			require.NoError(t, err)
			total := 0
			for _, s := range c.Symbols {
				if s != sentencepiece.Boundary && !r.read.Weighted {
					total++
				}
			}
			for _, s := range c.Characters {
				if r.read.Weighted {
					total += int(s.Frequency)
				}
			}
			if !r.read.Weighted || r.read.Coverage == 1 { // of all characters, not only those that stay
				assert.Equal(t, characters, total)
			}
			assert.Equal(t, alphabet, len(c.Characters))
			assert.InDelta(t, count, c.Sentences, 9) // of empty sentences spm_train leaves some in
			assert.Equal(t, pieces, len(c.Characters)+len(seeds(c.Symbols, r.rules)))
		})
	}
	for script := range words {
		corpus := sentences(script, 300)
		all += corpus
		for _, r := range runs {
			compare(script, corpus, r)
		}
	}
	all += "\n \t \n▅ reserved\n" + strings.Repeat("long ", 900) + "\n\uFEFFmark ▁ of bytes\n"
	for _, r := range append(runs[:1], others...) {
		compare("all", all, r)
	}

	// Symbols are borders, whatever they are, the longest first.
	meta := strings.NewReplacer("river", "ri<s>ver", "house", "<unk>house</s>", "bridge", "＜s＞bridge", "book", "bo\tok")
	english := meta.Replace(sentences("Latin", 400))
	whole := []string{"--character_coverage=1"}
	for _, r := range []run{
		{whole, sentencepiece.Options{Coverage: 1}, sentencepiece.Rules{}},
		{append(whole, "--normalization_rule_name=identity"),
			sentencepiece.Options{Coverage: 1, Normalization: sentencepiece.Identity}, sentencepiece.Rules{}},
		{append(whole, "--control_symbols=<mask>,run,▁rain", "--user_defined_symbols=runn,é,under an"),
			sentencepiece.Options{Coverage: 1, Symbols: []string{"<mask>", "run", "▁rain", "runn", "é", "under an"}},
			sentencepiece.Rules{}},
		{[]string{"--user_defined_symbols=ing,ru"}, sentencepiece.Options{Symbols: []string{"ing", "ru"}},
			sentencepiece.Rules{}},
	} {
		compare("symbols", english, r)
	}

	// Of a sentence with its number characters count so often; whatever that is, pieces count twice.
	var weighted strings.Builder
	for i, line := range strings.Split(strings.ReplaceAll(all, "\t", " "), "\n") {
		if line = strings.TrimSuffix(line, "\r"); line != "" { // which spm_train refuses
			fmt.Fprintf(&weighted, "%s\t%d\n", line, 1+i*i%37)
		}
	}
	for _, r := range []run{
		{append(whole, "--input_format=tsv"), sentencepiece.Options{Weighted: true, Coverage: 1}, sentencepiece.Rules{}},
		{[]string{"--input_format=tsv", "--character_coverage=0.985", "--max_sentence_length=60"},
			sentencepiece.Options{Weighted: true, Coverage: 0.985, MaxSentence: 60}, sentencepiece.Rules{}},
	} {
		compare("weighted", weighted.String(), r)
	}
}
