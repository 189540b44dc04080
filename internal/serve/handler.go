package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Options of New. Limits have to be positive.
type Options struct {
	MaxRequest int64         // bytes of a request
	MaxClients int           // queries that are answered at the same time
	Timeout    time.Duration // of an answer
	// Origin is that of pages of other sites that may ask, or "*"; empty: none may.
	Origin string
	// Log is told of each query; may be nil. Fail is told of errors that are not the client's; may be nil.
	Log  func(Record)
	Fail func(error)
}

// Record is a query that was answered.
type Record struct {
	Time    time.Time `json:"time"`
	Client  string    `json:"client"`
	Index   string    `json:"index"`
	Type    string    `json:"query_type"`
	Status  int       `json:"status"`
	Seconds float64   `json:"seconds"`
}

// Service answers requests for indexes: it is an [http.Handler].
type Service struct {
	indexes map[string]*Index
	order   []*Index
	o       Options
	metrics *metrics
	slots   chan struct{} // of queries that are being answered
	mux     *http.ServeMux
	local   bool // only this computer can connect
}

// Metrics counts what is answered. It is told of launches before there is a service.
type Metrics struct{ of *metrics }

// NewMetrics has no counts.
func NewMetrics() *Metrics { return &Metrics{newMetrics(nil)} }

// Batch counts a launch that answers so many requests.
func (m *Metrics) Batch(requests int) { m.of.batch(requests) }

// New makes a service. The indexes stay the caller's to close, after the last request. Errors: two indexes of one name.
func New(indexes []*Index, m *Metrics, o Options) (*Service, error) {
	s := &Service{indexes: map[string]*Index{}, order: indexes, o: o, metrics: m.of,
		slots: make(chan struct{}, o.MaxClients), mux: http.NewServeMux()}
	m.of.indexes = indexes
	for _, x := range indexes {
		if s.indexes[x.Name] != nil {
			return nil, fmt.Errorf("two indexes are called %q: NAME=PATH names one", x.Name)
		}
		s.indexes[x.Name] = x
	}
	s.mux.HandleFunc("POST /{$}", s.query)
	s.mux.HandleFunc("OPTIONS /{$}", s.preflight)
	s.mux.HandleFunc("GET /{$}", servePage)
	s.mux.HandleFunc("GET /indexes", s.list)
	s.mux.HandleFunc("GET /healthz", s.health)
	s.mux.HandleFunc("GET /metrics", s.showMetrics)
	s.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		known := slices.Contains([]string{"/", "/indexes", "/healthz", "/metrics"}, r.URL.Path)
		if known {
			w.Header().Set("Allow", allowed(r.URL.Path))
			writeError(w, http.StatusMethodNotAllowed, "the method "+r.Method+" is not taken here")
			return
		}
		writeError(w, http.StatusNotFound, "there is nothing here: queries are sent to /")
	})
	return s, nil
}

func allowed(path string) string {
	if path == "/" {
		return "GET, HEAD, POST, OPTIONS"
	}
	return "GET, HEAD"
}

// ServeHTTP implements [http.Handler].
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.o.Origin != "" {
		w.Header().Set("Access-Control-Allow-Origin", s.o.Origin)
		if s.o.Origin != "*" {
			w.Header().Add("Vary", "Origin")
		}
	}
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if s.local && !isLocal(r.Host) {
		writeError(w, http.StatusForbidden,
			"the service is for this computer alone, and "+strconv.Quote(r.Host)+" is another name")
		return
	}
	s.mux.ServeHTTP(w, r)
}

// isLocal tells whether a name stands for this computer. A page of another site may have the browser ask this computer
// by a name of that site (DNS rebinding), and so could read the answers.
func isLocal(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// Times of connections.
const (
	headerTime = 10 * time.Second
	idleTime   = 2 * time.Minute
	spareTime  = 5 * time.Second // beyond that of an answer, to read a request or to write an answer
	graceTime  = 30 * time.Second
)

// Run serves on a listener until the context ends. Then it takes no more connections, and answers what it has. Errors:
// those of the listener; answers that are not done in 30 seconds.
func (s *Service) Run(ctx context.Context, l net.Listener) error {
	if address, ok := l.Addr().(*net.TCPAddr); ok {
		s.local = address.IP.IsLoopback()
	}
	server := &http.Server{Handler: s, ReadHeaderTimeout: headerTime, ReadTimeout: headerTime + spareTime,
		WriteTimeout: headerTime + spareTime + s.o.Timeout, IdleTimeout: idleTime, MaxHeaderBytes: 16 << 10,
		ErrorLog: quietLog()}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), graceTime)
	defer cancel()
	if err := server.Shutdown(last); err != nil {
		_ = server.Close()
		return fmt.Errorf("some answers were not done after %v: %w", graceTime, err)
	}
	return nil
}

func (s *Service) preflight(w http.ResponseWriter, _ *http.Request) {
	if s.o.Origin != "" {
		w.Header().Set("Access-Control-Allow-Methods", "POST")
		w.Header().Set("Access-Control-Allow-Headers", "Content-Type")
	}
	w.Header().Set("Allow", allowed("/"))
	w.WriteHeader(http.StatusNoContent)
}

// listed is an index in the list of all.
type listed struct {
	Name        string `json:"name"`
	Kind        string `json:"kind"`
	Symbols     int64  `json:"symbols"`
	SymbolBytes int    `json:"symbol_bytes"`
	Shards      int    `json:"shards"`
	Text        bool   `json:"text"` // it takes query, not only query_ids
}

func (s *Service) list(w http.ResponseWriter, _ *http.Request) {
	all := make([]listed, len(s.order))
	for i, x := range s.order {
		all[i] = listed{x.Name, x.Kind, x.backend.length(), x.SymbolBytes, x.backend.shards(), x.Text}
	}
	writeJSON(w, http.StatusOK, all)
}

func (s *Service) health(w http.ResponseWriter, _ *http.Request) {
	for _, x := range s.order {
		if err := x.ready(); err != nil {
			s.fail(err)
			writeError(w, http.StatusServiceUnavailable, "index "+x.Name+": "+errChanged.Error())
			return
		}
	}
	writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

func (s *Service) showMetrics(w http.ResponseWriter, _ *http.Request) {
	var text bytes.Buffer
	s.metrics.write(&text)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write(text.Bytes())
}

// query answers one.
func (s *Service) query(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.o.MaxRequest))
	began := time.Now()
	var q *request
	var answer any
	if err != nil {
		err = s.notRead(err)
	} else if q, err = parse(body); err == nil {
		answer, err = s.answer(r.Context(), q)
	}
	took := time.Since(began)
	status := http.StatusOK
	if err != nil {
		var why string
		if status, why = s.explain(err, q); status == http.StatusServiceUnavailable {
			w.Header().Set("Retry-After", "1")
		}
		writeError(w, status, why)
	} else {
		answer.(timed).took(float64(took.Microseconds()) / 1000)
		writeJSON(w, status, answer)
	}
	record := Record{Time: began.UTC(), Client: r.RemoteAddr, Status: status, Seconds: took.Seconds()}
	if q != nil {
		record.Index, record.Type = q.index, q.kind
	}
	s.metrics.answered(record.Type, status, took)
	if s.o.Log != nil {
		s.o.Log(record)
	}
}

func (s *Service) notRead(err error) error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return &refusal{http.StatusRequestEntityTooLarge,
			fmt.Sprintf("the request has more than %d bytes", s.o.MaxRequest)}
	}
	return &refusal{http.StatusBadRequest, "the request ends early"}
}

// errBusy and errLate are those of a service that has too much to do.
var (
	errBusy = errors.New("as many queries as may be are being answered; try again")
	errLate = errors.New("the answer took too long")
)

// answer answers a query within its time.
func (s *Service) answer(ctx context.Context, q *request) (answer any, err error) {
	x := s.indexes[q.index]
	if x == nil {
		return nil, refuse("there is no index %q", q.index)
	}
	ask := answers[q.kind]
	if ask == nil {
		return nil, refuse("there is no query_type %q", q.kind)
	}
	if err := x.prepare(q); err != nil {
		return nil, err
	}
	select {
	case s.slots <- struct{}{}:
	default:
		return nil, errBusy
	}
	s.metrics.run(1)
	defer func() {
		s.metrics.run(-1)
		<-s.slots
	}()
	ctx, cancel := context.WithTimeoutCause(ctx, s.o.Timeout, errLate)
	defer cancel()
	err = guarded(func() error {
		answer, err = ask(x, ctx, q)
		return err
	})
	var refused *refusal
	if changed := x.watch.check(); changed != nil && !errors.As(err, &refused) {
		return nil, changed
	}
	return answer, err
}

// explain is the status and the words of an error. Names of files stay here.
func (s *Service) explain(err error, q *request) (status int, why string) {
	var refused *refusal
	switch {
	case errors.As(err, &refused):
		return refused.status, refused.why
	case errors.Is(err, context.DeadlineExceeded):
		return http.StatusServiceUnavailable, errLate.Error()
	case errors.Is(err, errBusy), errors.Is(err, errLate), errors.Is(err, errStopped):
		return http.StatusServiceUnavailable, err.Error()
	case errors.Is(err, context.Canceled): // the client is gone
		return http.StatusServiceUnavailable, "the request was given up"
	}
	s.fail(fmt.Errorf("index %s: %w", q.index, err))
	if errors.Is(err, errChanged) {
		return http.StatusInternalServerError, "index " + q.index + ": " + errChanged.Error()
	}
	return http.StatusInternalServerError, "index " + q.index + " cannot answer; the service has told why"
}

func (s *Service) fail(err error) {
	if s.o.Fail != nil {
		s.o.Fail(err)
	}
}

func writeError(w http.ResponseWriter, status int, why string) {
	writeJSON(w, status, map[string]string{"error": why})
}

// writeJSON writes an object. A client that is gone gets nothing.
func writeJSON(w http.ResponseWriter, status int, v any) {
	var body bytes.Buffer
	e := json.NewEncoder(&body)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		status = http.StatusInternalServerError
		body.Reset()
		body.WriteString(`{"error":"the answer is no JSON"}` + "\n")
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(body.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes())
}

// AskLines answers requests of a reader, one a line, in their order, by a line each: as the service does, without HTTP.
// Errors: those of reader and writer; the context's; a line of more bytes than a request may have.
func (s *Service) AskLines(ctx context.Context, r io.Reader, w io.Writer) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, int(s.o.MaxRequest))
	for number := 1; lines.Scan(); number++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, "/", bytes.NewReader(lines.Bytes()))
		if err != nil {
			return err
		}
		var answer lineWriter
		s.ServeHTTP(&answer, request)
		if _, err := w.Write(answer.body); err != nil {
			return err
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("a line has more than %d bytes", s.o.MaxRequest)
	}
	return lines.Err()
}

// lineWriter keeps an answer.
type lineWriter struct {
	header http.Header
	body   []byte
}

func (l *lineWriter) Header() http.Header {
	if l.header == nil {
		l.header = http.Header{}
	}
	return l.header
}

func (l *lineWriter) WriteHeader(int) {}

func (l *lineWriter) Write(p []byte) (int, error) {
	l.body = append(l.body, p...)
	return len(p), nil
}
