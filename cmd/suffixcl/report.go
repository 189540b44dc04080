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
)

// report is what a verb tells about its work: the summary line, or with --json
// this object.
type report struct {
	Verb        string  `json:"verb"`
	File        string  `json:"file"`
	Bytes       int     `json:"bytes"`                 // of the text
	Compression string  `json:"compression,omitempty"` // of the file: gzip, xz, zstd, bzip2 or lzma
	Format      string  `json:"format,omitempty"`      // of the file: fasta or fastq
	Device      string  `json:"device"`
	Platform    string  `json:"platform"`
	Driver      string  `json:"driver"`
	Algorithm   string  `json:"algorithm,omitempty"`
	Output      string  `json:"output,omitempty"`
	Width       int     `json:"width,omitempty"`
	Primary     *int    `json:"primary,omitempty"`
	Records     int     `json:"records,omitempty"` // of the text
	Queries     int     `json:"queries,omitempty"`
	Occurrences int64   `json:"occurrences,omitempty"`
	QueryFile   *source `json:"query_file,omitempty"`
	OK          *bool   `json:"ok,omitempty"`     // verify only
	Reason      string  `json:"reason,omitempty"` // why not
	Seconds     seconds `json:"seconds"`
	Rates       rates   `json:"mb_per_s"`
	PeakBytes   int64   `json:"peak_device_bytes"`

	kind string // of the text: compression and format, or raw

	Phases  []device.PhaseTime `json:"phases,omitempty"`
	Profile []kernelRow        `json:"profile,omitempty"`
}

// source is a file of patterns.
type source struct {
	File        string `json:"file"`
	Compression string `json:"compression,omitempty"`
	Format      string `json:"format,omitempty"` // fasta or fastq
}

// seconds of the parts. Total is the wall clock time from the start of the verb.
type seconds struct {
	Open     float64 `json:"open"` // device and kernels
	Read     float64 `json:"read"`
	Upload   float64 `json:"upload"`
	Compute  float64 `json:"compute"`
	Download float64 `json:"download"`
	Write    float64 `json:"write"`
	Total    float64 `json:"total"`
}

// rates in 10^6 bytes of text a second: for the computation in device memory, and
// from the text in host memory to the result in host memory.
type rates struct {
	Device   float64 `json:"device_resident"`
	EndToEnd float64 `json:"end_to_end"`
}

type kernelRow struct {
	device.KernelTime
	GBps float64 `json:"gb_per_s"`
}

// finish fills in what the engine knows.
func (r *report) finish(stats *suffixcl.Stats, began time.Time, flags *jobFlags) {
	r.Algorithm = string(stats.Algorithm)
	r.Seconds.Upload = stats.Upload.Seconds()
	r.Seconds.Compute = stats.Compute.Seconds()
	r.Seconds.Download = stats.Download.Seconds()
	r.Seconds.Total = time.Since(began).Seconds()
	r.Rates.Device = rate(r.Bytes, stats.Compute)
	r.Rates.EndToEnd = rate(r.Bytes, stats.Upload+stats.Compute+stats.Download)
	r.PeakBytes = stats.PeakBytes
	profile := stats.Profile
	if flags.phases {
		r.Phases = device.PhaseTimes(profile)
	}
	if flags.profile {
		for _, k := range profile {
			r.Profile = append(r.Profile, kernelRow{k, k.GBps()})
		}
	}
}

func rate(bytes int, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return float64(bytes) / 1e6 / d.Seconds()
}

// summary is the line for people.
func (r *report) summary() string {
	s := r.Seconds
	return fmt.Sprintf("%s %s on %s; upload %s, compute %s, download %s, total %s; "+
		"%.1f MB/s device-resident, %.1f MB/s end to end; peak device memory %s",
		r.Verb, r.work(), r.Device,
		short(s.Upload), short(s.Compute), short(s.Download), short(s.Total),
		r.Rates.Device, r.Rates.EndToEnd, bytesize.Format(r.PeakBytes))
}

// work says what was read, and what was found in it.
func (r *report) work() string {
	var b strings.Builder
	b.WriteString(r.File)
	if r.kind != "" { // else it is an index
		fmt.Fprintf(&b, " (%s)", r.kind)
	}
	b.WriteString(": ")
	if r.Records > 0 {
		fmt.Fprintf(&b, "%s, ", cli.Plural(r.Records, "record"))
	}
	b.WriteString(bytesize.Format(int64(r.Bytes)))
	if !slices.Contains([]string{"count", "locate", "match"}, r.Verb) {
		return b.String()
	}
	if r.kind == "" {
		b.WriteString(" of patterns")
	}
	fmt.Fprintf(&b, "; %s", cli.Plural(r.Queries, "pattern"))
	if q := r.QueryFile; q != nil {
		fmt.Fprintf(&b, " of %s (%s)", q.File, kind(q.Compression, cmp.Or(q.Format, "lines")))
	}
	fmt.Fprintf(&b, ", %s", cli.Plural(int(r.Occurrences), "occurrence"))
	return b.String()
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
			100*p.Time.Seconds()/max(total.Seconds(), 1e-9))
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
