package verbs

import (
	"context"

	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/search"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
)

const locateHelp = `Tell where patterns occur in the text of an FM-index. Each occurrence has a line:
pattern, tab, position from 0 on, or record:position where the text has records; of each
pattern in ascending order.` + search.LookupHelp + `; a
third column tells the strand, "+" or "-".

` + search.HitsHelp + `

With --documents each occurrence is a line of JSON: query, position, document, place in
the document, its length, its name if the text has records, and its metadata if it is of
infini-gram mini. --context adds what is before and after. --max tells some occurrences of
many.`

func locateVerb() verb.Verb {
	var flags search.Flags
	v := lookupVerb("locate", &flags, true, func(ctx context.Context, j *job.Job, rows tsv.Writer,
		x lookedUp) search.FoundWriter {
		t := search.Target{Name: search.TextName(j.Report.File)}
		if x.host != nil {
			t.Length = int(x.host.Len())
		} else {
			t.Records, t.Length = x.Options().Records, x.Len()
		}
		if flags.Documents {
			return &search.DocumentWriter{Writer: rows, Target: t, Index: x.host, Ctx: ctx, Bytes: flags.Context,
				Both: flags.Both}
		}
		return &search.HitWriter{Writer: rows, Target: t, Format: flags.Format.Value, Both: flags.Both}
	})
	v.Short, v.Long = "Locate occurrences with an FM-index", locateHelp
	flags.AddHits(v.Command)
	flags.DocumentFlags.Add(v.Command)
	v.Writes = verb.Rows("tsv", "bed", "paf", "lines of JSON")
	return v
}
