package verbs

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"index/suffixarray"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/internal/sdsl"
)

// documentLines are lines of JSON with so many bytes of text each.
func documentLines(seed, documents, n int) (lines []byte) {
	for d := range documents {
		text, _ := json.Marshal(strings.ToValidUTF8(string(clitest.Prose(n + d)[d:]), "?")) // a string is always one
		lines = append(lines, fmt.Sprintf("{\"text\": %s, \"id\": %d}\n", text, seed+d)...)
	}
	return lines
}

// The files are those of the definition, whole or stage by stage, in one piece or in ranges.
func TestInfiniGram(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	first := documentLines(0, 3, 4000)
	second := documentLines(3, 2, 30_000)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "corpus"), 0o777))
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := z.Write(second)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	clitest.Put(t, dir, "corpus/a.jsonl", first)
	clitest.Put(t, dir, "corpus/b.jsonl.gz", packed.Bytes())
	clitest.Good(t, dir, "build", "infini-gram-mini", "corpus", "all", "--keep", "-q")
	names := []string{"bwt_data.sdsl", "bwt_meta.sdsl", "data.fm9", "data_offset", "meta.fm9", "meta_offset",
		"sa_data.sdsl", "sa_meta.sdsl", "text_data.sdsl", "text_meta.sdsl"}
	require.Equal(t, names, clitest.Files(t, filepath.Join(dir, "all")))

	text, err := sdsl.ParseText(clitest.Get(t, dir, "all/text_data.sdsl"))
	require.NoError(t, err)
	require.Equal(t, 5, bytes.Count(text, []byte{0xff}))
	require.Equal(t, byte(0xfa), text[len(text)-1])
	sa := suffixArray(text)
	array, err := sdsl.ParseArray(clitest.Get(t, dir, "all/sa_data.sdsl"))
	require.NoError(t, err)
	require.Equal(t, uint64(len(text)), array.Len())
	for i := range sa {
		require.Equal(t, uint64(sa[i]), array.At(uint64(i)))
	}
	offsets := clitest.Get(t, dir, "all/data_offset")
	require.Len(t, offsets, 5*8)
	for d := range 5 {
		require.Equal(t, byte(0xff), text[binary.LittleEndian.Uint64(offsets[8*d:])])
	}
	meta, err := sdsl.ParseText(clitest.Get(t, dir, "all/text_meta.sdsl"))
	require.NoError(t, err)
	assert.Contains(t, string(meta), "{\"path\": \"b.jsonl.gz\", \"linenum\": 1, \"metadata\": {\"id\": 4}}\n\xfa")
	x, err := sdsl.Parse(clitest.Get(t, dir, "all/data.fm9"))
	require.NoError(t, err)
	index := suffixarray.New(text)
	for _, word := range []string{"the", " and ", "light", "absent words"} {
		assert.Len(t, index.Lookup([]byte(word), -1), int(x.Count([]byte(word))), word)
	}
	whole, err := x.Text(t.Context(), nil, 0, x.Len())
	require.NoError(t, err)
	require.True(t, bytes.Equal(text, whole))

	same := func(other string, files ...string) {
		t.Helper()
		for _, name := range files {
			made, want := clitest.Get(t, dir, other+"/"+name), clitest.Get(t, dir, "all/"+name)
			assert.True(t, bytes.Equal(want, made), "%s/%s", other, name)
		}
	}
	clitest.Good(t, dir, "build", "infini-gram-mini", "corpus", "stages", "--only", "text", "-q")
	assert.Len(t, clitest.Files(t, filepath.Join(dir, "stages")), 4)
	clitest.Good(t, dir, "build", "infini-gram-mini", "stages", "--only", "sa", "-q", "--max-mem", "400K")
	clitest.Good(t, dir, "build", "infini-gram-mini", "stages", "--only", "fm9", "-q")
	same("stages", names...)
	r := clitest.Good(t, dir, "build", "infini-gram-mini", "corpus/a.jsonl", "corpus/b.jsonl.gz", "result", "--json")
	assert.Len(t, clitest.Files(t, filepath.Join(dir, "result")), 4)
	assert.Contains(t, r.Out, `"records": 5`)
	same("result", "data.fm9", "data_offset")
	clitest.Put(t, dir, "document", []byte("of one file"))
	clitest.Good(t, dir, "build", "infini-gram-mini", "document", "zero", "--input", "text", "--zero-end", "--keep", "-q")
	text, err = sdsl.ParseText(clitest.Get(t, dir, "zero/text_data.sdsl"))
	require.NoError(t, err)
	assert.Equal(t, "\xffof one file\xfa\x00", string(text))
	plan := clitest.Good(t, dir, "plan", "build", "infini-gram-mini", "corpus", "new").Out
	assert.Contains(t, plan, "index of meta")

	for line, why := range map[string]string{
		"corpus":                      "DIR is missing",
		"corpus -":                    "DIR is a directory, not a stream",
		"corpus all --only sa":        "--only sa reads DIR alone",
		"corpus new --field= ":        "--field: want the name of a string",
		"corpus all":                  "exists; --force replaces it",
		"corpus new --field body":     `a.jsonl:1: the object has no "body"`,
		"missing new":                 "cannot read missing",
		"new --only sa":               "cannot read " + filepath.Join("new", "text_data.sdsl"),
		"corpus document":             "cannot make the directory document",
		"corpus missing/new":          "cannot make the directory",
		"damaged --only fm9":          "entry 2 is not that of the text",
		"corpus new --max-mem 1000":   "memory",
		"stages --only fm9":           "exists; --force replaces it",
		"corpus/a.jsonl document new": "document:1: no JSON object",
		"- corpus - new --input text": "standard input",
	} {
		if _, err := os.Stat(filepath.Join(dir, "damaged")); err != nil {
			require.NoError(t, os.CopyFS(filepath.Join(dir, "damaged"), os.DirFS(filepath.Join(dir, "all"))))
			data := clitest.Get(t, dir, "damaged/bwt_data.sdsl")
			data[8+2] ^= 1
			clitest.Put(t, dir, "damaged/bwt_data.sdsl", data)
			require.NoError(t, os.Remove(filepath.Join(dir, "damaged/data.fm9")))
			require.NoError(t, os.Remove(filepath.Join(dir, "damaged/meta.fm9")))
		}
		r := clitest.Run(t, dir, append([]string{"build", "infini-gram-mini"}, strings.Fields(line)...)...)
		assert.NotEqual(t, cli.ExitDone, r.Code, line)
		assert.Contains(t, r.Errors, why, line)
		assert.NoDirExists(t, filepath.Join(dir, "new"), line)
	}
	for name, why := range map[string]string{"text_data.sdsl": "byte 8: the file ends", "sa_data.sdsl": "a vector of",
		"bwt_data.sdsl": "bytes early"} {
		whole := clitest.Get(t, dir, "all/"+name)
		clitest.Put(t, dir, "all/"+name, whole[:9])
		r := clitest.Run(t, dir, "build", "infini-gram-mini", "all", "--only", "fm9", "--force")
		assert.NotEqual(t, cli.ExitDone, r.Code, name)
		assert.Contains(t, r.Errors, name+": not an index of infini-gram mini: ", why)
		clitest.Put(t, dir, "all/"+name, whole)
	}
}
