package infinigrammini

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/testkit/needed"
)

// script makes the texts as the definition of the format says, with Python's own reader and writer of JSON.
const script = `
import json, struct, sys
data, meta, places, lines = b"", b"", b"", b""
for number, line in enumerate(open(sys.argv[1], "rb").read().decode().split("\n")):
    if not line.strip(" \t\r"):
        continue
    item = json.loads(line)
    text = item.pop("text")
    places += struct.pack("<Q", len(data))
    lines += struct.pack("<Q", len(meta))
    data += b"\xff" + text.encode()
    meta += (json.dumps({"path": sys.argv[2], "linenum": number, "metadata": item}) + "\n").encode()
for name, of in (("data", data + b"\xfa"), ("meta", meta + b"\xfa"), ("places", places), ("lines", lines)):
    open(sys.argv[3] + "/" + name, "wb").write(of)
`

// The texts are those that Python makes.
func TestAsByPython(t *testing.T) {
	python := needed.Program(t, "python3")
	rng := rand.New(rand.NewPCG(66, 4))
	quoted := func() string {
		var b strings.Builder
		b.WriteByte('"')
		for range rng.IntN(12) {
			b.WriteString([]string{"a", "é", "漢", "😀", `\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`, `\u00e9`, `\u0000`,
				`\ud83d\ude00`, `\u007F`, "\x7f", " ", "/", "key", `\u2028`}[rng.IntN(21)])
		}
		return b.String() + `"`
	}
	numbers := []string{"0", "-0", "12", "-7", "123456789012345678901234567890", "1.0", "-0.0", "1e5", "1E+16", "1e15",
		"123456789012345680.0", "0.0001", "0.00001", "1e-7", "3.141592653589793", "1e999", "-1e999", "5e-324", "2.5e-5",
		"1.7976931348623157e308", "NaN", "Infinity", "-Infinity", "100000000000000000000.5", "9007199254740993.0"}
	var value func(depth int) string
	value = func(depth int) string {
		switch k := rng.IntN(9); {
		case k < 3 || depth > 3:
			return quoted()
		case k < 5:
			return numbers[rng.IntN(len(numbers))]
		case k < 6:
			return []string{"true", "false", "null"}[rng.IntN(3)]
		case k < 8:
			var list []string
			for range rng.IntN(4) {
				list = append(list, fmt.Sprintf(`"k%d" : %s`, rng.IntN(4), value(depth+1)))
			}
			return "{ " + strings.Join(list, " ,") + "}"
		}
		var list []string
		for range rng.IntN(4) {
			list = append(list, value(depth+1))
		}
		return "[" + strings.Join(list, ",\t") + " ]"
	}
	var lines []string
	for range 400 {
		members := []string{`"text":` + quoted()}
		for range rng.IntN(5) {
			key := []string{"id", "u\\u0072l", "é", "text2", `q\"`}[rng.IntN(5)]
			members = append(members, fmt.Sprintf(`"%s": %s`, key, value(0)))
		}
		if rng.IntN(9) == 0 {
			members = append(members, `"text": "again"`)
		}
		rng.Shuffle(len(members), func(i, k int) { members[i], members[k] = members[k], members[i] })
		lines = append(lines, " {"+strings.Join(members, ",")+"}", "")
	}
	lines = append(lines, `{"text": "`+strings.Repeat("long ", 500_000)+`"}`)
	dir := t.TempDir()
	file := filepath.Join(dir, "lines")
	text := strings.Join(lines, "\n")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	out, err := exec.Command(python, "-c", script, file, "a/é.jsonl", dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
	want := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return string(data)
	}
	var c Corpus
	require.NoError(t, c.AddLines("lines", "a/é.jsonl", iotest.HalfReader(strings.NewReader(text)), "text"))
	require.NoError(t, c.Finish(false))
	assert.Equal(t, want("places"), string(words(c.DataOffsets)))
	assert.Equal(t, want("lines"), string(words(c.MetaOffsets)))
	assert.True(t, want("data") == string(c.Data))
	got, all := strings.Split(string(c.Meta), "\n"), strings.Split(want("meta"), "\n")
	require.Len(t, got, len(all))
	for i := range got {
		require.Equal(t, all[i], got[i])
	}
}

func words(of []uint64) (bytes []byte) {
	for _, w := range of {
		bytes = binary.LittleEndian.AppendUint64(bytes, w)
	}
	return bytes
}

// Errors name the line, wherever pieces end.
func TestWrongLines(t *testing.T) {
	for text, why := range map[string]string{
		`{"text": "a"`:                      `lines:2: column 13: want ','`,
		`{"text": 5}`:                       `lines:2: column 10: "text" is no string`,
		`{"title": "a"}`:                    `lines:2: the object has no "text"`,
		`{"text": "a\ud800b"}`:              `lines:2: column 20: a lone surrogate, \ud800, is no character`,
		"{\"text\": \"a\xff\"}":             `lines:2: column 12: invalid UTF-8`,
		`{"text": "a"} x`:                   `lines:2: column 15: more follows the object`,
		`["text"]`:                          `lines:2: no JSON object`,
		`{"text": "a", "x": 01}`:            `lines:2: column 21: want ','`,
		`{"text": "a", "x": 1.}`:            `lines:2: column 21: want a digit after the point`,
		`{"text": "a", "x": +1}`:            `lines:2: column 20: want a value`,
		`{"text": "a", "x": "\x"}`:          `lines:2: column 21: a wrong escape sequence`,
		`{"text": "a", }`:                   `lines:2: column 15: want a key in quotes`,
		`{"text": "a", "x": [1,]}`:          `lines:2: column 23: want a value`,
		"{\"text\": \"a\tb\"}":              `lines:2: column 12: a control character in a string`,
		`{"x": ` + strings.Repeat("[", 600): `lines:2: column 507: more than 500 objects and arrays within each other`,
	} {
		var c Corpus
		err := c.AddLines("lines", "", strings.NewReader("{\"text\": \"fine\"}\n"+text+"\n"), "text")
		var wrong *Error
		if assert.ErrorAs(t, err, &wrong, text) {
			assert.Equal(t, why, err.Error(), text)
		}
	}
	var c Corpus
	require.NoError(t, c.AddLines("empty", "", strings.NewReader("\n \n"), "text"))
	assert.ErrorContains(t, c.Finish(false), "no documents")
	require.ErrorIs(t, c.AddLines("broken", "", iotest.ErrReader(os.ErrClosed), "text"), os.ErrClosed)
	err := c.AddText("file", "", []byte("a\nb\xe9"))
	require.EqualError(t, err, "file: line 2, byte 3 of the file: invalid UTF-8")
	require.NoError(t, c.AddText("file", "dir/file", []byte("a\n")))
	require.NoError(t, c.Finish(true))
	assert.Equal(t, "\xffa\n\xfa\x00", string(c.Data))
	assert.Equal(t, "{\"path\": \"dir/file\", \"linenum\": 0, \"metadata\": {}}\n\xfa\x00", string(c.Meta))
}

// One line or many, in pieces or not: lines have the same numbers.
func TestPieces(t *testing.T) {
	row := `{"text": "` + strings.Repeat("x", 1<<20) + `"}`
	text := strings.Repeat(row+"\n", 19) + row
	var c Corpus
	require.NoError(t, c.AddLines("", "", strings.NewReader(text), "text"))
	require.Len(t, c.DataOffsets, 20)
	assert.Equal(t, 20, bytes.Count(c.Meta, []byte("\n")))
	assert.Contains(t, string(c.Meta), `"linenum": 19,`)
	err := c.AddLines("file", "", strings.NewReader(text+"x\n"), "text")
	assert.EqualError(t, err, fmt.Sprintf("file:20: column %d: more follows the object", len(row)+1))
}

// oneAtATime fails a test if it is read after the call that read it.
type oneAtATime struct {
	t     *testing.T
	r     io.Reader
	ended *atomic.Bool
}

func (o oneAtATime) Read(p []byte) (int, error) {
	if o.ended.Load() {
		o.t.Error("read after the end")
	}
	return o.r.Read(p)
}

// Whatever piece is wrong, and where the reader fails: the first error is told, and the reader has been left alone.
func TestReadsAhead(t *testing.T) {
	row := `{"text": "` + strings.Repeat("x", 1<<16) + `"}` + "\n"
	const rows = 500 // four pieces
	for _, wrong := range []int{0, 260, 499, rows} {
		var text strings.Builder
		for i := range rows {
			if i == wrong {
				text.WriteString("{}\n")
			}
			text.WriteString(row)
		}
		for _, fails := range []bool{false, true} {
			var ended atomic.Bool
			var r io.Reader = strings.NewReader(text.String())
			if fails {
				r = io.MultiReader(r, iotest.ErrReader(os.ErrDeadlineExceeded))
			}
			var c Corpus
			err := c.AddLines("file", "", oneAtATime{t, r, &ended}, "text")
			ended.Store(true)
			switch {
			case wrong < rows:
				require.EqualError(t, err, fmt.Sprintf(`file:%d: the object has no "text"`, wrong+1))
			case fails:
				require.ErrorIs(t, err, os.ErrDeadlineExceeded)
			default:
				require.NoError(t, err)
				require.Len(t, c.Data, rows*(1<<16+1))
				require.Equal(t, rows*(1<<16), bytes.Count(c.Data, []byte("x")))
			}
		}
	}
}
