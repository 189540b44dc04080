package ranges

import (
	"cmp"
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/async"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// pieceOf is how many of n characters are copied to the device at a time: their codes are whole words.
func pieceOf(n int) int { return min(intmath.RoundUp(intmath.CeilDiv(n, 32), 64), 16<<20) }

// piecesAtOnce is how many pieces of the text are in page-locked memory.
const piecesAtOnce = 3

// loadBytes is the page-locked memory that loading the text takes.
func (r *run[P]) loadBytes() int64 {
	bytes := piecesAtOnce * int64(min(pieceOf(r.n), r.n)+pinnedUnit)
	if r.together != nil && r.together.devices > 1 {
		bytes += 2 * parcelsAtOnce * int64(8*packedWords(pieceOf(r.n), r.shape.width)+pinnedUnit)
	}
	return bytes
}

// packedWords is the number of words of n characters, with the zeros after them.
func packedWords(n, width int) int { return intmath.CeilDiv(n*width, 64) + 2 }

// loadText has the text on the device, and memory to sort ranges.
func (r *run[P]) loadText(ctx context.Context) error {
	m, s := r.memory, r.session
	for _, l := range []*device.Layout{m.coded, m.words[0], m.sorting} {
		if err := l.Allocate(s); err != nil {
			return err
		}
	}
	r.ws = m.ws.Workspace(s)
	blocks := blocksAtOnce * (entryBytes[P](r.options)*int64(r.blockLen()+1) + 3*pinnedUnit)
	err := r.host.allocate(s, max(r.loadBytes(), blocks))
	if err == nil {
		err = r.load(ctx)
	}
	r.together = nil // from now on each device loads the text for itself
	return err
}

// load packs the text on the device. Where a guessed code turns out to lack characters, the whole text tells, and is
// packed once more.
func (r *run[P]) load(ctx context.Context) error {
	m, s := r.memory, r.session
	if err := m.cover.Buffer(s).Write(r.cover.table()); err != nil {
		return err
	}
	together, number := r.together, r.number
	if together == nil {
		together, number = newTogether(1), 0
	}
	for attempt := 0; ; attempt++ {
		code, guessed := r.text.coded()
		if err := m.table.Buffer(s).Write(code.table[:]); err != nil {
			return err
		}
		if err := m.letters.Buffer(s).Write(code.letters[:]); err != nil {
			return err
		}
		strange, err := r.pack(ctx, together.round(attempt), number)
		switch {
		case err != nil || strange == 0:
			return err
		case !guessed:
			return ErrTextChanged
		}
		r.text.know()
		if code, _ := r.text.coded(); code.width > r.shape.width {
			return ErrGuess
		}
	}
}

// pack packs the text piece by piece, together with the other devices, and returns how many of its characters have no
// code. While one piece is packed, the next is copied to the device, and those after it to page-locked memory.
func (r *run[P]) pack(ctx context.Context, round *round, number int) (strange int, err error) {
	host, length := r.host.all(), min(pieceOf(r.n), r.n)
	free, filled := make(chan []byte, piecesAtOnce), make(chan piece)
	for range piecesAtOnce {
		free <- take[byte](host, length)
	}
	p := packing[P]{run: r, inbox: round.boxes[number], strange: r.counter(), free: free}
	if len(round.boxes) > 1 {
		most := packedWords(pieceOf(r.n), r.shape.width)
		if p.courier, err = r.openCourier(host, intmath.CeilDiv(r.n, length), most); err != nil {
			return 0, err
		}
		defer p.courier.reader.Close()
		for k := range p.in {
			p.in[k] = take[uint64](host, most)
		}
	}
	ending, stop := context.WithCancel(ctx)
	defer stop()
	var sum uint64
	group, working := errgroup.WithContext(ending)
	group.Go(func() (err error) {
		defer close(filled)
		sum, err = r.text.pieces(working, round.take, free, filled)
		return err
	})
	if packed := r.memory.packed.Buffer(r.session); p.courier != nil {
		group.Go(func() error { return p.courier.send(working, packed, round, number) })
	}
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
	return round.agree(ctx, r.text, strange, sum)
}

// packing is the text on its way to the device.
type packing[P uint32 | uint64] struct {
	*run[P]
	inbox   <-chan parcel // of other devices
	courier *courier      // to them, or nil
	strange int           // number of the counter of characters that have no code
	free    chan<- []byte

	uploads [2]upload // pieces, by turns
	turn    int
	packed  []words // which are to be passed on when the device has finished
	done    int     // words that are packed here, or came from other devices

	parcels int                     // that came
	in      [parcelsAtOnce][]uint64 // page-locked memory for them, by turns
	came    [parcelsAtOnce]async.Transfer
}

// upload is a piece on its way.
type upload struct {
	piece
	copy async.Transfer
}

// wordsOf are those of a piece.
func (p *packing[P]) wordsOf(of piece) words {
	at, end := of.from/64*p.shape.width, packedWords(p.n, p.shape.width)
	if to := of.from + len(of.host); to < p.n {
		end = to / 64 * p.shape.width
	}
	return words{at, end - at}
}

// all takes all pieces, and what other devices have packed.
func (p *packing[P]) all(ctx context.Context, filled <-chan piece) error {
	defer func() { // before memory is released
		for _, copy := range append(p.came[:], p.uploads[0].copy, p.uploads[1].copy) {
			if copy != nil {
				copy.Wait()
			}
		}
	}()
	for filled != nil || p.done < packedWords(p.n, p.shape.width) {
		select {
		case next, ok := <-filled:
			if err := p.take(ctx, next, ok); err != nil {
				return err
			}
			if !ok {
				filled = nil
			}
		case from := <-p.inbox:
			if err := p.receive(from); err != nil {
				return err
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	for _, copy := range p.came {
		if copy != nil {
			if err := copy.Wait(); err != nil {
				return err
			}
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
	p.passOn()
	if ok {
		p.uploads[p.turn] = upload{next, async.StartUpload(p.memory.pieces[p.turn].Buffer(s), next.host)}
	}
	p.turn = 1 - p.turn
	if err := p.pack(&p.uploads[p.turn]); err != nil || ok {
		return err
	}
	if err := s.Finish(); err != nil {
		return err
	}
	p.passOn()
	if p.courier != nil {
		close(p.courier.orders)
	}
	return nil
}

// passOn orders that what is packed goes to the other devices.
func (p *packing[P]) passOn() {
	if p.courier != nil {
		for _, w := range p.packed {
			p.courier.orders <- w
		}
	}
	p.packed = p.packed[:0]
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
	w := p.wordsOf(u.piece)
	k.pack.Launch(k.tiles(w.n), int64(len(u.host))+8*int64(w.n), m.pieces[p.turn].Buffer(s), uint64(len(u.host)),
		m.table.Buffer(s), uint32(p.shape.width), uint64(w.at), uint64(w.n), m.packed.Buffer(s), m.counts.Buffer(s),
		uint32(p.strange))
	p.packed = append(p.packed, w)
	p.done += w.n
	p.free <- u.host[:cap(u.host)]
	return nil
}

// receive copies what another device has packed to page-locked memory of this one, and from there to the device.
func (p *packing[P]) receive(from parcel) error {
	defer from.read.Done()
	turn := p.parcels % len(p.in)
	p.parcels++
	if before := p.came[turn]; before != nil {
		if err := before.Wait(); err != nil {
			return err
		}
	}
	host := p.in[turn][:from.n]
	parallel.Copy(host, from.host)
	p.came[turn] = async.StartUpload(p.memory.packed.Buffer(p.session).View(from.at, from.n), host)
	p.done += from.n
	return nil
}
