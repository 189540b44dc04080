package verbs

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/tokenindex"
)

const gramsHelp = `INDEX is a directory of infini-gram, of either layout, or one of such directories; or with
--format tokengrams an .idx, whose tokens are in --tokens FILE. Its files are mapped into
memory, not read. An n-gram is token ids with commas between them, "" the empty one, which is
everywhere. --ngrams takes a file with one a line, ids with commas or spaces between them.`

const findHelp = `Lines: n-gram, shard, document in it, place in the document, token in the shard: all from 0,
with tabs between them. Without offsets the document is -. The separator before a document is
its place -1. --metadata adds what the files metadata and metaoff tell of the document.`

const nextHelp = `Lines: n-gram, how many of its last tokens were looked for, how often they occur, the next
token, how often it follows, and its probability, with tabs between them; the most frequent
first. Counts are exact. With --back-off the longest end of the n-gram that occurs is looked
for, as infini-gram's infinity-gram does.`

// gramsFlags are those of the verbs that ask an index.
type gramsFlags struct {
	indexFlags
	token   cli.Choice
	tokens  string
	file    string
	out     string
	maxHits int64
	maxDiff int64
	meta    bool
	top     int
	backOff bool
	eos     int64
	json    bool
	quiet   bool
}

// gramsReport is the result as JSON.
type gramsReport struct {
	Verb             string            `json:"verb"`
	File             string            `json:"file"`
	Tokens           int64             `json:"tokens"` // of the index
	Output           string            `json:"output"`
	QueryFile        *report.QueryFile `json:"query_file"`
	Queries          int               `json:"queries"`
	Occurrences      int64             `json:"occurrences"`
	QueriesOverLimit int               `json:"queries_over_limit"`
	Seconds          report.WallClock  `json:"seconds"`
}

// gramsVerb is a verb that asks an index, and what it writes about an n-gram.
type gramsVerb struct {
	name, short, long, example string
	flags                      func(c *cobra.Command, f *gramsFlags)
	write                      func(f *gramsFlags, x *tokenindex.Index, q question, t *gramTable) error
}

// gramsVerbs are those below tokens.
func gramsVerbs() (list []func() verb.Verb) {
	for _, v := range []gramsVerb{
		{"count", "Count n-grams", "Lines: n-gram, tab, how often it occurs.\n\n" + togetherHelp,
			"  suffixcl tokens count index 5613,4086,9068\n" +
				"  suffixcl tokens count index --ngrams grams.txt --token u32\n" +
				"  suffixcl tokens count index '5613,4086,9068 OR 23116,21082 AND 6483,6509'",
			func(c *cobra.Command, f *gramsFlags) { f.addDiff(c.Flags()) }, (*gramsFlags).count},
		{"find", "Find n-grams", findHelp + "\n\n" + togetherHelp,
			"  suffixcl tokens find index 5613,4086,9068 --max-hits 10",
			func(c *cobra.Command, f *gramsFlags) {
				f.addDiff(c.Flags())
				c.Flags().Int64Var(&f.maxHits, "max-hits", 0, "most lines for each n-gram; 0: all")
				c.Flags().BoolVar(&f.meta, "metadata", false, "what the index knows of the document, as a last cell")
			}, (*gramsFlags).find},
		{"next", "Say what follows n-grams", nextHelp, "  suffixcl tokens next index 5613,4086 --top 10\n" +
			"  suffixcl tokens next index 306,5360,5613,4086 --back-off",
			func(c *cobra.Command, f *gramsFlags) {
				c.Flags().IntVar(&f.top, "top", 0, "most lines for each n-gram; 0: all")
				c.Flags().BoolVar(&f.backOff, "back-off", false, "take the longest end of the n-gram that occurs")
				c.Flags().Int64Var(&f.eos, "eos", -1, "token to write for a separator; -1: its bits")
			}, (*gramsFlags).next},
	} {
		list = append(list, v.verb)
	}
	return list
}

func (g gramsVerb) verb() verb.Verb {
	f := gramsFlags{maxDiff: 1}
	c := &cobra.Command{Use: g.name + " INDEX [NGRAM...]", Short: g.short, Long: g.long + "\n\n" + gramsHelp,
		Example: g.example}
	v := verb.Verb{Command: c, Check: f.check, Writes: verb.Rows()}
	v.Reads = []cli.Accepted{cli.Reads("INDEX", verb.Directory, "tokengrams"), cli.Takes("NGRAM", "token ids"),
		cli.Reads("tokens", verb.Tokens), cli.Reads("ngrams", verb.Lines)}
	v.Run = func(ctx context.Context, args []string) error { return f.run(ctx, g, args[0], args[1:]) }
	f.addIndex(c.Flags(), &f.token)
	c.Flags().Var((*cli.FileName)(&f.tokens), "tokens", "the tokens of an index of tokengrams")
	c.Flags().Var((*cli.FileName)(&f.file), "ngrams", `file of n-grams; "-" is standard input`)
	options.AddTextOutput(c, &f.out)
	cli.AddJSON(c.Flags(), &f.json)
	cli.AddQuiet(c.Flags(), &f.quiet)
	if g.flags != nil {
		g.flags(c, &f)
	}
	return v
}

// width is the number of bytes of a token.
func (f *gramsFlags) width() int { return (&options.Job{Symbols: f.token}).SymbolBytes() }

func (f *gramsFlags) check(args []string) error {
	switch {
	case f.chosen() == tokenindex.Tokengrams && f.tokens == "":
		return cli.Usage("--format tokengrams needs --tokens")
	case f.chosen() != tokenindex.Tokengrams && f.tokens != "":
		return cli.Usage("--tokens is for --format tokengrams")
	case len(args) == 1 && f.file == "":
		return cli.Usage("an n-gram is missing, or --ngrams")
	case len(args) > 1 && f.file != "":
		return cli.Usage("n-grams come as arguments or from --ngrams, not both")
	case f.eos < -1 || f.eos > math.MaxUint32:
		return cli.Usage("--eos: %d is no token", f.eos)
	case f.maxDiff < 1:
		return cli.Usage("--max-diff-tokens %d: 1 or more", f.maxDiff)
	case f.maxHits < 0 || f.top < 0:
		return cli.Usage("a number of lines is 0 or more")
	}
	return f.wrong(f.width())
}

// open opens the index.
func (f *gramsFlags) open(name string) (*tokenindex.Index, error) {
	if f.chosen() == tokenindex.Tokengrams {
		return tokenindex.OpenTable(tokenindex.Tokengrams, f.width(), f.tokens, name)
	}
	return tokenindex.OpenLayout(name, f.layoutOf(), f.width())
}

func (f *gramsFlags) run(ctx context.Context, v gramsVerb, name string, args []string) error {
	began := time.Now()
	progress := cli.NewProgress(f.quiet)
	defer progress.Stop()
	out, err := cli.NewTextOutput(f.out, name, f.tokens, f.file)
	if err != nil {
		return err
	}
	defer out.Discard()
	x, err := f.open(name)
	if err != nil {
		return cannotRead(err)
	}
	defer x.Close()
	if out.Name == "-" {
		progress.YieldTerminal()
	}
	r := gramsReport{Verb: "tokens " + v.name, File: name, Tokens: x.Len(), Output: out.Name}
	err = sink.WriteWhile(ctx, out, func(w io.Writer) error {
		ask := asking{ctx: ctx, turns: parallel.Turns{To: w, Kept: keptOfQuestions}, report: &r,
			write: func(q question, t *gramTable) error { return v.write(f, x, q, t) }}
		return cmp.Or(f.each(ctx, args, &r, progress.Of("search"), ask.all), ask.turns.Wait())
	})
	if err != nil {
		return err
	}
	if err := cli.Commit(out); err != nil {
		return err
	}
	progress.Stop()
	if !f.json {
		return nil
	}
	r.Seconds = report.WallClockSince(began)
	return cli.PrintJSON(sink.StreamOfJSON(out), &r)
}

// Questions that a processor answers together, and the bytes of their answers that wait for those before.
const (
	questionsTogether = 256
	keptOfQuestions   = 4 << 20
)

// asking answers questions on all processors, in their order.
type asking struct {
	ctx    context.Context
	turns  parallel.Turns
	report *gramsReport
	write  func(q question, t *gramTable) error

	mutex sync.Mutex // of the report
}

// all answers n questions.
func (a *asking) all(n int, of func(i int) (question, error)) error {
	a.report.Queries += n
	return a.turns.Go(func(w io.Writer) error {
		t := &gramTable{Writer: tsv.New(w), ctx: a.ctx}
		for i := range n {
			q, err := of(i)
			if err == nil {
				err = a.write(q, t)
			}
			if err != nil {
				return err
			}
		}
		a.mutex.Lock()
		a.report.Occurrences += t.occurrences
		a.report.QueriesOverLimit += t.overLimit
		a.mutex.Unlock()
		return t.Flush()
	})
}

// each calls ask for the n-grams, some at a time, and reports the file that they are in.
func (f *gramsFlags) each(ctx context.Context, args []string, r *gramsReport, progress func(done, total int64),
	ask func(n int, of func(i int) (question, error)) error) error {
	for i, arg := range args {
		progress(int64(i), int64(len(args)))
		q, err := parseQuestion(arg)
		if err != nil {
			return cli.Usage("n-gram %q: %v", arg, err)
		}
		if err := ask(1, func(int) (question, error) { return q, nil }); err != nil {
			return err
		}
	}
	if f.file == "" {
		return nil
	}
	in, err := cli.OpenText(ctx, f.file, (&cli.TextFlags{}).Options())
	if err != nil {
		return err
	}
	defer in.Close()
	r.QueryFile = report.FileOfQueries(in)
	lines := bufio.NewReader(in.Reader(ctx))
	for number := 1; ; number += questionsTogether {
		some, err := someLines(lines, questionsTogether)
		if len(some) > 0 {
			progress(in.Offset(), max(in.Size, 0))
			failed := ask(len(some), func(i int) (question, error) {
				q, wrong := parseQuestion(some[i])
				if wrong != nil {
					wrong = fmt.Errorf("%s: line %d: %w", in.Name, number+i, wrong)
				}
				return q, wrong
			})
			if failed != nil {
				return failed
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return in.Explain(err)
		}
	}
}

// someLines reads some lines, fewer before an error.
func someLines(r *bufio.Reader, most int) (lines []string, err error) {
	for len(lines) < most {
		line, err := r.ReadString('\n')
		if err == nil || errors.Is(err, io.EOF) && line != "" {
			lines = append(lines, line)
		}
		if err != nil {
			return lines, err
		}
	}
	return lines, nil
}

// parseGram reads token ids, with commas or blanks between them.
func parseGram(text string) ([]uint32, error) {
	gram := []uint32{}
	for part := range strings.SplitSeq(text, ",") {
		words := strings.Fields(part)
		if len(words) == 0 && strings.Contains(text, ",") {
			return nil, fmt.Errorf("%q: a token id is missing", text)
		}
		for _, word := range words {
			id, err := strconv.ParseUint(word, 10, 32)
			if err != nil {
				return nil, fmt.Errorf("%q is no token id", word)
			}
			gram = append(gram, uint32(id))
		}
	}
	return gram, nil
}

// gramTable writes rows about n-grams.
type gramTable struct {
	tsv.Writer
	ctx         context.Context
	occurrences int64
	overLimit   int // questions
}

// gram begins a row.
func (t *gramTable) gram(gram []uint32) error {
	if t.ctx.Err() != nil {
		return context.Cause(t.ctx)
	}
	for i, id := range gram {
		if i > 0 {
			t.Line = append(t.Line, ',')
		}
		t.Line = strconv.AppendUint(t.Line, uint64(id), 10)
	}
	t.Line = append(t.Line, '\t')
	return nil
}

// integer appends a cell.
func (t *gramTable) integer(v int64) { t.Line = append(strconv.AppendInt(t.Line, v, 10), '\t') }

func (f *gramsFlags) count(x *tokenindex.Index, q question, t *gramTable) error {
	count, err := f.countOf(x, q, t)
	if err != nil {
		return err
	}
	if err := t.question(q); err != nil {
		return err
	}
	t.occurrences += count
	t.integer(count)
	return t.End()
}

// errEnough ends a list.
var errEnough = errors.New("enough")

func (f *gramsFlags) find(x *tokenindex.Index, q question, t *gramTable) error {
	found := int64(0)
	err := f.eachOf(x, q, t, func(p tokenindex.Position) error {
		if found++; f.maxHits > 0 && found > f.maxHits {
			return nil // the rest is counted
		}
		if err := t.question(q); err != nil {
			return err
		}
		t.integer(int64(p.Shard))
		if p.Document < 0 {
			t.Text("-")
		} else {
			t.integer(p.Document)
		}
		t.integer(p.Place)
		t.integer(p.Token)
		if f.meta {
			line, err := x.Metadata(p)
			if err != nil {
				return err
			}
			t.Text(tsv.Escape(string(line)))
		}
		if err := t.End(); err != nil {
			return err
		}
		if found == f.maxHits && q.clauses == nil { // whose count needs no search
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) { // there may be more
		found, err = x.Count(q.gram)
	}
	if f.maxHits > 0 && found > f.maxHits {
		t.overLimit++
	}
	t.occurrences += found
	return err
}

func (f *gramsFlags) next(x *tokenindex.Index, q question, t *gramTable) error {
	if err := q.gramsOnly(); err != nil {
		return err
	}
	gram := q.gram
	d, err := x.NextWithin(t.ctx, gram, f.backOff, f.top)
	if err != nil {
		return err
	}
	t.occurrences += d.Prompt
	separator := uint32(1<<(8*f.width()) - 1)
	for _, next := range d.Next {
		if err := t.gram(gram); err != nil {
			return err
		}
		t.integer(int64(d.SuffixLen))
		t.integer(d.Prompt)
		if f.eos >= 0 && f.chosen() == tokenindex.InfiniGram && next.Token == separator {
			t.integer(f.eos)
		} else {
			t.integer(int64(next.Token))
		}
		t.integer(next.Count)
		t.Line = append(strconv.AppendFloat(t.Line, float64(next.Count)/float64(d.Prompt), 'g', -1, 64), '\t')
		if err := t.End(); err != nil {
			return err
		}
	}
	return nil
}
