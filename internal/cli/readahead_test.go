package cli

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/seqio"
)

// What is read ahead changes neither the text nor its records, nor the error of a file, wherever it ends.
func TestReadAhead(t *testing.T) {
	dir := t.TempDir()
	var records strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&records, ">r%d\nACGTACGTNACGT%s\n", i, strings.Repeat("A", i%50))
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := z.Write([]byte(records.String()))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	files := map[string][]byte{
		"plain":     []byte(strings.Repeat("some text\n", 10_000)),
		"reads.fa":  []byte(records.String()),
		"reads.gz":  packed.Bytes(),
		"cut.gz":    packed.Bytes()[:packed.Len()-100],
		"wrong.fa":  []byte(records.String() + ">last\nACGT\n>\x00\n\x01\n"),
		"large":     bytes.Repeat([]byte("some text\n"), 900_000), // more than two parts
		"empty":     nil,
		"short.txt": []byte("a"),
	}
	for name, data := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, data, 0o600))
		read := func(ahead int64, first int) (in *Input, text []byte, failed string) {
			in, err := OpenText(t.Context(), path, InputOptions{KeepRecords: true,
				Sequences: seqio.Options{Separator: []byte{'\n'}}})
			require.NoError(t, err, name)
			defer in.Close()
			if ahead > 0 {
				in.ReadAhead(ahead)
			}
			some := make([]byte, min(first, int(max(in.Size, 0))))
			n, err := in.Read(t.Context(), some)
			if err == nil {
				text, err = in.ReadAll(t.Context(), nil, nil)
			}
			if err == nil {
				text = append(some[:n], text...)
			}
			return in, text, fmt.Sprint(err)
		}
		want, text, failed := read(0, 0)
		for _, ahead := range []int64{1, 5000, 1 << 20, ReadChunk + 1, 1 << 40} {
			for _, first := range []int{0, 1} {
				got, same, error := read(ahead, first)
				assert.True(t, bytes.Equal(text, same), "%s, %d bytes", name, ahead)
				assert.Equal(t, failed, error, "%s, %d bytes", name, ahead)
				assert.Equal(t, want.Records, got.Records, "%s, %d bytes", name, ahead)
			}
		}
	}
}

// A pipe is not read before somebody asks for it.
func TestReadAheadOfPipe(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer w.Close()
	stdin := os.Stdin
	os.Stdin = r
	defer func() { os.Stdin = stdin }()
	in, err := OpenRaw(t.Context(), "-")
	require.NoError(t, err)
	defer in.Close()
	before := in.r
	in.ReadAhead(100)
	assert.Same(t, before, in.r)
}
