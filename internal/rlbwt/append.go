package rlbwt

import (
	"context"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/sets"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// batch is new strings on the device: their text and its suffix array.
type batch struct {
	ends []uint32 // of strings

	text *device.Buffer[uint8]
	sa   *device.Buffer[uint32] // longer than the text
}

func (b *batch) release() {
	b.text.Release()
	b.sa.Release()
}

// sorting is the plan of sorting a batch.
type sorting struct {
	code   sets.Code
	coder  *sets.Coder
	sorter sorter.Symbols[uint8]
	kept   *device.Layout
	coded  *device.Slot[uint8]
}

// planSorting plans a batch of n letters and ends, of so many strings and distinct letters.
func planSorting(s *device.Session, n, strings, letters int, index int64) (*sorting, error) {
	o := &sorting{
		code: sets.NewCode(sets.Shape{N: n, M: strings, Least: true}, letters), kept: device.NewLayout("sorting"),
	}
	if !o.code.Bytes {
		return nil, fmt.Errorf("rlbwt: %d letters", letters)
	}
	if o.code.Len() > maxBatch {
		return nil, &device.LengthError{What: "strings with the numbers of their ends", Len: o.code.Len(), Max: maxBatch}
	}
	o.coder = sets.New(s, o.code.Shape, o.code.Len())
	o.coder.Reserve(o.kept)
	var err error
	o.sorter, _, err = sorter.OfBytes(s, sorter.Auto, o.code.Len(), func(m device.PhaseMemory) bool {
		m.Buffers = append(m.Buffers, device.BufferMemory{Name: "index and batch", Bytes: index + 6*int64(o.code.Len())})
		return device.MemoryPlan{m}.Fits(s) == nil
	})
	if err != nil {
		return nil, err
	}
	o.coded = device.Reserve[uint8](o.kept, "coded", o.sorter.TextLen(o.code.Len()))
	return o, nil
}

// PrepareSorting plans the programs that sort a batch of n letters and ends, of so many strings and distinct letters,
// which the session can build then. Errors: those of Append that need no device.
func PrepareSorting(s *device.Session, n, strings, letters int) error {
	_, err := planSorting(s, n, strings, letters, 0)
	return err
}

// maxBatch is the longest batch: places are numbers of 32 bits.
const maxBatch = 1<<32 - 2

// sort makes a batch.
func (x *Index) sort(ctx context.Context, codes []byte) (b *batch, err error) {
	s, n := x.s, len(codes)
	if n > maxBatch {
		return nil, &device.LengthError{What: "strings", Len: n, Max: maxBatch}
	}
	b = &batch{}
	defer func() {
		if err != nil {
			b.release()
		}
	}()
	s.Phase("upload")
	if b.text, err = x.upload(ctx, codes); err != nil {
		return b, err
	}
	var letters letterSet
	if b.ends, letters, err = x.look(codes, b.text); err != nil {
		return b, err
	}
	o, err := planSorting(s, n, len(b.ends), letters.count(), x.Bytes())
	if err != nil {
		return b, err
	}
	if b.sa, err = device.Alloc[uint32](s, o.code.Len()); err != nil {
		return b, err
	}
	return b, o.run(ctx, s, letters, b)
}

func (o *sorting) run(ctx context.Context, s *device.Session, letters letterSet, b *batch) error {
	defer o.kept.Release(s)
	defer o.sorter.Release()
	if err := o.kept.Allocate(s); err != nil {
		return err
	}
	if err := o.sorter.Allocate(); err != nil {
		return err
	}
	s.Phase("sorting")
	if err := o.coder.Ends().Write(b.ends); err != nil {
		return err
	}
	o.coder.Index(o.code.Len(), o.code.Digits)
	coded := o.coded.Buffer(s)
	if err := sets.Encode(o.coder, o.code, letters.occur(), b.text, coded); err != nil {
		return err
	}
	if err := o.sorter.Run(ctx, coded.View(0, o.code.Len()), b.sa, nil); err != nil {
		return err
	}
	o.coder.Decode(b.sa, b.text, sets.Decoded{})
	return s.Check(ctx)
}

// Append makes x the index of its strings and of new ones after them: codes are letters from 1 to 5, with a 0 after
// each string. After an error x is what it was.
//
// Memory on the device, besides two indexes: what sorting the strings takes, then 26 bytes a letter or less, and the
// batch that was announced. Errors: other codes; more than a batch can have, the context's, the device's.
func (x *Index) Append(ctx context.Context, codes []byte) error {
	if len(codes) == 0 {
		return nil
	}
	b, err := x.sort(ctx, codes)
	if err != nil {
		return err
	}
	defer b.release()
	ranks, err := x.ranks(ctx, b)
	if err != nil {
		return err
	}
	defer ranks.Release()
	merged, err := x.merge(ctx, ranks)
	if err != nil {
		return err
	}
	merged.ahead, x.ahead = x.ahead, nil
	x.Release()
	*x = *merged
	return nil
}

// ranks are the rows of x before each row of a batch, and its letter, as merge takes them. The batch is released.
func (x *Index) ranks(ctx context.Context, b *batch) (*device.Buffer[uint64], error) {
	n := b.text.Len()
	places, err := device.Alloc[uint64](x.s, n)
	if err != nil {
		return nil, err
	}
	defer places.Release()
	if err := x.place(ctx, b.text, b.ends, places, x.uploadNext); err != nil {
		return nil, err
	}
	b.text.Release()
	ranks, err := device.Alloc[uint64](x.s, n)
	if err != nil {
		return nil, err
	}
	x.k.gather.Launch(x.k.tiles(n), int64(n)*(4+32+8), b.sa, places, uint64(n), ranks)
	if err := x.s.Check(ctx); err != nil {
		ranks.Release()
		return nil, err
	}
	b.sa.Release()
	return ranks, nil
}
