package seqio

import (
	"io"

	"github.com/suffixcl/suffixcl/internal/parallel"
)

const (
	// partBytes is how many bytes of a block a processor takes at once. They stay in its cache, with the bytes that it
	// makes of them.
	partBytes = 1 << 18
	// partsOfBlock are those of a long block on several processors, or more: at the end of each step of a block they wait
	// for each other, and waking one takes as long as a good part of a part.
	partsOfBlock = 8
	// firstBlock is short, so that short inputs and first records wait for little.
	firstBlock = 1 << 16
	// leastRoom is the room for bytes that the block before left.
	leastRoom = 1 << 16
	// mostProcessors read faster than memory gives.
	mostProcessors = 16
)

// block is a part of an input.
type block struct {
	memory []byte
	from   int   // of the bytes
	to     int   // the end of them
	err    error // of the input, after them; nil if there may be more
}

func (b *block) bytes() []byte { return b.memory[b.from:b.to] }

// read fills the block with so many bytes, if the input has as many, and leaves room before them.
func (b *block) read(r io.Reader, room, size int) {
	if len(b.memory) < room+size {
		b.memory = make([]byte, room+size)
	}
	b.from, b.to = room, room
	b.add(r, size)
}

// add reads so many bytes after those of the block, if the input has as many.
func (b *block) add(r io.Reader, size int) {
	b.err = nil
	for end := b.to + size; b.to < end && b.err == nil; {
		var n int
		n, b.err = r.Read(b.memory[b.to:end])
		b.to += n
	}
}

// prepend puts bytes before those of the block.
func (b *block) prepend(left []byte) {
	if len(left) > b.from {
		larger := make([]byte, len(left)+b.to-b.from)
		b.from, b.to = len(left), len(left)+copy(larger[len(left):], b.bytes())
		b.memory = larger
	}
	b.from -= copy(b.memory[b.from-len(left):], left)
}

// extend keeps the last bytes of the block and reads more after them. Its memory becomes twice as large, where it must.
func (b *block) extend(r io.Reader, kept, size int) {
	if b.from = b.to - kept; b.to+size > len(b.memory) {
		memory := b.memory
		if kept+size > len(memory) {
			memory = make([]byte, 2*(kept+size))
		}
		b.from, b.to = 0, copy(memory, b.bytes())
		b.memory = memory
	}
	b.add(r, size)
}

// blocks reads an input in blocks, the next one while one is worked on, where that is asked for.
type blocks struct {
	input   io.Reader
	room    int    // for bytes that the block before left
	now     *block // what next returned
	other   *block
	pending chan struct{} // is closed when other has been read; nil if nobody reads it
}

func newBlocks(r io.Reader) *blocks {
	return &blocks{input: r, room: leastRoom, now: new(block), other: new(block)}
}

// ahead begins to read the next block. Somebody must call next after it.
func (b *blocks) ahead(size int) {
	done, other := make(chan struct{}), b.other
	b.pending = done
	go func() {
		defer close(done)
		other.read(b.input, b.room, size)
	}()
}

// next is the block after the last one, of so many bytes after the last ones of that one, which it left. It uses the
// memory of the last but one, or that of the last one if that left much.
func (b *blocks) next(left []byte, size int) *block {
	switch {
	case b.pending != nil:
		<-b.pending
		b.pending = nil
		b.room = max(b.room, 2*len(left))
	case len(left) > leastRoom:
		b.now.extend(b.input, len(left), size)
		return b.now
	default:
		b.other.read(b.input, b.room, size)
	}
	b.other.prepend(left)
	b.now, b.other = b.other, b.now
	return b.now
}

// grow makes room for n more elements. append would copy on one processor, and write zeros into the room first.
func grow[T any](all []T, n int) []T {
	if cap(all)-len(all) >= n {
		return all
	}
	larger := make([]T, len(all), max(cap(all)+cap(all)/2, len(all)+n))
	parallel.Copy(larger, all)
	return larger
}
