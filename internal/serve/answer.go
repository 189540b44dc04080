package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Usual sizes of passages.
const (
	usualShown   = 1000
	usualContext = 1000
)

// answers are the functions for the types of queries. Their results become JSON.
var answers = map[string]func(x *Index, ctx context.Context, r *request) (any, error){
	typeCount:       (*Index).answerCount,
	typeProb:        (*Index).answerProb,
	typeNext:        (*Index).answerNext,
	typeInfgramProb: (*Index).answerInfgramProb,
	typeInfgramNext: (*Index).answerInfgramNext,
	typeFind:        (*Index).answerFind,
	typeByRank:      (*Index).answerByRank,
	typeByPlace:     (*Index).answerByPlace,
	typeFindCNF:     (*Index).answerFindCNF,
}

// Query is what answers repeat of a query, and how long it took.
type query struct {
	IDs     any      `json:"token_ids,omitempty"` // as they came
	Tokens  []string `json:"tokens,omitempty"`
	Latency float64  `json:"latency"` // milliseconds
}

// took sets the time.
func (q *query) took(milliseconds float64) { q.Latency = milliseconds }

// timed is an answer that tells its time.
type timed interface{ took(milliseconds float64) }

type countAnswer struct {
	Count  int64 `json:"count"`
	Approx bool  `json:"approx"`
	query
}

type probAnswer struct {
	PromptCount int64   `json:"prompt_cnt"`
	Count       int64   `json:"cont_cnt"`
	Prob        float64 `json:"prob"`
	*suffix
	query
}

// suffix is the end of a prompt that was looked for.
type suffix struct {
	Length int     `json:"suffix_len"`
	Text   *string `json:"longest_suffix,omitempty"`
}

type nextAnswer struct {
	PromptCount int64     `json:"prompt_cnt"`
	Result      nextTable `json:"result_by_token_id"`
	Approx      bool      `json:"approx"`
	*suffix
	query
}

// nextTable is an object with a member for each symbol, ascending.
type nextTable struct {
	list   []next
	prompt int64
	text   bool // symbols are bytes
}

func (t nextTable) MarshalJSON() ([]byte, error) {
	data := []byte{'{'}
	for i, n := range t.list {
		if i > 0 {
			data = append(data, ',')
		}
		data = fmt.Appendf(data, `"%d":{"cont_cnt":%d,"prob":`, n.symbol, n.count)
		data = strconv.AppendFloat(data, float64(n.count)/float64(t.prompt), 'g', -1, 64)
		if t.text {
			token, err := json.Marshal(string(rune(n.symbol)))
			if err != nil {
				return nil, err
			}
			data = append(append(data, `,"token":`...), token...)
		}
		data = append(data, '}')
	}
	return append(data, '}'), nil
}

type findAnswer struct {
	Count    int64     `json:"cnt"`
	Segments []segment `json:"segment_by_shard"`
	query
}

type documentAnswer struct {
	Document *int64   `json:"doc_ix"`
	Length   *int64   `json:"doc_len"`
	Shown    int      `json:"disp_len"`
	Needle   int      `json:"needle_offset"`
	Place    int64    `json:"ptr"`
	Metadata string   `json:"metadata"`
	Text     *string  `json:"text,omitempty"`
	IDs      []uint32 `json:"token_ids,omitempty"`
	Spans    []span   `json:"spans"`
	Latency  float64  `json:"latency"`
}

func (d *documentAnswer) took(milliseconds float64) { d.Latency = milliseconds }

// span is a piece of a passage; that of the query has the number of its clause, others none, -1.
type span struct {
	text   string
	clause int
}

func (s span) MarshalJSON() ([]byte, error) {
	if s.clause >= 0 {
		return json.Marshal([]any{s.text, strconv.Itoa(s.clause)})
	}
	return json.Marshal([]any{s.text, nil})
}

// prepare checks what the index can be asked, and makes the gram of a text.
func (x *Index) prepare(r *request) error {
	if r.asked && !r.ids {
		if !x.Text {
			return refuse("index %s is of tokens: it takes query_ids; there is no tokenizer for its texts here", x.Name)
		}
		r.gram = symbolsOf([]byte(r.text))
	}
	for _, gram := range append(slices.Concat(r.cnf...), r.gram) {
		for _, symbol := range gram {
			if uint64(symbol)>>(8*x.SymbolBytes) != 0 {
				return refuse("query_ids: %d has more than the %d bytes of a token", symbol, x.SymbolBytes)
			}
		}
	}
	if err := x.prepareCNF(r); err != nil {
		return err
	}
	switch r.kind {
	case typeByRank, typeByPlace:
		return x.prepareDocument(r)
	}
	if !r.asked {
		return refuse("query_ids is missing, or query of an index of bytes")
	}
	if (r.kind == typeProb || r.kind == typeInfgramProb) && len(r.gram) == 0 {
		return refuse("%s: the query is empty", r.kind)
	}
	return nil
}

func (x *Index) prepareDocument(r *request) error {
	name, value := "rank", r.rank
	if r.kind == typeByPlace {
		name, value = "ptr", r.place
	}
	switch {
	case value < 0:
		return refuse("%s: %s is missing", r.kind, name)
	case r.shard < 0:
		return refuse("%s: s is missing: the number of a shard", r.kind)
	case r.shard >= int64(x.backend.shards()):
		return refuse("s: there are %d shards", x.backend.shards())
	}
	return nil
}

// query is what an answer repeats: the numbers, where the query was of numbers.
func (x *Index) query(r *request) query {
	if !r.ids {
		return query{}
	}
	var q query
	switch {
	case r.cnf != nil:
		q.IDs = r.cnf
	case len(r.gram) > 0:
		q.IDs = r.gram
	}
	if x.Text {
		q.Tokens = make([]string, len(r.gram))
		for i, symbol := range r.gram {
			q.Tokens[i] = string(rune(symbol))
		}
	}
	return q
}

func (x *Index) answerCount(ctx context.Context, r *request) (any, error) {
	if r.several() {
		return x.answerCountCNF(ctx, r)
	}
	counts, err := x.backend.count(ctx, r.gram)
	if err != nil {
		return nil, err
	}
	return &countAnswer{Count: counts[0], query: x.query(r)}, nil
}

func (x *Index) answerProb(ctx context.Context, r *request) (any, error) {
	return x.prob(ctx, r, r.gram[:len(r.gram)-1], nil)
}

func (x *Index) answerInfgramProb(ctx context.Context, r *request) (any, error) {
	prompt := r.gram[:len(r.gram)-1]
	length, _, err := x.longest(ctx, prompt)
	if err != nil {
		return nil, err
	}
	return x.prob(ctx, r, prompt[len(prompt)-length:], x.suffix(prompt, length))
}

// prob is the probability of the last symbol of the query after a prompt.
func (x *Index) prob(ctx context.Context, r *request, prompt []uint32, s *suffix) (any, error) {
	counts, err := x.backend.count(ctx, prompt, r.gram[len(r.gram)-1-len(prompt):])
	if err != nil {
		return nil, err
	}
	a := &probAnswer{PromptCount: counts[0], Count: counts[1], Prob: -1, suffix: s, query: x.query(r)}
	if a.PromptCount > 0 {
		a.Prob = float64(a.Count) / float64(a.PromptCount)
	}
	return a, nil
}

// suffix tells of the end of a prompt, in text where the symbols are bytes.
func (x *Index) suffix(prompt []uint32, length int) *suffix {
	s := &suffix{Length: length}
	if x.Text {
		end, _ := bytesOf(prompt[len(prompt)-length:])
		text := escaped(end)
		s.Text = &text
	}
	return s
}

// escaped is text, in which bytes that are not UTF-8 are escape sequences.
func escaped(text []byte) string {
	var out strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&out, `\x%02x`, text[0])
		} else {
			out.Write(text[:size])
		}
		text = text[size:]
	}
	return out.String()
}

func (x *Index) answerNext(ctx context.Context, r *request) (any, error) {
	return x.next(ctx, r, r.gram, nil)
}

func (x *Index) answerInfgramNext(ctx context.Context, r *request) (any, error) {
	length, _, err := x.longest(ctx, r.gram)
	if err != nil {
		return nil, err
	}
	return x.next(ctx, r, r.gram[len(r.gram)-length:], x.suffix(r.gram, length))
}

func (x *Index) next(ctx context.Context, r *request, prompt []uint32, s *suffix) (any, error) {
	counts, err := x.backend.count(ctx, prompt)
	if err != nil {
		return nil, err
	}
	a := &nextAnswer{PromptCount: counts[0], suffix: s, query: x.query(r)}
	a.Result = nextTable{prompt: a.PromptCount, text: x.Text}
	if a.PromptCount > 0 {
		if a.Result.list, err = x.backend.next(ctx, prompt); err != nil {
			return nil, err
		}
	}
	return a, nil
}

func (x *Index) answerFind(ctx context.Context, r *request) (any, error) {
	segments, err := x.backend.segments(ctx, r.gram)
	if err != nil {
		return nil, err
	}
	a := &findAnswer{Segments: segments, query: x.query(r)}
	for _, s := range segments {
		a.Count += s[1] - s[0]
	}
	return a, nil
}

func (x *Index) answerByRank(ctx context.Context, r *request) (any, error) {
	place, err := x.backend.ranked(ctx, int(r.shard), r.rank, r.gram)
	if err != nil {
		return nil, err
	}
	return x.document(ctx, r, place)
}

func (x *Index) answerByPlace(ctx context.Context, r *request) (any, error) {
	place := r.place
	if x.Kind == KindTokens { // pointers of infini-gram are bytes of the file
		if place%int64(x.SymbolBytes) != 0 {
			return nil, refuse("ptr is no multiple of a token of %d bytes", x.SymbolBytes)
		}
		place /= int64(x.SymbolBytes)
	}
	return x.document(ctx, r, place)
}

// window is how much of a document a request asks for: max_ctx_len on both sides of the query, as infini-gram mini has
// it, or max_disp_len in all, as infini-gram. Each kind of index has its usual one.
func (x *Index) window(r *request) window {
	if r.context >= 0 || r.shown < 0 && x.Text {
		around := r.context
		if around < 0 {
			around = usualContext
		}
		return window{around, int64(len(r.gram)) + around}
	}
	shown := r.shown
	if shown < 0 {
		shown = usualShown
	}
	return window{shown / 2, (shown + 1) / 2}
}

func (x *Index) document(ctx context.Context, r *request, place int64) (any, error) {
	p, err := x.backend.around(ctx, int(r.shard), place, x.window(r))
	if err != nil {
		return nil, err
	}
	d := &documentAnswer{Document: p.document, Needle: p.needle, Place: p.place, Metadata: string(p.metadata),
		Spans: []span{}}
	if x.Kind == KindTokens {
		d.Place *= int64(x.SymbolBytes)
	}
	if p.length >= 0 {
		d.Length = &p.length
	}
	switch {
	case p.text != nil:
		gram, _ := bytesOf(r.gram)
		text, needle := whole(p.text, p.needle, len(gram))
		d.Needle, d.Shown = needle, len(text)
		if !bytes.HasPrefix(text[needle:], gram) {
			gram = nil // the place is that of another query
		}
		shown := valid(text)
		d.Text = &shown
		d.Spans = spansOf(valid(text[:needle]), valid(gram), valid(text[needle+len(gram):]))
	case p.symbols != nil && r.several():
		d.IDs, d.Shown, d.Spans = p.symbols, len(p.symbols), spansOfClauses(p.symbols, r.cnf)
	case p.symbols != nil:
		d.IDs, d.Shown = p.symbols, len(p.symbols)
		length := 0
		if rest := p.symbols[p.needle:]; len(rest) >= len(r.gram) && equal(rest[:len(r.gram)], r.gram) {
			length = len(r.gram)
		}
		d.Spans = spansOf(numbersOf(p.symbols[:p.needle]), numbersOf(p.symbols[p.needle:p.needle+length]),
			numbersOf(p.symbols[p.needle+length:]))
	}
	return d, nil
}

func equal(a, b []uint32) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// spansOf are the pieces that are not empty.
func spansOf(before, needle, after string) []span {
	list := []span{}
	for i, text := range []string{before, needle, after} {
		if text != "" {
			list = append(list, span{text, []int{-1, 0, -1}[i]})
		}
	}
	return list
}

// numbersOf are symbols as people read them.
func numbersOf(symbols []uint32) string {
	var b []byte
	for i, symbol := range symbols {
		if i > 0 {
			b = append(b, ' ')
		}
		b = strconv.AppendUint(b, uint64(symbol), 10)
	}
	return string(b)
}

// whole leaves out characters that are cut at the ends of a passage, but nothing of a needle of so many bytes. It keeps
// text that is not UTF-8.
func whole(text []byte, needle, length int) ([]byte, int) {
	from := 0
	for from < min(needle, utf8.UTFMax-1) && !utf8.RuneStart(text[from]) {
		from++
	}
	end := len(text)
	for k := 1; k <= min(end-needle-length, utf8.UTFMax); k++ {
		if c := text[end-k]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(text[end-k:]) {
				end -= k
			}
			break
		}
	}
	return text[from:end], needle - from
}

// valid is text of UTF-8, in which U+FFFD stands for other bytes.
func valid(text []byte) string { return strings.ToValidUTF8(string(text), "\ufffd") }
