package verbs

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/cmd/internal/resume"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/jobs/pangenome"
	"github.com/suffixcl/suffixcl/internal/regular"
)

// What the files of an index are called after its name.
const (
	lengthsSuffix = ".len.gz"
	samplesSuffix = ".ssa"
)

func pangenomeBuildVerb() verb.Verb {
	var f pangenomeFlags
	v := f.verb(&cobra.Command{
		Use:   "build [FILE...] -o OUT",
		Short: "Index genomes",
		Long: `Index the sequences of all files, in their order: OUT, and beside it OUT.len.gz with their names and
lengths. OUT is called .fmd by ropebwt3. There is no OUT.len.gz if a sequence is empty, which
that file has no room for, or if OUT is standard output.

--resume DIR keeps an index of the genomes that are finished. Where a job was ended, the same call
goes on after them. More files may follow.`,
		Example: "  suffixcl pangenome build genomes/*.fa.gz -o all.fmd\n" +
			"  suffixcl pangenome build --list files.txt -o all.fmd --resume kept",
	}, func(ctx context.Context, j *job.Job) error {
		return f.grow(ctx, j, nil, f.args, f.out)
	}, func(ctx context.Context, j *job.Job) (device.MemoryPlan, error) {
		return f.planGrowth(ctx, j, nil, f.args)
	})
	v.Reads = readsGenomes()
	v.Writes = []cli.Produced{cli.Writes("output", fmdIndex)}
	f.addGenomes(v.Flags())
	f.addResume(&v)
	v.Result = f.result
	options.AddOutput(v.Command, &f.out)
	return v
}

func pangenomeAppendVerb() verb.Verb {
	var f pangenomeFlags
	v := f.verb(&cobra.Command{
		Use:   "append INDEX [FILE...]",
		Short: "Append genomes to an index",
		Long: `Append the sequences of all files to an index. It is replaced when the new one is complete; with
-o OUT it stays. INDEX.len.gz grows, too, if it is there and belongs to the index. INDEX.ssa would
be that of another index, and is removed: "suffixcl pangenome samples" makes it again.`,
		Example: "  suffixcl pangenome append all.fmd new.fa.gz",
	}, func(ctx context.Context, j *job.Job) error {
		out := f.out
		if out == "" {
			out = f.args[0]
		}
		return f.grow(ctx, j, f.args[:1], f.args[1:], out)
	}, func(ctx context.Context, j *job.Job) (device.MemoryPlan, error) {
		return f.planGrowth(ctx, j, f.args[:1], f.args[1:])
	})
	v.Reads = append([]cli.Accepted{cli.Reads("INDEX", fmdIndex)}, readsGenomes()...)
	v.Writes = []cli.Produced{cli.Writes("output", fmdIndex)}
	f.addGenomes(v.Flags())
	f.addResume(&v)
	v.Result = func(j *job.Job) sink.File {
		file := f.result(j)
		file.Out = cmp.Or(file.Out, f.args[0])
		return file
	}
	v.Flags().VarP((*cli.FileName)(&f.out), "output", "o",
		`result file; "-" is standard output; INDEX if it is not given`)
	return v
}

func pangenomeMergeVerb() verb.Verb {
	var f pangenomeFlags
	v := f.verb(&cobra.Command{
		Use:   "merge INDEX OTHER... -o OUT",
		Short: "Merge indexes",
		Long: `Make one index of several: the strings of the first, then those of the next. Names and lengths,
OUT.len.gz, are written if all have them.`,
		Example: "  suffixcl pangenome merge a.fmd b.fmd -o both.fmd",
	}, func(ctx context.Context, j *job.Job) error {
		return f.grow(ctx, j, f.args, nil, f.out)
	}, func(ctx context.Context, j *job.Job) (device.MemoryPlan, error) {
		return f.planGrowth(ctx, j, f.args, nil)
	})
	v.Reads = []cli.Accepted{cli.Reads("INDEX", fmdIndex), cli.Reads("OTHER", fmdIndex)}
	v.Writes = []cli.Produced{cli.Writes("output", fmdIndex)}
	options.AddOutput(v.Command, &f.out)
	return v
}

// genomes are those of files and of --list; nil where files is nil: indexes are merged.
func (f *pangenomeFlags) genomes(ctx context.Context, j *job.Job, indexes, files []string) (*genomes, error) {
	if len(indexes) > 0 && files == nil {
		return nil, nil
	}
	names, err := f.genomeNames(ctx, files)
	if err != nil {
		return nil, err
	}
	return &genomes{Job: j, ctx: ctx, flags: f, names: names, room: genomesAhead}, nil
}

// planGrowth plans an index of indexes and files. It reads all files.
func (f *pangenomeFlags) planGrowth(
	ctx context.Context, j *job.Job, indexes, files []string,
) (device.MemoryPlan, error) {
	old, err := openIndexes(indexes...)
	if err != nil {
		return nil, err
	}
	defer old.Close()
	if len(indexes) > 0 {
		old.read(j)
	}
	o := suffixcl.PangenomeOptions{Indexes: old.sections, Forward: f.forward}
	ahead := int64(0)
	if len(files) > 0 || f.list != "" || len(indexes) == 0 {
		g, err := f.genomes(ctx, j, indexes, files)
		if err != nil {
			return nil, err
		}
		defer g.close()
		for err == nil {
			_, err = g.nextSet()
		}
		if err != io.EOF {
			return nil, err
		}
		o.Letters, o.Texts = g.most.letters, g.most.texts
		ahead = g.texts.Memory()
		if f.rows = uint64(j.Report.Bytes + j.Report.Records); !f.forward {
			f.rows *= 2
		}
	}
	for _, section := range old.sections {
		h, err := fmd.ReadHeader(io.NewSectionReader(section, 0, section.Size()), section.Size())
		if err == nil { // else the plan tells it
			f.rows += h.Rows
		}
	}
	plan, err := j.Engine().Pangenome(o).Plan(ctx)
	for i := 1; i < len(plan)-1; i++ { // all but loading and writing
		plan[i].Host += ahead
	}
	return plan, old.explain(err)
}

// grow makes an index of indexes and files.
func (f *pangenomeFlags) grow(ctx context.Context, j *job.Job, indexes, files []string, outName string) error {
	g, err := f.genomes(ctx, j, indexes, files)
	if err != nil {
		return err
	}
	inputs := slices.DeleteFunc(slices.Clone(indexes), func(name string) bool { return name == outName && g != nil })
	if g != nil {
		defer g.close()
		inputs = append(append(inputs, g.names...), f.list)
	}
	out, err := cli.NewOutput(outName, inputs...)
	if err != nil {
		return err
	}
	defer out.Discard()
	old, err := openIndexes(indexes...)
	if err != nil {
		return err
	}
	defer old.Close()
	if len(indexes) > 0 {
		old.read(j)
	}
	before := oldLengths(old)
	if f.resume == "" {
		return f.growFrom(ctx, j, old, g, before, out)
	}
	kept, err := f.keep(g, indexes, before, out)
	if err != nil {
		return err
	}
	defer kept.Close()
	if err := kept.grow(old, out); err != nil {
		return kept.explain(err)
	}
	return nil
}

// growFrom makes an index of indexes and of the genomes that follow.
func (f *pangenomeFlags) growFrom(ctx context.Context, j *job.Job, from *fmdFiles, g *genomes, before resume.Names,
	out *cli.Output) error {
	o := suffixcl.PangenomeOptions{Forward: f.forward, Indexes: from.sections}
	written := &resume.Digesting{}
	var kept *keptGenomes
	if g != nil {
		if kept, o.Next, o.Ahead = g.kept, g.nextSet, g.nextSeen; kept != nil {
			o.Save = kept.save
		}
		g.overlaps = kept == nil // what is kept is what was read
	}
	if err := j.Session.OpenDevice(); err != nil {
		return err
	}
	var made suffixcl.Pangenome
	err := sink.WriteWhile(ctx, out, func(w io.Writer) error {
		written.To = w
		return job.EachPart(j.Engine().Pangenome(o).Each(j.Measured(ctx)), func(p *suffixcl.Pangenome) error {
			made.Counts, made.Runs = p.Counts, p.Runs
			_, err := written.Write(p.File)
			return err
		})
	})
	if err != nil {
		return from.explain(err)
	}
	j.Report.Pangenome = &report.Growth{Pangenome: *reportOf(made.Counts, made.Runs), Files: []report.PangenomeFile{}}
	if g != nil {
		j.Report.Pangenome.Genomes, j.Report.Pangenome.Resumed = len(g.names), g.resumed
		j.Report.Pangenome.Files = g.files
		g.files[len(g.files)-1].Runs = &made.Runs
		j.Report.File = cmp.Or(j.Report.File, g.names[0]) // all may have been finished
	}
	noteStrands(j, from, made.Counts, out)
	j.Report.Tell(figures(&j.Report.Pangenome.Pangenome))
	lengths, err := f.writeLengths(ctx, j, before, g, out, made.Counts[0])
	if err != nil {
		return err
	}
	if kept != nil {
		if err := kept.complete(out, written); err != nil {
			return err
		}
	}
	err = cli.Timed(&j.Report.Seconds.Write, func() error { return cli.Commit(append([]*cli.Output{out}, lengths...)...) })
	if err != nil {
		return err
	}
	removeSamples(j, out)
	if kept != nil {
		from.Close() // so that it can be removed
		if err := kept.Finish(); err != nil {
			return err
		}
	}
	return j.Sink.Finish(out)
}

// removeSamples removes those of the index that was replaced: they would be taken for its own.
func removeSamples(j *job.Job, out *cli.Output) {
	if !out.IsFile() {
		return
	}
	if name := out.Name + samplesSuffix; os.Remove(name) == nil {
		j.Session.Note("%s was that of another index, and is removed: suffixcl pangenome samples makes it again", name)
	}
}

// noteStrands tells of an index of one strand that was made of one with both.
func noteStrands(j *job.Job, from *fmdFiles, made [fmd.Letters]uint64, out *cli.Output) {
	if pangenome.BothStrands(made) {
		return
	}
	for i, section := range from.sections {
		h, err := fmd.ReadHeader(io.NewSectionReader(section, 0, section.Size()), section.Size())
		if err == nil && h.Counts[0] > 0 && pangenome.BothStrands(h.Counts) {
			j.Session.Note("%s does not have both strands of each sequence, as %s has", out.Name, from.names[i])
			return
		}
	}
}

// figures are for people.
func figures(p *report.Pangenome) string {
	return fmt.Sprintf("%s, %s, %s", cli.Quantity(int64(p.Sequences), "string"), cli.Quantity(int64(p.Symbols), "symbol"),
		cli.Quantity(int64(p.Runs), "run"))
}

// reportOf are the figures of an index.
func reportOf(counts [fmd.Letters]uint64, runs uint64) *report.Pangenome {
	p := &report.Pangenome{Sequences: counts[0], Runs: runs,
		Letters: report.PangenomeLetters{A: counts[1], C: counts[2], G: counts[3], T: counts[4], N: counts[5]}}
	for _, n := range counts {
		p.Symbols += n
	}
	return p
}

// writeLengths writes names and lengths of all sequences, where they are known and the format has room for them.
func (f *pangenomeFlags) writeLengths(
	ctx context.Context, j *job.Job, before resume.Names, g *genomes, out *cli.Output, strings uint64,
) ([]*cli.Output, error) {
	if !out.IsFile() {
		return nil, nil
	}
	name := out.Name + lengthsSuffix
	all, why := slices.Clip([]fmd.Sequence(before.Sequences)), before.Unknown
	if g != nil {
		for k, s := range g.read {
			if s.Length < 1 || s.Length > math.MaxInt32 {
				why = fmt.Sprintf("%s has %s", g.where(k), bytesize.Count(s.Length, "letter"))
			}
		}
		all = append(all, g.read...)
	}
	if n := uint64(len(all)); why == "" && n != strings && 2*n != strings {
		why = fmt.Sprintf("%s, and those with names are %d", bytesize.Count(int64(strings), "string"), n)
	}
	if why != "" {
		j.Session.Note("%s is not written: %s", name, why)
		return nil, nil
	}
	if again := repeatedNames(all); len(again) > 0 {
		j.Report.Pangenome.RepeatedNames = len(again)
		j.Session.Note("%s of several sequences: %s", bytesize.Count(len(again), "name"), again[0])
	}
	lengths, err := cli.NewOutput(name)
	if err != nil {
		return nil, err
	}
	if err := lengths.Write(ctx, func(w io.Writer) error { return fmd.WriteLengths(w, all) }); err != nil {
		return nil, err
	}
	j.Report.Pangenome.Lengths = name
	return []*cli.Output{lengths}, nil
}

// oldLengths are those of indexes, or why they are not known.
func oldLengths(old *fmdFiles) (all resume.Names) {
	for i, index := range old.names {
		name := index + lengthsSuffix
		h, err := fmd.ReadHeader(io.NewSectionReader(old.sections[i], 0, old.sections[i].Size()), old.sections[i].Size())
		if err == nil && h.Counts[0] == 0 {
			continue
		}
		file, err := regular.Open(name)
		if err != nil {
			return resume.Names{Unknown: fmt.Sprintf("%s: %v", name, cli.WithoutPath(err))}
		}
		list, err := fmd.ReadLengths(file)
		file.Close()
		n := uint64(len(list))
		if err == nil && n != h.Counts[0] && 2*n != h.Counts[0] {
			err = fmt.Errorf("it has %d, and %s has %s", n, index, bytesize.Count(int64(h.Counts[0]), "string"))
		}
		if err != nil {
			return resume.Names{Unknown: fmt.Sprintf("%s: %v", name, err)}
		}
		all.Sequences = append(all.Sequences, list...)
	}
	return all
}

// repeatedNames are names that several sequences have, each once.
func repeatedNames(all []fmd.Sequence) (again []string) {
	seen := map[string]int{}
	for _, s := range all {
		if seen[s.Name]++; seen[s.Name] == 2 {
			again = append(again, s.Name)
		}
	}
	return again
}
