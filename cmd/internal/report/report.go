// Package report is what a verb tells about its work: a line for people, or an object of
// JSON.
package report

import (
	"slices"
	"strings"
	"time"

	"github.com/suffixcl/suffixcl/cmd/internal/session"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/phases"
	"github.com/suffixcl/suffixcl/seqio"
)

// Report is what a verb tells about its work: the summary line, or with --json this object,
// whose fields are always all there. docs/json.md describes them.
type Report struct {
	Verb        string `json:"verb"`
	File        string `json:"file"`
	Compression string `json:"compression"`
	Format      string `json:"format"` // fasta, fastq, or empty
	Bytes       int    `json:"bytes"`  // of the text
	Records     int    `json:"records"`
	Output      string `json:"output"`
	Width       int    `json:"width"`
	Primary     *int   `json:"primary"`

	QueryFile        *QueryFile `json:"query_file"`
	Queries          int        `json:"queries"`
	QueriesWithHits  int        `json:"queries_with_hits"`
	QueryBytes       int64      `json:"query_bytes"`
	Occurrences      int64      `json:"occurrences"`
	QueriesOverLimit int        `json:"queries_over_limit"`

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
	Ranks     *Ranks         `json:"ranks"` // with --mpi

	Duplicates *Duplicates `json:"duplicates"` // of dedup
	Pangenome  *Growth     `json:"pangenome"`  // that pangenome makes
	SMEMs      *SMEMs      `json:"smems"`      // of smems

	kind  string // of the text: compression and format, or raw; empty for an index
	found string // for people, where no field tells it
	began time.Time
}

// New begins that of a verb.
func New(verb string) *Report { return &Report{Verb: verb, began: time.Now()} }

// Of tells what a text is.
func (r *Report) Of(in *cli.Input, raw bool) {
	r.File, r.Compression, r.Format = in.Name, in.Compression, FormatName(in.Format)
	if raw {
		r.OfKind("raw")
	} else {
		r.OfKind(in.Compression, in.Format.String())
	}
}

// OfKind says what the text is for people: compression and format, each of which may be empty.
func (r *Report) OfKind(names ...string) { r.kind = kindOf(names...) }

// Tell says what was found for people, where no field tells it.
func (r *Report) Tell(found string) { r.found = found }

// FormatName is that of a format of records, and empty for plain text.
func FormatName(f seqio.Format) string {
	if f == seqio.Plain {
		return ""
	}
	return f.String()
}

// QueryFile is a file of patterns, or of queries of mems.
type QueryFile struct {
	File        string `json:"file"`
	Compression string `json:"compression"`
	Format      string `json:"format"` // fasta or fastq
}

// FileOfQueries tells what a file is.
func FileOfQueries(in *cli.Input) *QueryFile {
	return &QueryFile{in.Name, in.Compression, FormatName(in.Format)}
}

// WallClock is the time of a verb that has no device.
type WallClock struct {
	Total float64 `json:"total"`
}

// WallClockSince is the time since then.
func WallClockSince(began time.Time) WallClock { return WallClock{time.Since(began).Seconds()} }

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

// Finish fills in what the engine knows.
func (r *Report) Finish(s *session.Session) {
	stats := &s.Stats
	caps := s.Engine.Caps()
	r.Device, r.Platform, r.Driver = caps.Name, caps.Platform, caps.DriverVersion
	r.Algorithm, r.Ranges = string(stats.Algorithm), stats.Ranges
	r.Seconds.Upload = stats.Upload.Seconds()
	r.Seconds.Compute = stats.Compute.Seconds()
	r.Seconds.Download = stats.Download.Seconds()
	r.Seconds.Total = time.Since(r.began).Seconds()
	rated := int64(r.Bytes)
	if r.kind == "" || r.SMEMs != nil {
		rated = r.QueryBytes
	}
	r.Rates.Device = rate(rated, stats.Compute)
	r.Rates.EndToEnd = rate(rated, stats.Upload+stats.Compute+stats.Download)
	r.Rates.Total = rate(rated, time.Since(r.began))
	r.PeakBytes = stats.PeakBytes
	profile := stats.Profile
	r.Phases, r.Profile = []phases.Total{}, []kernelRow{} // which are not null
	if s.Flags.Phases {
		r.Phases = append(r.Phases, phases.Sum(profile)...)
	}
	if s.Flags.Profile {
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

// kindOf is compression and format for people.
func kindOf(names ...string) string {
	return strings.Join(slices.DeleteFunc(names, func(s string) bool { return s == "" }), ", ")
}
