package star

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/entries"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/table"
)

// writePacked writes entries of so many bits, the first in the lowest bits, with zeros after the last.
func writePacked(w io.Writer, n, width int, value func(values []uint64, first int)) error {
	exact := &exactly{w: w, rest: packedSize(n, width)}
	groups := intmath.CeilDiv(n, entries.Group)
	err := table.Write(exact, groups, width, func(b []byte, lo, hi int) {
		values := make([]uint64, entries.Group*(hi-lo))
		value(values[:min(len(values), n-entries.Group*lo)], entries.Group*lo)
		for k := 0; k < len(values); k, b = k+entries.Group, b[width:] {
			entries.PackGroup(b, width, values[k:k+entries.Group])
		}
	})
	if err != nil {
		return err
	}
	_, err = w.Write(make([]byte, exact.rest))
	return err
}

// An array that comes in blocks of any size is that of all entries at once, whatever their width.
func TestPacker(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, width := range []int{33, 34, 36, 40, 57} {
		for _, n := range []int{1, 7, 8, 9, 1000, 40_000} {
			values := make([]uint64, n)
			for i := range values {
				values[i] = rng.Uint64() >> (64 - width)
			}
			var whole, parts bytes.Buffer
			require.NoError(t, writePacked(&whole, n, width, func(to []uint64, first int) { copy(to, values[first:]) }))
			p := newPacker(&parts, n, width)
			for at := 0; at < n; {
				end := min(at+rng.IntN(2+rng.IntN(1+n/2)), n)
				var some bytes.Buffer
				more := rng.IntN(2) // with other bits after them
				require.NoError(t, writePacked(&some, max(end-at+more, 1), width, func(to []uint64, first int) {
					for i := range to {
						if to[i] = 1<<width - 1; first+i < end-at {
							to[i] = values[at+first+i]
						}
					}
				}))
				require.NoError(t, p.add(some.Bytes(), end-at))
				at = end
			}
			require.NoError(t, p.close())
			require.Equal(t, whole.Bytes(), parts.Bytes())
			require.EqualValues(t, packedSize(n, width), whole.Len())
			for i, v := range values {
				require.Equal(t, v, packed{whole.Bytes(), width}.at(i))
			}
		}
	}
}

var errFull = errors.New("full")

type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// A writer that fails ends the blocks, and the end has its error. An array that has not come as a whole is cut off.
func TestPackerFails(t *testing.T) {
	p := newPacker(&full{1000}, 1<<20, 33)
	var err error
	for block := make([]byte, 100*33/8+1); err == nil; {
		err = p.add(block, 100)
	}
	require.ErrorIs(t, err, errStopped)
	require.ErrorIs(t, p.close(), errFull)
	var out bytes.Buffer
	p = newPacker(&out, 1<<40, 33)
	require.NoError(t, p.add(make([]byte, 16*33/8), 16))
	require.NoError(t, p.close())
	require.Equal(t, 66, out.Len())
}

// Bases are read backward by words as one by one.
func TestStrands(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 3))
	r := &Reference{genome: make([]byte, 300), plain: 300}
	for i := range r.genome {
		if r.genome[i] = byte(rng.IntN(4)); rng.IntN(30) == 0 {
			r.genome[i] = Other
		}
	}
	r.genome[299] = Spacer
	n := len(r.genome)
	at := func(place int) byte {
		if place < n {
			return r.genome[place]
		}
		return complement(r.genome[2*n-1-place])
	}
	for place := range 2*n - 20 {
		to := make([]byte, 20)
		if place < n {
			to = to[:min(20, n-place)]
		}
		require.NoError(t, r.read(to, place))
		for i, c := range to {
			require.Equal(t, at(place+i), c)
		}
	}
}
