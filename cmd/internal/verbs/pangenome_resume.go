package verbs

import (
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/resume"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/fmd"
)

// addResume declares where finished genomes are kept.
func (f *pangenomeFlags) addResume(v *verb.Verb) {
	v.Flags().Var((*cli.Directory)(&f.resume), "resume",
		"directory that keeps finished genomes; a job that was ended goes on from there")
	v.Writes = append(v.Writes, cli.Writes("resume", fmdIndex))
}

// indexesKept are those in the directory while one is written. The last of them is there while the result is.
const indexesKept = 2

// result is what a planned job writes: an index, and those that are kept. They are as large as one without any repeats.
func (f *pangenomeFlags) result(*job.Job) sink.File {
	return sink.File{Bytes: fmd.MostBytes(f.rows), Out: f.out, Resume: f.resume, AtMost: true, Copies: indexesKept}
}

// keptGenomes are genomes whose index is kept while it grows.
type keptGenomes struct {
	*resume.Genomes
	genomes *genomes
	flags   *pangenomeFlags
	opened  []os.FileInfo // of the files that are not finished

	saved time.Time     // when the index was last kept
	took  time.Duration // by that
}

// keep opens the directory, and leaves out the genomes that are finished.
func (f *pangenomeFlags) keep(g *genomes, indexes []string, before resume.Names, out *cli.Output,
) (*keptGenomes, error) {
	job := resume.GenomesJob{Verb: "pangenome build", Forward: f.forward, Input: f.Input.Value, Raw: f.Raw}
	if len(indexes) > 0 {
		var err error
		job.Verb = "pangenome append"
		if job.Index, _, err = resume.FileChecksum(indexes[0]); err != nil {
			return nil, fmt.Errorf("cannot read %s: %w", indexes[0], cli.WithoutPath(err))
		}
	}
	for _, name := range g.names {
		if info, err := os.Stat(name); name == "-" || err == nil && !info.Mode().IsRegular() {
			return nil, cli.Usage("--resume takes regular files, which can be read again: %s is none", name)
		}
	}
	g.Session.Progress.Update("check", 0, 0)
	kept, err := resume.OpenGenomes(f.resume, job, before, out.Name, g.names, append(indexes, f.list)...)
	if err != nil {
		return nil, err
	}
	k := &keptGenomes{Genomes: kept, genomes: g, flags: f}
	g.kept = k
	for file, finished := range kept.Finished() {
		g.count(file, finished.Sequences...)
	}
	g.done, g.appended, g.resumed = kept.Done(), kept.Done(), kept.Done()
	if g.done > 0 {
		g.Session.Note("%d of %s were finished", g.done, bytesize.Count(len(g.names), "genome"))
	}
	return k, nil
}

// grow goes on from the kept index, or from the one that grows.
func (k *keptGenomes) grow(old *fmdFiles, out *cli.Output) error {
	g, from := k.genomes, old
	if name := k.Index(); name != "" {
		var err error
		if from, err = openIndexes(name); err != nil {
			return err
		}
		defer from.Close()
	}
	return k.flags.growFrom(g.ctx, g.Job, from, g, k.Before(), out)
}

// explain says in an error where finished genomes are.
func (k *keptGenomes) explain(err error) error {
	if k.Done() == 0 {
		return err
	}
	return fmt.Errorf("%w; %s are kept in %s", err, bytesize.Count(k.Done(), "finished genome"), k.flags.resume)
}

// opens is told of a file that is about to be read.
func (k *keptGenomes) opens(in *cli.Input) {
	if k != nil {
		k.opened = append(k.opened, in.Info())
	}
}

// saveEvery is how many times as long other work takes as keeping the index.
const saveEvery = 4

// due tells whether the index is to be kept after the genome that was read last. After all of them it is the result.
func (k *keptGenomes) due() bool {
	return k != nil && k.genomes.done < len(k.genomes.names) && time.Since(k.saved) >= saveEvery*k.took
}

// save keeps the index, if it is due.
func (k *keptGenomes) save(write func(io.Writer) (*suffixcl.Pangenome, error)) error {
	if k.genomes.in != nil || !k.due() {
		return nil
	}
	start := time.Now()
	files, err := k.files()
	if err != nil {
		return err
	}
	err = k.Save(k.genomes.ctx, files, func(w io.Writer) error {
		figures, err := write(w)
		if err == nil {
			k.genomes.files[k.genomes.done-1].Runs = &figures.Runs
		}
		return err
	})
	k.opened = k.opened[:0]
	k.saved, k.took = time.Now(), time.Since(start)
	k.genomes.saved = k.took
	return err
}

// complete is told that the result, which is on disk, is about to get its name.
func (k *keptGenomes) complete(out *cli.Output, result *resume.Digesting) error {
	if !out.IsFile() {
		return nil
	}
	files, err := k.files()
	if err != nil {
		return err
	}
	return k.Complete(files, result)
}

// files are those that were read since the index was kept.
func (k *keptGenomes) files() (files []resume.Genome, err error) {
	g, first := k.genomes, k.Done()
	for i, then := range k.opened {
		name := g.names[first+i]
		f := resume.Genome{Name: name}
		if f.Checksum, f.Size, err = resume.FileChecksum(name); err != nil {
			return nil, fmt.Errorf("cannot read %s: %w", name, cli.WithoutPath(err))
		}
		now, err := os.Stat(name)
		if err != nil || !os.SameFile(then, now) || !then.ModTime().Equal(now.ModTime()) || f.Size != then.Size() {
			return nil, fmt.Errorf("%s has changed while it was read", name)
		}
		files = append(files, f)
	}
	from, _ := slices.BinarySearch(g.from, first)
	for s, file := range g.from[from:] {
		of := &files[file-first]
		of.Sequences = append(of.Sequences, g.read[from+s])
	}
	return files, nil
}
