// Package symbols codes texts of 16- and 32-bit symbols densely, on the device: each symbol becomes its rank among the
// distinct ones of the text. Texts of ranks compare as the texts do, and a rank takes as few bits as there are symbols.
//
// Values below 2^16, and those below 32 for each symbol of the text, are marked in a bitmap; ranks are counts of bits.
// Other values are sorted, and found by binary search among the distinct ones.
package symbols

import (
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/scan"
)

// Symbol is the type of a symbol.
type Symbol interface{ uint16 | uint32 }

// ByteRanks is the number of distinct symbols up to which ranks are bytes.
const ByteRanks = 256

// smallWords is the number of words of a bitmap of all values of 16 bits.
const smallWords = 1 << 16 / 32

// paddingBytes is the number of bytes by which packed ranks may be longer than the text.
const paddingBytes = 16

// TextLen is the length of the buffer of a text of n symbols, which has room for the packed ranks.
func TextLen[T Symbol](n int) int { return n + paddingBytes/cltype.Size[T]() }

// Coder codes texts of up to n symbols.
type Coder[T Symbol] struct {
	session *device.Session
	n, tile int

	present, before *device.Slot[uint32] // of values below 2^16
	counts          *device.Slot[uint32] // the greatest symbol, then the number of distinct ones
	kept            *device.Slot[uint64] // the number of distinct ones, after a sort

	greatest, mark, rank, search, count, bytes, pack, unpack *device.Kernel

	ranks    *scan.Template
	keys     *radixsort.Plan[uint32, uint32]
	distinct *scan.CompactTemplate
}

const file = "symbols.cl"

var ranksTemplate = scan.TemplateOptions{
	Source:       device.Source{Files: []string{file}, Defines: device.Defines{"SYMBOLS_RANKS": 1}},
	ElementBytes: 4,
}

var distinctTemplate = device.Source{Files: []string{file}, Defines: device.Defines{"SYMBOLS_DISTINCT": 1}}

// items is the number of items of a work-item: on devices of CPU shape so few that llvmpipe goes round all loops of a
// search.
func items(m tune.Map) int { return min(m.Items, 1<<10) }

func source[T Symbol](m tune.Map) device.Source {
	return device.Source{
		Files: []string{"text.cl", file},
		Defines: device.Defines{
			"SYMBOLS_MAP": 1, "T": cltype.Name[T](), "WG": m.WG, "ITEMS": items(m),
		},
	}
}

// New plans the coding of texts of up to n symbols.
func New[T Symbol](s *device.Session, n int) *Coder[T] {
	m := tuned.Of(s).Map
	program := s.Program(source[T](m))
	kernel := func(name string) *device.Kernel { return program.Kernel("symbols_"+name, m.WG) }
	c := &Coder[T]{
		session: s, n: n, tile: m.WG * items(m),
		mark: kernel("mark"), rank: kernel("rank"), count: kernel("count"), bytes: kernel("bytes"),
		pack: kernel("pack"), unpack: kernel("unpack"),
		ranks: scan.NewTemplate(s, max(n, smallWords), ranksTemplate),
	}
	if c.wide() {
		c.greatest, c.search = kernel("greatest"), kernel("search")
		c.keys = radixsort.NewKeys[uint32](s, n)
		c.distinct = scan.NewCompactTemplate(s, n, distinctTemplate)
	}
	return c
}

// wide tells whether values may be beyond 16 bits.
func (c *Coder[T]) wide() bool { return cltype.Size[T]() == 4 }

// Reserve reserves the memory that the coder has in all runs.
func (c *Coder[T]) Reserve(l *device.Layout) {
	c.present = device.Reserve[uint32](l, "symbols that occur", smallWords)
	c.before = device.Reserve[uint32](l, "ranks of symbols", smallWords)
	c.counts = device.Reserve[uint32](l, "counts of symbols", 1)
	c.kept = device.Reserve[uint64](l, "distinct symbols", 1)
}

// Workspace is the workspace of Run.
func (c *Coder[T]) Workspace() device.Pieces {
	pieces := c.ranks.Workspace()
	if c.wide() {
		pieces = pieces.Or(c.keys.Workspace(), c.distinct.Workspace())
	}
	return pieces
}

func (c *Coder[T]) tiles(n int) int { return intmath.CeilDiv(n, c.tile) }

// Run makes ranks of text[:n], and returns how many distinct symbols there are. scratch are two arrays of n words. It
// waits for the device. Errors: the device's.
func (c *Coder[T]) Run(ws *device.Workspace, text *device.Buffer[T], n int,
	scratch [2]*device.Buffer[uint32]) (distinct int, err error) {
	counts := c.counts.Buffer(c.session)
	counts.Fill(0)
	greatest := 1<<16 - 1
	if c.wide() {
		c.greatest.Launch(c.tiles(n), 4*int64(n), text, uint64(n), counts)
		var read [1]uint32
		if err := counts.Read(read[:]); err != nil {
			return 0, err
		}
		greatest = int(read[0])
	}
	switch words := greatest/32 + 1; {
	case words <= smallWords:
		return c.byBitmap(ws, text, n, words, c.present.Buffer(c.session), c.before.Buffer(c.session))
	case words <= n:
		return c.byBitmap(ws, text, n, words, scratch[0], scratch[1])
	}
	return c.bySort(ws, text, n, bits.Len(uint(greatest)), scratch)
}

func (c *Coder[T]) byBitmap(ws *device.Workspace, text *device.Buffer[T], n, words int,
	present, before *device.Buffer[uint32]) (int, error) {
	counts := c.counts.Buffer(c.session)
	size := int64(cltype.Size[T]())
	present.View(0, words).Fill(0)
	c.mark.Launch(c.tiles(n), (size+4)*int64(n), text, uint64(n), present)
	c.ranks.Run(ws, words, 4*(c.ranks.Loads()+1), present, before, uint32(words), counts)
	c.rank.Launch(c.tiles(n), (2*size+8)*int64(n), text, uint64(n), present, before)
	var distinct [1]uint32
	err := counts.Read(distinct[:])
	return int(distinct[0]), err
}

func (c *Coder[T]) bySort(ws *device.Workspace, text *device.Buffer[T], n, keyBits int,
	scratch [2]*device.Buffer[uint32]) (int, error) {
	keys := radixsort.Pair[uint32]{Cur: scratch[0].View(0, n), Alt: scratch[1].View(0, n)}
	device.Copy(keys.Cur, device.Reinterpret[uint32](text), n)
	c.keys.Run(ws, &keys, nil, n, 0, keyBits)
	kept := c.kept.Buffer(c.session)
	c.distinct.Run(ws, n, 4*(c.distinct.Loads()+1), kept, keys.Cur, keys.Alt)
	var distinct [1]uint64
	if err := kept.Read(distinct[:]); err != nil {
		return 0, err
	}
	c.search.Launch(c.tiles(n), (8+32)*int64(n), text, uint64(n), keys.Alt, uint32(distinct[0]))
	return int(distinct[0]), nil
}

// Count enqueues adding to counts[c] how often rank c occurs.
func (c *Coder[T]) Count(text *device.Buffer[T], n int, counts *device.Buffer[uint32]) {
	c.count.Launch(c.tiles(n), int64(n)*int64(cltype.Size[T]()+32), text, uint64(n), counts)
}

// Bytes makes bytes of ranks below ByteRanks, in the memory of the text. scratch has n words.
func (c *Coder[T]) Bytes(text *device.Buffer[T], n int, scratch *device.Buffer[uint32]) *device.Buffer[uint8] {
	words := intmath.CeilDiv(n, 4)
	c.bytes.Launch(c.tiles(words), int64(n)*int64(cltype.Size[T]()+1), text, uint64(n), uint64(words), scratch)
	bytes := device.Reinterpret[uint8](text).View(0, n)
	device.Copy(bytes, device.Reinterpret[uint8](scratch), n)
	return bytes
}

// Width is the number of bits of the ranks of that many distinct symbols.
func Width(distinct int) int { return max(bits.Len(uint(distinct-1)), 1) }

// packedWords is the number of words of packed ranks, with bits to spare.
func packedWords(n, width int) int { return n*width/64 + 2 }

// ScratchLen is the length of the scratch of a text of n symbols, in words.
func ScratchLen(n int) int { return n + paddingBytes/4 }

// Pack packs ranks of width bits in the memory of the text, zeros after them; text has TextLen symbols. scratch has
// ScratchLen words.
func (c *Coder[T]) Pack(text *device.Buffer[T], n, width int, scratch *device.Buffer[uint32]) *device.Buffer[uint64] {
	words, to := packedWords(n, width), device.Reinterpret[uint64](scratch)
	c.pack.Launch(c.tiles(words), int64(n)*int64(cltype.Size[T]()+2), text, uint64(n), uint32(width), uint64(words), to)
	packed := device.Reinterpret[uint64](text).View(0, words)
	device.Copy(packed, to, words)
	return packed
}

// Unpack makes ranks of packed ones, which are in the memory of the text, counted from first. scratch has n words.
func (c *Coder[T]) Unpack(text *device.Buffer[T], n, width, first int, scratch *device.Buffer[uint32]) {
	ranks := device.Reinterpret[T](scratch)
	c.unpack.Launch(c.tiles(n), int64(n)*int64(cltype.Size[T]()+2),
		device.Reinterpret[uint64](text), uint64(n), uint32(width), uint32(first), ranks)
	device.Copy(text, ranks, n)
}
