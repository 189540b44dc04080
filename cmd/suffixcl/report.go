package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/phases"
)

// report is what a verb tells about its work: the summary line, or with --json this object,
// whose fields are always all there. docs/json.md describes them.
type report struct {
	Verb        string `json:"verb"`
	File        string `json:"file"`
	Compression string `json:"compression"`
	Format      string `json:"format"` // fasta, fastq, or empty
	Bytes       int    `json:"bytes"`  // of the text
	Records     int    `json:"records"`
	Output      string `json:"output"`
	Width       int    `json:"width"`
	Primary     *int   `json:"primary"`

	QueryFile        *source `json:"query_file"`
	Queries          int     `json:"queries"`
	QueriesWithHits  int     `json:"queries_with_hits"`
	QueryBytes       int64   `json:"query_bytes"`
	Occurrences      int64   `json:"occurrences"`
	QueriesOverLimit int     `json:"queries_over_limit"`

	OK     *bool  `json:"ok"`     // of verify
	Reason string `json:"reason"` // why not

	Device    string         `json:"device"`
	Platform  string         `json:"platform"`
	Driver    string         `json:"driver"`
	Algorithm string         `json:"algorithm"`
	Ranges    int            `json:"ranges"`
	Seconds   cli.Stages     `json:"seconds"`
	Rates     rates          `json:"mb_per_s"`
	PeakBytes int64          `json:"peak_device_bytes"`
	Phases    []phases.Total `json:"phases"`
	Profile   []kernelRow    `json:"profile"`
	Ranks     *rankReport    `json:"ranks"` // with --mpi

	Duplicates *duplicatesReport `json:"duplicates"` // of dedup

	kind  string // of the text: compression and format, or raw; empty for an index
	found string // for people, where no field tells it
}

// source is a file of patterns, or of queries of mems.
type source struct {
	File        string `json:"file"`
	Compression string `json:"compression"`
	Format      string `json:"format"` // fasta or fastq
}

// wallClock is the time of a verb that has no device.
type wallClock struct {
	Total float64 `json:"total"`
}

func wallClockSince(began time.Time) wallClock { return wallClock{time.Since(began).Seconds()} }

// rates in 10^6 bytes of text, or of patterns for an index, a second: for the computation in device memory, and
// from the text in host memory to the result in host memory.
type rates struct {
	Device   float64 `json:"device_resident"`
	EndToEnd float64 `json:"end_to_end"`
	Total    float64 `json:"total"` // of the time of the verb
}

type kernelRow struct {
	device.KernelTime
	GBps float64 `json:"gb_per_s"`
}

// finish fills in what the engine knows.
func (r *report) finish(stats *suffixcl.Stats, began time.Time, flags *jobFlags) {
	r.Algorithm, r.Ranges = string(stats.Algorithm), stats.Ranges
	r.Seconds.Upload = stats.Upload.Seconds()
	r.Seconds.Compute = stats.Compute.Seconds()
	r.Seconds.Download = stats.Download.Seconds()
	r.Seconds.Total = time.Since(began).Seconds()
	rated := int64(r.Bytes)
	if r.kind == "" {
		rated = r.QueryBytes
	}
	r.Rates.Device = rate(rated, stats.Compute)
	r.Rates.EndToEnd = rate(rated, stats.Upload+stats.Compute+stats.Download)
	r.Rates.Total = rate(rated, time.Since(began))
	r.PeakBytes = stats.PeakBytes
	profile := stats.Profile
	r.Phases, r.Profile = []phases.Total{}, []kernelRow{} // which are not null
	if flags.phases {
		r.Phases = append(r.Phases, phases.Sum(profile)...)
	}
	if flags.profile {
		for _, k := range profile {
			r.Profile = append(r.Profile, kernelRow{k, phases.GBps(k.Bytes, k.Time)})
		}
	}
}

func rate(bytes int64, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return float64(bytes) / 1e6 / d.Seconds()
}

// summary is the line for people.
func (r *report) summary() string {
	var parts []string
	for _, part := range r.Seconds.Parts() {
		if part.Name != cli.RestStage {
			parts = append(parts, part.Name+" "+short(part.Seconds))
		}
	}
	return fmt.Sprintf("%s %s on %s; %s, %.1f MB/s in all, %s: %s; peak device memory %s", r.Verb, r.work(),
		r.Device, short(r.Seconds.Total), r.Rates.Total, r.bound(), strings.Join(parts, ", "), bytesize.Format(r.PeakBytes))
}

// bound is the longest stage, after its share of the wall clock.
func (r *report) bound() string {
	bound := r.Seconds.Bound()
	return fmt.Sprintf("%.0f %% of it %s", percentOf(bound.Seconds, r.Seconds.Total), bound.Name)
}

func percentOf(part, whole float64) float64 { return 100 * part / max(whole, 1e-9) }

// work says what was read, and what was found in it.
func (r *report) work() string {
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
func (r *report) patterns(b *strings.Builder, pattern, plain, occurrence string) {
	fmt.Fprintf(b, "; %s", cli.Quantity(int64(r.Queries), pattern))
	if q := r.QueryFile; q != nil {
		fmt.Fprintf(b, " of %s (%s)", q.File, kind(q.Compression, cmp.Or(q.Format, plain)))
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

// kind is compression and format for people.
func kind(names ...string) string {
	return strings.Join(slices.DeleteFunc(names, func(s string) bool { return s == "" }), ", ")
}

// short writes a time with three digits or so.
func short(seconds float64) string {
	if seconds < 1 {
		return fmt.Sprintf("%.3g ms", seconds*1e3)
	}
	return fmt.Sprintf("%.2f s", seconds)
}

// printStages prints how the stages share the wall clock.
func (r *report) printStages(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "stage\tms\tof all\t")
	for _, part := range r.Seconds.Parts() {
		fmt.Fprintf(t, "%s\t%.3f\t%.1f %%\t\n", part.Name, part.Seconds*1e3, percentOf(part.Seconds, r.Seconds.Total))
	}
	t.Flush()
}

func (r *report) printPhases(w io.Writer) {
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

func (r *report) printProfile(w io.Writer) {
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
