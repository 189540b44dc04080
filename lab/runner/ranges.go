package runner

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/ranges"
)

// inRanges sorts texts in about three ranges, with positions of 32 and of 64 bits.
func inRanges() Subject {
	return Subject{Name: "ranges", Kind: "application",
		cases: func(s *device.Session, cfg conformance.Config) []conformance.Case {
			cfg = fewer(cfg)
			cfg.Tile, cfg.Large = 32, min(cfg.Large, 1<<12)
			return append(conformance.SuffixArray(rangesOf[uint32](s), cfg),
				conformance.SuffixArray(rangesOf[uint64](s), cfg)...)
		}}
}

// rangesOf returns the suffix array of a text, if transform and LCP array are right for it.
func rangesOf[P uint32 | uint64](s *device.Session) func(ctx context.Context, text []byte) ([]uint32, error) {
	return func(ctx context.Context, text []byte) (sa []uint32, err error) {
		const wanted = 3
		o := ranges.Options{Width: ranges.Width(text), Capacity: ranges.CapacityOf(len(text), wanted), Period: 7,
			Transform: true, LCP: true}
		switch n := uint64(len(text)); n % 4 {
		case 1:
			o.Packed = ranges.FiveBytes
		case 2: // with a bit for the second half
			o.Packed = &ranges.Entries{Bits: 33, From: []uint64{0, n / 2}, Add: []uint64{0, 1 << 32}}
		case 3: // some of both ends, and all between
			every := 2 + n/4%6
			o.Packed = &ranges.Entries{Bits: 33 + int(n/4%9), From: []uint64{0, n / 3, n / 2}, Add: []uint64{0, 1, 1 << 32},
				Every: every, Only: []uint64{n % every, every, 0}}
		}
		p, err := ranges.New[P](s, len(text), o)
		if err != nil {
			return nil, err
		}
		var transform []byte
		var lengths []uint32
		var some []uint64
		sa = []uint32{}
		state, err := p.Run(ctx, text, ranges.Job[P]{Yield: func(b ranges.Block[P]) error {
			for _, i := range b.Positions {
				sa = append(sa, uint32(i))
			}
			switch {
			case o.Packed == nil:
			case o.Packed.Every > 1:
				some = append(some, values(o.Packed, b.Packed, b.Entries)...)
			default:
				sa = append(sa, positions(o.Packed, b.Packed, b.Len)...)
			}
			transform = append(transform, b.Transform...)
			for _, l := range b.LCP {
				lengths = append(lengths, uint32(l))
			}
			return nil
		}})
		want := conformance.ReferenceSuffixArray(text)
		if o.Packed != nil && o.Packed.Every > 1 && err == nil {
			if !slices.Equal(entriesOf(o.Packed, want), some) {
				return nil, errors.New("the entries of some positions are others")
			}
			sa = want
		}
		if err != nil || !slices.Equal(sa, want) {
			return sa, err
		}
		if want, primary := conformance.ReferenceBWT(text, sa); !slices.Equal(want, transform) || primary != state.Primary {
			return nil, errors.New("the transform is another one")
		}
		if !slices.Equal(conformance.ReferenceLCP(text, sa), lengths) {
			return nil, errors.New("the LCP array is another one")
		}
		return sa, nil
	}
}

// values are packed entries, bit by bit.
func values(e *ranges.Entries, packed []byte, n int) (values []uint64) {
	for i := range n {
		var value uint64
		for bit := range e.Bits {
			at := i*e.Bits + bit
			value |= uint64(packed[at/8]>>(at%8)&1) << bit
		}
		values = append(values, value)
	}
	return values
}

// entriesOf are the entries of a suffix array of which some positions are left out.
func entriesOf(e *ranges.Entries, sa []uint32) (values []uint64) {
	for _, position := range sa {
		i, k := uint64(position), len(e.From)-1
		for e.From[k] > i {
			k--
		}
		if e.Only[k] >= e.Every || i%e.Every == e.Only[k] {
			values = append(values, i+e.Add[k])
		}
	}
	return values
}

// positions are those of packed entries. One whose bit is wrong is the largest of all.
func positions(e *ranges.Entries, packed []byte, n int) (positions []uint32) {
	for _, value := range values(e, packed, n) {
		second := len(e.From) == 2 && value&math.MaxUint32 >= e.From[1]
		if second != (value>>32 == 1) {
			value = math.MaxUint32
		}
		positions = append(positions, uint32(value))
	}
	return positions
}

// rangesOfLetters asks for the programs of ranges in an order of letters and specials.
func rangesOfLetters(s *device.Session) {
	for _, packed := range []*ranges.Entries{nil, ranges.FiveBytes} {
		o := ranges.Options{Capacity: ranges.CapacityOf(longText, 2), LCP: true, Packed: packed}
		_, _ = ranges.New[uint32](s, longText, o)
		_, _ = ranges.New[uint64](s, longText, o)
	}
}
