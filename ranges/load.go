package ranges

import (
	"cmp"
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/async"
	"github.com/suffixcl/suffixcl/internal/intmath"
)

// pieceOf is how many of n characters are copied to the device at a time: their codes are whole words.
func pieceOf(n int) int { return min(intmath.RoundUp(intmath.CeilDiv(n, 32), 64), 16<<20) }

// piecesAtOnce is how many pieces of the text are in page-locked memory.
const piecesAtOnce = 3

// loadBytes is the page-locked memory that loading the text takes, with the host's packing or without.
func (r *run[P]) loadBytes() int64 {
	bytes := piecesAtOnce * int64(min(pieceOf(r.n), r.n)+pinnedUnit)
	if r.hostText != nil && r.number == 0 {
		bytes = max(bytes, hostTextBytes(r.n, r.shape.width))
	}
	return bytes
}

// packedWords is the number of words of n characters, with the zeros after them.
func packedWords(n, width int) int { return intmath.CeilDiv(n*width, 64) + 2 }

// loadText has the text on the device, and memory to sort ranges.
func (r *run[P]) loadText(ctx context.Context) error {
	m, s := r.memory, r.session
	for _, l := range []*device.Layout{m.tables, m.coded, r.words[0], m.sorting} {
		if err := l.Allocate(s); err != nil {
			return err
		}
	}
	r.ws = m.ws.Workspace(s)
	if err := r.writeCover(); err != nil {
		return err
	}
	err := r.host.allocate(s, max(r.loadBytes(), r.blockBytes()))
	if err != nil {
		return err
	}
	return r.load(ctx)
}

// load has the text on the device, packed there or by the host.
func (r *run[P]) load(ctx context.Context) error {
	m, s := r.memory, r.session
	if r.hostText != nil {
		err := r.loadPacked(ctx)
		r.hostText = nil // once more, this device packs the text
		return err
	}
	return r.text.byCode(r.shape.width, func(c *code) (bool, error) {
		if err := m.table.Buffer(s).Write(c.table[:]); err != nil {
			return false, err
		}
		if err := m.letters.Buffer(s).Write(c.letters[:]); err != nil {
			return false, err
		}
		strange, err := r.pack(ctx)
		return strange > 0, err
	})
}

// pack packs the text piece by piece, and returns how many of its characters have no code. While one piece is packed,
// the next is copied to the device, and those after it to page-locked memory.
func (r *run[P]) pack(ctx context.Context) (strange int, err error) {
	host, length := r.host.all(), min(pieceOf(r.n), r.n)
	free, filled := make(chan []byte, piecesAtOnce), make(chan piece)
	for range piecesAtOnce {
		free <- take[byte](host, length)
	}
	p := packing[P]{run: r, strange: r.counter(), free: free}
	ending, stop := context.WithCancel(ctx)
	defer stop()
	var sum uint64
	group, working := errgroup.WithContext(ending)
	group.Go(func() (err error) {
		defer close(filled)
		sum, err = r.text.pieces(working, free, filled)
		return err
	})
	if err = p.all(working, filled); err != nil {
		stop()
	}
	if failed := group.Wait(); err == nil {
		err = failed
	}
	if err != nil {
		return 0, err
	}
	if strange, err = r.count(p.strange); err != nil {
		return 0, err
	}
	return strange, r.text.same(sum)
}

// packing is the text on its way to the device.
type packing[P uint32 | uint64] struct {
	*run[P]
	strange int // number of the counter of characters that have no code
	free    chan<- []byte

	uploads [2]upload // pieces, by turns
	turn    int
}

// upload is a piece on its way.
type upload struct {
	piece
	copy async.Transfer
}

// all takes all pieces.
func (p *packing[P]) all(ctx context.Context, filled <-chan piece) error {
	defer func() { // before memory is released
		for _, u := range p.uploads {
			if u.copy != nil {
				u.copy.Wait()
			}
		}
	}()
	for more := true; more; {
		var next piece
		select {
		case next, more = <-filled:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if err := p.take(ctx, next, more); err != nil {
			return err
		}
	}
	return cmp.Or(p.session.Finish(), p.session.Check(ctx))
}

// take has a piece copied to the device, and the one before packed. !ok: none is left.
func (p *packing[P]) take(ctx context.Context, next piece, ok bool) error {
	s := p.session
	if err := cmp.Or(s.Check(ctx), s.Finish()); err != nil { // what was in this piece's place is packed
		return err
	}
	if ok {
		p.uploads[p.turn] = upload{next, async.StartUpload(p.memory.pieces[p.turn].Buffer(s), next.host)}
	}
	p.turn = 1 - p.turn
	return p.pack(&p.uploads[p.turn])
}

// pack packs a piece that is copied to the device, if there is one.
func (p *packing[P]) pack(u *upload) error {
	s, k, m := p.session, &p.kernels, p.memory
	if u.copy == nil {
		return nil
	}
	err := u.copy.Wait()
	if u.copy = nil; err != nil {
		return err
	}
	at, end := u.from/64*p.shape.width, packedWords(p.n, p.shape.width)
	if to := u.from + len(u.host); to < p.n {
		end = to / 64 * p.shape.width
	}
	k.pack.Launch(k.tiles(end-at), int64(len(u.host))+8*int64(end-at), m.pieces[p.turn].Buffer(s), uint64(len(u.host)),
		m.table.Buffer(s), uint32(p.shape.width), uint64(at), uint64(end-at), m.packed.Buffer(s), m.counts.Buffer(s),
		uint32(p.strange))
	p.free <- u.host[:cap(u.host)]
	return nil
}
