package enginetest

import (
	"bytes"
	"context"
	"slices"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/patterns"
)

// FoundIn are the occurrences of a pattern in texts, by definition.
func FoundIn(texts [][]byte, pattern []byte) (all []suffixcl.Occurrence, documents uint32) {
	for k, text := range texts {
		places := Occurrences(text, pattern)
		for _, at := range places {
			all = append(all, suffixcl.Occurrence{Document: uint32(k), Offset: at})
		}
		if len(places) > 0 {
			documents++
		}
	}
	return all, documents
}

// Occurrences are the positions of a pattern, by definition.
func Occurrences[T comparable](text, pattern []T) (positions []uint32) {
	for i := 0; len(pattern) > 0 && i+len(pattern) <= len(text); i++ {
		if slices.Equal(text[i:i+len(pattern)], pattern) {
			positions = append(positions, uint32(i))
		}
	}
	return positions
}

// searchHalves searches in the halves of a text, and counts documents.
func searchHalves(ctx context.Context, e *suffixcl.Engine, a Answers) error {
	m, err := e.Matcher(suffixcl.Documents(Halves(a.Text)...), suffixcl.MatcherOptions{Documents: true}).All(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	want, documents := FoundIn(Halves(a.Text), a.pattern)
	batch, err := patterns.Of(a.pattern)
	if err != nil {
		return err
	}
	counts, err := m.CountDocuments(ctx, batch)
	if err := Right(err, counts, []uint32{documents}); err != nil {
		return err
	}
	var got []suffixcl.Occurrence
	err = m.LocateOccurrences(ctx, batch, func(_ int, places []suffixcl.Occurrence) error {
		got = slices.Clone(places)
		return nil
	})
	return Right(err, got, want)
}

// indexSymbols looks up a pattern in an index of symbols, which has been in a file.
func indexSymbols(ctx context.Context, e *suffixcl.Engine, a Answers) error {
	if len(a.pattern) == 0 {
		return nil
	}
	batch, err := patterns.OfTokens16(WordsOf(a.pattern))
	if err != nil {
		return err
	}
	x, err := e.Index(suffixcl.Tokens16(WordsOf(a.Text)), suffixcl.IndexOptions{SampleEvery: 4}).All(ctx)
	if err != nil {
		return err
	}
	defer x.Close()
	var file bytes.Buffer
	if err := x.Save(ctx, &file); err != nil {
		return err
	}
	again, err := e.LoadIndex(ctx, &file)
	if err != nil {
		return err
	}
	defer again.Close()
	var got []uint32
	err = again.Locate(ctx, batch, func(_ int, positions []uint32) error {
		got = slices.Clone(positions)
		return nil
	})
	return Right(err, got, a.found)
}
