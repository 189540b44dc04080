package bsdiff

import (
	"encoding/binary"
	"math/bits"
)

const (
	wordBytes = 8
	lowBits   = 0x7f7f7f7f7f7f7f7f
)

func wordAt(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i:]) }

// equalBytes is how many bytes of two words are equal.
func equalBytes(a, b uint64) int {
	d := a ^ b
	if d == 0 {
		return wordBytes
	}
	return bits.OnesCount64(^((d&lowBits + lowBits) | d | lowBits)) // the highest bit of each byte that is 0
}

// common is the number of bytes in which two texts agree before they differ.
func common(a, b []byte) int {
	n := min(len(a), len(b))
	i := 0
	for ; i+wordBytes <= n; i += wordBytes {
		if d := wordAt(a, i) ^ wordAt(b, i); d != 0 {
			return i + bits.TrailingZeros64(d)/8
		}
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

// agreeing is the number of bytes that are equal in two texts of one length.
func agreeing(a, b []byte) (count int) {
	b = b[:len(a)]
	i := 0
	for ; i+wordBytes <= len(a); i += wordBytes {
		count += equalBytes(wordAt(a, i), wordAt(b, i))
	}
	for ; i < len(a); i++ {
		if a[i] == b[i] {
			count++
		}
	}
	return count
}

// gain follows how much it is worth to make a stretch longer: bytes that agree count 1, others -1.
type gain struct{ worth, best, length int }

// word adds eight bytes, of which so many are equal, that follow i others. It is false, and adds nothing, where the
// stretch may end among them.
func (g *gain) word(i, equal int) bool {
	switch {
	case equal == wordBytes:
		if g.worth += wordBytes; g.worth > g.best {
			g.best, g.length = g.worth, i+wordBytes
		}
	case g.worth+equal <= g.best:
		g.worth += 2*equal - wordBytes
	default:
		return false
	}
	return true
}

// add adds a byte that follows i others.
func (g *gain) add(i int, equal bool) {
	if !equal {
		g.worth--
		return
	}
	if g.worth++; g.worth > g.best {
		g.best, g.length = g.worth, i+1
	}
}

// bestBeginning is the length of the beginning of two texts of one length that is worth most; of several the shortest.
func bestBeginning(a, b []byte) int {
	var g gain
	b = b[:len(a)]
	for i := 0; i < len(a); {
		if i+wordBytes <= len(a) && g.word(i, equalBytes(wordAt(a, i), wordAt(b, i))) {
			i += wordBytes
			continue
		}
		for end := min(i+wordBytes, len(a)); i < end; i++ {
			g.add(i, a[i] == b[i])
		}
	}
	return g.length
}

// bestEnd is that of their ends.
func bestEnd(a, b []byte) int {
	var g gain
	n := len(a)
	b = b[:n]
	for i := 0; i < n; {
		if at := n - i - wordBytes; at >= 0 && g.word(i, equalBytes(wordAt(a, at), wordAt(b, at))) {
			i += wordBytes
			continue
		}
		for end := min(i+wordBytes, n); i < end; i++ {
			g.add(i, a[n-1-i] == b[n-1-i])
		}
	}
	return g.length
}
