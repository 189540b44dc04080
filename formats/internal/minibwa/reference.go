package minibwa

import (
	"context"
	"encoding/binary"
	"io"
	"math"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/formats/internal/indexfiles"
	"github.com/suffixcl/suffixcl/formats/internal/strands"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/table"
	"github.com/suffixcl/suffixcl/internal/twobit"
	"github.com/suffixcl/suffixcl/seqio"
)

// MaxBases is the longest reference: both strands are sorted as one text.
const MaxBases = strands.MaxBases

// Span is a stretch of the reference, half open.
type Span struct{ Start, End int }

// Reference is a reference that minibwa indexes.
type Reference struct {
	Sequences []indexfiles.Sequence
	// Ambiguous letters are no bases, Masked ones are no capitals. A stretch up to the end of its sequence is left out, as
	// minibwa does it.
	Ambiguous, Masked []Span
	text              strands.Text
}

// New returns the reference of these records, whose headers are whole (indexfiles.Sequences). It keeps 2 bytes a base.
// Errors: no bases, or more than MaxBases, as a *suffixcl.LengthError.
func New(b *seqio.Batch) (*Reference, error) {
	text, err := strands.New("minibwa", b.Text)
	if err != nil {
		return nil, err
	}
	r := &Reference{text: text, Sequences: strands.Sequences(b.Records)}
	n := text.Len()
	masked := text[n:] // until the other strand is made
	parallel.Do(n, 1<<16, func(lo, hi int) {
		for i, letter := range b.Text[lo:hi] {
			if letter < 'A' || letter > 'Z' {
				masked[lo+i] = strands.Other
			}
		}
	})
	random := splitMix(strands.Seed)
	runs := twobit.Others(text.Forward())
	for _, run := range runs {
		for i := range run.Length {
			text[run.Offset+i] = random.base()
		}
	}
	r.Ambiguous, r.Masked = r.spans(runs), r.spans(twobit.Others(masked))
	text.Complement()
	return r, nil
}

// spans cuts runs where sequences end, and leaves out those that reach such an end.
func (r *Reference) spans(runs []twobit.Run) (spans []Span) {
	k := 0
	for _, run := range runs {
		for from, end := run.Offset, run.Offset+run.Length; from < end; {
			for r.Sequences[k].Offset+r.Sequences[k].Length <= from {
				k++
			}
			stop := r.Sequences[k].Offset + r.Sequences[k].Length
			if end < stop {
				spans = append(spans, Span{from, end})
			}
			from = min(end, stop)
		}
	}
	return spans
}

// splitMix is the generator SplitMix64 (Steele, Lea and Flood 2014).
type splitMix uint64

func (s *splitMix) base() byte {
	*s += 0x9E3779B97F4A7C15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return byte(z^z>>31) & 3
}

// Len is the number of bases.
func (r *Reference) Len() int { return r.text.Len() }

// Text is the bases 0 to 3 of both strands, [2n]byte. It must not be changed.
func (r *Reference) Text() []byte { return r.text }

// Plan returns the memory of Write. Errors as suffixcl.Engine.Arrays and Ranges.
func (r *Reference) Plan(ctx context.Context, e *suffixcl.Engine) (device.MemoryPlan, error) {
	return r.text.Plan(ctx, e, interval)
}

// Suffixes of the names of the files.
func Suffixes() []string { return []string{".l2b", ".mbw"} }

// Write writes the index. Host memory: 5 bytes a base with the reference. Errors: those of the engine and of files.
func (r *Reference) Write(ctx context.Context, e *suffixcl.Engine, files *indexfiles.Set) error {
	rows, err := r.text.Sort(ctx, e, interval)
	if err != nil {
		return err
	}
	return r.write(ctx, files, rows.Transform, rows.Primary, func(k int) uint64 { return rows.Entry(k - 1) })
}

const (
	basesMagic     = "L2B\x01"
	transformMagic = "MBW\x02"
	wordBases      = 32             // of a number of 64 bits
	block          = 128            // bases of the transform between counts
	rowBytes       = 32 + 32        // counts, and bases
	interval       = 1 << 4         // of the entries of the suffix array that are kept
	halfShift      = 56             // of the counts of the first half of a block
	emptySuffix    = math.MaxUint64 // its entry
)

var little = binary.LittleEndian

// write writes the index, given the transform, the row of the text, and the entries that are kept, from 1 on.
func (r *Reference) write(ctx context.Context, files *indexfiles.Set, bases []byte, primary int,
	entry func(k int) uint64) error {
	return indexfiles.Together(ctx,
		func(ctx context.Context) error { return r.writeBases(ctx, files) },
		func(ctx context.Context) error { return writeTransform(ctx, files, bases, primary, entry) },
	)
}

// head has the bytes before the bases in .l2b, tail the bytes after them.
func (r *Reference) head() (head, tail []byte) {
	var names, comments, lengths, spans []byte
	for _, s := range r.Sequences {
		lengths = little.AppendUint64(lengths, uint64(s.Length))
		names = append(append(names, s.Name...), 0)
		comments = append(append(comments, s.Comment...), 0)
	}
	for _, s := range append(append([]Span{}, r.Ambiguous...), r.Masked...) {
		spans = little.AppendUint64(little.AppendUint64(spans, uint64(s.Start)), uint64(s.End))
	}
	head = append([]byte(basesMagic), 0, 0, 0, 0)
	for _, v := range []int{len(r.Sequences), r.Len(), len(r.Ambiguous), len(r.Masked), len(names), len(comments),
		wordsOf(r.Len())} {
		head = little.AppendUint64(head, uint64(v))
	}
	return append(append(head, lengths...), spans...), append(names, comments...)
}

// wordsOf is the number of words of n bases.
func wordsOf(n int) int { return (n + wordBases - 1) / wordBases }

func (r *Reference) writeBases(ctx context.Context, files *indexfiles.Set) error {
	head, tail := r.head()
	n, words := r.Len(), wordsOf(r.Len())
	return files.Write(ctx, ".l2b", int64(len(head)+8*words+len(tail)), func(w io.Writer) error {
		if _, err := w.Write(head); err != nil {
			return err
		}
		err := table.Write(w, words, 8, func(b []byte, lo, hi int) {
			packZeros(b, r.text[lo*wordBases:min(hi*wordBases, n)])
		})
		if err != nil {
			return err
		}
		_, err = w.Write(tail)
		return err
	})
}

// packZeros packs bases, the first in the low bits, and fills the rest with zeros.
func packZeros(b, bases []byte) {
	clear(b[twobit.Bytes(len(bases)):])
	twobit.PackLow(b, bases)
}

// blocksOf is the number of blocks of a transform of n bases.
func blocksOf(n int) int { return (n + block - 1) / block }

// keptOf are the entries of the suffix array that are kept.
func keptOf(n int) int { return (n + interval) / interval }

// rows are the bytes of blocks. The high bits of counts are those of the first half of the block, if it has another.
func rows(ranks *twobit.Ranks, bases []byte) func(b []byte, lo, hi int) {
	return func(b []byte, lo, hi int) {
		before := ranks.Before(lo * block)
		for k := lo; k < hi; k, b = k+1, b[rowBytes:] {
			some := bases[k*block : min((k+1)*block, len(bases))]
			var half twobit.Counts
			if len(some) > block/2 {
				half = twobit.Count(some[:block/2])
			}
			for base, count := range before {
				little.PutUint64(b[8*base:], count|half[base]<<halfShift)
			}
			packZeros(b[32:rowBytes], some)
			before.Add(twobit.Count(some))
		}
	}
}

func writeTransform(ctx context.Context, files *indexfiles.Set, bases []byte, primary int,
	entry func(k int) uint64) error {
	n, ranks := len(bases), twobit.NewRanks(bases)
	kept := keptOf(n)
	all := ranks.Before(n)
	head := little.AppendUint64(little.AppendUint32([]byte(transformMagic), 4), uint64(primary))
	sums := all.Sums()
	for _, sum := range sums[1:] {
		head = little.AppendUint64(head, sum)
	}
	var tail []byte
	for _, count := range all {
		tail = little.AppendUint64(tail, count)
	}
	tail = little.AppendUint64(tail, uint64(kept))
	size := len(head) + blocksOf(n)*rowBytes + len(tail) + 8*kept
	return files.Write(ctx, ".mbw", int64(size), func(w io.Writer) error {
		if _, err := w.Write(head); err != nil {
			return err
		}
		if err := table.Write(w, blocksOf(n), rowBytes, rows(ranks, bases)); err != nil {
			return err
		}
		if _, err := w.Write(tail); err != nil {
			return err
		}
		return table.Write(w, kept, 8, func(b []byte, lo, hi int) {
			for k := lo; k < hi; k, b = k+1, b[8:] {
				value := uint64(emptySuffix)
				if k > 0 {
					value = entry(k)
				}
				little.PutUint64(b, value)
			}
		})
	})
}
