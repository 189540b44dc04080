package bitpack

import "golang.org/x/sys/cpu"

// Vectors tells whether there are vector instructions that pack.
func Vectors() bool { return cpu.X86.HasAVX2 }

// lanes are what AVX2 packs 32 characters by, where no two letters share their low four bits, as none of A, C, G, T, N
// and the end of a line do. The offsets are in lanes_amd64.s.
type lanes struct {
	letters [32]byte  // the letter of these low bits; a byte with other low bits if there is none
	codes   [32]byte  // codes of the letters
	pair    [32]byte  // weights of the codes of two characters
	quad    [16]int16 // weights of two pairs
	low     [32]byte  // the low bits of a byte
	half    [4]uint64 // the low half of a word
	shift   uint64    // from a quad to the next
}

// newLanes returns nil if there are no such instructions.
func newLanes(codes *[256]uint32, width int) *lanes {
	if !Vectors() {
		return nil
	}
	l := &lanes{shift: 4 * uint64(width)}
	var taken [16]bool
	for low := range 16 {
		l.letters[low] = byte(low) ^ 1
	}
	for letter, code := range codes {
		if low := letter % 16; code != NoCode {
			if taken[low] {
				return nil
			}
			taken[low] = true
			l.letters[low], l.codes[low] = byte(letter), byte(code)
		}
	}
	copy(l.letters[16:], l.letters[:16])
	copy(l.codes[16:], l.codes[:16])
	for k := range 16 {
		l.pair[2*k], l.pair[2*k+1] = 1<<width, 1
		l.quad[k] = 1
		if k%2 == 0 {
			l.quad[k] = 1 << (2 * width)
		}
		l.low[2*k], l.low[2*k+1] = 15, 15
	}
	for k := range l.half {
		l.half[k] = 1<<32 - 1
	}
	return l
}

// eights makes the eights of some units, and tells whether all characters have codes.
func (l *lanes) eights(of *[batch]eights, text *[batch * unit]byte) bool {
	return eightsAVX2(of, text, l) == 0
}

//go:noescape
func eightsAVX2(of *[batch]eights, text *[batch * unit]byte, l *lanes) (unknown uint64)
