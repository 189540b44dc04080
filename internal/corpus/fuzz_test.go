package corpus_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/corpus"
)

// FuzzLines: lines of any bytes are objects with a string, by encoding/json, or refused with their line. Written again
// they are the same bytes; cut they are objects without what was cut.
func FuzzLines(f *testing.F) {
	for _, seed := range []string{
		"", "\n\n", "{}", "{\"t\":\"a\"}", "{\"t\":\"a\\u00e9\\ud83d\\ude00\", \"u\": [1]}\r\n \n{\"t\":\"\"}", "{\"t\":1}",
		"{\"t\":\"a\",\"t\":\"b\"}", "[\"t\"]", "{\"t\":\"a\"} x", "{\"t\":\"\xff\"}", "{\"\\u0074\":\"a\"}", "{\"t\":null}",
		"{\"t\":\"\\ud800\"}", "{\"T\":\"a\"}\n{\"t\":\"日本\"}", "{\"sa_remove_ranges\":[],\"t\":\"ab\"}",
	} {
		f.Add([]byte(seed), uint16(0), uint16(3))
		f.Add([]byte(seed+"\v"), uint16(0), uint16(3)) // white space, but not that of JSON
	}
	f.Fuzz(func(t *testing.T, data []byte, from, length uint16) {
		var s corpus.Set
		if err := s.Add("x", bytes.NewReader(data), corpus.Options{Field: "t"}); err != nil {
			var wrong *corpus.Error
			require.ErrorAs(t, err, &wrong)
			require.Positive(t, wrong.Line)
			require.LessOrEqual(t, wrong.Line, int64(bytes.Count(data, []byte("\n"))+1))
			require.Empty(t, s.Text)
			require.Empty(t, s.Documents)
			require.Empty(t, s.Files)
			return
		}
		var lines [][]byte // that are not blank
		for line := range bytes.Lines(data) {
			if len(bytes.Trim(line, " \t\r\n")) > 0 {
				lines = append(lines, line)
			}
		}
		require.Len(t, s.Documents, len(lines))
		for k, line := range lines {
			object := map[string]any{}
			require.NoError(t, json.Unmarshal(line, &object))
			require.Equal(t, object["t"], string(s.Text[s.Documents[k].Start:s.Documents[k].End]))
		}
		require.True(t, utf8.Valid(s.Text))
		require.NoError(t, s.CheckUTF8())

		var same bytes.Buffer
		require.NoError(t, s.Write(0, bytes.NewReader(data), s.Split(true).Cuts(), &same))
		require.Equal(t, string(data), same.String())

		split := s.Split(true)
		start := int(from) % (len(s.Text) + 1)
		split.Add(start, min(start+int(length), len(s.Text)))
		cuts := split.Cuts()
		var cut, told bytes.Buffer
		require.NoError(t, s.Write(0, bytes.NewReader(data), cuts, &cut))
		var again corpus.Set
		require.NoError(t, again.Add("y", &cut, corpus.Options{Field: "t"}))
		require.Len(t, again.Documents, len(lines))
		err := s.WriteRanges(0, bytes.NewReader(data), cuts, &told)
		var wrong *corpus.Error
		if err != nil {
			require.ErrorAs(t, err, &wrong)
			require.Contains(t, wrong.Why, corpus.RangesField)
		}
		k := 0
		for line := range bytes.Lines(told.Bytes()) {
			if err != nil || len(bytes.Trim(line, " \t\r\n")) == 0 {
				continue
			}
			var object map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(line, &object), "%s", line)
			var ranges [][2]int
			require.NoError(t, json.Unmarshal(object[corpus.RangesField], &ranges))
			text := s.Text[s.Documents[k].Start:s.Documents[k].End]
			rest, at := "", 0
			for _, r := range ranges {
				rest, at = rest+string(text[at:r[0]]), r[1]
			}
			rest += string(text[at:])
			require.Equal(t, rest, string(again.Text[again.Documents[k].Start:again.Documents[k].End]))
			k++
		}
	})
}

// FuzzPlain: a file of any bytes is divided as its options say, or refused with the place. Documents and what is
// between them are the file.
func FuzzPlain(f *testing.F) {
	offsets := func(list ...uint64) (b []byte) {
		for _, at := range list {
			b = binary.LittleEndian.AppendUint64(b, at)
		}
		return b
	}
	f.Add([]byte("one|two||three"), []byte("|"), []byte{}, uint8(0), uint32(0))
	f.Add([]byte("a|b|"), []byte("|"), []byte{}, uint8(1), uint32(0))
	f.Add([]byte("\x01\x00\xff\xff\x02\x01"), []byte("\xff\xff"), []byte{}, uint8(1), uint32(513))
	f.Add([]byte("a|bc"), []byte("|"), []byte{}, uint8(1), uint32(7)) // a separator of half a symbol
	f.Add([]byte("fivesix"), []byte{}, offsets(0, 4, 4, 7), uint8(0), uint32(0))
	f.Add([]byte("fivesix"), []byte{}, offsets(0, 1<<63, 7), uint8(0), uint32(0))
	f.Add([]byte("abc"), []byte{}, []byte{1, 2, 3}, uint8(2), uint32(0))
	f.Add([]byte("é\xe9日本"), []byte("\xe9"), []byte{}, uint8(0), uint32(0))
	f.Fuzz(func(t *testing.T, data, separator, file []byte, width uint8, vocabulary uint32) {
		var wrong *corpus.Error
		o := corpus.Options{Separator: separator, SymbolBytes: []int{1, 2, 4}[width%3], Vocabulary: uint64(vocabulary)}
		if len(file) > 0 {
			list, err := corpus.ReadOffsets("offsets", bytes.NewReader(file))
			if len(file)%8 != 0 {
				require.ErrorAs(t, err, &wrong)
				return
			}
			require.NoError(t, err)
			o.Separator, o.Offsets = nil, list
		}
		var s, taken corpus.Set
		require.NoError(t, s.Add("first", strings.NewReader("1234"), corpus.Options{}))
		err := s.Add("x", bytes.NewReader(data), o)
		alone := taken.Plain("x", bytes.Clone(data), o)
		require.Equal(t, err, alone)
		if err != nil {
			require.ErrorAs(t, err, &wrong)
			require.LessOrEqual(t, wrong.Offset, int64(len(data)))
			require.Equal(t, "1234", string(s.Text))
			require.Len(t, s.Documents, 1)
			return
		}
		last := 4
		for _, d := range s.Documents[1:] {
			require.LessOrEqual(t, last, d.Start)
			require.Less(t, d.Start, d.End)
			between := s.Text[last:d.Start]
			require.Empty(t, strings.ReplaceAll(string(between), string(o.Separator), ""), "separators alone")
			last = d.End
		}
		for k, d := range taken.Documents {
			require.Equal(t, s.Documents[k+1], corpus.Document{Start: d.Start + 4, End: d.End + 4})
		}
		require.Equal(t, "1234"+string(data), string(s.Text))
		length := 2 + int(width/3)
		bounds := s.Bounds(o.SymbolBytes, length)
		require.IsIncreasing(t, bounds)
		require.EqualValues(t, len(s.Text)/o.SymbolBytes, bounds[len(bounds)-1])
		documents := map[corpus.Document]bool{}
		for _, d := range s.Documents {
			documents[d] = true
		}
		for i, end := range bounds[1:] {
			if from, to := int(bounds[i])*o.SymbolBytes, int(end)*o.SymbolBytes; s.Holds(from, to) {
				require.True(t, documents[corpus.Document{Start: from, End: to}])
			} else {
				require.Less(t, (to-from)/o.SymbolBytes, length, "windows of separators")
			}
		}

		var out bytes.Buffer
		split := s.Split(false)
		split.Add(0, len(s.Text))
		require.NoError(t, s.Write(1, nil, split.Cuts(), &out))
		require.Empty(t, strings.ReplaceAll(out.String(), string(o.Separator), ""), "what is in documents is cut")
		characters, err := s.Characters()
		if !utf8.Valid(data) {
			require.ErrorAs(t, err, &wrong)
			require.True(t, errors.As(err, &wrong) && wrong.Offset >= 0)
			return
		}
		require.NoError(t, err)
		require.Len(t, characters.Text, 4*utf8.RuneCount(s.Text))
	})
}
