package match

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/patternset"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

const (
	other      = 256     // OTHER of match.cl
	maxStrings = 1 << 24 // entries of the table
	rareOthers = 16      // a text is packed if at most one in so many characters is none of four
)

func arraySource(symbolBytes int) func(tune.Set) device.Source {
	return func(set tune.Set) device.Source {
		t := set.Search
		return device.Source{Files: []string{"text.cl", "patterns.cl", "match.cl"},
			Defines: device.Defines{"WG": t.WG, "ITEMS": t.Items, "SYMBOL_BYTES": symbolBytes}}
	}
}

// launcher has the parts that Array and Tree share.
type launcher struct {
	s        *device.Session
	n, slots int // bytes of the text, and its suffixes
	tile     int
	layout   *device.Layout
	kernels  []*device.Kernel
}

func newLauncher(s *device.Session, slots, symbolBytes int, phase string, source func(tune.Set) device.Source,
	names ...string) (l launcher, err error) {
	if err := limits.CheckLen("text", slots, limits.MaxLen); err != nil {
		return l, err
	}
	t := tuned.Of(s).Search
	l = launcher{s: s, n: slots * symbolBytes, slots: slots, tile: t.WG * t.Items, layout: device.NewLayout(phase)}
	program := s.Program(source(*tuned.Of(s)))
	for _, name := range names {
		l.kernels = append(l.kernels, program.Kernel(name, t.WG))
	}
	return l, nil
}

// Memory is the device memory in addition to text and suffix array.
func (l *launcher) Memory() device.PhaseMemory { return l.layout.Memory() }

// Release frees the device memory.
func (l *launcher) Release() { l.layout.Release(l.s) }

func (l *launcher) launch(k, items int, bytes int64, args ...any) {
	l.kernels[k].Launch(intmath.CeilDiv(items, l.tile), bytes, args...)
}

// search launches a kernel that takes args, then the patterns and their intervals.
func (l *launcher) search(k int, set patternset.Set, intervals *device.Buffer[[2]uint32], args ...any) {
	l.launch(k, set.Len, 2*int64(set.Bytes), args, set.Args(), intervals)
}

// fits reports misuse to the session.
func (l *launcher) fits(text *device.Buffer[uint8], sa *device.Buffer[uint32], set patternset.Set,
	intervals *device.Buffer[[2]uint32]) bool {
	if text.Len() == l.n && sa.Len() >= l.slots && set.End() <= intervals.Len() && set.End() < set.Offsets.Len() {
		return true
	}
	l.s.Fail(fmt.Errorf("match: text of %d bytes, suffix array of %d entries, planned for %d; %d patterns, room for %d",
		text.Len(), sa.Len(), l.slots, set.End(), intervals.Len()))
	return false
}

// Array searches in a suffix array.
type Array struct {
	launcher
	k, sigma, strings int
	four              uint32 // symbols of a packed text, or 0: see match.cl
	codes             [256]uint32
	codesSlot, table  *device.Slot[uint32]
	packed            *device.Slot[uint64]
	odd               *device.Slot[uint32]
}

// The kernels of an Array.
const (
	kernelPack = iota
	kernelTable
	kernelOrder
	kernelArray
	kernelPaper
	kernelGather
)

// NewArray plans the search in a text of n bytes and sizes its table; counts are those
// of its bytes, see fmindex.Histogram. Errors: n over suffixcl.MaxLen.
func NewArray(s *device.Session, n int, counts *[256]uint64) (*Array, error) {
	return NewSymbolArray(s, n, 1, counts)
}

// NewSymbolArray is NewArray for a text of n symbols of 1, 2 or 4 bytes each, which stand in the text and in patterns
// with the high byte first; counts are those of all these bytes.
func NewSymbolArray(s *device.Session, n, symbolBytes int, counts *[256]uint64) (*Array, error) {
	l, err := newLauncher(s, n, symbolBytes, "match", arraySource(symbolBytes), "match_pack", "match_table",
		"match_order", "match_array", "match_paper", "match_gather")
	if err != nil {
		return nil, err
	}
	a := &Array{launcher: l, strings: 1}
	words, symbols := 0, fourOf(counts)
	if symbols != nil {
		words = intmath.CeilDiv(a.n, 32) + 1
		a.four = binary.LittleEndian.Uint32(symbols)
	} else {
		for c, often := range counts {
			if often > 0 {
				symbols = append(symbols, byte(c))
			}
		}
	}
	for c := range a.codes {
		digit, found := slices.BinarySearch(symbols, byte(c))
		if a.codes[c] = uint32(digit); !found {
			a.codes[c] += other
		}
	}
	a.sigma = max(len(symbols), 1)
	for a.sigma > 1 && a.strings*a.sigma <= min(n, maxStrings) {
		a.strings *= a.sigma
		a.k++
	}
	a.codesSlot = device.Reserve[uint32](a.layout, "codes", 256)
	a.table = device.Reserve[uint32](a.layout, "table of strings", a.strings+1)
	a.packed = device.Reserve[uint64](a.layout, "packed text", words)
	a.odd = device.Reserve[uint32](a.layout, "words of the packed text with other characters",
		intmath.CeilDiv(words, 32)+1)
	return a, nil
}

// fourOf returns the four symbols of a text that can be packed, in ascending order, or nil: the ASCII characters
// that occur most often, if others are rare.
func fourOf(counts *[256]uint64) []byte {
	symbols := make([]byte, 128)
	for c := range symbols {
		symbols[c] = byte(c)
	}
	slices.SortStableFunc(symbols, func(c, d byte) int { return cmp.Compare(counts[d], counts[c]) })
	symbols = symbols[:4]
	all, others := uint64(0), uint64(0)
	for c, often := range counts {
		all += often
		if !slices.Contains(symbols, byte(c)) {
			others += often
		}
	}
	if others*rareOthers > all {
		return nil
	}
	slices.Sort(symbols)
	return symbols
}

// Build allocates and fills the table, and packs the text. text and sa stay on the device as
// long as patterns are to be searched. Errors: a text or an array of another length,
// *device.MemoryError, the device's.
func (a *Array) Build(text *device.Buffer[uint8], sa *device.Buffer[uint32]) error {
	if text.Len() != a.n || sa.Len() < a.slots {
		return fmt.Errorf("match: text of %d bytes, suffix array of %d entries, planned for %d", text.Len(), sa.Len(), a.n)
	}
	if err := a.layout.Allocate(a.s); err != nil {
		return err
	}
	if err := a.codesSlot.Buffer(a.s).Write(a.codes[:]); err != nil {
		return err
	}
	packed, odd := a.packed.Buffer(a.s), a.odd.Buffer(a.s)
	if words := packed.Len(); words > 0 {
		odd.Fill(0)
		a.launch(kernelPack, words, int64(a.n)+8*int64(words), text, uint64(a.n), a.four, uint64(words), packed, odd)
	}
	a.launch(kernelTable, a.strings+1, 0, append(a.args(text, sa), uint64(a.strings), a.table.Buffer(a.s))...)
	return a.s.Err()
}

// args are the text and its symbols as kernels take them.
func (a *Array) args(text *device.Buffer[uint8], sa *device.Buffer[uint32]) []any {
	return []any{text, uint64(a.n), a.packed.Buffer(a.s), a.odd.Buffer(a.s), sa, a.codesSlot.Buffer(a.s), a.four,
		uint32(a.k), uint32(a.sigma)}
}

// Search enqueues writing the interval of slots of each pattern: [0, 0) where it does not
// occur. The patterns are searched for in an order, or, if that is nil, as they come.
func (a *Array) Search(text *device.Buffer[uint8], sa *device.Buffer[uint32], set patternset.Set, order *Order,
	intervals *device.Buffer[[2]uint32]) {
	if a.fits(text, sa, set, intervals) {
		a.search(kernelArray, set, intervals, append(a.args(text, sa), a.table.Buffer(a.s), order.of(a, set))...)
	}
}

// SearchPaper is Search as Alg. 1 of the paper has it.
func (a *Array) SearchPaper(text *device.Buffer[uint8], sa *device.Buffer[uint32], set patternset.Set,
	intervals *device.Buffer[[2]uint32]) {
	if a.fits(text, sa, set, intervals) {
		a.search(kernelPaper, set, intervals, text, uint64(a.n), sa)
	}
}

// Locate enqueues writing the positions of the occurrences with the numbers first to
// first+m-1; firsts are those of patternset.Numbering.
func (a *Array) Locate(sa *device.Buffer[uint32], intervals *device.Buffer[[2]uint32], firsts *device.Buffer[uint64],
	count int, first uint64, m int, positions *device.Buffer[uint32]) {
	if m > positions.Len() || count > intervals.Len() || count >= firsts.Len() || sa.Len() < a.slots {
		a.s.Fail(fmt.Errorf("match: %d occurrences of %d patterns, room for %d of %d", m, count, positions.Len(),
			min(intervals.Len(), firsts.Len()-1)))
		return
	}
	a.launch(kernelGather, m, int64(m)*8, sa, uint64(a.slots), intervals, firsts, uint32(count), first, uint64(m),
		positions)
}
