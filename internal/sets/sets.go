// Package sets codes texts with separators, on the device, so that sorters of plain texts sort them: texts of a set,
// each with a terminator, or a text with letters that are equal to nothing. Separators are all different, ordered by
// their places, and smaller or larger than all letters.
//
// For a sorter, a separator becomes a symbol and its number, in digits. So suffixes that agree up to their separators
// differ in the digits, and the alphabet stays small. Digits are symbols of their own, greater than all others. So the
// suffixes that start at digits, which nobody wants, are the last ones in the suffix array. The text grows by the
// digits: two to four for each separator, where letters leave 100 bytes or more.
//
// For what compares suffixes, each separator becomes a symbol of 32 bits of its own: the order by definition.
package sets

import (
	"math"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/scan"
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
	Letters int  // distinct ones
	Digits  int  // of the number of a separator
	Base    int  // of digits
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

var countTemplate = scan.TemplateOptions{
	Source:       device.Source{Files: []string{file}, Defines: device.Defines{"SETS_COUNT": 1}},
	ElementBytes: 4,
}

// Coder codes texts of a shape and decodes their suffix arrays.
type Coder struct {
	session *device.Session
	shape   Shape
	most    int // symbols
	tile    int

	ends  *device.Slot[uint32]
	marks *device.Slot[[2]uint32]
	table *device.Slot[uint32]
	ws    *device.WorkspaceSlot

	mark, widen, decode *device.Kernel
	code                map[bool]*device.Kernel // by whether symbols are bytes
	count               *scan.Template
}

// items is that of a work-item: on devices of CPU shape few enough that llvmpipe goes round all of them.
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
		session: s, shape: shape, most: most, tile: m.WG * items(m),
		mark: maps.Kernel("sets_mark", m.WG), widen: maps.Kernel("sets_widen", m.WG),
		decode: maps.Kernel("sets_decode", m.WG), code: map[bool]*device.Kernel{},
		count: scan.NewTemplate(s, words(most), countTemplate),
	}
	for bytes, symbol := range map[bool]string{true: cltype.Name[uint8](), false: cltype.Name[uint16]()} {
		program := s.Program(source(m, device.Defines{"SETS_CODE": 1, "T": symbol}))
		c.code[bytes] = program.Kernel("sets_code", m.WG)
	}
	return c
}

// words is the number of words of marks: as many as there are places, and one for the place after them.
func words(n int) int { return n/32 + 1 }

// Reserve reserves what the coder has in all steps: 4 bytes for each separator, 1/4 for each symbol.
func (c *Coder) Reserve(l *device.Layout) {
	c.ends = device.Reserve[uint32](l, "separators", c.shape.M)
	c.marks = device.Reserve[[2]uint32](l, "marks of separators", words(c.most))
	c.table = device.Reserve[uint32](l, "symbols of letters", 256)
	c.ws = device.ReserveWorkspace(l, c.count.Workspace())
}

// Ends is the buffer for the places of the separators.
func (c *Coder) Ends() *device.Buffer[uint32] { return c.ends.Buffer(c.session) }

func (c *Coder) tiles(n int) int { return intmath.CeilDiv(n, c.tile) }

// Mark enqueues making the marks for n places, with so many digits after each separator.
func (c *Coder) Mark(n, digits int) {
	marks := device.Reinterpret[uint32](c.marks.Buffer(c.session).View(0, words(n)))
	marks.Fill(0)
	c.mark.Launch(c.tiles(c.shape.M), int64(c.shape.M)*(4+32), c.Ends(), uint64(c.shape.M), uint32(digits), marks)
	c.count.Run(c.ws.Workspace(c.session), words(n), 8*(c.count.Loads()+1), marks)
}

// Encode enqueues coding a text. Mark has been called for the code. Errors: the device's.
func Encode[T uint8 | uint16](c *Coder, code Code, occurs *[256]bool, text *device.Buffer[uint8],
	coded *device.Buffer[T]) error {
	table, n := c.table.Buffer(c.session), code.Len()
	if err := table.Write(code.table(occurs)); err != nil {
		return err
	}
	c.code[code.Bytes].Launch(c.tiles(n), int64(n)*int64(1+cltype.Size[T]()), text, table, c.Ends(),
		uint64(c.shape.M), c.marks.Buffer(c.session), uint64(n), uint32(code.Digits), uint32(code.Base), uint32(code.zero()),
		uint32(code.separator()), coded)
	return nil
}

// Widen enqueues making a text of symbols of 32 bits, wide [n]. Mark has been called without digits.
func (c *Coder) Widen(text *device.Buffer[uint8], wide *device.Buffer[uint32]) {
	letters, separators := c.shape.M, 0
	if !c.shape.Least {
		letters, separators = 0, 256
	}
	c.widen.Launch(c.tiles(c.shape.N), 5*int64(c.shape.N), text, uint64(c.shape.N), c.marks.Buffer(c.session),
		uint32(letters), uint32(separators), wide)
}

// Decoded is what Decode makes, or nil: shapes documents [n]uint32, bwt [n]uint8, whole [1]uint32: the slot of the
// whole text.
type Decoded struct {
	Documents, Whole *device.Buffer[uint32]
	BWT              *device.Buffer[uint8]
	LCP              *device.Buffer[uint32] // becomes the LCP array of the text; it has been that of the code
}

// Decode enqueues making the arrays of a text from the suffix array of its code, which becomes that of the text. Mark
// has been called for the code. The suffix array of the text itself is that of a code without digits, and stays.
func (c *Coder) Decode(code Code, sa *device.Buffer[uint32], text *device.Buffer[uint8], to Decoded) {
	n := c.shape.N
	c.decode.Launch(c.tiles(n), int64(n)*(4+32+4+4+33), sa, uint64(n), uint32(code.Digits), c.marks.Buffer(c.session),
		text, uint64(text.Len()-1), c.Ends(), to.Documents, to.BWT, to.Whole, to.LCP)
}
