package verbs

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/atomicfile"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/infinigrammini"
	"github.com/suffixcl/suffixcl/internal/sdsl"
	"github.com/suffixcl/suffixcl/seqio"
)

// Stages of an index, each of which can be made alone.
const (
	stageAll   = "all"
	stageText  = "text"
	stageArray = "sa"
	stageIndex = "fm9"
)

type infiniGramFlags struct {
	options.Job
	only, input cli.Choice
	field       string
	keep        bool
	force       bool
	zero        bool
	shards      int
	resume      string
}

// makes tells whether a stage is run, and writes whether its files stay.
func (f *infiniGramFlags) makes(stage string) bool {
	return f.only.Value == stageAll || f.only.Value == stage
}

func (f *infiniGramFlags) writes(stage string) bool {
	return f.only.Value == stage || f.only.Value == stageAll && (f.keep || stage == stageIndex)
}

// miniText is one of the two texts that are indexed.
type miniText struct {
	name    string // data or meta
	text    []byte
	offsets []uint64
	opened  []io.Closer // files that are mapped
	most    int64       // see bound; 0: not known
}

// miniGram is a run of the verb.
type miniGram struct {
	*job.Job
	flags   *infiniGramFlags
	inputs  []string
	shard   []cli.File // files that are read, instead of all inputs
	dir     string
	texts   []*miniText
	written []*atomicfile.File
	done    int64 // bytes that were written
}

func newMiniGram(j *job.Job, flags *infiniGramFlags, args []string) *miniGram {
	last := len(args) - 1
	return &miniGram{Job: j, flags: flags, inputs: args[:last], dir: args[last]}
}

func (m *miniGram) path(name string) string { return filepath.Join(m.dir, name) }

// Files of a text, by stage.
func (t *miniText) textFile() string   { return "text_" + t.name + ".sdsl" }
func (t *miniText) offsetFile() string { return t.name + "_offset" }
func (t *miniText) arrayFile() string  { return "sa_" + t.name + ".sdsl" }
func (t *miniText) bwtFile() string    { return "bwt_" + t.name + ".sdsl" }
func (t *miniText) indexFile() string  { return t.name + ".fm9" }

// files are those that are written of a text.
func (m *miniGram) files(t *miniText) (names []string) {
	if m.flags.makes(stageText) {
		names = append(names, t.offsetFile())
	}
	if m.flags.writes(stageText) {
		names = append(names, t.textFile())
	}
	if m.flags.writes(stageArray) {
		names = append(names, t.arrayFile(), t.bwtFile())
	}
	if m.flags.writes(stageIndex) {
		names = append(names, t.indexFile())
	}
	return names
}

// open reads the texts: of the documents, or of DIR.
func (m *miniGram) open(ctx context.Context) error {
	m.texts = []*miniText{{name: "data"}, {name: "meta"}}
	if m.flags.makes(stageText) {
		return cli.Timed(&m.Report.Seconds.Read, func() error { return m.read(ctx) })
	}
	for _, t := range m.texts {
		data, err := m.mapped(t, t.textFile())
		if err != nil {
			return err
		}
		if t.text, err = sdsl.ParseText(data); err != nil {
			return fmt.Errorf("%s: %w", m.path(t.textFile()), err)
		}
		if len(t.text) == 0 {
			return fmt.Errorf("%s: a text without letters", m.path(t.textFile()))
		}
		m.Report.Bytes += len(t.text)
	}
	m.Report.File = m.dir
	return nil
}

// read reads the documents.
func (m *miniGram) read(ctx context.Context) error {
	var c infinigrammini.Corpus
	o := cli.InputOptions{Raw: m.flags.Raw, Sequences: seqio.Options{Format: seqio.Plain}}
	parts := [][]cli.File{m.shard}
	if m.shard == nil {
		parts = nil
		for _, name := range m.inputs {
			files, err := inputFiles(name)
			if err != nil {
				return err
			}
			parts = append(parts, files)
		}
	}
	for _, files := range parts {
		err := cli.EachText(ctx, files, o, func(file cli.File, in *cli.Input) error {
			if m.Report.Records == 0 && file.Path == parts[0][0].Path {
				m.Report.File, m.Report.Compression = in.Name, in.Compression
				m.Report.OfKind(in.Compression, "documents")
			}
			m.Source.Notes(in)
			if m.flags.input.Value == "jsonl" {
				return c.AddLines(in.Name, file.Below, inputReader{ctx, in}, m.flags.field)
			}
			text, err := in.ReadAll(ctx, nil, m.Session.Progress.Of("read"))
			if err != nil {
				return err
			}
			return c.AddText(in.Name, file.Below, text)
		})
		if err != nil {
			return err
		}
	}
	if err := c.Finish(m.flags.zero); err != nil {
		return fmt.Errorf("%s: %w", parts[0][0].Path, err)
	}
	m.texts[0].text, m.texts[0].offsets = c.Data, c.DataOffsets
	m.texts[1].text, m.texts[1].offsets = c.Meta, c.MetaOffsets
	m.Report.Bytes += len(c.Data) + len(c.Meta)
	m.Report.Records += len(c.DataOffsets)
	return nil
}

// close ends the mappings of files.
func (m *miniGram) close() {
	for _, t := range m.texts {
		for _, f := range t.opened {
			f.Close()
		}
		t.opened = nil
	}
}

// make makes the files, which get their names together.
func (m *miniGram) make(ctx context.Context) (err error) {
	for _, t := range []*miniText{{name: "data"}, {name: "meta"}} {
		for _, name := range m.files(t) {
			if _, err := os.Lstat(m.path(name)); err == nil && !m.flags.force {
				return fmt.Errorf("%s exists; --force replaces it", m.path(name))
			}
			if _, err := cli.NewOutput(m.path(name), m.inputs...); err != nil && cli.IsDirectory(m.dir) {
				return err
			}
		}
	}
	if m.flags.makes(stageText) && m.shard == nil {
		remove, err := makeFolder(m.dir)
		if err != nil {
			return err
		}
		defer remove()
	}
	defer m.close()
	if err := m.open(ctx); err != nil {
		return err
	}
	if err := m.disk().CheckRoom(); err != nil {
		return err
	}
	if m.flags.makes(stageArray) {
		plan, err := m.plan(ctx)
		if err := cmp.Or(err, m.fits(plan)); err != nil {
			return err
		}
	}
	defer func() {
		for _, f := range m.written {
			f.Discard()
		}
	}()
	for _, t := range m.texts {
		if err := m.makeText(ctx, t); err != nil {
			return err
		}
	}
	if err := atomicfile.CommitAll(m.written...); err != nil {
		return fmt.Errorf("cannot write %s: %w", m.dir, cli.WithoutPath(err))
	}
	m.written = nil
	return nil
}

func (m *miniGram) fits(plan device.MemoryPlan) error { return plan.Fits(m.Session.Device) }

// makeText writes the files of a text.
func (m *miniGram) makeText(ctx context.Context, t *miniText) error {
	if m.flags.makes(stageText) {
		err := m.write(ctx, t.offsetFile(), func(w io.Writer) error { return writeOffsets(w, t.offsets) })
		if err != nil {
			return err
		}
	}
	if m.flags.writes(stageText) {
		if err := m.write(ctx, t.textFile(), func(w io.Writer) error { return sdsl.WriteText(w, t.text) }); err != nil {
			return err
		}
	}
	var rows *miniRows
	var err error
	switch {
	case m.flags.makes(stageArray):
		rows, err = m.sort(ctx, t)
	case m.flags.makes(stageIndex):
		rows, err = m.sorted(ctx, t)
	}
	if err != nil || !m.flags.makes(stageIndex) {
		return err
	}
	// A text that is sorted needs no device.
	if m.Session.Device == nil {
		if err := m.Session.OpenDevice(); err != nil && !errors.Is(err, device.ErrNoDevice) {
			return err
		}
	}
	var index *sdsl.Index
	err = cli.Timed(&m.Report.Seconds.Write, func() error {
		index, err = encodeIndex(ctx, m.Session.Device, rows.parts())
		return err
	})
	if err != nil {
		return err
	}
	return m.write(ctx, t.indexFile(), index.Write)
}

// write begins a file.
func (m *miniGram) write(ctx context.Context, name string, write func(w io.Writer) error) error {
	return cli.Timed(&m.Report.Seconds.Write, func() error {
		file, err := atomicfile.Create(m.path(name), 0o666)
		if err == nil {
			m.written = append(m.written, file)
			told := &toldWriter{m, &cli.PieceWriter{File: file}}
			buffered := bufio.NewWriterSize(cli.ContextWriter{Context: ctx, Writer: told}, cli.WriteChunk)
			err = cmp.Or(write(buffered), buffered.Flush())
		}
		if err != nil && ctx.Err() == nil {
			return fmt.Errorf("cannot write %s: %w", m.path(name), cli.WithoutPath(err))
		}
		return err
	})
}

// toldWriter tells how much is written.
type toldWriter struct {
	m *miniGram
	w io.Writer
}

func (t *toldWriter) Write(p []byte) (int, error) {
	n, err := t.w.Write(p)
	t.m.done += int64(n)
	t.m.Session.Progress.Of("write")(t.m.done, max(t.m.disk().Bytes, t.m.done))
	return n, err
}

// disk is what is written at most.
func (m *miniGram) disk() sink.File {
	var bytes int64
	for _, t := range m.texts {
		n := len(t.text)
		if m.flags.makes(stageText) {
			bytes += int64(8 * len(t.offsets))
		}
		if m.flags.writes(stageText) {
			bytes += sdsl.TextSize(n)
		}
		if m.flags.writes(stageArray) {
			bytes += sdsl.ArraySize(n) + sdsl.TextSize(n)
		}
		if m.flags.writes(stageIndex) {
			bytes += t.bound()
		}
	}
	return m.File(bytes, m.path("data.fm9"))
}

// inputFiles are the files of an argument, in the order of their names.
func inputFiles(name string) ([]cli.File, error) {
	if name == "-" || !cli.IsDirectory(name) {
		return []cli.File{{Path: name, Below: name}}, nil
	}
	files, err := cli.Files(name)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(files, func(a, b cli.File) int { return cmp.Compare(a.Below, b.Below) })
	return files, nil
}
