// Package bwamem2 writes and reads the index of bwa-mem2 2.x (Vasimuddin, Misra, Li and Aluru 2019): .amb, .ann and
// .pac, which are those of bwa, the bases of both strands (.0123), and transform and suffix array (.bwt.2bit.64).
// docs/formats.md has the bytes.
package bwamem2

import (
	"context"
	"encoding/binary"
	"io"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/formats/internal/bwa"
	"github.com/suffixcl/suffixcl/formats/internal/indexfiles"
	"github.com/suffixcl/suffixcl/formats/internal/strands"
	"github.com/suffixcl/suffixcl/internal/table"
	"github.com/suffixcl/suffixcl/internal/twobit"
	"github.com/suffixcl/suffixcl/seqio"
)

// Reference is a reference that bwa-mem2 indexes, the same as bwa's.
type Reference struct{ of *bwa.Reference }

// New returns the reference of these records; see bwa.New.
func New(b *seqio.Batch) (*Reference, error) {
	of, err := bwa.New(b)
	if err != nil {
		return nil, err
	}
	return &Reference{of}, nil
}

// Suffixes of the names of the files.
func Suffixes() []string { return []string{".0123", ".amb", ".ann", ".bwt.2bit.64", ".pac"} }

// Plan returns the memory of Write. Errors as suffixcl.Engine.Arrays and Ranges.
func (r *Reference) Plan(ctx context.Context, e *suffixcl.Engine) (device.MemoryPlan, error) {
	return strands.Text(r.of.Text()).Plan(ctx, e, interval)
}

// Write writes the index. Host memory: 6 bytes a base with the reference. Errors: those of the engine and of files.
func (r *Reference) Write(ctx context.Context, e *suffixcl.Engine, files *indexfiles.Set) error {
	rows, err := strands.Text(r.of.Text()).Sort(ctx, e, interval)
	if err != nil {
		return err
	}
	return r.write(ctx, files, rows.Transform, rows.Primary, func(k int) uint64 {
		if k == 0 {
			return uint64(len(r.of.Text()))
		}
		return rows.Entry(k - 1)
	})
}

// write writes the index, given the transform, the row of the text, and the entries that are kept.
func (r *Reference) write(ctx context.Context, files *indexfiles.Set, bases []byte, primary int,
	entry func(k int) uint64) error {
	if err := r.of.WriteNames(ctx, files); err != nil {
		return err
	}
	c := &column{bases, primary, twobit.NewRanks(bases)}
	return indexfiles.Together(ctx,
		func(ctx context.Context) error { return writeTransform(ctx, files, c, entry) },
		func(ctx context.Context) error { return r.of.WritePacked(ctx, files) },
		func(ctx context.Context) error {
			return files.Write(ctx, ".0123", int64(len(r.of.Text())), func(w io.Writer) error {
				_, err := w.Write(r.of.Text())
				return err
			})
		},
	)
}

const (
	block    = 64 // rows of the transform between counts
	rowBytes = 4*8 + 4*8
	interval = 8 // of the entries of the suffix array that are kept
)

// column is the transform with the row of the whole text in it, which has no base. Row 0 is the empty suffix.
type column struct {
	bases   []byte // [n], without that row
	primary int
	ranks   *twobit.Ranks
}

// blocks are the bytes of blocks: counts of bases before them, and a word for each base in which the bits of its rows
// are set, the first row in the high bit.
func (c *column) blocks(b []byte, lo, hi int) {
	place := lo * block // in bases
	if place > c.primary {
		place--
	}
	before := c.ranks.Before(place)
	for k := lo; k < hi; k, b = k+1, b[rowBytes:] {
		from, first := k*block, place
		for base, count := range before {
			binary.LittleEndian.PutUint64(b[8*base:], count)
		}
		var bits [4]uint64
		for row := from; row < min(from+block, len(c.bases)+1); row++ {
			if row == c.primary {
				continue
			}
			bits[c.bases[place]] |= 1 << (63 - row%block)
			place++
		}
		before.Add(twobit.Count(c.bases[first:place]))
		for base, word := range bits {
			binary.LittleEndian.PutUint64(b[32+8*base:], word)
		}
	}
}

// blocksOf is the number of blocks of a transform of n bases: one more than are full.
func blocksOf(n int) int { return (n+1)/block + 1 }

// keptOf are the entries of the suffix array that are kept.
func keptOf(n int) int { return (n+1)/interval + 1 }

func writeTransform(ctx context.Context, files *indexfiles.Set, c *column, entry func(k int) uint64) error {
	n := len(c.bases)
	blocks, kept := blocksOf(n), keptOf(n)
	size := 8*6 + int64(blocks)*rowBytes + 5*int64(kept) + 8
	return files.Write(ctx, ".bwt.2bit.64", size, func(w io.Writer) error {
		head := binary.LittleEndian.AppendUint64(nil, uint64(n+1))
		for _, sum := range c.ranks.Before(n).Sums() {
			head = binary.LittleEndian.AppendUint64(head, sum)
		}
		if _, err := w.Write(head); err != nil {
			return err
		}
		if err := table.Write(w, blocks, rowBytes, c.blocks); err != nil {
			return err
		}
		err := table.Write(w, kept, 1, func(b []byte, lo, hi int) {
			for k := lo; k < hi; k++ {
				b[k-lo] = byte(entry(k) >> 32)
			}
		})
		if err != nil {
			return err
		}
		err = table.Write(w, kept, 4, func(b []byte, lo, hi int) {
			for k := lo; k < hi; k, b = k+1, b[4:] {
				binary.LittleEndian.PutUint32(b, uint32(entry(k)))
			}
		})
		if err != nil {
			return err
		}
		_, err = w.Write(binary.LittleEndian.AppendUint64(nil, uint64(c.primary)))
		return err
	})
}
