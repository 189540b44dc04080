package verbs

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/internal/jsonline"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
)

// wordsWithCopies are documents of words, some of which repeat passages of others.
func wordsWithCopies(rng *rand.Rand, count int) (documents []string) {
	word := func() string { return []string{"wood", "chuck", "naïve", "日本", "x", "would"}[rng.IntN(6)] }
	for range count {
		var b strings.Builder
		for range 3 + rng.IntN(25) {
			b.WriteString(word())
			b.WriteString(fmt.Sprintf("%d ", rng.IntN(200)))
		}
		if len(documents) > 0 && rng.IntN(2) == 0 {
			other := documents[rng.IntN(len(documents))]
			b.WriteString(other[rng.IntN(len(other)):])
		}
		documents = append(documents, strings.ToValidUTF8(b.String(), "?"))
	}
	return documents
}

// byteranges is the file of ranges.
func byteranges(ranges []jobsuites.Range) string {
	var b strings.Builder
	b.WriteString("out\n")
	for _, r := range ranges {
		fmt.Fprintln(&b, r.Start, r.End)
	}
	return b.String()
}

// What one thread of deduplicate-text-datasets should write, from a suffix array: documents after ff ff and a counter,
// windows across them.
func TestDedupByteranges(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	var data []byte
	for i, d := range wordsWithCopies(rand.New(rand.NewPCG(1, 1)), 60) {
		data = binary.LittleEndian.AppendUint32(append(data, 0xff, 0xff), uint32(i+1))
		data = append(data, d...)
	}
	clitest.Put(t, dir, "data", data)
	const length = 20
	sa := conformance.ReferenceSuffixArray(data)
	lcp := conformance.ReferenceLCP(data, sa)
	duplicate := make([]bool, len(data))
	for i := 1; i < len(sa); i++ {
		if lcp[i] >= length {
			duplicate[sa[i-1]], duplicate[sa[i]] = true, true
		}
	}
	var want []jobsuites.Range
	for p, is := range duplicate {
		if k := len(want) - 1; is && k >= 0 && uint64(p) <= want[k].End {
			want[k].End = uint64(p + length)
		} else if is {
			want = append(want, jobsuites.Range{Start: uint64(p), End: uint64(p + length)})
		}
	}
	require.Greater(t, len(want), 20)
	clitest.Good(t, dir, "dedup", "data", "--across", "--min-length", "20", "-o", "out")
	assert.Equal(t, byteranges(want), string(clitest.Get(t, dir, "out")))
}

// Windows without ff that equal an earlier one, in shards with ff before each document.
func TestDedupKeepsTheFirst(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	var all []byte
	bounds := []uint64{0}
	for shard := range 2 {
		var data []byte
		for _, d := range wordsWithCopies(rand.New(rand.NewPCG(2, 2)), 20+10*shard) {
			at := uint64(len(all) + len(data) + 1)
			data = append(append(data, 0xff), d...)
			bounds = append(bounds, at, at+uint64(len(d)))
		}
		clitest.Put(t, dir, fmt.Sprint("text.", shard), data)
		all = append(all, data...)
	}
	want, windows := jobsuites.ReferenceDuplicates(all, bounds,
		jobsuites.DuplicateQuery{Length: 30, Width: 1, KeepFirst: true, MinCount: 2})
	r := clitest.Good(t, dir, "dedup", "text.0", "text.1", "--separator", `\xff`, "--keep", "first", "--min-length", "30",
		"--format", "u64", "-o", "out", "--json")
	var file []byte
	removed := 0
	for _, x := range want {
		file = binary.LittleEndian.AppendUint64(file, x.Start)
		file = binary.LittleEndian.AppendUint64(file, x.End)
		removed += int(x.End - x.Start)
	}
	assert.Equal(t, file, clitest.Get(t, dir, "out"))
	var told report.Report
	require.NoError(t, json.Unmarshal([]byte(r.Out), &told))
	assert.Equal(t, windows, told.Duplicates.Windows)
	assert.EqualValues(t, removed, told.Duplicates.Removed)
	assert.Equal(t, 50, told.Records)
	assert.NotEmpty(t, told.Duplicates.Frequent)
}

// objects are lines of JSON of documents.
func objects(documents []string) []byte {
	var b bytes.Buffer
	for i, d := range documents {
		text, _ := json.Marshal(d)
		fmt.Fprintf(&b, "{\"id\": %d, \"text\":%s , \"more\": {\"text\": [1, 2]} }\n", i, text)
	}
	return b.Bytes()
}

// strings of the objects.
func texts(t *testing.T, lines []byte) (list []string) {
	for line := range bytes.Lines(lines) {
		var object struct {
			ID   int
			Text string
			More struct{ Text []int }
		}
		require.NoError(t, json.Unmarshal(line, &object), "%s", line)
		require.Equal(t, []int{1, 2}, object.More.Text)
		require.Equal(t, len(list), object.ID)
		list = append(list, object.Text)
	}
	return list
}

// Cleaned files have the shape of the inputs, and a second run finds what the definition says.
func TestDedupWrites(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	documents := wordsWithCopies(rand.New(rand.NewPCG(3, 3)), 50)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "shards", "more"), 0o777))
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := z.Write(objects(documents[:20]))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	clitest.Put(t, dir, "shards/a.jsonl.gz", packed.Bytes())
	clitest.Put(t, dir, "shards/more/b.jsonl", append(objects(documents[20:]), "\n"...))

	args := []string{"--field", "text", "--keep", "first", "--min-length", "25", "--utf8"}
	clitest.Good(t, dir, append([]string{"dedup", "shards", "--write", "clean", "--report", "report"}, args...)...)
	report := string(clitest.Get(t, dir, "report"))
	assert.Contains(t, report, "ranges by length")
	assert.Contains(t, report, "most frequent")
	unpacked, err := gzip.NewReader(bytes.NewReader(clitest.Get(t, dir, "clean/a.jsonl.gz")))
	require.NoError(t, err)
	var first bytes.Buffer
	_, err = first.ReadFrom(unpacked)
	require.NoError(t, err)
	second := clitest.Get(t, dir, "clean/more/b.jsonl")
	require.True(t, bytes.HasSuffix(second, []byte("\n\n")), "a blank line stays")
	cleaned := append(texts(t, first.Bytes()), texts(t, bytes.TrimSuffix(second, []byte("\n")))...)
	require.Len(t, cleaned, len(documents))

	// By definition, document by document, shrunk to whole characters.
	check := func(before, after []string) {
		var all []byte
		bounds := []uint64{0}
		for _, d := range before {
			all = append(all, d...)
			bounds = append(bounds, uint64(len(all)))
		}
		ranges, _ := jobsuites.ReferenceDuplicates(all, bounds,
			jobsuites.DuplicateQuery{Length: 25, Width: 1, KeepFirst: true, MinCount: 2})
		remove := make([]bool, len(all))
		inside := func(p uint64) bool { return p < uint64(len(all)) && all[p]&0xc0 == 0x80 }
		for _, r := range ranges {
			for inside(r.Start) {
				r.Start++
			}
			for inside(r.End) {
				r.End--
			}
			for p := r.Start; p < r.End; p++ {
				remove[p] = true
			}
		}
		for k := range before {
			var want []byte
			for p := bounds[k]; p < bounds[k+1]; p++ {
				if !remove[p] {
					want = append(want, all[p])
				}
			}
			require.Equal(t, string(want), after[k], "document %d", k)
		}
	}
	check(documents, cleaned)
	clitest.Good(t, dir, append([]string{"dedup", "clean", "--write", "again"}, args...)...)
	unpacked, err = gzip.NewReader(bytes.NewReader(clitest.Get(t, dir, "again/a.jsonl.gz")))
	require.NoError(t, err)
	first.Reset()
	_, err = first.ReadFrom(unpacked)
	require.NoError(t, err)
	check(cleaned, append(texts(t, first.Bytes()),
		texts(t, bytes.TrimSuffix(clitest.Get(t, dir, "again/more/b.jsonl"), []byte("\n")))...))
}

// Characters, tokens, another set, offsets, ranges of documents.
func TestDedupInputs(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	good := func(line string) string {
		return clitest.Good(t, dir, append([]string{"dedup", "-q"}, strings.Fields(line)...)...).Out
	}
	clitest.Put(t, dir, "text", []byte("äöü+äöü"))
	assert.Equal(t, "out\n0 6\n7 13\n", good("text --symbols utf8 --min-length 3"))
	assert.Equal(t, "out\n", good("text --symbols utf8 --min-length 4"))
	assert.Equal(t, "out\n7 13\n", good("text --min-length 5 --keep first"))
	clitest.Put(t, dir, "tokens", []byte("abcdef\xff\xffabcdefxyabcd"))
	assert.Equal(t, "out\n0 6\n8 14\n16 20\n", good(`tokens --symbols u16 --separator \xff\xff --min-length 2`))
	assert.Equal(t, "out\n0 4\n8 12\n16 20\n",
		good(`tokens --symbols u16 --separator \xff\xff --min-length 2 --min-count 3`))
	assert.Equal(t, "out\n0 6\n8 14\n16 20\n",
		good(`tokens --symbols u16 --separator \xff\xff --min-length 2 --vocabulary 31098`), "separators are in none")
	clitest.Put(t, dir, "one", []byte("the same words\nand others\n"))
	clitest.Put(t, dir, "two", []byte("not the same words"))
	assert.Equal(t, "out\n0 14\n", good(`one --separator \n --against two --min-length 8`))
	assert.Equal(t, "out\n0 14\n30 44\n", good(`one --separator \n --against two --both --min-length 8`))
	assert.Equal(t, `{"file":"one","document":0,"bytes":14,"sa_remove_ranges":[[0,14]]}`+"\n"+
		`{"file":"one","document":1,"bytes":10,"sa_remove_ranges":[]}`+"\n",
		good(`one --separator \n --against two --min-length 8 --format documents`))
	offsets := binary.LittleEndian.AppendUint64(nil, 0)
	offsets = binary.LittleEndian.AppendUint64(offsets, 7)
	clitest.Put(t, dir, "offsets", binary.LittleEndian.AppendUint64(offsets, 14))
	clitest.Put(t, dir, "joined", []byte("abcdefgabcdefg"))
	assert.Equal(t, "out\n0 7\n7 14\n", good("joined --offsets offsets --min-length 3"))
	assert.Equal(t, "out\n0 14\n", good("joined --min-length 3"))
	clitest.Put(t, dir, "empty", nil)
	assert.Equal(t, "out\n", good("empty"))
	assert.Equal(t, "out\n", good("empty --against one"))
	assert.Equal(t, "out\n", good("one --against empty"))
	clitest.Put(t, dir, "lines", []byte(`{"text": "to be or not to be"}`+"\r\n"))
	assert.Equal(t, `{"text": "to be or not to be","sa_remove_ranges":[[0,5],[13,18]]}`+"\r\n",
		good("lines --field text --min-length 5 --format documents"))
	assert.Contains(t, clitest.Good(t, dir, "plan", "dedup", "one").Out, "fits")
	r := clitest.Run(t, dir, "dedup", "one", "-o", "out", "--max-mem", "1000")
	assert.Equal(t, cli.ExitMemory, r.Code)
}

// Separators are no text, however many there are in a row: no window has them alone, and none is removed.
func TestDedupSeparators(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	dedup := func(line string) (ranges string, told *report.Duplicates) {
		args := append([]string{"dedup", "--json", "--format", "byterange", "-o", "out"}, strings.Fields(line)...)
		r := clitest.Good(t, dir, args...)
		var all report.Report
		require.NoError(t, json.Unmarshal([]byte(r.Out), &all))
		return string(clitest.Get(t, dir, "out")), all.Duplicates
	}
	clitest.Put(t, dir, "lines", []byte("x\n\n\ny\n\n\nz"))
	clitest.Put(t, dir, "blank", []byte("\n\n\n\n\n\n"))
	clitest.Put(t, dir, "tokens", bytes.Repeat([]byte("\xff\xff"), 60))
	for _, line := range []string{
		`lines --separator \n --min-length 2`, `lines --separator \n --min-length 2 --keep first`,
		`lines --separator \n --min-length 2 --symbols utf8`, `lines blank --separator \n --min-length 2`,
		`lines --separator \n --min-length 2 --across`, `lines --separator \n --min-length 2 --against blank`,
		`blank --separator \n\n --min-length 3`, `tokens --symbols u16 --separator \xff\xff --min-length 2`,
		`tokens --symbols u16 --separator \xff\xff --min-length 30 --keep first`,
		`tokens --symbols u32 --separator \xff\xff\xff\xff --min-length 2 --across`,
	} {
		ranges, told := dedup(line)
		assert.Equal(t, "out\n", ranges, line)
		assert.Zero(t, told.Removed, line)
		assert.Empty(t, told.Frequent, line)
	}
	r := clitest.Good(t, dir, "dedup", "lines", "--separator", `\n`, "--min-length", "2", "--report", "-")
	const removed = "removed: 0 bytes (0.00 %) in 0 ranges of 0 documents, 0 of them emptied; the longest has 0 bytes\n"
	assert.Equal(t, removed, r.Out)

	// Across them duplicates go on, and what -o says is what --write removes.
	clitest.Put(t, dir, "across", []byte("ab\n\ncd+ab\n\ncd\n\n\n\n\n"))
	ranges, told := dedup(`across --across --separator \n --min-length 6 --write clean`)
	assert.Equal(t, "out\n0 2\n4 6\n7 9\n11 13\n", ranges)
	assert.EqualValues(t, 8, told.Removed)
	assert.Equal(t, 4, told.Ranges)
	assert.Equal(t, "\n\n+\n\n\n\n\n\n\n", string(clitest.Get(t, dir, "clean/across")))

	// The share is that of the inputs, and of the other set where it is looked at.
	clitest.Put(t, dir, "one", []byte("the same"))
	clitest.Put(t, dir, "two", []byte("the same, and then three times as much"))
	r = clitest.Good(t, dir, "dedup", "one", "--against", "two", "--min-length", "8", "--report", "-")
	assert.Contains(t, r.Out, "removed: 8 bytes (100.00 %)")
	r = clitest.Good(t, dir, "dedup", "one", "--against", "two", "--min-length", "8", "--both", "--report", "-")
	assert.Contains(t, r.Out, "removed: 16 bytes (34.78 %)")
}

// Documents of which nothing stays are left out with what separates them; those that were empty stay.
func TestDedupDropsEmpty(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "in"), 0o777))
	const said, other = "what was said", "and more"
	line := func(text string) string { return `{"t":"` + text + `"}` + "\n" }
	for name, text := range map[string]string{
		"in/a": said + "\n" + other + "\n\n", "in/b": other + "\n" + said, "in/c": said,
		"lines": line(said) + line("") + line(said) + line(said+"!"),
	} {
		clitest.Put(t, dir, name, []byte(text))
	}
	flags := []string{"--min-length", "8", "--keep", "first", "--drop-empty", "--json"}
	var told report.Report
	dedup := func(args ...string) {
		r := clitest.Good(t, dir, append(append([]string{"dedup"}, args...), flags...)...)
		require.NoError(t, json.Unmarshal([]byte(r.Out), &told))
	}
	dedup("in", "--separator", `\n`, "--write", "out")
	assert.Equal(t, said+"\n"+other+"\n\n", string(clitest.Get(t, dir, "out/a")))
	assert.Empty(t, clitest.Get(t, dir, "out/b"))
	assert.Empty(t, clitest.Get(t, dir, "out/c"))
	assert.Equal(t, 3, told.Duplicates.Dropped)
	assert.Equal(t, []string{"in"}, told.Duplicates.Inputs)
	assert.Equal(t, 3, told.Duplicates.Files)
	assert.Equal(t, "out", told.Duplicates.Directory)

	dedup("in/c", "in/a", "--write", "plain") // a file is a document
	assert.Equal(t, []string{"a", "c"}, clitest.Files(t, filepath.Join(dir, "plain")))
	clitest.Put(t, dir, "in/d", []byte(said))
	dedup("in/c", "in/d", "--write", "fewer")
	assert.Equal(t, []string{"c"}, clitest.Files(t, filepath.Join(dir, "fewer")))

	r := clitest.Good(t, dir, "dedup", "lines", "--field", "t", "--write", "objects", "--min-length", "8", "--keep",
		"first", "--drop-empty")
	assert.Equal(t, line(said)+line("")+line("!"), string(clitest.Get(t, dir, "objects/lines")))
	assert.Contains(t, r.Errors, "dedup lines (1 file, 4 documents): 40 bytes, written to objects; "+
		"removed 26 bytes, 65.00 %, in 2 ranges of 2 documents, 1 emptied and left out on ")
	wrong := clitest.Run(t, dir, "dedup", "lines", "--drop-empty")
	assert.Equal(t, cli.ExitUsage, wrong.Code)
	assert.Contains(t, wrong.Errors, "--drop-empty is for --write")
}

// Compressed files are written as they came, and separators stay.
func TestDedupCompressed(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "in"), 0o777))
	z, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	lines := []byte("to be or not to be\nthat is the question\n")
	clitest.Put(t, dir, "in/a.zst", z.EncodeAll(lines, nil))
	clitest.Put(t, dir, "in/b.xz", xzipped(t, []byte("not to be\n\nthat is it\n")))
	clitest.Put(t, dir, "in/c.gz", gzipped(t, []byte("or not to be")))
	clitest.Put(t, dir, "in/d", []byte("question"))
	r := clitest.Good(t, dir, "dedup", "in", "--separator", `\n`, "--keep", "first", "--min-length", "8", "--write", "out",
		"--format", "documents")
	assert.Equal(t, []string{"a.zst", "b.xz", "c.gz", "d"}, clitest.Files(t, filepath.Join(dir, "out")))
	for name, want := range map[string]string{
		"a.zst": string(lines), "b.xz": "\n\nit\n", "c.gz": "", "d": "",
	} {
		// Another run reads it.
		clitest.Good(t, dir, "dedup", "out/"+name, "--min-length", "100", "--write", "plain", "--report", "-")
		clitest.Good(t, dir, "bwt", "out/"+name, "-o", "t")
		clitest.Good(t, dir, "unbwt", "t", "-o", "text")
		assert.Equal(t, want, string(clitest.Get(t, dir, "text")), name)
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "plain")))
	}
	assert.Contains(t, r.Out, `"document":1,"bytes":10,"sa_remove_ranges":[[0,8]]`)
	clitest.Put(t, dir, "in/e.bz2", []byte("BZh9\x17\x72\x45\x38\x50\x90\x00\x00\x00\x00")) // of nothing
	wrong := clitest.Run(t, dir, "dedup", "in", "--write", "more")
	assert.Equal(t, cli.ExitFailed, wrong.Code)
	assert.Contains(t, wrong.Errors, "--write does not write bzip2")
	assert.NoDirExists(t, filepath.Join(dir, "more"))
}

// What is wrong is told with its place, and leaves nothing.
func TestDedupRefuses(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "broken", []byte("{\"text\":\"a\"}\n\n{\"text\":\"b\n"))
	clitest.Put(t, dir, "number", []byte("{\"text\":\"a\"}\n{\"text\":1}\n"))
	clitest.Put(t, dir, "other", []byte("{\"words\":\"a\"}\n"))
	clitest.Put(t, dir, "has", []byte(`{"text":"to be to be","sa_remove_ranges":[]}`))
	clitest.Put(t, dir, "bytes", []byte("abc\xff\xffabc"))
	clitest.Put(t, dir, "line", []byte("{\"text\":\"\xff\"}\n"))
	clitest.Put(t, dir, "odd", []byte("abc"))
	clitest.Put(t, dir, "tokens", []byte{1, 0, 2, 2, 0xff, 0xff, 3, 2})
	clitest.Put(t, dir, "offsets", binary.LittleEndian.AppendUint64(make([]byte, 8), 9))
	clitest.Put(t, dir, "text", []byte("abcabc"))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "full"), 0o777))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "empty"), 0o777))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "bare"), 0o777))
	clitest.Put(t, dir, "full/file", []byte("mine"))
	before := clitest.Files(t, dir)
	for _, c := range []struct {
		code        int
		args, wrong string
	}{
		{cli.ExitFailed, "broken --field text -o out", "broken:3: no JSON object"},
		{cli.ExitFailed, "number --field text -o out", `number:2: field "text" is no string`},
		{cli.ExitFailed, "other --field text -o out", `other:1: the object has no field "text"`},
		{cli.ExitFailed, "line --field text -o out", "line:1: invalid UTF-8"},
		{cli.ExitFailed, "has --field text --min-length 5 --format documents -o out", "has:1: the object has a field"},
		{cli.ExitFailed, "bytes --utf8 -o out", "bytes: at byte 3: invalid UTF-8"},
		{cli.ExitFailed, "bytes --symbols utf8 -o out", "bytes: at byte 3: invalid UTF-8"},
		{cli.ExitFailed, "odd --symbols u16 -o out", "odd: at byte 3: the file ends in the middle of a symbol"},
		{cli.ExitFailed, "tokens --symbols u16 --vocabulary 600 -o out", "tokens: at byte 4: token 65535 is not in the"},
		{cli.ExitFailed, `tokens --symbols u16 --separator \xff\xff --vocabulary 515 -o out`,
			"tokens: at byte 6: token 515 is not in the vocabulary of 515"},
		{cli.ExitFailed, "odd --symbols u32 --vocabulary 9 -o out", "odd: at byte 3: the file ends in the middle"},
		{cli.ExitFailed, "text --offsets offsets -o out", "offset 1 is 9, beyond the end of the file at 6"},
		{cli.ExitFailed, "text --offsets odd -o out", "in the middle of an offset"},
		{cli.ExitFailed, "text --write full", "the directory is not empty: it has file"},
		{cli.ExitFailed, "text --write nowhere/clean", "there is no directory nowhere"},
		{cli.ExitFailed, "text ./text --write clean", "would both be written"},
		{cli.ExitFailed, "nothing -o out", "cannot read nothing"},
		{cli.ExitFailed, "text --min-length 3 -o /dev/full", "no space left"},
		{cli.ExitFailed, "text -o text", "the same file"},
		{cli.ExitFailed, "text -o out --report ./out", "cannot write ./out: it is the same file as out"},
		{cli.ExitFailed, "text --write bare -o bare/text", "cannot write bare/text: --write writes text there"},
		{cli.ExitFailed, "text --write bare --report bare/text", "cannot write bare/text: --write writes text there"},
		{cli.ExitUsage, "text --min-length 1", "--min-length"},
		{cli.ExitUsage, "text --min-count 1", "--min-count"},
		{cli.ExitUsage, "text --both", "--both needs"},
		{cli.ExitUsage, `text --separator \q`, "--separator"},
		{cli.ExitUsage, `text --separator abc --min-length 3`, "as long as"},
		{cli.ExitUsage, `text --separator a --symbols u16`, "--separator: it has 1 byte, and symbols have 2"},
		{cli.ExitUsage, "text --symbols u16 --utf8", "--utf8"},
		{cli.ExitUsage, "text --vocabulary 600", "--vocabulary is that of tokens"},
		{cli.ExitUsage, "text --symbols u32 --field text", "--field"},
		{cli.ExitUsage, "text text --offsets offsets", "one input"},
		{cli.ExitUsage, "text --offsets offsets --write clean", "--write writes no offsets"},
		{cli.ExitUsage, "full --write full/sub", "--write full/sub: it is inside of full, whose files are read"},
		{cli.ExitUsage, "text --against full --write bare/../full/sub", "inside of full"},
		{cli.ExitUsage, "empty --write empty", "inside of empty"},
		{cli.ExitUsage, "full -o full/out", "-o full/out: it is inside of full, whose files are read"},
		{cli.ExitUsage, "text --against full --report full/out", "--report full/out: it is inside of full"},
		{cli.ExitUsage, "text --separator=", `"--separator" flag: it is empty`},
		{cli.ExitUsage, "text --field=", `"--field" flag: it is empty`},
		{cli.ExitUsage, "text --write=", `"--write" flag: the name is empty`},
		{cli.ExitUsage, "text --report=", `"--report" flag: the name is empty`},
		{cli.ExitUsage, "text --against=", "--against: the name is empty"},
		{cli.ExitUsage, "- --write clean", "with a name"},
		{cli.ExitUsage, "- --field text --format documents", "are read twice"},
		{cli.ExitFailed, "text --against empty -o out", "empty has no files"},
		{cli.ExitUsage, "- -", "standard input"},
	} {
		r := clitest.Run(t, dir, append([]string{"dedup"}, strings.Fields(c.args)...)...)
		assert.Equal(t, c.code, r.Code, "%s: %s", c.args, r.Errors)
		assert.Contains(t, r.Errors, c.wrong, c.args)
	}
	assert.Equal(t, before, clitest.Files(t, dir))
}

// Files are found through links, and results written through them. What is written of lines of JSON is as it was, but
// for whole characters.
func TestDedupLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links there need a privilege")
	}
	clitest.NeedDevice(t)
	dir := t.TempDir()
	copied := "the quick brown fox jumps over the lazy dog, "
	clitest.Put(t, dir, "store", []byte(jsonline.ByteOrderMark+`{"text":"A \u00e9`+copied+`èB\ud83d"}`+"\n"+
		`{"text":"C ©`+copied+`ëD"}`+"\n"))
	for _, name := range []string{"set", "real"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o777))
	}
	for link, to := range map[string]string{"set/a": "../store", "link": "set", "out": "real"} {
		require.NoError(t, os.Symlink(to, filepath.Join(dir, link)))
	}
	flags := strings.Fields("--field text --min-length 20")
	clitest.Good(t, dir, append(flags, "dedup", "link", "--write", "out")...)
	assert.Equal(t, jsonline.ByteOrderMark+`{"text":"A \u00e9èB\ud83d"}`+"\n"+`{"text":"C ©ëD"}`+"\n",
		string(clitest.Get(t, dir, "real/a")))
	assert.Equal(t, []string{"a"}, clitest.Files(t, filepath.Join(dir, "real")))
	info, err := os.Lstat(filepath.Join(dir, "out"))
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&os.ModeSymlink)
	r := clitest.Good(t, dir, append(flags, "dedup", "store", "--against", "link", "-o", "-")...)
	assert.Equal(t, 2, strings.Count(r.Out, "\n")-1, r.Out)

	// The other set begins where separators are on both sides.
	clitest.Put(t, dir, "first", []byte(copied+"x\n"))
	clitest.Put(t, dir, "second", []byte("\n"+copied+"z"))
	r = clitest.Good(t, dir, "dedup", "first", "--separator", `\n`, "--against", "second", "--min-length", "20", "-o", "-")
	assert.Equal(t, fmt.Sprintf("out\n0 %d\n", len(copied)), r.Out)
	// Bytes of a separator that are no UTF-8.
	clitest.Put(t, dir, "bytes", []byte(copied+"\xff\xff"+copied))
	r = clitest.Good(t, dir, "dedup", "bytes", "--separator", "\xff\xff", "--min-length", "20", "--keep", "first",
		"-o", "-")
	assert.Equal(t, fmt.Sprintf("out\n%d %d\n", len(copied)+2, 2*len(copied)+2), r.Out)
}
