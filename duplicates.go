package suffixcl

import (
	"github.com/suffixcl/suffixcl/duplicates"
	"github.com/suffixcl/suffixcl/internal/jobs/dedup"
)

// Duplicates are ranges of a text that its duplicates cover, in the order of the text.
type Duplicates struct {
	Ranges []duplicates.Range // those that touch or overlap are one, but for the ends of documents
	// Result counts all duplicates. Parts have it when all is known: the last one.
	Result duplicates.Result
}

// Duplicates are windows of o.Length symbols, in one document, that occur several times. The last part may be without
// ranges.
//
// The text has whole symbols, little-endian. documents has where each document begins, in symbols, ascending from 0,
// and the length of the text; nil: it is one document. The number of them goes for that of the options.
//
// The text may be longer than the device's memory. All takes 16 bytes of host memory a range. Cost: linear for texts of
// the usual kinds; many windows that differ in one symbol take up to 32 bytes of lists each, in turns. Errors: a
// *LengthError for a text longer than duplicates.MaxLen symbols; options out of their bounds; documents that are not as
// said.
func (e *Engine) Duplicates(text Text, documents []uint64, o duplicates.Options) Job[*Duplicates, *Duplicates] {
	return jobOf(dedup.Find(e.inner(), text.in, documents, o), duplicatesOf, duplicatesOf)
}

func duplicatesOf(d *dedup.Found) *Duplicates { return (*Duplicates)(d) }
