package bowtie2

import (
	"context"
	"encoding/binary"
	"io"
	"maps"
	"math/bits"
	"slices"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/formats/internal/indexfiles"
	"github.com/suffixcl/suffixcl/formats/internal/sorted"
	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/table"
	"github.com/suffixcl/suffixcl/internal/twobit"
)

// Shape of the files, as bowtie2-build makes them without options.
const (
	linesSide = 2  // not used any more
	offRate   = 4  // log2 of the interval of kept entries of the suffix array
	ftabChars = 10 // bases of a word in the table

	interval = 1 << offRate

	words   = 1 << (2 * ftabChars)
	escapes = 2 * ftabChars
)

// shape is the shape of small or large indexes.
type shape struct {
	extension string // of the names of files
	word      int    // bytes of a number
	lineRate  int    // log2 of the bytes of a side
}

var (
	small = shape{".bt2", 4, 6}
	large = shape{".bt2l", 8, 7}
)

func (s shape) sideBytes() int { return 1 << s.lineRate }

// sideBases is the number of bases of a side; the rest of a side is counts.
func (s shape) sideBases() int { return 4 * (s.sideBytes() - 4*s.word) }

// sides is the number of sides of a text of n bases.
func (s shape) sides(n int) int { return n/s.sideBases() + 1 }

// append appends a number.
func (s shape) append(b []byte, v uint64) []byte {
	if s.word == 8 {
		return little.AppendUint64(b, v)
	}
	return little.AppendUint32(b, uint32(v))
}

// number reads a number.
func (s shape) number(b []byte) uint64 {
	if s.word == 8 {
		return little.Uint64(b)
	}
	return uint64(little.Uint32(b))
}

func (s shape) suffixes() (all []string) {
	for _, file := range []string{".1", ".2", ".3", ".4", ".rev.1", ".rev.2"} {
		all = append(all, file+s.extension)
	}
	return all
}

// Suffixes of the names of the files.
func Suffixes() []string { return small.suffixes() }

// LargeSuffixes are the suffixes of the names of a large index's files.
func LargeSuffixes() []string { return large.suffixes() }

// Len is the number of bases.
func (r *Reference) Len() int { return len(r.text) }

// want says which entries of the sorted text are kept: rows count from the other end of the array, and the last is the
// empty suffix.
func (r *Reference) want() sorted.Want {
	return sorted.Want{Every: interval, First: (r.Len() - 1) % interval, Ranges: r.shape == large}
}

// Plan returns the memory of Write. Errors as suffixcl.Engine.Arrays and Ranges.
func (r *Reference) Plan(ctx context.Context, e *suffixcl.Engine) (device.MemoryPlan, error) {
	return r.want().Plan(ctx, e, r.Len())
}

// Write writes the index. Host memory: 2.5 bytes a base with the reference. It reverses the reference on the way, and
// is called once. Errors: those of the engine and of files.
func (r *Reference) Write(ctx context.Context, e *suffixcl.Engine, files *indexfiles.Set) error {
	for _, strand := range []strand{forward, reverse} {
		if strand == reverse {
			r.reverse()
		}
		twobit.Complement(r.text)
		rows, err := r.want().Text(ctx, e, r.text)
		twobit.Complement(r.text)
		if err != nil {
			return err
		}
		last := rows.Entries() - 1 // row n is the empty suffix
		err = r.writeStrand(ctx, files, strand, r.turn(rows.Transform, rows.Primary), func(k int) uint64 {
			if k <= last {
				return rows.Entry(last - k)
			}
			return uint64(r.Len())
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// strand is one of the texts that are sorted.
type strand struct {
	suffix string // of the names of files
	flag   int
}

var (
	forward = strand{"", -1}
	reverse = strand{".rev", -5} // the whole text is reversed
)

// reverse reverses the text.
func (r *Reference) reverse() {
	twobit.TurnAround(r.text)
	twobit.Complement(r.text)
	r.words = reversedWords(r.words)
	slices.Reverse(r.Fragments)
	for i := range r.Fragments {
		f := &r.Fragments[i]
		f.Start = r.Len() - f.Start - f.Length
	}
}

var little = binary.LittleEndian

func (r *Reference) writeStretches(ctx context.Context, files *indexfiles.Set) error {
	size := 4 + int64(r.shape.word) + int64(2*r.shape.word+1)*int64(len(r.Stretches))
	return files.Write(ctx, ".3"+r.shape.extension, size, func(w io.Writer) error {
		_, err := w.Write(r.shape.append(little.AppendUint32(nil, 1), uint64(len(r.Stretches))))
		for _, s := range r.Stretches {
			b := r.shape.append(r.shape.append(nil, uint64(s.Gap)), uint64(s.Length))
			first := byte(0)
			if s.First {
				first = 1
			}
			if _, err := w.Write(append(b, first)); err != nil {
				return err
			}
		}
		return err
	})
}

func (r *Reference) writeBases(ctx context.Context, files *indexfiles.Set) error {
	n := r.Len()
	return files.Write(ctx, ".4"+r.shape.extension, int64(twobit.Bytes(n)), func(w io.Writer) error {
		return table.Write(w, twobit.Bytes(n), 1, func(b []byte, lo, hi int) {
			twobit.PackLow(b, r.text[4*lo:min(4*hi, n)])
		})
	})
}

// column is the transform as bowtie2 has it: without row zero, in which the text itself is. Row n is the empty suffix.
type column struct {
	shape shape
	bases []byte // [n]
	zero  int
	ranks *twobit.Ranks
}

// turn makes the column in place.
//
// Suffixes with the largest end are those of the text of complements with the least end, backwards: so a text that has
// been sorted has its letters complemented, and rows count from the other end.
func (r *Reference) turn(bases []byte, primary int) column {
	twobit.TurnAround(bases)
	return column{r.shape, bases, len(bases) - primary, twobit.NewRanks(bases)}
}

// before counts the bases in rows before r.
func (c *column) before(r int) twobit.Counts {
	if r > c.zero {
		r--
	}
	return c.ranks.Before(r)
}

// sides are the bytes of sides: bases and the counts before them.
func (c *column) sides(b []byte, lo, hi int) {
	sideBases, sideBytes := c.shape.sideBases(), c.shape.sideBytes()
	before := c.before(lo * sideBases)
	for k := lo; k < hi; k, b = k+1, b[sideBytes:] {
		from, to := k*sideBases, min((k+1)*sideBases, len(c.bases)+1)
		var bases, counted []byte
		switch {
		case to <= c.zero:
			bases = c.bases[from:to]
			counted = bases
		case from > c.zero:
			bases = c.bases[from-1 : to-1]
			counted = bases
		default:
			counted = c.bases[from : to-1]
			bases = slices.Insert(slices.Clone(counted), c.zero-from, 0)
		}
		side := b[:sideBases/4]
		clear(side[len(bases)/4:])
		twobit.PackLow(side, bases)
		counts := side
		for _, count := range before {
			counts = c.shape.append(counts, count) // which has room in b
		}
		before.Add(twobit.Count(counted))
	}
}

// writeStrand writes the files of a strand, which the text is, given the transform and the entries that are kept: .1
// and .2, and .3 and .4 with the forward one.
func (r *Reference) writeStrand(ctx context.Context, files *indexfiles.Set, of strand, c column,
	entry func(k int) uint64) error {
	writes := []func(ctx context.Context) error{
		func(ctx context.Context) error { return r.writeTransform(ctx, files, of, c) },
		func(ctx context.Context) error { return r.writeSample(ctx, files, of, entry) },
	}
	if of == forward {
		writes = append(writes,
			func(ctx context.Context) error { return r.writeStretches(ctx, files) },
			func(ctx context.Context) error { return r.writeBases(ctx, files) })
	}
	return indexfiles.Together(ctx, writes...)
}

func (r *Reference) writeTransform(ctx context.Context, files *indexfiles.Set, of strand, c column) error {
	head, tail := r.head(of.flag), c.tail(r)
	sides, sideBytes := r.shape.sides(r.Len()), r.shape.sideBytes()
	size := int64(len(head)) + int64(sides)*int64(sideBytes) + int64(len(tail))
	return files.Write(ctx, of.suffix+".1"+r.shape.extension, size, func(w io.Writer) error {
		if _, err := w.Write(head); err != nil {
			return err
		}
		if err := table.Write(w, sides, sideBytes, c.sides); err != nil {
			return err
		}
		_, err := w.Write(tail)
		return err
	})
}

func (r *Reference) writeSample(ctx context.Context, files *indexfiles.Set, of strand, entry func(k int) uint64) error {
	kept, word := keptOf(r.Len()), r.shape.word
	return files.Write(ctx, of.suffix+".2"+r.shape.extension, 4+int64(word)*int64(kept), func(w io.Writer) error {
		if _, err := w.Write(little.AppendUint32(nil, 1)); err != nil {
			return err
		}
		return table.Write(w, kept, word, func(b []byte, lo, hi int) {
			for k := lo; k < hi; k, b = k+1, b[word:] {
				r.shape.append(b[:0], entry(k))
			}
		})
	})
}

// keptOf are the entries of the suffix array that are kept.
func keptOf(n int) int { return n/interval + 1 }

// head has the bytes before the sides.
func (r *Reference) head(flag int) []byte {
	var b []byte
	put := func(values ...int) {
		for _, v := range values {
			b = r.shape.append(b, uint64(v))
		}
	}
	b = little.AppendUint32(b, 1)
	put(r.Len())
	for _, v := range []int{r.shape.lineRate, linesSide, offRate, ftabChars, flag} {
		b = little.AppendUint32(b, uint32(v))
	}
	put(len(r.Sequences))
	for _, s := range r.Sequences {
		put(s.Length)
	}
	put(len(r.Fragments))
	for _, f := range r.Fragments {
		put(f.Start, f.Sequence, f.Offset)
	}
	return b
}

// tail has the bytes after the sides.
func (c *column) tail(r *Reference) []byte {
	b := c.shape.append(make([]byte, 0, c.shape.word*(words+64)), uint64(c.zero))
	sums := c.ranks.Before(len(c.bases)).Sums()
	if r.words == nil {
		r.words = countWords(r.text)
	}
	first, escaped := wordTable(r.text, r.words)
	for _, entries := range [][]uint64{sums[:], first, escaped} {
		for _, entry := range entries {
			b = c.shape.append(b, entry)
		}
	}
	for i, s := range r.Sequences {
		b = append(b, r.nameOf(i, s)...)
		b = append(b, '\n')
	}
	return append(b, 0)
}

// wordTable has for each word of bases the first row whose suffix begins with it, or is larger. Before some words there
// are suffixes shorter than a word. These words have the complement of the number of a pair of entries: the rows before
// and after the short suffixes. The counts are those of the words of the text.
func wordTable(text []byte, counts []uint64) (first, escaped []uint64) {
	short := make(map[int]uint64) // shorter suffixes, by the word after them
	for length := range min(ftabChars, len(text)+1) {
		word := 0
		for _, base := range text[len(text)-length:] {
			word = word<<2 | int(base)
		}
		next := (word + 1) << (2 * (ftabChars - length))
		for next < words && counts[next] == 0 {
			next++
		}
		short[next]++
	}
	first, escaped = make([]uint64, words+1), make([]uint64, escapes)
	row, pairs := uint64(0), 0
	after := slices.Sorted(maps.Keys(short)) // a look at the map for each word takes longer than the rest
	for word := range words + 1 {
		first[word] = row
		if len(after) > 0 && word == after[0] {
			some := short[word]
			after = after[1:]
			escaped[2*pairs], escaped[2*pairs+1] = row, row+some
			first[word] = ^uint64(pairs)
			row += some
			pairs++
		}
		if word < words {
			row += counts[word]
		}
	}
	return first, escaped
}

// countWords counts the words of a text.
func countWords(text []byte) []uint64 {
	n := len(text) - ftabChars + 1
	counts := make([]uint64, words)
	if n <= 0 {
		return counts
	}
	parts := make(chan []uint64, 1)
	parts <- counts
	parallel.Do(n, 1<<22, func(lo, hi int) {
		part := addressspace.Make[uint64](words)
		word := 0
		for _, base := range text[lo : lo+ftabChars-1] {
			word = word<<2 | int(base)
		}
		for _, base := range text[lo+ftabChars-1 : hi+ftabChars-1] {
			word = (word<<2 | int(base)) & (words - 1)
			part[word]++
		}
		counts := <-parts
		for word, count := range part {
			counts[word] += count
		}
		parts <- counts
	})
	return counts
}

// reversedWords are the counts of the words of the reversed text.
func reversedWords(counts []uint64) []uint64 {
	if counts == nil {
		return nil
	}
	reversed := make([]uint64, words)
	for word, count := range counts {
		swapped := bits.Reverse32(uint32(word)) // bases, and the bits of each
		reversed[(swapped>>1&0x55555555|swapped&0x55555555<<1)>>(32-2*ftabChars)] = count
	}
	return reversed
}
