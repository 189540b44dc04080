package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/fmindex"
)

const countHelp = `Count how often patterns occur in the text of an FM-index. Each pattern has a line:
pattern, tab, count; with --both the counts on the strands "+" and "-".` + lookupHelp + "."

func countCommand() *cobra.Command {
	var flags searchFlags
	c := lookupCommand(&flags, "count", func(ctx context.Context, index string) error {
		j := newJob(&flags.jobFlags, "count", suffixcl.OpBuildIndex)
		return j.lookup(ctx, &flags, index, false, func(rows rowWriter, _ fmindex.Header) foundWriter {
			return &countWriter{rows, flags.both}
		})
	})
	c.Short, c.Long = "Count occurrences with an FM-index", countHelp
	return c
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
