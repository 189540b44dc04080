package verbs

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
	"github.com/suffixcl/suffixcl/cmd/internal/source"
	"github.com/suffixcl/suffixcl/internal/cli"
)

// FuzzReadArray: a file of any bytes is an array of the entries that they encode, or refused.
// An array that was read is written as the same bytes.
func FuzzReadArray(f *testing.F) {
	f.Add([]byte{}, uint8(0), uint8(0))
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0}, uint8(0), uint8(2))
	f.Add([]byte{1, 0, 0, 0, 1}, uint8(1), uint8(1))
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 128}, uint8(2), uint8(1))
	f.Add([]byte{1, 2, 3}, uint8(0), uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, widths, entries uint8) {
		width, n := []int{4, 5, 8}[widths%3], int(entries)
		name := filepath.Join(t.TempDir(), "array")
		require.NoError(t, os.WriteFile(name, data, 0o600))
		nothing := func(int64, int64) {}
		for _, kind := range []source.ArrayKind{source.SuffixArrayFile, source.LcpFile} {
			got, err := source.ReadArray(context.Background(), kind, name, width, n, nothing)
			fits := len(data) == n*width
			for i := 0; fits && i < n; i++ {
				entry := append(bytes.Clone(data[i*width:(i+1)*width]), make([]byte, 8)...)
				fits = binary.LittleEndian.Uint64(entry) <= math.MaxUint32
			}
			if !fits {
				require.True(t, cli.IsMismatch(err), "%v", err)
				continue
			}
			require.NoError(t, err)
			var again bytes.Buffer
			require.NoError(t, sink.WriteArray(&again, got, width, nothing))
			require.True(t, bytes.Equal(data, again.Bytes()))
		}
	})
}

// FuzzPrimary: a primary index file is a number of its own, or refused.
func FuzzPrimary(f *testing.F) {
	for _, seed := range []string{"", "0\n", "42", " 7 \n\n", "-1", "1e3", "99999999999999999999"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name := filepath.Join(t.TempDir(), "x")
		require.NoError(t, os.WriteFile(source.PrimaryFile(name), []byte(text), 0o600))
		if n, err := source.ReadPrimary(name); err == nil {
			require.GreaterOrEqual(t, n, 0)
		}
	})
}
