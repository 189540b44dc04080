package parallel_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/parallel"
)

// limitedWriter takes so many bytes, as a disk that is full then.
type limitedWriter struct {
	bytes.Buffer
	left, writes int
}

var errFull = errors.New("full")

func (l *limitedWriter) Write(p []byte) (int, error) {
	l.writes++
	n := min(len(p), l.left-l.Len())
	l.Buffer.Write(p[:n])
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

// Lines are the same for any number of processors, at once or behind, come in a write each part, and end with the first
// error.
func TestLines(t *testing.T) {
	errPart := errors.New("part")
	for _, processors := range []int{1, 2, 7, 16} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		for _, n := range []int{0, 1, 2, 31, 32, 33, 500} {
			var all parallel.Lines // keeps its memory
			for _, wrong := range []int{-1, 0, 1, 31, 32, 499} {
				format := func(to []byte, part int) ([]byte, error) {
					to = fmt.Appendf(to, "%d %s\n", part, strings.Repeat("x", part%100))
					if part == wrong || part == wrong+7 {
						return to, fmt.Errorf("%w %d", errPart, part)
					}
					return to, nil
				}
				var want []byte
				var wantErr error
				for part := 0; part < n && wantErr == nil; part++ {
					want, wantErr = format(want, part)
				}
				for _, room := range []int{0, 1, 1000, 1 << 20} {
					w := &limitedWriter{left: room}
					err := all.Write(w, n, format)
					require.Equal(t, string(want[:min(len(want), room)]), w.String())
					require.LessOrEqual(t, w.writes, n)
					switch {
					case room < len(want):
						require.ErrorIs(t, err, errFull)
					default:
						require.Equal(t, wantErr, err)
					}
				}
				var behind parallel.Lines
				w := &limitedWriter{left: 1 << 20}
				b := &parallel.Behind{To: w}
				require.Equal(t, wantErr, behind.Write(b, n, format))
				require.Equal(t, wantErr, behind.Write(b, n, format))
				require.NoError(t, b.Wait())
				require.Equal(t, string(want)+string(want), w.String())
			}
		}
	}
}

// What is written behind comes in order, before a plain write. An error ends all: it comes again.
func TestBehind(t *testing.T) {
	w := &limitedWriter{left: 9}
	b := &parallel.Behind{To: w}
	require.NoError(t, b.Wait())
	first, second := b.Begin([][]byte{[]byte("ab"), nil, []byte("c")}), b.Begin([][]byte{[]byte("d")})
	_, err := b.Write([]byte("ef"))
	require.NoError(t, err)
	require.NoError(t, first())
	require.NoError(t, second())
	require.Equal(t, "abcdef", w.String())
	third, fourth := b.Begin([][]byte{[]byte("ghij")}), b.Begin([][]byte{[]byte("k")})
	require.ErrorIs(t, third(), errFull)
	require.ErrorIs(t, fourth(), errFull)
	_, err = b.Write([]byte("l"))
	require.ErrorIs(t, err, errFull)
	require.ErrorIs(t, b.Wait(), errFull)
	require.Equal(t, "abcdefghi", w.String())
	require.Equal(t, 5, w.writes)
}

func BenchmarkLines(b *testing.B) {
	part := bytes.Repeat([]byte("0123456789abcde\n"), 1<<12)
	const parts = 1 << 12
	b.SetBytes(int64(parts * len(part)))
	var l parallel.Lines
	for b.Loop() {
		l.Write(io.Discard, parts, func(to []byte, _ int) ([]byte, error) { return append(to, part...), nil })
	}
}
