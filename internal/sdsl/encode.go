package sdsl

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"sync"
)

// Distances of samples: of rows of the suffix array, and of places in the text.
const (
	RowsBetween   = 32
	PlacesBetween = 64
)

// Parts are what an index is made of.
type Parts struct {
	// Transform [n] has for each suffix, the smallest first, the letter before it; before the whole text, the last one.
	Transform []byte
	// Rows [ceil(n/32)] are the places of every 32nd suffix, from the first on.
	Rows func(k int) uint64
	// Places [ceil(n/64)] are the rows of the suffixes at every 64th place, from 0 on.
	Places func(k int) uint64
	// Maker makes what takes longest. nil: the host does.
	Maker Maker
}

// Maker makes the bits of a wavelet tree, and codes them in blocks: on a device, as a rule. The two are asked one after
// the other.
type Maker interface {
	// Levels makes the levels of the tree of a text, which has so many of each letter. A level has the letters whose
	// paths go on there, in the order of the nodes from left to right, and in a node in that of the text. The bit of a
	// letter is the next step of its path.
	Levels(ctx context.Context, text []byte, many *[256]uint64, to *Levels) error
	// Blocks codes the first N bits of words; the rest are 0. It makes Numbers, and fills the others.
	Blocks(ctx context.Context, words []uint64, to *Blocks) error
}

// Index is an index that can be written.
type Index struct {
	n            int
	tree         *tree
	bits         *rrr
	rows, places *vector
	many         [letters]uint64
}

// Encode makes an index. Memory of the host: the bits of the tree, at most a byte a letter as a rule, and the result.
// Errors: a text without letters, one whose rarest letter has a code of more than 56 bits, and those of the maker.
func Encode(ctx context.Context, p Parts) (*Index, error) {
	n := len(p.Transform)
	x := &Index{n: n, many: Count(p.Transform)}
	var err error
	if x.tree, err = newTree(&x.many); err != nil {
		return nil, err
	}
	var samples sync.WaitGroup
	samples.Go(func() { // while a device works
		x.rows = newVector((n+RowsBetween-1)/RowsBetween, widthFor(uint64(n)))
		x.rows.fill(p.Rows)
		x.places = newVector((n-1)/PlacesBetween+1, widthFor(uint64(n)))
		x.places.fill(p.Places)
	})
	x.bits, err = x.encodeTree(ctx, p)
	samples.Wait()
	if err != nil {
		return nil, err
	}
	return x, nil
}

func (x *Index) encodeTree(ctx context.Context, p Parts) (*rrr, error) {
	if p.Maker == nil {
		words := x.tree.fill(p.Transform)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return newRRR(words, x.tree.bits, codeBlocks)
	}
	levels := newLevels(x.tree)
	if err := p.Maker.Levels(ctx, p.Transform, &x.many, levels); err != nil {
		return nil, err
	}
	return newRRR(levels.words, x.tree.bits, func(b *Blocks, words []uint64) error {
		return p.Maker.Blocks(ctx, words, b)
	})
}

// Bound is an upper bound of the bytes of the index of letters that occur so often. Errors as Encode.
func Bound(many *[letters]uint64) (int64, error) {
	t, err := newTree(many)
	if err != nil {
		return 0, err
	}
	n := uint64(0)
	for _, m := range many {
		n += m
	}
	const most = 124 + classWidth // of a block, and of a superblock 129 bits
	bits := (t.bits/blockBits+1)*most + (t.bits/superBits+2)*(64+64+1)
	bits += (n/RowsBetween + n/PlacesBetween + 2) * uint64(widthFor(n))
	const fixed = 4 << 10
	return int64(bits/8) + t.size() + 8*letters + fixed, nil
}

// Size is the number of bytes of the file.
func (x *Index) Size() int64 {
	return 16 + x.bits.size() + x.tree.size() + x.rows.size(true) + x.places.size(true) + x.alphabetSize()
}

func (x *Index) alphabetSize() int64 {
	sigma := int64(x.tree.sigma)
	return 8 + letters + 8 + (sigma+7)/8*8 + 8 + 8*(sigma+1) + 2
}

// Write writes the index.
func (x *Index) Write(w io.Writer) error {
	head := binary.LittleEndian.AppendUint64(nil, uint64(x.n))
	head = binary.LittleEndian.AppendUint64(head, uint64(x.tree.sigma))
	if _, err := w.Write(head); err != nil {
		return err
	}
	for _, write := range []func(io.Writer) error{x.bits.write, x.tree.write,
		func(w io.Writer) error { return x.rows.write(w, true) },
		func(w io.Writer) error { return x.places.write(w, true) },
		x.writeAlphabet} {
		if err := write(w); err != nil {
			return err
		}
	}
	return nil
}

func (x *Index) writeAlphabet(w io.Writer) error {
	var rank [letters]byte
	var there []byte
	before, sum := []uint64{0}, uint64(0)
	for c, many := range x.many {
		if many > 0 {
			rank[c] = byte(len(there))
			there = append(there, byte(c))
			sum += many
			before = append(before, sum)
		}
	}
	b := binary.LittleEndian.AppendUint64(nil, 8*letters)
	b = append(b, rank[:]...)
	b = binary.LittleEndian.AppendUint64(b, 8*uint64(len(there)))
	b = append(b, there...)
	for len(b)%8 != 0 {
		b = append(b, 0)
	}
	b = binary.LittleEndian.AppendUint64(b, 64*uint64(len(before)))
	for _, n := range before {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	b = binary.LittleEndian.AppendUint16(b, uint16(len(there)))
	_, err := w.Write(b)
	return err
}

// Error says what is wrong with an index.
type Error struct{ Why string }

func (e *Error) Error() string { return fmt.Sprintf("not an index of infini-gram mini: %s", e.Why) }
