package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/infinigrammini"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/seqio"
)

// oracle is the symbols of each shard.
type oracle [][]uint32

// places are where a gram occurs in a shard; the empty one before each symbol.
func (o oracle) places(s int, gram []uint32) (list []int) {
	for i := range o[s] {
		if len(o[s])-i >= len(gram) && slices.Equal(o[s][i:i+len(gram)], gram) {
			list = append(list, i)
		}
	}
	return list
}

func (o oracle) count(gram []uint32) (n int) {
	for s := range o {
		n += len(o.places(s, gram))
	}
	return n
}

func (o oracle) next(gram []uint32) map[uint32]int {
	counts := map[uint32]int{}
	for s := range o {
		for _, at := range o.places(s, gram) {
			if at+len(gram) < len(o[s]) {
				counts[o[s][at+len(gram)]]++
			}
		}
	}
	return counts
}

func (o oracle) longest(prompt []uint32) []uint32 {
	for o.count(prompt) == 0 {
		prompt = prompt[1:]
	}
	return prompt
}

// checkSymbols compares what an index tells of a gram with the oracle. ids sends numbers, not text.
func checkSymbols(t *testing.T, a *asking, index string, o oracle, gram []uint32, ids bool) {
	t.Helper()
	with := func(more map[string]any) map[string]any {
		all := map[string]any{"query_ids": gram}
		if !ids {
			text, _ := bytesOf(gram)
			all = map[string]any{"query": string(text)}
		}
		for name, value := range more {
			all[name] = value
		}
		return all
	}
	got := a.ask("count", index, with(nil))
	require.EqualValues(t, o.count(gram), got["count"], "%s %v", index, gram)
	require.Equal(t, false, got["approx"])
	if _, repeated := got["token_ids"]; len(gram) > 0 {
		require.Equal(t, ids, repeated)
	}

	checkNext := func(kind string, prompt []uint32) {
		got := a.ask(kind, index, with(map[string]any{"max_support": 10}))
		n := o.count(prompt)
		require.EqualValues(t, n, got["prompt_cnt"])
		want := map[string]any{}
		for token, count := range o.next(prompt) {
			one := map[string]any{"cont_cnt": float64(count), "prob": float64(count) / float64(n)}
			if index != "tokens" {
				one["token"] = string(rune(token))
			}
			want[fmt.Sprint(token)] = one
		}
		require.Equal(t, want, got["result_by_token_id"])
		if kind == "infgram_ntd" {
			require.EqualValues(t, len(prompt), got["suffix_len"])
		}
	}
	checkNext("ntd", gram)
	checkNext("infgram_ntd", o.longest(gram))
	if len(gram) == 0 {
		return
	}
	checkProb := func(kind string, prompt []uint32) {
		got := a.ask(kind, index, with(nil))
		n, m := o.count(prompt), o.count(gram[len(gram)-1-len(prompt):])
		require.EqualValues(t, n, got["prompt_cnt"])
		require.EqualValues(t, m, got["cont_cnt"])
		if n == 0 {
			require.EqualValues(t, -1, got["prob"])
		} else {
			require.Equal(t, float64(m)/float64(n), got["prob"])
		}
		if kind == "infgram_prob" {
			require.EqualValues(t, len(prompt), got["suffix_len"])
			if text, _ := bytesOf(prompt); index != "tokens" && utf8.Valid(text) {
				require.Equal(t, string(text), got["longest_suffix"])
			}
		}
	}
	checkProb("prob", gram[:len(gram)-1])
	checkProb("infgram_prob", o.longest(gram[:len(gram)-1]))

	got = a.ask("find", index, with(nil))
	require.EqualValues(t, o.count(gram), got["cnt"])
	segments := got["segment_by_shard"].([]any)
	require.Len(t, segments, len(o))
	scale := 1
	if index == "tokens" {
		scale = 2
	}
	for s := range o {
		segment := segments[s].([]any)
		var places []int
		for rank := int(segment[0].(float64)); rank < int(segment[1].(float64)) && len(places) < 3; rank++ {
			doc := a.ask("get_doc_by_rank", index, with(map[string]any{"s": s, "rank": rank}))
			places = append(places, int(doc["ptr"].(float64))/scale)
			require.Equal(t, doc["ptr"], a.ask("get_doc_by_ptr", index, with(map[string]any{"s": s, "ptr": doc["ptr"]}))["ptr"])
		}
		want := o.places(s, gram)
		require.EqualValues(t, len(want), segment[1].(float64)-segment[0].(float64))
		for _, place := range places {
			require.Contains(t, want, place)
		}
	}
}

var documents = [][]string{
	{"the quick brown fox", "", "jumps over the lazy dog\nthe end", "é 漢 the 漢", "the"},
	{"over and over and over", "the fox"},
}

// grams are pieces of the oracle, and others that hardly occur.
func grams(o oracle, rng *rand.Rand, many int) (list [][]uint32) {
	list = [][]uint32{{}}
	for range many {
		shard := o[rng.IntN(len(o))]
		at := rng.IntN(len(shard))
		gram := slices.Clone(shard[at:min(at+1+rng.IntN(6), len(shard))])
		if rng.IntN(3) == 0 {
			gram[rng.IntN(len(gram))] ^= 1
		}
		list = append(list, gram)
	}
	return list
}

// What tables of tokens tell is what their documents have.
func TestTokens(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tokens")
	rng := rand.New(rand.NewPCG(1, 2))
	var o oracle
	var sizes [][]int
	for s := range 2 {
		var docs [][]uint32
		var lengths []int
		for range 8 {
			doc := make([]uint32, rng.IntN(20))
			for i := range doc {
				doc[i] = uint32(rng.IntN(4) + 255*rng.IntN(2))
			}
			docs, lengths = append(docs, doc), append(lengths, len(doc))
		}
		o, sizes = append(o, writeShard(t, dir, s, docs, true)), append(sizes, lengths)
	}
	a := serving(t, usual(), OpenOptions{}, dir)
	for _, gram := range append(grams(o, rng, 40), []uint32{separator}, []uint32{7, 7, 7}) {
		checkSymbols(t, a, "tokens", o, gram, true)
	}

	// Passages: half before the place, half from it on, within its document.
	for s := range o {
		at, doc := 0, s*len(sizes[0])
		for _, length := range sizes[s] {
			for i := range length {
				place := at + 1 + i
				got := a.ask("get_doc_by_ptr", "tokens", map[string]any{"s": s, "ptr": 2 * place, "max_disp_len": 7,
					"query_ids": o[s][place : place+1]})
				low, high := max(place-3, at+1), min(place+4, at+1+length)
				require.EqualValues(t, doc, got["doc_ix"])
				require.EqualValues(t, length, got["doc_len"])
				require.EqualValues(t, high-low, got["disp_len"])
				require.EqualValues(t, place-low, got["needle_offset"])
				for k, token := range got["token_ids"].([]any) {
					require.EqualValues(t, o[s][low+k], token)
				}
				require.Contains(t, got["spans"], []any{fmt.Sprint(o[s][place]), "0"})
			}
			at += 1 + length
			doc++
		}
	}
	assert.Equal(t, a.ask("count", "tokens", map[string]any{"query_ids": []int{1}})["count"],
		a.ask("count", "tokens", map[string]any{"query_ids": [][][]int{{{1}}}})["count"])

	// Without offsets a shard is one document.
	require.NoError(t, os.Remove(shardFile(dir, "offset", 1)))
	a = serving(t, usual(), OpenOptions{}, dir)
	got := a.ask("get_doc_by_ptr", "tokens", map[string]any{"s": 1, "ptr": 0, "max_disp_len": 3})
	assert.Nil(t, got["doc_ix"])
	assert.EqualValues(t, len(o[1]), got["doc_len"])
}

// What indexes of infini-gram mini tell is what their documents have.
func TestFM9(t *testing.T) {
	dir := t.TempDir()
	var o oracle
	for s, docs := range documents {
		o = append(o, symbolsOf(writeFM9(t, filepath.Join(dir, "mini", fmt.Sprint(s)), docs)))
	}
	a := serving(t, usual(), OpenOptions{}, filepath.Join(dir, "mini"))
	rng := rand.New(rand.NewPCG(3, 4))
	for _, gram := range grams(o, rng, 30) {
		if slices.Contains(gram, infinigrammini.End) {
			continue // the text goes round there
		}
		checkSymbols(t, a, "mini", o, gram, true)
	}
	for _, text := range []string{"", "the", "the ", "over and", "漢", "nothing like it", "\n"} {
		checkSymbols(t, a, "mini", o, symbolsOf([]byte(text)), false)
	}

	// Every occurrence is shown with its document, whatever is shown around it.
	number := 0
	for s, docs := range documents {
		found := a.ask("find", "mini", map[string]any{"query": "the"})["segment_by_shard"].([]any)[s].([]any)
		var texts []string
		for rank := found[0].(float64); rank < found[1].(float64); rank++ {
			for _, around := range []int{1, 2, 5, 100} {
				got := a.ask("get_doc_by_rank", "mini",
					map[string]any{"query": "the", "s": s, "rank": rank, "max_ctx_len": around})
				text, needle := got["text"].(string), int(got["needle_offset"].(float64))
				doc := docs[int(got["doc_ix"].(float64))-number]
				require.True(t, utf8.ValidString(text))
				require.Contains(t, doc, text)
				require.Equal(t, "the", text[needle:needle+3])
				require.EqualValues(t, len(doc), got["doc_len"])
				require.EqualValues(t, len(text), got["disp_len"])
				require.LessOrEqual(t, len(text), 3+2*around)
				require.Contains(t, got["metadata"], fmt.Sprintf(`"metadata": {"id": %d}`, int(got["doc_ix"].(float64))-number))
				var spans strings.Builder
				for _, span := range got["spans"].([]any) {
					spans.WriteString(span.([]any)[0].(string))
				}
				require.Equal(t, text, spans.String())
				if around == 100 {
					require.Equal(t, doc, text)
					texts = append(texts, doc)
				}
			}
		}
		require.Len(t, texts, strings.Count(strings.Join(docs, "\n"), "the"))
		number += len(docs)
	}
}

// What FM-indexes on a device tell is what their text has.
func TestFMI(t *testing.T) {
	e, dir := enginetest.On(t, suffixcl.EngineOptions{}), t.TempDir()
	text := []byte(strings.Join(documents[0], "\n") + "\xff\xfe\n" + strings.Join(documents[1], "\n"))
	sampled := suffixcl.IndexOptions{SampleEvery: 4}
	plain, named := filepath.Join(dir, "a.text.fmi"), filepath.Join(dir, "b.fmi")
	writeFMI(t, e, plain, suffixcl.Bytes(text), sampled)
	put(t, filepath.Join(dir, "text"), text)
	table := seqio.Table{{Name: "one", Length: 4}, {Name: "two", Offset: 5, Length: 3}}
	bases := suffixcl.IndexOptions{SampleEvery: 1, DNA: true, Records: table}
	writeFMI(t, e, named, suffixcl.Bytes([]byte("ACGT\nACG")), bases)
	writeFMI(t, e, filepath.Join(dir, "counts.fmi"), suffixcl.Bytes(text), suffixcl.IndexOptions{})
	writeFMI(t, e, filepath.Join(dir, "wide.fmi"), suffixcl.Tokens16([]uint16{7, 300, 7, 300, 8}), sampled)
	a := serving(t, usual(), OpenOptions{
		Engine: func() (*suffixcl.Engine, error) { return e, nil }, TextFile: filepath.Join(dir, "text"), MaxHits: 9,
	}, plain, named, filepath.Join(dir, "counts.fmi"), filepath.Join(dir, "wide.fmi"))
	o := oracle{symbolsOf(text)}
	rng := rand.New(rand.NewPCG(5, 6))
	for _, gram := range grams(o, rng, 15) {
		if o.count(gram) <= 9 {
			checkSymbols(t, a, "a.text.fmi", o, gram, true)
		}
	}
	got := a.ask("get_doc_by_rank", "a.text.fmi", map[string]any{"query": "lazy", "s": 0, "rank": 0, "max_ctx_len": 4})
	assert.Equal(t, "the lazy dog", got["text"])
	assert.Equal(t, []any{[]any{"the ", nil}, []any{"lazy", "0"}, []any{" dog", nil}}, got["spans"])
	assert.EqualValues(t, bytes.Index(text, []byte("lazy")), got["ptr"])

	got = a.ask("get_doc_by_rank", "b.fmi", map[string]any{"query": "cg", "s": 0, "rank": 1})
	assert.EqualValues(t, 1, got["doc_ix"])
	assert.EqualValues(t, 6, got["ptr"])
	assert.EqualValues(t, 3, got["doc_len"])
	assert.Equal(t, `{"name":"two"}`, got["metadata"])
	assert.Empty(t, got["spans"])
	assert.NotContains(t, got, "text")

	wide := map[string]any{"query_ids": []int{7, 300}}
	assert.EqualValues(t, 2, a.ask("count", "wide.fmi", wide)["count"])
	assert.EqualValues(t, 5, a.ask("count", "wide.fmi", map[string]any{"query_ids": []int{}})["count"])
	wide["query_ids"] = []int{9, 7, 300}
	assert.EqualValues(t, 1, a.ask("infgram_prob", "wide.fmi", wide)["suffix_len"])

	for body, why := range map[string]string{
		`{"index":"counts.fmi","query_type":"get_doc_by_rank","s":0,"rank":0,"query":"the"}`:  "--sample 0",
		`{"index":"a.text.fmi","query_type":"get_doc_by_rank","s":0,"rank":0,"query":" "}`:    "only up to 9 are located",
		`{"index":"a.text.fmi","query_type":"get_doc_by_rank","s":0,"rank":9,"query":"the"}`:  "occurs",
		`{"index":"a.text.fmi","query_type":"get_doc_by_rank","s":0,"rank":9999}`:             "needs the query",
		`{"index":"wide.fmi","query_type":"ntd","query_ids":[7]}`:                             "a table of tokens does",
		`{"index":"wide.fmi","query_type":"count","query":"7"}`:                               "it takes query_ids",
		`{"index":"wide.fmi","query_type":"count","query_ids":[70000]}`:                       "more than the 2 bytes",
		`{"index":"a.text.fmi","query_type":"get_doc_by_ptr","s":0,"ptr":9999,"query":"the"}`: "symbols",
		`{"index":"b.fmi","query_type":"get_doc_by_ptr","s":0,"ptr":4}`:                       "no record has symbol 4",
	} {
		assert.Contains(t, a.refused(400, body), why, body)
	}
	var list []map[string]any
	_, body := a.get("/indexes")
	require.NoError(t, json.Unmarshal([]byte(body), &list))
	require.Len(t, list, 4)
	assert.Equal(t, map[string]any{"name": "wide.fmi", "kind": "fmi", "symbols": 5.0, "symbol_bytes": 2.0, "shards": 1.0,
		"text": false}, list[3])
}
