package verbs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/sentencepiece"
)

const seedsHelp = `Find the pieces that training of a SentencePiece unigram model begins with: the frequent
substrings of sentences, as spm_train finds them. spm_train 0.2.0 and later takes them by
--seed_sentencepieces_file=OUT, instead of a suffix array of its own.

Sentences are lines, or with --tsv what is before a tab, with how often they occur after it.
<unk>, <s>, </s>, --control-symbols and --user-defined-symbols are in no piece, and no piece
goes over them. Sentences are normalised (--normalization, by the names that spm_train has;
"normalized" takes them as they are), and rare characters make no pieces (--coverage).
A piece has up to --max-length characters, occurs twice or more, and obeys spm_train's rules
for spaces, digits and scripts. --size pieces are kept: those of the greatest frequency
times length, and of equal ones the first in the order of code points.

Lines of OUT: piece, tab, number of occurrences. Single characters come first, the most
frequent first; then pieces, the highest score first. --no-characters leaves the former out.

--fixed also finds pieces that spm_train does not: those that are followed by another
character only where sentences end.`

type seedsFlags struct {
	options.Job
	out           string
	size          int
	normalization cli.Choice
	read          sentencepiece.Options
	rules         sentencepiece.Rules
	noCharacters  bool
	// symbols that are in no piece; it makes no difference here what else they are.
	control, userDefined []string
}

func seedsVerb() verb.Verb {
	var flags seedsFlags
	v := verb.Verb{Options: &flags.Job, Op: verb.Always(operation.SortedLCP), Plan: flags.plan}
	v.Prepares = &verb.Preparation{Plans: []verb.Planning{planSeeds}}
	v.Reads = []cli.Accepted{cli.Reads("CORPUS", verb.Lines)}
	v.Writes = verb.Rows()
	v.Command = &cobra.Command{
		Use:   "seeds CORPUS",
		Short: "Find the seeds of a SentencePiece model",
		Long:  seedsHelp,
		Example: "  suffixcl seeds sentences.txt -o seeds.tsv\n" +
			"  suffixcl seeds sentences.txt.zst --size 2000000 --fixed --coverage 1 -o seeds.tsv",
	}
	v.Check = func([]string) error {
		switch {
		case flags.size < 1:
			return cli.Usage("--size: want 1 or more")
		case flags.rules.MaxLength < 2 || flags.rules.MaxLength > suffixcl.MaxSubstring:
			return cli.Usage("--max-length: want 2 to %d", suffixcl.MaxSubstring)
		case !(flags.read.Coverage > 0 && flags.read.Coverage <= 1):
			return cli.Usage("--coverage: want more than 0, up to 1")
		case flags.read.MaxSentence < 1:
			return cli.Usage("--max-sentence-length: want 1 or more")
		}
		flags.read.Symbols = slices.Concat(flags.control, flags.userDefined)
		var err error
		flags.read.Normalization, err = sentencepiece.ParseNormalization(flags.normalization.Value)
		return cmp.Or(cli.CheckList(v.Flags(), "control-symbols", flags.control),
			cli.CheckList(v.Flags(), "user-defined-symbols", flags.userDefined), err)
	}
	v.Run = func(ctx context.Context, args []string) error {
		return runSeeds(ctx, v.Job(), &flags, args[0])
	}
	f := v.Flags()
	flags.AddCommon(f)
	flags.AddRaw(f)
	flags.AddAlgorithm(f)
	options.AddTextOutput(v.Command, &flags.out)
	f.IntVar(&flags.size, "size", 1_000_000, "most pieces, in addition to single characters")
	f.IntVar(&flags.rules.MaxLength, "max-length", sentencepiece.DefaultMaxLength, "most characters of a piece")
	f.BoolVar(&flags.rules.Fixed, "fixed", false, "sentences end substrings: finds what spm_train misses at their ends")
	flags.normalization = cli.Choice{Value: sentencepiece.NMTNFKC.String()}
	for n := sentencepiece.NMTNFKC; n <= sentencepiece.Normalized; n++ {
		flags.normalization.Of = append(flags.normalization.Of, n.String())
	}
	f.Var(&flags.normalization, "normalization", "nmt_nfkc, nfkc, identity, or normalized: done before")
	f.Float64Var(&flags.read.Coverage, "coverage", sentencepiece.DefaultCoverage,
		"part of the text that the characters of pieces make up")
	f.IntVar(&flags.read.MaxSentence, "max-sentence-length", sentencepiece.DefaultMaxSentence,
		"longer sentences are left out, in bytes")
	f.BoolVar(&flags.read.Weighted, "tsv", false, "a line is a sentence, a tab, and how often it occurs")
	f.StringSliceVar(&flags.control, "control-symbols", nil, "symbols that are in no piece, with commas between them")
	f.StringSliceVar(&flags.userDefined, "user-defined-symbols", nil, "the same: those that are pieces of their own")
	f.BoolVar(&flags.rules.MixScripts, "mix-scripts", false, "a piece may have letters of several scripts")
	f.BoolVar(&flags.rules.MixNumbers, "mix-numbers", false, "a piece may have digits and letters")
	f.BoolVar(&flags.rules.SplitDigits, "split-digits", false, "a digit is a piece of its own")
	f.BoolVar(&flags.noCharacters, "no-characters", false, "no lines of single characters")
	return v
}

// options of the search. Plans need no limits, but that there are some.
func (f *seedsFlags) options(longest []uint8) suffixcl.IntervalOptions {
	return suffixcl.IntervalOptions{Longest: longest, MinDepth: 2, Best: f.size, By: suffixcl.ByArea}
}

// openDeviceAndCorpus opens the device, and reads and normalises the sentences.
func openDeviceAndCorpus(ctx context.Context, j *job.Job, f *seedsFlags, name string) (*sentencepiece.Corpus, error) {
	in, err := j.Source.OpenDeviceReading(ctx, name, f.Options())
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var c *sentencepiece.Corpus
	err = cli.Timed(&j.Report.Seconds.Read, func() error {
		text, err := in.ReadAll(ctx, nil, j.Session.Progress.Of("read"))
		if err != nil {
			return err
		}
		j.Report.Bytes = len(text)
		read := f.read
		read.Progress = j.Session.Progress.Of("normalize")
		c, err = sentencepiece.Read(ctx, text, read)
		var wrong *sentencepiece.Error
		if errors.As(err, &wrong) {
			return fmt.Errorf("%s: %w", in.Name, err)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	j.Report.Records = c.Sentences
	for _, left := range []struct {
		count int
		why   string
	}{{c.TooLong, fmt.Sprintf("longer than %d bytes", f.read.MaxSentence)}, {c.Reserved, "with U+2585"}} {
		if left.count > 0 {
			j.Session.Note("%s: %s %s left out", in.Name, cli.Quantity(int64(left.count), "sentence"), left.why)
		}
	}
	return c, nil
}

func (f *seedsFlags) plan(ctx context.Context, j *job.Job, name string) (device.MemoryPlan, error) {
	c, err := openDeviceAndCorpus(ctx, j, f, name)
	if err != nil {
		return nil, err
	}
	return j.Engine().Intervals(suffixcl.Length(4, len(c.Symbols)), f.options([]uint8{})).Plan(ctx)
}

func runSeeds(ctx context.Context, j *job.Job, flags *seedsFlags, name string) error {
	defer j.Close()
	out, err := cli.NewTextOutput(flags.out, name)
	if err != nil {
		return err
	}
	defer out.Discard()
	c, err := openDeviceAndCorpus(ctx, j, flags, name)
	if err != nil {
		return err
	}
	var longest []uint8
	err = cli.Timed(&j.Report.Seconds.Read, func() error {
		longest, err = c.Limits(ctx, flags.rules)
		return err
	})
	if err != nil {
		return err
	}
	found := &suffixcl.Intervals{}
	if len(c.Symbols) > 0 {
		found, err = j.Engine().Intervals(suffixcl.Tokens32(c.Symbols), flags.options(longest)).All(j.Measured(ctx))
		if err != nil {
			return err
		}
	}
	j.Report.Tell(cli.Quantity(int64(found.Len()), "piece"))
	return j.Sink.StreamRows(ctx, out, func(w io.Writer) error { return flags.write(w, c, found) })
}

// write writes single characters and pieces.
func (f *seedsFlags) write(w io.Writer, c *sentencepiece.Corpus, found *suffixcl.Intervals) error {
	t := tsv.New(w)
	if !f.noCharacters {
		for _, s := range c.Characters {
			t.Text(s.Piece)
			t.Number(uint64(s.Frequency))
			if err := t.End(); err != nil {
				return err
			}
		}
	}
	err := t.Many(found.Len(), tsv.Each, func(rows tsv.Writer, lo, hi int) (tsv.Writer, error) {
		for k := lo; k < hi; k++ {
			i := found.At(k)
			for _, r := range c.Symbols[i.Position : i.Position+i.Depth] {
				rows.Line = utf8.AppendRune(rows.Line, rune(r))
			}
			rows.Line = append(rows.Line, '\t')
			rows.Number(uint64(i.Count()))
			if err := rows.End(); err != nil {
				return rows, err
			}
		}
		return rows, nil
	})
	if err != nil {
		return err
	}
	return t.Flush()
}

func planSeeds(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	flags := seedsFlags{size: 1}
	return e.Intervals(suffixcl.Length(4, n), flags.options([]uint8{})).Plan(ctx)
}
