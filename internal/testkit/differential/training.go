package differential

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// tokenSize is the number of bytes of a token.
func (c *Case) tokenSize() int {
	return map[string]int{"u8": 1, "u16": 2, "u32": 4}[c.Value("token", "u16")]
}

// tokenFile is the file of tokens, and where documents begin in it.
func (c *Case) tokenFile() (file []byte, offsets []int) {
	if c.Value("format", "") == "tokengrams" {
		return c.Inputs[0].Joined(), nil
	}
	separator := bytes.Repeat([]byte{0xff}, c.tokenSize())
	for _, text := range c.Inputs[0].Texts {
		offsets = append(offsets, len(file))
		file = slices.Concat(file, separator, text)
	}
	return file, offsets
}

// tokensVerb builds an index and asks it: the words of a case are n-grams.
var tokensVerb = verb{
	random: func(g generator) *Case {
		c := &Case{}
		sizes := []int{1, 2, 4}
		if g.sometimes(2) {
			c.Keep("format", "tokengrams")
			sizes = sizes[1:]
		}
		size := sizes[g.IntN(len(sizes))]
		c.Keep("token", fmt.Sprint("u", 8*size))
		in := Input{Name: "index", Symbol: size}
		whole := g.symbols(300, size)
		for i := 0; i < len(whole); i += size {
			if bytes.Equal(whole[i:i+size], bytes.Repeat([]byte{0xff}, size)) {
				whole[i] = 0 // no separator
			}
		}
		for range 1 + g.IntN(4) {
			from, n := g.IntN(300), g.length(80)
			in.Texts = append(in.Texts, slices.Clone(whole[from*size:min(300, from+n)*size]))
		}
		for range 1 + g.IntN(4) {
			from := g.IntN(300)
			c.Words = append(c.Words, numbers(whole[from*size:min(300, from+g.IntN(4))*size], size, ","))
		}
		addSorter(g, c, false)
		g.maybe(c, 2, "max-diff-tokens", "1", "3", "10")
		c.Inputs = []Input{in}
		return c
	},
	files: func(c *Case) []File {
		file, offsets := c.tokenFile()
		if offsets == nil {
			return []File{{"tokens", file}}
		}
		return []File{{"index/tokenized.0", file}, {"index/offset.0", array(offsets, 8)}}
	},
	commands: func(c *Case) [][]string {
		index, build := []string{"index"}, []string{"tokens", "index"}
		if c.Value("format", "") == "tokengrams" {
			index, build = []string{"table", "--tokens", "tokens"}, []string{"tokens", "tokens", "-o", "table"}
		}
		ask := func(verb string, grams []string, flags ...string) []string {
			return c.only(slices.Concat([]string{"tokens", verb}, index, grams), append(flags, "format", "token")...)
		}
		commands := [][]string{c.with(build, "max-diff-tokens"), ask("count", c.Words), ask("find", c.Words),
			ask("next", c.Words)}
		if q := c.together(); q != "" {
			commands = append(commands, ask("count", []string{q}, "max-diff-tokens"))
		}
		return commands
	},
	check: func(c *Case, r *Run) error {
		file, offsets := c.tokenFile()
		t := c.tokenTable(file, offsets)
		name := "index/table.0"
		if offsets == nil {
			name = "table"
		}
		return cmp.Or(
			same("table", r.File(name), t.file(offsets == nil)),
			same("count", r.Results[1].Out, t.counts(c.Words)),
			same("find", r.Results[2].Out, t.places(c.Words)),
			sameLines("next", withoutLast(r.Results[3].Out), t.next(c.Words)),
			c.checkTogether(r, t),
		)
	},
}

// together asks for the n-grams of a case that are not empty, with AND and OR in turns; "": there are none.
func (c *Case) together() string {
	var b strings.Builder
	for i, word := range slices.DeleteFunc(slices.Clone(c.Words), func(word string) bool { return word == "" }) {
		if i > 0 {
			b.WriteString([]string{" OR ", " AND "}[i%2])
		}
		b.WriteString(word)
	}
	return b.String()
}

// checkTogether looks for a place of the other clause around each of the rarer one: there are one or two.
func (c *Case) checkTogether(r *Run, t *tokenTable) error {
	q := c.together()
	if q == "" {
		return nil
	}
	var clauses [][]int
	for clause := range strings.SplitSeq(q, " AND ") {
		var places []int
		for word := range strings.SplitSeq(clause, " OR ") {
			places = append(places, t.find(gramOf(word))...)
		}
		slices.Sort(places)
		clauses = append(clauses, slices.Compact(places))
	}
	slices.SortStableFunc(clauses, func(a, b []int) int { return cmp.Compare(len(a), len(b)) })
	count := len(clauses[0])
	if len(clauses) > 2 {
		return nil // the tests of the package have many
	}
	if len(clauses) == 2 {
		count = 0
		for _, at := range clauses[0] {
			if slices.ContainsFunc(clauses[1], func(to int) bool {
				return max(at-to, to-at) <= c.Int("max-diff-tokens", 100) && !slices.ContainsFunc(t.offsets,
					func(offset int) bool { return min(at, to) < offset/t.size && offset/t.size <= max(at, to) })
			}) {
				count++
			}
		}
	}
	return same("together", r.Results[4].Out, fmt.Sprintf("%s\t%d\n", q, count))
}

// tokenTable is a table of tokens.
type tokenTable struct {
	tokens   []uint64
	size     int
	suffixes []int
	offsets  []int // in bytes; nil: no documents are told
}

func (c *Case) tokenTable(file []byte, offsets []int) *tokenTable {
	t := &tokenTable{symbolsOf(file, c.tokenSize()), c.tokenSize(), nil, offsets}
	for i := range t.tokens {
		t.suffixes = append(t.suffixes, i)
	}
	slices.SortFunc(t.suffixes, func(a, b int) int {
		if offsets == nil {
			return slices.Compare(t.tokens[a:], t.tokens[b:])
		}
		return bytes.Compare(file[a*t.size:], file[b*t.size:])
	})
	return t
}

func (t *tokenTable) file(tokengrams bool) []byte {
	if tokengrams {
		return array(t.suffixes, 8)
	}
	bytesOf := make([]int, len(t.suffixes))
	for i, s := range t.suffixes {
		bytesOf[i] = s * t.size
	}
	return array(bytesOf, max(1, (bits.Len(uint(max(len(t.tokens)*t.size, 1)-1))+7)/8))
}

// find are the places of an n-gram, in the order of the table.
func (t *tokenTable) find(gram []uint64) (places []int) {
	for _, s := range t.suffixes {
		if s+len(gram) <= len(t.tokens) && slices.Equal(t.tokens[s:s+len(gram)], gram) {
			places = append(places, s)
		}
	}
	return places
}

func gramOf(word string) (gram []uint64) {
	for _, field := range strings.FieldsFunc(word, func(r rune) bool { return r == ',' }) {
		v, _ := strconv.ParseUint(field, 10, 64)
		gram = append(gram, v)
	}
	return gram
}

func (t *tokenTable) counts(words []string) string {
	var b strings.Builder
	for _, word := range words {
		fmt.Fprintf(&b, "%s\t%d\n", word, len(t.find(gramOf(word))))
	}
	return b.String()
}

func (t *tokenTable) places(words []string) string {
	var b strings.Builder
	for _, word := range words {
		for _, s := range t.find(gramOf(word)) {
			document, place := "-", s
			for k, offset := range t.offsets {
				if at := offset / t.size; at <= s {
					document, place = strconv.Itoa(k), s-at-1
				}
			}
			fmt.Fprintf(&b, "%s\t0\t%s\t%d\t%d\n", word, document, place, s)
		}
	}
	return b.String()
}

func (t *tokenTable) next(words []string) string {
	var b strings.Builder
	for _, word := range words {
		gram := gramOf(word)
		places := t.find(gram)
		follow := map[uint64]int{}
		for _, s := range places {
			if s+len(gram) < len(t.tokens) {
				follow[t.tokens[s+len(gram)]]++
			}
		}
		for token, n := range follow {
			fmt.Fprintf(&b, "%s\t%d\t%d\t%d\t%d\n", word, len(gram), len(places), token, n)
		}
	}
	return b.String()
}

// withoutLast leaves the last cell of lines out.
func withoutLast(lines string) string {
	var b strings.Builder
	for line := range strings.Lines(lines) {
		b.WriteString(line[:strings.LastIndexByte(line, '\t')] + "\n")
	}
	return b.String()
}

const space = '▁'

// seedsVerb has sentences that are normalised and of one script.
var seedsVerb = verb{
	random: func(g generator) *Case {
		c := &Case{Inputs: []Input{{Name: "corpus", Format: Lines, Open: g.sometimes(4)}}}
		for _, text := range g.texts(1+g.IntN(8), 60, g.one("ab", "ab_", "abcdefgh__")) {
			c.Inputs[0].Texts = append(c.Inputs[0].Texts, bytes.ReplaceAll(text, []byte("_"), []byte(string(space))))
		}
		c.Keep("normalization", "normalized")
		c.Keep("coverage", "1")
		c.Keep("fixed", "")
		g.maybe(c, 3, "max-length", "2", "3", "5")
		g.maybe(c, 3, "no-characters")
		addSorter(g, c, false)
		return c
	},
	commands: func(c *Case) [][]string { return [][]string{c.with([]string{"seeds", "corpus"})} },
	check: func(c *Case, r *Run) error {
		return sameLines("seeds", r.Out(), c.seedLines())
	},
}

func (c *Case) seedLines() string {
	characters, pieces := map[rune]int{}, map[string]int{}
	after := map[string]map[string]bool{}
	for k, text := range c.Inputs[0].Texts {
		sentence := []rune(string(text))
		for i, r := range sentence {
			characters[r]++
			for j := i + 1; j <= len(sentence) && (j == i+1 || sentence[j-1] != space); j++ {
				if j-i < 2 || j-i > c.Int("max-length", 16) {
					continue
				}
				piece, next := string(sentence[i:j]), fmt.Sprint("end ", k)
				if j < len(sentence) {
					next = string(sentence[j])
				}
				if pieces[piece]++; after[piece] == nil {
					after[piece] = map[string]bool{}
				}
				after[piece][next] = true
			}
		}
	}
	var b strings.Builder
	if !c.Has("no-characters") {
		for r, n := range characters {
			fmt.Fprintf(&b, "%c\t%d\n", r, n)
		}
	}
	for piece, n := range pieces {
		if n > 1 && len(after[piece]) > 1 {
			fmt.Fprintf(&b, "%s\t%d\n", piece, n)
		}
	}
	return b.String()
}

// dedupVerb has several inputs, and at times others that they are compared with.
var dedupVerb = verb{
	random: func(g generator) *Case {
		c := &Case{}
		alphabet := g.one("ab", "abc", "ab|", "ab||")
		formats := []Format{Bytes, Bytes, JSON, Paths}
		format := formats[g.IntN(len(formats))]
		names := []string{"a", "b", "c"}[:1+g.IntN(3)]
		switch {
		case format == JSON:
			c.Keep("field", "text")
		case format == Bytes && g.sometimes(3):
			c.Keep("symbols", "u16")
			if g.sometimes(2) {
				c.Keep("separator", `\xff\xff`)
			}
		case format == Bytes:
			g.maybe(c, 2, "separator", "|", "|", `\x62`, "aa")
		}
		for _, name := range names {
			in := Input{Name: name, Format: format, Texts: g.texts(1+g.IntN(4), 50, alphabet)}
			if in.Format == Bytes {
				in.Texts = [][]byte{bytes.Join(in.Texts, []byte("|"))}
			}
			if c.Has("symbols") {
				in.Symbol = 2
				in.Texts = [][]byte{bytes.ReplaceAll(bytes.ReplaceAll(in.Joined(), []byte("|"), []byte("\xff\xff")), []byte("a"),
					[]byte("a\x01"))}
				in.Texts[0] = in.Texts[0][:len(in.Texts[0])/2*2]
			}
			c.Inputs = append(c.Inputs, in)
		}
		c.Add("min-length", g.number(2, 7))
		g.maybe(c, 3, "across")
		switch {
		case len(names) > 1 && g.sometimes(3):
			c.Add("against", names[len(names)-1])
		default:
			g.maybe(c, 2, "keep", "none", "first")
			g.maybe(c, 3, "min-count", "2", "3")
		}
		g.maybe(c, 2, "format", "byterange", "u64", "documents")
		if !c.Has("against") && (format != Paths || len(names) == 1) { // else two files would be written to one
			g.maybe(c, 4, "write", "clean")
		}
		return c
	},
	commands: func(c *Case) [][]string {
		args := []string{"dedup"}
		for _, in := range c.Inputs {
			if in.Name != c.Value("against", "") {
				args = append(args, in.Name)
			}
		}
		return [][]string{c.with(append(args, "-o", "out"))}
	},
	check: func(c *Case, r *Run) error { return c.checkDuplicates(r) },
}

// document is a part of an input, at a place of the text of all of them.
type document struct {
	input, number, start int
	text                 []byte
}

// corpus are the documents of the inputs, or of the other set.
func (c *Case) corpus(against bool) (all []document) {
	start := 0
	for i, in := range c.Inputs {
		if (in.Name == c.Value("against", "")) != against {
			continue
		}
		parts := in.Texts
		if in.Format == Bytes {
			parts = [][]byte{in.Joined()}
		}
		if separator := c.separator(); separator != nil {
			parts = split(in.Joined(), separator, c.symbolSize())
		}
		for k, part := range parts {
			if part != nil && c.Has("separator") && bytes.Equal(part, c.separator()) {
				start += len(part)
				continue
			}
			all = append(all, document{i, k, start, part})
			start += len(part)
		}
	}
	return all
}

func (c *Case) separator() []byte {
	if !c.Has("separator") {
		return nil
	}
	var b []byte
	for s := c.Value("separator", ""); s != ""; {
		if strings.HasPrefix(s, `\x`) {
			v, _ := strconv.ParseUint(s[2:4], 16, 8)
			b, s = append(b, byte(v)), s[4:]
			continue
		}
		b, s = append(b, s[0]), s[1:]
	}
	return b
}

// split cuts a text before and after each separator.
func split(text, separator []byte, size int) (parts [][]byte) {
	at := 0
	for i := 0; i+len(separator) <= len(text); {
		if !bytes.Equal(text[i:i+len(separator)], separator) {
			i += size
			continue
		}
		parts = append(parts, text[at:i:i], text[i:i+len(separator)])
		i += len(separator)
		at = i
	}
	return append(parts, text[at:])
}

// removed marks the bytes of the text that go.
func (c *Case) removed() []bool {
	length, size := c.Int("min-length", 100)*c.symbolSize(), c.symbolSize()
	type place struct{ start int }
	windows := map[string][]place{}
	total := 0
	regions := c.regions(false)
	for _, d := range regions {
		total = max(total, d.start+len(d.text))
		for i := 0; i+length <= len(d.text); i += size {
			s := string(d.text[i : i+length])
			windows[s] = append(windows[s], place{d.start + i})
		}
	}
	ofOthers := map[string]bool{}
	for _, d := range c.regions(true) {
		for i := 0; i+length <= len(d.text); i += size {
			ofOthers[string(d.text[i:i+length])] = true
		}
	}
	marks := make([]bool, total)
	for s, places := range windows {
		if c.Has("against") {
			if !ofOthers[s] {
				continue
			}
		} else if len(places) < c.Int("min-count", 2) {
			continue
		} else if c.Value("keep", "none") == "first" {
			places = places[1:]
		}
		for _, p := range places {
			for i := range length {
				marks[p.start+i] = true
			}
		}
	}
	if c.separator() != nil { // is no text
		text := make([]bool, total)
		for _, d := range c.corpus(false) {
			for i := range d.text {
				text[d.start+i] = true
			}
		}
		for i := range marks {
			marks[i] = marks[i] && text[i]
		}
	}
	return marks
}

// regions are the parts of the text that duplicates do not cross: documents, or with --across files.
func (c *Case) regions(against bool) []document {
	if !c.Has("across") {
		return c.corpus(against)
	}
	var all []document
	start := 0
	for i, in := range c.Inputs {
		if (in.Name == c.Value("against", "")) != against {
			continue
		}
		texts := [][]byte{in.Joined()}
		if in.Format == Paths {
			texts = in.Texts
		}
		for _, text := range texts {
			all = append(all, document{i, 0, start, text})
			start += len(text)
		}
	}
	return all
}

func (c *Case) checkDuplicates(r *Run) error {
	marks := c.removed()
	var errs []error
	if c.Has("write") {
		errs = append(errs, c.checkWritten(r, marks))
	}
	out := r.File("out")
	switch c.Value("format", "byterange") {
	case "documents":
		errs = append(errs, c.checkDocuments(out, marks))
	case "u64":
		text := "out\n"
		for ; len(out) >= 16; out = out[16:] {
			text += fmt.Sprintln(binary.LittleEndian.Uint64(out), binary.LittleEndian.Uint64(out[8:]))
		}
		errs = append(errs, c.checkRanges(text, marks))
	default:
		errs = append(errs, c.checkRanges(string(out), marks))
	}
	return cmp.Or(errs...)
}

// checkRanges compares ranges. None crosses from one document to the next; with --across ranges that touch are alike in
// one piece and in two.
func (c *Case) checkRanges(text string, marks []bool) error {
	var got, want [][2]int
	body, ok := strings.CutPrefix(text, "out\n")
	if !ok {
		return fmt.Errorf("ranges begin with %s", excerpt([]byte(text)))
	}
	for line := range strings.Lines(body) {
		var r [2]int
		if _, err := fmt.Sscanf(line, "%d %d\n", &r[0], &r[1]); err != nil {
			return fmt.Errorf("%q is no range", line)
		}
		if n := len(got); c.Has("across") && n > 0 && got[n-1][1] == r[0] {
			got[n-1][1] = r[1]
			continue
		}
		got = append(got, r)
	}
	if c.Has("across") {
		want = rangesOf(marks)
	} else {
		for _, d := range c.corpus(false) {
			for _, r := range rangesOf(marks[d.start:][:len(d.text)]) {
				want = append(want, [2]int{d.start + r[0], d.start + r[1]})
			}
		}
	}
	return same("ranges", fmt.Sprint(got), fmt.Sprint(want))
}

func rangesOf(marks []bool) (ranges [][2]int) {
	for i := 0; i < len(marks); i++ {
		if !marks[i] {
			continue
		}
		from := i
		for i < len(marks) && marks[i] {
			i++
		}
		ranges = append(ranges, [2]int{from, i})
	}
	return ranges
}

// checkDocuments compares the ranges of each document that is not empty.
func (c *Case) checkDocuments(out []byte, marks []bool) error {
	var got, want [][][2]int
	for line := range bytes.Lines(out) {
		var object struct {
			Text   string
			Bytes  int
			Ranges [][2]int `json:"sa_remove_ranges"`
		}
		if err := json.Unmarshal(line, &object); err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
		if len(object.Text)+object.Bytes > 0 {
			got = append(got, object.Ranges)
		}
	}
	for _, d := range c.corpus(false) {
		if len(d.text) > 0 {
			want = append(want, rangesOf(marks[d.start:][:len(d.text)]))
		}
	}
	return same("ranges of documents", fmt.Sprint(got), fmt.Sprint(want))
}

// checkWritten compares the inputs without what is removed.
func (c *Case) checkWritten(r *Run, marks []bool) error {
	rest := func(start int, text []byte) (left []byte) {
		for i, b := range text {
			if !marks[start+i] {
				left = append(left, b)
			}
		}
		return left
	}
	start := 0
	for _, in := range c.Inputs {
		var want [][]byte
		for _, text := range in.Texts {
			want = append(want, rest(start, text))
			start += len(text)
		}
		switch in.Format {
		case Bytes:
			if err := same("clean/"+in.Name, r.File("clean/"+in.Name), bytes.Join(want, nil)); err != nil {
				return err
			}
		case Paths:
			for k, text := range want {
				name := fmt.Sprintf("clean/%03d", k)
				if err := same(name, r.File(name), text); err != nil {
					return err
				}
			}
		default:
			var texts [][]byte
			for line := range bytes.Lines(r.File("clean/" + in.Name)) {
				var object struct{ Text string }
				if err := json.Unmarshal(line, &object); err != nil {
					return err
				}
				texts = append(texts, []byte(object.Text))
			}
			if err := same("clean/"+in.Name, fmt.Sprintf("%q", texts), fmt.Sprintf("%q", want)); err != nil {
				return err
			}
		}
	}
	return nil
}
