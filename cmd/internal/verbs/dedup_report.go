package verbs

import (
	"math/bits"
	"slices"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/internal/corpus"
)

// exampleBytes is how much of a frequent duplicate is shown.
const exampleBytes = 80

func (d *dedup) duplicatesReport(f *dedupFound, result *suffixcl.Duplicates) *report.Duplicates {
	r := &report.Duplicates{Ranges: len(f.ranges), Documents: f.cuts.Documents(), Windows: result.Windows,
		Parts: result.Parts, Pieces: result.Pieces, Lengths: []report.LengthBucket{}, Frequent: []report.FrequentDuplicate{},
		Inputs: append(slices.Clone(d.flags.inputs), d.flags.against...), Files: len(d.set.Files), Directory: d.flags.dir}
	r.Of(len(d.set.Text))
	if !d.flags.both {
		r.Of(d.own())
	}
	for _, x := range f.ranges {
		n := x.Len()
		r.Removed += int64(n)
		r.Longest = max(r.Longest, n)
		k := bits.Len(uint(n)) - 1
		for len(r.Lengths) <= k {
			r.Lengths = append(r.Lengths, report.LengthBucket{Least: 1 << len(r.Lengths)})
		}
		r.Lengths[k].Ranges++
		r.Lengths[k].Bytes += int64(n)
	}
	r.Lengths = slices.DeleteFunc(r.Lengths, func(b report.LengthBucket) bool { return b.Ranges == 0 })
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
		r.Frequent = append(r.Frequent, report.FrequentDuplicate{Count: p.Count, File: d.fileAt(from), Start: from,
			Bytes: to - from, Example: string(tsv.AppendEscaped(nil, d.set.Text[from:min(to, from+exampleBytes)]))})
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
