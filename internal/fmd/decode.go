package fmd

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
)

// Header is the beginning of a file.
type Header struct {
	Rows   uint64 // of the transform: letters, with an end for each string
	Counts [Letters]uint64

	words, frames uint64
}

// ReadHeader reads the first 80 bytes of a file of so many bytes. Errors: an *Error, those of r.
func ReadHeader(r io.Reader, size int64) (Header, error) {
	var h Header
	b := make([]byte, headerBytes)
	if n, err := io.ReadFull(r, b); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			err = &Error{int64(n), "the file ends in its header"}
		}
		return h, err
	}
	if [16]byte(b) != magic {
		return h, &Error{0, "not an index of ropebwt3 with an alphabet of 6 letters"}
	}
	length, frames := binary.LittleEndian.Uint64(b[16:]), binary.LittleEndian.Uint64(b[24:])
	for i := range h.Counts {
		n := binary.LittleEndian.Uint64(b[32+8*i:])
		if h.Counts[i] = n; n > MaxRun || h.Rows+n > MaxRun {
			return h, &Error{int64(32 + 8*i), fmt.Sprintf("%d letters are too many", n)}
		}
		h.Rows += n
	}
	h.words, h.frames = length/8, frames
	const most = 1 << 56
	switch {
	case length%8 != 0 || length < 8*(blockWords+2) || length > most:
		return h, &Error{16, fmt.Sprintf("blocks of %d bytes", length)}
	case frames > most/64 || size != int64(headerBytes+length+8*counts*frames):
		return h, &Error{24, fmt.Sprintf("%d bytes of blocks and %d frames are not those of a file of %d bytes", length,
			frames, size)}
	}
	return h, nil
}

// Decode reads a file of so many bytes, and yields its runs, which are maximal if they were written so. It checks all
// that the file says twice: sizes, counts of blocks and letters, frames. Memory: 64 bytes a frame. Errors: an *Error
// with the place; those of r and yield.
func Decode(r io.Reader, size int64, yield func(Run) error) (Header, error) {
	in := bufio.NewReaderSize(r, 1<<18)
	h, err := ReadHeader(in, size)
	if err != nil {
		return h, err
	}
	d := &decoder{Header: h, in: in, yield: yield, made: newFramer(h.Rows, h.words)}
	if d.made.most != h.frames {
		return h, &Error{24, fmt.Sprintf("%d frames, wanted are %d", h.frames, d.made.most)}
	}
	d.made.room()
	if err := d.blocks(); err != nil {
		return h, err
	}
	return h, d.compareFrames()
}

type decoder struct {
	Header
	in    *bufio.Reader
	yield func(Run) error
	read  uint64 // words
	made  *framer
}

// place is the offset of a word.
func place(word uint64) int64 { return headerBytes + 8*int64(word) }

// blocks decodes all blocks.
func (d *decoder) blocks() error {
	block, err := d.next()
	if err != nil {
		return err
	}
	if countsAt(block) != [counts]uint64{} {
		return &Error{place(0), "the first block begins with counts"}
	}
	for start := uint64(0); d.read < d.words; start += blockWords {
		following, err := d.next()
		if err != nil {
			return err
		}
		told := countsAt(following)
		if err := d.runs(start, block, told); err != nil {
			return err
		}
		d.made.add(&d.made.last, start+blockWords, &told)
		block = following
	}
	for i, n := range d.Counts {
		if got := d.made.last.before[1+i]; got != n {
			return &Error{32 + 8*int64(i), fmt.Sprintf("%d of letter %d, and the blocks have %d", n, i, got)}
		}
	}
	return nil
}

// next reads a block; the last one is shorter.
func (d *decoder) next() ([]uint64, error) {
	n := min(blockWords, d.words-d.read)
	if n < 2 {
		return nil, &Error{place(d.read), "the last block is too short"}
	}
	b := make([]byte, 8*n)
	if _, err := io.ReadFull(d.in, b); err != nil {
		return nil, err
	}
	block := make([]uint64, blockWords)
	for i := range n {
		block[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	kind := block[0] >> 62
	if kind > 2 || uint64(headWords[kind]) > n {
		return nil, &Error{place(d.read), "counts of no kind"}
	}
	d.read += n
	if d.read == d.words && uint64(headWords[kind]) != n {
		return nil, &Error{place(d.read), fmt.Sprintf("the last block has %d words, its counts %d", n, headWords[kind])}
	}
	return block, nil
}

// runs decodes a block, which has so many letters.
func (d *decoder) runs(start uint64, block []uint64, told [counts]uint64) error {
	wrong := func(why string) error { return &Error{place(start), why} }
	sum := uint64(0)
	for _, n := range told[1:] {
		if sum += n; n > MaxRun {
			return wrong("its counts are too large")
		}
	}
	if sum != told[0] {
		return wrong(fmt.Sprintf("%d letters, the counts of them add up to %d", told[0], sum))
	}
	at, end := 64*headWords[block[0]>>62], 64*(tailOf(start)+1)
	for left := told; left[0] > 0; {
		run, width := decodeRun(block, at)
		switch at += width; {
		case width == 0 || at >= end:
			return wrong("a code is beyond the end of the block")
		case run.Letter >= Letters:
			return wrong(fmt.Sprintf("no letter has the code %d", run.Letter))
		case run.Len > left[1+run.Letter]:
			return wrong("the codes are of more letters than its counts")
		}
		left[0] -= run.Len
		left[1+run.Letter] -= run.Len
		if err := d.yield(run); err != nil {
			return err
		}
	}
	return nil
}

// decodeRun decodes the run at a bit of a block. A width of 0 is that of no code.
func decodeRun(block []uint64, at int) (Run, int) {
	code := bitsAt(block, at)
	z := bits.LeadingZeros64(code)
	if z > 5 {
		return Run{}, 0
	}
	y := int(code<<z>>(63-z)) - 1
	width := 2*z + 1 + y + letterBits
	if width > 64 {
		return Run{}, 0
	}
	code >>= 64 - width
	return Run{Letter: byte(code & (1<<letterBits - 1)), Len: 1<<y | code>>letterBits&(1<<y-1)}, width
}

// bitsAt are the 64 bits from one on; after the block there are zeros.
func bitsAt(block []uint64, at int) uint64 {
	word, bit := at/64, at%64
	if word >= len(block) {
		return 0
	}
	code := block[word] << bit
	if bit > 0 && word+1 < len(block) {
		code |= block[word+1] >> (64 - bit)
	}
	return code
}

// compareFrames reads the frames, which are to be those of the blocks.
func (d *decoder) compareFrames() error {
	b := make([]byte, 8)
	for i, want := range d.made.all() {
		if _, err := io.ReadFull(d.in, b); err != nil {
			return err
		}
		if got := binary.LittleEndian.Uint64(b); got != want {
			return &Error{place(d.words + uint64(i)), fmt.Sprintf("a frame has %d, and the blocks %d", got, want)}
		}
	}
	return nil
}
