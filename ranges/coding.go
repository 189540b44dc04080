package ranges

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/async"
	"github.com/suffixcl/suffixcl/internal/intmath"
)

// pieceOf is how many of n characters are copied to the device at a time: their codes are whole words.
func pieceOf(n int) int { return min(intmath.RoundUp(intmath.CeilDiv(n, 32), 64), 16<<20) }

// code has the number of each byte among those that occur. It keeps the order.
type code struct {
	table   [256]uint32
	letters [256]byte // the bytes of the numbers
	width   int       // bits of a character
}

// Width is that of a text in memory: see [Text].
func Width(text []byte) int { return NewText(text).Width() }

// WidthOf is that of a text with these counts of its bytes.
func WidthOf(counts *[256]uint64) int {
	sigma := 0
	for _, count := range counts {
		if count > 0 {
			sigma++
		}
	}
	return widthOf(sigma)
}

// codeOf is the code of a text in which these bytes occur.
func codeOf(present *[256]bool) (c code) {
	sigma := uint32(0)
	for b, has := range present {
		c.table[b] = sigma
		if has {
			c.letters[sigma] = byte(b)
			sigma++
		}
	}
	c.width = widthOf(int(sigma))
	return c
}

// bytesOf tells which bytes occur.
func bytesOf(text []byte) (found [256]bool) {
	for ; len(text) >= 8; text = text[8:] {
		w := binary.LittleEndian.Uint64(text)
		found[byte(w)], found[byte(w>>8)], found[byte(w>>16)], found[byte(w>>24)] = true, true, true, true
		found[byte(w>>32)], found[byte(w>>40)], found[byte(w>>48)], found[byte(w>>56)] = true, true, true, true
	}
	for _, b := range text {
		found[b] = true
	}
	return found
}

func widthOf(sigma int) int { return max(bits.Len(uint(max(sigma, 1)-1)), 1) }

// windows are the shape of windows of characters of so many bits: ranges.cl.
type windows struct {
	width, chars, countBits int
}

func windowsOf(width int) windows {
	chars := 64 / width
	for chars*width+bits.Len(uint(chars)) > 64 {
		chars--
	}
	return windows{width, chars, bits.Len(uint(chars))}
}

// bits of a window.
func (w windows) bits() int { return w.chars*w.width + w.countBits }

// of is the window of the suffix at i of n characters, by the two words of packed text from its first bit on.
func (w windows) of(words [2]uint64, i, n int) uint64 {
	shift := i * w.width % 64
	bits := words[0]<<shift | words[1]>>1>>(63-shift)
	return bits>>(64-w.chars*w.width)<<w.countBits | uint64(min(n-i, w.chars))
}

// first are windows of fewer characters, by which few random suffixes tie: for n characters of that entropy. A radix
// sort by them takes fewer passes.
func (w windows) first(n int, entropy float64) windows {
	const spare = 6 // bits
	wanted := (math.Log2(float64(n)+1) + spare) / max(entropy, 1e-3)
	if wanted >= float64(w.chars) {
		return w
	}
	of := func(chars int) windows { return windows{w.width, chars, bits.Len(uint(chars))} }
	chars := max(int(math.Ceil(wanted)), 1)
	for digits := intmath.RoundUp(of(chars).bits(), 8); chars < w.chars && of(chars+1).bits() <= digits; {
		chars++
	}
	return of(chars)
}

// packedWords is the number of words of n characters, with the zeros after them.
func packedWords(n, width int) int { return intmath.CeilDiv(n*width, 64) + 2 }

// load packs the text on the device, piece by piece. While one is packed, the next is copied.
func (r *run[P]) load(ctx context.Context) error {
	s, k := r.session, &r.kernels
	text, m := r.text, r.memory
	packed, table := m.packed.Buffer(s), m.table.Buffer(s)
	if err := table.Write(r.text.code.table[:]); err != nil {
		return err
	}
	if err := m.letters.Buffer(s).Write(r.text.code.letters[:]); err != nil {
		return err
	}
	if err := m.cover.Buffer(s).Write(r.cover.table()); err != nil {
		return err
	}
	words, length := packedWords(r.n, r.shape.width), pieceOf(r.n)
	var host [2][]byte
	var copies [2]async.Transfer
	for i := range host {
		pinned, err := device.AllocPinned[byte](s, min(length, r.n))
		if err != nil {
			return err
		}
		defer pinned.Release()
		host[i] = pinned.Slice()
	}
	var sum uint64
	// start begins to copy the piece that begins so many characters into the text.
	start := func(turn, from int) error {
		to := host[turn][:min(length, r.n-from)]
		part, err := text.read(to, from)
		if sum += part; err != nil {
			return err
		}
		copies[turn] = async.StartUpload(m.pieces[turn].Buffer(s), to)
		return nil
	}
	wait := func(turn int) (err error) {
		if copies[turn] != nil {
			err = copies[turn].Wait()
			copies[turn] = nil
		}
		return err
	}
	defer func() { // before memory is released
		wait(0)
		wait(1)
	}()
	turn := 0
	if err := start(turn, 0); err != nil {
		return err
	}
	for at := 0; at < words; turn = 1 - turn {
		if err := cmp.Or(s.Check(ctx), s.Finish()); err != nil { // the other piece is packed
			return err
		}
		from := min(at*64/r.shape.width, r.n)
		have, end := min(length, r.n-from), words
		if from+have < r.n {
			end = at + length/64*r.shape.width
			if err := start(1-turn, from+have); err != nil {
				return err
			}
		}
		if err := wait(turn); err != nil {
			return err
		}
		k.pack.Launch(k.tiles(end-at), int64(have)+8*int64(end-at), m.pieces[turn].Buffer(s), uint64(have), table,
			uint32(r.shape.width), uint64(at), uint64(end-at), packed)
		at = end
	}
	return cmp.Or(s.Finish(), s.Check(ctx), text.same(sum))
}
