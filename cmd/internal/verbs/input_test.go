package verbs

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/ulikunitz/xz"
)

func gzipped(t *testing.T, text []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

func xzipped(t *testing.T, text []byte) []byte {
	var b bytes.Buffer
	w, err := xz.NewWriter(&b)
	require.NoError(t, err)
	_, err = w.Write(text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

func TestChunks(t *testing.T) {
	// More than a chunk of reading and writing, at a width that does not divide it.
	if testing.Short() {
		t.Skip("sorts some MiB")
	}
	clitest.NeedDevice(t)
	dir := t.TempDir()
	text := clitest.Prose(cli.ReadChunk + 12345)
	for i, state := 0, uint32(1); i < len(text); i += 3 { // no long repeats
		state = state*1664525 + 1013904223
		text[i] = byte(state >> 24)
	}
	clitest.Put(t, dir, "text", text)
	clitest.Good(t, dir, "sa", "text", "-o", "sa", "--width", "5")
	c := clitest.Command(dir, "verify", "-", "sa", "--width", "5")
	c.Stdin = bytes.NewReader(text)
	assert.Contains(t, clitest.Finish(t, c).Out, "OK: ")
}

func TestCompressed(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	text := clitest.Prose(20000)
	want := encode(suffixArray(text), 4)
	gz, xzFile := gzipped(t, text), xzipped(t, text)
	clitest.Put(t, dir, "text.gz", gz)
	clitest.Put(t, dir, "text.xz", xzFile)
	clitest.Put(t, dir, "two.gz", append(gzipped(t, text[:777]), gzipped(t, text[777:])...))
	for name, compression := range map[string]string{"text.gz": "gzip", "text.xz": "xz", "two.gz": "gzip"} {
		r := clitest.Good(t, dir, "sa", name, "-o", "sa", "--json")
		var report report.Report
		require.NoError(t, json.Unmarshal([]byte(r.Out), &report))
		assert.Equal(t, compression, report.Compression)
		assert.Equal(t, len(text), report.Bytes)
		assert.True(t, bytes.Equal(want, clitest.Get(t, dir, "sa")))

		assert.Contains(t, clitest.Good(t, dir, "plan", "sa", name).Out, "20000 bytes")
	}
	// Empty texts.
	clitest.Put(t, dir, "empty.gz", gzipped(t, nil))
	clitest.Good(t, dir, "sa", "empty.gz", "-o", "empty")
	assert.Empty(t, clitest.Get(t, dir, "empty"))

	// As it is.
	clitest.Good(t, dir, "sa", "text.gz", "-o", "sa", "--raw")
	assert.True(t, bytes.Equal(encode(suffixArray(gz), 4), clitest.Get(t, dir, "sa")))

	// Plain texts that start alike.
	for i, plain := range [][]byte{
		{0x1f}, {0x1f, 0x8b}, {0x1f, 0x8b, 8}, []byte("\x1f\x8bplain text"), []byte("\x1f\x8b\x08\xff plain text"),
		[]byte("\xfd7zXZ\x00"), []byte("\xfd7zXZ\x00 plain text"),
	} {
		clitest.Put(t, dir, "plain", plain)
		r := clitest.Good(t, dir, "sa", "plain", "-o", "sa")
		assert.Equal(t, encode(suffixArray(plain), 4), clitest.Get(t, dir, "sa"))
		assert.Equal(t, i > 0, strings.Contains(r.Errors, "note: plain starts like"))
	}

	// Damaged ones.
	before := clitest.Files(t, dir)
	middle := bytes.Clone(gz)
	middle[len(middle)/2] ^= 0xff
	badXZ := bytes.Clone(xzFile)
	badXZ[len(badXZ)/2] ^= 0xff
	for name, data := range map[string][]byte{
		"middle.gz": middle, "cut.gz": gz[:len(gz)-20], "header.gz": gz[:10],
		"tail.gz":   append(bytes.Clone(gz), "garbage after it"...),
		"middle.xz": badXZ, "cut.xz": xzFile[:len(xzFile)/2],
	} {
		clitest.Put(t, dir, name, data)
		for _, args := range [][]string{{"sa", name, "-o", "out"}, {"plan", "sa", name}} {
			r := clitest.Run(t, dir, args...)
			assert.Equal(t, cli.ExitFailed, r.Code, "%v: %s", args, r.Errors)
			assert.Contains(t, r.Errors, name)
			assert.Regexp(t, `decompressing .* at byte \d+`, r.Errors)
		}
		require.NoError(t, os.Remove(filepath.Join(dir, name)))
	}
	assert.Equal(t, before, clitest.Files(t, dir))
}

func TestSequences(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	text := []byte("ACGTNNacgtTTT")
	clitest.Put(t, dir, "fa", []byte(">a b\r\nACGTNN\r\nacgt\r\n>c\r\nTTT"))
	clitest.Put(t, dir, "fq.gz", gzipped(t, []byte("@a\nACGTNNacgt\n+\n!!!!!!!!!!\n@c\nTTT\n+\n!!!\n")))
	for name, format := range map[string]string{"fa": "fasta", "fq.gz": "fastq"} {
		for _, input := range []string{format, "auto"} {
			var report report.Report
			r := clitest.Good(t, dir, "sa", name, "-o", "sa", "--input", input, "--json")
			require.NoError(t, json.Unmarshal([]byte(r.Out), &report))
			assert.Equal(t, format, report.Format)
			assert.Equal(t, len(text), report.Bytes)
			assert.Equal(t, encode(suffixArray(text), 4), clitest.Get(t, dir, "sa"))
		}
		assert.Contains(t, clitest.Good(t, dir, "verify", name, "sa", "--input", "auto").Out, "OK: ")
		assert.Contains(t, clitest.Good(t, dir, "plan", "sa", name, "--input", "auto").Out, "13 bytes")
	}
	clitest.Put(t, dir, "text", []byte("no sequences\n"))
	clitest.Good(t, dir, "sa", "text", "-o", "sa", "--input", "auto")
	assert.Equal(t, encode(suffixArray([]byte("no sequences\n")), 4), clitest.Get(t, dir, "sa"))
	clitest.Good(t, dir, "sa", "fa", "-o", "sa")
	assert.Equal(t, encode(suffixArray(clitest.Get(t, dir, "fa")), 4), clitest.Get(t, dir, "sa"))

	before := clitest.Files(t, dir)
	clitest.Put(t, dir, "bad", []byte(">a\nAC\nA\x00\n"))
	for _, args := range [][]string{{"sa", "bad", "-o", "out"}, {"plan", "sa", "bad"}} {
		r := clitest.Run(t, dir, append(args, "--input", "fasta")...)
		assert.Equal(t, cli.ExitFailed, r.Code)
		assert.Equal(t, "suffixcl: bad:3:2: byte 0x00 in sequence \"a\"\n", r.Errors)
	}
	require.NoError(t, os.Remove(filepath.Join(dir, "bad")))
	clitest.Put(t, dir, "cut.gz", clitest.Get(t, dir, "fq.gz")[:40])
	r := clitest.Run(t, dir, "sa", "cut.gz", "-o", "out", "--input", "auto")
	assert.Equal(t, cli.ExitFailed, r.Code)
	assert.Contains(t, r.Errors, "decompressing cut.gz (gzip) at byte 40")
	require.NoError(t, os.Remove(filepath.Join(dir, "cut.gz")))
	assert.Equal(t, before, clitest.Files(t, dir))
}

func TestInputErrors(t *testing.T) {
	dir := t.TempDir()
	clitest.Put(t, dir, "text", []byte("banana"))
	clitest.Put(t, dir, "sa", encode(suffixArray([]byte("banana")), 4))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o755))
	cases := [][]string{
		{"sa", "missing", "-o", "out"},
		{"bwt", "missing", "-o", "out"},
		{"lcp", "missing", "-o", "out"},
		{"unbwt", "missing", "-o", "out"},
		{"unbwt", "missing", "-o", "out", "--primary", "1"},
		{"verify", "missing", "sa"},
		{"plan", "sa", "missing"},
		{"sa", "folder", "-o", "out"},
		{"verify", "text", "sa", "--bwt", "missing"},
	}
	if clitest.HasDevice() {
		cases = append(cases, []string{"verify", "text", "missing"}, []string{"verify", "text", "folder"},
			[]string{"verify", "text", "sa", "--bwt", "missing", "--primary", "4"})
	}
	for _, args := range cases {
		r := clitest.Run(t, dir, args...)
		assert.Equal(t, cli.ExitFailed, r.Code, "%v: %s", args, r.Errors)
		assert.Regexp(t, "missing|folder: is a directory", r.Errors)
		assert.Equal(t, 1, strings.Count(r.Errors, "\n"), r.Errors)
	}
	clitest.Put(t, dir, "text.primary", []byte("four"))
	r := clitest.Run(t, dir, "verify", "text", "sa", "--bwt", "text")
	assert.Equal(t, cli.ExitFailed, r.Code)
	assert.Contains(t, r.Errors, "text.primary")
}
