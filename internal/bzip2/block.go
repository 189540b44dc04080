package bzip2

import (
	"hash/crc32"
	"math/bits"
)

// MaxBlock is the most bytes of a block after its runs were replaced, for blocks of 900 kB.
const MaxBlock = 900_000 - 19

const (
	shortRun = 4   // equal bytes after which their number follows
	longRun  = 255 // equal bytes that go together
)

// Block is a part of a stream.
type Block struct {
	text     []byte // runs replaced
	checksum uint32 // of the bytes before that
	root     []byte // Lyndon word
	power    int    // how often it follows itself in the rotation
	start    int    // of the rotation in the text
}

// Splitter cuts bytes into blocks.
type Splitter struct {
	yield     func(*Block) error
	block     *Block
	run       int // bytes equal to last that have not been appended yet
	last      byte
	unchecked []byte // of the block, mirrored: their checksum is not taken yet
}

// manyUnchecked are worth a call that takes a checksum.
const manyUnchecked = 1 << 12

// NewSplitter hands each block to yield.
func NewSplitter(yield func(*Block) error) *Splitter { return &Splitter{yield: yield} }

// Write takes bytes. Errors: those of yield.
func (s *Splitter) Write(p []byte) error {
	for len(p) > 0 {
		if c := p[0]; s.run == 0 || c != s.last {
			if err := s.endRun(); err != nil {
				return err
			}
			s.last, s.run = c, 1
			p = p[1:]
			continue
		}
		same := 1
		for same < len(p) && p[same] == s.last {
			same++
		}
		if err := s.repeat(same); err != nil {
			return err
		}
		p = p[same:]
	}
	return nil
}

// Repeat takes the same byte n times. Errors: those of yield.
func (s *Splitter) Repeat(c byte, n int) error {
	if n == 0 {
		return nil
	}
	if err := s.Write([]byte{c}); err != nil {
		return err
	}
	return s.repeat(n - 1)
}

// repeat takes the last byte n times more.
func (s *Splitter) repeat(n int) error {
	for {
		some := min(n, longRun-s.run)
		s.run += some
		if n -= some; n == 0 {
			return nil
		}
		if err := s.endRun(); err != nil {
			return err
		}
	}
}

// Close hands out the last block. Errors: those of yield.
func (s *Splitter) Close() error {
	if err := s.endRun(); err != nil || s.block == nil {
		return err
	}
	return s.flush()
}

func (s *Splitter) endRun() error {
	if s.run == 0 {
		return nil
	}
	if s.block != nil && len(s.block.text) > MaxBlock-shortRun-1 {
		if err := s.flush(); err != nil {
			return err
		}
	}
	if s.block == nil {
		s.block = &Block{}
	}
	b, mirrored := s.block, bits.Reverse8(s.last)
	if s.run == 1 {
		b.text = append(b.text, s.last)
		s.unchecked = append(s.unchecked, mirrored)
	} else {
		for range min(s.run, shortRun) {
			b.text = append(b.text, s.last)
		}
		if s.run >= shortRun {
			b.text = append(b.text, byte(s.run-shortRun))
		}
		from := len(s.unchecked)
		s.unchecked = append(s.unchecked, zeros[:s.run]...)
		if mirrored != 0 {
			for i := range s.unchecked[from:] {
				s.unchecked[from+i] = mirrored
			}
		}
	}
	s.run = 0
	if len(s.unchecked) >= manyUnchecked {
		s.check()
	}
	return nil
}

var zeros [longRun]byte

// check takes the checksum of bytes. It is that of hash/crc32, which takes the lowest bit first, of mirrored bytes.
func (s *Splitter) check() {
	s.block.checksum = crc32.Update(s.block.checksum, crc32.IEEETable, s.unchecked)
	s.unchecked = s.unchecked[:0]
}

func (s *Splitter) flush() error {
	s.check()
	b := s.block
	s.block = nil
	b.checksum = bits.Reverse32(b.checksum)
	return s.yield(b)
}

// Root is the Lyndon word whose suffixes have the order of the block's rotations. It has at most MaxBlock bytes, and
// must not be changed.
func (b *Block) Root() []byte {
	if b.root == nil {
		b.start = leastRotation(b.text)
		rotated := append(append(make([]byte, 0, len(b.text)), b.text[b.start:]...), b.text[:b.start]...)
		// Duval's loop: the period of a word that is a power of a Lyndon word.
		k := 0
		for j := 1; j < len(rotated); j++ {
			if rotated[k] == rotated[j] {
				k++
			} else {
				k = 0
			}
		}
		period := len(rotated) - k
		b.root, b.power = rotated[:period], len(rotated)/period
	}
	return b.root
}

// leastRotation is where the least rotation of a text begins.
func leastRotation(text []byte) int {
	n := len(text)
	at := func(i int) byte {
		if i >= n {
			i -= n
		}
		return text[i]
	}
	i, j, same := 0, 1, 0
	for i < n && j < n && same < n {
		a, b := at(i+same), at(j+same)
		if a == b {
			same++
			continue
		}
		if a > b {
			i += same + 1
		} else {
			j += same + 1
		}
		if i == j {
			j++
		}
		same = 0
	}
	return min(i, j)
}

// Column has the last byte of each rotation of a block, in their order.
type Column struct {
	bytes    []byte
	row      int // of the block itself
	checksum uint32
}

// LastColumn makes the column, given the suffix array of the block's root.
func (b *Block) LastColumn(sa []uint32) *Column {
	root := b.Root()
	self := (len(b.text) - b.start) % len(root) // the block in the root
	c := &Column{bytes: make([]byte, 0, len(b.text)), checksum: b.checksum}
	for rank, place := range sa {
		if int(place) == self {
			c.row = rank * b.power
		}
		before := int(place) - 1
		if before < 0 {
			before = len(root) - 1
		}
		for range b.power {
			c.bytes = append(c.bytes, root[before])
		}
	}
	return c
}
