package formats_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/formats"
	"github.com/suffixcl/suffixcl/formats/internal/genometools"
	"github.com/suffixcl/suffixcl/internal/testkit/needed"
	"github.com/suffixcl/suffixcl/seqio"
)

// sequenceLetters are all that a sequence may hold.
const sequenceLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz*-."

// everyLetter has each of them between bases, alone and at both ends of sequences.
func everyLetter(alphabet string) string {
	fasta := ""
	for i := range len(alphabet) {
		c := alphabet[i : i+1]
		fasta += record("inside "+c, letters(7, "ACGT")+c+letters(5, "acgt")+c+c+letters(6, "ACGT"), "\n") +
			record("ends "+c, c+letters(9, "ACGT")+c, "\n")
	}
	return fasta + record("all", alphabet+letters(300, alphabet), "\n")
}

// Each letter is what the programs take it for. What GenomeTools refuses is refused.
func TestEveryLetter(t *testing.T) {
	for _, name := range []string{"bwa", "bowtie2-build", "gt"} {
		needed.Program(t, name)
	}
	e := engine(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "letters.fa")
	prefix := func(name string) string { return filepath.Join(dir, name) }
	fasta := everyLetter(sequenceLetters)
	require.NoError(t, os.WriteFile(file, []byte(fasta), 0o666))

	call(t, "bwa", "index", "-p", prefix("bwa.want"), file)
	build(t, e, fasta, prefix("bwa"), formats.BWA)
	same(t, prefix("bwa"), prefix("bwa.want"), formats.BWA.Suffixes()...)
	call(t, "bowtie2-build", "-q", file, prefix("bowtie2.want"))
	build(t, e, fasta, prefix("bowtie2"), formats.Bowtie2)
	same(t, prefix("bowtie2"), prefix("bowtie2.want"), formats.Bowtie2.Suffixes()...)

	// bwa-mem2 has files of bwa; minibwa has its own.
	build(t, e, fasta, prefix("mem2"), formats.BWAMEM2)
	same(t, prefix("mem2"), prefix("bwa.want"), ".amb", ".ann", ".pac")
	build(t, e, fasta, prefix("minibwa"), formats.Minibwa)
	b, err := seqio.ReadAll(strings.NewReader(fasta), formats.Sequences(""))
	require.NoError(t, err)
	want, _ := plainL2B(b)
	got, err := os.ReadFile(prefix("minibwa.l2b"))
	require.NoError(t, err)
	require.Equal(t, want, got)

	taken := ""
	for i := range len(sequenceLetters) {
		one := record("c", "ACGT"+sequenceLetters[i:i+1], "\n")
		require.NoError(t, os.WriteFile(file, []byte(one), 0o666))
		refused := exec.Command("gt", "encseq", "encode", "-dna", "-indexname", prefix("one"), file).Run() != nil
		b, err := seqio.ReadAll(strings.NewReader(one), formats.Sequences(""))
		require.NoError(t, err)
		_, err = genometools.New(b)
		require.Equal(t, refused, err != nil, "%q: %v", sequenceLetters[i], err)
		if !refused {
			taken += sequenceLetters[i : i+1]
		}
	}
	fasta = everyLetter(taken)
	require.NoError(t, os.WriteFile(file, []byte(fasta), 0o666))
	sameAsGenomeTools(t, e, fasta, file, dir)
}
