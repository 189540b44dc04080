package rlbwt

import (
	"context"
	"io"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Those of kernels/rlbwt_fmd.cl.
const (
	fileRuns  = 95 // of a block of the file, at most
	exitWays  = 2 * fileRuns
	exitBits  = 7
	exitWide  = 1 << exitBits
	exitCount = exitBits + 1
	noExit    = 1<<32 - 1
)

// File is the .fmd of an index, which must stay as it is.
//
// The index is gone through twice, a chunk of its blocks at a time. Its blocks become maximal runs, of which the last
// ones are left to the next chunk. Where blocks of the file begin depends on those before. So the runs are cut into
// segments, and the device finds for each way to enter a segment how the next one is entered then. The host goes from
// segment to segment. It cuts some of them by itself: those with the last block of a superblock, whose last word is not
// used, with counts of 64 bits, and the last runs of all. When the size of the file is known, the device writes blocks.
type File struct {
	Runs  uint64 // maximal ones
	Bytes int64

	s      *device.Session
	x      *Index
	chunks []chunk
	words  uint64
	held   chunkRuns
	loaded int // the chunk whose runs and cuts are on the device, or -1
}

// chunk is what is known of some blocks of an index.
type chunk struct {
	entries [][2]uint32 // of segments: the way in, or noExit; how many blocks of the chunk are before it
	byHand  []byHand
	blocks  int // of the file
	end     int // the first run that is left to the next chunk
}

// byHand are blocks that the host has found.
type byHand struct {
	at     int
	firsts []uint32
}

// chunkRuns are the runs of a chunk on the device.
type chunkRuns struct {
	heads         *device.Buffer[uint32]
	counts        counter
	runs, carried *device.Buffer[uint64]
	cuts          *device.Buffer[uint16]
	exits         *device.Buffer[uint32]
	left          int // of the chunk before
	n             int // runs whose ends are known, too
}

func (h *chunkRuns) release() {
	h.heads.Release()
	h.counts.release()
	h.runs.Release()
	h.carried.Release()
	h.cuts.Release()
	h.exits.Release()
}

// FileBytes is the device memory of making a file of an index of so many runs, beside the index: 14 bytes a run as a
// rule, at most 1.1 KiB for each of the blocks of a chunk.
func FileBytes(s *device.Session, runs int64) int64 {
	k := tuned.Of(s).RLBWT
	return 14 * (min(runs, int64(k.FileBlocks)*mostSlots) + 2*int64(k.Segment))
}

// File finds the blocks of the file. It must be released. Memory of the host: 8 bytes for thousands of runs. Errors: a
// transform that the format has no room for, the context's, the device's.
func (x *Index) File(ctx context.Context) (*File, error) {
	f := &File{s: x.s, x: x, held: chunkRuns{counts: counter{s: x.s}}, loaded: -1}
	err := f.held.allocate(x.s, x.k.Segment)
	if err == nil {
		err = f.plan(ctx)
	}
	if err != nil {
		f.Release()
		return nil, err
	}
	return f, nil
}

// allocate takes the memory whose size is known.
func (h *chunkRuns) allocate(s *device.Session, segment int) (err error) {
	if h.heads, err = device.Alloc[uint32](s, 0); err != nil {
		return err
	}
	if h.runs, err = device.Alloc[uint64](s, 0); err != nil {
		return err
	}
	if h.cuts, err = device.Alloc[uint16](s, 0); err != nil {
		return err
	}
	if h.exits, err = device.Alloc[uint32](s, 0); err != nil {
		return err
	}
	h.carried, err = device.Alloc[uint64](s, segment+fileRuns+1)
	return err
}

// Release frees the memory.
func (f *File) Release() { f.held.release() }

// spans is how many chunks the index has.
func (f *File) spans() int { return max(intmath.CeilDiv(f.x.nblocks, f.x.k.FileBlocks), 1) }

// segments are those whose blocks depend on known runs alone.
func (f *File) segments() int { return max(f.held.n-fileRuns, 0) / f.x.k.Segment }

// load makes the runs of a chunk, after those that are left of the one before, and cuts them.
func (f *File) load(i int) (err error) {
	if f.loaded == i {
		return nil
	}
	x, k, h := f.x, f.x.k, &f.held
	from := i * k.FileBlocks
	n := min(x.nblocks-from, k.FileBlocks)
	last := i+1 == f.spans()
	f.loaded = -1
	if i == 0 {
		h.left = 0
	}
	if h.heads, err = grown(f.s, h.heads, n+1); err != nil {
		return err
	}
	f.s.Phase("runs")
	made := 0
	if n > 0 {
		made, err = h.counts.total(n, func(counts *device.Buffer[uint32]) {
			k.heads.Launch(k.tiles(n+1), 68*int64(n), x.blocks, uint64(from), uint64(n), h.heads)
			k.headsCount.Launch(k.tiles(n+1), 8*int64(n), h.heads, uint64(n), counts)
		})
		if err != nil {
			return err
		}
	}
	all := h.left + made
	if h.runs, err = grown(f.s, h.runs, all+1); err != nil {
		return err
	}
	if h.left > 0 {
		device.Copy(h.runs, h.carried, h.left)
	}
	if n > 0 {
		k.runs.Launch(k.tiles(n), 72*int64(n)+8*int64(made), x.blocks, x.supers, uint64(from), uint64(n), h.heads,
			h.counts.first, uint64(h.left), h.runs)
	}
	if h.n = all - 1; last { // where the last run ends is known
		h.n = all
		if err := h.runs.View(all, 1).Write([]uint64{x.rows << 3}); err != nil {
			return err
		}
	}
	if segments := f.segments(); segments > 0 {
		if h.cuts, err = grown(f.s, h.cuts, segments*k.Segment); err != nil {
			return err
		}
		if h.exits, err = grown(f.s, h.exits, segments*exitWays); err != nil {
			return err
		}
		f.s.Phase("cutting")
		k.cut.Launch(segments, int64(segments)*int64(10*k.Segment+4*exitWays), h.runs, h.cuts, h.exits)
	}
	f.loaded = i
	return f.s.Err()
}

// carry keeps what a chunk leaves.
func (f *File) carry(end int) {
	h := &f.held
	if h.left = h.n + 1 - end; f.loaded+1 < f.spans() {
		device.Copy(h.carried, h.runs.View(end, h.left), h.left)
	}
}

// plan finds where all blocks begin.
func (f *File) plan(ctx context.Context) error {
	p := planned{f: f, segment: f.x.k.Segment}
	for i := range f.spans() {
		if err := f.s.Check(ctx); err != nil {
			return err
		}
		if err := f.load(i); err != nil {
			return err
		}
		c, err := p.chunk(ctx, i+1 == f.spans())
		if err != nil {
			return err
		}
		f.Runs += uint64(c.end)
		f.chunks = append(f.chunks, c)
		f.carry(c.end)
	}
	var err error
	if f.words, err = fmd.Words(p.blocks, p.kind); err != nil {
		return err
	}
	f.Bytes = fmd.FileBytes(f.x.rows, f.words)
	return nil
}

// planned is how far a plan is.
type planned struct {
	f       *File
	segment int
	exits   []uint32
	blocks  uint64 // of the file
	kind    int    // of the counts that the next one begins with
}

// chunk goes through the segments of the chunk that is loaded.
func (p *planned) chunk(ctx context.Context, last bool) (c chunk, err error) {
	segments := p.f.segments()
	p.exits = slices.Grow(p.exits[:0], segments*exitWays)[:segments*exitWays]
	if segments > 0 {
		if err := p.f.held.exits.View(0, len(p.exits)).Download(ctx, p.exits, nil); err != nil {
			return c, err
		}
	}
	c.entries = make([][2]uint32, segments)
	offset := 0 // of the next block, after the first run of the segment
	for s := range segments {
		exit := uint32(noExit)
		if p.kind < 2 {
			exit = p.exits[s*exitWays+2*offset+p.kind]
		}
		count := exit >> exitCount
		if exit == noExit || fmd.EndsSuperblock(p.blocks, uint64(count)) {
			c.entries[s] = [2]uint32{noExit, 0}
			begin := s * p.segment
			if offset, err = p.cut(&c, begin+offset, begin+p.segment, begin+p.segment+fileRuns); err != nil {
				return c, err
			}
			offset -= begin + p.segment
			continue
		}
		c.entries[s] = [2]uint32{uint32(offset | p.kind<<exitBits), uint32(c.blocks)}
		offset, p.kind = int(exit&(exitWide-1)), int(exit>>exitBits&1)
		c.blocks += int(count)
		p.blocks += uint64(count)
	}
	if c.end = segments*p.segment + offset; last {
		c.end, err = p.cut(&c, c.end, p.f.held.n, p.f.held.n)
	}
	return c, err
}

// cut finds the blocks that begin at a run and at those after it, before a bound. Runs before another bound are known.
// It returns where the next block begins.
func (p *planned) cut(c *chunk, from, to, known int) (next int, err error) {
	runs := make([]uint64, known+1-from)
	if err := p.f.held.runs.View(from, len(runs)).Read(runs); err != nil {
		return 0, err
	}
	cutter, err := fmd.NewCutter(p.blocks, p.kind)
	if err != nil {
		return 0, err
	}
	found := byHand{at: c.blocks, firsts: []uint32{uint32(from)}}
	next = known
	for i, run := range runs[:known-from] {
		r := fmd.Run{Letter: byte(run & 7), Len: runs[i+1]>>3 - run>>3}
		begins, err := cutter.Add(r)
		if err != nil {
			return 0, err
		}
		if begins && from+i >= to {
			next = from + i
			p.kind = cutter.Kind()
			break
		}
		if begins {
			found.firsts = append(found.firsts, uint32(from+i))
		}
	}
	if next == known {
		p.kind = cutter.Next()
	}
	c.byHand = append(c.byHand, found)
	c.blocks += len(found.firsts)
	p.blocks += uint64(len(found.firsts))
	return next, nil
}

// WriteTo writes the file. The device makes the blocks of a chunk while those before are written. Memory of the host:
// the blocks of two chunks, and 56 bytes for 8 to 16 blocks of the file. Errors: those of w, the context's, the
// device's.
func (f *File) WriteTo(ctx context.Context, w io.Writer) (written int64, err error) {
	type part struct {
		words []uint64
		err   error
	}
	made, free, stop := make(chan part), make(chan []uint64, 2), make(chan struct{})
	free <- nil
	free <- nil
	go func() {
		defer close(made)
		p := printer{f: f, left: f.words}
		defer p.release()
		for i, next := 0, (part{err: p.allocate()}); i < len(f.chunks); i++ {
			select {
			case words := <-free:
				if next.err == nil {
					next.words, next.err = p.chunk(ctx, i, words)
				}
			case <-stop:
				return
			}
			select {
			case made <- next:
			case <-stop:
				return
			}
		}
	}()
	defer func() {
		close(stop)
		for range made { // until the device is not used any more
		}
	}()
	out := fmd.NewWriter(w, f.x.counts, f.words)
	for next := range made {
		if err = next.err; err == nil {
			err = out.Blocks(next.words)
		}
		if err != nil {
			return out.Written, err
		}
		free <- next.words
	}
	err = out.Frames()
	return out.Written, err
}

// printer makes the blocks of chunks.
type printer struct {
	f       *File
	entries *device.Buffer[[2]uint32]
	firsts  *device.Buffer[uint32]
	words   *device.Buffer[uint64]
	left    uint64 // words of the file
}

func (p *printer) release() {
	p.entries.Release()
	p.firsts.Release()
	p.words.Release()
}

func (p *printer) allocate() (err error) {
	segments, blocks := 0, 0
	for _, c := range p.f.chunks {
		segments, blocks = max(segments, len(c.entries)), max(blocks, c.blocks)
	}
	if p.entries, err = device.Alloc[[2]uint32](p.f.s, segments); err != nil {
		return err
	}
	if p.firsts, err = device.Alloc[uint32](p.f.s, blocks+1); err != nil {
		return err
	}
	if p.words, err = device.Alloc[uint64](p.f.s, (blocks+1)*fmd.BlockWords); err != nil {
		return err
	}
	return p.words.View(0, fmd.BlockWords).Write(make([]uint64, fmd.BlockWords)) // counts before all blocks
}

// chunk is the blocks of a chunk, and in the last one the counts after them, in the memory of others.
func (p *printer) chunk(ctx context.Context, i int, words []uint64) ([]uint64, error) {
	f, c := p.f, p.f.chunks[i]
	if err := f.s.Check(ctx); err != nil {
		return nil, err
	}
	if err := f.load(i); err != nil {
		return nil, err
	}
	n := uint64(c.blocks * fmd.BlockWords)
	if i+1 == len(f.chunks) {
		n = p.left
	}
	p.left -= n
	words = slices.Grow(words[:0], int(n))[:n]
	if n > 0 {
		if err := p.print(ctx, c, words); err != nil {
			return nil, err
		}
	}
	f.carry(c.end)
	return words, f.s.Err()
}

// print makes the blocks of the chunk that is loaded.
func (p *printer) print(ctx context.Context, c chunk, words []uint64) error {
	k, h, n := p.f.x.k, &p.f.held, c.blocks
	if segments := len(c.entries); segments > 0 {
		if err := p.entries.View(0, segments).Write(c.entries); err != nil {
			return err
		}
		p.f.s.Phase("cutting")
		k.firsts.Launch(k.each(segments), 8*int64(segments)+36*int64(n), h.cuts, p.entries, uint64(segments), p.firsts)
	}
	for _, hand := range append(c.byHand, byHand{n, []uint32{uint32(c.end)}}) {
		if err := p.firsts.View(hand.at, len(hand.firsts)).Write(hand.firsts); err != nil {
			return err
		}
	}
	p.f.s.Phase("encoding")
	k.fmdBlocks.Launch(k.tiles(n), 8*int64(c.end)+68*int64(n), h.runs, p.firsts, uint64(n), p.words)
	if err := p.words.View(0, len(words)).Download(ctx, words, nil); err != nil {
		return err
	}
	device.Copy(p.words, p.words.View(n*fmd.BlockWords, fmd.BlockWords), fmd.BlockWords)
	return nil
}
