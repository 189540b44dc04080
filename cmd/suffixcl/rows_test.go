package main

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// boundedWriter takes so many bytes, as a disk that is full then.
type boundedWriter struct {
	bytes.Buffer
	room int
}

var errFull = errors.New("full")

func (b *boundedWriter) Write(p []byte) (int, error) {
	n := min(len(p), b.room-b.Len())
	b.Buffer.Write(p[:n])
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

// Rows are the same for any number of processors, come in few writes, and end with the first error.
func TestManyRows(t *testing.T) {
	for _, processors := range []int{1, 3, 16} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		for _, n := range []int{0, 1, rowsEach, 2*rowsEach + 1, 50*rowsEach + 7} {
			numbers := func(rows rowWriter, lo, hi int) (rowWriter, error) {
				for i := lo; i < hi; i++ {
					if rows.number(uint64(i)); i == 45*rowsEach {
						return rows, errors.Join(rows.end(), errFull)
					}
					if err := rows.end(); err != nil {
						return rows, err
					}
				}
				return rows, nil
			}
			var want strings.Builder
			want.WriteString("first\n")
			for i := range min(n, 45*rowsEach+1) {
				fmt.Fprintf(&want, "%d\n", i)
			}
			var got bytes.Buffer
			r := newRowWriter(&got)
			r.text("first")
			require.NoError(t, r.end())
			err := r.many(n, rowsEach, numbers)
			require.Equal(t, n > 45*rowsEach, errors.Is(err, errFull))
			require.NoError(t, r.flush())
			require.Equal(t, want.String(), got.String(), "%d, %d", processors, n)

			full := newRowWriter(&boundedWriter{room: 1000})
			err = errors.Join(full.many(min(n, 40*rowsEach), rowsEach, numbers), full.flush())
			require.Equal(t, n > 1, errors.Is(err, errFull), "%d, %d", processors, n)
		}
	}
}
