package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// event is a line of `go test -json` (go doc test2json).
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64 // seconds
}

// timed is a test, without those in it, and what it took.
type timed struct {
	name    string
	seconds float64
}

// So many of the slowest tests are told, unless they take less than a second.
const slowest = 20

// test is what has been heard of a test.
type test struct {
	name   string
	text   strings.Builder
	failed bool // or not ended
}

// running is a package that has not ended.
type running struct {
	text  strings.Builder // outside of tests
	tests []*test         // in the order in which they began
	named map[string]*test
}

// skip is a reason for which tests were skipped: the first of them, and how many there are.
type skip struct {
	test string
	n    int
}

// report makes the text of the events.
type report struct {
	out     io.Writer
	began   time.Time
	running map[string]*running
	skipped map[string]*skip
	failed  []string // packages with the names of their tests
	took    []timed
}

func newReport(out io.Writer) *report {
	return &report{out: out, began: time.Now(), running: map[string]*running{}, skipped: map[string]*skip{}}
}

// line takes one of the stream. What is no event is printed.
func (r *report) line(line []byte) {
	var e event
	if json.Unmarshal(line, &e) != nil {
		r.out.Write(line)
		return
	}
	switch {
	case e.Package == "": // of a compiler
		io.WriteString(r.out, e.Output)
	case e.Test != "":
		r.test(e)
	default:
		r.packageEvent(e)
	}
}

func (r *report) of(name string) *running {
	p := r.running[name]
	if p == nil {
		p = &running{named: map[string]*test{}}
		r.running[name] = p
	}
	return p
}

func (r *report) test(e event) {
	p := r.of(e.Package)
	t := p.named[e.Test]
	if t == nil {
		t = &test{name: e.Test, failed: true}
		p.named[e.Test] = t
		p.tests = append(p.tests, t)
	}
	if e.Elapsed >= 1 && !strings.Contains(e.Test, "/") {
		r.took = append(r.took, timed{short(e.Package) + " " + e.Test, e.Elapsed})
	}
	switch e.Action {
	case "output":
		t.text.WriteString(e.Output)
	case "skip":
		r.skip(e.Package, t)
		fallthrough
	case "pass":
		t.failed = false
		t.text.Reset()
	}
}

// logged is a line of a test's log; its text.
var logged = regexp.MustCompile(`(?m)^ +[^ ]+\.go:\d+: (.*)$`)

// skip notes why a test was skipped: what it said last.
func (r *report) skip(name string, t *test) {
	why := "no reason given"
	if lines := logged.FindAllStringSubmatch(t.text.String(), -1); len(lines) > 0 {
		why = lines[len(lines)-1][1]
	}
	if s := r.skipped[why]; s != nil {
		s.n++
		return
	}
	r.skipped[why] = &skip{short(name) + " " + t.name, 1}
}

// short is the path of a package below the module.
func short(name string) string { return strings.TrimPrefix(name, "github.com/suffixcl/suffixcl/") }

func (r *report) packageEvent(e event) {
	p := r.of(e.Package)
	switch e.Action {
	case "output":
		p.text.WriteString(e.Output)
		return
	case "fail":
		r.failure(e.Package, p)
	case "pass", "skip":
		r.success(p)
	default:
		return
	}
	delete(r.running, e.Package)
}

// success prints the line with the result alone.
func (r *report) success(p *running) {
	for line := range strings.Lines(p.text.String()) {
		if strings.HasPrefix(line, "ok  \t") || strings.HasPrefix(line, "?   \t") {
			io.WriteString(r.out, line)
		}
	}
}

// failure prints what the tests that failed have written, and what was written outside of tests.
func (r *report) failure(name string, p *running) {
	list := []string{short(name)}
	for _, t := range p.tests {
		if t.failed && !strings.Contains(t.name, "/") {
			list = append(list, t.name)
			p.print(r.out, t)
		}
	}
	io.WriteString(r.out, p.text.String())
	r.failed = append(r.failed, strings.Join(list, " "))
}

// progress is what tests of which every word is asked for tell of themselves.
var progress = regexp.MustCompile(`^=== (RUN|PAUSE|CONT|NAME|ATTR) `)

// print writes a test, and those in it that failed.
func (p *running) print(out io.Writer, t *test) {
	indent := strings.Repeat("    ", strings.Count(t.name, "/"))
	var result, rest strings.Builder
	for line := range strings.Lines(t.text.String()) {
		switch {
		case strings.HasPrefix(line, "--- FAIL: "):
			result.WriteString(indent + line)
		case !progress.MatchString(line):
			rest.WriteString(indent + line)
		}
	}
	io.WriteString(out, result.String()+rest.String())
	for _, inner := range p.tests {
		if name, in := strings.CutPrefix(inner.name, t.name+"/"); in && inner.failed && !strings.Contains(name, "/") {
			p.print(out, inner)
		}
	}
}

// end says what was skipped, what took longest, and what failed. Reasons that something is missing come first.
func (r *report) end(failed bool) {
	missing := func(why string) int {
		if strings.Contains(why, "install") {
			return 0
		}
		return 1
	}
	reasons := slices.SortedFunc(maps.Keys(r.skipped), func(a, b string) int {
		return cmp.Or(cmp.Compare(missing(a), missing(b)), cmp.Compare(a, b))
	})
	if len(reasons) > 0 {
		fmt.Fprintln(r.out, "Skipped:")
	}
	for _, why := range reasons {
		s, more := r.skipped[why], ""
		if s.n > 1 {
			more = fmt.Sprintf(" and %d more", s.n-1)
		}
		fmt.Fprintf(r.out, "  %s (%s%s)\n", why, s.test, more)
	}
	if len(r.took) > 0 {
		fmt.Fprintln(r.out, "Slowest, in seconds:")
	}
	slices.SortFunc(r.took, func(a, b timed) int { return cmp.Compare(b.seconds, a.seconds) })
	for _, t := range r.took[:min(len(r.took), slowest)] {
		fmt.Fprintf(r.out, "  %6.1f %s\n", t.seconds, t.name)
	}
	fmt.Fprintf(r.out, "Took %v.\n", time.Since(r.began).Round(time.Second))
	if failed {
		for _, names := range r.failed {
			fmt.Fprintln(r.out, "Failed:", names)
		}
		fmt.Fprintln(r.out, "FAIL")
	}
}
