package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/seqio"
)

// BenchmarkEachText lists and reads a directory of short files.
func BenchmarkEachText(b *testing.B) {
	const count, size = 5000, 2440
	dir := b.TempDir()
	for i := range count {
		text := bytes.Repeat([]byte{'a' + byte(i%26)}, size)
		require.NoError(b, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%05d", i)), text, 0o600))
	}
	b.SetBytes(count * size)
	b.ReportAllocs()
	for b.Loop() {
		files, err := Files(dir)
		require.NoError(b, err)
		total := 0
		o := InputOptions{Sequences: seqio.Options{Format: seqio.Plain}}
		err = EachText(b.Context(), files, o, func(file File, in *Input) error {
			text, err := in.ReadAll(b.Context(), nil, nil)
			total += len(text)
			return err
		})
		require.NoError(b, err)
		require.Equal(b, count*size, total)
	}
}
