package verbs

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/source"
	"github.com/suffixcl/suffixcl/internal/cli"
)

// An array is the same for any number of processors, and so is what is wrong with it: the first entry of several.
func TestReadArray(t *testing.T) {
	for _, width := range []int{4, 5, 8} {
		n := 3*cli.ReadChunk/width + 7
		file := make([]byte, n*width)
		for i := range n {
			file[i*width], file[i*width+1], file[i*width+2], file[i*width+3] = byte(i), byte(i>>8), byte(i>>16), byte(i>>24)
		}
		name := filepath.Join(t.TempDir(), "array")
		read := func() ([]uint32, error) {
			require.NoError(t, os.WriteFile(name, file, 0o600))
			return source.ReadArray(context.Background(), source.SuffixArrayFile, name, width, n, func(done, total int64) {
				assert.LessOrEqual(t, done, total)
			})
		}
		for _, processors := range []int{1, 2, 16} {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
			array, err := read()
			require.NoError(t, err)
			for i, v := range array {
				if int(v) != i {
					require.Equal(t, i, int(v))
				}
			}
			if width == 4 {
				continue
			}
			for _, wrong := range []int{n - 1, n / 2, n/2 - 1} { // each is before those that were wrong already
				file[wrong*width+4] = 1
				_, err := read()
				var mismatch *suffixcl.MismatchError
				require.ErrorAs(t, err, &mismatch)
				require.Equal(t, wrong, mismatch.At)
			}
			for _, wrong := range []int{n - 1, n / 2, n/2 - 1} {
				file[wrong*width+4] = 0
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, err := source.ReadArray(ctx, source.SuffixArrayFile, name, width, n, func(int64, int64) {})
		require.ErrorIs(t, err, context.Canceled)
	}
}
