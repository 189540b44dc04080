package verify

import (
	"bytes"
	"context"
	"slices"

	"github.com/suffixcl/suffixcl/internal/parallel"
)

// special is the bucket of all characters that are no letters, of which there are fewer then.
const special = 255

// mapped is how much of a text is coded at a time.
const mapped = 16 << 20

// runSpecial is Run for a text with specials. They are the last bucket, whose entries ascend, and which no step leads
// to. The last suffix is the last of its bucket, as the end of the text is the greatest special.
func (c *BucketChecker) runSpecial(ctx context.Context, text []byte, given Given,
	progress func(done, total int64)) error {
	letters := slices.Compact(slices.Sorted(slices.Values(given.Letters)))
	var codes [256]byte
	for b := range codes {
		codes[b] = byte(bytes.IndexByte(letters, byte(b))) // none: special
	}
	all := c.text.Buffer(c.s)
	var counts [256]int
	coded := make([]byte, min(mapped, c.n))
	for at := 0; at < c.n; at += len(coded) {
		part := coded[:min(len(coded), c.n-at)]
		parallel.Do(len(part), 1<<18, func(lo, hi int) {
			for i, b := range text[at+lo : at+hi] {
				part[lo+i] = codes[b]
			}
		})
		for b, count := range countsOf(part) {
			counts[b] += count
		}
		if err := all.View(at, len(part)).Upload(ctx, part, nil); err != nil {
			return err
		}
	}
	next, ends := slotsOf(&counts)
	if len(letters) <= special {
		if err := c.ascend(ctx, text, &codes, given, next[special]); err != nil {
			return err
		}
		next, ends = next[:special], ends[:special]
	}
	if last := codes[text[c.n-1]]; int(last) < len(next) {
		var entry [1]uint64
		if err := given.SuffixArray(entry[:], ends[last]-1); err != nil {
			return err
		}
		if entry[0] != uint64(c.n-1) {
			return wrongEntry(ends[last]-1, "is not the last suffix, the last of its letter")
		}
		ends[last]--
	}
	return c.checkBlocks(ctx, given, next, ends, progress)
}

// ascend checks the entries of specials, which are from a slot on.
func (c *BucketChecker) ascend(ctx context.Context, text []byte, codes *[256]byte, given Given, from int) error {
	block := make([]uint64, c.size)
	after := uint64(0) // what an entry is not below
	for at := from; at < c.n; at += len(block) {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		block = block[:min(len(block), c.n-at)]
		if err := given.SuffixArray(block, at); err != nil {
			return err
		}
		for i, entry := range block {
			if entry < after || entry >= uint64(c.n) || codes[text[entry]] != special {
				return wrongEntry(at+i, "is not the special whose turn it is")
			}
			after = entry + 1
		}
	}
	return nil
}
