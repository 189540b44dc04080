package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/fmindex"
)

const locateHelp = `Tell where patterns occur in the text of an FM-index. Each occurrence has a line:
pattern, tab, position from 0 on, or record:position where the text has records; of each
pattern in ascending order.` + lookupHelp + `; a
third column tells the strand, "+" or "-".

` + hitsHelp

func locateCommand() *cobra.Command {
	var flags searchFlags
	c := lookupCommand(&flags, "locate", func(ctx context.Context, index string) error {
		j := newJob(&flags.jobFlags, "locate", suffixcl.OpBuildIndex)
		return j.lookup(ctx, &flags, index, true, func(rows rowWriter, h fmindex.Header) foundWriter {
			t := target{records: h.Records, name: textName(j.report.File), length: h.Length}
			return &hitWriter{rows, t, flags.format.Value, flags.both}
		})
	})
	c.Short, c.Long = "Locate occurrences with an FM-index", locateHelp
	flags.addHits(c)
	return c
}
