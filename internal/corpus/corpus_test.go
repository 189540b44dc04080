package corpus_test

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/corpus"
)

func Example() {
	lines := "{\"id\":1,\"text\":\"to be or not to be\"}\n{\"id\":2,\"text\":\"or not\"}\n"
	var set corpus.Set
	if err := set.Add("shard.jsonl", strings.NewReader(lines), corpus.Options{Field: "text"}); err != nil {
		log.Fatal(err)
	}
	split := set.Split(true)
	split.Add(18, 24) // "or not" of the second document
	cuts := split.Cuts()
	if err := set.WriteRanges(0, strings.NewReader(lines), cuts, os.Stdout); err != nil {
		log.Fatal(err)
	}
	if err := set.Write(0, strings.NewReader(lines), cuts, os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// {"id":1,"text":"to be or not to be","sa_remove_ranges":[]}
	// {"id":2,"text":"or not","sa_remove_ranges":[[0,6]]}
	// {"id":1,"text":"to be or not to be"}
	// {"id":2,"text":""}
}

func documents(s *corpus.Set) (list []string) {
	for _, d := range s.Documents {
		list = append(list, string(s.Text[d.Start:d.End]))
	}
	return list
}

func TestDocuments(t *testing.T) {
	var s corpus.Set
	add := func(name, text string, o corpus.Options) { require.NoError(t, s.Add(name, strings.NewReader(text), o)) }
	add("a", "one", corpus.Options{})
	add("empty", "", corpus.Options{})
	add("b", "--two----three", corpus.Options{Separator: []byte("--")})
	add("c", "{\"t\": \"fo\\u00fcr\"}\r\n \n{\"t\":\"\"}", corpus.Options{Field: "t"})
	add("d", "fivesix", corpus.Options{Offsets: []uint64{0, 4, 4, 7}})
	assert.Equal(t, []string{"one", "two", "three", "foür", "", "five", "six"}, documents(&s))
	assert.Equal(t, []uint64{0, 3, 5, 8, 12, 17, 22, 26, 29}, s.Bounds(1, 5))
	assert.Equal(t, []uint64{0, 3, 5, 8, 11, 12, 17, 22, 26, 29}, s.Bounds(1, 4), "no window is of separators")
	assert.Equal(t, []uint64{0, 3, 3, 17, 22, 29}, s.FileBounds(1))
	for k, file := range []int{0, 2, 2, 3, 3, 4, 4} {
		assert.Equal(t, file, s.FileOf(k))
	}
	c, err := s.Characters()
	require.NoError(t, err)
	assert.Len(t, c.Text, 4*28)
	assert.Equal(t, []uint64{20, 21, 28}, c.Bounds([]uint64{20, 22, 29}))
	assert.Equal(t, 22, c.Place(21))
	assert.Equal(t, 29, c.Place(28))

	var wide corpus.Set
	require.NoError(t, wide.Plain("w", []byte("a--b--cd"), corpus.Options{Separator: []byte("--"), SymbolBytes: 2}))
	assert.Equal(t, []string{"a--b", "cd"}, documents(&wide), "separators are whole symbols")
	assert.Equal(t, []uint64{0, 2, 3, 4}, wide.Bounds(2, 2))
	var runs corpus.Set
	o := corpus.Options{Separator: []byte("--"), SymbolBytes: 2}
	require.NoError(t, runs.Plain("r", []byte("--------abcd------"), o))
	require.NoError(t, runs.Add("s", strings.NewReader("----ef--"), o))
	assert.Equal(t, []uint64{0, 2, 4, 6, 8, 9, 11, 12, 13}, runs.Bounds(2, 3), "files end between documents, too")
	assert.Equal(t, []uint64{0, 4, 6, 9, 11, 12, 13}, runs.Bounds(2, 5))
	assert.False(t, runs.Holds(0, 8))
	assert.True(t, runs.Holds(0, 9))
	assert.False(t, runs.Holds(12, 22))
	assert.True(t, runs.Holds(12, 23))
	var none corpus.Set
	assert.False(t, none.Holds(0, 0))
	assert.Equal(t, []uint64{0, 0}, none.Bounds(1, 2))
	assert.Equal(t, []uint64{0, 0}, none.FileBounds(1))
}

// Errors have the place, and the set stays as it was.
func TestRefused(t *testing.T) {
	var s corpus.Set
	require.NoError(t, s.Add("good", strings.NewReader("good"), corpus.Options{}))
	lines := corpus.Options{Field: "t"}
	for _, c := range []struct {
		text string
		o    corpus.Options
		want string
	}{
		{"{\"t\":\"a\"}\n[]", lines, "x:2: no JSON object"},
		{"{\"t\":\"a\"} {}", lines, "x:1: no JSON object: more after it"},
		{"{\"t\":\"a\"", lines, "x:1: no JSON object: unexpected EOF"},
		{"{\"t\":null}", lines, `x:1: field "t" is no string`},
		{"{\"t\":\"a\",\"t\":\"b\"}", lines, `x:1: the object has field "t" twice`},
		{"{\"u\":\"a\"}", lines, `x:1: the object has no field "t"`},
		{"{\"t\":\"\xff\"}", lines, "x:1: invalid UTF-8"},
		{"abcd", corpus.Options{SymbolBytes: 2, Separator: []byte("b")},
			"x: a separator of 1 byte is no whole symbols of 2"},
		{"{\"t\":\"a\"}\v", lines, "x:1: no JSON object: more after it"},
		{"{\"t\":\"a\"}\n\v\n", lines, "x:2: no JSON object: invalid character '\\v' looking for beginning of value"},
		{"abc", corpus.Options{SymbolBytes: 2}, "x: at byte 3: the file ends in the middle of a symbol of 2 bytes"},
		{"abc", corpus.Options{Offsets: []uint64{0, 4}},
			"x: offsets do not fit: offset 1 is 4, beyond the end of the file at 3"},
		{"abc", corpus.Options{Offsets: []uint64{0, 2, 1, 3}}, "x: offsets do not fit: offset 2 is 1, less than 2 before it"},
		{"abc", corpus.Options{Offsets: []uint64{1, 3}}, "x: offsets do not fit: the first offset is 1, not 0"},
		{"abc", corpus.Options{Offsets: []uint64{0, 2}}, "x: offsets do not fit: the last is 2, the file has 3 bytes"},
		{"abcd", corpus.Options{Offsets: []uint64{0, 1, 4}, SymbolBytes: 2},
			"x: offsets do not fit: offset 1 is 1, in the middle of a symbol of 2 bytes"},
		{"\x01\x00\xff\xff\x00\x01", corpus.Options{SymbolBytes: 2, Separator: []byte("\xff\xff"), Vocabulary: 256},
			"x: at byte 4: token 256 is not in the vocabulary of 256"},
		{"\x01\x00\x00\x00\x00\x00\x00\x80", corpus.Options{SymbolBytes: 4, Vocabulary: 1 << 31},
			"x: at byte 4: token 2147483648 is not in the vocabulary of 2147483648"},
	} {
		err := s.Add("x", strings.NewReader(c.text), c.o)
		var wrong *corpus.Error
		require.ErrorAs(t, err, &wrong)
		assert.Equal(t, c.want, err.Error())
		assert.Equal(t, "good", string(s.Text))
		assert.Len(t, s.Documents, 1)
		assert.Len(t, s.Files, 1)
	}
	broken := errors.New("broken")
	for _, o := range []corpus.Options{{}, lines} {
		require.ErrorIs(t, s.Add("x", iotest.ErrReader(broken), o), broken)
	}
	_, err := corpus.ReadOffsets("o", strings.NewReader("1234567"))
	require.EqualError(t, err, "o: at byte 7: the file ends in the middle of an offset of 8 bytes")
	var bad corpus.Set
	require.NoError(t, bad.Add("a", strings.NewReader("ok"), corpus.Options{}))
	require.NoError(t, bad.Add("b", strings.NewReader("é\xe9"), corpus.Options{}))
	require.EqualError(t, bad.CheckUTF8(), "b: at byte 2: invalid UTF-8")
	_, err = bad.Characters()
	require.EqualError(t, err, "b: at byte 2: invalid UTF-8")
	require.NoError(t, s.CheckUTF8())
}

func TestCuts(t *testing.T) {
	var s corpus.Set
	text := "ab|é|cdef|日本|g"
	require.NoError(t, s.Plain("x", []byte(text), corpus.Options{Separator: []byte("|")}))
	cut := func(whole bool, ranges ...[2]int) string {
		split := s.Split(whole)
		for _, r := range ranges {
			split.Add(r[0], r[1])
		}
		var out bytes.Buffer
		require.NoError(t, s.Write(0, nil, split.Cuts(), &out))
		return out.String()
	}
	assert.Equal(t, text, cut(true))
	assert.Equal(t, "a||ef|日本|g", cut(true, [2]int{1, 8}))
	assert.Equal(t, "ab|é|cdef|日本|g", cut(true, [2]int{4, 5}, [2]int{12, 14}), "no whole character")
	assert.Equal(t, "ab|é|cdef|日|g", cut(true, [2]int{12, 17}), "the first character is not whole")
	assert.Equal(t, "ab|é|cdef|本|g", cut(true, [2]int{11, 15}))
	assert.Equal(t, "||||", cut(false, [2]int{0, len(text)}))
	assert.Equal(t, "b|é|cf||g", cut(false, [2]int{0, 1}, [2]int{7, 9}, [2]int{11, 17}))
	split := s.Split(false)
	split.Add(0, 1)
	split.Add(7, 9)
	assert.Equal(t, 2, split.Cuts().Len())
	assert.Equal(t, 2, split.Cuts().Documents())
	assert.Nil(t, split.Cuts().Of(1))
	assert.Equal(t, []corpus.Cut{{Start: 1, End: 3}}, split.Cuts().Of(2))
}

// A document of which nothing stays goes with the separator after it, the last with that before it.
func TestDropEmptied(t *testing.T) {
	for text, want := range map[string]string{
		"ab|cd|ef": "cd", "ab|cd": "cd", "ab": "", "ab|ab|ab": "", "|ab|cd|": "|cd|", "cd|ab": "cd", "cd||ab": "cd|",
		"ab||cd": "|cd", "abx|ab|c": "x|c", "cd|": "cd|", "|": "|", "": "", "ab|efab": "",
	} {
		var s corpus.Set
		require.NoError(t, s.Plain("x", []byte(text), corpus.Options{Separator: []byte("|")}))
		split := s.Split(false)
		for at := 0; at+2 <= len(text); at++ {
			if text[at:at+2] == "ab" || text[at:at+2] == "ef" {
				split.Add(at, at+2)
			}
		}
		cuts := split.Cuts()
		cuts.DropEmptied = true
		var out bytes.Buffer
		require.NoError(t, s.Write(0, nil, cuts, &out))
		assert.Equal(t, want, out.String(), "%q", text)
	}
}

// A file that is read once more has to be the same.
func TestChanged(t *testing.T) {
	var s corpus.Set
	line := "{\"t\":\"日本\"}\n"
	require.NoError(t, s.Add("x", strings.NewReader(line), corpus.Options{Field: "t"}))
	split := s.Split(false)
	split.Add(0, 1)
	var out bytes.Buffer
	require.ErrorContains(t, s.Write(0, strings.NewReader(line), split.Cuts(), &out), "within a character")
	for _, changed := range []string{"", line + line, "{\"t\":\"x\"}\n"} {
		err := s.Write(0, strings.NewReader(changed), s.Split(false).Cuts(), &out)
		require.ErrorContains(t, err, "the file has changed")
	}
	full := fmt.Errorf("disk full")
	require.ErrorIs(t, s.Write(0, strings.NewReader(line), s.Split(false).Cuts(), failing{full}), full)
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
