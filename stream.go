package suffixcl

import (
	"github.com/suffixcl/suffixcl/internal/jobs/arrays"
)

// Stream makes the suffix arrays of many texts of up to n bytes, or their transforms: with Want{SA: true} or
// Want{BWT: true}. Each has the result of each text as a part, in the order of the texts. Texts that are small enough
// come in batches, each sorted in one launch: up to 64 KiB with AlgorithmAuto or AlgorithmSmallTexts. Longer ones come
// one after the other. While a text or a batch is sorted, the next is copied to the device and the results of the one
// before from there, from and to pinned memory, so that it takes little longer than sorting or its transfers do.
//
// next writes a text to the slice that it is given, of n bytes, and returns its length; after the last text it returns
// io.EOF. It is called for two batches before the first result is there, and in the goroutine of the loop. It may not
// call the engine: see ErrInCallback. A plan needs no next.
//
// Memory: two batches and what sorting them takes; or that of SuffixArray for n bytes, and text and suffix array once
// more. Texts and results are in pinned host memory, too, twice, which the engine keeps until Close. Errors: those of
// next, after which texts that were read before and not sorted yet are dropped; a *LengthError for a length that next
// cannot have written; those of SuffixArray; another Want. Upload and Download of Stats count the time that the engine
// waits for transfers.
func (e *Engine) Stream(n int, next func(text []byte) (int, error), want Want) Job[*Result, []*Result] {
	return jobOf(arrays.Stream(e.inner(), n, next, want.inner()), resultOf, eachOf(resultOf))
}
