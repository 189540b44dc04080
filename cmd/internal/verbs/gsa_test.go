package verbs

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// setOf are the obvious arrays of a set: positions, LCP, texts, places in these, and the letters before, 0 at starts.
func setOf(texts ...string) (sa, lcp, da, offsets []uint64, transform []byte) {
	type suffix struct{ position, text, offset int }
	var all []suffix
	for k, text := range texts {
		for offset := range len(text) + 1 {
			all = append(all, suffix{len(all), k, offset})
		}
	}
	rest := func(s suffix) string { return texts[s.text][s.offset:] }
	slices.SortFunc(all, func(a, b suffix) int {
		return cmp.Or(cmp.Compare(rest(a), rest(b)), cmp.Compare(a.text, b.text))
	})
	for j, s := range all {
		h := 0
		if j > 0 {
			before := rest(all[j-1])
			for h < min(len(before), len(rest(s))) && before[h] == rest(s)[h] {
				h++
			}
		}
		sa, lcp, da = append(sa, uint64(s.position)), append(lcp, uint64(h)), append(da, uint64(s.text))
		offsets = append(offsets, uint64(s.offset))
		if s.offset == 0 {
			transform = append(transform, 0)
		} else {
			transform = append(transform, texts[s.text][s.offset-1])
		}
	}
	return sa, lcp, da, offsets, transform
}

// The same texts in every form that a set is read in.
func TestSetInputs(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "fa", []byte(">r1\nGATT\nACA\n>r2\nACATTA\n>r3\nGATTACA\n"))
	clitest.Put(t, dir, "fq", []byte("@r1\nGATTACA\n+\nIIIIIII\n@r2\nACATTA\n+\nIIIIII\n@r3\nGATTACA\n+\nIIIIIII\n"))
	clitest.Put(t, dir, "lines", []byte("GATTACA\nACATTA\nGATTACA"))
	clitest.Put(t, dir, "returns", []byte("GATTACA\r\nACATTA\r\nGATTACA\r"))
	clitest.Put(t, dir, "jsonl", []byte("{\"id\":1,\"text\":\"GATTACA\"}\n\n"+
		"{\"text\":\"ACATTA\"}\n{\"text\":\"gattaca\"}\n"))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "files", "b"), 0o777))
	clitest.Put(t, dir, filepath.Join("files", "a"), []byte("GATTACA"))
	clitest.Put(t, dir, filepath.Join("files", "b", "x"), []byte("ACATTA"))
	clitest.Put(t, dir, filepath.Join("files", "c"), []byte("GATTACA"))
	sa, lcp, da, _, transform := setOf("GATTACA", "ACATTA", "GATTACA")
	for _, args := range [][]string{
		{"fa"}, {"fq"}, {"lines"}, {"returns"}, {"files"}, {"jsonl", "--field", "text", "--upper"},
	} {
		args = slices.Concat([]string{"gsa"}, args, []string{
			"--sa", "--lcp", "--da", "--bwt", "-o", "out", "--width", "5", "--da-width", "8",
		})
		r := clitest.Good(t, dir, args...)
		assert.Contains(t, r.Errors, "3 records", args)
		assert.Equal(t, encode(sa, 5), clitest.Get(t, dir, "out.sa"), args)
		assert.Equal(t, encode(lcp, 5), clitest.Get(t, dir, "out.lcp"))
		assert.Equal(t, encode(da, 8), clitest.Get(t, dir, "out.da"))
		newlines := bytes.ReplaceAll(transform, []byte{0}, []byte{'\n'})
		assert.Equal(t, newlines, clitest.Get(t, dir, "out.bwt"))
		assertPlannedBytes(t, dir, args, "out.sa", "out.lcp", "out.da", "out.bwt")
	}
	assert.Equal(t, []string{"fa", "files", "fq", "jsonl", "lines", "out.bwt", "out.da", "out.lcp", "out.sa",
		"returns"}, clitest.Files(t, dir))
}

// Letters a to z alone become upper case: not others, nor bytes that are no UTF-8.
func TestSetUpper(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "lines", []byte("az\xc9\x90{`\n\xc4\xb1\xffAZ\n")) // of two bytes; of three and one in upper case
	clitest.Good(t, dir, "gsa", "lines", "--upper", "--bwt", "--sa", "-o", "upper")
	clitest.Put(t, dir, "LINES", []byte("AZ\xc9\x90{`\n\xc4\xb1\xffAZ\n"))
	clitest.Good(t, dir, "gsa", "LINES", "--bwt", "--sa", "-o", "same")
	for _, suffix := range []string{".bwt", ".sa"} {
		assert.Equal(t, clitest.Get(t, dir, "same"+suffix), clitest.Get(t, dir, "upper"+suffix), suffix)
	}
}

// assertPlannedBytes compares the bytes that a plan has for results with those of the files.
func assertPlannedBytes(t *testing.T, dir string, args []string, files ...string) {
	var p verb.PlanReport
	r := clitest.Good(t, dir, slices.Concat([]string{"plan"}, args, []string{"--json"})...)
	require.NoError(t, json.Unmarshal([]byte(r.Out), &p))
	for _, name := range files {
		p.Result -= int64(len(clitest.Get(t, dir, name)))
	}
	assert.Zero(t, p.Result, args)
}

// gsufsort leaves empty texts out, and has a row for the end.
func TestGsufsort(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "lines", []byte("banana\n\nananas\nban\n"))
	args := []string{"gsa", "lines", "--format", "gsufsort", "--sa", "--lcp", "--da", "--isa", "--gsa", "--gesa", "--bwt",
		"-o", "lines", "--da-width", "5"}
	clitest.Good(t, dir, args...)
	assertPlannedBytes(t, dir, args, "lines.4.sa", "lines.4.lcp", "lines.5.da", "lines.4.isa", "lines.5.4.gsa",
		"lines.5.4.4.1.gesa", "lines.bwt")
	sa, lcp, da, offsets, letters := setOf("banana", "ananas", "ban")
	sa, lcp, da = slices.Insert(sa, 0, 18), slices.Insert(lcp, 0, 0), slices.Insert(da, 0, 3)
	offsets, letters = slices.Insert(offsets, 0, 0), slices.Insert(letters, 0, 0)
	pairs, all, transform, slots := []byte{}, []byte{}, []byte{}, make([]uint64, len(sa))
	for j := range sa {
		pair := append(encode(da[j:j+1], 5), encode(offsets[j:j+1], 4)...)
		pairs = append(pairs, pair...)
		all = append(append(all, pair...), encode(lcp[j:j+1], 4)...)
		switch slots[sa[j]] = uint64(j); {
		case sa[j] == 0:
			transform, all = append(transform, 0), append(all, 0)
		case letters[j] == 0:
			transform, all = append(transform, 1), append(all, 1)
		default:
			transform, all = append(transform, letters[j]), append(all, letters[j])
		}
	}
	for name, want := range map[string][]byte{
		"4.sa": encode(sa, 4), "4.lcp": encode(lcp, 4), "5.da": encode(da, 5), "5.4.gsa": pairs, "5.4.4.1.gesa": all,
		"bwt": transform, "4.isa": encode(slots, 4),
	} {
		assert.Equal(t, want, clitest.Get(t, dir, "lines."+name), name)
	}
	clitest.Good(t, dir, "gsa", "lines", "--format", "gsufsort", "--gsa", "-o", "pairs", "--da-width", "5")
	assert.Equal(t, pairs, clitest.Get(t, dir, "pairs.5.4.gsa"))
	clitest.Put(t, dir, "odd", []byte("ab\nc\xff\n"))
	r := clitest.Run(t, dir, "gsa", "odd", "--format", "gsufsort", "--sa", "-o", "odd")
	assert.Equal(t, cli.ExitFailed, r.Code)
	assert.Contains(t, r.Errors, "odd: text 1 holds the byte 255, which gsufsort does not take, at offset 1")
}

// The example of gsufsort's README: what it prints for three strings.
func TestGsufsortExample(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "example.txt", []byte("banana\nanaba\nanan\n"))
	clitest.Good(t, dir, "gsa", "example.txt", "--format", "gsufsort", "--sa", "--bwt", "-o", "example.txt")
	sa := []uint64{18, 6, 12, 17, 5, 11, 9, 15, 3, 7, 13, 1, 10, 0, 16, 4, 8, 14, 2}
	assert.Equal(t, encode(sa, 4), clitest.Get(t, dir, "example.txt.4.sa"))
	transform := strings.NewReplacer("$", "\x01", "#", "\x00").Replace("$aannbnnn$$ba#aaaaa")
	assert.Equal(t, transform, string(clitest.Get(t, dir, "example.txt.bwt")))
	clitest.Good(t, dir, "gsa", "example.txt", "--format", "gsufsort", "--bwt", "-o", "alone")
	assert.Equal(t, transform, string(clitest.Get(t, dir, "alone.bwt")))

	clitest.Good(t, dir, "gsa", "example.txt", "--isa", "-o", "plain")
	slots := make([]uint64, 18)
	for j, position := range sa[1:] {
		slots[position] = uint64(j)
	}
	assert.Equal(t, encode(slots, 4), clitest.Get(t, dir, "plain.isa"))

	clitest.Put(t, dir, "none.txt", nil)
	clitest.Good(t, dir, "gsa", "none.txt", "--format", "gsufsort", "--sa", "--isa", "--gesa", "--bwt", "-o", "none")
	for name, want := range map[string][]byte{
		"4.sa": make([]byte, 4), "4.isa": make([]byte, 4), "bwt": {0}, "4.4.4.1.gesa": make([]byte, 13),
	} {
		assert.Equal(t, want, clitest.Get(t, dir, "none."+name), name)
	}
}

// Both strands, interleaved, with N after T.
func TestSetTransform(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "fa", []byte(">a\nACGTN\n>b\nacr\n"))
	args := []string{"bwt", "--set", "--both", "--format", "ropebwt3", "--input", "auto", "fa", "-o", "out"}
	clitest.Good(t, dir, args...)
	assertPlannedBytes(t, dir, args, "out")
	_, _, _, _, transform := setOf("ACGTZ", "ZACGT", "ACZ", "ZGT")
	transform = bytes.ReplaceAll(bytes.ReplaceAll(transform, []byte("Z"), []byte("N")), []byte{0}, []byte("\n"))
	assert.Equal(t, transform, clitest.Get(t, dir, "out"))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "files"), 0o777))
	clitest.Put(t, dir, filepath.Join("files", "x"), []byte("a\nb"))
	for args, want := range map[*[]string]string{
		{"gsa", "fa", "-o", "x"}:                                              "one of --sa, --lcp, --da, --bwt, --isa",
		{"gsa", "fa", "-o", "x", "--gsa"}:                                     "--gsa and --gesa need --format gsufsort",
		{"gsa", "fa", "-o", "-", "--sa"}:                                      "the results are files",
		{"gsa", "fa", "-o", "x", "--sa", "--field", "t", "--input", "fasta"}:  "--field does not go with --input fasta",
		{"bwt", "fa", "-o", "x", "--both"}:                                    "--format need --set",
		{"bwt", "fa", "-o", "x", "--set", "--symbols", "u16"}:                 "--set does not go with --symbols u16",
		{"bwt", "fa", "-o", "x", "--set", "--order", "end-largest"}:           "--set does not go with --order end-largest",
		{"sa", "fa", "-o", "x", "--order", "memory"}:                          "--order memory needs --symbols u16 or u32",
		{"sa", "fa", "-o", "x", "--order", "end-largest", "--symbols", "u16"}: "end-largest does not go with --symbols u16",
		{"unbwt", "fa", "-o", "x", "--order", "specials-largest"}:             "must be one of",
	} {
		r := clitest.Run(t, dir, *args...)
		assert.Equal(t, cli.ExitUsage, r.Code, *args)
		assert.Contains(t, r.Errors, want)
	}
	for args, want := range map[*[]string]string{
		{"gsa", "files", "--bwt", "-o", "x"}:             "text 0 holds the terminator 0x0a at offset 1",
		{"gsa", "fa", "--field", "t", "--sa", "-o", "x"}: "fa:1: no JSON object: ",
		{"bwt", "--set", "--both", "files", "-o", "x"}:   "text 0 holds the terminator 0x0a at offset 1",
	} {
		r := clitest.Run(t, dir, *args...)
		assert.Equal(t, cli.ExitFailed, r.Code, *args)
		assert.Contains(t, r.Errors, want)
	}
}

// A file, or files together, of more than a set may have are refused before they are read.
func TestSetTooLong(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "files"), 0o777))
	clitest.Put(t, dir, filepath.Join("files", "a"), []byte("banana"))
	clitest.Put(t, dir, filepath.Join("files", "b"), nil)
	big := filepath.Join("files", "b")
	for _, c := range []struct {
		name string
		size int64 // of the file
	}{{"files", 1<<32 - 8}, {big, 1 << 32}} {
		require.NoError(t, os.Truncate(filepath.Join(dir, big), c.size)) // no blocks
		for _, args := range [][]string{{"gsa", c.name, "--sa", "-o", "x"}, {"plan", "gsa", c.name, "--sa", "-o", "x"},
			{"bwt", c.name, "--set", "-o", "x"}} {
			r := clitest.Run(t, dir, args...)
			assert.Equal(t, cli.ExitFailed, r.Code, args)
			assert.Contains(t, r.Errors, big+": with it the texts are more than 4294967294 bytes", args)
		}
	}
}

// Arrays in an order are not those in another.
func TestOrder(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	text := "ACGNACGACG"
	clitest.Put(t, dir, "text", []byte(text))
	for order, rest := range map[string]func(i int) string{
		"end-largest":      func(i int) string { return text[i:] + "~" },
		"specials-largest": func(i int) string { return specialRest(text, i) },
	} {
		sa := []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
		slices.SortFunc(sa, func(a, b uint64) int { return cmp.Compare(rest(int(a)), rest(int(b))) })
		clitest.Good(t, dir, "sa", "text", "-o", "sa", "--order", order)
		assert.Equal(t, encode(sa, 4), clitest.Get(t, dir, "sa"), order)
		clitest.Good(t, dir, "lcp", "text", "-o", "lcp", "--order", order)
		clitest.Good(t, dir, "bwt", "text", "-o", "bwt", "--order", order)
		transform := ""
		for _, i := range append(slices.Clone(sa), 10) {
			if i > 0 {
				transform += text[i-1 : i]
			}
		}
		assert.Equal(t, transform, string(clitest.Get(t, dir, "bwt")))
		assert.Equal(t, fmt.Sprintln(slices.Index(sa, 0)), string(clitest.Get(t, dir, "bwt.primary")))
		clitest.Good(t, dir, "lcp", "text", "--sa", "sa", "-o", "of", "--order", order)
		assert.Equal(t, clitest.Get(t, dir, "lcp"), clitest.Get(t, dir, "of"))
		assert.Equal(t, cli.ExitVerify, clitest.Run(t, dir, "lcp", "text", "--sa", "sa", "-o", "of").Code)
		clitest.Good(t, dir, "verify", "text", "sa", "--lcp", "lcp", "--bwt", "bwt", "--order", order)
		clitest.Good(t, dir, "plan", "bwt", "text", "--order", order)
		if order == "end-largest" {
			clitest.Good(t, dir, "unbwt", "bwt", "-o", "again", "--order", order)
			assert.Equal(t, text, string(clitest.Get(t, dir, "again")))
		}
		clitest.Good(t, dir, "plan", "sa", "text", "--order", order)
		assert.Equal(t, cli.ExitVerify, clitest.Run(t, dir, "verify", "text", "sa").Code)
	}
	tokens := []byte{2, 0, 1, 0, 0, 1, 1, 0}
	clitest.Put(t, dir, "tokens", tokens)
	clitest.Good(t, dir, "sa", "tokens", "-o", "sa", "--symbols", "u16", "--order", "memory")
	assert.Equal(t, encode([]uint64{2, 3, 1, 0}, 4), clitest.Get(t, dir, "sa"))
	clitest.Good(t, dir, "bwt", "tokens", "-o", "bwt", "--symbols", "u16", "--order", "memory")
	clitest.Good(t, dir, "verify", "tokens", "sa", "--bwt", "bwt", "--symbols", "u16", "--order", "memory")
	assert.Equal(t, uint16(1), binary.LittleEndian.Uint16(clitest.Get(t, dir, "bwt")))
}

// specialRest is a suffix with another letter, above all, for each N and for the end.
func specialRest(text string, i int) string {
	rest := []byte(text[i:] + "N")
	for h := range rest {
		if rest[h] == 'N' {
			rest[h] = byte(200 + i + h)
		}
	}
	return string(rest)
}
