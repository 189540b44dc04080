// Package bitpack packs characters of few bits, for devices that the whole text would take too long to reach.
package bitpack

import "encoding/binary"

// MostWidth is the most bits of a character.
const MostWidth = 4

// NoCode is the code of bytes that do not occur.
const NoCode = 1<<32 - 1

// Packer packs characters by their codes. It is safe for concurrent use.
type Packer struct {
	width int // bits of a code
	// pairs has the codes of two bytes, of which the first is the lower one, and strange where one has no code.
	pairs [1 << 16]uint16
	lanes *lanes // by vector instructions; nil where there are none, or letters share their low bits
}

const strange = 1 << 15

// New returns a packer by these codes, of 1 to MostWidth bits.
func New(codes *[256]uint32, width int) *Packer {
	p := &Packer{width: width}
	for pair := range p.pairs {
		first, second := codes[pair&0xff], codes[pair>>8]
		if first == NoCode || second == NoCode {
			p.pairs[pair] = strange
		} else {
			p.pairs[pair] = uint16(first<<width | second)
		}
	}
	p.lanes = newLanes(codes, width)
	return p
}

const (
	unit  = 64 // characters that are packed at a time: `width` words
	batch = 8  // units whose eights are made at a time, by vector instructions
)

// eights are the codes of 8 characters each, next to each other in the low bits, the first one in the highest of these.
type eights [unit / 8]uint64

// Pack packs characters that begin a word: each follows the one before, from the top bit of a word on. The last of them
// are or-ed to their words. It tells whether all have codes; the words of others are unspecified.
//
// There are at least ceil(len(text) * width / 64) words.
func (p *Packer) Pack(words []uint64, text []byte) bool {
	all, known := uint16(0), true
	var of [batch]eights
	for ; len(text) >= unit; text = text[min(len(text)/unit, batch)*unit:] {
		units := min(len(text)/unit, batch)
		if p.lanes != nil && units == batch {
			known = p.lanes.eights(&of, (*[batch * unit]byte)(text)) && known
		} else {
			for k := range units {
				all |= p.eights(&of[k], (*[unit]byte)(text[k*unit:]))
			}
		}
		for k := range units {
			of[k].pack(p.width, words)
			words = words[p.width:]
		}
	}
	at, room := 0, 64 // bits of a word that are free
	for _, c := range text {
		pair := p.pairs[uint16(c)|uint16(c)<<8]
		all |= pair
		code := uint64(pair) & (1<<p.width - 1)
		if room < p.width {
			words[at] |= code >> (p.width - room)
			at, room = at+1, room+64
		}
		room -= p.width
		words[at] |= code << room
	}
	return all&strange == 0 && known
}

// eights makes the eights of a unit, and returns the codes of its pairs, or-ed.
func (p *Packer) eights(of *eights, text *[unit]byte) (all uint16) {
	width := uint(p.width) & 7
	for k := range of {
		c := binary.LittleEndian.Uint64(text[8*k:])
		a, b := p.pairs[uint16(c)], p.pairs[uint16(c>>16)]
		d, e := p.pairs[uint16(c>>32)], p.pairs[uint16(c>>48)]
		all |= a | b | d | e
		of[k] = (uint64(a)<<(2*width)|uint64(b))<<(4*width) | uint64(d)<<(2*width) | uint64(e)
	}
	return all
}

// pack makes the words of a unit.
func (e *eights) pack(width int, words []uint64) {
	switch width {
	case 1:
		words[0] = e[0]<<56 | e[1]<<48 | e[2]<<40 | e[3]<<32 | e[4]<<24 | e[5]<<16 | e[6]<<8 | e[7]
	case 2:
		words[0] = e[0]<<48 | e[1]<<32 | e[2]<<16 | e[3]
		words[1] = e[4]<<48 | e[5]<<32 | e[6]<<16 | e[7]
	case 3:
		words[0] = e[0]<<40 | e[1]<<16 | e[2]>>8
		words[1] = e[2]<<56 | e[3]<<32 | e[4]<<8 | e[5]>>16
		words[2] = e[5]<<48 | e[6]<<24 | e[7]
	case 4:
		words[0], words[1] = e[0]<<32|e[1], e[2]<<32|e[3]
		words[2], words[3] = e[4]<<32|e[5], e[6]<<32|e[7]
	}
}
