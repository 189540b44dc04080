package ranges_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/ranges"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
)

// changing is a text that changes, ends or fails once so many bytes have been read.
type changing struct {
	text, then []byte
	left       atomic.Int64
	failure    error
}

func newChanging(text, then []byte, after int, failure error) *changing {
	c := &changing{text: text, then: then, failure: failure}
	c.left.Store(int64(after))
	return c
}

func (c *changing) ReadAt(p []byte, at int64) (int, error) {
	text := c.text
	if c.left.Add(-int64(len(p))) < 0 {
		if c.failure != nil {
			return 0, c.failure
		}
		text = c.then
	}
	return bytes.NewReader(text).ReadAt(p, at)
}

// A text that is read piece by piece, by one device or two together, has the suffix array of the same text in memory.
// One that changes, ends or fails between two readings is an error.
func TestReadText(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		for devices := 1; devices <= 2; devices++ {
			testReadText(t, e, devices, ranges.Width(versions(30000)))
			testReadText(t, e, devices, 8) // which the host does not pack
		}
	})
}

// sorters are those of so many sessions of a device.
func sorters(t *testing.T, e devicetest.Env, devices, n int, o ranges.Options) (
	all []*ranges.Sorter[uint32], sessions []*device.Session) {
	sessions = append(sessions, e.Session)
	for k := range devices {
		if k > 0 {
			other, err := device.Open(device.Config{Selector: e.Caps().Name})
			require.NoError(t, err)
			t.Cleanup(func() { other.Close() })
			sessions = append(sessions, other)
		}
		p, err := ranges.New[uint32](sessions[k], n, o)
		require.NoError(t, err)
		all = append(all, p)
	}
	return all, sessions
}

func testReadText(t *testing.T, e devicetest.Env, devices, width int) {
	text := versions(30000)
	n := len(text)
	o := ranges.Options{Capacity: 9000, Period: 31, Width: width}
	all, _ := sorters(t, e, devices, n, o)
	run := func(from io.ReaderAt) ([]uint32, error) {
		read, err := ranges.ReadText(t.Context(), from, n)
		if err != nil {
			return nil, err
		}
		require.Equal(t, n, read.Len())
		require.LessOrEqual(t, read.Width(), o.Width)
		var sa []uint32
		_, err = all[0].RunText(t.Context(), read, ranges.Job[uint32]{Others: all[1:],
			Yield: func(b ranges.Block[uint32]) error {
				sa = append(sa, b.Positions...)
				return nil
			}})
		require.Zero(t, e.Session.LiveBytes())
		return sa, err
	}
	sa, err := run(bytes.NewReader(text))
	require.NoError(t, err)
	require.Equal(t, conformance.ReferenceSuffixArray(text), sa)

	other := bytes.Clone(text)
	other[n/2]++
	_, err = run(newChanging(text, other, n, nil))
	require.ErrorIs(t, err, ranges.ErrTextChanged)
	swapped := bytes.Clone(text) // the same bytes in another order
	swapped[10], swapped[20] = text[20], text[10]
	require.NotEqual(t, text, swapped)
	_, err = run(newChanging(text, swapped, n, nil))
	require.ErrorIs(t, err, ranges.ErrTextChanged)
	_, err = run(newChanging(text, text[:n-7], n, nil))
	require.ErrorContains(t, err, "ends after")
	_, err = run(bytes.NewReader(text[:n-7]))
	require.ErrorContains(t, err, "the text ends after 29993 bytes of 30000")
	gone := errors.New("the disk is gone")
	for _, after := range []int{n / 2, n + n/2} {
		_, err = run(newChanging(text, nil, after, gone))
		require.ErrorIs(t, err, gone)
		require.ErrorContains(t, err, "reading the text at")
	}
}

// A guessed code that lacks characters is found out: the text is sorted all the same, or the error tells that it takes
// more bits.
func TestGuess(t *testing.T) {
	const n = 40_000
	defer ranges.GuessFrom(n)() // by the first and the third quarter
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		text := bytes.Repeat([]byte("a"), n)
		for i := 0; i < n; i += 3 {
			text[i] = 'c'
		}
		run := func(devices, width int) ([]uint32, error) {
			read := ranges.Guess(text)
			require.Equal(t, 1, read.Width())
			all, _ := sorters(t, e, devices, n, ranges.Options{Width: width})
			var sa []uint32
			job := ranges.Job[uint32]{Others: all[1:], Yield: func(b ranges.Block[uint32]) error {
				if b.First == 0 {
					sa = slices.Clone(b.Positions[:10])
				}
				return nil
			}}
			_, err := all[0].RunText(t.Context(), read, job)
			require.Equal(t, ranges.Width(text), read.Width())
			return sa, err
		}
		text[12_000], text[13_000] = 'b', 'A'
		for devices := 1; devices <= 2; devices++ {
			for _, width := range []int{2, 5} { // packed by the host, if at all, and by the devices
				sa, err := run(devices, width)
				require.NoError(t, err)
				require.Equal(t, uint32(13_000), sa[0])
			}
			sa, err := run(devices, 1)
			require.ErrorIs(t, err, ranges.ErrGuess)
			require.Empty(t, sa)
		}
	})
}
