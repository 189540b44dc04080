package inranges_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
)

// gone is a text that cannot be read from a byte on.
type gone struct {
	io.ReaderAt
	from int64
}

var errGone = errors.New("gone")

func (g gone) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > g.from {
		return 0, errGone
	}
	return g.ReaderAt.ReadAt(p, off)
}

// changing is a text in which a letter becomes special when it is read again.
type changing struct {
	text  []byte
	reads *int
}

func (c changing) ReadAt(p []byte, off int64) (int, error) {
	n := copy(p, c.text[off:])
	if *c.reads++; *c.reads > 1 && off == 0 {
		p[0] = '#'
	}
	return n, nil
}

// In ranges a text with specials has the suffix array of its definition, in memory or not, in any form of blocks.
func TestSpecialsInRanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 6))
	text := make([]byte, 30_000)
	for i := range text {
		switch text[i] = "acgtn"[min(rng.IntN(40), 4)%5]; {
		case rng.IntN(8) > 0:
			text[i] = "acgt"[rng.IntN(4)]
		case i > 5000 && rng.IntN(2) > 0:
			copy(text[i-50:i], text[i-5000:])
		}
	}
	e := enginetest.On(t, suffixcl.EngineOptions{})
	small, err := suffixcl.Open(suffixcl.Options{MaxMemory: 360 << 10})
	require.NoError(t, err)
	defer small.Close()
	ranges := 0
	for _, c := range []struct {
		text    []byte
		letters string
	}{{text, "acgt"}, {text, "n"}, {text, ""}, {text, "acgtn"}, {text[:1], "acgt"}, {nil, "a"}, {[]byte("nnn"), "a"}} {
		letters := func(b byte) bool { return strings.IndexByte(c.letters, b) < 0 }
		want, _ := jobsuites.ReferenceSpecials(c.text, letters)
		for _, packed := range []bool{false, true} {
			for k, of := range []suffixcl.Text{suffixcl.Bytes(c.text), suffixcl.Reader(bytes.NewReader(c.text), len(c.text))} {
				on := []*suffixcl.Engine{e, small}[k]
				o := suffixcl.RangeOptions{Packed: packed, Order: suffixcl.SpecialsLargest(c.letters)}
				var sa []uint32
				var stats suffixcl.Stats
				for b, err := range on.Ranges(of, o).Each(suffixcl.WithStats(t.Context(), &stats)) {
					require.NoError(t, err)
					require.Equal(t, len(sa), b.First)
					for i := range b.Len {
						if packed {
							sa = append(sa, binary.LittleEndian.Uint32(b.Packed[5*i:]))
							require.Zero(t, b.Packed[5*i+4])
						} else {
							sa = append(sa, uint32(b.Positions[i]))
						}
					}
				}
				require.Equal(t, len(want), len(sa))
				for i := range want {
					require.Equal(t, want[i], sa[i], i)
				}
				plan, err := on.Ranges(of, o).Plan(t.Context())
				require.NoError(t, err)
				if k == 0 { // else it is that of a text without specials
					require.LessOrEqual(t, stats.PeakBytes, plan.Device())
				}
				ranges = max(ranges, stats.Ranges)
			}
		}
	}
	require.Greater(t, ranges, 3)
}

func TestSpecialsInRangesErrors(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	text := []byte(strings.Repeat("acgtn", 100))
	specials := suffixcl.SpecialsLargest("acgt")
	run := func(text suffixcl.Text, o suffixcl.RangeOptions) error {
		o.Yield = func(suffixcl.SuffixBlock) error { return nil }
		_, err := e.Ranges(text, o).All(t.Context())
		return err
	}
	for _, o := range []suffixcl.RangeOptions{
		{Transform: true}, {LCP: true}, {NoPositions: true}, {Saved: func(suffixcl.RangeState) error { return nil }},
		{From: suffixcl.RangeState{Done: 1}},
	} {
		o.Order = specials
		require.ErrorContains(t, run(suffixcl.Bytes(text), o), "the suffix array alone")
	}
	for _, o := range []suffixcl.Order{suffixcl.OrderEndLargest, suffixcl.OrderMemory,
		suffixcl.SpecialsLargest(strings.Repeat("x", 3) + string(allBytes()[2:]))} {
		err := run(suffixcl.Bytes(text), suffixcl.RangeOptions{Order: o})
		require.ErrorIs(t, err, suffixcl.ErrUsage)
		require.ErrorContains(t, err, "no order")
	}
	o := suffixcl.RangeOptions{Order: specials}
	err := run(suffixcl.Reader(gone{bytes.NewReader(text), 300}, len(text)), o)
	require.ErrorIs(t, err, errGone)
	require.ErrorContains(t, run(suffixcl.Reader(bytes.NewReader(text), len(text)+1), o), "ends after 500 bytes of 501")
	err = run(suffixcl.Reader(changing{text, new(int)}, len(text)), o)
	require.ErrorIs(t, err, suffixcl.ErrTextChanged)
	stopped := errors.New("stopped")
	o.Yield = func(b suffixcl.SuffixBlock) error {
		if b.Positions[0]%5 == 4 {
			return stopped // at the specials
		}
		return nil
	}
	_, err = e.Ranges(suffixcl.Bytes(text), o).All(t.Context())
	require.ErrorIs(t, err, stopped)
}

func allBytes() (all []byte) {
	for b := range 256 {
		all = append(all, byte(b))
	}
	return all
}
