package jsonline_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/jsonline"
)

func TestField(t *testing.T) {
	line := []byte(" {\"a\": {\"t\": 1}, \"t\" : \"x\\u00e9\", \"b\": 1e400}\r\n")
	text, from, to, why := jsonline.Field(line, "t")
	assert.Empty(t, why)
	assert.Equal(t, "xé", text)
	assert.Equal(t, `"x\u00e9"`, string(line[from:to]))
	for line, want := range map[string]string{
		`{"t": "a", "t": "b"}`: `the object has field "t" twice`, `{"t": null}`: `field "t" is no string`,
		`{"u": "a"}`: `the object has no field "t"`, "{\"t\": \"a\xe9b\"}": "invalid UTF-8",
		`["t"]`:        "no JSON object",
		`{"t": "a"} x`: "no JSON object: more after it", `{"t": "a`: "no JSON object: unexpected EOF",
	} {
		_, _, _, why := jsonline.Field([]byte(line), "t")
		assert.Equal(t, want, why, line)
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		quoted string
		ranges [][2]int
		want   string
		why    string
	}{
		{`"abc"`, nil, `"abc"`, ""},
		{`"abc"`, [][2]int{{0, 3}}, `""`, ""},
		{`"a\u00e9\n日\ud83d\ude00z"`, [][2]int{{0, 1}, {3, 4}}, `"\u00e9日\ud83d\ude00z"`, ""},
		{`"a\u00e9\n日\ud83d\ude00z"`, [][2]int{{1, 3}, {7, 11}}, `"a\n日z"`, ""},
		{`"aé"`, [][2]int{{0, 2}}, "", "a range ends within a character"},
		{`"aé"`, [][2]int{{2, 3}}, "", "a range ends within a character"},
		{`"\ud83d\ude00"`, [][2]int{{0, 2}}, "", "a range ends within a character"},
		{`"\ud83d x\ude00"`, [][2]int{{3, 4}}, `"\ud83dx\ude00"`, ""}, // each is U+FFFD to who reads it
		{`"\ud83dx\ude00"`, [][2]int{{3, 4}}, "", "halves of a surrogate pair would meet"},
		{`"\ude00x\ud83d"`, [][2]int{{3, 4}}, `"\ude00\ud83d"`, ""},
	} {
		rest, why := jsonline.Cut(nil, []byte(c.quoted), c.ranges)
		assert.Equal(t, c.why, why, "%s %v", c.quoted, c.ranges)
		if why == "" {
			assert.Equal(t, c.want, string(rest), "%s %v", c.quoted, c.ranges)
		}
	}
}

// What is left of a string is what is left of its text, however that is escaped.
func TestCutText(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 2000 {
		var runes []rune
		for range rng.IntN(12) {
			runes = append(runes, []rune("a\n\"\\\x00é日\u2028😀<")[rng.IntN(10)])
		}
		text := string(runes)
		quoted, err := json.Marshal(text)
		require.NoError(t, err)
		var starts []int
		for i := range text {
			starts = append(starts, i)
		}
		starts = append(starts, len(text))
		from := rng.IntN(len(starts))
		to := from + rng.IntN(len(starts)-from)
		rest, why := jsonline.Cut(nil, quoted, [][2]int{{starts[from], starts[to]}})
		require.Empty(t, why)
		var got string
		require.NoError(t, json.Unmarshal(rest, &got))
		require.True(t, utf8.ValidString(got))
		require.Equal(t, text[:starts[from]]+text[starts[to]:], got)
	}
}
