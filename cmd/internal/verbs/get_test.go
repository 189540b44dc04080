package verbs

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"index/suffixarray"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/internal/infinigrammini"
	"github.com/suffixcl/suffixcl/internal/sdsl"
)

// putMini writes the index of documents, by definition, and returns its text.
func putMini(t *testing.T, dir, name string, documents []string, zero bool) []byte {
	var lines bytes.Buffer
	for i, text := range documents {
		quoted, err := json.Marshal(text)
		require.NoError(t, err)
		fmt.Fprintf(&lines, "{\"text\": %s, \"id\": \"%s-%d\"}\n", quoted, name, i)
	}
	var c infinigrammini.Corpus
	require.NoError(t, c.AddLines("lines", "c.jsonl", &lines, "text"))
	require.NoError(t, c.Finish(zero))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, name), 0o777))
	for of, text := range map[string][]byte{"data.fm9": c.Data, "meta.fm9": c.Meta} {
		sa, n := suffixArray(text), len(text)
		rows, transform := make([]uint64, n), make([]byte, n)
		for row, i := range sa {
			rows[i] = uint64(row)
			transform[row] = text[(int(i)+n-1)%n]
		}
		x, err := sdsl.Encode(t.Context(), sdsl.Parts{Transform: transform,
			Rows:   func(k int) uint64 { return uint64(sa[k*32]) },
			Places: func(k int) uint64 { return rows[k*64] }})
		require.NoError(t, err)
		var b bytes.Buffer
		require.NoError(t, x.Write(&b))
		clitest.Put(t, dir, name+"/"+of, b.Bytes())
	}
	clitest.Put(t, dir, name+"/data_offset", encode(c.DataOffsets, 8))
	clitest.Put(t, dir, name+"/meta_offset", encode(c.MetaOffsets, 8))
	return c.Data
}

// documentsOf are random documents of some words.
func documentsOf(rng *rand.Rand, n int) (documents []string) {
	for range n {
		var words []string
		for range rng.IntN(60) {
			words = append(words, []string{"the", "quick", "brown", "fox", "漢字", "é\n", "\"q\"", "a"}[rng.IntN(8)])
		}
		documents = append(documents, strings.Join(words, " "))
	}
	return documents
}

// host has no device: what is asked needs none.
func host(args ...string) []string { return append(args, "--device", "none-such", "-q") }

// Counts, places and documents of an index of infini-gram mini are those of its text.
func TestMiniSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(66, 20))
	dir := t.TempDir()
	documents := documentsOf(rng, 40)
	text := putMini(t, dir, "index/00", documents[:25], true)
	text = append(text, putMini(t, dir, "index/01", documents[25:], false)...)
	places := func(pattern string) (list []int) {
		if pattern == "" {
			return nil
		}
		second := bytes.IndexByte(text, 0xfa) + 2 // where the other shard begins
		list = suffixarray.New(text[:second]).Lookup([]byte(pattern), -1)
		for _, place := range suffixarray.New(text[second:]).Lookup([]byte(pattern), -1) {
			list = append(list, second+place)
		}
		slices.Sort(list)
		return list
	}
	patterns := []string{"the", " quick", "漢", "absent", "fox\xfffox", "\xff", "\xfa", "\x00", "\n", "q\"", "a"}
	var lines, counts, located strings.Builder
	for range 300 {
		at := rng.IntN(len(text) - 1)
		pattern := string(text[at:min(len(text)-1, at+1+rng.IntN(12))])
		if !strings.ContainsAny(pattern, "\n\r\t\\") {
			patterns = append(patterns, pattern)
		}
	}
	for _, pattern := range patterns {
		if strings.ContainsAny(pattern, "\n\r") {
			continue
		}
		lines.WriteString(pattern + "\n")
		list := places(pattern)
		fmt.Fprintf(&counts, "%s\t%d\n", pattern, len(list))
		for _, place := range list {
			fmt.Fprintf(&located, "%s\t%d\n", pattern, place)
		}
	}
	clitest.Put(t, dir, "patterns", []byte(lines.String()))
	good := func(args ...string) string { return clitest.Good(t, dir, host(args...)...).Out }
	assert.Equal(t, counts.String(), good("count", "index", "--patterns", "patterns", "--queries", "lines", "--check"))
	assert.Equal(t, located.String(), good("locate", "index", "--patterns", "patterns", "--queries", "lines"))
	assert.Equal(t, located.String(),
		good("locate", "index/00", "--shard", "index/01", "--patterns", "patterns", "--queries", "lines"))
	n := len(places("the"))
	assert.Equal(t, fmt.Sprintf("the\t%d\n\t0\n\\n\t%d\n", n, len(places("\n"))), good("count", "index", "the", "", "\n"))
	clitest.Put(t, dir, "a.fa", []byte(">x\nthe\n>y\nquick\n"))
	assert.Equal(t, fmt.Sprintf("x\t%d\ny\t%d\n", n, len(places("quick"))), good("count", "index", "--patterns", "a.fa"))
	first := places("the")[0]
	assert.Equal(t, fmt.Sprintf("index\t%d\t%d\tthe\t0\t+\n", first, first+3),
		strings.SplitAfter(good("locate", "index", "the", "--format", "bed"), "\n")[0])
	assert.Equal(t, fmt.Sprintf("the\t*\t%d\n", n), good("locate", "index", "the", "--max-hits", "3"))
	assert.Equal(t, 3, strings.Count(good("locate", "index", "the", "--max", "3"), "\n"))

	var told []map[string]any
	for line := range strings.Lines(good("locate", "index", "the", "\xff", "--documents", "--context", "6")) {
		var object map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &object), line)
		told = append(told, object)
	}
	require.Len(t, told, n+40)
	for i, place := range places("the") {
		d := int(told[i]["document"].(float64))
		in, shard := d, "index/00"
		if d >= 25 {
			in, shard = d-25, "index/01"
		}
		at := int(told[i]["place"].(float64))
		require.EqualValues(t, place, told[i]["position"])
		require.Equal(t, "the", documents[d][at:at+3])
		require.EqualValues(t, len(documents[d]), told[i]["length"])
		require.Equal(t, map[string]any{"path": "c.jsonl", "linenum": float64(in),
			"metadata": map[string]any{"id": fmt.Sprintf("%s-%d", shard, in)}}, told[i]["metadata"])
		require.True(t, strings.HasSuffix(documents[d][:at], told[i]["before"].(string)))
		require.True(t, strings.HasPrefix(documents[d][at+3:], told[i]["after"].(string)))
	}
	for d, object := range told[n:] {
		require.EqualValues(t, d, object["document"])
		require.EqualValues(t, -1, object["place"])
	}
	r := clitest.Good(t, dir, "count", "index", "the", "--json")
	assert.Contains(t, r.Errors, `"records": 40,`)
	assert.Contains(t, r.Errors, `"device": "",`)
	assert.Contains(t, clitest.Good(t, dir, "count", "index", "the").Errors, "40 records")
}

// What is read back is the text, and each document with what is known of it.
func TestGet(t *testing.T) {
	rng := rand.New(rand.NewPCG(66, 21))
	dir := t.TempDir()
	documents := append(documentsOf(rng, 30), "", strings.Repeat("long 漢 ", 2000))
	text := putMini(t, dir, "a/0", documents, false)
	putMini(t, dir, "a/1", []string{"one", "two"}, true)
	good := func(args ...string) string { return clitest.Good(t, dir, args...).Out }
	line := func(args ...string) (object map[string]any) {
		require.NoError(t, json.Unmarshal([]byte(good(args...)), &object))
		return object
	}
	for d, want := range documents {
		assert.Equal(t, want, good("get", "a", "--document", fmt.Sprint(d), "--format", "text"))
	}
	object := line("get", "a", "--document", "33")
	assert.Equal(t, map[string]any{"document": 33.0, "name": nil, "position": float64(len(text) + 5), "length": 3.0,
		"metadata": map[string]any{"path": "c.jsonl", "linenum": 1.0, "metadata": map[string]any{"id": "a/1-1"}},
		"text":     "two"}, object)
	assert.Equal(t, object, line("get", "a", "--at", fmt.Sprint(len(text)+6)))
	assert.Equal(t, "{\"path\": \"c.jsonl\", \"linenum\": 0, \"metadata\": {\"id\": \"a/0-0\"}}\n",
		good("get", "a/0", "--document", "0", "--format", "metadata"))
	whole := fmt.Sprintf("0-%d", len(text)+4)
	assert.Equal(t, string(text)+"\xffone", good("get", "a", "--range", whole, "--format", "text"))
	assert.Equal(t, "�", line("get", "a", "--range", "0-1")["text"])
	assert.Equal(t, 3, strings.Count(good("get", "a", "--document", "1", "--document", "2", "--range", "4-9"), "\n"))
	var r getReport
	out := clitest.Good(t, dir, "get", "a", "--range", "7-9", "-o", "out", "--json").Out
	require.NoError(t, json.Unmarshal([]byte(out), &r))
	r.Seconds.Total = 0
	assert.Equal(t, getReport{Verb: "get", File: "a", Bytes: int64(len(text)) + 10, Records: 34, Output: "out", Parts: 1,
		Read: 2}, r)

	require.NoError(t, os.Mkdir(filepath.Join(dir, "alone"), 0o777))
	clitest.Put(t, dir, "alone/data.fm9", clitest.Get(t, dir, "a/0/data.fm9"))
	clitest.Put(t, dir, "renamed", clitest.Get(t, dir, "a/0/data.fm9"))
	clitest.Put(t, dir, "short.fm9", []byte("short"))
	assert.Equal(t, good("count", "a/0", "the", "-q"), good("count", "alone", "the", "-q"))
	assert.Equal(t, good("locate", "a/0", "the", "-q"), good("locate", "renamed", "the", "-q"))
	for args, want := range map[string]string{
		"get a --document 34":               "a: there is no document 34: the index has 34, from 0",
		"get a --at 999999":                 "a: there is no byte 999999",
		"get a --range 5-999999":            "a: there are no bytes 5 to 999999",
		"get alone --document 0":            "alone: there is no data_offset, so it is not known where documents begin",
		"locate alone the --documents":      "there is no data_offset",
		"get nothing --document 0":          "cannot read nothing: no such file or directory",
		"count short.fm9 the":               "cannot read short.fm9: not an index of infini-gram mini: byte 0: the file ends",
		"plan count a":                      "a: an index of infini-gram mini takes no device",
		"get a/0/data_offset --document 0":  "a/0/data_offset: not a usable index",
		"count a the --shard alone/missing": "alone/missing: no such file",
	} {
		r := clitest.Run(t, dir, strings.Fields(args)...)
		assert.Equal(t, cli.ExitFailed, r.Code, args)
		assert.Contains(t, r.Errors, want, args)
	}
	clitest.CheckUsage(t, dir, []string{"get", "a"}, []string{"get", "a", "--range", "9"},
		[]string{"get", "a", "--range", "9-5"}, []string{"get", "a", "--document", "-1"}, []string{"get", "a", "--at", "x"},
		[]string{"get", "a", "--range", "1-2", "--format", "metadata"}, []string{"get", "a", "--record", "x"},
		[]string{"count", "a", "the", "--both"}, []string{"count", "a", "the", "--symbols", "u16"},
		[]string{"locate", "a", "the", "--context", "5"}, []string{"locate", "a", "the", "--max", "-1"},
		[]string{"count", "x.fmi", "the", "--shard", "a"}, []string{"get", "x.fmi", "--at", "1", "--check"})

	if !clitest.HasDevice() {
		return
	}
	clitest.Put(t, dir, "x.fa", []byte(">a\nACGTNNNNACGT\n>b c\nGGGTTTAACC\n"))
	for _, flags := range [][]string{{"--input", "fasta"}, {"--input", "fasta", "--dna", "--sample", "0"}} {
		clitest.Good(t, dir, append([]string{"index", "x.fa", "-o", "x.fmi", "-q"}, flags...)...)
		assert.Equal(t, "GGGTTTAACC", good("get", "x.fmi", "--record", "b", "--format", "text"))
		assert.Equal(t, "ACGTNNNNACGT", line("get", "x.fmi", "--document", "0")["text"])
		assert.Equal(t, "b", line("get", "x.fmi", "--at", "15")["name"])
		assert.Equal(t, "NNAC", good("get", "x.fmi", "--range", "6-10", "--format", "text"))
	}
	for args, want := range map[string]string{
		"get x.fmi --document 2":                   "x.fmi: there is no record 2",
		"get x.fmi --record z":                     `x.fmi: no record is called "z"`,
		"get x.fmi --at 12":                        "x.fmi: position 12 is in no record",
		"get x.fmi --range 0-99":                   "x.fmi: there are no bytes 0 to 99",
		"get x.fmi --document 0 --format metadata": "x.fmi: an index of records has no metadata",
	} {
		assert.Contains(t, clitest.Run(t, dir, strings.Fields(args)...).Errors, want, args)
	}
	clitest.Good(t, dir, "index", "x.fa", "-o", "x.fmi", "-q", "--input", "fasta")
	assert.Equal(t, `{"query": "ACGT", "position": 8, "document": 0, "place": 8, "length": 12, "name": "a", `+
		`"metadata": null}`, strings.Split(good("locate", "x.fmi", "ACGT", "--documents", "-q"), "\n")[1])
	assert.Equal(t, "ACGT\ta:0\n", good("locate", "x.fmi", "ACGT", "--max", "1", "-q"))
	clitest.Good(t, dir, "index", "x.fa", "-o", "x.fmi", "-q", "--symbols", "u32", "--raw")
	assert.Contains(t, clitest.Run(t, dir, "get", "x.fmi", "--range", "0-1").Errors, "symbols of 32 bits")
}

// A damaged file is an error, or what is told is right.
func TestDamagedMini(t *testing.T) {
	rng := rand.New(rand.NewPCG(66, 22))
	dir := t.TempDir()
	documents := documentsOf(rng, 12)
	putMini(t, dir, "x", documents, false)
	ask := map[string]string{}
	questions := []string{"count x the fox é", "locate x quick --documents", "get x --document 7 --document 3"}
	for _, q := range questions {
		ask[q] = clitest.Good(t, dir, append(strings.Fields(q), "-q", "--check")...).Out
	}
	tries := 40
	if os.Getenv("SUFFIXCL_SOAK") != "" {
		tries = 500
	}
	refused := 0
	for k := range tries {
		name := []string{"data.fm9", "data.fm9", "meta.fm9", "data_offset", "meta_offset"}[rng.IntN(5)]
		whole := clitest.Get(t, dir, "x/"+name)
		data := slices.Clone(whole)
		switch rng.IntN(4) {
		case 0:
			data = data[:rng.IntN(len(data))]
		case 1:
			data[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
		case 2:
			data[rng.IntN(len(data))] = byte(rng.IntN(256))
		default:
			binary.LittleEndian.PutUint64(data[rng.IntN(len(data)-8):], rng.Uint64())
		}
		clitest.Put(t, dir, "x/"+name, data)
		q := questions[k%len(questions)]
		r := clitest.Run(t, dir, append(strings.Fields(q), "-q", "--check")...)
		if r.Code == cli.ExitFailed {
			refused++
			assert.Contains(t, r.Errors, "x/", q)
		} else if assert.Equal(t, cli.ExitDone, r.Code, "%s, %s: %s", q, name, r.Errors) {
			assert.Equal(t, ask[q], r.Out, "%s, %s", q, name)
		}
		clitest.Run(t, dir, append(strings.Fields(q), "-q")...) // which ends
		clitest.Put(t, dir, "x/"+name, whole)
	}
	assert.Greater(t, refused, tries/2)
}
