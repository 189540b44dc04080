package bench

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// ServedIndex is an index that a service lists.
type ServedIndex struct {
	Name        string `json:"name"`
	Kind        string `json:"kind"`
	Symbols     int64  `json:"symbols"`
	SymbolBytes int    `json:"symbol_bytes"`
	Shards      int    `json:"shards"`
	Text        bool   `json:"text"`
}

// ServeRun is one type of query on an index. Times are in seconds.
type ServeRun struct {
	Index     string  `json:"index"`
	Kind      string  `json:"kind"`
	Symbols   int64   `json:"symbols"`
	Type      string  `json:"query_type"`
	Requests  int     `json:"requests"`
	Clients   int     `json:"clients"`
	Failed    int     `json:"failed"` // answers that are no status 200
	Seconds   float64 `json:"seconds"`
	PerSecond float64 `json:"requests_per_second"`
	P50       float64 `json:"p50_seconds"`
	P99       float64 `json:"p99_seconds"`
	Longest   float64 `json:"longest_seconds"`
}

// ServeLoad asks a service for some time.
type ServeLoad struct {
	URL               string
	Requests, Clients int // Requests is of each index and type
	Seed              uint64
	Client            *http.Client
}

// ServeTypes are the types of queries that are measured: counts, what follows, and a passage of a rank.
var ServeTypes = []string{"count", "find", "infgram_prob", "ntd", "get_doc_by_rank"}

// Indexes are those of the service.
func (l *ServeLoad) Indexes(ctx context.Context) (list []ServedIndex, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(l.URL, "/")+"/indexes", nil)
	if err != nil {
		return nil, err
	}
	status, body, err := l.send(request)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("%s: status %d: %.200s", request.URL, status, body)
	}
	if err != nil {
		return nil, err
	}
	return list, json.Unmarshal(body, &list)
}

func (l *ServeLoad) send(request *http.Request) (status int, body []byte, err error) {
	response, err := l.Client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	body, err = io.ReadAll(response.Body)
	return response.StatusCode, body, err
}

func (l *ServeLoad) post(ctx context.Context, fields map[string]any) (status int, answer []byte, err error) {
	body, err := json.Marshal(fields)
	if err != nil {
		return 0, nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, l.URL, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	return l.send(request)
}

// phrases are so many that occur: two to five words of passages, or as many tokens, from places at random.
func (l *ServeLoad) phrases(ctx context.Context, x ServedIndex, many int) ([]map[string]any, error) {
	rng := rand.New(rand.NewPCG(l.Seed, uint64(many)))
	var list []map[string]any
	for tries := 0; len(list) < many; tries++ {
		if tries > 10*many+100 {
			return nil, fmt.Errorf("index %s shows no passages of words: its text is not served", x.Name)
		}
		place := rng.Int64N(max(x.Symbols/int64(max(x.Shards, 1)), 1))
		ask := map[string]any{"index": x.Name, "query_type": "get_doc_by_ptr", "s": rng.IntN(x.Shards),
			"max_disp_len": 24}
		if ask["ptr"] = place; x.Text {
			ask["max_ctx_len"] = 80
		} else {
			ask["ptr"] = place * int64(x.SymbolBytes)
		}
		status, body, err := l.post(ctx, ask)
		if err != nil {
			return nil, err
		}
		var passage struct {
			Text   string   `json:"text"`
			Tokens []uint32 `json:"token_ids"`
		}
		if status != http.StatusOK {
			continue
		}
		if err := json.Unmarshal(body, &passage); err != nil {
			return nil, err
		}
		size := 2 + rng.IntN(4)
		if words := strings.Split(passage.Text, " "); x.Text && len(words) > size+2 {
			at := 1 + rng.IntN(len(words)-size-1) // a first or last word may be a part of one
			list = append(list, map[string]any{"query": strings.Join(words[at:at+size], " ")})
		} else if n := len(passage.Tokens); !x.Text && n > size {
			at := rng.IntN(n - size)
			list = append(list, map[string]any{"query_ids": passage.Tokens[at : at+size]})
		}
	}
	return list, nil
}

// agree compares what answers of different types tell of the same phrases, which all occur.
func (l *ServeLoad) agree(requests []map[string]any, answers [][]byte, counts []int64) error {
	for i, answer := range answers {
		var told struct {
			Count  *int64 `json:"count"`
			Found  *int64 `json:"cnt"`
			Prompt *int64 `json:"prompt_cnt"`
			Suffix *int64 `json:"suffix_len"`
		}
		if err := json.Unmarshal(answer, &told); err != nil {
			return err
		}
		count := cmp.Or(told.Count, told.Found, told.Prompt)
		if count == nil || told.Suffix != nil { // of a shorter phrase
			continue
		}
		if counts[i] == 0 {
			counts[i] = *count
		}
		if *count < 1 || *count != counts[i] {
			return fmt.Errorf("%v occurs %d times, but %d times before", requests[i], *count, counts[i])
		}
	}
	return nil
}

// Run measures the types of queries on an index. told is told of each before it begins. Errors: those of connections; a
// phrase of the index's own that does not occur; answers of different types that do not agree.
func (l *ServeLoad) Run(ctx context.Context, x ServedIndex, told func(kind string)) (runs []ServeRun, err error) {
	phrases, err := l.phrases(ctx, x, l.Requests)
	if err != nil {
		return nil, err
	}
	counts := make([]int64, len(phrases))
	for _, kind := range ServeTypes {
		told(kind)
		requests := make([]map[string]any, len(phrases))
		for i, phrase := range phrases {
			requests[i] = map[string]any{"index": x.Name, "query_type": kind}
			for name, value := range phrase {
				requests[i][name] = value
			}
		}
		if kind == "get_doc_by_rank" {
			if err := l.rank(ctx, requests); err != nil {
				return nil, err
			}
		}
		run, answers, err := l.measure(ctx, requests)
		if err == nil {
			err = l.agree(requests, answers, counts)
		}
		if err != nil {
			return nil, err
		}
		run.Index, run.Kind, run.Symbols, run.Type = x.Name, x.Kind, x.Symbols, kind
		runs = append(runs, run)
	}
	return runs, nil
}

// rank has requests ask for the passage of an occurrence of their phrase.
func (l *ServeLoad) rank(ctx context.Context, requests []map[string]any) error {
	for _, request := range requests {
		request["query_type"] = "find"
		_, body, err := l.post(ctx, request)
		if err != nil {
			return err
		}
		var found struct {
			Segments [][2]int64 `json:"segment_by_shard"`
		}
		if err := json.Unmarshal(body, &found); err != nil {
			return err
		}
		s := slices.IndexFunc(found.Segments, func(s [2]int64) bool { return s[0] < s[1] })
		if s < 0 {
			return fmt.Errorf("%v: the phrase is one of the index, and does not occur", request)
		}
		request["query_type"], request["s"], request["rank"] = "get_doc_by_rank", s, found.Segments[s][0]
	}
	return nil
}

// measure sends requests from several clients at the same time, and returns the answers.
func (l *ServeLoad) measure(ctx context.Context, requests []map[string]any) (r ServeRun, answers [][]byte, err error) {
	answers = make([][]byte, len(requests))
	r = ServeRun{Requests: len(requests), Clients: l.Clients}
	times := make([]float64, len(requests))
	var at, failed atomic.Int64
	var lock sync.Mutex
	var all sync.WaitGroup
	began := time.Now()
	for range l.Clients {
		all.Go(func() {
			for i := at.Add(1) - 1; i < int64(len(requests)); i = at.Add(1) - 1 {
				sent := time.Now()
				status, answer, wrong := l.post(ctx, requests[i])
				times[i] = time.Since(sent).Seconds()
				if wrong != nil {
					lock.Lock()
					err = cmp.Or(err, wrong)
					lock.Unlock()
					return
				}
				if answers[i] = answer; status != http.StatusOK {
					failed.Add(1)
				}
			}
		})
	}
	all.Wait()
	r.Seconds, r.Failed = time.Since(began).Seconds(), int(failed.Load())
	if err != nil || len(times) == 0 {
		return r, nil, err
	}
	slices.Sort(times)
	part := func(percent int) float64 { return times[min(len(times)*percent/100, len(times)-1)] }
	r.PerSecond, r.P50, r.P99 = float64(len(times))/r.Seconds, part(50), part(99)
	r.Longest = times[len(times)-1]
	return r, answers, nil
}
