package bzip2

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
	yield func(*Block) error
	block *Block
	run   int // bytes equal to last that have not been appended yet
	last  byte
}

// NewSplitter hands each block to yield.
func NewSplitter(yield func(*Block) error) *Splitter { return &Splitter{yield: yield} }

// Write takes bytes. Errors: those of yield.
func (s *Splitter) Write(p []byte) error {
	for _, c := range p {
		if s.run > 0 && c == s.last && s.run < longRun {
			s.run++
			continue
		}
		if err := s.endRun(); err != nil {
			return err
		}
		s.last, s.run = c, 1
	}
	return nil
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
		s.block = &Block{checksum: ^uint32(0)}
	}
	b := s.block
	for range s.run {
		b.checksum = b.checksum<<8 ^ remainders[byte(b.checksum>>24)^s.last]
	}
	for range min(s.run, shortRun) {
		b.text = append(b.text, s.last)
	}
	if s.run >= shortRun {
		b.text = append(b.text, byte(s.run-shortRun))
	}
	s.run = 0
	return nil
}

func (s *Splitter) flush() error {
	b := s.block
	s.block = nil
	b.checksum = ^b.checksum
	return s.yield(b)
}

// remainders are the remainders of bytes by the polynomial of CRC-32, the high bit first.
var remainders = func() (all [256]uint32) {
	for c := range all {
		r := uint32(c) << 24
		for range 8 {
			r = r<<1 ^ r>>31*0x04C11DB7
		}
		all[c] = r
	}
	return all
}()

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

// lastColumn is the last byte of each rotation in their order, and the row of the block itself.
func (b *Block) lastColumn(sa []uint32) (column []byte, row int) {
	root := b.Root()
	self := (len(b.text) - b.start) % len(root) // the block in the root
	column = make([]byte, 0, len(b.text))
	for rank, place := range sa {
		if int(place) == self {
			row = rank * b.power
		}
		before := int(place) - 1
		if before < 0 {
			before = len(root) - 1
		}
		for range b.power {
			column = append(column, root[before])
		}
	}
	return column, row
}
