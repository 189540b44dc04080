package suffixcl

import (
	"iter"

	"github.com/suffixcl/suffixcl/internal/jobs/repeats"
	"github.com/suffixcl/suffixcl/seqio"
)

// Repeat is a substring that occurs more than once: Length characters of the text from position Start on. Length 0 says
// that there is none.
type Repeat struct{ Start, Length uint32 }

// RepeatOptions of longest repeats. The zero value finds the leftmost in a text of one sequence.
type RepeatOptions struct {
	// MinLength is the length in characters from which on repeats count; 0 and 1 take all.
	MinLength int
	// Records, if there are any, are the parts of the text: repeats lie inside of one, and positions outside of all have
	// none. They ascend and do not overlap; together they leave at least one byte value unused.
	Records seqio.Table
	// ReverseComplement: the text is DNA in the codes of IUPAC, and what occurs on the other strand is a repeat, too. A
	// substring that is its own reverse complement, such as ACGT, occurs there. Time and memory are doubled.
	ReverseComplement bool
	// All: every longest repeat of each position is found, not only the leftmost.
	All bool
}

// Repeats are the longest repeats that cover n consecutive positions of a text: of all of it, or of a part.
type Repeats struct {
	First  int      // position in the text of the first of them
	Start  []uint32 // [n]: start of the leftmost longest repeat of each position; 0 where there is none
	Length []uint32 // [n]: of the longest repeats of each position; 0 where there is none
	// Offsets [n+1] and Starts are all longest repeats, with RepeatOptions.All; else nil. Those of position First+i start
	// at Starts[Offsets[i]:Offsets[i+1]], ascending.
	Offsets []uint64
	Starts  []uint32
}

// All yields each position that a repeat covers with its repeat; where all longest repeats were found, with each of
// them, from left to right.
func (r *Repeats) All() iter.Seq2[int, Repeat] {
	return func(yield func(int, Repeat) bool) {
		for i, length := range r.Length {
			if length == 0 {
				continue
			}
			starts := r.Start[i : i+1]
			if r.Offsets != nil {
				starts = r.Starts[r.Offsets[i]:r.Offsets[i+1]]
			}
			for _, start := range starts {
				if !yield(r.First+i, Repeat{Start: start, Length: length}) {
					return
				}
			}
		}
	}
}

// Repeats are the longest repeats that cover each position of a text, in consecutive parts, from left to right. A part
// lies in one record. Starts and lengths count symbols, those of a set as its positions do. Repeats of a set lie inside
// of one of its texts, which may hold any bytes; terminators have none.
//
// Memory: 33 bytes of device memory a character while suffixes are sorted, and 12.3 for the queries. All takes 8 bytes
// of host memory a character. With RepeatOptions.All there are up to 2 log2(n) for each position in the mean, of 4
// bytes each, and offsets of 8. Errors: those of Build; *TextError for records, and with ReverseComplement for a
// byte that has no complement; a negative MinLength; records that use all byte values; these two options with a
// text that is not of bytes.
func (e *Engine) Repeats(text Text, o RepeatOptions) Job[*Repeats, *Repeats] {
	one := func(r *repeats.Repeats) *Repeats { return (*Repeats)(r) }
	return jobOf(repeats.Find(e.inner(), text.in, repeats.Options(o)), one, one)
}
