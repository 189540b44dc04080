package serve

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// histogram counts values up to bounds.
type histogram struct {
	bounds []float64
	counts []int64 // one more than bounds, the last for greater values
	sum    float64
}

func newHistogram(bounds []float64) *histogram {
	return &histogram{bounds: bounds, counts: make([]int64, len(bounds)+1)}
}

func (h *histogram) add(value float64) {
	i, _ := slices.BinarySearch(h.bounds, value)
	h.counts[i]++
	h.sum += value
}

// write writes the samples of a family with labels, as `type="count",`, or none.
func (h *histogram) write(to io.Writer, family, labels string) {
	n := int64(0)
	for i, count := range h.counts {
		n += count
		bound := "+Inf"
		if i < len(h.bounds) {
			bound = number(h.bounds[i])
		}
		fmt.Fprintf(to, "%s_bucket{%sle=%q} %d\n", family, labels, bound, n)
	}
	if labels != "" {
		labels = "{" + strings.TrimSuffix(labels, ",") + "}"
	}
	fmt.Fprintf(to, "%s_sum%s %s\n%s_count%s %d\n", family, labels, number(h.sum), family, labels, n)
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

var (
	secondBounds = []float64{
		0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
	}
	batchBounds = []float64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096, 16384, 65536}
)

// outcome is what requests are counted by.
type outcome struct {
	kind   string
	status int
}

// metrics is what was answered. Several goroutines may use it.
type metrics struct {
	lock     sync.Mutex
	requests map[outcome]int64
	seconds  map[string]*histogram
	batches  *histogram
	running  int
	indexes  []*Index
}

func newMetrics(indexes []*Index) *metrics {
	return &metrics{requests: map[outcome]int64{}, seconds: map[string]*histogram{}, batches: newHistogram(batchBounds),
		indexes: indexes}
}

// other is the type of a query that there is not: clients do not choose what is counted.
const other = "other"

func (m *metrics) answered(kind string, status int, took time.Duration) {
	if answers[kind] == nil {
		kind = other
	}
	m.lock.Lock()
	defer m.lock.Unlock()
	m.requests[outcome{kind, status}]++
	if m.seconds[kind] == nil {
		m.seconds[kind] = newHistogram(secondBounds)
	}
	m.seconds[kind].add(took.Seconds())
}

func (m *metrics) batch(requests int) {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.batches.add(float64(requests))
}

// run counts the requests that are being answered.
func (m *metrics) run(more int) {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.running += more
}

// write writes all in the text form of Prometheus.
func (m *metrics) write(to io.Writer) {
	m.lock.Lock()
	defer m.lock.Unlock()
	family := func(name, kind, help string) string {
		fmt.Fprintf(to, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
		return name
	}
	name := family("suffixcl_requests_total", "counter", "Queries that were answered, by type and status of HTTP.")
	byName := func(a, b outcome) int { return strings.Compare(a.kind, b.kind)*1000 + a.status - b.status }
	for _, o := range slices.SortedFunc(maps.Keys(m.requests), byName) {
		fmt.Fprintf(to, "%s{type=%q,status=\"%d\"} %d\n", name, o.kind, o.status, m.requests[o])
	}
	name = family("suffixcl_request_seconds", "histogram", "Time from the whole request to the answer.")
	for _, kind := range slices.Sorted(maps.Keys(m.seconds)) {
		m.seconds[kind].write(to, name, fmt.Sprintf("type=%q,", kind))
	}
	m.batches.write(to, family("suffixcl_batch_patterns", "histogram", "Patterns of a launch on a device."), "")
	fmt.Fprintf(to, "%s %d\n", family("suffixcl_requests_running", "gauge", "Queries that are being answered."), m.running)
	name = family("suffixcl_index_symbols", "gauge", "Tokens or bytes of an index.")
	for _, x := range m.indexes {
		fmt.Fprintf(to, "%s{index=\"%s\",kind=%q} %d\n", name, labelText(x.Name), x.Kind, x.backend.length())
	}
}

// labelText is a value of a label, as it stands in quotes.
func labelText(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(strings.ToValidUTF8(text, "\ufffd"))
}
