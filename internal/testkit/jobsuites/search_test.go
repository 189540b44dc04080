package jobsuites

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"github.com/suffixcl/suffixcl/conformance"
)

// searchByHand finds patterns by looking everywhere; match decides about a place.
func searchByHand(match func(text, pattern []byte, at int) bool) searcher {
	return func(_ context.Context, text []byte, patterns [][]byte) ([][]uint32, error) {
		found := make([][]uint32, len(patterns))
		for q, pattern := range patterns {
			for at := range text {
				if len(pattern) > 0 && at+len(pattern) <= len(text) && match(text, pattern, at) {
					found[q] = append(found[q], uint32(at))
				}
			}
		}
		return found, nil
	}
}

func occurs(text, pattern []byte, at int) bool { return bytes.HasPrefix(text[at:], pattern) }

func occursInDNA(text, pattern []byte, at int) bool {
	return occurs(text, pattern, at) && len(bytes.Trim(pattern, "ACGT")) == 0
}

func TestSearchPasses(t *testing.T) {
	conformance.Run(t, Search(searchByHand(occurs), small()))
	conformance.Run(t, SearchDNA(searchByHand(occursInDNA), small()))
}

func TestSearchFails(t *testing.T) {
	good := searchByHand(occurs)
	for name, change := range map[string]func(text []byte, patterns [][]byte, found [][]uint32) [][]uint32{
		"misses the last suffix": func(text []byte, _ [][]byte, found [][]uint32) [][]uint32 {
			for q := range found {
				found[q] = slices.DeleteFunc(found[q], func(at uint32) bool { return int(at) == len(text)-1 })
			}
			return found
		},
		"finds the empty pattern": func(_ []byte, patterns [][]byte, found [][]uint32) [][]uint32 {
			for q := range found {
				if len(patterns[q]) == 0 {
					found[q] = []uint32{0}
				}
			}
			return found
		},
		"descends": func(_ []byte, _ [][]byte, found [][]uint32) [][]uint32 {
			for q := range found {
				slices.Reverse(found[q])
			}
			return found
		},
		"writes to patterns": func(_ []byte, patterns [][]byte, found [][]uint32) [][]uint32 {
			patterns[1][0]++
			return found
		},
		"returns nothing": func([]byte, [][]byte, [][]uint32) [][]uint32 { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			assertFails(t, Search(func(ctx context.Context, text []byte, patterns [][]byte) ([][]uint32, error) {
				found, err := good(ctx, text, patterns)
				return change(text, patterns, found), err
			}, small()))
		})
	}
	t.Run("compares 16 characters", func(t *testing.T) {
		match := func(text, pattern []byte, at int) bool { return occurs(text, pattern[:min(len(pattern), 16)], at) }
		assertFails(t, Search(searchByHand(match), small()))
	})
	t.Run("finds N", func(t *testing.T) { assertFails(t, SearchDNA(good, small())) })
}
