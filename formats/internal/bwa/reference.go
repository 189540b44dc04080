package bwa

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/formats/internal/indexfiles"
	"github.com/suffixcl/suffixcl/formats/internal/sorted"
	"github.com/suffixcl/suffixcl/formats/internal/strands"
	"github.com/suffixcl/suffixcl/internal/table"
	"github.com/suffixcl/suffixcl/internal/twobit"
	"github.com/suffixcl/suffixcl/seqio"
)

// MaxBases is the longest reference: both strands are sorted as one text.
const MaxBases = strands.MaxBases

// Sequence is a sequence of a reference.
type Sequence struct {
	indexfiles.Sequence
	Holes int // runs in it
}

// Hole is a run of a letter that is no base.
type Hole struct {
	Offset, Length int
	Letter         byte
}

// Reference is a reference that bwa indexes.
type Reference struct {
	Sequences []Sequence
	Holes     []Hole
	text      strands.Text
}

// New returns the reference of these records, whose headers are whole (indexfiles.Sequences). It keeps 2 bytes a base.
// Letters but A, C, G, T are replaced by random bases, as bwa does it; U is such a letter. Errors: no bases, or more
// than MaxBases, as a *suffixcl.LengthError.
func New(b *seqio.Batch) (*Reference, error) {
	text, err := strands.New("bwa", b.Text)
	if err != nil {
		return nil, err
	}
	r := &Reference{text: text}
	for _, sequence := range strands.Sequences(b.Records) {
		r.Sequences = append(r.Sequences, Sequence{Sequence: sequence})
	}
	r.fill(b.Text, twobit.Others(text.Forward()))
	text.Complement()
	return r, nil
}

// fill replaces runs of letters that are no bases, and makes the holes: each of one letter, in one sequence.
func (r *Reference) fill(letters []byte, runs []twobit.Run) {
	random, k := newRandom(strands.Seed), 0
	for _, run := range runs {
		end := run.Offset + run.Length
		open := false // a hole goes on
		for i := run.Offset; i < end; i++ {
			for r.Sequences[k].Offset+r.Sequences[k].Length <= i {
				k++
				open = false
			}
			r.text[i] = random.base()
			if last := len(r.Holes) - 1; open && r.Holes[last].Letter == letters[i] {
				r.Holes[last].Length++
				continue
			}
			r.Holes = append(r.Holes, Hole{i, 1, letters[i]})
			r.Sequences[k].Holes++
			open = true
		}
	}
}

// random is the generator lrand48 of POSIX.
type random uint64

func newRandom(seed uint32) *random {
	state := random(seed)<<16 | 0x330E
	return &state
}

func (r *random) base() byte {
	*r = (*r*0x5DEECE66D + 0xB) & (1<<48 - 1)
	return byte(*r>>17) & 3
}

// Len is the number of bases.
func (r *Reference) Len() int { return r.text.Len() }

// Text is the bases 0 to 3 of both strands, [2n]byte. It must not be changed.
func (r *Reference) Text() []byte { return r.text }

// Plan returns the memory of Write. Errors as suffixcl.Engine.Arrays and Ranges.
func (r *Reference) Plan(ctx context.Context, e *suffixcl.Engine) (device.MemoryPlan, error) {
	return r.PlanRows(ctx, e, Interval)
}

// PlanRows returns the memory of Rows. Errors as Plan.
func (r *Reference) PlanRows(ctx context.Context, e *suffixcl.Engine, interval int) (device.MemoryPlan, error) {
	return r.text.Plan(ctx, e, interval)
}

// Rows sorts both strands, and keeps entries at this distance. Errors: those of the engine.
func (r *Reference) Rows(ctx context.Context, e *suffixcl.Engine, interval int) (*sorted.Rows, error) {
	return r.text.Sort(ctx, e, interval)
}

// Suffixes of the names of the files.
func Suffixes() []string { return []string{".amb", ".ann", ".bwt", ".pac", ".sa"} }

// Write writes the index. Host memory: 5 bytes a base with the reference. Errors: those of the engine and of files.
func (r *Reference) Write(ctx context.Context, e *suffixcl.Engine, files *indexfiles.Set) error {
	rows, err := r.Rows(ctx, e, Interval)
	if err != nil {
		return err
	}
	return r.write(ctx, files, rows.Transform, rows.Primary, rows.Entry)
}

// write writes the index, given the transform, the row of the text, and the entries that are kept.
func (r *Reference) write(ctx context.Context, files *indexfiles.Set, bases []byte, primary int,
	entry func(k int) uint64) error {
	if err := r.WriteNames(ctx, files); err != nil {
		return err
	}
	ranks := twobit.NewRanks(bases)
	head := header(primary, ranks.Before(len(bases)))
	return indexfiles.Together(ctx,
		func(ctx context.Context) error { return writeTransform(ctx, files, bases, head, ranks) },
		func(ctx context.Context) error { return r.WritePacked(ctx, files) },
		func(ctx context.Context) error { return writeSample(ctx, files, len(bases), head, entry) },
	)
}

// WriteNames writes the files .amb and .ann.
func (r *Reference) WriteNames(ctx context.Context, files *indexfiles.Set) error {
	err := files.Write(ctx, ".amb", -1, func(w io.Writer) error {
		fmt.Fprintf(w, "%d %d %d\n", r.Len(), len(r.Sequences), len(r.Holes))
		var err error
		for _, hole := range r.Holes {
			_, err = fmt.Fprintf(w, "%d %d %c\n", hole.Offset, hole.Length, hole.Letter)
		}
		return err
	})
	if err != nil {
		return err
	}
	return files.Write(ctx, ".ann", -1, func(w io.Writer) error {
		fmt.Fprintf(w, "%d %d %d\n", r.Len(), len(r.Sequences), strands.Seed)
		var err error
		for _, s := range r.Sequences {
			comment := s.Comment
			if comment == "" {
				comment = noComment
			}
			_, err = fmt.Fprintf(w, "0 %s %s\n%d %d %d\n", s.Name, comment, s.Offset, s.Length, s.Holes)
		}
		return err
	})
}

// noComment is written where a sequence has none.
const noComment = "(null)"

// WritePacked writes the file .pac.
func (r *Reference) WritePacked(ctx context.Context, files *indexfiles.Set) error {
	n := r.Len()
	return files.Write(ctx, ".pac", packedSize(n), func(w io.Writer) error {
		err := table.Write(w, n/4, 1, func(b []byte, lo, hi int) { twobit.PackHigh(b, r.text[4*lo:4*hi]) })
		if err != nil {
			return err
		}
		last := make([]byte, 1, 2) // where n is a multiple of 4, a byte 0
		twobit.PackHigh(last, r.text[n/4*4:n])
		_, err = w.Write(append(last, byte(n%4)))
		return err
	})
}

func packedSize(n int) int64 { return int64(n)/4 + 2 }

// block is the number of bases between counts in the transform.
const block = 128

// header are the primary index and the numbers of bases up to each, which begin .bwt and .sa.
func header(primary int, counts twobit.Counts) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(primary))
	sums := counts.Sums()
	for _, sum := range sums[1:] {
		b = binary.LittleEndian.AppendUint64(b, sum)
	}
	return b
}

func appendCounts(b []byte, c twobit.Counts) []byte {
	for _, count := range c {
		b = binary.LittleEndian.AppendUint64(b, count)
	}
	return b
}

func transformSize(n int) int64 {
	return 40 + int64((n+block-1)/block+1)*32 + int64((n+15)/16)*4
}

func writeTransform(ctx context.Context, files *indexfiles.Set, bases, head []byte, ranks *twobit.Ranks) error {
	n := len(bases)
	return files.Write(ctx, ".bwt", transformSize(n), func(w io.Writer) error {
		if _, err := w.Write(head); err != nil {
			return err
		}
		const row = 32 + block/4
		err := table.Write(w, n/block, row, func(b []byte, lo, hi int) {
			before := ranks.Before(lo * block)
			for k := lo; k < hi; k, b = k+1, b[row:] {
				bases := bases[k*block : (k+1)*block]
				appendCounts(b[:0], before)
				packWords(b[32:row], bases)
				before.Add(twobit.Count(bases))
			}
		})
		if err != nil {
			return err
		}
		var last []byte
		if rest := bases[n/block*block:]; len(rest) > 0 {
			last = appendCounts(last, ranks.Before(n/block*block))
			words := make([]byte, (len(rest)+15)/16*4)
			packWords(words, rest)
			last = append(last, words...)
		}
		_, err = w.Write(appendCounts(last, ranks.Before(n)))
		return err
	})
}

// packWords packs bases into words of 32 bits, the first base in the high bits.
func packWords(words, bases []byte) {
	for i := twobit.Bytes(len(bases)); i < len(words); i++ {
		words[i] = 0
	}
	twobit.PackHigh(words, bases)
	for i := 0; i < len(words); i += 4 {
		binary.LittleEndian.PutUint32(words[i:], binary.BigEndian.Uint32(words[i:]))
	}
}

// Interval is the distance of the entries of the suffix array that are kept. Row 0 is the empty suffix, which is left
// out.
const Interval = 32

func writeSample(ctx context.Context, files *indexfiles.Set, n int, head []byte, entry func(k int) uint64) error {
	rows := n / Interval
	return files.Write(ctx, ".sa", int64(56+8*rows), func(w io.Writer) error {
		b := binary.LittleEndian.AppendUint64(slices.Clone(head), Interval)
		if _, err := w.Write(binary.LittleEndian.AppendUint64(b, uint64(n))); err != nil {
			return err
		}
		return table.Write(w, rows, 8, func(b []byte, lo, hi int) {
			for k := lo; k < hi; k, b = k+1, b[8:] {
				binary.LittleEndian.PutUint64(b, entry(k))
			}
		})
	})
}
