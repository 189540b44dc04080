package star

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/table"
)

var little = binary.LittleEndian

// group is the number of entries of a packed array that end with a byte, whatever the width.
const group = 8

// packedSize is the bytes of a packed array: STAR keeps a word of 8 bytes for the last entry.
func packedSize(entries, width int) int64 { return (int64(entries)-1)*int64(width)/8 + 8 }

// writePacked writes entries of so many bits, the first in the lowest bits, with zeros after the last.
func writePacked(w io.Writer, entries, width int, value func(values []uint64, first int)) error {
	exact := &exactly{w: w, rest: packedSize(entries, width)}
	groups := (entries + group - 1) / group
	err := table.Write(exact, groups, width, func(b []byte, lo, hi int) {
		values := make([]uint64, group*(hi-lo))
		value(values[:min(len(values), entries-group*lo)], group*lo)
		for k := 0; k < len(values); k, b = k+group, b[width:] {
			pack(b[:width], values[k:k+group], width)
		}
	})
	if err != nil {
		return err
	}
	_, err = w.Write(make([]byte, exact.rest))
	return err
}

// packer writes a packed array whose entries come some at a time, while the next ones are made.
type packer struct {
	width int
	held  []uint64 // entries that do not fill a group yet, fewer than one has
	full  chan []byte
	free  chan []byte
	stop  chan struct{} // closed when writing has failed
	ended chan error
}

// newPacker writes so many entries. Close ends it.
func newPacker(w io.Writer, entries, width int) *packer {
	p := &packer{width: width, full: make(chan []byte), free: make(chan []byte, 2), stop: make(chan struct{}),
		ended: make(chan error, 1)}
	p.free <- nil
	p.free <- nil
	go func() {
		exact := &exactly{w: w, rest: packedSize(entries, width)}
		var err error
		for b := range p.full {
			if _, err = exact.Write(b); err != nil {
				break
			}
			p.free <- b
		}
		if err == nil && exact.rest < group {
			_, err = w.Write(make([]byte, exact.rest))
		}
		close(p.stop)
		p.ended <- err
	}()
	return p
}

// errStopped says that close knows why the array is not written.
var errStopped = errors.New("star: the array is not written")

// add writes the next entries. Errors: errStopped.
func (p *packer) add(values []uint64) error {
	n := (len(p.held) + len(values)) / group * p.width // bytes of whole groups
	var b []byte
	select {
	case b = <-p.free:
	case <-p.stop:
		return errStopped
	}
	if cap(b) < n {
		b = addressspace.Make[byte](n)
	}
	b = b[:n]
	to := b
	if len(p.held) > 0 {
		m := min(group-len(p.held), len(values))
		p.held, values = append(p.held, values[:m]...), values[m:]
		if len(p.held) == group {
			pack(to[:p.width], p.held, p.width)
			p.held, to = p.held[:0], to[p.width:]
		}
	}
	groups := len(values) / group
	parallel.Do(groups, 1<<11, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			pack(to[k*p.width:][:p.width], values[k*group:][:group], p.width)
		}
	})
	p.held = append(p.held, values[groups*group:]...)
	select {
	case p.full <- b:
		return nil
	case <-p.stop:
		return errStopped
	}
}

// close writes the last entries, if all have come, and returns the error of writing.
func (p *packer) close() error {
	if n := len(p.held); n > 0 {
		_ = p.add(make([]uint64, group-n)) // whose error is the one of writing
	}
	close(p.full)
	return <-p.ended
}

// pack packs a group of values into width bytes.
func pack(b []byte, values []uint64, width int) {
	var word uint64
	bits := 0
	for _, v := range values {
		word |= v << bits
		if bits += width; bits < 64 {
			continue
		}
		little.PutUint64(b, word)
		b = b[8:]
		bits -= 64
		word = v >> (width - bits)
	}
	for ; len(b) > 0; b = b[1:] {
		b[0] = byte(word)
		word >>= 8
	}
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
