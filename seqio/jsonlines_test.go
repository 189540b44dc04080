package seqio_test

import (
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/seqio"
)

func TestJSONLines(t *testing.T) {
	options := seqio.Options{Name: "docs.jsonl", Separator: []byte("\n")}
	file := "{\"text\":\"a\\u00e9\\n\",\"n\":1}\n \r\n{\"text\":\"\"}\n{\"text\":\"b\"}"
	b, err := seqio.ReadJSONLines(strings.NewReader(file), "text", options)
	require.NoError(t, err)
	require.Equal(t, "aé\n\n\nb\n", string(b.Text))
	require.Equal(t, seqio.Table{
		{Name: "1", Offset: 0, Length: 4}, {Name: "3", Offset: 5}, {Name: "4", Offset: 6, Length: 1},
	}, b.Records)
	for text, why := range map[string]string{
		"{\"text\":\"a\"}\n[1]":                 "docs.jsonl:2: no JSON object",
		"{\"text\":\"a\"}\n{\"other\":\"a\"}\n": "docs.jsonl:2: the object has no field \"text\"",
		"{\"text\":7}":                          "docs.jsonl:1: field \"text\" is no string",
		"{\"text\":null}":                       "docs.jsonl:1: field \"text\" is no string",
	} {
		_, err := seqio.ReadJSONLines(strings.NewReader(text), "text", options)
		var wrong *seqio.Error
		require.ErrorAs(t, err, &wrong)
		require.ErrorContains(t, err, why)
	}
	_, err = seqio.ReadJSONLines(iotest.ErrReader(iotest.ErrTimeout), "text", options)
	require.ErrorIs(t, err, iotest.ErrTimeout)
}
