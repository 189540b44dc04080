package verbs

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/corpus"
	"github.com/suffixcl/suffixcl/seqio"
	"github.com/ulikunitz/xz"
)

// documentSource is where a file of the set comes from.
type documentSource struct {
	path        string
	relative    string // in the directory of --write
	compression string
}

// compressors write what can be read compressed, by the name of the compression.
var compressors = map[string]func(io.Writer) (io.WriteCloser, error){
	"": func(w io.Writer) (io.WriteCloser, error) {
		return uncompressed{bufio.NewWriterSize(w, cli.WriteChunk)}, nil
	},
	"gzip": func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil },
	"zstd": func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) },
	"xz":   func(w io.Writer) (io.WriteCloser, error) { return xz.NewWriter(w) },
}

// uncompressed collects what is short: what stays between ranges often is.
type uncompressed struct{ *bufio.Writer }

func (u uncompressed) Close() error { return u.Flush() }

// inputReader reads an input.
type inputReader struct {
	ctx context.Context
	in  *cli.Input
}

func (r inputReader) Read(p []byte) (int, error) {
	n, err := r.in.Read(r.ctx, p)
	if err != nil && err != io.EOF {
		err = r.in.Explain(err)
	}
	return n, err
}

// add adds a file, or the files of a directory.
func (d *dedup) add(ctx context.Context, name string, o corpus.Options, written bool) error {
	files := []cli.File{{Path: name, Below: filepath.Base(name)}}
	switch {
	case name != "-" && cli.IsDirectory(name):
		var err error
		if files, err = cli.Files(name); err != nil {
			return err
		}
		if o.Field == "" {
			size := int64(0)
			for _, file := range files {
				size += file.Size
			}
			d.set.Reserve(int(size))
		}
	case d.flags.readsAgain() && (written || d.flags.both):
		if info, err := os.Stat(name); name == "-" || err == nil && !info.Mode().IsRegular() {
			return cli.Usage("%s: lines of JSON are read twice: it has to be a file", name)
		}
	}
	return cli.EachText(ctx, files, d.documentOptions(), func(file cli.File, in *cli.Input) error {
		return d.addFile(ctx, file, in, o, written)
	})
}

func (d *dedup) documentOptions() cli.InputOptions {
	return cli.InputOptions{Raw: d.flags.Raw, Sequences: seqio.Options{Format: seqio.Plain}}
}

// addFile adds a file. written says whether --write writes it.
func (d *dedup) addFile(ctx context.Context, file cli.File, in *cli.Input, o corpus.Options, written bool) error {
	if written && d.flags.dir != "" {
		if _, ok := compressors[in.Compression]; !ok {
			return fmt.Errorf("%s: --write does not write %s; with --raw or decompressed it does", file.Path, in.Compression)
		}
		to := filepath.Join(d.flags.dir, file.Below)
		if other, taken := d.places[file.Below]; taken {
			return fmt.Errorf("%s and %s would both be written to %s", other, file.Path, to)
		}
		for _, result := range []string{d.flags.out, d.flags.reportFile} {
			if result != "-" && filepath.Clean(result) == to {
				return fmt.Errorf("cannot write %s: --write writes %s there", result, file.Path)
			}
		}
		if d.places == nil {
			d.places = make(map[string]string)
		}
		d.places[file.Below] = file.Path
	}
	d.sources = append(d.sources, documentSource{file.Path, file.Below, in.Compression})
	if len(d.sources) == 1 {
		d.Job.Report.File, d.Job.Report.Compression = in.Name, in.Compression
		d.Job.Report.OfKind(in.Compression, "documents")
	}
	d.Source.Notes(in)
	if o.Field != "" || cap(d.set.Text) > 0 {
		return d.set.Add(in.Name, inputReader{ctx, in}, o)
	}
	text, err := in.ReadAll(ctx, nil, d.Session.Progress.Of("read"))
	if err != nil {
		return err
	}
	return d.set.Plain(in.Name, text, o)
}

// again calls f with the text of a file of lines of JSON, read once more; of others with nil.
func (d *dedup) again(ctx context.Context, file int, f func(source io.Reader) error) error {
	if d.set.Files[file].Field == "" {
		return f(nil)
	}
	in, err := cli.OpenText(ctx, d.sources[file].path, d.documentOptions())
	if err != nil {
		return err
	}
	defer in.Close()
	return f(inputReader{ctx, in})
}

// dedupResults are the results of the verb.
type dedupResults struct {
	ranges, report *cli.Output // nil if not wanted
	dir            string
	partial        string // the directory until it is complete
	inside         bool   // the other, which is there
}

// results checks that the results can be written.
func (d *dedup) results() (*dedupResults, error) {
	f := d.flags
	r := &dedupResults{dir: f.dir}
	inputs := append(append([]string{f.offsets}, f.inputs...), f.against...)
	var err error
	if f.writes {
		create := cli.NewTextOutput
		if f.format.Value == "u64" {
			create = cli.NewOutput
		}
		if r.ranges, err = create(f.out, inputs...); err != nil {
			return nil, err
		}
	}
	if f.reportFile != "" {
		if f.out != "-" {
			inputs = append(inputs, f.out)
		}
		if r.report, err = cli.NewTextOutput(f.reportFile, inputs...); err != nil {
			return nil, err
		}
		if f.writes && r.report.IsFile() && filepath.Clean(f.reportFile) == filepath.Clean(f.out) { // also a new file
			return nil, fmt.Errorf("cannot write %s: it is the same file as %s", f.reportFile, f.out)
		}
	}
	if err := f.wrongPlace(); err != nil {
		return nil, err
	}
	if r.dir == "" {
		return r, nil
	}
	if dir, err := filepath.EvalSymlinks(r.dir); err == nil {
		r.dir = dir
	}
	return r, checkEmpty(r.dir)
}

// wrongPlace tells of a result in a directory that is read: the next run would read it, too.
func (f *dedupFlags) wrongPlace() error {
	for _, dir := range append(slices.Clone(f.inputs), f.against...) {
		if !cli.IsDirectory(dir) {
			continue
		}
		for _, result := range [][2]string{{"--write", f.dir}, {"-o", f.out}, {"--report", f.reportFile}} {
			if flag, name := result[0], result[1]; name != "" && name != "-" && cli.Inside(dir, name) {
				return cli.Usage("%s %s: it is inside of %s, whose files are read", flag, name, dir)
			}
		}
	}
	return nil
}

// checkEmpty returns an error unless a directory is empty, or does not exist and can be made.
func checkEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case err == nil && len(entries) > 0:
		return fmt.Errorf("cannot write to %s: the directory is not empty: it has %s", dir, entries[0].Name())
	case err == nil:
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("cannot write to %s: %w", dir, cli.WithoutPath(err))
	}
	parent := filepath.Dir(filepath.Clean(dir))
	if info, err := os.Stat(parent); err != nil || !info.IsDir() {
		return fmt.Errorf("cannot write to %s: there is no directory %s", dir, parent)
	}
	return nil
}

// write writes the results: all of them, or none.
func (r *dedupResults) write(ctx context.Context, d *dedup, f *dedupFound) error {
	if r.dir != "" {
		if err := r.writeFiles(ctx, d, f); err != nil {
			return err
		}
	}
	var outputs []*cli.Output
	if r.ranges != nil {
		if r.ranges.Name == "-" {
			d.Session.Progress.YieldTerminal()
		}
		err := sink.WriteWhile(ctx, r.ranges, func(w io.Writer) error { return d.writeRanges(ctx, w, f) })
		if err != nil {
			return err
		}
		outputs = append(outputs, r.ranges)
	}
	if r.report != nil {
		if err := r.report.Write(ctx, f.report.Write); err != nil {
			return err
		}
		outputs = append(outputs, r.report)
	}
	if err := cli.Commit(outputs...); err != nil {
		return err
	}
	if r.dir == "" {
		return nil
	}
	if err := r.rename(); err != nil {
		return fmt.Errorf("cannot write to %s: %w", r.dir, cli.WithoutPath(err))
	}
	r.partial = ""
	return nil
}

// rename gives the directory its name, or its files their places, where there was an empty one: that may be no
// directory that can be removed, as one where a file system is mounted.
func (r *dedupResults) rename() error {
	if !r.inside {
		return os.Rename(r.partial, r.dir)
	}
	entries, err := os.ReadDir(r.partial)
	if err != nil {
		return err
	}
	move := func(k int, from, to string) error {
		return os.Rename(filepath.Join(from, entries[k].Name()), filepath.Join(to, entries[k].Name()))
	}
	for k := range entries {
		if err := move(k, r.partial, r.dir); err != nil {
			for k--; k >= 0; k-- { // all, or none
				err = errors.Join(err, move(k, r.dir, r.partial))
			}
			return err
		}
	}
	return os.Remove(r.partial)
}

// discard removes what is not complete.
func (r *dedupResults) discard() {
	for _, o := range []*cli.Output{r.ranges, r.report} {
		if o != nil {
			o.Discard()
		}
	}
	if r.partial != "" {
		os.RemoveAll(r.partial)
	}
}

// writeFiles writes the inputs without what is removed to a directory next to the one that is wanted, or inside of it.
func (r *dedupResults) writeFiles(ctx context.Context, d *dedup, f *dedupFound) error {
	clean := filepath.Clean(r.dir)
	above := filepath.Dir(clean)
	if r.inside = cli.IsDirectory(clean); r.inside {
		above = clean
	}
	partial := filepath.Join(above, fmt.Sprintf(".%s-%d", filepath.Base(clean), os.Getpid()))
	if err := os.Mkdir(partial, 0o777); err != nil {
		return fmt.Errorf("cannot write to %s: %w", r.dir, cli.WithoutPath(err))
	}
	r.partial = partial
	for k, source := range d.sources {
		if d.other >= 0 && k >= d.other {
			break
		}
		if file := d.set.Files[k]; d.flags.drop && d.flags.field == "" && d.flags.separator == "" && file.Documents == 1 &&
			d.set.Emptied(file.First, f.cuts) {
			continue // the file is the document
		}
		d.Session.Progress.Update("write", int64(d.set.Files[k].Start), int64(len(d.set.Text)))
		if err := r.writeFile(ctx, d, f, k, source); err != nil {
			return err
		}
	}
	return nil
}

// writeFile writes an input without what is removed.
func (r *dedupResults) writeFile(ctx context.Context, d *dedup, f *dedupFound, k int, source documentSource) error {
	path := filepath.Join(r.partial, source.relative)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("cannot write to %s: %w", r.dir, cli.WithoutPath(err))
	}
	out, err := cli.NewTextOutput(path)
	if err != nil {
		return err
	}
	out.Name = filepath.Join(r.dir, source.relative) // for errors
	defer out.Discard()
	err = sink.WriteWhile(ctx, out, func(w io.Writer) error {
		z, err := compressors[source.compression](w)
		if err != nil {
			return err
		}
		if err := d.again(ctx, k, func(in io.Reader) error { return d.set.Write(k, in, f.cuts, z) }); err != nil {
			return err
		}
		return z.Close()
	})
	if err != nil {
		return err
	}
	return cli.Commit(out)
}
