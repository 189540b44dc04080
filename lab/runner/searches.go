package runner

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/patternset"
	"github.com/suffixcl/suffixcl/internal/testkit/builders"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/patterns"
)

// searcher finds the positions of patterns in a text.
type searcher = func(ctx context.Context, text []byte, patterns [][]byte) ([][]uint32, error)

// indexed searches in an FM-index, every other one of which has been in a file.
func indexed(e *suffixcl.Engine, dna bool) searcher {
	rates := []int{1, 2, 3, 8, 32}
	return func(ctx context.Context, text []byte, list [][]byte) ([][]uint32, error) {
		o := suffixcl.IndexOptions{SampleEvery: rates[len(text)%len(rates)], DNA: dna}
		x, err := e.Index(suffixcl.Bytes(text), o).All(ctx)
		if err != nil {
			return nil, err
		}
		defer func() { x.Close() }()
		if len(text)%2 == 1 {
			var file bytes.Buffer
			if err := x.Save(ctx, &file); err != nil {
				return nil, err
			}
			again, err := e.LoadIndex(ctx, &file)
			if err != nil {
				return nil, err
			}
			x.Close()
			x = again
		}
		return lookUp(ctx, x, list)
	}
}

// matched searches by a Matcher.
func matched(e *suffixcl.Engine) searcher {
	return func(ctx context.Context, text []byte, list [][]byte) ([][]uint32, error) {
		m, err := e.Matcher(suffixcl.Bytes(text), suffixcl.MatcherOptions{}).All(ctx)
		if err != nil {
			return nil, err
		}
		defer m.Close()
		return lookUp(ctx, m, list)
	}
}

// lookUp returns the positions of each pattern.
func lookUp(ctx context.Context, x builders.Searcher, list [][]byte) ([][]uint32, error) {
	batch, err := patterns.Of(list...)
	if err != nil {
		return nil, err
	}
	return builders.Locate(ctx, x, batch)
}

// search enqueues writing the interval of slots of each pattern.
type search = func(
	text *device.Buffer[uint8], sa *device.Buffer[uint32], set patternset.Set, intervals *device.Buffer[[2]uint32],
)

// arrays is a text with its suffix array and LCP array.
type arrays struct {
	text    *device.Buffer[uint8]
	counts  *[256]uint64 // of each byte in the text
	sa, lcp *device.Buffer[uint32]
}

// inArrays is a subject that searches in text, suffix array and LCP array on the device.
func inArrays(name string, prepare func(b *rig, in arrays) (search, error)) Subject {
	cases := func(s *device.Session, cfg conformance.Config) []conformance.Case {
		cfg.Tile, cfg.MaxPattern = tuned.Of(s).Search.WG*tuned.Of(s).Search.Items, patternset.Longest(s)
		return jobsuites.Search(func(ctx context.Context, text []byte, list [][]byte) (found [][]uint32, err error) {
			batch, err := patterns.Of(list...)
			if err != nil {
				return nil, err
			}
			array := conformance.ReferenceSuffixArray(text)
			err = on(s, func(b *rig) error {
				in, sa, lcp := give(b, text), give(b, array), give(b, conformance.ReferenceLCP(text, array))
				letters, offsets, intervals := give(b, batch.Text), give(b, batch.Offsets), guard[[2]uint32](b, len(list))
				if b.err != nil {
					return nil
				}
				find, err := prepare(b, arrays{in.Buffer, fmindex.Histogram(text), sa.Buffer, lcp.Buffer})
				if err != nil {
					return err
				}
				set := patternset.Set{Text: letters.Buffer, Offsets: offsets.Buffer, Len: len(list), Bytes: letters.Len()}
				find(in.Buffer, sa.Buffer, set, intervals.Buffer)
				slots := take(b, intervals)
				if b.err != nil {
					return nil
				}
				for q, slot := range slots {
					if slot[0] > slot[1] || int(slot[1]) > len(text) {
						return fmt.Errorf("%.80q is in the slots %d, of %d", list[q], slot, len(text))
					}
					positions := slices.Clone(array[slot[0]:slot[1]])
					slices.Sort(positions)
					found = append(found, positions)
				}
				return nil
			})
			return found, err
		}, cfg)
	}
	return Subject{Name: name, Kind: "application", cases: cases}
}
