package suffixsort

import (
	"fmt"

	"github.com/suffixcl/suffixcl/internal/intmath"
)

// options of a Sorter. The zero value is the best choice.
type options struct {
	// Bits is the number of bits of coded text in the key of the first sort. It is from 16, the longest code of a
	// symbol, to 56, or as many of 64 bits as a suffix leaves. 0 chooses by the length of the text and by its code.
	Bits int
	// Extensions tells whether groups are extended by another window before chains are looked for: 1, or not: -1.
	// 0 chooses: coded texts of several widths are extended, packed ones where little is unsorted.
	Extensions int
	// Samples tells whether samples are sorted first, of text whose code has several widths: 1, or not: -1. 0 chooses:
	// those of long texts on GPUs are.
	Samples int
	// Uneven gives no text a code of one width.
	Uneven bool
	// Capacity bounds lists.
	Capacity capacities
	// NoSkew gives every list the capacity of the whole text, so that no text is left to skew. Capacity is not read
	// then.
	NoSkew bool
	// Window is the number of ranks above which suffixes are partitioned before their ranks are scattered. 0 is 2^23,
	// which are 32 MiB: an H200 scatters 77 G words a second within its caches, 16 G beyond. Half as many suffixes are
	// put into the suffix array in the order of the text.
	Window int
}

// capacities bound how many suffixes lists hold. 0 is the default of each.
type capacities struct {
	// Windows bounds the suffixes of large groups that are listed at a time, each with a window of the text. More
	// are listed in turns; a longer group is not extended. The default is a third of the text.
	Windows int
	// Ranks bounds the representatives in large groups that are listed at a time, each with two ranks. A text with a
	// longer group is left to skew. The default is a sixth of the text.
	Ranks int
	// Representatives bounds the suffixes of representatives. A text with more is left to skew. The default is a
	// fourth of the text.
	Representatives int
}

// minCapacity is the default capacity of short texts.
const minCapacity = 1 << 12

// listAlign is the number of words that capacities are multiples of: sorts take views that begin at 16 bytes.
const listAlign = 4

// capacity of the lists for texts of up to n characters.
func (o options) capacity(n int) capacities {
	of := func(chosen, part int) int {
		count := max(n/part, min(n, minCapacity))
		switch {
		case o.NoSkew:
			count = n
		case chosen > 0:
			count = chosen
		}
		return intmath.RoundUp(count, listAlign)
	}
	c := o.Capacity
	return capacities{Windows: of(c.Windows, 3), Ranks: of(c.Ranks, 6), Representatives: of(c.Representatives, 4)}
}

func (o options) window() int {
	if o.Window > 0 {
		return o.Window
	}
	return 1 << 23
}

// near is how many suffixes may be settled in the order of the text.
func (o options) near() int { return o.window() / 2 }

func (o options) check() error {
	if o.Bits != 0 && (o.Bits < longestCode || o.Bits > windowBits) {
		return fmt.Errorf("suffixsort: windows of %d bits, wants %d to %d", o.Bits, longestCode, windowBits)
	}
	if c := o.Capacity; c.Windows < 0 || c.Ranks < 0 || c.Representatives < 0 {
		return fmt.Errorf("suffixsort: negative capacity %+v", c)
	}
	return nil
}
