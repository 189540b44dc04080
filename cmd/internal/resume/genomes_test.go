package resume

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// genomeOf is a file that was read.
func genomeOf(t *testing.T, name string) Genome {
	sum, size, err := FileChecksum(name)
	require.NoError(t, err)
	return Genome{Name: name, Size: size, Checksum: sum,
		Sequences: Sequences{{Name: "a\xff\tb", Length: 5}, {Name: "", Length: 0}}}
}

// put makes a file, and returns its path.
func put(t *testing.T, dir, name, text string) string {
	return filepath.Join(dir, clitest.Put(t, dir, name, []byte(text)))
}

// writes writes a text.
func writes(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

// A job goes on from the last index that was kept. Once its result has the name, it goes on from there.
func TestGenomes(t *testing.T) {
	for _, verb := range []string{"build", "append"} {
		dir := t.TempDir()
		names := []string{put(t, dir, "a", "A"), put(t, dir, "b", "CC"),
			put(t, dir, "c", "GGG")}
		kept, out := filepath.Join(dir, "kept"), filepath.Join(dir, "out")
		job := GenomesJob{Verb: verb}
		if verb == "append" { // in place
			clitest.Put(t, dir, "out", []byte("old"))
			sum, _, err := FileChecksum(out)
			require.NoError(t, err)
			job.Index = sum
		}
		before := Names{Unknown: "why"}
		open := func() (*Genomes, error) { return OpenGenomes(kept, job, before, out, names) }
		g, err := open()
		require.NoError(t, err)
		_, err = open()
		require.ErrorContains(t, err, "another job uses it")
		assert.Zero(t, g.Done())
		assert.Empty(t, g.Index())
		for k, name := range names[:2] {
			require.NoError(t, g.Save(t.Context(), []Genome{genomeOf(t, name)}, writes("index "+name)))
			assert.Equal(t, k+1, g.Done())
		}
		assert.Equal(t, []string{GenomesFile, "suffixcl-index-2.fmd", lockName}, clitest.Files(t, kept))
		g.Close()

		// What a killed process has left is removed.
		clitest.Put(t, kept, "suffixcl-index-3.fmd", []byte("of no state"))
		clitest.Put(t, kept, ".suffixcl-index-3.fmd123", []byte("half"))
		clitest.Put(t, kept, "."+GenomesFile+"7", nil)
		before.Unknown = "later"
		g, err = open()
		require.NoError(t, err)
		assert.Equal(t, []string{GenomesFile, "suffixcl-index-2.fmd", lockName}, clitest.Files(t, kept))
		assert.Equal(t, 2, g.Done())
		assert.Equal(t, "index "+names[1], string(clitest.Get(t, kept, filepath.Base(g.Index()))))
		assert.Equal(t, genomeOf(t, names[1]), g.Finished()[1])
		assert.Equal(t, "why", g.Before().Unknown)

		// The process is killed before the result has its name, and after it.
		d := &Digesting{To: io.Discard}
		require.NoError(t, writes("result")(d))
		require.NoError(t, g.Complete([]Genome{genomeOf(t, names[2])}, d))
		g.Close()
		g, err = open()
		require.NoError(t, err)
		assert.Equal(t, 2, g.Done())
		g.Close()
		clitest.Put(t, dir, "out", []byte("result"))
		if verb == "append" {
			job.Index, _, err = FileChecksum(out)
			require.NoError(t, err)
		}
		g, err = open()
		require.NoError(t, err)
		assert.Equal(t, 3, g.Done())
		assert.Equal(t, out, g.Index())

		// More files follow.
		names = append(names, put(t, dir, "d", "TTTT"))
		require.NoError(t, g.Save(t.Context(), []Genome{genomeOf(t, names[3])}, writes("more")))
		g.Close()
		g, err = open()
		require.NoError(t, err)
		assert.Equal(t, 4, g.Done())
		require.NoError(t, g.Finish())
		g.Close()
		assert.NoDirExists(t, kept)
	}
}

// Another job, files that are not the same and damaged files are refused.
func TestGenomesWrong(t *testing.T) {
	dir := t.TempDir()
	kept := filepath.Join(dir, "kept")
	names := []string{put(t, dir, "a", "A"), put(t, dir, "b", "CC")}
	job := GenomesJob{Verb: "build", Input: "auto"}
	open := func(job GenomesJob, names ...string) (*Genomes, error) {
		return OpenGenomes(kept, job, Names{}, filepath.Join(dir, "out"), names)
	}
	g, err := open(job, names...)
	require.NoError(t, err)
	require.NoError(t, g.Save(t.Context(), []Genome{genomeOf(t, names[0]), genomeOf(t, names[1])}, writes("index")))
	require.ErrorContains(t, g.Save(t.Context(), nil, func(io.Writer) error { return io.ErrShortWrite }), "short write")
	state := clitest.Get(t, kept, GenomesFile) // which cannot be written below: what was kept counts
	require.NoError(t, os.Remove(filepath.Join(kept, GenomesFile)))
	require.NoError(t, os.MkdirAll(filepath.Join(kept, GenomesFile, "full"), 0o777))
	require.ErrorContains(t, g.Save(t.Context(), []Genome{genomeOf(t, names[0])}, writes("more")), "--resume "+kept)
	assert.Equal(t, 2, g.Done())
	require.NoError(t, os.RemoveAll(filepath.Join(kept, GenomesFile)))
	clitest.Put(t, kept, GenomesFile, state)
	g.Close()
	wrong := func(want string, job GenomesJob, names ...string) {
		t.Helper()
		files := clitest.Files(t, kept)
		_, err := open(job, names...)
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "--resume "+kept)
		assert.Equal(t, files, clitest.Files(t, kept))
	}
	for want, job := range map[string]GenomesJob{
		"its verb is build, not append":  {Verb: "append", Input: "auto"},
		"its --forward is false, not":    {Verb: "build", Input: "auto", Forward: true},
		"its --input is auto, not plain": {Verb: "build", Input: "plain"},
		"its --raw is false, not true":   {Verb: "build", Input: "auto", Raw: true},
		"its index is , not 5":           {Verb: "build", Input: "auto", Index: "5"},
	} {
		wrong(want, job, names...)
	}
	wrong("2 genomes are finished, and 1 are given", job, names[0])
	wrong("genome 1 was "+names[0]+" of 1 byte, and "+names[1]+" is not", job, names[1], names[0])
	wrong("cannot read x", job, names[0], "x")
	clitest.Put(t, dir, "b", []byte("CA"))
	wrong("genome 2 was", job, names...)
	clitest.Put(t, dir, "b", []byte("CC"))
	clitest.Put(t, kept, "suffixcl-index-2.fmd", []byte("undex"))
	wrong("suffixcl-index-2.fmd is not what was written", job, names...)
	require.NoError(t, os.Remove(filepath.Join(kept, "suffixcl-index-2.fmd")))
	wrong("suffixcl-index-2.fmd: ", job, names...)
	clitest.Put(t, kept, "suffixcl-index-2.fmd", []byte("index"))
	for _, state := range []string{"{", `{"suffixcl_resume": 3, "done": 2}`, `{"suffixcl_resume": 2}`} {
		clitest.Put(t, kept, GenomesFile, []byte(state))
		wrong(GenomesFile+" is not one of this version", job, names...)
	}
	_, err = OpenGenomes(kept, job, Names{}, filepath.Join(kept, "suffixcl-index-9.fmd"), names)
	require.ErrorContains(t, err, "keeps the job in")
	assert.Equal(t, cli.ExitUsage, cli.WorkCode(t.Context(), err))

	var s Sequences
	require.Error(t, s.UnmarshalJSON([]byte(`"eA=="`))) // x
	require.Error(t, s.UnmarshalJSON([]byte(`5`)))
	for name, want := range map[string]bool{"suffixcl-index-1.fmd": true, "suffixcl-index-.fmd": false,
		"suffixcl-index-x.fmd": false, "suffixcl-index-1": false, "index-1.fmd": false} {
		assert.Equal(t, want, isIndex(name), name)
	}
}
