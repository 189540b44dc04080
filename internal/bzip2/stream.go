package bzip2

// Bits are the bits of a block.
type Bits struct {
	bytes    []byte
	last     uint64 // bits that are no byte yet, the first one highest
	count    uint   // of them, less than 8
	checksum uint32
}

// put appends the low bits of v, at most 48 of them.
func (b *Bits) put(v uint64, bits uint) {
	b.last = b.last<<bits | v&(1<<bits-1)
	b.count += bits
	for b.count >= 8 {
		b.count -= 8
		b.bytes = append(b.bytes, byte(b.last>>b.count))
	}
}

const (
	header     = "BZh9"
	blockMagic = 0x314159265359
	endMagic   = 0x177245385090
)

// Stream joins blocks.
type Stream struct{ bits Bits }

// Add appends a block.
func (s *Stream) Add(block *Bits) {
	s.begin()
	for _, c := range block.bytes {
		s.bits.put(uint64(c), 8)
	}
	s.bits.put(block.last, block.count)
	s.bits.checksum = (s.bits.checksum<<1 | s.bits.checksum>>31) ^ block.checksum
}

func (s *Stream) begin() {
	if s.bits.bytes == nil {
		s.bits.bytes = append(s.bits.bytes, header...)
	}
}

// Close is the whole stream.
func (s *Stream) Close() []byte {
	s.begin()
	s.bits.put(endMagic, 48)
	s.bits.put(uint64(s.bits.checksum), 32)
	s.bits.put(0, (8-s.bits.count)%8)
	return s.bits.bytes
}
