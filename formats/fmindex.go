package formats

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/formats/internal/bwa"
	"github.com/suffixcl/suffixcl/formats/internal/indexfiles"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/twobit"
	"github.com/suffixcl/suffixcl/seqio"
)

// fmReference is a reference whose both strands become one FM-index, which is a file: see fmindex.Strands.
type fmReference struct {
	*bwa.Reference
	records seqio.Table
	every   int
}

// NewFMIndex returns the reference of these records for an FM-index of both strands, in which Engine.SMEMs finds what
// it finds in the index of bwa: ReadFMIndex reads it. It is one file, of WriteTo. Of so many rows, the place of one is
// kept, in 4 bytes; 0: of none. Errors as Program.New; a number above 65,536.
func NewFMIndex(b *seqio.Batch, sampleEvery int) (*Reference, error) {
	if sampleEvery < 0 || sampleEvery > fmindex.MaxRate {
		return nil, fmt.Errorf("formats: one of %d rows is kept, at most one of %d", sampleEvery, fmindex.MaxRate)
	}
	if most := suffixcl.MaxLen / 2; len(b.Text) > most {
		return nil, &suffixcl.LengthError{What: "reference, of which an FM-index has both strands,", Len: len(b.Text),
			Max: most}
	}
	of, err := bwa.New(b)
	if err != nil {
		return nil, err
	}
	x := &fmReference{Reference: of, every: sampleEvery}
	for _, s := range of.Sequences {
		x.records = append(x.records, seqio.Record{Name: s.Name, Offset: s.Offset, Length: s.Length})
	}
	return &Reference{x, ""}, nil
}

// interval is the distance of the entries that are sorted out; beyond the text there are none.
func (x *fmReference) interval() int {
	if x.every > 0 {
		return x.every
	}
	return 2*x.Len() + 1
}

// Plan is the memory of sorting both strands.
func (x *fmReference) Plan(ctx context.Context, e *suffixcl.Engine) (device.MemoryPlan, error) {
	return x.PlanRows(ctx, e, x.interval())
}

// Size is the bytes of the file.
func (x *fmReference) Size() int64 {
	counts := twobit.CountAll(x.Text())
	h := fmindex.StrandsHeader(2*x.Len(), counts[0], counts[1], x.records, x.every)
	size, _ := h.FileBytes() // which is right as long as the text is
	return size
}

func (x *fmReference) Write(context.Context, *suffixcl.Engine, *indexfiles.Set) error {
	return errors.New("formats: an FM-index is one file, of WriteTo")
}

func (x *fmReference) writeTo(ctx context.Context, e *suffixcl.Engine, w io.Writer) error {
	rows, err := x.Rows(ctx, e, x.interval())
	if err != nil {
		return err
	}
	index := fmindex.Strands{Records: x.records, Transform: rows.Transform, Primary: rows.Primary, Every: x.every}
	if x.every > 0 {
		index.Samples = make([]uint32, 2*x.Len()/x.every)
		for k := range index.Samples {
			index.Samples[k] = uint32(rows.Entry(k))
		}
	}
	return index.Write(w)
}

// WriteTo makes the index on the device of the engine, and writes it to w: that of NewFMIndex, which is one file.
// Errors: those of Write; of w.
func (r *Reference) WriteTo(ctx context.Context, e *suffixcl.Engine, w io.Writer) error {
	if r == nil || r.of == nil {
		return errNotMade
	}
	x, ok := r.of.(*fmReference)
	if !ok {
		return errors.New("formats: the index has several files")
	}
	return x.writeTo(ctx, e, w)
}

// ReadFMIndex reads an FM-index of both strands, to the end of the input. Memory: 4 bytes a base. Errors: what is
// wrong with it; that it has one strand; those of r.
func ReadFMIndex(r io.Reader) (*BWAIndex, error) {
	x, err := fmindex.ReadStrands(r)
	if err != nil {
		return nil, err
	}
	of := &BWAIndex{transform: suffixcl.DNATransform{Bases: x.Transform, Primary: x.Primary, Every: x.Every},
		bases: uint64(len(x.Transform) / 2)}
	of.transform.Samples = make([]uint64, len(x.Samples))
	for k, place := range x.Samples {
		of.transform.Samples[k] = uint64(place)
	}
	for _, record := range x.Records {
		of.sequences = append(of.sequences, bwa.Sequence{Sequence: indexfiles.Sequence{Name: record.Name,
			Offset: record.Offset, Length: record.Length}})
	}
	return of, nil
}
