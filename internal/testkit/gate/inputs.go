package gate

import (
	"bytes"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/suffixcl/suffixcl/conformance"
)

// Kind is a kind of input, or an order of suffixes of it.
type Kind struct {
	Name  string
	flags []string // that tell verbs so, where they know the kind by no others
	// Of a text of symbols: their bytes, and how many differ at most.
	width, vocabulary int
}

// Names of the kinds that verbs treat apart.
const (
	kindNone     = "no text"
	kindBytes    = "bytes"
	kindFASTA    = "FASTA"
	kindSet      = "set"
	kindEnd      = "end-largest"
	kindSpecials = "specials-largest"
	kindMemory   = "memory"
	letters      = "ACGT"
)

// Kinds are the columns of the table. Symbols of which more than 256 differ take other ways than bytes.
func Kinds() []Kind {
	return []Kind{
		{Name: kindBytes, width: 1, vocabulary: 256},
		{Name: "u16, 200", flags: []string{"--symbols", "u16"}, width: 2, vocabulary: 200},
		{Name: "u16, 3000", flags: []string{"--symbols", "u16"}, width: 2, vocabulary: 3000},
		{Name: "u32, 200", flags: []string{"--symbols", "u32"}, width: 4, vocabulary: 200},
		{Name: "u32, 3000", flags: []string{"--symbols", "u32"}, width: 4, vocabulary: 3000},
		{Name: kindFASTA, flags: []string{"--input", "fasta"}, width: 1},
		{Name: kindSet, flags: []string{"--set"}, width: 1},
		{Name: kindEnd, flags: []string{"--order", "end-largest"}, width: 1, vocabulary: 256},
		{Name: kindSpecials, flags: []string{"--order", "specials-largest", "--letters", letters}, width: 1},
		{Name: kindMemory, flags: []string{"--symbols", "u16", "--order", "memory"}, width: 2, vocabulary: 3000},
		{Name: kindNone},
	}
}

// input is a text of a kind.
type input struct {
	Kind
	file  []byte     // as the command reads it
	texts [][]uint64 // its symbols, of each record or line; of other kinds it is one
	names []string   // of records
}

// newInput makes a text of about n symbols, with passages that occur again.
func newInput(k Kind, n int, seed uint64) *input {
	in := &input{Kind: k}
	rng := rand.New(rand.NewPCG(seed, uint64(len(k.Name))))
	switch k.Name {
	case kindNone:
	case kindFASTA:
		var b bytes.Buffer
		for i, part := range parts(withCopies(rng, n, 4, 40), 4) {
			for at, c := range part {
				part[at] = uint64(letters[c])
			}
			part[len(part)/2] = 'N'
			in.names = append(in.names, fmt.Sprint("r", i+1))
			in.texts = append(in.texts, part)
			fmt.Fprintf(&b, ">r%d\n%s\n", i+1, bytesOf(part))
		}
		in.file = b.Bytes()
	case kindSet:
		for _, part := range parts(withCopies(rng, n, 8, 20), max(n/60, 2)) {
			for at, c := range part {
				part[at] = uint64("abdenst "[c])
			}
			in.texts = append(in.texts, part)
			in.file = append(append(in.file, bytesOf(part)...), '\n')
		}
	case kindSpecials:
		text := withCopies(rng, n, 6, 40)
		for i, c := range text {
			text[i] = uint64((letters + "N-")[c])
		}
		in.texts, in.file = [][]uint64{text}, bytesOf(text)
	default:
		text := withCopies(rng, n, k.vocabulary, 40)
		for i, c := range text {
			text[i] = spread(c, k)
		}
		if k.width == 1 {
			text[0] = 'a' // no header of a compressed file
		}
		in.texts = [][]uint64{text}
		for _, symbol := range text {
			in.file = appendNumber(in.file, symbol, k.width)
		}
	}
	return in
}

// spread has symbols all over the values that there are, in another order than their numbers have.
func spread(c uint64, k Kind) uint64 {
	if k.width == 1 {
		return c
	}
	return uint64(bits.Reverse64(c*7+5)>>(64-8*k.width)) ^ c
}

// withCopies are n numbers below a limit, of which some passages of up to the longest length are copies.
func withCopies(rng *rand.Rand, n, below, longest int) []uint64 {
	text := make([]uint64, 0, n)
	for len(text) < n {
		if len(text) > longest && rng.IntN(12) == 0 {
			at := rng.IntN(len(text) - longest)
			text = append(text, text[at:at+2+rng.IntN(longest-2)]...)
		}
		text = append(text, uint64(rng.IntN(below)))
	}
	return text[:n]
}

// parts cuts a text into so many.
func parts(text []uint64, count int) (list [][]uint64) {
	for i := range count {
		list = append(list, slices.Clone(text[len(text)*i/count:len(text)*(i+1)/count]))
	}
	return list
}

func bytesOf(text []uint64) []byte {
	b := make([]byte, len(text))
	for i, c := range text {
		b[i] = byte(c)
	}
	return b
}

// appendNumber appends a number in little-endian bytes.
func appendNumber(to []byte, v uint64, width int) []byte {
	for range width {
		to = append(to, byte(v))
		v >>= 8
	}
	return to
}

// encode is a file of an array.
func encode(array []uint32, width int) (file []byte) {
	for _, v := range array {
		file = appendNumber(file, uint64(v), width)
	}
	return file
}

// text are the symbols of all records one after the other.
func (in *input) text() []uint64 { return slices.Concat(in.texts...) }

// lines are the texts of a set: lines, or records.
func (in *input) lines() (list [][]byte) {
	if in.names != nil {
		for _, t := range in.texts {
			list = append(list, bytesOf(t))
		}
		return list
	}
	for line := range strings.Lines(string(in.file)) {
		list = append(list, []byte(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")))
	}
	return list
}

// short is the input with a text of at most n symbols, for oracles that look at every pair.
func (in *input) short(n int, seed uint64) *input { return newInput(in.Kind, n, seed) }

// coded has the symbols as small numbers that compare as the order of the input has them, with an end that is in its
// place: the definition of the order.
func (in *input) coded() []uint32 {
	text := in.text()
	key := func(c uint64) uint64 {
		if in.Name == kindMemory {
			return bits.ReverseBytes64(c) >> (64 - 8*in.width)
		}
		return c
	}
	var values []uint64
	for _, c := range text {
		values = append(values, key(c))
	}
	slices.Sort(values)
	values = slices.Compact(values)
	least, end := uint32(1), uint32(0)
	if in.Name == kindEnd || in.Name == kindSpecials {
		end = uint32(len(values) + len(text) + 1)
	}
	codes := make([]uint32, 0, len(text)+1)
	for i, c := range text {
		code, _ := slices.BinarySearch(values, key(c))
		if in.Name == kindSpecials && !strings.ContainsRune(letters, rune(c)) {
			code = len(values) + i
		}
		codes = append(codes, least+uint32(code))
	}
	return append(codes, end)
}

// arrays are the suffix array, the LCP array, the transform and its primary index of an input.
type arrays struct {
	sa, lcp []uint32
	bwt     []byte
	primary int
}

// arrays are by definition those of the text with its end, without the end's own row.
func (in *input) arrays() (a arrays) {
	text, codes := in.text(), in.coded()
	all := conformance.ReferenceSymbolSuffixArray(codes)
	for row, h := range conformance.ReferenceLCP(codes, all) {
		i := int(all[row])
		switch {
		case i == 0:
			a.primary = row
		default:
			a.bwt = appendNumber(a.bwt, text[i-1], in.width)
		}
		if i < len(text) {
			a.sa, a.lcp = append(a.sa, all[row]), append(a.lcp, h)
		}
	}
	return a
}

// apart are the symbols of all texts, as small numbers, each text with an end of its own, and what is known of each
// position: the text, or -1 for an end, and the place in it.
func (in *input) apart() (codes []uint32, text, place []int) {
	values := slices.Clone(in.text())
	slices.Sort(values)
	values = slices.Compact(values)
	for t, symbols := range in.texts {
		for i, c := range symbols {
			code, _ := slices.BinarySearch(values, c)
			codes, text, place = append(codes, uint32(len(in.texts)+code)), append(text, t), append(place, i)
		}
		codes, text, place = append(codes, uint32(t)), append(text, -1), append(place, 0)
	}
	return codes, text, place
}
