package tsv

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// Rows are the same for any number of processors, come in few writes, and end with the first error.
func TestManyRows(t *testing.T) {
	for _, processors := range []int{1, 3, 16} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		for _, n := range []int{0, 1, Each, 2*Each + 1, 50*Each + 7} {
			numbers := func(rows Writer, lo, hi int) (Writer, error) {
				for i := lo; i < hi; i++ {
					if rows.Number(uint64(i)); i == 45*Each {
						return rows, errors.Join(rows.End(), clitest.ErrFull)
					}
					if err := rows.End(); err != nil {
						return rows, err
					}
				}
				return rows, nil
			}
			var want strings.Builder
			want.WriteString("first\n")
			for i := range min(n, 45*Each+1) {
				fmt.Fprintf(&want, "%d\n", i)
			}
			var got bytes.Buffer
			r := New(&got)
			r.Text("first")
			require.NoError(t, r.End())
			err := r.Many(n, Each, numbers)
			require.Equal(t, n > 45*Each, errors.Is(err, clitest.ErrFull))
			require.NoError(t, r.Flush())
			require.Equal(t, want.String(), got.String(), "%d, %d", processors, n)

			full := New(&clitest.BoundedWriter{Room: 1000})
			err = errors.Join(full.Many(min(n, 40*Each), Each, numbers), full.Flush())
			require.Equal(t, n > 1, errors.Is(err, clitest.ErrFull), "%d, %d", processors, n)
		}
	}
}
