package runner

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// SummaryVersion is the version of a summary's JSON; see docs/conformance.md.
const SummaryVersion = 1

// ErrSummary says that a file is a summary, where cells are wanted.
var ErrSummary = errors.New("a summary, which has no cells: the report that it was made from is needed")

// Summary is a Report in short: how many cells of each subject passed in each variant, and the
// speeds. Cells that did not pass are kept in full.
type Summary struct {
	Version int           `json:"suffixcl_conformance_summary"`
	Runs    []*RunSummary `json:"runs"`
}

// RunSummary is a Run in short.
type RunSummary struct {
	RunInfo
	Variants []string         `json:"variants"`
	Subjects []SubjectSummary `json:"subjects"`
	Failures []Cell           `json:"failures"` // the cells that did not pass
}

// SubjectSummary is a row of the matrix of subjects by variants.
type SubjectSummary struct {
	Subject string `json:"subject"`
	Kind    string `json:"kind"`
	Passed  []int  `json:"passed"` // [variants] cells
	All     []int  `json:"all"`    // [variants] cells that were run
	Speed   *Speed `json:"speed,omitempty"`
}

// Summary counts the cells of all runs.
func (r *Report) Summary() *Summary {
	s := &Summary{Version: SummaryVersion, Runs: []*RunSummary{}}
	for _, run := range r.Runs {
		s.Runs = append(s.Runs, run.Summary())
	}
	return s
}

// Summary counts the cells of the run.
func (r *Run) Summary() *RunSummary {
	s := &RunSummary{RunInfo: r.RunInfo, Variants: r.Variants(), Subjects: []SubjectSummary{}, Failures: []Cell{}}
	s.Seconds = rounded(s.Seconds)
	for _, c := range r.Cells {
		i := slices.IndexFunc(s.Subjects, func(o SubjectSummary) bool { return o.Subject == c.Subject && o.Kind == c.Kind })
		if i < 0 {
			i = len(s.Subjects)
			s.Subjects = append(s.Subjects, SubjectSummary{Subject: c.Subject, Kind: c.Kind,
				Passed: make([]int, len(s.Variants)), All: make([]int, len(s.Variants))})
		}
		subject, variant := &s.Subjects[i], slices.Index(s.Variants, c.Variant)
		subject.All[variant]++
		if c.Result == Passed {
			subject.Passed[variant]++
		} else {
			s.Failures = append(s.Failures, c)
		}
		if c.Speed != nil && subject.Speed == nil {
			speed := *c.Speed
			speed.Seconds, speed.PerSecond, speed.GBps = rounded(speed.Seconds), rounded(speed.PerSecond), rounded(speed.GBps)
			subject.Speed = &speed
		}
	}
	return s
}

// rounded has the five digits that a measurement may have.
func rounded(v float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 5, 64), 64)
	if err != nil || math.IsInf(short, 0) { // the largest numbers, which would be rounded up
		return v
	}
	return short
}

// Count returns how many cells of a kind there are ("" takes all), and how many of them
// passed.
func (r *RunSummary) Count(kind string) (passed, all int) {
	for _, s := range r.Subjects {
		if kind == "" || s.Kind == kind {
			for v := range r.Variants {
				passed, all = passed+s.Passed[v], all+s.All[v]
			}
		}
	}
	return passed, all
}

// CopyGBps is the bandwidth of a copy that the run has measured, or 0.
func (r *RunSummary) CopyGBps() float64 {
	for _, s := range r.Subjects {
		if s.Subject == copySubject && s.Speed != nil {
			return s.Speed.GBps
		}
	}
	return 0
}

// Measured are the subjects that have a speed, but the copy.
func (r *RunSummary) Measured() []SubjectSummary {
	var list []SubjectSummary
	for _, s := range r.Subjects {
		if s.Speed != nil && s.Speed.PerSecond > 0 && s.Subject != copySubject {
			list = append(list, s)
		}
	}
	return list
}

// Sizes of what is measured, for people.
func (r *RunSummary) Sizes() string {
	var list []string
	for _, s := range r.Measured() {
		if text := fmt.Sprintf("%d %s", s.Speed.Items, s.Speed.Unit); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return strings.Join(list, ", ")
}

// Write writes the summary as JSON, with a subject a line.
func (s *Summary) Write(w io.Writer) error {
	return writeLines(w, s, `{"device":`, `"platform":`, `"opencl":`, `"type":`, `"extensions":`, `"system":`,
		`"kernels":`, `"level":`, `"variants":`, `"subjects":`, `{"subject":`, `"failures":`)
}

func isSummary(data []byte) bool {
	var s struct {
		Version int `json:"suffixcl_conformance_summary"`
	}
	return json.Unmarshal(data, &s) == nil && s.Version != 0
}

// ParseSummary reads a summary, or a report, which it sums up. Errors: what is neither of them
// in the version of this package; counts that contradict the failures.
func ParseSummary(data []byte) (*Summary, error) {
	if !isSummary(data) {
		r, err := Parse(data)
		if err != nil {
			return nil, err
		}
		return r.Summary(), nil
	}
	s := new(Summary)
	if err := json.Unmarshal(data, s); err != nil {
		return nil, err
	}
	if s.Version != SummaryVersion {
		return nil, fmt.Errorf("not a conformance summary of version %d", SummaryVersion)
	}
	for _, run := range s.Runs {
		if run == nil || run.Device == "" {
			return nil, errNoDevice
		}
		if err := run.check(); err != nil {
			return nil, fmt.Errorf("%s: %w", run.Device, err)
		}
	}
	return s, nil
}

// check compares the counts with the variants and the failures.
func (r *RunSummary) check() error {
	for _, s := range r.Subjects {
		if len(s.Passed) != len(r.Variants) || len(s.All) != len(r.Variants) {
			return fmt.Errorf("%s: not a count for each of %d variants", s.Subject, len(r.Variants))
		}
		for v, variant := range r.Variants {
			failed := 0
			for _, c := range r.Failures {
				if c.Subject == s.Subject && c.Kind == s.Kind && c.Variant == variant {
					failed++
				}
			}
			if s.Passed[v] < 0 || s.All[v]-s.Passed[v] != failed {
				return fmt.Errorf("%s, %s: %d of %d cells passed, but %d failures are listed",
					s.Subject, variant, s.Passed[v], s.All[v], failed)
			}
		}
	}
	if passed, all := r.Count(""); all-passed != len(r.Failures) {
		return fmt.Errorf("%d of %d cells passed, but %d failures are listed", passed, all, len(r.Failures))
	}
	return nil
}

// JoinSummaries puts summaries of different runs together. Errors: a run that is in two of
// them, because cells that are in both cannot be told.
func JoinSummaries(list ...*Summary) (*Summary, error) {
	all := &Summary{Version: SummaryVersion, Runs: []*RunSummary{}}
	for _, s := range list {
		for _, run := range s.Runs {
			if slices.ContainsFunc(all.Runs, func(o *RunSummary) bool { return o.same(&run.RunInfo) }) {
				return nil, fmt.Errorf("two summaries of a run on %s: merge the reports instead", run.Device)
			}
			all.Runs = append(all.Runs, run)
		}
	}
	return all, nil
}

// Count returns how many cells of all runs there are, and how many of them passed.
func (s *Summary) Count() (passed, all int) {
	for _, run := range s.Runs {
		p, a := run.Count("")
		passed, all = passed+p, all+a
	}
	return passed, all
}

// Failures counts the cells that did not pass.
func (s *Summary) Failures() int {
	n := 0
	for _, run := range s.Runs {
		n += len(run.Failures)
	}
	return n
}

// kinds of subjects, in the order of tables.
var kinds = []string{"primitive", "sorter", "application"}

// pseudoVersion is what Go calls a revision without a tag.
var pseudoVersion = regexp.MustCompile(`\bv0\.0\.0-\d{14}-([0-9a-f]{7})[0-9a-f]*`)

// older marks, in front of a digest of kernels, what was made with others than those of the tree.
const older = "older "

// Marked is what was tested, for people, with a mark if its kernels are not those of a digest.
func Marked(library, kernels string) string {
	library = pseudoVersion.ReplaceAllString(library, "$1")
	before, digest, found := strings.Cut(library, wordKernels)
	if !found || digest == kernels {
		return library
	}
	return before + older + wordKernels + digest
}

// wordKernels stands in front of the digest of all kernels in the name of a library.
const wordKernels = "kernels "

// Markdown is the device matrix of docs/conformance.md. Rows that were made with other kernels than those of the digest
// are marked. Runs that differ in their seeds are a row.
func (s *Summary) Markdown(kernels string) string {
	var b strings.Builder
	b.WriteString("| device, driver | level | primitives | sorters | applications | variants | revision |\n" +
		"|---|---|---|---|---|---|---|\n")
	for _, runs := range s.bySeed() {
		run, level := runs[0], runs[0].Level
		if len(runs) > 1 {
			level = fmt.Sprintf("%s, %d seeds", level, len(runs))
		}
		fmt.Fprintf(&b, "| %s, %s %s, %s | %s |", run.Device, run.Platform, run.Driver, run.System, level)
		for _, kind := range kinds {
			passed, all := 0, 0
			for _, r := range runs {
				p, a := r.Count(kind)
				passed, all = passed+p, all+a
			}
			fmt.Fprintf(&b, " %d of %d |", passed, all)
		}
		fmt.Fprintf(&b, " %s | %s |\n", strings.Join(run.Variants, ", "), Marked(run.Library, kernels))
	}
	return b.String()
}

// bySeed are the runs, in their order, those together that differ in the seed only.
func (s *Summary) bySeed() (groups [][]*RunSummary) {
	for _, run := range s.Runs {
		i := slices.IndexFunc(groups, func(g []*RunSummary) bool {
			like := g[0].RunInfo
			like.Seed = run.Seed
			return like.same(&run.RunInfo) && slices.Equal(g[0].Variants, run.Variants)
		})
		if i < 0 {
			groups = append(groups, []*RunSummary{run})
		} else {
			groups[i] = append(groups[i], run)
		}
	}
	return groups
}
