package verbs

import (
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/search"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
)

const locateHelp = `Tell where patterns occur in the text of an FM-index. Each occurrence has a line:
pattern, tab, position from 0 on, or record:position where the text has records; of each
pattern in ascending order.` + search.LookupHelp + `; a
third column tells the strand, "+" or "-".

` + search.HitsHelp

func locateVerb() verb.Verb {
	var flags search.Flags
	v := lookupVerb("locate", &flags, true, func(j *job.Job, rows tsv.Writer, x *suffixcl.Index) search.FoundWriter {
		t := search.Target{Records: x.Options().Records, Name: search.TextName(j.Report.File), Length: x.Len()}
		return &search.HitWriter{Writer: rows, Target: t, Format: flags.Format.Value, Both: flags.Both}
	})
	v.Short, v.Long = "Locate occurrences with an FM-index", locateHelp
	flags.AddHits(v.Command)
	v.Writes = verb.Rows("tsv", "bed", "paf")
	return v
}
