// Package verbcases has calls of the user's command, and what they read: for tests and measurements.
package verbcases

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Results are the files that the calls write.
const Results = "out*"

// Case is a call of the user's command on files that are made. It writes Results.
type Case struct {
	Verb   string     // as the help has it
	Args   []string   // after the verb
	Before [][]string // calls that make other files which it reads
}

// leastVerbInput has some of everything: reads, documents, parts that moved.
const leastVerbInput = 1 << 14

// All are the calls that are measured, in the order of the help: what reads much and computes little, and what
// computes much. Verbs without an input are not here; those that read what others make have a call that makes it.
func All() []Case {
	var (
		out    = []string{"-o", "out"}
		dna    = []string{"index", "genome.fa", "--dna", "-o", "genome.fmi"}
		mems   = []string{"genome.fa", "relative.fa", "-n", "-o", "out"}
		table  = []string{"tokens", "index", "--token", "u16"}
		ngrams = []string{"index", "--ngrams", "ngrams", "-o", "out"}
	)
	of := func(verb string, args ...any) Case {
		c := Case{Verb: verb}
		for _, arg := range args {
			switch arg := arg.(type) {
			case string:
				c.Args = append(c.Args, strings.Fields(arg)...)
			case []string:
				c.Args = append(c.Args, arg...)
			}
		}
		return c
	}
	after := func(c Case, calls ...[]string) Case {
		c.Before = calls
		return c
	}
	cases := []Case{
		of("sa", "text", out), of("lcp", "text", out),
		of("gsa", "reads.fa --sa --da", out),
		of("bwt", "text", out), of("bwt", "reads.fa --set --both --input fasta", out),
		after(of("unbwt", "text.bwt", out), []string{"bwt", "text", "-o", "text.bwt"}),
		of("index", "text", out), of("index", "genome.fa --dna", out),
	}
	for _, format := range []string{"bwa", "bowtie2", "bwa-mem2", "minibwa"} {
		cases = append(cases, of("build "+format, "genome.fa out --force"))
	}
	cases = append(cases, of("build star", "genome.fa out --force --sa-index-bases 11"),
		of("build infini-gram-mini", "pages out --force"))
	fmd := []string{"pangenome", "build", "genome.fa", "-o", "genome.fmd"}
	return append(cases,
		of("pangenome thresholds", "genome.fa out --force"),
		after(of("count", "genome.fmi --patterns reads.fa", out), dna),
		after(of("locate", "genome.fmi --patterns reads.fa --both", out), dna),
		after(of("get", "folder --range 0-1000 --document 0", out),
			[]string{"build", "infini-gram-mini", "pages", "folder", "--force"}),
		of("match", "genome.fa reads.fa --dna --both", out),
		of("repeats", "text", out),
		of("intervals", "reads.fa --min-depth 20", out),
		of("mems", mems), of("mems", mems, "--mum"), of("mems", mems, "--maxmatch -l 50"),
		of("mums", "genome.fa relative.fa", out),
		after(of("smems", "genome reads.fa", out), []string{"build", "bwa", "genome.fa", "genome"}),
		after(of("smems", "both.fmi reads.fa --format bed", out),
			[]string{"index", "genome.fa", "--dna", "--both", "-o", "both.fmi"}),
		after(of("smems", "genome.fmd reads.fa --cov", out), fmd),
		after(of("smems", "runs reads.fa --pseudo-matching-lengths", out),
			[]string{"pangenome", "thresholds", "genome.fa", "runs", "--force"}),
		of("mappability", "genome.fa -k 50 --both", out),
		of("pangenome build", "genome.fa relative.fa", out),
		after(of("pangenome append", "genome.fmd relative.fa", out), fmd),
		after(of("pangenome merge", "genome.fmd genome.fmd", out), fmd), after(of("pangenome stat", "genome.fmd", out), fmd),
		after(of("pangenome get", "genome.fmd 0 1", out), fmd), after(of("pangenome samples", "genome.fmd", out), fmd),
		after(of("pangenome verify", "genome.fmd genome.fa"), fmd),
		of("tokens", "index/tokenized.0 --token u16", out),
		after(of("tokens count", ngrams), table), after(of("tokens find", ngrams, "--max-hits 10"), table),
		after(of("tokens next", ngrams, "--top 10"), table),
		of("seeds", "sentences", out),
		of("dedup", "documents --min-length 50", out),
		after(of("passages", "sentences.fmi documents", out), []string{"index", "sentences", "-o", "sentences.fmi"}),
		of("diff", "text new", out),
		after(of("apply", "text patch", out), []string{"diff", "text", "new", "-o", "patch"}),
		after(of("verify", "text text.sa"), []string{"sa", "text", "-o", "text.sa"}),
	)
}

// Unmeasured are the other verbs: without an input, in need of another program, or without an end. `bench serve`
// measures a service.
var Unmeasured = []string{
	"build genometools", "serve", "plan", "devices", "prepare", "version", "completion", "help",
}

// Name is the verb with its flags, without files and numbers.
func (c Case) Name() string {
	name := []string{c.Verb}
	for _, arg := range c.Args {
		if strings.HasPrefix(arg, "--") && arg != "--force" && arg != "--input" {
			name = append(name, arg)
		}
	}
	return strings.Join(name, " ")
}

// Call is the whole call.
func (c Case) Call() []string { return append(strings.Fields(c.Verb), c.Args...) }

// Make makes what the calls read and is not in the directory yet, of about n bytes each.
func (c Case) Make(dir string, n int) error {
	if n < leastVerbInput {
		return fmt.Errorf("inputs of %d bytes: want %d or more", n, leastVerbInput)
	}
	for _, call := range append(slices.Clone(c.Before), c.Args) {
		for _, arg := range call {
			name, _, _ := strings.Cut(arg, "/")
			write, path := verbInputs[name], filepath.Join(dir, name)
			if _, err := os.Stat(path); write == nil || err == nil {
				continue
			}
			if err := write(path, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// Inputs are the files that the call reads, of those that are there.
func (c Case) Inputs(dir string) (files []string) {
	for _, arg := range c.Args {
		if !strings.HasPrefix(arg, "out") && !strings.HasPrefix(arg, "-") {
			files = append(files, filesBelow(filepath.Join(dir, arg))...)
		}
	}
	return files
}

// Outputs are the files that the call has written.
func (c Case) Outputs(dir string) (files []string) {
	names, _ := filepath.Glob(filepath.Join(dir, Results)) // the pattern is right
	for _, name := range names {
		files = append(files, filesBelow(name)...)
	}
	return files
}

// filesBelow are a file, or the files below a directory.
func filesBelow(path string) (files []string) {
	_ = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, name)
		}
		return err
	})
	return files
}

// Copy reads the inputs, and copies the outputs to a file, a file after the other, and returns the bytes of both: what
// cat would do, and sync, as a result is on disk before it has its name.
func (c Case) Copy(dir string) (in, out int64, err error) {
	copied, err := os.Create(filepath.Join(dir, "copy"))
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, copied.Close(), os.Remove(copied.Name())) }()
	if in, err = cat(io.Discard, c.Inputs(dir)); err == nil {
		out, err = cat(copied, c.Outputs(dir))
		err = errors.Join(err, copied.Sync())
	}
	return in, out, err
}

// cat writes files to w. Neither side may know a way of its own: it would copy nothing, or within the file system.
func cat(w io.Writer, files []string) (n int64, err error) {
	buffer := make([]byte, 1<<20)
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return n, err
		}
		copied, err := io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{f}, buffer)
		n += copied
		if err = errors.Join(err, f.Close()); err != nil {
			return n, err
		}
	}
	return n, nil
}
