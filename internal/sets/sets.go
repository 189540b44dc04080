// Package sets codes texts with separators, on the device, so that sorters of plain texts sort them: texts of a set,
// each with a terminator, or a text with letters that are equal to nothing. Separators are all different, ordered by
// their places, and smaller or larger than all letters.
//
// For a sorter, a separator becomes a symbol and its number, in digits. So suffixes that agree up to their separators
// differ in the digits, and the alphabet stays small. Digits are symbols of their own, greater than all others. So the
// suffixes that start at digits, which nobody wants, are the last ones in the suffix array. The text grows by the
// digits: two to four for each separator, where letters leave 100 bytes or more.
//
// For code that compares suffixes, each separator becomes a symbol of 32 bits of its own: the order by definition.
package sets

import (
	"math"
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Shape is a text of n characters, of which m are separators. The end of the text may be the last of them: then it
// counts in n.
type Shape struct {
	N, M  int
	Least bool // separators are smaller than letters
}

// Code is how letters and separators become symbols. Letters that occur are numbered in order.
type Code struct {
	Shape
	Bytes   bool // symbols are bytes, else 16 bits
	Letters int  // distinct letters
	Digits  int  // digits of the number of a separator
	Base    int  // base of the digits
}

// fewestDigits is the least base that is worth symbols of a byte.
const fewestDigits = 16

// wideSymbols is the number of symbols of 16 bits that a code uses: 9 bits each.
const wideSymbols = 512

// NewCode is the code of a text with so many distinct letters, 256 at most.
func NewCode(shape Shape, letters int) Code {
	c := Code{Shape: shape, Bytes: true, Letters: letters, Base: 1}
	if shape.M < 2 {
		c.Bytes = letters < 256
		return c
	}
	most := 255 - letters
	if most < min(fewestDigits, shape.M) {
		c.Bytes, most = false, wideSymbols-1-letters
	}
	for reach := 1; reach < shape.M; reach *= most {
		c.Digits++
	}
	// The least base will do: fewer symbols have shorter codes.
	c.Base = max(int(math.Pow(float64(shape.M), 1/float64(c.Digits)))-1, 2)
	for power(c.Base, c.Digits) < shape.M {
		c.Base++
	}
	return c
}

func power(base, exponent int) int {
	p := 1
	for range exponent {
		p *= base
	}
	return p
}

// Len is the number of symbols.
func (c Code) Len() int { return c.N + c.Digits*c.M }

// SymbolBytes is the number of bytes of a symbol.
func (c Code) SymbolBytes() int {
	if c.Bytes {
		return 1
	}
	return 2
}

// separator and letter are the symbols of separators and of the first letter. Digits come after both.
func (c Code) separator() int {
	if c.Least {
		return 0
	}
	return c.Letters
}

func (c Code) letter() int {
	if c.Least {
		return 1
	}
	return 0
}

// zero is the digit 0.
func (c Code) zero() int { return c.Letters + 1 }

// table has the symbol of each byte that occurs.
func (c Code) table(occurs *[256]bool) []uint32 {
	table, next := make([]uint32, 256), uint32(c.letter())
	for b, there := range occurs {
		if there {
			table[b] = next
			next++
		}
	}
	return table
}

const file = "sets.cl"

// Coder codes texts of a shape and decodes their suffix arrays.
type Coder struct {
	session *device.Session
	shape   Shape
	most    int // symbols
	tile    int

	bits   int // log2 of the places of a block
	digits int // after each separator, in blocks

	ends   *device.Slot[uint32]
	blocks *device.Slot[[2]uint32]
	table  *device.Slot[uint32]

	index, widen, decode *device.Kernel
	code                 map[bool]*device.Kernel // by whether symbols are bytes
}

// items is the number of items of a work-item: on devices of CPU shape so few that llvmpipe goes round all of them.
func items(m tune.Map) int { return min(m.Items, 1<<10) }

func source(m tune.Map, defines device.Defines) device.Source {
	defines["WG"], defines["ITEMS"] = m.WG, items(m)
	return device.Source{Files: []string{file}, Defines: defines}
}

// New plans the coding of texts of a shape, whose code has at most so many symbols.
func New(s *device.Session, shape Shape, most int) *Coder {
	m := tuned.Of(s).Map
	maps := s.Program(source(m, device.Defines{"SETS_MAP": 1}))
	c := &Coder{
		session: s, shape: shape, most: most, tile: m.WG * items(m), bits: blockBits(most, shape.M),
		index: maps.Kernel("sets_blocks", m.WG), widen: maps.Kernel("sets_widen", m.WG),
		decode: maps.Kernel("sets_decode", m.WG), code: map[bool]*device.Kernel{},
	}
	for bytes, symbol := range map[bool]string{true: cltype.Name[uint8](), false: cltype.Name[uint16]()} {
		program := s.Program(source(m, device.Defines{"SETS_CODE": 1, "T": symbol}))
		c.code[bytes] = program.Kernel("sets_code", m.WG)
	}
	return c
}

// blockBits is log2 of the places of a block. A block has two or so of m separators; up to 4 need no search.
func blockBits(most, m int) int {
	return min(max(bits.Len(uint(most/max(m, 1))), 5), 8)
}

// blocksOf is how many blocks n places have, with the one after them.
func (c *Coder) blocksOf(n int) int { return max(n-1, 0)>>c.bits + 2 }

// Reserve reserves the memory that the coder has in all steps: 4 bytes for each separator, 1/32 to 1/4 for each symbol.
func (c *Coder) Reserve(l *device.Layout) {
	c.ends = device.Reserve[uint32](l, "separators", c.shape.M)
	c.blocks = device.Reserve[[2]uint32](l, "separators before blocks", c.blocksOf(c.most))
	c.table = device.Reserve[uint32](l, "symbols of letters", 256)
}

// Ends is the buffer for the places of the separators.
func (c *Coder) Ends() *device.Buffer[uint32] { return c.ends.Buffer(c.session) }

func (c *Coder) tiles(n int) int { return intmath.CeilDiv(n, c.tile) }

// Index enqueues counting the separators before n places, with so many digits after each separator.
func (c *Coder) Index(n, digits int) {
	c.digits = digits
	count := c.blocksOf(n)
	c.index.Launch(c.tiles(count), 40*int64(count), c.Ends(), uint32(c.shape.M), uint32(digits), uint32(c.bits),
		uint64(count), c.blocks.Buffer(c.session))
}

// separators are arguments of kernels.
func (c *Coder) separators() []any {
	return []any{c.Ends(), uint32(c.shape.M), uint32(c.digits), c.blocks.Buffer(c.session), uint32(c.bits)}
}

// Encode enqueues coding a text. Index has been called for the code. Errors: the device's.
func Encode[T uint8 | uint16](c *Coder, code Code, occurs *[256]bool, text *device.Buffer[uint8],
	coded *device.Buffer[T]) error {
	table, n := c.table.Buffer(c.session), code.Len()
	if err := table.Write(code.table(occurs)); err != nil {
		return err
	}
	c.code[code.Bytes].Launch(c.tiles(n), int64(n)*int64(1+cltype.Size[T]()), text, table, c.separators(),
		uint64(n), uint32(code.Base), uint32(code.zero()), uint32(code.separator()), coded)
	return nil
}

// Widen enqueues making a text of symbols of 32 bits, wide [n]. Index has been called without digits.
func (c *Coder) Widen(text *device.Buffer[uint8], wide *device.Buffer[uint32]) {
	letters, separators := c.shape.M, 0
	if !c.shape.Least {
		letters, separators = 0, 256
	}
	c.widen.Launch(c.tiles(c.shape.N), 5*int64(c.shape.N), text, uint64(c.shape.N), c.separators(),
		uint32(letters), uint32(separators), wide)
}

// Decoded is what Decode makes, or nil: shapes documents [n]uint32, bwt [n]uint8, whole [1]uint32: the slot of the
// whole text.
type Decoded struct {
	Documents, Whole *device.Buffer[uint32]
	BWT              *device.Buffer[uint8]
	LCP              *device.Buffer[uint32] // becomes the LCP array of the text; it has been that of the code
}

// Decode enqueues making the arrays of a text from the suffix array of its code, which becomes that of the text. Index
// has been called for the code. Where it was called without digits, the suffix array is that of the text, and stays.
func (c *Coder) Decode(sa *device.Buffer[uint32], text *device.Buffer[uint8], to Decoded) {
	n := c.shape.N
	c.decode.Launch(c.tiles(n), int64(n)*(4+32+4+4+33), sa, uint64(n), c.separators(), text, uint64(text.Len()-1),
		to.Documents, to.BWT, to.Whole, to.LCP)
}
