package sdsl

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"unsafe"

	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// vector has integers of so many bits, in words of 64 from the least bit on.
type vector struct {
	words []uint64
	n     int
	width uint
}

func newVector(n int, width uint) *vector {
	return &vector{words: addressspace.Make[uint64](wordsOf(uint64(n) * uint64(width))), n: n, width: width}
}

func wordsOf(bits uint64) int { return int((bits + 63) / 64) }

// widthFor is what the library takes for numbers up to most.
func widthFor(most uint64) uint { return uint(max(bits.Len64(most), 1)) }

// entriesAtOnce is a number of entries that ends with a word, whatever their width is.
const entriesAtOnce = 64

// fill sets the entries, on several processors.
func (v *vector) fill(entry func(i int) uint64) {
	parallel.Do((v.n+entriesAtOnce-1)/entriesAtOnce, 1<<8, func(lo, hi int) {
		p := packer{words: v.words, at: uint64(lo) * entriesAtOnce * uint64(v.width)}
		for i := lo * entriesAtOnce; i < min(hi*entriesAtOnce, v.n); i++ {
			p.put(entry(i), v.width)
		}
		p.end()
	})
}

// packer puts numbers into words from a bit on. The first word may have bits before it, and others may have the rest of
// the last one.
type packer struct {
	words []uint64
	at    uint64
	word  uint64 // bits of the word that at is in
	first bool   // that word is not the packer's own
	or    func(word *uint64, bits uint64)
}

func (p *packer) put(value uint64, width uint) {
	used := uint(p.at % 64)
	p.word |= value << used
	p.at += uint64(width)
	if used+width < 64 {
		return
	}
	p.flush((p.at - uint64(width)) / 64)
	p.word = 0
	if rest := 64 - used; rest < width {
		p.word = value >> rest
	}
}

func (p *packer) flush(word uint64) {
	if p.first && p.or != nil {
		p.or(&p.words[word], p.word)
	} else {
		p.words[word] |= p.word
	}
	p.first = false
}

// end writes the word that is not full.
func (p *packer) end() {
	if p.at%64 != 0 {
		p.first = true
		p.flush(p.at / 64)
	}
}

// header of a vector: its bits, and its width where that is not known from the type.
func (v *vector) size(withWidth bool) int64 {
	size := int64(8 + 8*len(v.words))
	if withWidth {
		size++
	}
	return size
}

// write writes it with its header.
func (v *vector) write(w io.Writer, withWidth bool) error {
	header := binary.LittleEndian.AppendUint64(nil, uint64(v.n)*uint64(v.width))
	if withWidth {
		header = append(header, byte(v.width))
	}
	if _, err := w.Write(header); err != nil {
		return err
	}
	return writeWords(w, v.words)
}

// littleEndian tells whether words are in memory as in files.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// wordsAtOnce are as many as are written by one call: enough for a writer that gives parts to many processors.
const wordsAtOnce = 1 << 22

func writeWords(w io.Writer, words []uint64) error {
	for len(words) > 0 {
		part := words[:min(wordsAtOnce, len(words))]
		bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(part))), 8*len(part))
		if !littleEndian {
			bytes = make([]byte, 0, 8*len(part))
			for _, word := range part {
				bytes = binary.LittleEndian.AppendUint64(bytes, word)
			}
		}
		if _, err := w.Write(bytes); err != nil {
			return err
		}
		words = words[len(part):]
	}
	return nil
}

// stored is a vector in a file's bytes.
type stored struct {
	data  []byte // whole words
	n     uint64
	width uint
}

// at is entry i < n.
func (v *stored) at(i uint64) uint64 { return bitsAt(v.data, i*uint64(v.width), v.width) }

// bitsAt are up to 64 bits from a bit on, within the data.
func bitsAt(data []byte, at uint64, width uint) uint64 {
	if width == 0 {
		return 0
	}
	word, used := at/64*8, uint(at%64)
	value := binary.LittleEndian.Uint64(data[word:]) >> used
	if used+width > 64 {
		value |= binary.LittleEndian.Uint64(data[word+8:]) << (64 - used)
	}
	return value & (1<<width - 1)
}

// parts reads a file's bytes from the front.
type parts struct {
	data []byte
	at   int
	err  error
}

func (p *parts) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("byte %d: %s", p.at, fmt.Sprintf(format, args...))
	}
}

// bytes takes n bytes, or fails and returns nil.
func (p *parts) bytes(n uint64) []byte {
	if p.err != nil {
		return nil
	}
	if n > uint64(len(p.data)-p.at) {
		p.fail("the file ends %d bytes early", n-uint64(len(p.data)-p.at))
		return nil
	}
	taken := p.data[p.at : p.at+int(n)]
	p.at += int(n)
	return taken
}

func (p *parts) uint64() uint64 {
	if b := p.bytes(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (p *parts) uint16() uint16 {
	if b := p.bytes(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

// vector takes a vector; width 0: it is in the file.
func (p *parts) vector(width uint) (v stored) {
	bits := p.uint64()
	if v.width = width; width == 0 {
		if b := p.bytes(1); b != nil {
			v.width = uint(b[0])
		}
	}
	switch {
	case p.err != nil:
		return stored{}
	case v.width < 1 || v.width > 64 || bits%uint64(v.width) != 0 || bits > 8*uint64(len(p.data)):
		p.fail("a vector of %d bits, %d an entry", bits, v.width)
		return stored{}
	}
	v.n = bits / uint64(v.width)
	v.data = p.bytes(uint64(wordsOf(bits)) * 8)
	return v
}
