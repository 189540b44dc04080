package main

import "github.com/suffixcl/suffixcl"

const locateHelp = `Tell where patterns occur in the text of an FM-index. Each occurrence has a line:
pattern, tab, position from 0 on, or record:position where the text has records; of each
pattern in ascending order.` + lookupHelp + `; a
third column tells the strand, "+" or "-".

` + hitsHelp

func locateVerb() verb {
	var flags searchFlags
	v := lookupVerb("locate", &flags, true, func(j *job, rows rowWriter, x *suffixcl.Index) foundWriter {
		t := target{records: x.Options().Records, name: textName(j.report.File), length: x.Len()}
		return &hitWriter{rows, t, flags.format.Value, flags.both}
	})
	v.Short, v.Long = "Locate occurrences with an FM-index", locateHelp
	flags.addHits(v.Command)
	return v
}
