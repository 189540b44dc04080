package jobsuites

import (
	"bytes"
	"context"
	"fmt"
	"slices"
)

// Place is an offset in a text of a set.
type Place struct{ Document, Offset uint32 }

// Found is the result of a search of patterns in a set.
type Found struct {
	Places    [][]Place // of the occurrences of each pattern, ascending
	Documents []uint32  // number of texts that have each pattern
}

// SearchSet is the suite for searches of many patterns in sets of texts: those of [Set], and the patterns of [Search].
// The empty pattern has no occurrences. search must write to neither.
func SearchSet(search func(ctx context.Context, texts, patterns [][]byte) (Found, error), cfg Config) []Case {
	cfg = cfg.WithDefaults()
	var list []Case
	for _, c := range setCuts {
		suite := textSuite[Found]{
			run: func(ctx context.Context, text []byte) (Found, error) {
				return search(ctx, c.cut(text), searched(text, cfg))
			},
			judge: func(text []byte, got Found) error { return checkFound(c.cut(text), searched(text, cfg), got) },
		}
		for _, one := range suite.cases(cfg) {
			list = append(list, Case{Name: c.name + "/" + one.Name, Run: one.Run})
		}
	}
	for name, texts := range shapes(cfg) {
		list = append(list, Case{Name: "shapes/" + name, Run: func(ctx context.Context) error {
			patterns := searched(bytes.Join(texts, nil), cfg)
			got, err := search(ctx, texts, patterns)
			if err != nil {
				return err
			}
			return checkFound(texts, patterns, got)
		}})
	}
	slices.SortStableFunc(list, func(a, b Case) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
	return list
}

// checkFound looks for every pattern in every text.
func checkFound(texts, patterns [][]byte, got Found) error {
	if len(got.Places) != len(patterns) || len(got.Documents) != len(patterns) {
		return fmt.Errorf("results of %d and %d patterns, want %d", len(got.Places), len(got.Documents), len(patterns))
	}
	for q, pattern := range patterns {
		var places []Place
		documents := uint32(0)
		for k, text := range texts {
			before := len(places)
			for at := 0; len(pattern) > 0; at++ {
				next := bytes.Index(text[at:], pattern)
				if next < 0 {
					break
				}
				at += next
				places = append(places, Place{uint32(k), uint32(at)})
			}
			if len(places) > before {
				documents++
			}
		}
		if !slices.Equal(got.Places[q], places) {
			return fmt.Errorf("%.80q, of %d bytes, is found at %.20v, want %.20v", pattern, len(pattern), got.Places[q], places)
		}
		if got.Documents[q] != documents {
			return fmt.Errorf("%.80q, of %d bytes, is in %d texts, want %d", pattern, len(pattern), got.Documents[q], documents)
		}
	}
	return nil
}
