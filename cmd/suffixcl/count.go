package main

import "github.com/suffixcl/suffixcl"

const countHelp = `Count how often patterns occur in the text of an FM-index. Each pattern has a line:
pattern, tab, count; with --both the counts on the strands "+" and "-".` + lookupHelp + "."

func countVerb() verb {
	var flags searchFlags
	v := lookupVerb("count", &flags, false, func(_ *job, rows rowWriter, _ *suffixcl.Index) foundWriter {
		return &countWriter{rows, flags.both}
	})
	v.Short, v.Long = "Count occurrences with an FM-index", countHelp
	return v
}

// countWriter writes numbers of occurrences.
type countWriter struct {
	rowWriter
	both bool
}

func (w *countWriter) write(q *queries, f *found) error {
	w.text(q.name(f.query))
	w.number(uint64(f.counts[forward]))
	if w.both {
		w.number(uint64(f.counts[reverse]))
	}
	return w.end()
}
