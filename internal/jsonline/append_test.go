package jsonline

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var jsonSeeds = []string{
	`{"a":"x"}`, ` {"b":[1,-2.5e+7,{"a":"no"},true,false,null,""],"a":"\u00e9\n\"\\\/\b\f\r\t"} `, `{"a":"\ud83d\ude00"}`,
	`{"a":"\ud83d"}`, `{"a":"\ud83d\u0041"}`, `{"a":"\udc00x"}`, `{"a":1}`, `{"a":null}`, `{"a":"x","a":"y"}`, `{}`,
	`[]`, ``,
	`{"a":"x"} x`, `{"a":"x",}`, `{"a":"x"`, `{"\u0061":"x"}`, `{"b":01,"a":"x"}`, `{"b":1.,"a":"x"}`, `{"b":.5,"a":""}`,
	`{"b":-,"a":""}`, `{"b":1e,"a":""}`, "{\"a\":\"\x01\"}", "{\"a\":\"\xff\"}", `{"a":"\x"}`, `{"a":"\u12g4"}`,
	`{"b" : "c" , "a" : "d" }`,
	`{"b":tru,"a":""}`, `{"a":"x`, `{"a":"\`, `{"a"}`, `{a:"x"}`, `{"A":"x"}`, `{"b":{},"c":[],"a":"z"}`,
	`{"b":[1 2],"a":""}`,
	`{"b":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `,"a":"deep"}`,
	`{"a":"` + strings.Repeat("long é ", 30) + `\n"}`,
}

// requireSame compares with Field, which encoding/json reads for.
func requireSame(t *testing.T, line string) {
	want, from, end, why := Field([]byte(line), "a")
	got, gotFrom, gotEnd, gotWhy := AppendField([]byte("before"), []byte(line), "a")
	require.Equal(t, why, gotWhy, "%q", line)
	require.Equal(t, "before"+want, string(got), "%q", line)
	require.Equal(t, []int{from, end}, []int{gotFrom, gotEnd}, "%q", line)
	for _, name := range []string{"a", "b", "x"} {
		var object map[string]json.RawMessage
		err := json.Unmarshal([]byte(line), &object)
		has, why := Has([]byte(line), name)
		require.Equal(t, err != nil, why != "", "%q", line)
		require.Equal(t, object[name] != nil, has, "%q", line)
	}
}

func TestAppend(t *testing.T) {
	for _, line := range jsonSeeds {
		requireSame(t, line)
		for at := range line { // damaged anywhere
			for _, c := range "\"\\{}[],:x0 \x1f\xff" {
				requireSame(t, line[:at]+string(c)+line[at:])
				requireSame(t, line[:at]+string(c)+line[at+1:])
			}
			requireSame(t, line[:at])
		}
	}
}

func FuzzAppend(f *testing.F) {
	for _, line := range jsonSeeds {
		f.Add(line)
	}
	f.Fuzz(requireSame)
}

// Lines that are right take no memory but that of the text.
func TestAppendAllocates(t *testing.T) {
	line := []byte(`{"id":17,"meta":{"tags":["x","y"],"ok":true},"text":"a line\nof some é text"}`)
	to := make([]byte, 0, 100)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		_, why := Append(to, line, "text")
		require.Empty(t, why)
	}))
}
