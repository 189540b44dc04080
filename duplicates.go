package suffixcl

import (
	"github.com/suffixcl/suffixcl/internal/duplicates"
	"github.com/suffixcl/suffixcl/internal/jobs/dedup"
)

// DuplicateOptions say which windows of a text are duplicates.
type DuplicateOptions struct {
	Length      int  // of windows, in symbols: from 2 to 2^30
	SymbolBytes int  // 1, 2 or 4; 0 means 1
	KeepFirst   bool // all occurrences but the first are duplicates, else all
	MinCount    int  // least number of occurrences of a duplicate; 0 means 2
	// Other, if it is not 0, is the start of a document, with which a second set of documents begins. Then a duplicate has
	// to occur in that set, too, and KeepFirst does not matter: all occurrences before Other are duplicates; with Both,
	// those from Other on, too.
	Other int
	Both  bool
	// Documents is the number of documents; 0 means 1.
	Documents int
	// Frequent is how many of the most frequent passages are wanted.
	Frequent int
	// Capacity is the number of entries of the lists; 0: as memory allows, at most a fourth of the text. A given number is
	// not compared with the memory of the device: see Plan.
	Capacity int
	// Piece, if it is not 0, has the text go through the device in pieces of so many symbols, also where it fits.
	Piece int
}

// Duplicates are ranges of a text that its duplicates cover, in the order of the text. The figures count all
// duplicates. Parts have these when all is known: the last one.
type Duplicates struct {
	Ranges   []Range   // those that touch or overlap are one, but for the ends of documents
	Windows  uint64    // number of duplicates
	Frequent []Passage // the most frequent ones, the highest count first, then in the order of the text
	Parts    int       // lists that were sorted
	Pieces   int       // pieces that were copied to the device
}

// Range is symbols Start to End-1 of a text.
type Range struct{ Start, End uint64 }

// Len is the number of symbols.
func (r Range) Len() uint64 { return r.End - r.Start }

// Passage is a range, all of whose windows occur Count times. It is the first occurrence.
type Passage struct {
	Range
	Count uint64
}

// Duplicates are windows of o.Length symbols, in one document, that occur several times. The last part may be without
// ranges.
//
// The text has whole symbols, little-endian. documents has where each document begins, in symbols, ascending from 0,
// and the length of the text; nil: it is one document. The number of them goes for that of the options.
//
// The text may be longer than the device's memory. All takes 16 bytes of host memory a range. Cost: linear for texts of
// the usual kinds; many windows that differ in one symbol take up to 32 bytes of lists each, in turns. Errors: a
// *LengthError for a text of more than 2^40 symbols; options out of their bounds; documents that are not as said.
func (e *Engine) Duplicates(text Text, documents []uint64, o DuplicateOptions) Job[*Duplicates, *Duplicates] {
	found := dedup.Find(e.inner(), text.in, documents, duplicates.Options(o))
	return jobOf(found, duplicatesOf, duplicatesOf)
}

func duplicatesOf(d *dedup.Found) *Duplicates {
	if d == nil {
		return nil
	}
	passages := eachOf(func(p duplicates.Passage) Passage { return Passage{Range(p.Range), p.Count} })
	return &Duplicates{Ranges: sliceOf[Range](d.Ranges), Windows: d.Result.Windows, Frequent: passages(d.Result.Frequent),
		Parts: d.Result.Parts, Pieces: d.Result.Pieces}
}
