package verbs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/regular"
	"github.com/suffixcl/suffixcl/internal/tokenindex"
)

const tokensHelp = `Build the index of tokenised text that another program reads: a table of the suffixes.

With --format infini-gram TOKENS is a file tokenized.S, and OUT its table.S; or a
directory of such shards, whose tables are written next to them, one after the other, or
into the directory OUT. Version 6 of infini-gram has a directory for each shard, and no .S
in names. A directory of directories of either layout has their shards. A table that is
there already is left as it is, if it has the right size. Each document begins with a
separator, a token whose bits are all 1. Where there is a file offset.S, it is checked
that it has the places of separators. Tokens compare byte by byte as they are in the file.

With --format tokengrams TOKENS is a file of tokens without separators, and OUT its .idx.
Tokens compare as numbers.

Tokens are little-endian integers; --token says how many bits they have. With --vocabulary N
a token of N or more is an error.

"suffixcl tokens count", "find" and "next" ask an index about n-grams. They need no device.`

type tokensFlags struct {
	options.Job
	indexFlags
	out        string
	vocabulary uint64
}

// indexFlags say what an index is.
type indexFlags struct{ format, layout cli.Choice }

// addIndex declares them, and the flag for the width of tokens.
func (f *indexFlags) addIndex(flags *pflag.FlagSet, token *cli.Choice) {
	f.format = cli.Choice{Value: tokenindex.InfiniGram.String(),
		Of: []string{tokenindex.InfiniGram.String(), tokenindex.Tokengrams.String()}}
	flags.Var(&f.format, "format", "whose index: infini-gram, or tokengrams")
	f.layout = cli.Choice{Value: "auto", Of: []string{"auto", "v4", "v6"}}
	flags.Var(&f.layout, "layout", "files of infini-gram: v4: tokenized.S, v6: tokenized; auto: those that are there")
	*token = cli.Choice{Value: "u16", Of: []string{"u8", "u16", "u32"}}
	flags.Var(token, "token", "tokens of 8, 16 or 32 bits, little-endian: u8, u16 or u32")
}

// chosen is the format.
func (f *indexFlags) chosen() tokenindex.Format {
	if f.format.Value == tokenindex.Tokengrams.String() {
		return tokenindex.Tokengrams
	}
	return tokenindex.InfiniGram
}

// layoutOf is the layout of infini-gram.
func (f *indexFlags) layoutOf() tokenindex.Layout {
	switch f.layout.Value {
	case "v4":
		return tokenindex.Numbered
	case "v6":
		return tokenindex.Single
	}
	return tokenindex.AnyLayout
}

// wrong tells of tokens that the format does not have.
func (f *indexFlags) wrong(width int) error {
	if f.chosen() != tokenindex.InfiniGram && f.layout.Value != "auto" {
		return cli.Usage("--layout is for --format infini-gram")
	}
	if f.chosen().CheckWidth(width) != nil {
		return cli.Usage("--format %s has no --token u%d", f.format.Value, 8*width)
	}
	return nil
}

func tokensVerb() verb.Verb {
	var flags tokensFlags
	v := verb.Verb{Options: &flags.Job, Op: verb.Always(operation.SortedArray), Plan: flags.plan, Below: gramsVerbs()}
	v.Prepares = &verb.Preparation{Plans: []verb.Planning{planTokens}}
	v.Reads = []cli.Accepted{cli.Reads("TOKENS", verb.Tokens, verb.Directory)}
	v.Writes = []cli.Produced{cli.Writes("output", "infini-gram", "tokengrams")}
	v.Command = &cobra.Command{
		Use:   "tokens TOKENS",
		Short: "Build and ask indexes of tokens",
		Long:  tokensHelp,
		Example: "  suffixcl tokens tokenized.0 -o table.0 --token u16\n" +
			"  suffixcl tokens index --token u32 --vocabulary 128256\n" +
			"  suffixcl tokens document.bin -o pile.idx --format tokengrams",
	}
	v.Check = func(args []string) error {
		if args[0] == "-" {
			return cli.Usage("tokens: TOKENS is a file or a directory, not standard input")
		}
		return flags.wrong(flags.SymbolBytes())
	}
	v.Run = func(ctx context.Context, args []string) error {
		if err := cli.CheckReadable(args[0]); err != nil {
			return err
		}
		if flags.out == "" && !cli.IsDirectory(args[0]) {
			return cli.Usage("tokens: -o OUT is missing")
		}
		return runTokens(ctx, v.Job(), &flags, args[0])
	}
	flags.AddCommon(v.Flags())
	flags.AddRaw(v.Flags())
	flags.AddAlgorithm(v.Flags())
	flags.addIndex(v.Flags(), &flags.Symbols)
	v.Flags().VarP((*cli.FileName)(&flags.out), "output", "o",
		"the table; of a directory of shards the directory for tables, the same if it is not given")
	v.Flags().Uint64Var(&flags.vocabulary, "vocabulary", 0, "number of tokens that there are; 0: any")
	return v
}

// tokenShard is a file of tokens and what belongs to it.
type tokenShard struct{ tokens, offsets, table string }

// shards are those that are named.
func (f *tokensFlags) shards(name string) ([]tokenShard, error) {
	if !cli.IsDirectory(name) {
		s := tokenShard{tokens: name, table: f.out}
		if files, ok := tokenindex.FilesOf(name); ok && f.chosen() == tokenindex.InfiniGram {
			s.offsets = files.File("offset")
		}
		return []tokenShard{s}, nil
	}
	if f.chosen() != tokenindex.InfiniGram {
		return nil, cli.Usage("%s is a directory: those are of --format infini-gram", name)
	}
	found, err := tokenindex.Find(name, f.layoutOf())
	if err != nil {
		return nil, fmt.Errorf("cannot read %w", err)
	}
	shards := make([]tokenShard, len(found))
	for i, files := range found {
		tables := files
		if f.out != "" {
			if files.Dir() != found[0].Dir() {
				return nil, cli.Usage("-o: tables of several directories are written next to their tokens")
			}
			tables = files.In(f.out)
		}
		shards[i] = tokenShard{files.File("tokenized"), files.File("offset"), tables.File("table")}
	}
	return shards, nil
}

// exists tells whether there is a table of the right size, which stays. One of another size is an error.
func (s *tokenShard) exists(f tokenindex.Format, tokens int64, width int) (bool, error) {
	if err := regular.Check(s.table); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, fmt.Errorf("cannot write %s: %w", s.table, cli.WithoutPath(err))
	}
	info, err := os.Stat(s.table)
	if err != nil {
		return false, err
	}
	want := tokens / int64(width) * int64(f.EntryBytes(tokens))
	if info.Size() == want {
		return true, nil
	}
	return true, fmt.Errorf("%s is there, but is no table of %s: it has %s instead of %d; remove it", s.table,
		s.tokens, bytesize.Count(info.Size(), "byte"), want)
}

// openTokens opens a file of tokens, whose size says how many there are.
func (f *tokensFlags) openTokens(
	name string, progress func(done, total int64),
) (*tokenindex.TokenFile, *os.File, error) {
	file, err := regular.Open(name)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot read %s: %w", name, cli.WithoutPath(err))
	}
	info, err := file.Stat()
	tokens := &tokenindex.TokenFile{Name: name, File: file, Format: f.chosen(), Vocabulary: f.vocabulary,
		Progress: progress}
	if compression := cli.Compression(file); err == nil && !f.Raw && compression != "" {
		err = fmt.Errorf("it is compressed by %s, and tokens are read in place; --raw takes its bytes", compression)
	}
	if err == nil {
		tokens.Size = info.Size()
		if err = tokens.Check(f.SymbolBytes()); err != nil {
			file.Close()
			return nil, nil, err
		}
		return tokens, file, nil
	}
	file.Close()
	return nil, nil, fmt.Errorf("cannot read %s: %w", name, cli.WithoutPath(err))
}

// plan is that of the largest shard.
func (f *tokensFlags) plan(ctx context.Context, j *job.Job, name string) (device.MemoryPlan, error) {
	shards, err := f.shards(name)
	if err != nil {
		return nil, err
	}
	for _, s := range shards {
		tokens, file, err := f.openTokens(s.tokens, nil)
		if err != nil {
			return nil, err
		}
		file.Close()
		j.Report.Bytes = max(j.Report.Bytes, int(tokens.Size))
	}
	j.Report.File = name
	if err := j.Session.OpenDevice(); err != nil {
		return nil, err
	}
	return planTokenArrays(ctx, j, int64(j.Report.Bytes))
}

// planTokenArrays is the memory of so many bytes of tokens.
func planTokenArrays(ctx context.Context, j *job.Job, bytes int64) (device.MemoryPlan, error) {
	width := j.Flags.SymbolBytes()
	return j.Engine().Arrays(suffixcl.Length(width, int(bytes/int64(width))), suffixcl.Want{}).Plan(ctx)
}

func runTokens(ctx context.Context, j *job.Job, flags *tokensFlags, name string) error {
	defer j.Close()
	shards, err := flags.shards(name)
	if err != nil {
		return err
	}
	j.Report.File = name
	j.Report.OfKind(flags.format.Value)
	directory := cli.IsDirectory(name)
	if directory {
		if err := cli.MakeDirectory(flags.out); err != nil {
			return err
		}
	}
	if err := j.Session.OpenDevice(); err != nil {
		return err
	}
	for _, s := range shards {
		if err := flags.build(ctx, j, s, directory); err != nil {
			return err
		}
	}
	return j.Sink.Finish(&cli.Output{Name: cmp.Or(flags.out, name)})
}

// build writes the table of a shard, unless it is there and may stay.
func (f *tokensFlags) build(ctx context.Context, j *job.Job, s tokenShard, mayStay bool) error {
	tokens, file, err := f.openTokens(s.tokens, j.Session.Progress.Of("read"))
	if err != nil {
		return err
	}
	defer file.Close()
	if mayStay {
		exists, err := s.exists(tokens.Format, tokens.Size, f.SymbolBytes())
		if err != nil {
			return err
		}
		if exists {
			j.Session.Note("%s is there and stays", s.table)
			return nil
		}
	}
	out, err := cli.NewOutput(s.table, s.tokens, s.offsets)
	if err != nil {
		return err
	}
	defer out.Discard()
	j.Report.Width = tokens.Format.EntryBytes(tokens.Size)
	plan, err := planTokenArrays(ctx, j, tokens.Size)
	if err == nil {
		err = plan.Fits(j.Session.Device)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.tokens, err)
	}
	var text suffixcl.Text
	err = cli.Timed(&j.Report.Seconds.Read, func() error {
		if text, err = f.read(ctx, tokens); err != nil {
			return err
		}
		return f.checkOffsets(ctx, s.offsets, tokens.Name, text)
	})
	if err != nil {
		return err
	}
	j.Report.Bytes += int(tokens.Size)
	err = sink.WriteWhile(ctx, out, func(w io.Writer) error {
		table := tokenindex.NewTableWriter(w, tokens.Format, tokens.Size, f.SymbolBytes())
		for block, err := range j.Engine().Arrays(text, suffixcl.Want{SA: true}).Each(j.Measured(ctx)) {
			if err == nil {
				err = cli.Timed(&j.Report.Seconds.Write, func() error { return table.Write(block.SA) })
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return cli.Timed(&j.Report.Seconds.Write, func() error { return cli.Commit(out) })
}

// checkOffsets checks the file of offsets of a shard, where there is one.
func (f *tokensFlags) checkOffsets(ctx context.Context, name, tokens string, text suffixcl.Text) error {
	if name == "" {
		return nil
	}
	file, err := regular.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", name, cli.WithoutPath(err))
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	switch f.SymbolBytes() {
	case 2:
		return tokenindex.CheckOffsets(ctx, name, file, info.Size(), tokens, text.Tokens16())
	case 4:
		return tokenindex.CheckOffsets(ctx, name, file, info.Size(), tokens, text.Tokens32())
	}
	return tokenindex.CheckOffsets(ctx, name, file, info.Size(), tokens, text.Bytes())
}

// read reads tokens as symbols that compare as those of the format do.
func (f *tokensFlags) read(ctx context.Context, tokens *tokenindex.TokenFile) (suffixcl.Text, error) {
	switch f.SymbolBytes() {
	case 2:
		symbols, err := tokenindex.ReadTokens[uint16](ctx, tokens)
		return suffixcl.Tokens16(symbols), err
	case 4:
		symbols, err := tokenindex.ReadTokens[uint32](ctx, tokens)
		return suffixcl.Tokens32(symbols), err
	}
	symbols, err := tokenindex.ReadTokens[uint8](ctx, tokens)
	return suffixcl.Bytes(symbols), err
}

// planTokens plans tokens of each width.
func planTokens(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	var plans []func() (device.MemoryPlan, error)
	for _, width := range []int{1, 2, 4} {
		plans = append(plans, func() (device.MemoryPlan, error) {
			return e.Arrays(suffixcl.Length(width, n), suffixcl.Want{}).Plan(ctx)
		})
	}
	return verb.All(plans...)
}
