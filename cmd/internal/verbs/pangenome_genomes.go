package verbs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/seqio"
)

// genomesAtOnce is how many letters are read before they are appended: with both strands they are one text.
const genomesAtOnce = 1 << 29

// genomes are files of sequences, which are read one after the other.
type genomes struct {
	*job.Job
	ctx   context.Context
	flags *pangenomeFlags
	names []string

	done    int // files
	resumed int // of them, by an earlier run
	in      *cli.Input
	batch   seqio.Batch
	read    []fmd.Sequence // all that were read
	from    []int          // the file of each
	kept    *keptGenomes   // with --resume
	most    struct{ letters, texts int }

	files []report.PangenomeFile // those that are begun
	began time.Time              // reading the batch
	saved time.Duration          // since then, by keeping the index
	parts map[int]int            // letters and ends of each file in the batch
}

// open opens the next file.
func (g *genomes) open() error {
	o := g.flags.Options()
	o.PlainFlag = "--input plain takes a sequence a line"
	o.Sequences.Separator = []byte{options.Terminator}
	if g.flags.Input.Given && o.Sequences.Format == seqio.Plain {
		o.Sequences.Format = seqio.Lines
	}
	if err := g.kept.opens(g.names[g.done]); err != nil {
		return err
	}
	in, err := cli.OpenText(g.ctx, g.names[g.done], o)
	if err != nil {
		return err
	}
	if in.Format == seqio.Plain {
		in.Close()
		return fmt.Errorf("%s has no records of FASTA or FASTQ; %s", in.Name, o.PlainFlag)
	}
	if g.in = in; g.Report.File == "" {
		g.Report.Of(in, g.flags.Raw)
	}
	return nil
}

// close closes the file that is open.
func (g *genomes) close() {
	if g.in != nil {
		g.in.Close()
		g.in = nil
	}
}

// next reads the next sequences, of a file or several; io.EOF after the last. They are valid until the next call, which
// tells that they are in the index.
func (g *genomes) next() (c *suffixcl.Collection, err error) {
	g.added()
	g.Session.Progress.Within(g.doneAndLeft())
	err = cli.Timed(&g.Report.Seconds.Read, g.fill)
	if err != nil {
		return nil, err
	}
	if len(g.batch.Records) == 0 {
		return nil, io.EOF
	}
	letters := len(g.batch.Text) - len(g.batch.Records)
	g.most.letters, g.most.texts = max(g.most.letters, letters), max(g.most.texts, len(g.batch.Records))
	g.Report.Bytes += letters
	g.Report.Records += len(g.batch.Records)
	return suffixcl.CollectRecords(g.batch.Text, g.batch.Records)
}

// doneAndLeft tells how many genomes are in the index, and how many are not.
func (g *genomes) doneAndLeft() string {
	return fmt.Sprintf("%s done, %d left", bytesize.Count(g.done, "genome"), len(g.names)-g.done)
}

// added shares the time of the last batch among its files, and begins the next.
func (g *genomes) added() {
	now, all := time.Now(), 0
	for _, n := range g.parts {
		all += n
	}
	for file, n := range g.parts {
		of := &g.files[file]
		of.Seconds += (now.Sub(g.began) - g.saved).Seconds() * float64(n) / float64(all)
	}
	g.began, g.saved, g.parts = now, 0, map[int]int{}
}

// count adds sequences to a file.
func (g *genomes) count(file int, sequences ...fmd.Sequence) {
	for len(g.files) <= file {
		g.files = append(g.files, report.PangenomeFile{File: g.names[len(g.files)]})
	}
	of := &g.files[file]
	for _, s := range sequences {
		g.read, g.from = append(g.read, s), append(g.from, file)
		of.Records++
		of.Letters += s.Length
	}
}

// fill fills the batch.
func (g *genomes) fill() error {
	g.batch = seqio.Batch{Text: g.batch.Text[:0]}
	for len(g.batch.Text) < genomesAtOnce && g.done < len(g.names) {
		if g.in == nil {
			if err := g.open(); err != nil {
				return err
			}
		}
		before := len(g.batch.Records)
		err := cli.Interruptible(g.ctx, func() error {
			return g.in.Sequences().More(&g.batch, min(cli.ReadChunk, genomesAtOnce))
		})
		switch {
		case g.ctx.Err() != nil:
			return context.Cause(g.ctx)
		case errors.Is(err, io.EOF):
			if len(g.from) == 0 || g.from[len(g.from)-1] != g.done {
				return fmt.Errorf("%s has no records", g.in.Name)
			}
			g.close()
			if g.done++; len(g.batch.Records) > 0 && g.kept.due() {
				return nil
			}
			continue
		case err != nil:
			return g.in.Explain(err)
		}
		for _, r := range g.batch.Records[before:] {
			if r.Name == "" && g.in.Format == seqio.Lines {
				r.Name = fmt.Sprintf("seq%d", len(g.read)+1)
			}
			g.count(g.done, fmd.Sequence{Name: r.Name, Length: r.Length})
			g.parts[g.done] += r.Length + 1
		}
		g.Session.Progress.Update("read", g.in.Offset(), max(g.in.Size, 0))
	}
	return nil
}

// where names a sequence and its file.
func (g *genomes) where(k int) string {
	return fmt.Sprintf("record %d (%s) of %s", k+1-g.first(k), g.read[k].Name, g.names[g.from[k]])
}

// first is the number of the first sequence in the file of one.
func (g *genomes) first(k int) int {
	at := k
	for at > 0 && g.from[at-1] == g.from[k] {
		at--
	}
	return at
}
