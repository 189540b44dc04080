package main

import (
	"bufio"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/suffixcl/suffixcl/corpus"
	"github.com/suffixcl/suffixcl/duplicates"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
)

// duplicatesReport is what dedup tells of what it found. Numbers are those of the inputs' documents, and of the
// files of --against with --both.
type duplicatesReport struct {
	Ranges    int                 `json:"ranges"`
	Removed   int64               `json:"removed_bytes"`
	Documents int                 `json:"documents"` // with ranges
	Emptied   int                 `json:"emptied"`   // of these, nothing else in them
	Longest   int                 `json:"longest"`
	Windows   uint64              `json:"windows"`
	Parts     int                 `json:"parts"`
	Pieces    int                 `json:"pieces"`
	Lengths   []lengthBucket      `json:"lengths"`
	Frequent  []frequentDuplicate `json:"frequent"`
	Inputs    []string            `json:"inputs"`
	Files     int                 `json:"files"` // in them
	Directory string              `json:"directory"`
	Dropped   int                 `json:"dropped"` // documents

	all int // bytes of the text
}

// share is how much of the text was found, in percent.
func (r *duplicatesReport) share() float64 { return 100 * float64(r.Removed) / float64(max(r.all, 1)) }

// work says what was read, and what was found in it, or removed.
func (r *duplicatesReport) work(documents, bytes int64) string {
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

// lengthBucket counts ranges of least to twice as many bytes.
type lengthBucket struct {
	Least  int   `json:"least"`
	Ranges int   `json:"ranges"`
	Bytes  int64 `json:"bytes"`
}

// frequentDuplicate is a passage, all of whose windows occur so often.
type frequentDuplicate struct {
	Count   uint64 `json:"count"`
	File    string `json:"file"`
	Start   int    `json:"start"` // of its first occurrence in the text
	Bytes   int    `json:"bytes"`
	Example string `json:"example"`
}

// exampleBytes is how much of a frequent duplicate is shown.
const exampleBytes = 80

func (d *dedup) duplicatesReport(f *dedupFound, result duplicates.Result) *duplicatesReport {
	r := &duplicatesReport{Ranges: len(f.ranges), Documents: f.cuts.Documents(), Windows: result.Windows,
		Parts: result.Parts, Pieces: result.Pieces, Lengths: []lengthBucket{}, Frequent: []frequentDuplicate{},
		Inputs: append(slices.Clone(d.flags.inputs), d.flags.against...), Files: len(d.set.Files), Directory: d.flags.dir,
		all: len(d.set.Text)}
	if !d.flags.both {
		r.all = d.own()
	}
	for _, x := range f.ranges {
		n := x.Len()
		r.Removed += int64(n)
		r.Longest = max(r.Longest, n)
		k := bits.Len(uint(n)) - 1
		for len(r.Lengths) <= k {
			r.Lengths = append(r.Lengths, lengthBucket{Least: 1 << len(r.Lengths)})
		}
		r.Lengths[k].Ranges++
		r.Lengths[k].Bytes += int64(n)
	}
	r.Lengths = slices.DeleteFunc(r.Lengths, func(b lengthBucket) bool { return b.Ranges == 0 })
	for k := range d.set.Documents {
		if d.set.Emptied(k, f.cuts) {
			r.Emptied++
			if d.flags.drop && (d.other < 0 || d.set.FileOf(k) < d.other) {
				r.Dropped++
			}
		}
	}
	for _, p := range result.Frequent {
		from, to := d.bytesOf(p.Range)
		if len(r.Frequent) == d.flags.top || !d.set.Holds(from, to) {
			continue
		}
		r.Frequent = append(r.Frequent, frequentDuplicate{Count: p.Count, File: d.fileAt(from), Start: from, Bytes: to - from,
			Example: string(appendEscaped(nil, d.set.Text[from:min(to, from+exampleBytes)]))})
	}
	return r
}

// fileAt is the name of the file that has a byte of the text.
func (d *dedup) fileAt(at int) string {
	k, _ := slices.BinarySearchFunc(d.set.Files, at, func(f corpus.File, at int) int {
		if f.End <= at {
			return -1
		}
		return 1
	})
	return d.set.Files[k].Name
}

// write writes the report for people.
func (r *duplicatesReport) write(to io.Writer) error {
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, "removed: %s (%.2f %%) in %s of %s, %d of them emptied; the longest has %s\n",
		cli.Quantity(r.Removed, "byte"), r.share(), cli.Quantity(int64(r.Ranges), "range"),
		cli.Quantity(int64(r.Documents), "document"), r.Emptied, bytesize.Format(int64(r.Longest)))
	if len(r.Lengths) > 0 {
		fmt.Fprintln(w, "\nranges by length:")
		most := slices.MaxFunc(r.Lengths, func(a, b lengthBucket) int { return a.Ranges - b.Ranges }).Ranges
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
