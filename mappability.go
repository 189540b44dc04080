package suffixcl

import (
	"github.com/suffixcl/suffixcl/internal/jobs/genomes"
)

// MappabilityOptions say what is counted.
type MappabilityOptions struct {
	// K are the lengths whose frequencies are wanted, each at least 1.
	K []int
	// Unique: the length of the shortest substring at each position that occurs once, too.
	Unique bool
	// BothStrands: what occurs on the other strand counts as well. A k-mer that is its own reverse complement counts once
	// at each place; a shortest unique substring is none.
	BothStrands bool
	// Letters are those of k-mers; none holds another byte. Empty: all bytes but 0, which no text may hold.
	Letters string
	// Grouped, if not nil, is told of groups of whole texts, where not all fit at once: how many there are, and how often
	// texts are sorted. A plan tells it, and a run before it sorts.
	Grouped func(groups, sorts int)
}

// Mappability is that of some positions of a text.
type Mappability struct {
	K    int // 0: lengths of shortest unique substrings
	Text int // number of the text, from 0
	// Values [m]uint32 of positions First to First+m-1 of the text: how often the k-mer there occurs in all texts, or the
	// length of the shortest substring that does so once; 0 where there is none.
	First  int
	Values []uint32
}

// Mappability is that of all positions of a set of texts, or of one of bytes: for each of o.K, in its order, and then
// for the shortest unique substrings, text by text. All has one for each length and text, in 4 bytes of host memory a
// position.
//
// K-mers of up to four letters, and of up to mappability.LongestKmer of them, are counted by sorted hashes, which takes
// less time and memory than sorting suffixes. Where that is not possible, or shortest unique substrings are wanted, the
// text of both strands is sorted. Hashes may also fail while they count: a k-mer fills a part of the text, or those of
// more than mappability.DistinctKmer letters collide. Then suffixes are sorted from that length on. What does not fit
// then, or has more than MaxLen characters, goes in groups of whole texts, two at a time. What they count is added up
// on the host, in 4 bytes a position for each length. The two longest texts have to fit.
//
// Memory: where suffixes are sorted, with both strands that of a text twice as long. Of a plan the names of phases that
// are needed only if hashes fail say so. If these do not fit, the job takes none of their memory, and a phase of 0
// bytes has the error that it returns then. Cost: linear, but for O(log n) of a k-mer that occurs more than once; each
// pair of groups is sorted. Errors: those of SuffixArray; no k, or one below 1; a *TextError where a text holds a
// byte 0. If neither hashes nor sorted suffixes fit, the error has the numbers of both. If hashes fail and sorted
// suffixes do not fit, it comes after the values of the lengths before.
func (e *Engine) Mappability(of Text, o MappabilityOptions) Job[*Mappability, []*Mappability] {
	one := func(part *genomes.Mappability) *Mappability { return (*Mappability)(part) }
	return jobOf(genomes.CountMappability(e.inner(), of.in, genomes.MappabilityOptions(o)), one, eachOf(one))
}
