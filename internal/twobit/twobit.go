// Package twobit packs bases, which are bytes 0 to 3 here, into two bits each, four to a byte, and counts them.
package twobit

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/suffixcl/suffixcl/internal/parallel"
)

// Counts are the numbers of each of the four bases.
type Counts [4]uint64

// Add adds the counts of other bases.
func (c *Counts) Add(other Counts) {
	for base := range c {
		c[base] += other[base]
	}
}

// Sums are the numbers of bases less than each.
func (c Counts) Sums() (sums [5]uint64) {
	for base, count := range c {
		sums[base+1] = sums[base] + count
	}
	return sums
}

const ones = 0x0101010101010101

// Count counts bases.
func Count(bases []byte) (c Counts) {
	n := len(bases)
	var low, high, both int
	for ; len(bases) >= 8; bases = bases[8:] {
		word := binary.LittleEndian.Uint64(bases)
		low += bits.OnesCount64(word & ones)
		high += bits.OnesCount64(word & (2 * ones))
		both += bits.OnesCount64(word & (word >> 1) & ones)
	}
	for _, base := range bases {
		low += int(base & 1)
		high += int(base >> 1)
		both += int(base & (base >> 1))
	}
	return countsOf(n, low, high, both)
}

// CountAll counts bases on several processors.
func CountAll(bases []byte) (c Counts) {
	for _, part := range parallel.Collect(len(bases), 1<<20, func(lo, hi int) Counts { return Count(bases[lo:hi]) }) {
		c.Add(part)
	}
	return c
}

// Complement replaces bases by their complements, on several processors.
func Complement(bases []byte) {
	parallel.Do(len(bases), 1<<16, func(lo, hi int) {
		bases := bases[lo:hi]
		for ; len(bases) >= 8; bases = bases[8:] {
			binary.LittleEndian.PutUint64(bases, binary.LittleEndian.Uint64(bases)^3*ones)
		}
		for i := range bases {
			bases[i] ^= 3
		}
	})
}

// ReverseComplement writes the complements of bases in reverse order, on several processors. The two have the same
// length, and share no memory.
func ReverseComplement(to, bases []byte) {
	parallel.Do(len(bases), 1<<16, func(lo, hi int) { reverseComplement(to[len(to)-hi:len(to)-lo], bases[lo:hi]) })
}

// TurnAround replaces bases by their reverse complement.
func TurnAround(bases []byte) {
	const piece = 1 << 10
	pieces := len(bases) / (2 * piece)
	parallel.Do(pieces, 64, func(lo, hi int) {
		var kept [piece]byte
		for k := lo; k < hi; k++ {
			front, back := bases[k*piece:(k+1)*piece], bases[len(bases)-(k+1)*piece:len(bases)-k*piece]
			copy(kept[:], front)
			reverseComplement(front, back)
			reverseComplement(back, kept[:])
		}
	})
	middle := bases[pieces*piece : len(bases)-pieces*piece]
	reverseComplement(middle, slices.Clone(middle))
}

func reverseComplement(to, bases []byte) {
	for ; len(bases) >= 8; bases = bases[8:] {
		word := bits.ReverseBytes64(binary.LittleEndian.Uint64(bases) ^ 3*ones)
		binary.LittleEndian.PutUint64(to[len(to)-8:], word)
		to = to[:len(to)-8]
	}
	for i, base := range bases {
		to[len(to)-1-i] = base ^ 3
	}
}

// Bytes is the number of bytes of n bases.
func Bytes(n int) int { return (n + 3) / 4 }

// gather packs the bases of a word, the first of which is in its low byte, the first in the low bits.
func gather(word uint64) uint16 {
	word = (word | word>>6) & 0x000F000F000F000F
	word = (word | word>>12) & 0x000000FF000000FF
	return uint16(word | word>>24)
}

// PackLow packs bases into packed [Bytes(len(bases))]byte, the first of a byte in its low bits, and fills the last byte
// with zeros.
func PackLow(packed, bases []byte) {
	for ; len(bases) >= 8; packed, bases = packed[2:], bases[8:] {
		binary.LittleEndian.PutUint16(packed, gather(binary.LittleEndian.Uint64(bases)))
	}
	for i := range packed[:Bytes(len(bases))] {
		packed[i] = 0
	}
	for i, base := range bases {
		packed[i/4] |= base << (i % 4 * 2)
	}
}

// PackHigh packs as PackLow does, but with the first base of a byte in its high bits.
func PackHigh(packed, bases []byte) {
	for ; len(bases) >= 8; packed, bases = packed[2:], bases[8:] {
		binary.BigEndian.PutUint16(packed, gather(binary.BigEndian.Uint64(bases)))
	}
	for i := range packed[:Bytes(len(bases))] {
		packed[i] = 0
	}
	for i, base := range bases {
		packed[i/4] |= base << (6 - i%4*2)
	}
}

// spread is the inverse of gather.
func spread(packed uint16) uint64 {
	word := uint64(packed)
	word = (word | word<<24) & 0x000000FF000000FF
	word = (word | word<<12) & 0x000F000F000F000F
	return (word | word<<6) & (3 * ones)
}

// UnpackLow unpacks bases that PackLow packed.
func UnpackLow(bases, packed []byte) {
	for ; len(bases) >= 8; bases, packed = bases[8:], packed[2:] {
		binary.LittleEndian.PutUint64(bases, spread(binary.LittleEndian.Uint16(packed)))
	}
	for i := range bases {
		bases[i] = LowAt(packed, i)
	}
}

// UnpackHigh unpacks bases that PackHigh packed.
func UnpackHigh(bases, packed []byte) {
	for ; len(bases) >= 8; bases, packed = bases[8:], packed[2:] {
		binary.BigEndian.PutUint64(bases, spread(binary.BigEndian.Uint16(packed)))
	}
	for i := range bases {
		bases[i] = HighAt(packed, i)
	}
}

// CountPacked counts packed bases, four in each byte.
func CountPacked(packed []byte) (c Counts) {
	const ones = 0x5555555555555555
	n := 4 * len(packed)
	var low, high, both int
	for ; len(packed) >= 8; packed = packed[8:] {
		word := binary.LittleEndian.Uint64(packed)
		low += bits.OnesCount64(word & ones)
		high += bits.OnesCount64(word & (ones << 1))
		both += bits.OnesCount64(word & (word >> 1) & ones)
	}
	for _, four := range packed {
		low += bits.OnesCount8(four & 0x55)
		high += bits.OnesCount8(four & 0xaa)
		both += bits.OnesCount8(four & (four >> 1) & 0x55)
	}
	return countsOf(n, low, high, both)
}

// countsOf are the counts of n bases, by how many have a low bit, a high bit, and both.
func countsOf(n, low, high, both int) Counts {
	return Counts{uint64(n - low - high + both), uint64(low - both), uint64(high - both), uint64(both)}
}

// Planes are the low and the high bits of up to 64 bases, that of the first one lowest.
func Planes(bases []byte) (low, high uint64) {
	whole := len(bases) &^ 7
	for i := 0; i < whole; i += 8 {
		word := binary.LittleEndian.Uint64(bases[i:])
		low |= lowest(word) << i
		high |= lowest(word>>1) << i
	}
	for i, base := range bases[whole:] {
		low |= uint64(base&1) << (whole + i)
		high |= uint64(base>>1&1) << (whole + i)
	}
	return low, high
}

// lowest are the lowest bits of eight bytes.
func lowest(word uint64) uint64 { return word & ones * 0x0102040810204080 >> 56 }

// FromPlanes writes bases as Planes reads them.
func FromPlanes(bases []byte, low, high uint64) {
	for ; len(bases) >= 8; bases, low, high = bases[8:], low>>8, high>>8 {
		binary.LittleEndian.PutUint64(bases, bytesOf(low&0xff)|bytesOf(high&0xff)<<1)
	}
	for i := range bases {
		bases[i] = byte(low>>i&1 | high>>i&1<<1)
	}
}

// bytesOf has a byte for each of eight bits.
func bytesOf(bits uint64) uint64 { return (bits*ones&0x8040201008040201 + 0x7f*ones) >> 7 & ones }

// LowAt is the base at place i of bases that PackLow packed.
func LowAt(packed []byte, i int) byte { return packed[i/4] >> (i % 4 * 2) & 3 }

// HighAt is the base at place i of bases that PackHigh packed.
func HighAt(packed []byte, i int) byte { return packed[i/4] >> (6 - i%4*2) & 3 }

// stride is the number of bases between counts that are kept.
const stride = 1 << 16

// Ranks counts the bases before places of a text, with 32 bytes for each 65,536 bases.
type Ranks struct {
	bases []byte
	kept  []Counts
}

// NewRanks counts the bases of a text, on several processors.
func NewRanks(bases []byte) *Ranks {
	r := &Ranks{bases, make([]Counts, len(bases)/stride+1)}
	parallel.Do(len(r.kept)-1, 16, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			r.kept[k+1] = Count(bases[k*stride : (k+1)*stride])
		}
	})
	for k := range r.kept[1:] {
		r.kept[k+1].Add(r.kept[k])
	}
	return r
}

// Before counts the bases before place i.
func (r *Ranks) Before(i int) Counts {
	k := i / stride
	c := r.kept[k]
	c.Add(Count(r.bases[k*stride : i]))
	return c
}

// Run is a part of a text.
type Run struct{ Offset, Length int }

// Others are the longest runs of bytes that are no bases: 4 and more.
func Others(codes []byte) []Run {
	var runs []Run
	for _, more := range parallel.Collect(len(codes), 1<<20, func(lo, hi int) []Run { return others(codes[lo:hi], lo) }) {
		if last := len(runs) - 1; last >= 0 && len(more) > 0 && runs[last].Offset+runs[last].Length == more[0].Offset {
			runs[last].Length += more[0].Length
			more = more[1:]
		}
		runs = append(runs, more...)
	}
	return runs
}

// others are the runs of codes that begin at a place of a text.
func others(codes []byte, place int) (runs []Run) {
	for i := 0; i < len(codes); {
		if i+8 <= len(codes) && binary.LittleEndian.Uint64(codes[i:])&^(3*ones) == 0 {
			i += 8
			continue
		}
		if codes[i] < 4 {
			i++
			continue
		}
		from := i
		for i < len(codes) && codes[i] >= 4 {
			i++
		}
		runs = append(runs, Run{place + from, i - from})
	}
	return runs
}
