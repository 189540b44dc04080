package verbs

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
	"github.com/suffixcl/suffixcl/formats"
	"github.com/suffixcl/suffixcl/internal/cli"
)

// smemResults are the files that smems writes: all of them, or none.
type smemResults struct {
	out, mates, histogram *cli.Output // nil if not wanted
	compressed            bool        // by their endings
}

// results checks that the results can be written.
func (f *smemsFlags) results(args []string) (*smemResults, error) {
	r := &smemResults{compressed: f.filter.wanted()}
	inputs := slices.Clone(args)
	for _, suffix := range append(formats.Movi.Suffixes(), ".amb", ".ann", ".bwt", ".pac", ".sa", samplesSuffix,
		lengthsSuffix) {
		inputs = append(inputs, args[0]+suffix)
	}
	var names []string
	for _, of := range []struct {
		out  **cli.Output
		name string
	}{{&r.out, f.out}, {&r.mates, f.filter.mates}, {&r.histogram, f.histogram}} {
		if of.name == "" {
			continue
		}
		for _, other := range names { // also new files
			if filepath.Clean(of.name) == filepath.Clean(other) {
				return nil, cli.Usage("cannot write %s twice", of.name)
			}
		}
		var err error
		if *of.out, err = cli.NewTextOutput(of.name, append(inputs, names...)...); err != nil {
			return nil, err
		}
		names = append(names, of.name)
	}
	return r, nil
}

func (r *smemResults) all() []*cli.Output {
	return slices.DeleteFunc([]*cli.Output{r.out, r.mates, r.histogram}, func(o *cli.Output) bool { return o == nil })
}

func (r *smemResults) discard() {
	for _, o := range r.all() {
		o.Discard()
	}
}

// write calls f with the destinations of reads or rows, and of second mates, which may be nil; then it writes the
// histogram, and ends the job.
func (r *smemResults) write(ctx context.Context, j *job.Job, m *smemWriter, f func(w, mates io.Writer) error) error {
	if r.out.Name == "-" {
		j.Session.Progress.YieldTerminal()
	}
	err := cli.Timed(&j.Report.Seconds.Write, func() error {
		err := r.writeTo(ctx, r.out, func(w io.Writer) error {
			if r.mates == nil {
				return f(w, nil)
			}
			return r.writeTo(ctx, r.mates, func(mates io.Writer) error { return f(w, mates) })
		})
		if err != nil || r.histogram == nil {
			return err
		}
		return r.histogram.Write(ctx, m.writeHistogram)
	})
	if err != nil {
		return err
	}
	if err := cli.Commit(r.all()...); err != nil {
		return err
	}
	return j.Sink.Finish(r.out)
}

// writeTo writes a result as f computes it, compressed as its name says where that is wanted.
func (r *smemResults) writeTo(ctx context.Context, out *cli.Output, f func(w io.Writer) error) error {
	return sink.WriteWhile(ctx, out, func(w io.Writer) error {
		if !r.compressed || compressionOf(out.Name) == "" {
			return f(w)
		}
		z, err := compressors[compressionOf(out.Name)](w)
		if err == nil {
			err = f(z)
		}
		if err != nil {
			return err
		}
		return z.Close()
	})
}

// compressionOf is what a file is compressed by that is called so, or empty.
func compressionOf(name string) string {
	return map[string]string{".gz": "gzip", ".zst": "zstd", ".xz": "xz"}[strings.ToLower(filepath.Ext(name))]
}

// writeHistogram writes a line for each length that matches have: length, matches.
func (m *smemWriter) writeHistogram(w io.Writer) error {
	for _, length := range slices.Sorted(maps.Keys(m.exact)) {
		if _, err := fmt.Fprintf(w, "%d\t%d\n", length, m.exact[length]); err != nil {
			return err
		}
	}
	return nil
}
