package verbs

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// putTables writes a table of two documents: 1 2, and 1 3 1 2.
func putTables(t *testing.T, dir string) {
	require.NoError(t, os.Mkdir(filepath.Join(dir, "tables"), 0o777))
	clitest.Put(t, dir, "tables/tokenized.0", []byte{255, 1, 2, 255, 1, 3, 1, 2})
	clitest.Put(t, dir, "tables/table.0", []byte{6, 1, 4, 7, 2, 5, 0, 3})
	clitest.Put(t, dir, "tables/offset.0", []byte{0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0})
}

// Requests of a file are answered in their order.
func TestServeAsk(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	putTables(t, dir)
	clitest.Put(t, dir, "text", []byte("banana band"))
	clitest.Good(t, dir, "index", "text", "-o", "text.fmi", "-q")
	clitest.Put(t, dir, "requests", []byte(strings.Join([]string{
		`{"index":"ids","query_type":"count","query_ids":[1,2]}`, ``,
		`{"index":"text.fmi","query_type":"count","query":"ban"}`,
		`{"index":"text.fmi","query_type":"get_doc_by_rank","query":"ban","s":0,"rank":1,"max_ctx_len":3}`,
		`{"index":"ids","query_type":"count","query":"ban"}`,
	}, "\n")))
	r := clitest.Good(t, dir, "serve", "ids=tables", "text.fmi", "--token", "u8", "--ask", "requests", "--text",
		"text.fmi=text", "-q")
	var answers []map[string]any
	for line := range strings.Lines(r.Out) {
		var answer map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &answer))
		answers = append(answers, answer)
	}
	require.Len(t, answers, 4)
	assert.EqualValues(t, 2, answers[0]["count"])
	assert.EqualValues(t, 2, answers[1]["count"])
	assert.Equal(t, "na band", answers[2]["text"])
	assert.Contains(t, answers[3]["error"], "there is no tokenizer")
	assert.Empty(t, r.Errors)
}

func TestServeUsage(t *testing.T) {
	dir := t.TempDir()
	putTables(t, dir)
	clitest.Put(t, dir, "text", []byte("banana"))
	clitest.Put(t, dir, "long", []byte(strings.Repeat("x", 100)))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "bare"), 0o777))
	for args, want := range map[string]string{
		"":                               "INDEX is missing",
		"tables x=tables tables/":        `two indexes are called "tables"`,
		"tables --text tables":           `--text "tables": want NAME=FILE`,
		"tables --text other=text":       "no index is called that",
		"tables --port 65536":            "--port 65536: 0 to 65535",
		"tables --max-request 0":         "--max-request: 1 to 1G",
		"tables --max-hits 0":            "are positive",
		"tables --max-clients -1":        "are positive",
		"tables --timeout 0s":            "--timeout is positive",
		"tables --token u64":             "must be one of u8, u16, u32",
		"tables --ask requests --json":   "unknown flag: --json",
		"tables --timeout soon --port 0": "invalid argument",
	} {
		r := clitest.Run(t, dir, append([]string{"serve"}, strings.Fields(args)...)...)
		assert.Equal(t, cli.ExitUsage, r.Code, args)
		assert.Contains(t, r.Errors, want, args)
	}
	for args, want := range map[string]string{
		"none":                                 "cannot read none: no such file or directory",
		"bare":                                 "neither it nor a directory in it has a file data.fm9",
		"tables --token u8 --ask none":         "none: no such file or directory",
		"tables --token u8 --text tables=text": "tables: a text is for an FM-index on a device",
		"tables --token u8 --ask long --max-request 64": "a line has more than 64 bytes",
		"tables --token u8 --port 0 --listen 256.0.0.1": "cannot listen: ",
	} {
		r := clitest.Run(t, dir, append([]string{"serve"}, strings.Fields(args)...)...)
		assert.Equal(t, cli.ExitFailed, r.Code, args)
		assert.Contains(t, r.Errors, want, args)
	}
	if clitest.HasDevice() {
		r := clitest.Run(t, dir, "serve", "text", "--ask", "text")
		assert.Equal(t, cli.ExitFailed, r.Code)
		assert.Contains(t, r.Errors, "text: ")
	}
}
