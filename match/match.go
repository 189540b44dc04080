package match

import (
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/patterns"
)

// MaxLen is the longest text in bytes: positions are 32-bit words.
const MaxLen = 1<<32 - 2

const (
	none       = 256     // NONE of match.cl
	fan        = 16      // entries of a minimum of the tree's pyramid
	maxStrings = 1 << 24 // entries of the table
)

func source(set tune.Set) device.Source {
	t := set.Search
	return device.Source{Files: []string{"text.cl", "patterns.cl", "match.cl"}, Defines: device.Defines{"WG": t.WG, "ITEMS": t.Items, "FAN": fan}}
}

// Sources lists the programs of the package.
func Sources(set tune.Set) []device.Source { return []device.Source{source(set)} }

// launcher is what Array and Tree share.
type launcher struct {
	s       *device.Session
	n, tile int
	layout  *device.Layout
	kernels []*device.Kernel
}

func newLauncher(s *device.Session, n int, phase string, names ...string) (l launcher, err error) {
	if err := device.CheckLen("text", n, MaxLen); err != nil {
		return l, err
	}
	t := s.Tuning().Search
	l = launcher{s: s, n: n, tile: t.WG * t.Items, layout: device.NewLayout(phase)}
	program, err := s.Program(source(*s.Tuning()))
	for _, name := range names {
		if err == nil {
			var k *device.Kernel
			k, err = program.Kernel(name, t.WG)
			l.kernels = append(l.kernels, k)
		}
	}
	if err != nil {
		l.Release()
	}
	return l, err
}

// Memory is the device memory beside text and suffix array.
func (l *launcher) Memory() device.PhaseMemory { return l.layout.Memory() }

// Release frees device memory and kernels.
func (l *launcher) Release() {
	if l.layout != nil {
		l.layout.Release(l.s)
	}
	for _, k := range l.kernels {
		k.Release()
	}
	l.kernels = nil
}

func (l *launcher) launch(k, items int, bytes int64, args ...any) {
	l.kernels[k].Launch(device.Groups(items, l.tile), bytes, args...)
}

// search launches a kernel that has the patterns and their intervals behind args.
func (l *launcher) search(k int, set patterns.Set, intervals *device.Buffer[[2]uint32], args ...any) {
	l.launch(k, set.Len, 2*int64(set.Bytes), append(append(args, set.Args()...), intervals)...)
}

// fits reports misuse to the session.
func (l *launcher) fits(text *device.Buffer[uint8], sa *device.Buffer[uint32], set patterns.Set, intervals *device.Buffer[[2]uint32]) bool {
	if text.Len() == l.n && sa.Len() >= l.n && set.End() <= intervals.Len() && set.End() < set.Offsets.Len() {
		return true
	}
	l.s.Fail(fmt.Errorf("match: text of %d bytes, suffix array of %d entries, planned for %d; %d patterns, room for %d", text.Len(), sa.Len(), l.n, set.End(), intervals.Len()))
	return false
}

// Array searches in a suffix array.
type Array struct {
	launcher
	k, sigma, strings int
	codes             [256]uint32
	codesSlot, table  *device.Slot[uint32]
}

// The kernels of an Array.
const (
	kernelTable = iota
	kernelArray
	kernelPaper
	kernelGather
)

// NewArray compiles the search in a text of n bytes and sizes its table; counts are those
// of its bytes, see fmindex.Histogram. Errors: n over MaxLen, kernels that do not build.
func NewArray(s *device.Session, n int, counts *[256]uint64) (*Array, error) {
	l, err := newLauncher(s, n, "match", "match_table", "match_array", "match_paper", "match_gather")
	if err != nil {
		return nil, err
	}
	a := &Array{launcher: l, strings: 1}
	for c, often := range counts {
		if a.codes[c] = none; often > 0 {
			a.codes[c] = uint32(a.sigma)
			a.sigma++
		}
	}
	a.sigma = max(a.sigma, 1)
	for a.sigma > 1 && a.strings*a.sigma <= min(n, maxStrings) {
		a.strings *= a.sigma
		a.k++
	}
	a.codesSlot = device.Reserve[uint32](a.layout, "codes", 256)
	a.table = device.Reserve[uint32](a.layout, "table of strings", a.strings+1)
	return a, nil
}

// Build allocates and fills the table. text and sa stay on the device as long as patterns
// are to be searched. Errors: a text or an array of another length, *device.MemoryError, the
// device's.
func (a *Array) Build(text *device.Buffer[uint8], sa *device.Buffer[uint32]) error {
	if text.Len() != a.n || sa.Len() < a.n {
		return fmt.Errorf("match: text of %d bytes, suffix array of %d entries, planned for %d", text.Len(), sa.Len(), a.n)
	}
	if err := a.layout.Allocate(a.s); err != nil {
		return err
	}
	codes := a.codesSlot.Buffer(a.s)
	if err := codes.Write(a.codes[:]); err != nil {
		return err
	}
	a.launch(kernelTable, a.strings+1, 0, text, uint64(a.n), sa, codes, uint32(a.k), uint32(a.sigma), uint64(a.strings), a.table.Buffer(a.s))
	return a.s.Err()
}

// Search enqueues writing the interval of slots of each pattern: [0, 0) where it does not
// occur.
func (a *Array) Search(text *device.Buffer[uint8], sa *device.Buffer[uint32], set patterns.Set, intervals *device.Buffer[[2]uint32]) {
	if a.fits(text, sa, set, intervals) {
		a.search(kernelArray, set, intervals, text, uint64(a.n), sa, a.codesSlot.Buffer(a.s), uint32(a.k), uint32(a.sigma), uint64(a.strings), a.table.Buffer(a.s))
	}
}

// SearchPaper is Search as Alg. 1 of the paper has it.
func (a *Array) SearchPaper(text *device.Buffer[uint8], sa *device.Buffer[uint32], set patterns.Set, intervals *device.Buffer[[2]uint32]) {
	if a.fits(text, sa, set, intervals) {
		a.search(kernelPaper, set, intervals, text, uint64(a.n), sa)
	}
}

// Locate enqueues writing the positions of the occurrences with the numbers first to
// first+m-1; firsts are those of patterns.Numbering.
func (a *Array) Locate(sa *device.Buffer[uint32], intervals *device.Buffer[[2]uint32], firsts *device.Buffer[uint64], count int, first uint64, m int, positions *device.Buffer[uint32]) {
	if m > positions.Len() || count > intervals.Len() || count >= firsts.Len() || sa.Len() < a.n {
		a.s.Fail(fmt.Errorf("match: %d occurrences of %d patterns, room for %d of %d", m, count, positions.Len(), min(intervals.Len(), firsts.Len()-1)))
		return
	}
	a.launch(kernelGather, m, int64(m)*8, sa, uint64(a.n), intervals, firsts, uint32(count), first, uint64(m), positions)
}

// Tree searches in a suffix tree.
type Tree struct {
	launcher
	nodes   *device.Slot[uint32]
	pyramid *device.Slot[uint32]
	levels  []int // entries of the pyramid's
	lower   *device.Layout
}

const (
	kernelMinima = iota
	kernelNodes
	kernelLinks
	kernelTree
)

// NodeBytes is the size of a node of the tree; there is one for each character.
const NodeBytes = 16

// NewTree compiles construction and search for a text of n bytes. Errors as NewArray.
func NewTree(s *device.Session, n int) (*Tree, error) {
	l, err := newLauncher(s, n, "tree", "tree_minima", "tree_nodes", "tree_links", "match_tree")
	if err != nil {
		return nil, err
	}
	t := &Tree{launcher: l, lower: device.NewLayout("build tree")}
	total := 0
	for size := n; size > fan; {
		size = device.Groups(size, fan)
		t.levels = append(t.levels, size)
		total += size
	}
	t.nodes = device.Reserve[uint32](t.layout, "nodes", NodeBytes/4*n)
	t.pyramid = device.Reserve[uint32](t.lower, "minima", total)
	return t, nil
}

// Build allocates and makes the tree from the arrays, and waits. Errors: arrays of other
// lengths, *device.MemoryError, the device's.
func (t *Tree) Build(text *device.Buffer[uint8], sa, lcp *device.Buffer[uint32]) error {
	if text.Len() != t.n || sa.Len() < t.n || lcp.Len() < t.n {
		return fmt.Errorf("match: text of %d bytes, arrays of %d and %d entries, planned for %d", text.Len(), sa.Len(), lcp.Len(), t.n)
	}
	if err := t.layout.Allocate(t.s); err != nil {
		return err
	}
	if err := t.lower.Allocate(t.s); err != nil {
		return err
	}
	defer t.lower.Release(t.s)
	nodes, pyramid, n := t.nodes.Buffer(t.s), t.pyramid.Buffer(t.s), uint64(t.n)
	from, below, to := 0, t.n, 0
	for level, size := range t.levels {
		first := uint32(0)
		if level == 0 {
			first = 1
		}
		t.launch(kernelMinima, size, 4*int64(below), lcp, pyramid, uint64(from), uint64(below), uint64(to), uint64(size), first)
		from, below, to = to, size, to+size
	}
	t.launch(kernelNodes, t.n, int64(t.n)*(8+32+NodeBytes), text, n, sa, lcp, nodes)
	t.launch(kernelLinks, t.n, int64(t.n)*(4+2*32+32), lcp, pyramid, n, nodes)
	return t.s.Finish()
}

// Search is Array.Search in the tree.
func (t *Tree) Search(text *device.Buffer[uint8], sa *device.Buffer[uint32], set patterns.Set, intervals *device.Buffer[[2]uint32]) {
	if t.fits(text, sa, set, intervals) {
		t.search(kernelTree, set, intervals, text, uint64(t.n), sa, t.nodes.Buffer(t.s))
	}
}

// Nodes is the tree's memory, four words a node, for Host.
func (t *Tree) Nodes() *device.Buffer[uint32] { return t.nodes.Buffer(t.s) }
