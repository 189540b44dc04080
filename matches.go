package suffixcl

import (
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/jobs/genomes"
	"github.com/suffixcl/suffixcl/internal/jobs/search"
)

// MatchKind says which exact matches of a reference and a query are wanted. A match is maximal if it cannot be longer
// on either side.
type MatchKind int

// The kinds.
const (
	UniqueInReference MatchKind = iota // maximal, and occurs once in the reference
	MaximalUnique                      // and once in the query, of which each text and strand counts for itself: MUMs
	MaximalExact                       // all that are maximal: MEMs
)

// Strands of DNA.
type Strands int

// The strands of a query that are matched. The reverse one is the reverse complement.
const (
	ForwardStrand Strands = iota
	ReverseStrand
	BothStrands
)

// DefaultMatchLength is the least length of a match where none is given.
const DefaultMatchLength = genomes.DefaultMatchLength

// MatchOptions say which matches are wanted.
type MatchOptions struct {
	Kind      MatchKind
	MinLength int // 0 stands for DefaultMatchLength
	Strands   Strands
	// Letters are those that match; all other bytes match nothing. Empty: bytes match as they are, but 0, which no text
	// may hold. Case is not folded.
	Letters string
}

// Match is an exact match.
type Match struct {
	Reference uint32 // position in the reference: Collection.Find tells the text
	Query     uint32 // position in the strand of the query's text
	Length    uint32
}

// Matches are some of one strand of a text of the queries.
type Matches struct {
	Text    int  // number of the text, from 0
	Reverse bool // the strand: Query counts from the end of the text, on its reverse complement
	Matches []Match
}

// Matches are those of each text of the queries with all of the reference, strand by strand, in the order of the texts:
// at least one part for each, also where there are none, and more where there are many. They come by position in the
// query; those of MaximalUnique by position in the reference. All has one for each text and strand, in 12 bytes of host
// memory a match.
//
// No match reaches beyond a text. The reverse complement of a byte that is no code of IUPAC, or is U, is N.
//
// Reference and queries are sorted together (package matches has the method). Queries that do not fit go in pieces of
// whole texts, each with the reference once more.
//
// The plan is that of the piece of the queries that takes most. The host has the texts once more, in pieces, and for
// MaximalUnique 24 bytes for each match of one text that is unique in the reference. Cost: linear in the texts and the
// matches, but for O(log n) of each. Errors: those of SuffixArray; options that are unknown; a *TextError where a
// text holds a byte 0; a *device.MemoryError where a text of the queries does not fit with the reference.
func (e *Engine) Matches(reference, queries Text, o MatchOptions) Job[*Matches, []*Matches] {
	inner := genomes.MatchOptions{Kind: genomes.MatchKind(o.Kind), MinLength: o.MinLength,
		Strands: genomes.Strands(o.Strands), Letters: o.Letters}
	return jobOf(genomes.FindMatches(e.inner(), reference.in, queries.in, inner), matchesOf, eachOf(matchesOf))
}

// MultiMatchOptions say which matches of several genomes are wanted.
type MultiMatchOptions struct {
	MinLength  int // 0 stands for DefaultMatchLength
	MinGenomes int // in so many genomes at least; 0: in all of them
	// MostEach is how often a match may occur in one genome: 1 for multi-MUMs. MostCount is how often in all of them. 0:
	// no limit.
	MostEach, MostCount int
	// BothStrands: occurrences on the other strand count as well. Each match comes twice then, as it is and as its reverse
	// complement.
	BothStrands bool
	// Letters are those that match; none holds another byte. Empty: all bytes but 0, which no text may hold.
	Letters string
}

// GenomePosition is where a multi-match occurs.
type GenomePosition struct {
	Genome, Text int32  // numbers of the genome, and of the text in it, from 0
	Position     uint32 // of its first letter on the forward strand of the text
	Reverse      bool   // its reverse complement is there
}

// MultiMatch is an exact match of several genomes: it cannot be longer on either side at all its occurrences.
type MultiMatch struct {
	Length      uint32
	Occurrences []GenomePosition // in the order of the suffixes
}

// MultiMatches are the exact matches of several genomes, each of them a set of texts or one of bytes, in the order of
// the last suffixes that begin with them, longer ones first.
//
// They are left-maximal intervals of the LCP array of all genomes (Abouelhoda, Kurtz & Ohlebusch 2004), filtered by
// their numbers of genomes (Hui 1992).
//
// All takes 16 bytes of host memory an occurrence, and 28 a match. Cost: that of Intervals, and linear in the
// occurrences. Errors: those of SuffixArray; limits that are negative; a *TextError where a text holds a byte 0.
func (e *Engine) MultiMatches(genomes []Text, o MultiMatchOptions) Job[*MultiMatch, []MultiMatch] {
	return multiMatches(e, genomes, o)
}

func multiMatches(e *Engine, texts []Text, o MultiMatchOptions) Job[*MultiMatch, []MultiMatch] {
	inner := make([]input.Text, len(texts))
	for i, genome := range texts {
		inner[i] = genome.in
	}
	one := func(m *genomes.MultiMatch) *MultiMatch {
		found := multiMatchOf(*m)
		return &found
	}
	return jobOf(genomes.FindMultiMatches(e.inner(), inner, genomes.MultiMatchOptions(o)), one, eachOf(multiMatchOf))
}

func matchesOf(m *genomes.Matches) *Matches {
	if m == nil {
		return nil
	}
	return &Matches{Text: m.Text, Reverse: m.Reverse, Matches: sliceOf[Match](m.Matches)}
}

func multiMatchOf(m genomes.MultiMatch) MultiMatch {
	return MultiMatch{Length: m.Length, Occurrences: sliceOf[GenomePosition](m.Occurrences)}
}

// The elements have the same fields: see sliceOf.
var (
	_ = Match(genomes.Match{})
	_ = GenomePosition(genomes.GenomePosition{})
	_ = Occurrence(search.Occurrence{})
)
