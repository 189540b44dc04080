package wavelet

import (
	"cmp"
	"context"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/sdsl"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/scan"
)

const (
	letters = 256
	// wordsAtOnce are downloaded while as many are put where they belong.
	wordsAtOnce = 1 << 22
	// nowhere is NOWHERE of wavelet.cl.
	nowhere = 1 << 63
)

// levels makes the levels of trees of pieces of a text.
type levels struct {
	s         *device.Session
	most      int
	shape     tune.Map
	bits      *device.Kernel
	partition *scan.CompactTemplate

	letters [2]*device.Slot[uint8] // of a level, and of the next
	words   *device.Slot[uint64]   // bits of a level
	steps   *device.Slot[uint32]
	places  *device.Slot[uint64]
	ones    *device.Slot[uint64]
	scratch *device.WorkspaceSlot
	layout  *device.Layout
}

func newLevels(s *device.Session, shape tune.Map, most int) *levels {
	source := device.Source{Files: []string{"text.cl", "wavelet.cl"}}
	l := &levels{s: s, most: most, shape: shape, partition: scan.NewCompactTemplate(s, most, source)}
	source.Defines = device.Defines{"WG": shape.WG, "ITEMS": shape.Items}
	l.bits = s.Program(source).Kernel("wavelet_bits", shape.WG)
	l.layout = device.NewLayout("wavelet tree")
	l.letters[0] = device.Reserve[uint8](l.layout, "letters of a level", most)
	l.letters[1] = device.Reserve[uint8](l.layout, "letters of the next level", most)
	l.words = device.Reserve[uint64](l.layout, "bits of a level", (most+63)/64)
	l.steps = device.Reserve[uint32](l.layout, "steps of paths", sdsl.PathBits*letters/32)
	l.places = device.Reserve[uint64](l.layout, "places of letters", sdsl.PathBits*letters)
	l.ones = device.Reserve[uint64](l.layout, "ones", 1)
	l.scratch = device.ReserveWorkspace(l.layout, l.partition.Workspace())
	return l
}

// Levels is that of sdsl.Maker.
func (m *Maker) Levels(ctx context.Context, text []byte, many *[letters]uint64, to *sdsl.Levels) error {
	l := m.levels
	if err := l.layout.Allocate(m.s); err != nil {
		return err
	}
	defer l.layout.Release(m.s)
	m.s.Phase("wavelet tree")
	put := newPutter(to, min((l.most+63)/64, wordsAtOnce))
	defer put.end()
	for from := 0; from < len(text); from += l.most {
		piece := text[from:min(from+l.most, len(text))]
		if len(piece) < len(text) {
			of := sdsl.Count(piece)
			many = &of
		}
		if err := l.piece(ctx, piece, many, put); err != nil {
			return cmp.Or(m.s.Check(ctx), err)
		}
	}
	return m.s.Check(ctx)
}

func (l *levels) piece(ctx context.Context, piece []byte, many *[letters]uint64, put *putter) error {
	put.piece(many)
	t := tablesOf(many, put.to.Paths())
	if len(t.sizes) == 0 {
		return nil
	}
	level, next := l.letters[0].Buffer(l.s), l.letters[1].Buffer(l.s)
	steps, places := l.steps.Buffer(l.s), l.places.Buffer(l.s)
	if err := level.Upload(ctx, piece, nil); err != nil {
		return err
	}
	if err := steps.Write(t.steps); err != nil {
		return err
	}
	if err := places.Write(t.places); err != nil {
		return err
	}
	words := l.words.Buffer(l.s)
	halves := device.Reinterpret[uint32](words)
	for depth, n := range t.sizes {
		l.bits.Launch(groups((n+31)/32, l.shape.WG, l.shape.Items), int64(n)+int64(n)/8, level, uint64(n), uint32(depth),
			steps, halves)
		if depth+1 < len(t.sizes) {
			l.partition.Run(l.scratch.Workspace(l.s), n, l.partition.Loads()+1, l.ones.Buffer(l.s), level, uint32(depth),
				steps, places, next)
		}
		if err := put.level(ctx, depth, words.View(0, (n+63)/64)); err != nil {
			return err
		}
		level, next = next, level
	}
	return nil
}

// tables are what the kernels have of a piece.
type tables struct {
	sizes  []int    // letters of each level
	steps  []uint32 // of each level, the bits of letters
	places []uint64 // of each level, where a letter is in the next one, less the letters of the same bit before it
}

func tablesOf(many, paths *[letters]uint64) tables {
	// The order from left to right is that of paths with the first step in the highest bit.
	type leaf struct {
		letter, depth int
		path          uint64
	}
	var leaves []leaf
	deepest := 0
	for c, path := range paths {
		if depth := int(path >> sdsl.PathBits); many[c] > 0 && depth > 0 {
			of := leaf{letter: c, depth: depth}
			for step := range depth {
				of.path |= path >> step & 1 << (sdsl.PathBits - 1 - step)
			}
			leaves = append(leaves, of)
			deepest = max(deepest, depth)
		}
	}
	slices.SortFunc(leaves, func(a, b leaf) int { return cmp.Compare(a.path, b.path) })
	t := tables{sizes: make([]int, deepest), steps: make([]uint32, deepest*letters/32),
		places: make([]uint64, deepest*letters)}
	for level := range deepest {
		var before [2]uint64 // letters of the level that go left and right
		at := uint64(0)      // letters of the next level
		node := func(of leaf) uint64 { return of.path >> (sdsl.PathBits - 1 - level) }
		for i := 0; i < len(leaves); {
			if leaves[i].depth <= level {
				i++
				continue
			}
			// The leaves below a node of the next level, all of which have the same bit in this one.
			first := i
			bit := node(leaves[i]) & 1
			size, ends := uint64(0), false
			for ; i < len(leaves) && leaves[i].depth > level && node(leaves[i]) == node(leaves[first]); i++ {
				size += many[leaves[i].letter]
				ends = leaves[i].depth == level+1
			}
			for _, of := range leaves[first:i] {
				t.steps[(level*letters+of.letter)/32] |= uint32(bit) << (of.letter % 32)
				t.places[level*letters+of.letter] = at - before[bit]
				if ends {
					t.places[level*letters+of.letter] = nowhere
				}
			}
			before[bit] += size
			if !ends {
				at += size
			}
			t.sizes[level] += int(size)
		}
	}
	return t
}

// putter puts words that are downloaded where they belong, while others are downloaded.
type putter struct {
	to     *sdsl.Levels
	chunks [2][]uint64
	next   int
	done   chan struct{} // gets a value when the words before are put
}

func newPutter(to *sdsl.Levels, words int) *putter {
	p := &putter{to: to, chunks: [2][]uint64{make([]uint64, words), make([]uint64, words)}, done: make(chan struct{}, 1)}
	p.done <- struct{}{}
	return p
}

func (p *putter) piece(many *[letters]uint64) {
	<-p.done
	p.to.Piece(many)
	p.done <- struct{}{}
}

func (p *putter) level(ctx context.Context, level int, words *device.Buffer[uint64]) error {
	for from := 0; from < words.Len(); from += wordsAtOnce {
		chunk := p.chunks[p.next][:min(wordsAtOnce, words.Len()-from)]
		p.next = 1 - p.next
		if err := words.View(from, len(chunk)).Download(ctx, chunk, nil); err != nil {
			return err
		}
		<-p.done
		go func() {
			p.to.Put(level, 64*uint64(from), chunk)
			p.done <- struct{}{}
		}()
	}
	return nil
}

// end waits for the last words.
func (p *putter) end() { <-p.done }
