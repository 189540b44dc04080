package formats_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/formats"
)

// STAR maps reads to our folder as to its own.
func TestSTARMaps(t *testing.T) {
	e := engine(t)
	dir := t.TempDir()
	genome := letters(20000, "ACGT")
	exons := [][2]int{{1000, 1200}, {1500, 1640}, {2200, 2500}, {4000, 4300}, {4900, 5200}}
	var gtf, reads bytes.Buffer
	var spliced string
	for i, x := range exons {
		fmt.Fprintf(&gtf, "chr1\ttest\texon\t%d\t%d\t.\t+\t.\tgene_id \"g%d\"; transcript_id \"t%d\";\n", x[0]+1, x[1], i/3, i/3)
		if i == 3 {
			spliced = ""
		}
		spliced += genome[x[0]:x[1]]
		for at := 0; at+70 < len(spliced); at += 13 {
			fmt.Fprintf(&reads, "@r%d_%d\n%s\n+\n%s\n", i, at, spliced[at:at+70], bytes.Repeat([]byte("I"), 70))
		}
	}
	fasta := record("chr1", genome, "\n")
	star, made := filepath.Join(dir, "star")+"/", filepath.Join(dir, "made")+"/"
	annotation := filepath.Join(dir, "genes.gtf")
	require.NoError(t, os.WriteFile(annotation, gtf.Bytes(), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "reads.fq"), reads.Bytes(), 0o644))
	require.NoError(t, generate(t, star, fasta, "--genomeSAindexNbases", "6", "--sjdbGTFfile", annotation, "--sjdbOverhang", "69"))
	_, err := makeFolder(t, e, made, fasta, formats.STAROptions{IndexBases: 6, Overhang: 69, Files: []string{"genome.fa"},
		GTF: formats.STARInput{Name: annotation, Text: gtf.Bytes()}})
	require.NoError(t, err)
	for _, folder := range []string{star, made} {
		call(t, "STAR", "--genomeDir", folder, "--readFilesIn", filepath.Join(dir, "reads.fq"), "--quantMode", "GeneCounts",
			"--outFileNamePrefix", folder+"out.")
	}
	for _, name := range []string{"out.Aligned.out.sam", "out.SJ.out.tab", "out.ReadsPerGene.out.tab"} {
		var texts [][]byte
		for _, folder := range []string{star, made} {
			text, err := os.ReadFile(folder + name)
			require.NoError(t, err)
			if i := bytes.Index(text, []byte("@PG")); i >= 0 { // the command lines, up to the reads
				text = append(text[:i:i], text[bytes.Index(text, []byte("\nr0_")):]...)
			}
			texts = append(texts, text)
		}
		require.NotEmpty(t, texts[0], name)
		require.Equal(t, string(texts[0]), string(texts[1]), name)
	}
	require.Greater(t, bytes.Count(must(t, made+"out.SJ.out.tab"), []byte("\n")), 2)
}

func must(t testing.TB, name string) []byte {
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return text
}
