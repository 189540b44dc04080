package star

import (
	"encoding/binary"
	"errors"
	"io"
	"iter"

	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/entries"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

var little = binary.LittleEndian

// packedSize is the bytes of a packed array: STAR keeps a word of 8 bytes for the last entry.
func packedSize(n, width int) int64 { return (int64(n)-1)*int64(width)/8 + 8 }

// packer writes a packed array whose entries come some at a time, while the next ones are made.
type packer struct {
	width int
	held  byte // bits that do not fill a byte yet
	bits  int  // how many these are
	full  chan []byte
	free  chan []byte
	stop  chan struct{} // closed when writing has failed
	ended chan error
}

// newPacker writes so many entries. Close ends it.
func newPacker(w io.Writer, n, width int) *packer {
	p := &packer{width: width, full: make(chan []byte), free: make(chan []byte, 2), stop: make(chan struct{}),
		ended: make(chan error, 1)}
	p.free <- nil
	p.free <- nil
	go func() {
		exact := &exactly{w: w, rest: packedSize(n, width)}
		var err error
		for b := range p.full {
			if _, err = exact.Write(b); err != nil {
				break
			}
			select {
			case p.free <- b:
			default: // the last byte
			}
		}
		if err == nil && exact.rest < entries.Group {
			_, err = w.Write(make([]byte, exact.rest))
		}
		close(p.stop)
		p.ended <- err
	}()
	return p
}

// errStopped says that close knows why the array is not written.
var errStopped = errors.New("star: the array is not written")

// add writes the next n entries, which are packed from the first bit on. Errors: errStopped.
func (p *packer) add(packed []byte, n int) error {
	bits := p.bits + n*p.width
	var b []byte
	select {
	case b = <-p.free:
	case <-p.stop:
		return errStopped
	}
	if cap(b) < bits/8+1 {
		b = addressspace.Make[byte](bits/8 + 1)
	}
	b = b[:bits/8+1]
	shift := p.bits
	parallel.Do(len(b), 1<<16, func(lo, hi int) { shifted(b[lo:hi], packed, lo, shift) })
	b[0] |= p.held
	p.bits = bits % 8
	p.held = b[len(b)-1] & (1<<p.bits - 1)
	select {
	case p.full <- b[:len(b)-1]:
		return nil
	case <-p.stop:
		return errStopped
	}
}

// eachPacked calls add with blocks of entries. Errors: theirs; add's.
func eachPacked(blocks iter.Seq2[call.Packed, error], add func(packed []byte, n int) error) error {
	for block, err := range blocks {
		if err == nil {
			err = add(block.Bytes, block.Entries)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// shifted makes bytes from `at` on of a stream of bits that has fewer than 8 zeros before it, by words where there are.
func shifted(to, stream []byte, at, zeros int) {
	if zeros == 0 && at+len(to) <= len(stream) {
		copy(to, stream[at:])
		return
	}
	for i := 0; i < len(to); {
		k := at + i
		if k > 0 && i+8 <= len(to) && k+8 <= len(stream) {
			little.PutUint64(to[i:], little.Uint64(stream[k:])<<zeros|uint64(stream[k-1])>>(8-zeros))
			i += 8
			continue
		}
		to[i] = 0
		if k < len(stream) {
			to[i] = stream[k] << zeros
		}
		if k > 0 && k <= len(stream) {
			to[i] |= byte(uint(stream[k-1]) >> (8 - zeros))
		}
		i++
	}
}

// close writes the last entries, if all have come, and returns the error of writing.
func (p *packer) close() error {
	if p.bits > 0 {
		select {
		case p.full <- []byte{p.held}:
		case <-p.stop: // which has the error
		}
	}
	close(p.full)
	return <-p.ended
}

// exactly is a writer that takes so many bytes, and drops what is more.
type exactly struct {
	w    io.Writer
	rest int64
}

func (e *exactly) Write(p []byte) (int, error) {
	taken := p[:min(int64(len(p)), e.rest)]
	e.rest -= int64(len(taken))
	if _, err := e.w.Write(taken); err != nil {
		return 0, err
	}
	return len(p), nil
}

// packed is an array that was read.
type packed struct {
	b     []byte
	width int
}

// at is an entry.
func (p packed) at(i int) uint64 {
	bit := i * p.width
	var word [16]byte
	copy(word[:], p.b[bit/8:])
	shift := bit % 8
	v := little.Uint64(word[:]) >> shift
	if shift > 0 {
		v |= uint64(word[8]) << (64 - shift)
	}
	return v & (1<<p.width - 1)
}
