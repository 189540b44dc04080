package serve

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/infinigrammini"
	"github.com/suffixcl/suffixcl/internal/sdsl"
	"github.com/suffixcl/suffixcl/internal/tokenindex"
)

// fm9Of is the index of a text as sdsl writes it, sorted by comparison.
func fm9Of(t *testing.T, text []byte) []byte {
	n := len(text)
	sa, rows, transform := make([]int, n), make([]int, n), make([]byte, n)
	for i := range sa {
		sa[i] = i
	}
	slices.SortFunc(sa, func(a, b int) int { return bytes.Compare(text[a:], text[b:]) })
	for row, i := range sa {
		rows[i], transform[row] = row, text[(i+n-1)%n]
	}
	x, err := sdsl.Encode(t.Context(), sdsl.Parts{Transform: transform,
		Rows:   func(k int) uint64 { return uint64(sa[k*sdsl.RowsBetween]) },
		Places: func(k int) uint64 { return uint64(rows[k*sdsl.PlacesBetween]) }})
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, x.Write(&b))
	return b.Bytes()
}

func put(t *testing.T, name string, data []byte) {
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, data, 0o644))
}

// writeFM9 writes an index of infini-gram mini, and returns its text.
func writeFM9(t *testing.T, dir string, documents []string) []byte {
	var lines bytes.Buffer
	for i, d := range documents {
		text, err := json.Marshal(d)
		require.NoError(t, err)
		fmt.Fprintf(&lines, `{"text": %s, "id": %d}`+"\n", text, i)
	}
	var c infinigrammini.Corpus
	require.NoError(t, c.AddLines("lines", "corpus.jsonl", &lines, "text"))
	require.NoError(t, c.Finish(false))
	words := func(list []uint64) (data []byte) {
		for _, w := range list {
			data = binary.LittleEndian.AppendUint64(data, w)
		}
		return data
	}
	put(t, filepath.Join(dir, infinigrammini.DataFile), fm9Of(t, c.Data))
	put(t, filepath.Join(dir, infinigrammini.MetaFile), fm9Of(t, c.Meta))
	put(t, filepath.Join(dir, infinigrammini.DataOffsetFile), words(c.DataOffsets))
	put(t, filepath.Join(dir, infinigrammini.MetaOffsetFile), words(c.MetaOffsets))
	return c.Data
}

const separator = 0xffff

// writeShard writes a shard of tokens of 16 bits, and returns them with separators.
func writeShard(t *testing.T, dir string, number int, documents [][]uint32, offsets bool) (all []uint32) {
	var tokens, places []byte
	for _, d := range documents {
		places = binary.LittleEndian.AppendUint64(places, uint64(len(tokens)))
		for _, token := range append([]uint32{separator}, d...) {
			tokens = binary.LittleEndian.AppendUint16(tokens, uint16(token))
			all = append(all, token)
		}
	}
	sa := make([]uint32, len(all))
	for i := range sa {
		sa[i] = uint32(i)
	}
	slices.SortFunc(sa, func(a, b uint32) int { return bytes.Compare(tokens[2*a:], tokens[2*b:]) })
	var table bytes.Buffer
	w := tokenindex.NewTableWriter(&table, tokenindex.InfiniGram, int64(len(tokens)), 2)
	require.NoError(t, w.Write(sa))
	put(t, shardFile(dir, "tokenized", number), tokens)
	put(t, shardFile(dir, "table", number), table.Bytes())
	if offsets {
		put(t, shardFile(dir, "offset", number), places)
	}
	return all
}

// writeFMI writes an FM-index, made on the device that is opened if it is needed.
func writeFMI(t *testing.T, e *suffixcl.Engine, name string, text suffixcl.Text, o suffixcl.IndexOptions) {
	x, err := e.Index(text, o).All(t.Context())
	require.NoError(t, err)
	defer x.Close()
	var b bytes.Buffer
	require.NoError(t, x.Save(t.Context(), &b))
	put(t, name, b.Bytes())
}

// asking is a service that is asked through HTTP.
type asking struct {
	t      *testing.T
	url    string
	failed chan error
}

func usual() Options {
	return Options{MaxRequest: 1 << 16, MaxClients: 64, Timeout: 20 * time.Second}
}

// serving serves indexes from files.
func serving(t *testing.T, o Options, open OpenOptions, paths ...string) *asking {
	metrics := NewMetrics()
	open.TokenBytes, open.MaxHits = 2, cmp.Or(open.MaxHits, 1000)
	open.Batches = metrics.Batch
	var indexes []*Index
	for _, path := range paths {
		with := open
		if !strings.HasSuffix(path, ".text.fmi") {
			with.TextFile = ""
		}
		x, err := Open(t.Context(), ParseSource(path), with)
		require.NoError(t, err, path)
		t.Cleanup(func() { require.NoError(t, x.Close()) })
		indexes = append(indexes, x)
	}
	return start(t, o, metrics, indexes...)
}

func start(t *testing.T, o Options, metrics *Metrics, indexes ...*Index) *asking {
	a := &asking{t: t, failed: make(chan error, 1000)}
	o.Fail = func(err error) { a.failed <- err }
	s, err := New(indexes, metrics, o)
	require.NoError(t, err)
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	a.url = server.URL
	return a
}

func (a *asking) get(path string) (status int, body string) {
	response, err := http.Get(a.url + path)
	require.NoError(a.t, err)
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	require.NoError(a.t, err)
	return response.StatusCode, string(data)
}

// post sends a request as it is.
func (a *asking) post(body string) (status int, answer map[string]any, err error) {
	request, err := http.NewRequestWithContext(context.Background(), http.MethodPost, a.url, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	d := json.NewDecoder(response.Body)
	return response.StatusCode, answer, d.Decode(&answer)
}

// ask wants an answer.
func (a *asking) ask(kind, index string, fields map[string]any) map[string]any {
	a.t.Helper()
	all := map[string]any{"query_type": kind, "index": index}
	for name, value := range fields {
		all[name] = value
	}
	body, err := json.Marshal(all)
	require.NoError(a.t, err)
	status, answer, err := a.post(string(body))
	require.NoError(a.t, err)
	require.Equal(a.t, 200, status, "%s: %v", body, answer)
	require.Contains(a.t, answer, "latency")
	return answer
}

// refused wants an error with a status.
func (a *asking) refused(status int, body string) string {
	a.t.Helper()
	got, answer, err := a.post(body)
	require.NoError(a.t, err)
	require.Equal(a.t, status, got, "%.200s: %v", body, answer)
	require.Len(a.t, answer, 1)
	return answer["error"].(string)
}

// shardFile is the name of a file of a shard of tokens.
func shardFile(dir, kind string, number int) string {
	return filepath.Join(dir, fmt.Sprintf("%s.%d", kind, number))
}
