package enginetest

import (
	"context"
	"fmt"

	"github.com/suffixcl/suffixcl"
)

// limitsBefore are limits of `most` symbols, and of the symbols before the next one that is `end`.
func limitsBefore(text []byte, end byte, most int, flag uint8) []uint8 {
	longest := make([]uint8, len(text))
	next := len(text)
	ends := uint8(0)
	for i := len(text) - 1; i >= 0; i-- {
		if text[i] == end {
			next, ends = i, flag
		}
		if longest[i] = uint8(min(next-i, most)); next-i <= most {
			longest[i] += ends
		}
	}
	return longest
}

// substrings are those of a text that limits allow, and how often they occur: those that occur twice or more, and that
// different symbols follow, what an end of limits is before and the end of the text being like nothing else.
func substrings(text []byte, longest []uint8) map[string]uint32 {
	type follower struct{ symbol, place int }
	followers := map[string]map[follower]bool{}
	counts := map[string]uint32{}
	for i := range text {
		most := int(longest[i] & 0x7f)
		for d := 1; d <= min(most, len(text)-i); d++ {
			s := string(text[i : i+d])
			f := follower{-1, i}
			if i+d < len(text) && !(d == most && longest[i]&suffixcl.SubstringEnd != 0) {
				f = follower{int(text[i+d]), -1}
			}
			if followers[s] == nil {
				followers[s] = map[follower]bool{}
			}
			followers[s][f] = true
			counts[s]++
		}
	}
	for s, f := range followers {
		if len(f) < 2 {
			delete(counts, s)
		}
	}
	return counts
}

// CountSubstrings compares intervals within limits with the answers, the best and all.
func CountSubstrings(ctx context.Context, e *suffixcl.Engine, text suffixcl.Text, letters []byte, flag uint8) error {
	if len(letters) == 0 {
		return nil
	}
	o := suffixcl.IntervalOptions{Longest: limitsBefore(letters, letters[0], 7, flag), Best: max(len(letters), 1),
		By: suffixcl.ByArea}
	want := substrings(letters, o.Longest)
	all := o
	all.Best = 0
	listed, err := e.Intervals(text, all).All(ctx)
	if err != nil {
		return err
	}
	for _, i := range listed.All() {
		if s := string(letters[i.Position : i.Position+i.Depth]); want[s] != i.Count() {
			return fmt.Errorf("%w: %q %d times instead of %d", ErrWrong, s, i.Count(), want[s])
		}
	}
	if listed.Len() != len(want) {
		return fmt.Errorf("%w: %d substrings instead of %d", ErrWrong, listed.Len(), len(want))
	}
	got, err := e.Intervals(text, o).All(ctx)
	if err != nil {
		return err
	}
	last := ^uint32(0)
	for _, i := range got.All() {
		s := string(letters[i.Position : i.Position+i.Depth])
		if want[s] != i.Count() || i.Count()*i.Depth > last {
			return fmt.Errorf("%w: %q %d times instead of %d", ErrWrong, s, i.Count(), want[s])
		}
		last = i.Count() * i.Depth
		delete(want, s)
	}
	if len(want) > 0 {
		return fmt.Errorf("%w: missing %v", ErrWrong, want)
	}
	return nil
}

// SuffixBlocks compares the blocks of Arrays with the suffix array.
func SuffixBlocks(
	ctx context.Context, e *suffixcl.Engine, text suffixcl.Text, order suffixcl.Order, sa []uint32,
) error {
	var got []uint32
	want := suffixcl.Want{SA: true, Order: order}
	err := Run(ctx, e.Arrays(text, want), func(block *suffixcl.Result) error {
		if block.First != len(got) || block.Order != order {
			return fmt.Errorf("a block at %d in order %v, not at %d", block.First, block.Order, len(got))
		}
		got = append(got, block.SA...)
		return nil
	})
	return Right(err, got, sa)
}
