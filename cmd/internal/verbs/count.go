package verbs

import (
	"context"

	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/search"
	"github.com/suffixcl/suffixcl/cmd/internal/source"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
)

const countHelp = `Count how often patterns occur in the text of an FM-index. Each pattern has a line:
pattern, tab, count; with --both the counts on the strands "+" and "-".` + search.LookupHelp + "."

func countVerb() verb.Verb {
	var flags search.Flags
	v := lookupVerb("count", &flags, false, func(_ context.Context, _ *job.Job, rows tsv.Writer,
		_ lookedUp) search.FoundWriter {
		return &countWriter{rows, flags.Both}
	})
	v.Short, v.Long = "Count occurrences with an FM-index", countHelp
	return v
}

// countWriter writes numbers of occurrences.
type countWriter struct {
	tsv.Writer
	both bool
}

func (w *countWriter) WriteFound(q *source.Queries, f *search.Found) error {
	w.Text(q.Name(f.Query))
	w.Number(uint64(f.Counts[search.Forward]))
	if w.both {
		w.Number(uint64(f.Counts[search.Reverse]))
	}
	return w.End()
}
