package runner

import (
	"context"
	"errors"
	"slices"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/entries"
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
			Transform: true, LCP: true, Packed: len(text)%2 == 0}
		p, err := ranges.New[P](s, len(text), o)
		if err != nil {
			return nil, err
		}
		var transform []byte
		var lengths []uint32
		sa = []uint32{}
		state, err := p.Run(ctx, text, ranges.Job[P]{Yield: func(b ranges.Block[P]) error {
			for _, i := range b.Positions {
				sa = append(sa, uint32(i))
			}
			unpacked := make([]uint64, len(b.Packed)/ranges.PackedBytes)
			entries.Decode(unpacked, ranges.PackedBytes, b.Packed)
			for _, i := range unpacked {
				sa = append(sa, uint32(i))
			}
			transform = append(transform, b.Transform...)
			for _, l := range b.LCP {
				lengths = append(lengths, uint32(l))
			}
			return nil
		}})
		if err != nil || !slices.Equal(sa, conformance.ReferenceSuffixArray(text)) {
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

// rangesOfLetters asks for the programs of ranges in an order of letters and specials.
func rangesOfLetters(s *device.Session) {
	for _, packed := range []bool{false, true} {
		o := ranges.Options{Capacity: ranges.CapacityOf(longText, 2), LCP: true, Packed: packed}
		_, _ = ranges.New[uint32](s, longText, o)
		_, _ = ranges.New[uint64](s, longText, o)
	}
}
