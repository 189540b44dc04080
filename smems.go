package suffixcl

import (
	"io"
	"sort"

	"github.com/suffixcl/suffixcl/internal/jobs/smems"
	"github.com/suffixcl/suffixcl/internal/smem"
	"github.com/suffixcl/suffixcl/patterns"
)

// DNATransform is the Burrows-Wheeler transform of a text of bases that is its own reverse complement: a sequence and
// its other strand, as bwa has them.
type DNATransform struct {
	Bases   []byte // [n], 0 to 3 for A, C, G, T, without the row of the end
	Primary int    // the row of the whole text; row 0 is that of the end
	// Samples [n/Every] are the places of the suffixes of rows Every, 2*Every and so on. Every is 0 without.
	Samples []uint64
	Every   int
}

// SMEMOptions say what SMEMs finds, and where.
type SMEMOptions struct {
	// Transform or Pangenome, a file of ropebwt3 (.fmd), is the index.
	Transform *DNATransform
	Pangenome *io.SectionReader
	// Runs are the files .bwt.heads, .bwt.len and .thr_pos of Movi, SPUMONI or MONI, in place of an index: there are no
	// matches, but pseudo-matching lengths. They go with no options for matches.
	Runs [3]*io.SectionReader
	// MinLength are the letters that a match has at least, MinHits how often it occurs at least: each at least 1.
	MinLength, MinHits int
	// MaxLocated is of how many hits at most a match gets their positions; 0: none does. It needs samples.
	MaxLocated int
	// Next returns the next queries, and after the last io.EOF. A batch stays as it is until the call after. It may not
	// call the engine: see ErrInCallback. Letters are ACGT in upper or lower case, all other bytes are N.
	Next func() (*patterns.Batch, error)
	// Letters and Queries are those of the largest batch, for plans; 0: not known.
	Letters, Queries int
}

// SMEM is a match: [Start, End) of a query occurs in Hits rows of the index, from Row on.
type SMEM struct {
	Query, Start, End uint32 // Query counts from the first one of the part
	Row, Hits         uint64
}

// SMEMs are the matches of Queries queries from number First on, in the order of queries and of where they begin.
// Positions are those of each match with up to SMEMOptions.MaxLocated hits, in the order of rows: places in the text of
// both strands.
type SMEMs struct {
	First, Queries int
	Matches        []SMEM
	Positions      []uint64
	Lengths        []uint32 // pseudo-matching lengths, one for each letter of the queries
}

// AppendMatchingStatistics appends the matching statistics of a query of so many letters: for each place the number of
// letters of the longest string from there on that occurs MinHits times or more. The matches have to be those of a
// MinLength of 1. query counts as SMEM.Query does. Time: that of the letters and matches of the query.
func (s *SMEMs) AppendMatchingStatistics(to []uint32, query, letters int) []uint32 {
	k := sort.Search(len(s.Matches), func(i int) bool { return int(s.Matches[i].Query) >= query })
	end := uint32(0) // of the match that goes on furthest
	for at := range uint32(letters) {
		for ; k < len(s.Matches) && int(s.Matches[k].Query) == query && s.Matches[k].Start <= at; k++ {
			end = s.Matches[k].End
		}
		to = append(to, max(end, at)-at)
	}
	return to
}

// SMEMs finds super-maximal exact matches: what occurs often enough and is long enough, where no longer part of the
// query with it occurs as often. N is in no match with a transform; in a pangenome it is a letter.
//
// Memory: 1/3 byte a base of the transform and 8 a sample, or 1.6 to 2.9 bytes a run; a table of at most as much, up to
// 256 MiB; a batch: 2 bytes a letter and 300 a query. Cost: about a step a letter. Queries of any length are taken;
// long ones are cut, and each chunk walks to the end of the match that it begins in.
//
// With Runs each letter has a pseudo-matching length. No query is cut: its letters are steps one after the other.
// Memory: about 12 bytes a run; 5 bytes a letter of a batch. The files are read twice.
//
// Errors: an *IndexError for a damaged index, or one without both strands; those of Next.
func (e *Engine) SMEMs(o SMEMOptions) Job[*SMEMs, *SMEMs] {
	in := smems.Options{Transform: (*smem.Transform)(o.Transform), Pangenome: o.Pangenome, Runs: o.Runs,
		MinLength: o.MinLength, MinHits: o.MinHits, MaxLocated: o.MaxLocated, Next: o.Next,
		Letters: o.Letters, Queries: o.Queries}
	whole := func(f *smems.Found) *SMEMs {
		if f == nil {
			return nil
		}
		return &SMEMs{f.First, f.Queries, sliceOf[SMEM](f.Matches), f.Positions, f.Lengths}
	}
	return jobOf(smems.Find(e.inner(), in), whole, whole)
}
