package smem

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/rlbwt"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/internal/twobit"
)

// Those of kernels/smem_dna.cl.
const (
	blockRows  = 192
	blockWords = 16
	superLog   = 24
	letters    = 4
)

// MaxRows is how many rows an index has at most: 40 bits in the table.
const MaxRows = 1<<40 - 1

// Transform is the Burrows-Wheeler transform of a text of bases that is its own reverse complement.
type Transform struct {
	Bases   []byte // [n], 0 to 3, without the row of the end
	Primary int    // the row of the whole text, whose letter is the end
	// Samples [n/Every] are the places of rows Every, 2*Every and so on, for positions; Every is 0 without.
	Samples []uint64
	Every   int
}

// Index is an index on the device. One goroutine uses it at a time.
type Index struct {
	s      *device.Session
	layout *device.Layout
	table  *device.Slot[[4]uint32]
	k      int // letters of the table's strings
	rows   uint64
	files  []string
	args   []any

	runs    *rlbwt.Index // or
	blocks  *device.Slot[[4]uint32]
	supers  *device.Slot[[2]uint64]
	before  *device.Slot[uint64]
	samples *device.Slot[uint64]
	every   int
}

var (
	dnaFiles  = []string{"smem.cl", "smem_dna.cl", "smem_search.cl"}
	runsFiles = []string{"rlbwt.cl", "smem.cl", "smem_runs.cl", "smem_search.cl"}
)

// Letters of the table's strings: at most so many, and so few that a table takes about as much as the index.
const (
	longestString = 12
	tableEntry    = 16
)

func tableLetters(bytes int64) int {
	return min(max((bits.Len64(uint64(bytes)/tableEntry)-1)/2, 1), longestString)
}

// newDNA plans the index of a transform of n bases with every so many samples.
func newDNA(s *device.Session, n, every int) (*Index, error) {
	if uint64(n) >= MaxRows {
		return nil, fmt.Errorf("smem: a transform of %d bases, at most %d are taken", n, uint64(MaxRows))
	}
	x := &Index{s: s, layout: device.NewLayout("index"), rows: uint64(n) + 1, every: every,
		files: dnaFiles}
	x.program()
	blocks := n/blockRows + 1
	x.blocks = device.Reserve[[4]uint32](x.layout, "transform", blocks*blockWords/4)
	x.supers = device.Reserve[[2]uint64](x.layout, "superblocks", letters*intmath.CeilDiv(blocks, 1<<superLog))
	x.before = device.Reserve[uint64](x.layout, "letters", letters+1)
	if every > 0 {
		x.samples = device.Reserve[uint64](x.layout, "samples", n/every+1)
	}
	x.reserveTable(int64(blocks) * 4 * blockWords)
	return x, nil
}

func (x *Index) reserveTable(bytes int64) {
	x.k = tableLetters(bytes)
	x.table = device.Reserve[[4]uint32](x.layout, "table", 1<<(2*x.k))
}

// Memory is the device memory of the index of n bases, with a sample in every so many rows, or none.
func Memory(s *device.Session, n, every int) (device.PhaseMemory, error) {
	x, err := newDNA(s, n, every)
	if err != nil {
		return device.PhaseMemory{}, err
	}
	return x.layout.Memory(), nil
}

// Open makes the index of a transform. Errors: a transform that no text with both strands has, as far as the numbers
// of its letters tell; a *device.MemoryError; the context's, the device's.
func Open(ctx context.Context, s *device.Session, t *Transform) (*Index, error) {
	n := len(t.Bases)
	x, err := newDNA(s, n, t.Every)
	if err != nil {
		return nil, err
	}
	if t.Primary < 0 || t.Primary > n || t.Every > 0 && len(t.Samples) != n/t.Every {
		return nil, fmt.Errorf("smem: row %d and %d samples of a text of %d bases", t.Primary, len(t.Samples), n)
	}
	blocks, supers, before := pack(t.Bases)
	if before[1]-before[0] != before[4]-before[3] || before[2]-before[1] != before[3]-before[2] {
		return nil, ErrOneStrand
	}
	if err := x.layout.Allocate(s); err != nil {
		return nil, err
	}
	err = device.Reinterpret[uint8](x.blocks.Buffer(s)).Upload(ctx, blocks, nil)
	if err == nil {
		err = x.supers.Buffer(s).Write(supers)
	}
	if err == nil {
		err = x.before.Buffer(s).Write(before)
	}
	if err == nil && t.Every > 0 {
		samples := x.samples.Buffer(s)
		if err = samples.View(0, 1).Write([]uint64{1<<64 - 1}); err == nil {
			err = samples.View(1, len(t.Samples)).Upload(ctx, t.Samples, nil)
		}
	}
	if err == nil {
		x.args = []any{x.blocks.Buffer(s), x.supers.Buffer(s), x.before.Buffer(s), x.rows, uint64(t.Primary)}
		err = x.fill(ctx)
	}
	if err != nil {
		x.Release()
		return nil, err
	}
	return x, nil
}

// pack makes the blocks and their counts.
func pack(bases []byte) (blocks []byte, supers [][2]uint64, before []uint64) {
	n := len(bases)
	count := n/blockRows + 1
	blocks = make([]byte, count*4*blockWords)
	counts := make([][letters]uint32, count)
	parallel.Do(count, 1<<12, func(lo, hi int) {
		for b := lo; b < hi; b++ {
			block := blocks[b*4*blockWords:]
			part := bases[b*blockRows : min((b+1)*blockRows, n)]
			for word := 0; word < blockRows/64 && len(part) > 0; word++ {
				m := min(len(part), 64)
				low, high := twobit.Planes(part[:m])
				t, g, c := bits.OnesCount64(low&high), bits.OnesCount64(high&^low), bits.OnesCount64(low&^high)
				counts[b][3] += uint32(t)
				counts[b][2] += uint32(g)
				counts[b][1] += uint32(c)
				counts[b][0] += uint32(m - t - g - c)
				binary.NativeEndian.PutUint64(block[16*(word+1):], low)
				binary.NativeEndian.PutUint64(block[16*(word+1)+8:], high)
				part = part[m:]
			}
		}
	})
	var all, within [letters]uint64
	for b := range counts {
		if b%(1<<superLog) == 0 {
			within = [letters]uint64{}
			for c := range all {
				greater := uint64(0)
				for _, other := range all[c+1:] {
					greater += other
				}
				supers = append(supers, [2]uint64{all[c], greater})
			}
		}
		for c := range all {
			binary.NativeEndian.PutUint32(blocks[b*4*blockWords+4*c:], uint32(within[c]))
			within[c] += uint64(counts[b][c])
			all[c] += uint64(counts[b][c])
		}
	}
	before = []uint64{1, 0, 0, 0, 0} // the end
	for c := range all {
		before[c+1] = before[c] + all[c]
	}
	for i := range supers {
		supers[i][0] += before[i%letters]
	}
	return blocks, supers, before
}

// Runs makes the index of a run-length transform, which it takes over. Errors: ErrOneStrand; a *device.MemoryError; the
// context's, the device's.
func Runs(ctx context.Context, s *device.Session, of *rlbwt.Index) (*Index, error) {
	x := &Index{s: s, layout: device.NewLayout("index"), rows: of.Len(), runs: of, args: of.Args(),
		files: runsFiles}
	c := of.Counts()
	if c[0]%2 != 0 || c[1] != c[4] || c[2] != c[3] {
		x.Release()
		return nil, ErrOneStrand
	}
	x.reserveTable(of.Bytes())
	err := x.layout.Allocate(s)
	if err == nil {
		err = x.fill(ctx)
	}
	if err != nil {
		x.Release()
		return nil, err
	}
	return x, nil
}

// RunsMemory is an upper bound of the device memory of the index of so many runs and strings.
func RunsMemory(s *device.Session, runs int, strings uint64) device.PhaseMemory {
	const run = 3 // bytes
	x := &Index{s: s, layout: device.NewLayout("index")}
	x.files = runsFiles
	x.program()
	bytes := int64(runs)*run + 8*int64(strings)
	x.reserveTable(bytes)
	m := x.layout.Memory()
	m.Buffers = append(m.Buffers, device.BufferMemory{Name: "transform", Bytes: bytes})
	return m
}

// program has the kernels of the engine.
func (x *Index) program() (*device.Program, tune.SMEM) {
	t := tuned.Of(x.s).SMEM
	return x.s.Program(device.Source{Files: x.files, Defines: device.Defines{
		"WG": t.WG, "ITEMS": t.Items, "TOGETHER": t.Together}}), t
}

// fill makes the table.
func (x *Index) fill(ctx context.Context) error {
	program, t := x.program()
	kernel := program.Kernel("smem_table", t.WG)
	x.s.Phase("table")
	for k := range x.k {
		n := 1 << (2 * k)
		kernel.Launch(intmath.CeilDiv(n, t.WG*t.Items), int64(n)*(16+4*(16+2*64)), x.args, uint32(k), x.table.Buffer(x.s))
	}
	return x.s.Check(ctx)
}

// Locates tells whether it has positions.
func (x *Index) Locates() bool { return x.every > 0 }

// Release frees the memory.
func (x *Index) Release() {
	if x != nil {
		x.layout.Release(x.s)
		x.runs.Release()
	}
}
