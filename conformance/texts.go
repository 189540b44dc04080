package conformance

import (
	"fmt"
	"iter"
)

// Texts yields class and text of n bytes for every class of input:
//
//   - equal/…: one byte value throughout, among them 0 and 255
//   - periodic/p=…: a primitive word of p letters repeated; some periods divide
//     n, others leave a ragged end
//   - periodic/broken: period 3 until the last byte, which is smaller or larger
//   - fibonacci, thue-morse, debruijn/sigma=…: prefixes of these words
//   - staircase: runs of a of growing length, each ended by a b
//   - dna-with-n: random ACGT with runs of N inside and at an end
//   - dna-records: records of random ACGT, each ended by a '$' or an N
//   - random/sigma=…: uniform over 1, 2, 4, 26 or 256 byte values
//   - extremes: the bytes 0 and 255 only
//   - trailing-zeros: random bytes that end in zeros
//   - repeats/sigma=…: copies of one random block with a few mutations each
//   - versions: a document of words followed by its edited versions
//   - sorted, reversed: random bytes in ascending and descending order
//
// Classes that do not exist at size n (periods of n or more) are left out. Each text is the caller's to keep.
func Texts(n int, seed uint64) iter.Seq2[string, []byte] {
	return func(yield func(class string, text []byte) bool) {
		for _, c := range classes(n) {
			if !yield(c.name, c.text(n, seed).data) {
				return
			}
		}
	}
}

// NewText returns the text of n bytes of one class of [Texts]. It reproduces the input of a failed case. Errors: there
// is no class of that name at size n.
func NewText(class string, n int, seed uint64) ([]byte, error) {
	s, err := newSample(class, n, seed)
	return s.data, err
}

// A sample is a text with its provenance: NewText of name, len(data) and seed gives the same data again.
type sample struct {
	name string // the class, such as "fibonacci" or "random/sigma=4"
	seed uint64
	data []byte
}

// String describes the text for a failure report; texts of up to 32 bytes are
// shown in full.
func (t sample) String() string {
	s := fmt.Sprintf("text %s, n=%d, seed %d", t.name, len(t.data), t.seed)
	if len(t.data) <= 32 {
		s += fmt.Sprintf(", %q", t.data)
	}
	return s
}

// samples are the samples of all classes.
func samples(n int, seed uint64) []sample {
	var texts []sample
	for _, c := range classes(n) {
		texts = append(texts, c.text(n, seed))
	}
	return texts
}

func newSample(class string, n int, seed uint64) (sample, error) {
	for _, c := range classes(n) {
		if c.name == class {
			return c.text(n, seed), nil
		}
	}
	return sample{}, fmt.Errorf("conformance: no class of texts %q at n=%d", class, n)
}

// Exhaustive yields every text over the alphabet of length 0 to maxLen, shorter
// ones first, in lexicographic order of the alphabet's positions. Each text is
// the caller's to keep. A negative maxLen yields nothing.
func Exhaustive(alphabet string, maxLen int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for n := 0; n <= maxLen; n++ {
			digits := make([]int, n)
			for more := true; more; more = increment(digits, len(alphabet)) {
				text := make([]byte, n)
				for i, d := range digits {
					text[i] = alphabet[d]
				}
				if !yield(text) {
					return
				}
			}
		}
	}
}

// increment counts up in the given base, most significant digit first, and
// reports whether the number did not wrap around to zero.
func increment(digits []int, base int) bool {
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i]++; digits[i] < base {
			return true
		}
		digits[i] = 0
	}
	return false
}
