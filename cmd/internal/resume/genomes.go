package resume

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/suffixcl/suffixcl/internal/atomicfile"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/fmd"
)

// Genomes is a job that makes an index of files, one after the other. The index of those that are finished is in a
// directory: the last one that was written as a whole.
type Genomes struct {
	dir  string
	lock *os.File
	out  string
	made bool // the result, by an earlier run
	kept genomesState
}

// Files of the directory, besides the lock. An index has the number of its genomes in its name. The state names the one
// that counts, so that both change at once.
const (
	GenomesFile = "suffixcl-genomes.json"
	indexPrefix = "suffixcl-index-"
	indexSuffix = ".fmd"
)

func isIndex(name string) bool {
	number, ok := strings.CutPrefix(name, indexPrefix)
	number, of := strings.CutSuffix(number, indexSuffix)
	return ok && of && number != "" && strings.Trim(number, "0123456789") == ""
}

// genomesState is the file of that name.
type genomesState struct {
	Version int         `json:"suffixcl_resume"`
	Job     GenomesJob  `json:"job"`
	Before  Names       `json:"before"` // of the index that grows
	Files   []Genome    `json:"files"`  // that were read
	Done    int         `json:"done"`   // files of the kept index
	Index   *fileDigest `json:"index"`
	Made    bool        `json:"made,omitempty"`
	// Result is the result of all files, which is about to get its name, or has it.
	Result *fileDigest `json:"result,omitempty"`
}

// GenomesJob is what has to be the same for a job to go on, besides the files.
type GenomesJob struct {
	Verb    string `json:"verb"`
	Index   string `json:"index,omitempty"` // checksum of the one that grows
	Forward bool   `json:"forward"`
	Input   string `json:"input"`
	Raw     bool   `json:"raw"`
}

// Names are names and lengths of sequences, or why they are not known.
type Names struct {
	Sequences Sequences `json:"sequences"`
	Unknown   string    `json:"unknown,omitempty"`
}

// Sequences are names of any bytes, with lengths. In JSON they are lines in base64: length, tab, name.
type Sequences []fmd.Sequence

// MarshalJSON is that of the lines.
func (s Sequences) MarshalJSON() ([]byte, error) {
	var lines []byte
	for _, q := range s {
		lines = append(append(strconv.AppendInt(lines, int64(q.Length), 10), '\t'), q.Name...)
		lines = append(lines, '\n')
	}
	return json.Marshal(lines)
}

// UnmarshalJSON reads what MarshalJSON has made.
func (s *Sequences) UnmarshalJSON(data []byte) error {
	var lines []byte
	if err := json.Unmarshal(data, &lines); err != nil {
		return err
	}
	*s = nil
	for line := range bytes.Lines(lines) {
		length, name, _ := bytes.Cut(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\t'})
		n, err := strconv.Atoi(string(length))
		if err != nil {
			return err
		}
		*s = append(*s, fmd.Sequence{Name: string(name), Length: n})
	}
	return nil
}

// Genome is a file that was read.
type Genome struct {
	Name      string    `json:"name"`
	Size      int64     `json:"size"`
	Checksum  string    `json:"checksum"`
	Sequences Sequences `json:"sequences"`
}

// fileDigest tells a whole file from others.
type fileDigest struct {
	Bytes    int64  `json:"bytes"`
	Checksum uint32 `json:"checksum"` // CRC-32C
}

// Digesting takes the digest of what is written to a file from its beginning on.
type Digesting struct {
	To     io.Writer
	digest fileDigest
}

func (d *Digesting) Write(b []byte) (int, error) {
	n, err := d.To.Write(b)
	d.digest.Bytes += int64(n)
	d.digest.Checksum = crc32.Update(d.digest.Checksum, castagnoli, b[:n])
	return n, err
}

// digestOf is that of a file.
func digestOf(name string) (fileDigest, error) {
	f, err := os.Open(name)
	if err != nil {
		return fileDigest{}, err
	}
	defer f.Close()
	d := Digesting{To: io.Discard}
	_, err = io.CopyBuffer(&d, struct{ io.Reader }{f}, make([]byte, cli.WriteChunk))
	return d.digest, err
}

// FileChecksum is the checksum of a regular file, and its size.
func FileChecksum(name string) (sum string, size int64, err error) {
	f, err := os.Open(name)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil {
		size = info.Size()
		sum, err = ChecksumAt(f, int(size))
	}
	return sum, size, err
}

// OpenGenomes locks the directory, which is made, and reads what is there. The job must be the same. The first files of
// names must be those that are finished; more may follow than there were. out is the result, and files are all others
// that are read. before has the names of the index that grows. Close must be called.
func OpenGenomes(dir string, job GenomesJob, before Names, out string, names []string, files ...string) (
	_ *Genomes, err error) {
	g := &Genomes{dir: dir, out: out}
	var made bool
	if g.lock, made, err = enter(dir, append(append(files, names...), out)); err != nil {
		return nil, err
	}
	fresh := genomesState{Version: Version, Job: job, Before: before, Made: made}
	g.kept = fresh
	defer func() {
		if err != nil {
			err = fmt.Errorf("--resume %s: %w", dir, cli.WithoutPath(err))
			g.Close()
		}
	}()
	data, err := ReadFile(g.path(GenomesFile))
	if errors.Is(err, fs.ErrNotExist) {
		return g, removeAll(g.remains("")...)
	}
	if err != nil {
		return nil, err
	}
	var kept genomesState
	if err := json.Unmarshal(data, &kept); err != nil || kept.Version != Version || kept.Done > len(kept.Files) ||
		kept.Done > 0 && kept.Index == nil {
		return nil, fmt.Errorf("%s is not one of this version", GenomesFile)
	}
	g.kept = kept
	g.kept.Made = kept.Made || made
	if err := g.complete(job); err != nil {
		return nil, err
	}
	if g.Done() == 0 {
		fresh.Made = g.kept.Made
		g.kept = fresh
	}
	if err := g.same(job, names); err != nil {
		return nil, err
	}
	return g, g.checkIndex()
}

// complete finds out whether an earlier run has made the result, and was ended before it could remove the rest. The
// result may be the index that grows.
func (g *Genomes) complete(now GenomesJob) error {
	if g.kept.Result == nil {
		return nil
	}
	there, err := digestOf(g.out)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if g.made = err == nil && there == *g.kept.Result; !g.made {
		return err
	}
	sum, _, err := FileChecksum(g.out)
	if sum == now.Index {
		g.kept.Job.Index = sum
	}
	return err
}

// same returns an error that names the first difference.
func (g *Genomes) same(now GenomesJob, names []string) error {
	then := g.kept.Job
	for _, f := range []struct {
		what      string
		then, now any
	}{
		{"verb", then.Verb, now.Verb}, {"--forward", then.Forward, now.Forward}, {"--input", then.Input, now.Input},
		{"--raw", then.Raw, now.Raw}, {"index", then.Index, now.Index},
	} {
		if f.then != f.now {
			return cli.Usage("the job there is another: its %s is %v, not %v", f.what, f.then, f.now)
		}
	}
	files := g.Finished()
	if len(names) < len(files) {
		return cli.Usage("the job there is another: %s are finished, and %d are given", bytesize.Count(len(files), "genome"),
			len(names))
	}
	for k, f := range files {
		sum, size, err := FileChecksum(names[k])
		if err != nil {
			return fmt.Errorf("cannot read %s: %w", names[k], cli.WithoutPath(err))
		}
		if size != f.Size || sum != f.Checksum {
			return cli.Usage("the job there is another: genome %d was %s of %s, and %s is not that one", k+1, f.Name,
				bytesize.Count(f.Size, "byte"), names[k])
		}
	}
	return nil
}

// checkIndex returns an error if the kept index is not what was written. It removes what killed processes have left.
func (g *Genomes) checkIndex() error {
	if name := g.Index(); name != "" && !g.made {
		f, err := OpenFile(name, os.O_RDONLY)
		if err == nil {
			err = f.Close()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(name), err)
		}
		there, err := digestOf(name)
		if err != nil {
			return err
		}
		if there != *g.kept.Index {
			return fmt.Errorf("%s is not what was written: remove the directory to begin anew", filepath.Base(name))
		}
	}
	return removeAll(g.remains(g.Index())...)
}

// Finished are the files that are in the index.
func (g *Genomes) Finished() []Genome {
	if g.made {
		return g.kept.Files
	}
	return g.kept.Files[:g.kept.Done]
}

// Done is the number of files that are in the index.
func (g *Genomes) Done() int { return len(g.Finished()) }

// Before has the names of the index that grows.
func (g *Genomes) Before() Names { return g.kept.Before }

// Index is the file of the index of those that are finished, or empty.
func (g *Genomes) Index() string {
	switch {
	case g.made:
		return g.out
	case g.kept.Done == 0:
		return ""
	}
	return g.indexOf(g.kept.Done)
}

func (g *Genomes) indexOf(done int) string {
	return g.path(indexPrefix + strconv.Itoa(done) + indexSuffix)
}

// Save keeps the index of these files, and those that were finished.
func (g *Genomes) Save(ctx context.Context, files []Genome, write func(w io.Writer) error) error {
	name := g.indexOf(g.Done() + len(files))
	var digest fileDigest
	before, made := g.kept, g.made
	err := atomicfile.Write(name, 0o666, func(w io.Writer) error {
		d := Digesting{To: cli.ContextWriter{Context: ctx, Writer: w}}
		err := write(&d)
		digest = d.digest
		return err
	})
	if err == nil {
		g.kept.Files = append(g.Finished()[:g.Done():g.Done()], files...)
		g.kept.Done, g.kept.Index, g.kept.Result, g.made = len(g.kept.Files), &digest, nil, false
		err = g.keep()
	}
	if err != nil {
		g.kept, g.made = before, made
		return fmt.Errorf("--resume %s: %w", g.dir, cli.WithoutPath(err))
	}
	_ = removeAll(g.remains(name)...) // an index that is still read is removed in the end
	return nil
}

// Complete keeps that the result, which is on disk, is about to get its name. files are those after the finished ones.
func (g *Genomes) Complete(files []Genome, result *Digesting) error {
	g.kept.Files = append(g.Finished()[:g.Done():g.Done()], files...)
	g.kept.Result = &result.digest
	return g.keep()
}

// Finish removes what was kept.
func (g *Genomes) Finish() error {
	return removeAll(append(g.remains(""), g.path(GenomesFile))...)
}

// keep writes the state.
func (g *Genomes) keep() error {
	data, err := json.Marshal(g.kept)
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(g.path(GenomesFile), data, 0o666)
}

// remains are indexes but one, and what killed processes have left.
func (g *Genomes) remains(but string) []string {
	names := atomicfile.Unfinished(g.dir, func(name string) bool { return isIndex(name) || name == GenomesFile })
	entries, _ := os.ReadDir(g.dir) // what cannot be read shows when it is wanted
	for _, e := range entries {
		if name := g.path(e.Name()); isIndex(e.Name()) && name != but {
			names = append(names, name)
		}
	}
	return names
}

func (g *Genomes) path(name string) string { return filepath.Join(g.dir, name) }

// Close gives up the lock. What is finished stays.
func (g *Genomes) Close() { leave(g.dir, g.lock, g.kept.Made, GenomesFile) }
