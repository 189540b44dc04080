package conformance

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"index/suffixarray"
	"slices"
	"sync"
)

// ReferenceSuffixArray returns the suffix array of text as computed by the
// standard library's index/suffixarray.
//
// That package hands its array out only through [suffixarray.Index.Write], whose
// encoding is decoded here. The decoder checks everything it reads and panics
// if the encoding is not the one it knows.
//
// The arrays of short texts are remembered: tests of many implementations ask for the same ones.
func ReferenceSuffixArray(text []byte) []uint32 {
	if sa, found := remembered.get(text); found {
		return sa
	}
	sa := sortedByLibrary(text)
	remembered.put(text, sa)
	return sa
}

// maxRemembered is how many entries of suffix arrays are remembered, of all texts and of one.
const (
	maxRemembered     = 1 << 24
	maxRememberedText = 1 << 18
)

var remembered = memory{arrays: map[string][]uint32{}}

// memory has the suffix arrays of texts. What is full is forgotten.
type memory struct {
	mu      sync.Mutex
	arrays  map[string][]uint32
	entries int
}

func (m *memory) get(text []byte) ([]uint32, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	sa, found := m.arrays[string(text)]
	return slices.Clone(sa), found // the caller's own
}

func (m *memory) put(text []byte, sa []uint32) {
	if len(text) > maxRememberedText {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.entries += len(sa) + 1; m.entries > maxRemembered {
		clear(m.arrays)
		m.entries = len(sa) + 1
	}
	m.arrays[string(text)] = slices.Clone(sa)
}

func sortedByLibrary(text []byte) []uint32 {
	var encoded bytes.Buffer
	if err := suffixarray.New(text).Write(&encoded); err != nil {
		panic(fmt.Sprintf("conformance: write an index/suffixarray: %v", err))
	}
	sa, err := decodeIndex(encoded.Bytes(), text)
	if err != nil {
		panic(fmt.Sprintf("conformance: encoding of index/suffixarray: %v", err))
	}
	return sa
}

var errEncoding = errors.New("not the encoding expected")

// decodeIndex reads what Index.Write wrote: the text's length, the text, and
// blocks of array entries as uvarints, each block after its own length in bytes,
// header included. Lengths are varints padded to binary.MaxVarintLen64 bytes.
func decodeIndex(encoded, text []byte) ([]uint32, error) {
	const header = binary.MaxVarintLen64
	length := func() (int, bool) {
		if len(encoded) < header {
			return 0, false
		}
		x, w := binary.Varint(encoded[:header])
		return int(x), w > 0
	}
	if n, ok := length(); !ok || n != len(text) {
		return nil, errEncoding
	}
	encoded = encoded[header:]
	if !bytes.HasPrefix(encoded, text) {
		return nil, errEncoding
	}
	encoded = encoded[len(text):]

	sa := make([]uint32, 0, len(text))
	for len(encoded) > 0 {
		size, ok := length()
		if !ok || size < header || size > len(encoded) {
			return nil, errEncoding
		}
		for block := encoded[header:size]; len(block) > 0; {
			entry, w := binary.Uvarint(block)
			if w <= 0 || entry >= uint64(len(text)) {
				return nil, errEncoding
			}
			sa, block = append(sa, uint32(entry)), block[w:]
		}
		encoded = encoded[size:]
	}
	if len(sa) != len(text) {
		return nil, errEncoding
	}
	return sa, nil
}

// ReferenceBWT returns the Burrows-Wheeler transform bwt [n] of text [n], by its definition from the suffix array sa
// [n].
//
// There are n+1 rows: the suffixes of text and an end marker, in their order. A row's byte is the one before its
// suffix. The row of suffix 0, whose byte is the end marker, is left out. So bwt[0] is the last byte of the text: the
// suffix of the end marker alone comes first. The primary index is the number of the row left out: 1 plus the place
// of suffix 0 in sa. Of the empty text it is 0.
func ReferenceBWT[T byte | uint16 | uint32](text []T, sa []uint32) (bwt []T, primary int) {
	if len(text) == 0 {
		return []T{}, 0
	}
	bwt = make([]T, 0, len(text))
	bwt = append(bwt, text[len(text)-1])
	for i, suffix := range sa {
		if suffix == 0 {
			primary = i + 1
			continue
		}
		bwt = append(bwt, text[suffix-1])
	}
	return bwt, primary
}

// ReferenceLCP returns the LCP array of text, whose suffix array is sa, in
// linear time (Kasai et al., 2001).
func ReferenceLCP[T byte | uint16 | uint32](text []T, sa []uint32) []uint32 {
	rank := make([]uint32, len(sa))
	for i, suffix := range sa {
		rank[suffix] = uint32(i)
	}
	lcp := make([]uint32, len(sa))
	h := 0
	for i := range text {
		if rank[i] == 0 {
			h = 0
			continue
		}
		j := int(sa[rank[i]-1])
		for i+h < len(text) && j+h < len(text) && text[i+h] == text[j+h] {
			h++
		}
		lcp[rank[i]] = uint32(h)
		h = max(h-1, 0)
	}
	return lcp
}

// CheckSuffixArray returns nil if sa is the suffix array of text, or else an
// error that names the first violation found. It needs no second suffix array
// and takes linear time (Burkhardt and Kärkkäinen, 2003): sa is right if it is a
// permutation, its suffixes ascend by first byte, and among those with the same
// first byte the rests ascend by their own positions in sa.
func CheckSuffixArray(text []byte, sa []uint32) error {
	n := len(text)
	if len(sa) != n {
		return fmt.Errorf("suffix array has %d entries, want %d", len(sa), n)
	}
	rank := make([]uint32, n+1) // 1 plus the position in sa; the empty suffix has rank 0
	for i, suffix := range sa {
		if int64(suffix) >= int64(n) {
			return fmt.Errorf("sa[%d] = %d is out of range for n=%d", i, suffix, n)
		}
		if rank[suffix] != 0 {
			return fmt.Errorf("sa[%d] = sa[%d] = %d", rank[suffix]-1, i, suffix)
		}
		rank[suffix] = uint32(i + 1)
	}
	for i := 1; i < n; i++ {
		a, b := sa[i-1], sa[i]
		if text[a] > text[b] || text[a] == text[b] && rank[a+1] >= rank[b+1] {
			return fmt.Errorf("suffix sa[%d] = %d does not sort before sa[%d] = %d", i-1, a, i, b)
		}
	}
	return nil
}
