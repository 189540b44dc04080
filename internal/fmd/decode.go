package fmd

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"runtime"
	"slices"

	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/parallel"
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
// that the file says twice: sizes, counts of blocks and letters, frames. Memory: 56 bytes a frame, and 64 MB. Errors:
// an *Error with the place; those of r and yield.
func Decode(r io.Reader, size int64, yield func(Run) error) (Header, error) {
	return DecodeParts(r, size, func(parts ...[]Run) error {
		for _, part := range parts {
			for _, run := range part {
				if err := yield(run); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// Yield takes runs that follow each other, in parts of which each is worth a processor, or one of many. They are valid
// until it returns.
type Yield func(parts ...[]Run) error

// DecodeParts does what Decode does, on all processors, and yields many runs at a time, while the next ones are
// decoded.
func DecodeParts(r io.Reader, size int64, yield Yield) (Header, error) {
	h, err := ReadHeader(r, size)
	if err != nil {
		return h, err
	}
	d := &decoder{Header: h, in: r, yield: yield, made: newFramer(h.Rows, h.words)}
	if d.made.most != h.frames {
		return h, &Error{24, fmt.Sprintf("%d frames, wanted are %d", h.frames, d.made.most)}
	}
	if err := d.blocks(); err != nil {
		return h, err
	}
	return h, d.compareFrames()
}

type decoder struct {
	Header
	in    io.Reader
	yield Yield
	made  *framer

	bytes []byte
	slab  []uint64     // words of blocks that are decoded together, and of the one after them
	parts [2][]decoded // of blocks that are yielded, and of those that are decoded meanwhile
}

// decoded is what blocks have.
type decoded struct {
	runs []Run
	err  error
}

// Blocks that are decoded together at most, those of a processor, whose runs its caches hold, and those that are worth
// one. Tests have fewer.
var (
	decodedTogether uint64 = 1 << 14
	decodedByOne           = 1 << 10
	leastDecoded           = 1 << 8
)

// place is the offset of a word.
func place(word uint64) int64 { return headerBytes + 8*int64(word) }

// blocks decodes all blocks.
func (d *decoder) blocks() error {
	whole := (d.words - 1) / blockWords // those before the last one
	together := min(decodedTogether, uint64(decodedByOne*runtime.GOMAXPROCS(0)), whole)
	d.slab = make([]uint64, (together+1)*blockWords)
	d.bytes = make([]byte, 8*max(together, 1)*blockWords)
	if err := d.read(d.slab[:blockWords]); err != nil {
		return err
	}
	if err := d.checkHead(d.slab[:blockWords], 0); err != nil {
		return err
	}
	if countsAt(d.slab) != [counts]uint64{} {
		return &Error{place(0), "the first block begins with counts"}
	}
	var parts []*decoded // that are yielded while the next ones are decoded
	round := 0
	for from := uint64(0); from < whole; from += together {
		next := make(chan result, 1)
		go func() { next <- d.round(round%2, from, min(together, whole-from)) }()
		err := d.yieldAll(parts)
		got := <-next
		if err = cmp.Or(err, got.err); err != nil {
			return err
		}
		parts = got.parts
		round++
	}
	if err := d.yieldAll(parts); err != nil {
		return err
	}
	for i, n := range d.Counts {
		if got := d.made.last.before[1+i]; got != n {
			return &Error{32 + 8*int64(i), fmt.Sprintf("%d of letter %d, and the blocks have %d", n, i, got)}
		}
	}
	return nil
}

// read reads words.
func (d *decoder) read(words []uint64) error {
	b := d.bytes[:8*len(words)]
	if _, err := io.ReadFull(d.in, b); err != nil {
		return err
	}
	parallel.Do(len(words), leastDecoded*blockWords, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			words[i] = binary.LittleEndian.Uint64(b[8*i:])
		}
	})
	return nil
}

// result is what blocks have, and the error of reading them.
type result struct {
	parts []*decoded
	err   error
}

// round reads the words after those of n blocks from a number on, and decodes these.
func (d *decoder) round(number int, from, n uint64) result {
	words := d.slab[:min((n+1)*blockWords, d.words-from*blockWords)]
	if err := d.read(words[blockWords:]); err != nil {
		return result{err: err}
	}
	parts := d.decode(number, from, int(n), words)
	for _, part := range parts {
		if part.err != nil {
			return result{parts: parts}
		}
	}
	d.made.addAll((from+1)*blockWords, words[blockWords:])
	copy(d.slab[:blockWords], d.slab[n*blockWords:])
	return result{parts: parts}
}

// decode decodes n blocks from a number on, with their words and those of the block after them.
func (d *decoder) decode(number int, from uint64, n int, words []uint64) []*decoded {
	each := max(leastDecoded, intmath.CeilDiv(n, runtime.GOMAXPROCS(0)))
	for len(d.parts[number]) < intmath.CeilDiv(n, each) {
		d.parts[number] = append(d.parts[number], decoded{})
	}
	return parallel.Collect(n, each, func(lo, hi int) *decoded {
		part := &d.parts[number][lo/each]
		*part = decoded{runs: part.runs[:0]}
		for b := lo; b < hi && part.err == nil; b++ {
			following := words[(b+1)*blockWords : min((b+2)*blockWords, len(words))]
			start := (from + uint64(b)) * blockWords
			if part.err = d.checkHead(following, start+blockWords); part.err == nil {
				part.err = part.add(start, words[b*blockWords:][:blockWords], countsAt(following))
			}
		}
		return part
	})
}

// yieldAll yields parts, up to the first error.
func (d *decoder) yieldAll(parts []*decoded) (err error) {
	var runs [][]Run
	for _, part := range parts {
		if len(part.runs) > 0 {
			runs = append(runs, part.runs)
		}
		if err = part.err; err != nil {
			break
		}
	}
	if len(runs) > 0 {
		if failed := d.yield(runs...); failed != nil {
			return failed
		}
	}
	return err
}

// checkHead finds out whether a block can begin with its counts. The last block has them alone.
func (d *decoder) checkHead(block []uint64, start uint64) error {
	if len(block) < 2 {
		return &Error{place(start), "the last block is too short"}
	}
	kind := block[0] >> 62
	if kind > 2 || headWords[kind] > len(block) {
		return &Error{place(start), "counts of no kind"}
	}
	if n := len(block); start+uint64(n) == d.words && headWords[kind] != n {
		return &Error{place(start), fmt.Sprintf("the last block has %d words, its counts %d", n, headWords[kind])}
	}
	return nil
}

// mostRuns is how many a block has at most: the shortest code has 4 bits.
const mostRuns = 64 * blockWords / 4

// add decodes a block, which has so many letters.
func (d *decoded) add(start uint64, block []uint64, told [counts]uint64) error {
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
	var words [blockWords + 1]uint64 // zeros after the block
	copy(words[:blockWords], block)
	at, end := 64*headWords[block[0]>>62], 64*(tailOf(start)+1)
	runs := slices.Grow(d.runs, mostRuns)
	runs = runs[:len(runs)+mostRuns]
	n := len(d.runs)
	var has [1 << letterBits]uint64
	for left := told[0]; left > 0; n++ {
		word, bit := at/64&(blockWords-1), at%64
		code := words[word]<<bit | words[word+1]>>(64-bit)
		short := shortCodes[code>>(64-shortBits)]
		run, width := Run{short.letter, uint64(short.length)}, int(short.width)
		if width == 0 {
			run, width = decodeRun(code)
		}
		switch at += width; {
		case width == 0 || at >= end:
			return wrong("a code is beyond the end of the block")
		case run.Letter >= Letters:
			return wrong(fmt.Sprintf("no letter has the code %d", run.Letter))
		case run.Len > left:
			return wrong("the codes are of more letters than its counts")
		}
		left -= run.Len
		has[run.Letter] += run.Len
		runs[n] = run
	}
	if [counts - 1]uint64(has[:counts-1]) != [counts - 1]uint64(told[1:]) {
		return wrong("the codes are of more letters than its counts")
	}
	d.runs = runs[:n]
	return nil
}

// shortBits hold the codes of all runs up to 15 letters, which most are.
const shortBits = 12

// shortCodes are the runs by the bits that begin with their codes; a width of 0 is that of longer ones.
var shortCodes = func() (table [1 << shortBits]struct{ letter, length, width uint8 }) {
	for bits := range table {
		run, width := decodeRun(uint64(bits) << (64 - shortBits))
		if width <= shortBits {
			table[bits].letter, table[bits].length, table[bits].width = run.Letter, uint8(run.Len), uint8(width)
		}
	}
	return table
}()

// decodeRun decodes the run with which 64 bits begin. A width of 0 is that of no code.
func decodeRun(code uint64) (Run, int) {
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

// compareFrames reads the frames, which are to be those of the blocks.
func (d *decoder) compareFrames() error {
	const most = 1 << 17
	frames := d.made.all()
	for at := 0; at < len(frames); at += most {
		want := frames[at:min(at+most, len(frames))]
		b := make([]byte, 8*len(want))
		n, err := io.ReadFull(d.in, b)
		for i, frame := range want[:n/8] {
			if got := binary.LittleEndian.Uint64(b[8*i:]); got != frame {
				return &Error{place(d.words + uint64(at+i)),
					fmt.Sprintf("a frame has %d, and the blocks %d", got, frame)}
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
