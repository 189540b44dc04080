package ranges

import (
	"cmp"
	"context"

	"github.com/suffixcl/suffixcl/internal/async"
)

// receiver copies the pieces for one device.
type receiver interface {
	begin(c *code) error // a pass
	take(p parcel) error
	end() (strange bool, err error) // when all of a pass is copied
	abandon()                       // waits for pieces on their way
}

// receive copies the text to the device, and packs it there unless the host does. The first device returns when all
// have copied all: it goes on in the memory of the slots.
func (r *run[P]) receive(ctx context.Context, d *delivery, device int) error {
	var to receiver = &packing[P]{run: r, delivery: d}
	if d.packed {
		to = &uploading[P]{run: r, delivery: d}
	}
	defer to.abandon() // before memory is released
	for {
		var next parcel
		select {
		case next = <-d.boxes[device]:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		var err error
		switch {
		case next.code != nil:
			err = to.begin(next.code)
		case next.slot != nil:
			err = to.take(next)
		default:
			var strange bool
			strange, err = to.end()
			if err == nil && next.ends && device == 0 {
				d.strange <- strange
			}
			if err == nil && !next.ends {
				if device == 0 {
					err = d.settle(ctx)
				}
				return cmp.Or(err, r.session.Check(ctx))
			}
		}
		if err != nil {
			return err
		}
	}
}

// uploading copies pieces that the host has packed.
type uploading[P uint32 | uint64] struct {
	*run[P]
	delivery *delivery
	flights  []textFlight
}

// textFlight is a piece on its way.
type textFlight struct {
	parcel
	copy async.Transfer
}

func (u *uploading[P]) begin(c *code) error {
	return u.memory.letters.Buffer(u.session).Write(c.letters[:])
}

func (u *uploading[P]) take(p parcel) error {
	words := p.slot.words[:p.size]
	to := u.memory.packed.Buffer(u.session).View(p.at, p.size)
	u.flights = append(u.flights, textFlight{p, async.StartUpload(to, words)})
	return u.land(uploadsAtOnce - 1)
}

func (u *uploading[P]) end() (bool, error) { return false, u.land(0) }

func (u *uploading[P]) abandon() { u.land(0) }

// land waits until so many are left.
func (u *uploading[P]) land(left int) (err error) {
	for len(u.flights) > left {
		first := u.flights[0]
		u.flights = u.flights[1:]
		if failed := first.copy.Wait(); err == nil {
			err = failed
		}
		u.delivery.done(first.slot)
	}
	return err
}

// packing has the device pack pieces: while one is packed, the next is copied to the device.
type packing[P uint32 | uint64] struct {
	*run[P]
	delivery *delivery
	strange  int // number of the counter of characters that have no code
	uploads  [2]textFlight
	turn     int
}

func (p *packing[P]) begin(c *code) error {
	m, s := p.memory, p.session
	p.strange = p.counter()
	return cmp.Or(m.table.Buffer(s).Write(c.table[:]), m.letters.Buffer(s).Write(c.letters[:]))
}

// take has a piece copied to the device, and the one before packed.
func (p *packing[P]) take(next parcel) error {
	if err := p.session.Finish(); err != nil { // what was in this piece's place is packed
		return err
	}
	to := p.memory.pieces[p.turn].Buffer(p.session)
	p.uploads[p.turn] = textFlight{next, async.StartUpload(to, next.slot.bytes[:next.size])}
	p.turn = 1 - p.turn
	return p.pack()
}

func (p *packing[P]) end() (strange bool, err error) {
	if err := p.session.Finish(); err != nil {
		return false, err
	}
	p.turn = 1 - p.turn
	if err := p.pack(); err != nil {
		return false, err
	}
	count, err := p.count(p.strange)
	return count > 0, err
}

func (p *packing[P]) abandon() {
	for _, u := range p.uploads {
		if u.copy != nil {
			u.copy.Wait()
		}
	}
}

// pack packs the piece whose turn it is, if there is one.
func (p *packing[P]) pack() error {
	s, k, m, u := p.session, &p.kernels, p.memory, &p.uploads[p.turn]
	if u.copy == nil {
		return nil
	}
	err := u.copy.Wait()
	if u.copy = nil; err != nil {
		return err
	}
	at, end := u.at/64*p.shape.width, packedWords(p.n, p.shape.width)
	if to := u.at + u.size; to < p.n {
		end = to / 64 * p.shape.width
	}
	k.pack.Launch(k.tiles(end-at), int64(u.size)+8*int64(end-at), m.pieces[p.turn].Buffer(s), uint64(u.size),
		m.table.Buffer(s), uint32(p.shape.width), uint64(at), uint64(end-at), m.packed.Buffer(s), m.counts.Buffer(s),
		uint32(p.strange))
	p.delivery.done(u.slot)
	return nil
}
