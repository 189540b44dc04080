package verbs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
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

// genomesAtOnce is how many letters are read before they are appended: with both strands they are one text. The next
// ones are read meanwhile.
const genomesAtOnce = 1 << 30

// genomesAhead is how many bytes of the files that follow are decompressed meanwhile. Those of 3.1 G bases come as fast
// as three processors decompress them: two thirds more room is of no use.
const genomesAhead = 4 * genomesAtOnce

// genomes are files of sequences, which are read one after the other.
type genomes struct {
	*job.Job
	ctx   context.Context
	flags *pangenomeFlags
	names []string
	room  int64 // for texts of files that follow

	// Of the reader, while there is one.
	done  int // files
	texts *cli.FilesAhead
	in    *cli.Input
	read  []fmd.Sequence         // all that were read
	from  []int                  // the file of each
	spare []byte                 // memory for text
	files []report.PangenomeFile // those that are begun

	overlaps bool                 // the next batch is read while one is used
	ahead    chan *genomeBatch    // that one; nil: nothing is read
	seen     *suffixcl.Collection // its sequences, if they were asked for
	waits    atomic.Bool          // for the reader
	cancel   context.CancelFunc
	batch    *genomeBatch // what is used
	appended int          // files
	resumed  int          // of them, by an earlier run
	kept     *keptGenomes // with --resume
	most     struct{ letters, texts int }
	began    time.Time     // of the batch
	saved    time.Duration // since then, by keeping the index
	seconds  map[int]float64
}

// genomeBatch is sequences that are appended together.
type genomeBatch struct {
	seqio.Batch
	parts map[int]int // letters and ends of each file
	done  int         // files that end in it, and those before
	err   error       // instead of sequences
}

// options are how files are read.
func (g *genomes) options() cli.InputOptions {
	o := g.flags.Options()
	o.PlainFlag = "--input plain takes a sequence a line"
	o.Sequences.Separator = []byte{options.Terminator}
	if g.flags.Input.Given && o.Sequences.Format == seqio.Plain {
		o.Sequences.Format = seqio.Lines
	}
	return o
}

// open opens the next file.
func (g *genomes) open() error {
	if g.texts == nil {
		g.texts = cli.NewFilesAhead(g.ctx, g.names[g.done:], g.options(), g.room)
	}
	in, err := g.texts.Next()
	if err != nil {
		return err
	}
	g.kept.opens(in)
	if in.Format == seqio.Plain {
		in.Close()
		return fmt.Errorf("%s has no records of FASTA or FASTQ; %s", in.Name, g.options().PlainFlag)
	}
	if g.in = in; g.Report.File == "" {
		g.Report.Of(in, g.flags.Raw)
	}
	return nil
}

// close ends the reader, and closes the file that is open.
func (g *genomes) close() {
	if g.ahead != nil {
		g.cancel()
		<-g.ahead
		g.ahead = nil
	}
	g.closeFile()
	if g.texts != nil {
		g.texts.Close()
	}
}

func (g *genomes) closeFile() {
	if g.in != nil {
		g.in.Close()
		g.in = nil
	}
}

// nextSet returns the next sequences, of a file or several; io.EOF after the last. They are valid until the next call,
// which tells that they are in the index.
func (g *genomes) nextSet() (c *suffixcl.Collection, err error) {
	g.added()
	g.Session.Progress.Within(g.doneAndLeft())
	_ = cli.Timed(&g.Report.Seconds.Read, func() error {
		var used []byte
		if g.batch != nil {
			used = g.batch.Text
		}
		if g.ahead == nil {
			g.spare, used = used, nil
		}
		g.batch = g.filled()
		if used != nil {
			g.spare = used
		}
		return nil
	})
	b := g.batch
	if b.err != nil {
		return nil, b.err
	}
	if len(b.Records) == 0 {
		for file, seconds := range g.seconds {
			g.files[file].Seconds += seconds
		}
		return nil, io.EOF
	}
	if g.overlaps {
		g.readAhead()
	}
	letters := len(b.Text) - len(b.Records)
	seen := g.seen
	g.seen = nil
	g.most.letters, g.most.texts = max(g.most.letters, letters), max(g.most.texts, len(b.Records))
	g.Report.Bytes += letters
	g.Report.Records += len(b.Records)
	if seen != nil {
		return seen, nil
	}
	return suffixcl.CollectRecords(b.Text, b.Records)
}

// nextSeen is what nextSet will return, if it has been read.
func (g *genomes) nextSeen() *suffixcl.Collection {
	select {
	case b := <-g.ahead: // nil: never
		g.ahead <- b
		if b.err == nil && len(b.Records) > 0 {
			g.seen, _ = suffixcl.CollectRecords(b.Text, b.Records) // nextSet tells the error
		}
	default:
	}
	return g.seen
}

// filled returns the batch that was read ahead, or reads one.
func (g *genomes) filled() *genomeBatch {
	g.waits.Store(true)
	defer g.waits.Store(false)
	if g.ahead == nil {
		return g.fill(g.ctx)
	}
	b := <-g.ahead
	g.cancel()
	g.ahead = nil
	return b
}

// readAhead begins to read the next batch.
func (g *genomes) readAhead() {
	ctx, cancel := context.WithCancel(g.ctx)
	ahead := make(chan *genomeBatch, 1)
	g.ahead, g.cancel = ahead, cancel
	go func() { ahead <- g.fill(ctx) }()
}

// doneAndLeft tells how many genomes are in the index, and how many are not.
func (g *genomes) doneAndLeft() string {
	return fmt.Sprintf("%s done, %d left", bytesize.Count(g.appended, "genome"), len(g.names)-g.appended)
}

// added shares the time of the last batch among its files, and begins the next.
func (g *genomes) added() {
	now, all := time.Now(), 0
	if b := g.batch; b != nil {
		if g.seconds == nil {
			g.seconds = map[int]float64{}
		}
		for _, n := range b.parts {
			all += n
		}
		for file, n := range b.parts {
			g.seconds[file] += (now.Sub(g.began) - g.saved).Seconds() * float64(n) / float64(all)
		}
		g.appended = b.done
	}
	g.began, g.saved = now, 0
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

// fill reads a batch, into the memory of the one before the last.
func (g *genomes) fill(ctx context.Context) *genomeBatch {
	b := &genomeBatch{parts: map[int]int{}}
	b.Text, g.spare = g.spare, nil
	b.Text = b.Text[:0]
	b.err = g.more(ctx, b)
	b.done = g.done
	return b
}

// more reads sequences into a batch.
func (g *genomes) more(ctx context.Context, b *genomeBatch) error {
	for len(b.Text) < genomesAtOnce && g.done < len(g.names) {
		if g.in == nil {
			if err := g.open(); err != nil {
				return err
			}
		}
		before := len(b.Records)
		err := cli.Interruptible(ctx, func() error {
			return g.in.Sequences().More(&b.Batch, min(cli.ReadChunk, genomesAtOnce))
		})
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, io.EOF):
			if len(g.from) == 0 || g.from[len(g.from)-1] != g.done {
				return fmt.Errorf("%s has no records", g.in.Name)
			}
			g.closeFile()
			if g.done++; g.done == len(g.names) {
				g.texts.Close() // whose memory is free for what follows
			}
			if len(b.Records) > 0 && g.kept.due() {
				return nil
			}
			continue
		case err != nil:
			return g.in.Explain(err)
		}
		for _, r := range b.Records[before:] {
			if r.Name == "" && g.in.Format == seqio.Lines {
				r.Name = fmt.Sprintf("seq%d", len(g.read)+1)
			}
			g.count(g.done, fmd.Sequence{Name: r.Name, Length: r.Length})
			b.parts[g.done] += r.Length + 1
		}
		if g.waits.Load() {
			g.Session.Progress.Update("read", g.in.Offset(), max(g.in.Size, 0))
		}
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
