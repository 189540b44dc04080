package verbs

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
)

const infiniGramHelp = `Build the index of infini-gram mini: FM-indexes of documents and of their metadata, byte for
byte as the Succinct Data Structure Library writes them. INPUT is lines of JSON, also
compressed, or a directory of such files, in the order of their names; the string of --field
is a document. With --input text each file is a document.

DIR gets data.fm9, data_offset, meta.fm9 and meta_offset; with --keep what they are made of,
too: text_*.sdsl, sa_*.sdsl and bwt_*.sdsl. A stage alone: --only text reads INPUT and writes
the texts and offsets. --only sa and --only fm9 read DIR, which is the only argument then.

With --shards N there are N indexes, DIR/00 and so on, each of some of the files, in their
order. A shard gets its name when it is whole. With --resume KEPT a job that was ended goes on
after the shards that are finished.

A text that does not fit in one piece is sorted in ranges. The host has the text, its
transform, and the bits of the wavelet tree: about three bytes for each of the text.`

func infiniGramVerb() verb.Verb {
	flags := infiniGramFlags{
		only:  cli.Choice{Value: stageAll, Of: []string{stageAll, stageText, stageArray, stageIndex}},
		input: cli.Choice{Value: "jsonl", Of: []string{"jsonl", "text"}},
	}
	var names []string // all arguments, which plan is not given
	var planned *miniGram
	v := verb.Verb{Options: &flags.Job, Op: verb.Always(operation.SortedArray), Prepares: preparedFormats()}
	v.Reads = []cli.Accepted{cli.Reads("INPUT", verb.JSONLines, verb.Bytes, verb.Directory)}
	v.Writes = []cli.Produced{cli.Writes("DIR", "index of infini-gram mini")}
	v.Command = &cobra.Command{
		Use:   "infini-gram-mini INPUT... [DIR]",
		Short: "Build the index of infini-gram mini",
		Long:  infiniGramHelp,
		Example: "  suffixcl build infini-gram-mini corpus.jsonl.zst index\n" +
			"  suffixcl build infini-gram-mini --only sa index",
	}
	v.Check = func(args []string) error {
		names = args
		inputs := len(args) - 1
		switch {
		case flags.makes(stageText) && inputs == 0:
			return cli.Usage("build infini-gram-mini: DIR is missing")
		case !flags.makes(stageText) && inputs > 0:
			return cli.Usage("--only %s reads DIR alone", flags.only.Value)
		case args[inputs] == "-":
			return cli.Usage("DIR is a directory, not a stream; ./- is one of that name")
		case flags.field == "":
			return cli.Usage("--field: want the name of a string")
		}
		if err := flags.wrongShards(); err != nil {
			return err
		}
		return options.OneStandardInput(args[:inputs]...)
	}
	v.Plan = func(ctx context.Context, j *job.Job, _ string) (device.MemoryPlan, error) {
		j.Report.Verb = "build infini-gram-mini"
		planned = newMiniGram(j, &flags, names)
		if flags.shards > 0 {
			s, err := newMiniShards(j, &flags, names)
			if err != nil {
				return nil, err
			}
			planned = s.largest()
		}
		if err := planned.open(ctx); err != nil {
			return nil, err
		}
		defer planned.close()
		return planned.plan(ctx)
	}
	v.Result = func(j *job.Job) sink.File {
		if planned == nil {
			return sink.File{}
		}
		return planned.disk()
	}
	v.Run = func(ctx context.Context, args []string) error {
		j := v.Job()
		defer j.Close()
		j.Report.Verb = "build infini-gram-mini"
		if flags.shards > 0 {
			s, err := newMiniShards(j, &flags, args)
			if err != nil {
				return err
			}
			return s.run(ctx)
		}
		m := newMiniGram(j, &flags, args)
		if err := m.make(ctx); err != nil {
			return err
		}
		return m.Sink.Finish(&cli.Output{Name: m.dir})
	}
	flags.AddCommon(v.Flags())
	flags.AddRaw(v.Flags())
	flags.AddAlgorithm(v.Flags())
	v.Flags().Var(&flags.input, "input", "jsonl: objects of JSON, a line each; text: a file is a document")
	v.Flags().StringVar(&flags.field, "field", "text", "string of an object that is the document")
	v.Flags().Var(&flags.only, "only", "one stage: text, sa or fm9")
	v.Flags().BoolVar(&flags.keep, "keep", false, "leave the files of all stages in DIR")
	v.Flags().BoolVar(&flags.zero, "zero-end", false,
		"end texts with a byte 00: the smallest byte is found, too, and the last document has a byte fa")
	v.Flags().BoolVar(&flags.force, "force", false, "replace files that are there")
	flags.addShards(&v)
	return v
}
