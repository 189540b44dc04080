package suffixcl

import (
	"context"

	"github.com/suffixcl/suffixcl/internal/jobs/search"
	"github.com/suffixcl/suffixcl/patterns"
	"github.com/suffixcl/suffixcl/seqio"
)

// MatcherOptions of Matcher. The zero value sorts a text of one record.
type MatcherOptions struct {
	// SuffixArray [len(text)] is that of the text, with DNA of the folded text; it is verified. nil: it is computed.
	SuffixArray []uint32
	// Records and DNA are as in IndexOptions.
	Records seqio.Table
	DNA     bool
	// Documents prepares a Matcher of a set for CountDocuments: 4 bytes a character more, and 38 in all while it is
	// prepared.
	Documents bool
}

// Matcher holds text and suffix array on the engine's device: 5 to 9.3 bytes a character. It searches faster than an
// Index. It must be closed. Its calls take turns with those of the engine, as those of an Index do.
type Matcher struct {
	searcher
	matcher *search.Matcher
}

func matcherOf(m *search.Matcher) *Matcher {
	if m == nil {
		return nil
	}
	return &Matcher{searcher{&m.Searcher}, m}
}

// inner is the matcher of the jobs, which may be a zero one.
func (m *Matcher) inner() *search.Matcher {
	if m.matcher == nil {
		return &search.Matcher{}
	}
	return m.matcher
}

// Matcher prepares a text for searches, and is the caller's to close: one part. A loop over Each has it while the
// engine is busy; All returns it. Patterns for symbols of 16 and 32 bits are those of patterns.OfTokens16 and
// OfTokens32; positions count symbols. MatcherOptions.Records and DNA are for bytes. Patterns for sets are bytes;
// positions are those of the set, and no occurrence crosses terminators, whatever the texts hold.
//
// Plans depend on whether MatcherOptions.SuffixArray is there, not on its length. That of a Length is for a text of
// bases, which takes most.
//
// Errors: those of Arrays, with a suffix array those of VerifyArrays; *TextError; options of other texts.
func (e *Engine) Matcher(text Text, o MatcherOptions) Job[*Matcher, *Matcher] {
	return jobOf(search.BuildMatcher(e.inner(), text.in, search.MatcherOptions(o)), matcherOf, matcherOf)
}

// Occurrence is a place in a set: an offset in one of its texts.
type Occurrence struct{ Document, Offset uint32 }

// CountDocuments returns counts [b.Len()]uint32: in how many texts of the set each pattern occurs. The Matcher is
// one of Engine.Matcher with MatcherOptions.Documents, of a set. A pattern takes as long as in Count, however often
// it occurs. Errors: those of Count; another Matcher.
func (m *Matcher) CountDocuments(ctx context.Context, b *patterns.Batch) ([]uint32, error) {
	counts, err := m.inner().CountDocuments(ctx, b)
	return counts, public(err)
}

// LocateOccurrences is Locate in the texts of a set: emit gets the occurrences of a pattern by text and offset,
// ascending. Host memory is 8 bytes more for each occurrence of the pattern that has most. Errors as Locate; a Matcher
// of a text that is no set.
func (m *Matcher) LocateOccurrences(
	ctx context.Context, b *patterns.Batch, emit func(pattern int, occurrences []Occurrence) error,
) error {
	if emit == nil {
		return public(m.inner().LocateOccurrences(ctx, b, nil))
	}
	return public(m.inner().LocateOccurrences(ctx, b, func(pattern int, occurrences []search.Occurrence) error {
		return emit(pattern, sliceOf[Occurrence](occurrences))
	}))
}
