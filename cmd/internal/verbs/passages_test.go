package verbs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// passageRows are the lines of a document by definition: what one of the texts has, and not with a letter more. With
// places a line ends with all places of the passage, as place writes them.
func passageRows(name, document string, texts []string, length int, place func(text, at int) string) (rows []string) {
	n := len(document)
	occurs := func(start, end int) (places []string) {
		if start < 0 || end > n {
			return nil
		}
		for k, text := range texts {
			for at := 0; at+end-start <= len(text); at++ {
				if text[at:at+end-start] == document[start:end] {
					places = append(places, place(k, at))
				}
			}
		}
		return places
	}
	for start := range n {
		for end := start + length; end <= n; end++ {
			if p := occurs(start, end); p != nil && occurs(start-1, end) == nil && occurs(start, end+1) == nil {
				slices.Sort(p)
				rows = append(rows, fmt.Sprintf("%s\t%d\t%d\t%d\t%s", name, start, end, len(p), strings.Join(p, ",")))
			}
		}
	}
	return rows
}

// sortedPlaces are lines with the places of each in the order of their letters.
func sortedPlaces(out string) (rows []string) {
	for row := range strings.Lines(out) {
		at := strings.LastIndexByte(row, '\t') + 1
		places := strings.Split(strings.TrimSuffix(row[at:], "\n"), ",")
		slices.Sort(places)
		rows = append(rows, row[:at]+strings.Join(places, ","))
	}
	return rows
}

// All indexes and inputs have the passages of the definition, with their places.
func TestPassages(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	texts := []string{"the-cat-sat-on-the-mat", "a-cat-on-a-mat-sat", "matters-of-mats-on-the-cat-sat"}
	documents := []string{"the-cat-sat-on-a-mat", "", "catcatcat-on-the-mats", "zz", "on-the-mat-sat-on-the-mat"}
	want := func(name func(k int) string, place func(text, at int) string) (rows []string) {
		for k, d := range documents {
			rows = append(rows, passageRows(name(k), d, texts, 3, place)...)
		}
		return rows
	}
	ask := func(args ...string) []string {
		args = append([]string{"passages"}, append(args, "-l", "3", "--places", "99", "-q")...)
		return sortedPlaces(clitest.Good(t, dir, args...).Out)
	}
	line := func(k int) string { return fmt.Sprintf("documents:%d", k+1) }
	clitest.Put(t, dir, "documents", []byte(strings.Join(documents, "\r\n")))

	fasta, objects, tokens, ids, file := "", "", []uint32{}, "", "\ufeff"
	var offsets []uint64
	for k, text := range texts {
		fasta += fmt.Sprintf(">t%d\n%s\n", k, text)
		objects += fmt.Sprintf("{\"text\": %q}\n", text)
		offsets, tokens = append(offsets, uint64(2*len(tokens))), append(tokens, 65535)
		for _, c := range text {
			tokens = append(tokens, uint32(c)+300)
		}
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "files"), 0o777))
	for k, d := range documents {
		file += fmt.Sprintf("{\"id\": %d, \"body\": %q}\n", k, d)
		clitest.Put(t, dir, fmt.Sprint("files/", k), []byte(d))
		var list []string
		for _, c := range d {
			list = append(list, strconv.Itoa(int(c)+300))
		}
		ids += strings.Join(list, []string{" ", ",", ", "}[k%3]) + "\n"
	}
	clitest.Put(t, dir, "texts.fa", []byte(fasta))
	clitest.Put(t, dir, "texts.jsonl", []byte(objects))
	clitest.Put(t, dir, "documents.jsonl", []byte(file))
	clitest.Put(t, dir, "ids", []byte(ids))

	clitest.Good(t, dir, "index", "texts.fa", "--sample", "4", "-o", "fmi", "-q")
	record := func(text, at int) string { return fmt.Sprintf("t%d:%d", text, at) }
	assert.Equal(t, want(line, record), ask("fmi", "documents", "--input", "lines"))
	assert.Equal(t, want(func(k int) string { return fmt.Sprint("files/", k) }, record), ask("fmi", "files"))

	clitest.Good(t, dir, "build", "infini-gram-mini", "texts.jsonl", "mini", "-q")
	number := func(text, at int) string { return fmt.Sprintf("%d:%d", text, at) }
	for _, index := range []string{"mini", "mini/data.fm9"} {
		assert.Equal(t, want(func(k int) string { return fmt.Sprintf("documents.jsonl:%d", k+1) }, number),
			ask(index, "documents.jsonl", "--field", "body"))
	}
	lines := bytes.SplitAfter(clitest.Get(t, dir, "texts.jsonl"), []byte("\n"))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "shards"), 0o777))
	for k, shard := range [][][]byte{lines[:2], lines[2:]} {
		clitest.Put(t, dir, "part.jsonl", bytes.Join(shard, nil))
		clitest.Good(t, dir, "build", "infini-gram-mini", "part.jsonl", fmt.Sprintf("shards/%02d", k), "-q")
	}
	assert.Equal(t, want(line, number), ask("shards", "documents", "--input", "lines"))
	require.NoError(t, os.Rename(filepath.Join(dir, "mini/data.fm9"), filepath.Join(dir, "alone.fm9")))
	assert.Equal(t, want(line, func(text, at int) string {
		return strconv.Itoa(len(strings.Join(texts[:text], "")) + text + 1 + at)
	}), ask("alone.fm9", "documents", "--input", "lines"))

	require.NoError(t, os.Mkdir(filepath.Join(dir, "grams"), 0o777))
	clitest.Put(t, dir, "grams/tokenized.0", tokenFile(tokens, 2))
	clitest.Put(t, dir, "grams/offset.0", encode(offsets, 8))
	clitest.Good(t, dir, "tokens", "grams", "-q")
	gram := func(k int) string { return fmt.Sprintf("ids:%d", k+1) }
	assert.Equal(t, want(gram, func(text, at int) string { return "0:" + number(text, at) }), ask("grams", "ids"))
	clitest.Put(t, dir, "bin", tokenFile(tokens, 4))
	clitest.Good(t, dir, "tokens", "bin", "--format", "tokengrams", "--token", "u32", "-o", "pile.idx", "-q")
	assert.Equal(t, want(gram, func(text, at int) string { return strconv.Itoa(int(offsets[text])/2 + 1 + at) }),
		ask("pile.idx", "--tokens", "bin", "--token", "u32", "ids"))
	testPassageFormats(t, dir)
	testPassageErrors(t, dir)
}

// testPassageFormats asks the indexes of a directory for what the other formats have.
func testPassageFormats(t *testing.T, dir string) {
	clitest.Put(t, dir, "one", []byte("the-cat-sat-on-a-mat"))
	ask := func(args ...string) clitest.Result {
		return clitest.Good(t, dir, append([]string{"passages"}, args...)...)
	}
	r := ask("fmi", "one", "-l", "5")
	assert.Equal(t, "one\t0\t15\t1\none\t9\t20\t1\n", r.Out)
	assert.Regexp(t, `^suffixcl: fmi: 1 document, 20 bytes, 100.0% in passages; 2 passages in 1 document, `+
		`the longest of 15 bytes; \d+\.\d\d s\n$`, r.Errors)
	assert.Equal(t, "one\t0\t11\t2\none\t9\t15\t2\n", ask("fmi", "one", "-l", "5", "--min-count", "2", "-q").Out)
	assert.Equal(t, "one\t20\t20\t1.0000\t2\t15\n", ask("fmi", "one", "-l", "5", "--format", "documents", "-q").Out)
	assert.Equal(t, "one\t0\t15\t1\tt0:0\n", ask("fmi", "one", "-l", "12", "--places", "1", "-q").Out)
	assert.Equal(t, "one: 20 bytes, 100.0% in 2 passages, the longest of 15 bytes\n"+
		"  0-15, 1 occurrence: the-cat...\n    at t0:0\n  9-20, 1 occurrence: at-on-a...\n    at t1:3\n",
		ask("fmi", "one", "-l", "5", "--format", "text", "--width", "7", "--places", "3", "-q").Out)
	var line documentPassages
	require.NoError(t, json.Unmarshal([]byte(ask("fmi", "one", "-l", "12", "--format", "jsonl", "-q").Out), &line))
	assert.Equal(t, documentPassages{"one", 20, 15, 15, []onePassage{{0, 15, 1, nil}}}, line)
	clitest.Put(t, dir, "gram", []byte("416 404 401 345 399 397 416"))
	assert.Equal(t, "gram:1: 7 tokens, 100.0% in 1 passage, the longest of 7 tokens\n  0-7, 2 occurrences: 416 404...\n",
		ask("grams", "gram", "-l", "2", "--format", "text", "--width", "9", "-q").Out)

	var told passagesReport
	require.NoError(t, json.Unmarshal([]byte(ask("grams", "ids", "-l", "3", "--json", "-o", "out").Out), &told))
	assert.Equal(t, []any{"infini-gram", int64(73), 5, 3, int64(68)},
		[]any{told.Index, told.Letters, told.Documents, told.WithAny, told.Queried})
	r = ask("fmi", "one")
	assert.Contains(t, r.Errors, "note: no document has 50 bytes, as a passage has")

	// Of DNA other letters match nothing, and case is folded.
	clitest.Put(t, dir, "genome.fa", []byte(">g\nGATTACANNGATTACC\n"))
	clitest.Put(t, dir, "reads.fa", []byte(">a\ngattacann\n>b\nGAUUACC\n"))
	clitest.Good(t, dir, "index", "genome.fa", "--dna", "-o", "dna", "-q")
	assert.Equal(t, "a\t0\t7\t1\tg:0\nb\t0\t7\t1\tg:9\n",
		ask("dna", "reads.fa", "--input", "fasta", "-l", "4", "--places", "2", "-q").Out)
	clitest.Put(t, dir, "read", []byte("gattacannGAUUACC"))
	assert.Equal(t, "read\t0\t7\t1\nread\t9\t16\t1\n", ask("dna", "read", "-l", "4", "-q").Out)
}

// testPassageErrors asks for what there is not.
func testPassageErrors(t *testing.T, dir string) {
	clitest.Good(t, dir, "index", "one", "--sample", "0", "-o", "counts", "-q")
	clitest.Put(t, dir, "u16", tokenFile([]uint32{1, 2, 3}, 2))
	clitest.Good(t, dir, "index", "u16", "--symbols", "u16", "-o", "symbols", "-q")
	clitest.Put(t, dir, "large", []byte("1 2\n70000\n"))
	clitest.Put(t, dir, "separator", []byte("1 65535\n"))
	clitest.Put(t, dir, "broken.fm9", clitest.Get(t, dir, "alone.fm9")[:100])
	clitest.Put(t, dir, "cut", clitest.Get(t, dir, "fmi")[:300])
	require.NoError(t, os.Mkdir(filepath.Join(dir, "nothing"), 0o777))
	for args, want := range map[string]string{
		"fmi one -l -1":                         "--min-length: want 1 or more",
		"fmi one --min-count 0":                 "--min-count: want 1 or more",
		"fmi one --places -1":                   "--places: want 0 or more",
		"fmi one --width 0":                     "--width: want 1 or more",
		"fmi one --places 1 --format documents": "--places does not go with --format documents",
		"- one":                                 "INDEX is a file or a directory, not standard input",
		"fmi":                                   "DOCUMENT is missing",
		"fmi - -":                               "only one of the files can be standard input",
		"fmi fmi":                               "fmi is both the index and a document",
		"fmi files -o files/x":                  "it is inside of files",
		"fmi one --token u8":                    "--token is for an index of tokens: fmi has bytes",
		"grams ids --field x":                   "documents are lines of token ids",
		"grams ids --input lines":               "documents are lines of token ids",
		"pile.idx ids --tokens bin --token u8":  "tokengrams has no --token u8",
	} {
		r := clitest.Run(t, dir, append([]string{"passages"}, strings.Fields(args)...)...)
		assert.Equal(t, cli.ExitUsage, r.Code, args)
		assert.Contains(t, r.Errors, want, args)
	}
	for args, want := range map[string]string{
		"absent one":                            "cannot read absent: no such file",
		"one documents":                         "one: no index: neither a file of \"suffixcl index\"",
		"nothing one":                           "nothing: no index",
		"fmi absent":                            "cannot read absent: no such file",
		"fmi nothing":                           "nothing has no files",
		"fmi one --input fasta":                 "one:1:1: symbol 't' where a record should begin",
		"fmi one --field body":                  "one:1: no JSON object",
		"fmi texts.jsonl --field body":          `texts.jsonl:1: the object has no field "body"`,
		"counts one --places 1":                 "counts: the index has no samples",
		"symbols one":                           "symbols: an index of symbols of 16 bits",
		"broken.fm9 one":                        "broken.fm9: ",
		"cut one":                               "cut: not a usable index: it is cut off",
		"grams ids --token u32":                 "tokenized.0: ",
		"grams documents":                       `documents: line 1: "the-cat-sat-on-a-mat" is no token id`,
		"grams large":                           "large: line 2: token 1 is 70000, which has more than 16 bits",
		"grams separator":                       "separator: line 1: token 2 is 65535, which separates documents",
		"pile.idx ids --tokens u16 --token u32": "the file ends within a token",
	} {
		r := clitest.Run(t, dir, append([]string{"passages"}, strings.Fields(args)...)...)
		assert.Equal(t, cli.ExitFailed, r.Code, args)
		assert.Contains(t, r.Errors, want, args)
		assert.Empty(t, r.Out, args)
	}
}
