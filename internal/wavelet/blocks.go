package wavelet

import (
	"cmp"
	"context"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/sdsl"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/scan"
)

const (
	wordsOfPair = 2 * sdsl.SuperblockBits / 64 // of two superblocks
	// mostNumber is the bits of the longest number.
	mostNumber = sdsl.BlockBits - 3
	// fewOnes bounds the ones of blocks whose numbers are added up, and the columns of the table of binomials.
	fewOnes = 64
	rows    = sdsl.BlockBits + 1
)

// blocks codes bits in pieces of superblocks.
type blocks struct {
	s                *device.Session
	most             int
	shape            tune.Map
	classes, numbers *device.Kernel
	sum              *scan.Plan[uint64]

	bits     *device.Slot[uint64]
	sums     *device.Slot[uint64]
	before   *device.Slot[uint16]
	inverted *device.Slot[uint8]
	packed   *device.Slot[uint64] // classes
	coded    *device.Slot[uint64] // numbers
	space    *device.Slot[uint8]
	choose   *device.Slot[[2]uint64]
	scratch  *device.WorkspaceSlot
	layout   *device.Layout
}

// numberWords are those of the numbers of so many superblocks, which begin within a word.
func numberWords(supers int) int { return (63+supers*sdsl.SuperblockBlocks*mostNumber)/64 + 1 }

func classWords(supers int) int { return (supers*sdsl.SuperblockBlocks*sdsl.ClassBits + 63) / 64 }

func newBlocks(s *device.Session, shape tune.Map, most int) *blocks {
	b := &blocks{s: s, most: most, shape: shape, sum: scan.NewPlan[uint64](s, most+1, scan.Options{})}
	program := s.Program(device.Source{Files: []string{"rrr.cl"},
		Defines: device.Defines{"WG": shape.WG, "ITEMS": shape.Items}})
	b.classes, b.numbers = program.Kernel("rrr_classes", shape.WG), program.Kernel("rrr_numbers", shape.WG)
	b.layout = device.NewLayout("blocks of bits")
	b.bits = device.Reserve[uint64](b.layout, "bits", most/2*wordsOfPair)
	b.sums = device.Reserve[uint64](b.layout, "sums of superblocks", most+1)
	b.before = device.Reserve[uint16](b.layout, "places of numbers", most*sdsl.SuperblockBlocks)
	b.inverted = device.Reserve[uint8](b.layout, "inverted superblocks", most)
	b.packed = device.Reserve[uint64](b.layout, "classes", classWords(most))
	b.coded = device.Reserve[uint64](b.layout, "numbers", numberWords(most))
	b.space = device.Reserve[uint8](b.layout, "bits of numbers", rows)
	b.choose = device.Reserve[[2]uint64](b.layout, "binomials", fewOnes*rows)
	b.scratch = device.ReserveWorkspace(b.layout, b.sum.Workspace())
	return b
}

// Blocks is that of sdsl.Maker.
func (m *Maker) Blocks(ctx context.Context, words []uint64, to *sdsl.Blocks) error {
	b := m.blocks
	if err := b.layout.Allocate(m.s); err != nil {
		return err
	}
	defer b.layout.Release(m.s)
	m.s.Phase("blocks of bits")
	var space [rows]uint8
	choose := make([][2]uint64, fewOnes*rows)
	for n := range rows {
		space[n] = uint8(sdsl.NumberBits(n))
		for k := range min(n+1, fewOnes) {
			choose[k*rows+n] = sdsl.Binomial(n, k)
		}
	}
	b.space.Buffer(m.s).Write(space[:])
	b.choose.Buffer(m.s).Write(choose)
	supers := len(to.Inverted)
	// Pages beyond the last number are not touched, so that they take no memory.
	to.Numbers = addressspace.Make[uint64](numberWords(supers))
	for first := 0; first < supers; first += b.most {
		if err := b.piece(ctx, words, first, to); err != nil {
			return cmp.Or(m.s.Check(ctx), err)
		}
	}
	return m.s.Check(ctx)
}

// piece codes the superblocks from `first` on.
func (b *blocks) piece(ctx context.Context, words []uint64, first int, to *sdsl.Blocks) error {
	s := b.s
	supers := min(b.most, len(to.Inverted)-first)
	words = words[min(first/2*wordsOfPair, len(words)):]
	words = words[:min(supers*wordsOfPair/2+1, b.most/2*wordsOfPair, len(words))]
	n := min(to.N-uint64(first)*sdsl.SuperblockBits, uint64(supers)*sdsl.SuperblockBits)
	inUse := (n + sdsl.BlockBits - 1) / sdsl.BlockBits

	bits, sums, before := b.bits.Buffer(s), b.sums.Buffer(s), b.before.Buffer(s)
	inverted, classes := b.inverted.Buffer(s), b.packed.Buffer(s).View(0, classWords(supers))
	if err := bits.Upload(ctx, words, nil); err != nil {
		return err
	}
	classes.View(classes.Len()-1, 1).Fill(0) // of which the classes may be half
	b.classes.Launch(groups(supers+1, b.shape.WG, b.shape.Items), 8*int64(len(words))+107*int64(supers), bits,
		uint64(len(words)), n, uint64(supers), b.space.Buffer(s), sums, before, inverted,
		device.Reinterpret[uint32](b.packed.Buffer(s)))
	b.sum.Run(b.scratch.Workspace(s), sums, sums, supers+1)

	piece := make([]uint64, supers+1)
	if err := sums.Download(ctx, piece, nil); err != nil {
		return err
	}
	place, ones := to.Places[first], to.Ones[first]
	parallel.Do(supers+1, 1<<14, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			to.Places[first+i], to.Ones[first+i] = place+piece[i]&(1<<32-1), ones+piece[i]>>32
		}
	})
	shift, from, end := place%64, place/64, (to.Places[first+supers]+63)/64
	numbers := b.coded.Buffer(s).View(0, int(end-from))
	numbers.Fill(0)
	b.numbers.Launch(groups(int(inUse), b.shape.WG, b.shape.Items), 8*int64(len(words))+8*int64(numbers.Len())+
		2*int64(inUse), bits, uint64(len(words)), inUse, b.space.Buffer(s), b.choose.Buffer(s), sums, before, uint32(shift),
		device.Reinterpret[uint32](b.coded.Buffer(s)))
	if err := inverted.View(0, supers).Download(ctx, to.Inverted[first:first+supers], nil); err != nil {
		return err
	}
	if err := classes.Download(ctx, to.Classes[classWords(first):][:classes.Len()], nil); err != nil {
		return err
	}
	if numbers.Len() == 0 {
		return nil
	}
	last := to.Numbers[from] // which may have bits of the piece before
	err := numbers.Download(ctx, to.Numbers[from:end], nil)
	to.Numbers[from] |= last
	return err
}
