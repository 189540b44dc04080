package bsdiff

import (
	"context"
	"encoding/binary"
	"io"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bzip2"
	"github.com/suffixcl/suffixcl/internal/limits"
)

// Options of Diff.
type Options struct {
	// Progress is told how many bytes of the new file are done; may be nil.
	Progress func(done, total int64)
}

// Plan returns the memory of Diff but for the patch. Errors as suffixcl.Engine.Arrays.
func Plan(ctx context.Context, e *suffixcl.Engine, oldBytes, newBytes int64) (device.MemoryPlan, error) {
	if err := limits.CheckLen("old file", int(oldBytes), suffixcl.MaxLen); err != nil {
		return nil, err
	}
	plan, err := e.Arrays(suffixcl.Length(1, int(oldBytes)), suffixcl.Want{SA: true}).Plan(ctx)
	if err != nil {
		return nil, err
	}
	blocks, err := e.Stream(bzip2.MaxBlock, nil, suffixcl.Want{SA: true}).Plan(ctx)
	if err != nil {
		return nil, err
	}
	for _, phase := range blocks {
		phase.Phase = "matching, " + phase.Phase
		phase.Host += 5*oldBytes + newBytes + 2*blocksAhead*int64(runtime.GOMAXPROCS(0))*blockBytes
		plan = append(plan, phase)
	}
	return plan, nil
}

// Diff writes a patch that makes the new file of the old one. Host memory: 5 bytes a byte of the old file, the new one,
// the patch, and 20 MB for each processor. Errors: those of the engine and of writing.
func Diff(ctx context.Context, e *suffixcl.Engine, old, new []byte, patch io.Writer, o Options) error {
	sa, err := e.SuffixArray(ctx, old)
	if err != nil {
		return err
	}
	return write(ctx, e, &matcher{old: old, new: new, sa: sa}, patch, o)
}

// magic begins a patch.
const magic = "BSDIFF40"

// headerBytes is the length of the header: the magic, and three numbers: bytes of the first stream, of the second, and
// of the new file.
const headerBytes = 32

// appendNumber appends a number of 64 bits, sign and magnitude.
func appendNumber(b []byte, v int64) []byte {
	if v < 0 {
		return binary.LittleEndian.AppendUint64(b, uint64(-v)|1<<63)
	}
	return binary.LittleEndian.AppendUint64(b, uint64(v))
}

// number reads a number that appendNumber has appended.
func number(b []byte) int64 {
	v := binary.LittleEndian.Uint64(b)
	if v>>63 > 0 {
		return -int64(v &^ (1 << 63))
	}
	return int64(v)
}

// part is a block of one of the streams.
type part struct {
	stream int
	block  *bzip2.Block
	rooted chan struct{} // closed when its root is made
}

// packed is a block that is coded, or will be.
type packed struct {
	stream int
	bits   chan *bzip2.Bits
}

// blocksAhead is how many blocks are made before they are sorted, and how many are coded after it, for each processor.
const blocksAhead = 2

// blockBytes is the memory of a block: text and root, its last column and symbols.
const blockBytes = 5 * bzip2.MaxBlock

// packing compresses the three streams: lengths, differences, new bytes. It sorts their blocks on the device, and does
// the rest on all processors.
type packing struct {
	parts     chan part
	splitters [3]*bzip2.Splitter
	sorting   []part   // being sorted, in order
	coding    []packed // in order
	streams   [3]bzip2.Stream
}

func newPacking(ctx context.Context) *packing {
	p := &packing{parts: make(chan part, blocksAhead*runtime.GOMAXPROCS(0))}
	for i := range p.splitters {
		p.splitters[i] = bzip2.NewSplitter(func(b *bzip2.Block) error {
			one := part{i, b, make(chan struct{})}
			select {
			case p.parts <- one:
				go func() {
					b.Root()
					close(one.rooted)
				}()
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		})
	}
	return p
}

// close ends the streams.
func (p *packing) close() error {
	defer close(p.parts)
	for _, s := range p.splitters {
		if err := s.Close(); err != nil {
			return err
		}
	}
	return nil
}

// sort sorts the blocks as they come, until close.
func (p *packing) sort(ctx context.Context, e *suffixcl.Engine) error {
	next := func(text []byte) (int, error) {
		select {
		case part, more := <-p.parts:
			if !more {
				return 0, io.EOF
			}
			p.sorting = append(p.sorting, part)
			<-part.rooted
			return copy(text, part.block.Root()), nil
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		}
	}
	for block, err := range e.Stream(bzip2.MaxBlock, next, suffixcl.Want{SA: true}).Each(ctx) {
		if err != nil {
			return err
		}
		done := p.sorting[0]
		p.sorting = p.sorting[1:]
		column := done.block.LastColumn(block.SA)
		coded := packed{done.stream, make(chan *bzip2.Bits, 1)}
		go func() { coded.bits <- column.Encode() }()
		p.coding = append(p.coding, coded)
		p.collect(blocksAhead * runtime.GOMAXPROCS(0))
	}
	p.collect(0)
	return nil
}

// collect appends coded blocks to their streams, until only so many are left.
func (p *packing) collect(left int) {
	for ; len(p.coding) > left; p.coding = p.coding[1:] {
		p.streams[p.coding[0].stream].Add(<-p.coding[0].bits)
	}
}

// write writes the patch.
func write(ctx context.Context, e *suffixcl.Engine, m *matcher, patch io.Writer, o Options) error {
	group, inner := errgroup.WithContext(ctx)
	p := newPacking(inner)
	group.Go(func() error { return p.sort(inner, e) })
	group.Go(func() error {
		err := m.each(func(s segment) error {
			if inner.Err() != nil {
				return context.Cause(inner)
			}
			if o.Progress != nil {
				o.Progress(int64(s.new+s.same+s.fresh), int64(len(m.new)))
			}
			return s.send(m, p)
		})
		if err != nil {
			return err // which ends the sorting, too
		}
		return p.close()
	})
	if err := group.Wait(); err != nil {
		return err
	}
	var packed [3][]byte
	for i := range packed {
		packed[i] = p.streams[i].Close()
	}
	header := append(make([]byte, 0, headerBytes), magic...)
	for _, v := range []int{len(packed[0]), len(packed[1]), len(m.new)} {
		header = appendNumber(header, int64(v))
	}
	for _, b := range append([][]byte{header}, packed[:]...) {
		if _, err := patch.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// segment is a stretch of the new file that is in the old one but for differences, and the fresh bytes after it.
type segment struct {
	old, new int // places
	same     int // bytes, a few of them different
	fresh    int // bytes after them
	next     int // place in the old file where the next segment begins
}

// send hands a segment to the streams. Equal bytes, as most are, are counted.
func (s segment) send(m *matcher, p *packing) error {
	lengths := appendNumber(nil, int64(s.same))
	lengths = appendNumber(lengths, int64(s.fresh))
	lengths = appendNumber(lengths, int64(s.next-(s.old+s.same)))
	if err := p.splitters[0].Write(lengths); err != nil {
		return err
	}
	old, fresh := m.old[s.old:s.old+s.same], m.new[s.new:s.new+s.same]
	var one [1]byte
	for at := 0; at < s.same; at++ {
		equal := common(old[at:], fresh[at:])
		if err := p.splitters[1].Repeat(0, equal); err != nil {
			return err
		}
		if at += equal; at == s.same {
			break
		}
		one[0] = fresh[at] - old[at]
		if err := p.splitters[1].Write(one[:]); err != nil {
			return err
		}
	}
	from := s.new + s.same
	return p.splitters[2].Write(m.new[from : from+s.fresh])
}

// matcher finds segments.
type matcher struct {
	old, new []byte
	sa       []uint32
	ahead    ahead
}

// search finds the longest match of the new file from a place on: its place in the old file, and its length. Of
// matches of equal length it takes that of the least suffix.
func (m *matcher) search(place int) (at, length int) {
	pattern := m.new[place:]
	lo, hi := 0, len(m.sa) // the pattern is after all suffixes before lo, and not after those from hi on
	below, above := 0, 0   // bytes in common with the suffixes before lo and at hi
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		shared := min(below, above)
		suffix := m.old[m.sa[mid]:]
		shared += common(suffix[shared:], pattern[shared:])
		if shared < len(pattern) && (shared == len(suffix) || suffix[shared] < pattern[shared]) {
			lo, below = mid+1, shared
		} else {
			hi, above = mid, shared
		}
	}
	switch {
	case below > above:
		return int(m.sa[lo-1]), below
	case above > 0:
		return int(m.sa[hi]), above
	}
	return 0, 0
}

// edge is how much more a match must have than the bytes that agree at the old distance anyway.
const edge = 8

// each calls yield for all segments, in order.
func (m *matcher) each(yield func(segment) error) error {
	old, fresh := m.old, m.new
	agree := func(distance, from, to int) int {
		from, to = max(from, -distance), min(to, len(old)-distance)
		if from >= to {
			return 0
		}
		return agreeing(fresh[from:to], old[from+distance:to+distance])
	}
	current := segment{} // where it begins is known
	distance := 0        // of the segment: place in the old file less that in the new
	place, length, at := 0, 0, 0
	for place < len(fresh) {
		place += length
		// The bytes of the match that agree at the distance of the segment, too.
		score, scored := 0, place
		for ; place < len(fresh); place++ {
			at, length = m.longest(place)
			if end := place + length; scored < end {
				score += agree(distance, scored, end)
				scored = end
			}
			if length == score && length != 0 || length > score+edge {
				break
			}
			score -= agree(distance, place, place+1)
		}
		if length == score && place < len(fresh) {
			continue // the segment goes on
		}
		forward := m.forward(current, place)
		back := 0
		if place < len(fresh) {
			back = m.back(current, place, at)
		}
		if overlap := current.new + forward - (place - back); overlap > 0 {
			cut := m.cut(current, forward, place-back, at-back, overlap)
			forward += cut - overlap
			back -= cut
		}
		current.same, current.fresh = forward, place-back-(current.new+forward)
		current.next = at - back
		if place == len(fresh) {
			current.next = current.old + forward
		}
		if err := yield(current); err != nil {
			return err
		}
		current = segment{old: at - back, new: place - back}
		distance = at - place
	}
	return nil
}

// forward is how far a segment goes on, up to a place of the new file.
func (m *matcher) forward(s segment, place int) int {
	n := max(min(place-s.new, len(m.old)-s.old), 0)
	return bestBeginning(m.new[s.new:s.new+n], m.old[s.old:s.old+n])
}

// back is how far a match at a place begins before that place, in bytes that the segment does not have.
func (m *matcher) back(s segment, place, at int) int {
	n := min(place-s.new, at)
	return bestEnd(m.new[place-n:place], m.old[at-n:at])
}

// cut divides bytes that a segment and the next one both have: it is the number of bytes that the first segment gets.
func (m *matcher) cut(s segment, forward, place, at, overlap int) int {
	score, best, length := 0, 0, 0
	from := forward - overlap
	for i := range overlap {
		if m.new[s.new+from+i] == m.old[s.old+from+i] {
			score++
		}
		if m.new[place+i] == m.old[at+i] {
			score--
		}
		if score > best {
			best, length = score, i+1
		}
	}
	return length
}
