package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
)

// Summary is the line for people.
func (r *Report) Summary() string {
	var parts []string
	for _, part := range r.Seconds.Parts() {
		if part.Name != cli.RestStage {
			parts = append(parts, part.Name+" "+Short(part.Seconds))
		}
	}
	on, peak := "", ""
	if r.Device != "" {
		on, peak = " on "+r.Device, "; peak device memory "+bytesize.Format(r.PeakBytes)
	}
	return fmt.Sprintf("%s %s%s; %s, %.1f MB/s in all, %s: %s%s", r.Verb, r.work(), on, Short(r.Seconds.Total),
		r.Rates.Total, r.bound(), strings.Join(parts, ", "), peak)
}

// bound is the longest stage, after its share of the wall clock.
func (r *Report) bound() string {
	bound := r.Seconds.Bound()
	return fmt.Sprintf("%.0f %% of it %s", percentOf(bound.Seconds, r.Seconds.Total), bound.Name)
}

func percentOf(part, whole float64) float64 { return 100 * part / max(whole, 1e-9) }

// work says what was read, and what was found in it.
func (r *Report) work() string {
	if r.Duplicates != nil {
		return r.Duplicates.work(int64(r.Records), int64(r.Bytes))
	}
	var b strings.Builder
	b.WriteString(r.File)
	if r.kind != "" { // else it is an index
		fmt.Fprintf(&b, " (%s)", r.kind)
	}
	b.WriteString(": ")
	if r.Records > 0 {
		fmt.Fprintf(&b, "%s, ", cli.Quantity(int64(r.Records), "record"))
	}
	b.WriteString(bytesize.Format(int64(r.Bytes)))
	switch r.Verb {
	case "count", "locate", "match":
		r.patterns(&b, "pattern", "lines", "occurrence")
	case "mems":
		r.patterns(&b, "query", "plain", "match")
	case "mums":
		fmt.Fprintf(&b, "; %s", cli.Quantity(r.Occurrences, "match"))
	case "bwt":
		if r.Primary != nil {
			fmt.Fprintf(&b, "; primary index %d", *r.Primary)
		}
	default:
		if r.found != "" {
			b.WriteString("; " + r.found)
		}
	}
	return b.String()
}

// patterns says how many there were, and what was found of them.
func (r *Report) patterns(b *strings.Builder, pattern, plain, occurrence string) {
	fmt.Fprintf(b, "; %s", cli.Quantity(int64(r.Queries), pattern))
	if q := r.QueryFile; q != nil {
		fmt.Fprintf(b, " of %s (%s)", q.File, kindOf(q.Compression, cmp.Or(q.Format, plain)))
	}
	fmt.Fprintf(b, ", %s with hits, %s", number(int64(r.QueriesWithHits)), cli.Quantity(r.Occurrences, occurrence))
	if r.QueriesOverLimit > 0 {
		fmt.Fprintf(b, ", %s with more than --max-hits", cli.Quantity(int64(r.QueriesOverLimit), pattern))
	}
}

// number is one of cli.Quantity.
func number(n int64) string {
	digits, _, _ := strings.Cut(cli.Quantity(n, "unit"), " ")
	return digits
}

// Short writes a time with three digits or so.
func Short(seconds float64) string {
	if seconds < 1 {
		return fmt.Sprintf("%.3g ms", seconds*1e3)
	}
	return fmt.Sprintf("%.2f s", seconds)
}

// PrintStages prints how the stages share the wall clock.
func (r *Report) PrintStages(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "stage\tms\tof all\t")
	for _, part := range r.Seconds.Parts() {
		fmt.Fprintf(t, "%s\t%.3f\t%.1f %%\t\n", part.Name, part.Seconds*1e3, percentOf(part.Seconds, r.Seconds.Total))
	}
	t.Flush()
}

// PrintPhases prints the device time of every phase, if it is known.
func (r *Report) PrintPhases(w io.Writer) {
	var total time.Duration
	for _, p := range r.Phases {
		total += p.Time
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for i, p := range r.Phases {
		if i == 0 {
			fmt.Fprintln(t, "phase\tlaunches\tms\tshare\t")
		}
		fmt.Fprintf(t, "%s\t%d\t%.3f\t%.1f %%\t\n", p.Phase, p.Calls, p.Time.Seconds()*1e3,
			percentOf(p.Time.Seconds(), total.Seconds()))
	}
	t.Flush()
}

// PrintProfile prints that of every kernel, if it is known.
func (r *Report) PrintProfile(w io.Writer) {
	if len(r.Profile) == 0 {
		return
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "phase\tkernel\tcalls\tms\tGB/s\t")
	for _, k := range r.Profile {
		fmt.Fprintf(t, "%s\t%s\t%d\t%.3f\t%.2f\t\n", k.Phase, k.Kernel, k.Calls, k.Time.Seconds()*1e3, k.GBps)
	}
	t.Flush()
}
