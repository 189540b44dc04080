package suffixcl

import (
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/seqio"
)

// Collection is a set of texts in one buffer, each followed by a byte, its terminator. Positions count the letters and
// terminators of the texts one after the other. Terminators are told by their places: a text may hold any bytes.
// A nil *Collection is the set of no texts.
type Collection struct{ set *input.Collection }

// collection is a set, unless there is an error.
func collection(set *input.Collection, err error) (*Collection, error) {
	if err != nil {
		return nil, public(err)
	}
	return &Collection{set}, nil
}

// inner is the set of the jobs; nil for none.
func (c *Collection) inner() *input.Collection {
	if c == nil {
		return nil
	}
	return c.set
}

// NewCollection is the set of m texts that end at ends [m]uint32: the places of their terminators in text, the first
// text from 0 on, each other after the terminator of the one before. The collection keeps both slices. Errors: a
// *TextError where ends do not ascend, or the last is not that of the last byte; a *LengthError.
func NewCollection(text []byte, ends []uint32) (*Collection, error) {
	return collection(input.NewCollection(text, ends))
}

// JoinTexts is the set of these texts, copied, each with that terminator. Errors: a *LengthError.
func JoinTexts(terminator byte, texts ...[]byte) (*Collection, error) {
	return collection(input.JoinTexts(terminator, texts...))
}

// SplitText is the set of the parts of text that end with that terminator, as lines do with a newline. What follows the
// last one is a text, too, unless it is empty. The text is kept, or copied where it does not end with the terminator.
// Errors: a *LengthError.
func SplitText(text []byte, terminator byte) (*Collection, error) {
	return collection(input.SplitText(text, terminator))
}

// CollectRecords is the set of the records of a text, as package seqio reads them with a separator of one byte: the
// terminator. Errors: a *TextError where records do not follow each other, with one byte after each; a
// *LengthError.
func CollectRecords(text []byte, records seqio.Table) (*Collection, error) {
	return collection(input.CollectRecords(text, records))
}

// Len is the number of letters and terminators.
func (c *Collection) Len() int {
	return c.inner().Len()
}

// Count is the number of texts.
func (c *Collection) Count() int {
	return c.inner().Count()
}

// Bytes are the texts with their terminators, [Len]byte.
func (c *Collection) Bytes() []byte {
	return c.inner().Bytes()
}

// Text is text k, without terminator.
func (c *Collection) Text(k int) []byte {
	return c.set.Text(k)
}

// Find is the text in which a position is, and the offset there. The terminator is at offset len(Text(text)). ok is
// false for what is no position: it is negative, or not less than Len.
func (c *Collection) Find(position int) (text, offset int, ok bool) {
	return c.inner().Find(position)
}

// CheckTerminator returns a *TextError where a text holds that byte.
func (c *Collection) CheckTerminator(terminator byte) error {
	return public(c.inner().CheckTerminator(terminator))
}

// BothStrands is the set of 2m texts in which text k of DNA is text 2k, and its reverse complement text 2k + 1, each
// with that terminator. Letters are those of IUPAC in upper or lower case. Errors: a *TextError for another
// letter, a *LengthError.
func (c *Collection) BothStrands(terminator byte) (*Collection, error) {
	return collection(c.inner().BothStrands(terminator))
}

// Set is a collection as a text for Arrays and VerifyArrays. Terminators are smaller than all letters, and ordered by
// the number of their text: so no common prefix reaches beyond the end of a text. The transform has the byte before
// each suffix, which is a terminator before the first letter of a text, and the last terminator before the first.
//
// The device takes the memory of a text of bytes as long as the letters, the terminators and, for each terminator, two
// to four bytes; see the plan of Arrays.
func Set(c *Collection) Text {
	return Text{input.Set(c.inner())}
}

// Documents is Set of these texts, copied, with terminators 0.
func Documents(texts ...[]byte) Text {
	return Text{input.Documents(texts...)}
}
