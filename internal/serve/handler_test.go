package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/infinigrammini"
	"github.com/suffixcl/suffixcl/patterns"
)

// Requests that are wrong are refused, and the service goes on.
func TestBadRequests(t *testing.T) {
	dir := t.TempDir()
	writeFM9(t, filepath.Join(dir, "mini"), documents[0])
	writeShard(t, filepath.Join(dir, "tokens"), 0, [][]uint32{{1, 2, 3}}, true)
	a := serving(t, usual(), OpenOptions{}, filepath.Join(dir, "mini"), filepath.Join(dir, "tokens"))
	for _, c := range []struct{ body, why string }{
		{``, "no object of JSON"},
		{`null`, "it is null"},
		{`[]`, "it is a array"},
		{`{"index":"mini"`, "unexpected end"},
		{`{"index":"mini"} x`, "invalid character"},
		{"{\"index\":\"mini\xff\"}", "byte 14 of the request is not UTF-8"},
		{`{}`, "index is missing"},
		{`{"index":"mini"}`, "query_type is missing"},
		{`{"index":5,"query_type":"count","query":""}`, "index is no string"},
		{`{"index":"none","query_type":"count","query":""}`, `there is no index "none"`},
		{`{"index":"mini","query_type":"fly","query":""}`, `there is no query_type "fly"`},
		{`{"index":"mini","query_type":"find_cnf","query":"a AND b"}`, "no conjunctions"},
		{`{"index":"mini","query_type":"count_cnf","query":"a"}`, `there is no query_type "count_cnf"`},
		{`{"index":"mini","query_type":"count"}`, "query_ids is missing"},
		{`{"index":"mini","query_type":"count","query":5}`, "query is no string"},
		{`{"index":"mini","query_type":"count","query":null}`, "query is no string"},
		{`{"index":"mini","query_type":"count","query":"a","query_ids":[1]}`, "do not go together"},
		{`{"index":"mini","query_type":"count","query":"a\ud800b"}`, `a lone surrogate, \ud800`},
		{`{"index":"mini","query_type":"count","query":"\udc00\ud800"}`, `a lone surrogate, \udc00`},
		{`{"index":"mini","query_type":"count","query":"\ud83d"}`, `a lone surrogate, \ud83d`},
		{`{"index":"mini","query_type":"count","query_ids":[256]}`, "more than the 1 bytes"},
		{`{"index":"mini","query_type":"count","query_ids":[-1]}`, `-1 is no token`},
		{`{"index":"mini","query_type":"count","query_ids":[1.5]}`, `1.5 is no token`},
		{`{"index":"mini","query_type":"count","query_ids":["1"]}`, `"1" is no token`},
		{`{"index":"mini","query_type":"count","query_ids":[[[1],[2]]]}`, "no conjunctions"},
		{`{"index":"mini","query_type":"count","query_ids":[[1]]}`, "no list of integers"},
		{`{"index":"mini","query_type":"count","query_ids":{}}`, "no list of integers"},
		{`{"index":"mini","query_type":"count","query":"","wings":2}`, `there is no field "wings"`},
		{`{"index":"mini","query_type":"prob","query":""}`, "the query is empty"},
		{`{"index":"mini","query_type":"infgram_prob","query":""}`, "the query is empty"},
		{`{"index":"mini","query_type":"ntd","query":"","max_support":0}`, "max_support is no integer from 1 on"},
		{`{"index":"mini","query_type":"get_doc_by_rank","query":"the"}`, "rank is missing"},
		{`{"index":"mini","query_type":"get_doc_by_rank","rank":0}`, "s is missing"},
		{`{"index":"mini","query_type":"get_doc_by_rank","rank":0,"s":1}`, "there are 1 shards"},
		{`{"index":"mini","query_type":"get_doc_by_rank","rank":0,"s":-1}`, "s is no integer from 0 on"},
		{`{"index":"mini","query_type":"get_doc_by_rank","rank":99999,"s":0}`, "ranks below"},
		{`{"index":"mini","query_type":"get_doc_by_rank","rank":1e3,"s":0}`, "rank is no integer"},
		{`{"index":"mini","query_type":"get_doc_by_rank","rank":0,"s":0,"max_ctx_len":10001}`, "from 1 to 10000"},
		{`{"index":"mini","query_type":"get_doc_by_ptr","ptr":99999,"s":0}`, "the text of shard 0"},
		{`{"index":"tokens","query_type":"count","query":"1 2"}`, "there is no tokenizer"},
		{`{"index":"tokens","query_type":"count","query_ids":[65536]}`, "more than the 2 bytes"},
		{`{"index":"tokens","query_type":"count","query_ids":[[[1]],[]]}`, "clause 1 has no n-gram"},
		{`{"index":"tokens","query_type":"count","query_ids": [ [[1],[]]]}`, "clause 0 has an empty n-gram"},
		{`{"index":"tokens","query_type":"count","query_ids":[[[1],null]]}`, "clause 0 has an empty n-gram"},
		{`{"index":"tokens","query_type":"count","query_ids":[[[1],["2"]]]}`, `"2" is no token`},
		{`{"index":"tokens","query_type":"count","query_ids":[[[1],2]]}`, "nor of clauses"},
		{`{"index":"tokens","query_type":"count","query_ids":[[[[1]]]]}`, "[1] is no token"},
		{`{"index":"tokens","query_type":"count","query_ids":[[[1],[65536]]]}`, "more than the 2 bytes"},
		{`{"index":"tokens","query_type":"count","query_ids":[` + strings.Repeat("[[1]],", 8) + `[[1]]]}`,
			"9 clauses; up to 8 are taken"},
		{`{"index":"tokens","query_type":"count","query_ids":[[` + strings.Repeat("[1],", 64) + `[1]]]}`,
			"clause 0 has 65 n-grams; up to 64 are taken"},
		{`{"index":"tokens","query_type":"count","query_ids":[1],"max_clause_freq":500001}`, "from 1 to 500000"},
		{`{"index":"tokens","query_type":"count","query_ids":[1],"max_diff_tokens":0}`, "from 1 to 1000"},
		{`{"index":"tokens","query_type":"find","query_ids":[[[1]],[[2]]]}`, "clauses are for count, find_cnf"},
		{`{"index":"tokens","query_type":"find_cnf","query_ids":[1]}`, "no list of clauses"},
		{`{"index":"tokens","query_type":"find_cnf","query_ids":[]}`, "no list of clauses"},
		{`{"index":"tokens","query_type":"find_cnf"}`, "query_ids is missing"},
		{`{"index":"tokens","query_type":"get_doc_by_rank","rank":4,"s":0}`, "ranks below 4"},
		{`{"index":"tokens","query_type":"get_doc_by_ptr","ptr":8,"s":0}`, "4 tokens"},
		{`{"index":"tokens","query_type":"get_doc_by_ptr","ptr":1,"s":0}`, "no multiple"},
	} {
		assert.Contains(t, a.refused(400, c.body), c.why, c.body)
	}
	large := `{"index":"mini","query_type":"count","query":"` + strings.Repeat("a", 10<<20) + `"}`
	assert.Equal(t, "the request has more than 65536 bytes", a.refused(413, large))

	for _, request := range []struct {
		method, path string
		status       int
	}{
		{"PUT", "/", 405}, {"DELETE", "/metrics", 405}, {"POST", "/healthz", 405}, {"GET", "/none", 404},
		{"POST", "/none", 404},
	} {
		r, err := http.NewRequestWithContext(t.Context(), request.method, a.url+request.path, nil)
		require.NoError(t, err)
		response, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		var answer map[string]string
		require.NoError(t, json.NewDecoder(response.Body).Decode(&answer))
		response.Body.Close()
		assert.Equal(t, request.status, response.StatusCode, "%v", request)
		assert.Contains(t, answer, "error")
		assert.Empty(t, response.Header.Get("Access-Control-Allow-Origin"))
	}

	// Older names of fields, and those that tell who asks; pairs of surrogates.
	status, answer, err := a.post(
		`{"corpus":"mini","query_type":"count","query":"\u6f22","engine":"x","source":1,"timestamp":"t"}`)
	require.NoError(t, err)
	assert.Equal(t, 200, status)
	assert.EqualValues(t, 2, answer["count"])
	assert.EqualValues(t, 0, a.ask("count", "mini", map[string]any{"query": "\U0001f600"})["count"])
	assert.Empty(t, a.failed)

	_, text := a.get("/metrics")
	for _, line := range []string{
		`suffixcl_requests_total{type="count",status="200"} 2`, `suffixcl_requests_total{type="count",status="400"} 29`,
		`suffixcl_requests_total{type="other",status="413"} 1`, `suffixcl_request_seconds_count{type="prob"} 1`,
		`suffixcl_request_seconds_bucket{type="prob",le="+Inf"} 1`, `suffixcl_requests_running 0`,
		`suffixcl_index_symbols{index="tokens",kind="tokens"} 4`, `suffixcl_batch_patterns_count 0`,
	} {
		assert.Contains(t, text, line+"\n")
	}
	status, text = a.get("/healthz")
	assert.Equal(t, 200, status)
	assert.JSONEq(t, `{"status":"ok"}`, text)
}

// slow is a searcher that waits for the test. It counts the bytes of patterns.
type slow struct {
	lock    sync.Mutex
	batches []int
	go1     chan struct{}
	failure error
}

func (s *slow) Count(ctx context.Context, b *patterns.Batch) ([]uint32, error) {
	s.lock.Lock()
	s.batches = append(s.batches, b.Len())
	s.lock.Unlock()
	select {
	case <-s.go1:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	counts := make([]uint32, b.Len())
	for i := range counts {
		counts[i] = uint32(len(b.Pattern(i)))
	}
	return counts, s.failure
}

func (s *slow) Locate(_ context.Context, b *patterns.Batch, emit func(int, []uint32) error) error {
	for i := range b.Len() {
		positions := make([]uint32, len(b.Pattern(i)))
		for k := range positions {
			positions[k] = uint32(100*k + len(positions))
		}
		if err := emit(i, positions); err != nil {
			return err
		}
	}
	return nil
}

func (s *slow) Close() error { return nil }

func slowIndex(metrics *Metrics) (*slow, *Index) {
	s := &slow{go1: make(chan struct{})}
	f := &fmi{symbols: 1000, width: 1, maxHits: 5, places: true, batcher: newBatcher(s, 1, 5, metrics.Batch)}
	return s, &Index{Name: "slow", Kind: KindFMI, SymbolBytes: 1, Text: true, backend: f}
}

// What waits for a launch is the next one; everybody gets an answer of his own.
func TestBatches(t *testing.T) {
	metrics := NewMetrics()
	s, x := slowIndex(metrics)
	o := usual()
	a := start(t, o, metrics, x)
	const clients = 40
	var all sync.WaitGroup
	ask := func(c int) {
		text := strings.Repeat("x", 1+c%4)
		kind, want := "count", "count"
		body := fmt.Sprintf(`{"index":"slow","query":%q,"query_type":"count"}`, text)
		wanted := float64(len(text))
		if c%2 == 1 {
			kind, want, wanted = "get_doc_by_rank", "ptr", float64(len(text))
			body = fmt.Sprintf(`{"index":"slow","query":%q,"query_type":%q,"s":0,"rank":0}`, text, kind)
		}
		status, answer, err := a.post(body)
		assert.NoError(t, err)
		assert.Equal(t, 200, status, answer)
		assert.Equal(t, wanted, answer[want])
	}
	f := x.backend.(*fmi).batcher
	wait := func(waiting int) { // for a launch of one request, and others
		require.Eventually(t, func() bool {
			f.lock.Lock()
			defer f.lock.Unlock()
			s.lock.Lock()
			defer s.lock.Unlock()
			return slices.Equal(s.batches, []int{1}) && len(f.waiting) == waiting
		}, 10*time.Second, time.Millisecond)
	}
	all.Go(func() { ask(0) })
	wait(0)
	for c := range clients - 1 {
		all.Go(func() { ask(1 + c) })
	}
	wait(clients - 1)
	close(s.go1)
	all.Wait()
	require.Equal(t, []int{1, clients - 1}, s.batches)
	_, text := a.get("/metrics")
	assert.Contains(t, text, "suffixcl_batch_patterns_count 2\n")
	assert.Contains(t, text, fmt.Sprintf("suffixcl_batch_patterns_sum %d\n", clients))

	s.failure = errors.New("the device is lost")
	assert.Equal(t, "index slow cannot answer; the service has told why",
		a.refused(500, `{"index":"slow","query":"x","query_type":"count"}`))
	assert.ErrorContains(t, <-a.failed, "index slow: the device is lost")
	require.NoError(t, x.Close())
	assert.Contains(t, a.refused(503, `{"index":"slow","query":"x","query_type":"count"}`), "the service ends")
}

// Too many clients, answers that take too long, clients that leave.
func TestLimits(t *testing.T) {
	metrics := NewMetrics()
	s, x := slowIndex(metrics)
	o := usual()
	o.MaxClients, o.Timeout = 1, time.Second
	o.Origin = "https://example.org"
	var lock sync.Mutex
	var log []Record
	o.Log = func(r Record) { lock.Lock(); defer lock.Unlock(); log = append(log, r) }
	a := start(t, o, metrics, x)
	late := make(chan string)
	go func() { late <- a.refused(503, `{"index":"slow","query":"x","query_type":"count"}`) }()
	require.Eventually(t, func() bool {
		_, text := a.get("/metrics")
		return strings.Contains(text, "suffixcl_requests_running 1\n")
	}, 10*time.Second, time.Millisecond)
	assert.Contains(t, a.refused(503, `{"index":"slow","query":"x","query_type":"count"}`), "try again")
	assert.Contains(t, <-late, "took too long")
	close(s.go1)
	assert.EqualValues(t, 1, a.ask("count", "slow", map[string]any{"query": "x"})["count"])
	require.NoError(t, x.Close())
	require.Len(t, log, 3)
	assert.Equal(t, []any{"slow", "count", 200}, []any{log[2].Index, log[2].Type, log[2].Status})

	r, err := http.NewRequestWithContext(t.Context(), http.MethodOptions, a.url, nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	response.Body.Close()
	assert.Equal(t, 204, response.StatusCode)
	assert.Equal(t, "https://example.org", response.Header.Get("Access-Control-Allow-Origin"))
	assert.Equal(t, "Content-Type", response.Header.Get("Access-Control-Allow-Headers"))
}

// At its end a service answers what it has, and takes nothing new.
func TestEnd(t *testing.T) {
	metrics := NewMetrics()
	slow, x := slowIndex(metrics)
	service, err := New([]*Index{x}, metrics, usual())
	require.NoError(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- service.Run(ctx, l) }()
	a := &asking{t: t, url: "http://" + l.Addr().String()}
	answered := make(chan any)
	go func() { answered <- a.ask("count", "slow", map[string]any{"query": "xyz"})["count"] }()
	require.Eventually(t, func() bool {
		slow.lock.Lock()
		defer slow.lock.Unlock()
		return len(slow.batches) == 1
	}, 10*time.Second, time.Millisecond)
	for host, status := range map[string]int{"pages.example": 403, "pages.example:80": 403, "": 200, "localhost:80": 200,
		"[::1]": 200, "127.0.0.2:9": 200} { // those of other sites cannot have a browser ask
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, a.url+"/indexes", nil)
		require.NoError(t, err)
		request.Host = host
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		response.Body.Close()
		assert.Equal(t, status, response.StatusCode, host)
	}
	cancel()
	require.Eventually(t, func() bool {
		_, _, err := a.post("{}")
		return err != nil
	}, 10*time.Second, time.Millisecond)
	select {
	case err := <-ended:
		t.Fatal("it ended before the answer: ", err)
	default:
	}
	close(slow.go1)
	assert.EqualValues(t, 3, <-answered)
	require.NoError(t, <-ended)
	require.NoError(t, x.Close())

	_, err = New([]*Index{x, x}, metrics, usual())
	assert.ErrorContains(t, err, `two indexes are called "slow"`)
}

// Files that are removed are still right; files that are written to give errors, also where pages are no longer there.
func TestChangedFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("mapped files are not removed there")
	}
	dir := t.TempDir()
	many := strings.Repeat("the fox and the other fox. ", 400)
	token := make([]uint32, 20000)
	for i := range token {
		token[i] = uint32(i % 300)
	}
	names := []string{"gone", "short", "written"}
	var paths []string
	for _, name := range names {
		writeFM9(t, filepath.Join(dir, "fm9-"+name), []string{many})
		writeShard(t, filepath.Join(dir, "tok-"+name), 0, [][]uint32{token}, true)
		paths = append(paths, filepath.Join(dir, "fm9-"+name), filepath.Join(dir, "tok-"+name))
	}
	a := serving(t, usual(), OpenOptions{}, paths...)
	old := time.Now().Add(-time.Hour)
	fm9 := func(name string) string { return filepath.Join(dir, "fm9-"+name, infinigrammini.DataFile) }
	tok := func(name string) string { return shardFile(filepath.Join(dir, "tok-"+name), "table", 0) }
	status, _ := a.get("/healthz")
	assert.Equal(t, 200, status)
	for _, name := range []string{fm9("gone"), tok("gone")} {
		require.NoError(t, os.Remove(name))
	}
	for _, name := range []string{fm9("short"), tok("short")} {
		require.NoError(t, os.Truncate(name, 0))
	}
	for _, name := range []string{fm9("written"), tok("written")} {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		require.NoError(t, err)
		info, err := f.Stat()
		require.NoError(t, err)
		_, err = f.WriteAt([]byte(strings.Repeat("\xa5", int(info.Size()))), 0)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		require.NoError(t, os.Chtimes(name, old, old)) // whatever the resolution of times is
	}
	for range 3 {
		for kind, fields := range map[string]string{
			"count": "", "ntd": "", "find": "", "get_doc_by_rank": `,"s":0,"rank":5`,
		} {
			for _, name := range names {
				for _, body := range []string{
					`{"index":"fm9-` + name + `","query":"fox","query_type":"` + kind + `"` + fields + `}`,
					`{"index":"tok-` + name + `","query_ids":[7,8],"query_type":"` + kind + `"` + fields + `}`,
				} {
					status, answer, err := a.post(body)
					require.NoError(t, err)
					if name == "gone" {
						require.Equal(t, 200, status, answer)
						continue
					}
					require.Equal(t, 500, status, "%s %v", body, answer)
					require.Contains(t, answer["error"], "files were changed while it was served")
					require.NotContains(t, answer["error"], dir)
				}
			}
		}
	}
	assert.EqualValues(t, 800, a.ask("count", "fm9-gone", map[string]any{"query": "fox"})["count"])
	status, text := a.get("/healthz")
	assert.Equal(t, 503, status)
	assert.Contains(t, text, "were changed")
}

func TestParseSource(t *testing.T) {
	for arg, want := range map[string]Source{
		"dir/index/": {"index", "dir/index/"}, "a.fmi": {"a.fmi", "a.fmi"}, "name=dir/x": {"name", "dir/x"},
		"./a=b": {"a=b", "./a=b"}, "=x": {"=x", "=x"}, "n=a=b": {"n", "a=b"},
	} {
		assert.Equal(t, want, ParseSource(arg), arg)
	}
	here, err := os.Getwd()
	require.NoError(t, err)
	assert.Equal(t, Source{filepath.Base(here), "."}, ParseSource("."))
}

// Indexes that cannot be opened.
func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "text"), []byte("banana"))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "empty"), 0o755))
	writeFM9(t, filepath.Join(dir, "mini"), []string{"a"})
	for path, why := range map[string]string{
		"none": "no such file", "empty": "neither it nor a directory in it has a file data.fm9", "text": "needs a device",
	} {
		_, err := Open(t.Context(), ParseSource(filepath.Join(dir, path)), OpenOptions{TokenBytes: 2})
		assert.ErrorContains(t, err, why)
	}
	_, err := Open(t.Context(), ParseSource(filepath.Join(dir, "mini")), OpenOptions{TextFile: "text"})
	assert.ErrorContains(t, err, "a text is for an FM-index on a device")
}

// The page loads nothing from elsewhere, and its policy lets its own script run alone.
func TestPage(t *testing.T) {
	metrics := NewMetrics()
	a := start(t, usual(), metrics)
	response, err := http.Get(a.url)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	assert.Equal(t, "text/html; charset=utf-8", response.Header.Get("Content-Type"))
	assert.NotRegexp(t, `(src|href)="(https?:)?//|@import|url\(`, string(text))
	assert.Equal(t, 1, strings.Count(string(text), "<script>"))
	assert.Equal(t, 1, strings.Count(string(text), "<style>"))
	for _, policy := range []string{
		"default-src 'none'", "script-src 'sha256-", "style-src 'sha256-", "connect-src 'self'",
	} {
		assert.Contains(t, response.Header.Get("Content-Security-Policy"), policy)
	}
}
