package corpora

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/divsufsort"
)

// The recorded digests are what libdivsufsort, Kasai and the definition of the
// BWT give, and index/suffixarray agrees.
func TestCorpora(t *testing.T) {
	for _, corpus := range All(t) {
		t.Run(corpus.Name, func(t *testing.T) {
			text, err := corpus.Read()
			require.NoError(t, err)
			want, err := corpus.Want(text)
			require.NoError(t, err)
			corpus.recorded = nil
			computed, err := corpus.Want(text)
			require.NoError(t, err)
			assert.Equal(t, want, computed)

			sa := conformance.ReferenceSuffixArray(text)
			assert.Equal(t, want.SuffixArray, DigestArray(sa))
			assert.NoError(t, conformance.CheckSuffixArray(text, sa))
			bwt, primary, err := divsufsort.BWT(text)
			require.NoError(t, err)
			assert.Equal(t, want.BWT, DigestBytes(bwt))
			assert.Equal(t, want.Primary, primary)
		})
	}
}

func TestReadCorpora(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	write("banana", "banana")
	write("other", "ab")
	write(digestsFile, "# comment\ntext\tbytes\tsuffix_array\tlcp\tbwt\tprimary\nbanana\t6\ts\tl\tb\t4\n")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o700))

	corpora, err := readCorpora(dir)
	require.NoError(t, err)
	require.Len(t, corpora, 2)
	assert.Equal(t, "banana", corpora[0].Name)
	want, err := corpora[0].Want([]byte("banana"))
	require.NoError(t, err)
	assert.Equal(t, Digests{"s", "l", "b", 4}, want)

	assert.Equal(t, "other", corpora[1].Name)
	want, err = corpora[1].Want([]byte("ab"))
	require.NoError(t, err)
	assert.Equal(t, Digests{DigestArray([]uint32{0, 1}), DigestArray([]uint32{0, 0}), DigestBytes([]byte("ba")), 1}, want)

	write("banana", "bananas")
	_, err = readCorpora(dir)
	assert.ErrorContains(t, err, "banana has 7 bytes, 6 in digests.tsv")

	for _, table := range []string{"banana\t6\n", "banana\tsix\ts\tl\tb\t4\n", "banana\t6\ts\tl\tb\tfour\n"} {
		write(digestsFile, table)
		_, err = readCorpora(dir)
		assert.ErrorContains(t, err, "digests.tsv:1: ", strings.TrimSpace(table))
	}
}

func TestDigestArray(t *testing.T) {
	assert.Equal(t, DigestBytes([]byte{1, 0, 0, 0, 4, 3, 2, 1}), DigestArray([]uint32{1, 0x01020304}))
	long := make([]uint32, 1<<15+1)
	assert.Equal(t, DigestBytes(make([]byte, 4*len(long))), DigestArray(long))
}
