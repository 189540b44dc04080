package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
)

// Duplicates is what dedup tells of what it found. Numbers are those of the inputs' documents, and of the
// files of --against with --both.
type Duplicates struct {
	Ranges    int                 `json:"ranges"`
	Removed   int64               `json:"removed_bytes"`
	Documents int                 `json:"documents"` // with ranges
	Emptied   int                 `json:"emptied"`   // of these, nothing else in them
	Longest   int                 `json:"longest"`
	Windows   uint64              `json:"windows"`
	Parts     int                 `json:"parts"`
	Pieces    int                 `json:"pieces"`
	Lengths   []LengthBucket      `json:"lengths"`
	Frequent  []FrequentDuplicate `json:"frequent"`
	Inputs    []string            `json:"inputs"`
	Files     int                 `json:"files"` // in them
	Directory string              `json:"directory"`
	Dropped   int                 `json:"dropped"` // documents

	all int // bytes of the text
}

// Of says how many bytes the text has that the duplicates are of.
func (r *Duplicates) Of(bytes int) { r.all = bytes }

// share is how much of the text was found, in percent.
func (r *Duplicates) share() float64 { return 100 * float64(r.Removed) / float64(max(r.all, 1)) }

// work says what was read, and what was found in it, or removed.
func (r *Duplicates) work(documents, bytes int64) string {
	found := "found"
	if r.Directory != "" {
		found = "removed"
	}
	to := ""
	if r.Directory != "" {
		to = ", written to " + r.Directory
	}
	s := fmt.Sprintf("%s (%s, %s): %s%s; %s %s, %.2f %%, in %s of %s, %s emptied", strings.Join(r.Inputs, ", "),
		cli.Quantity(int64(r.Files), "file"), cli.Quantity(documents, "document"), bytesize.Format(bytes), to, found,
		bytesize.Format(r.Removed), r.share(), cli.Quantity(int64(r.Ranges), "range"),
		cli.Quantity(int64(r.Documents), "document"), number(int64(r.Emptied)))
	if r.Dropped > 0 {
		s += " and left out"
	}
	return s
}

// LengthBucket counts ranges of least to twice as many bytes.
type LengthBucket struct {
	Least  int   `json:"least"`
	Ranges int   `json:"ranges"`
	Bytes  int64 `json:"bytes"`
}

// FrequentDuplicate is a passage, all of whose windows occur so often.
type FrequentDuplicate struct {
	Count   uint64 `json:"count"`
	File    string `json:"file"`
	Start   int    `json:"start"` // of its first occurrence in the text
	Bytes   int    `json:"bytes"`
	Example string `json:"example"`
}

// Write writes the report for people.
func (r *Duplicates) Write(to io.Writer) error {
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, "removed: %s (%.2f %%) in %s of %s, %d of them emptied; the longest has %s\n",
		cli.Quantity(r.Removed, "byte"), r.share(), cli.Quantity(int64(r.Ranges), "range"),
		cli.Quantity(int64(r.Documents), "document"), r.Emptied, bytesize.Format(int64(r.Longest)))
	if len(r.Lengths) > 0 {
		fmt.Fprintln(w, "\nranges by length:")
		most := slices.MaxFunc(r.Lengths, func(a, b LengthBucket) int { return a.Ranges - b.Ranges }).Ranges
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(t, "bytes from\tto\tranges\tbytes\t")
		for _, b := range r.Lengths {
			fmt.Fprintf(t, "%d\t%d\t%d\t%d\t  %s\n", b.Least, 2*b.Least-1, b.Ranges, b.Bytes,
				strings.Repeat("#", (50*b.Ranges+most-1)/most))
		}
		t.Flush()
	}
	if len(r.Frequent) > 0 {
		fmt.Fprintln(w, "\nmost frequent:")
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "count\tbytes\tfile\tstart\ttext")
		for _, p := range r.Frequent {
			fmt.Fprintf(t, "%d\t%d\t%s\t%d\t%s\n", p.Count, p.Bytes, p.File, p.Start, p.Example)
		}
		t.Flush()
	}
	return w.Flush()
}
