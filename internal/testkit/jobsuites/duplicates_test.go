package jobsuites

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/suffixcl/suffixcl/conformance"
)

func duplicatesByDefinition(_ context.Context, text []byte, documents []uint64, q DuplicateQuery) ([]Range, error) {
	found, _ := ReferenceDuplicates(text, documents, q)
	return found, nil
}

func TestDuplicatesPasses(t *testing.T) {
	conformance.Run(t, Duplicates(duplicatesByDefinition, small()))
}

func TestDuplicatesFails(t *testing.T) {
	for name, change := range map[string]func(q *DuplicateQuery, documents []uint64) []uint64{
		"keeps all": func(q *DuplicateQuery, documents []uint64) []uint64 {
			q.KeepFirst = false
			return documents
		},
		"crosses documents": func(_ *DuplicateQuery, documents []uint64) []uint64 {
			return []uint64{0, documents[len(documents)-1]}
		},
		"one too long": func(q *DuplicateQuery, documents []uint64) []uint64 {
			q.Length++
			return documents
		},
		"counts to two": func(q *DuplicateQuery, documents []uint64) []uint64 {
			q.MinCount = 2
			return documents
		},
	} {
		wrong := func(ctx context.Context, text []byte, documents []uint64, q DuplicateQuery) ([]Range, error) {
			documents = change(&q, documents)
			return duplicatesByDefinition(ctx, text, documents, q)
		}
		failed := false
		for _, c := range Duplicates(wrong, small()) {
			failed = failed || c.Run(t.Context()) != nil
		}
		assert.True(t, failed, name)
	}
}
