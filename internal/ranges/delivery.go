package ranges

import (
	"cmp"
	"context"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/async"
	"github.com/suffixcl/suffixcl/internal/bitpack"
	"github.com/suffixcl/suffixcl/internal/intmath"
)

// mostHostWidth is the most bits of a character of texts that the host packs. Wider ones are copied as they are: that
// takes as long, or less where there are few processors.
const mostHostWidth = bitpack.MostWidth

// leastPackers is the least number of processors by which packing is faster than copying the text to one device with
// memory of its own: a bus carries 23 to 54 GB/s, and each packs 10 by vector instructions, else 2.9.
func leastPackers() int {
	if bitpack.Vectors() {
		return 4
	}
	return 14
}

// hostPacks tells whether the host packs a text with characters of so many bits.
func hostPacks(s *device.Session, devices, width int) bool {
	fast := !s.Caps().CPUShape && runtime.GOMAXPROCS(0) >= leastPackers()
	return width <= mostHostWidth && (devices > 1 || fast)
}

// pieceOf is how many of n characters are copied to the device at a time: their codes are whole words.
func pieceOf(n int) int { return min(intmath.RoundUp(intmath.CeilDiv(n, 32), 64), 16<<20) }

// packedLen is how many of n characters a processor packs at a time.
func packedLen(n int) int { return min(pieceOf(n), 4<<20) }

// packers is how many processors pack a text of n characters.
func packers(n int) int {
	if n == 0 {
		return 0
	}
	return min(runtime.GOMAXPROCS(0), intmath.CeilDiv(n, packedLen(n)))
}

// packedWords is the number of words of n characters, with the zeros after them.
func packedWords(n, width int) int { return intmath.CeilDiv(n*width, 64) + 2 }

// parcels says how a text of n characters gets to so many devices: packed by the host, 0.25 bytes a character of DNA,
// or as it is.
type parcels struct {
	n, width, devices int
	packed            bool
}

// slots is how many pieces are in page-locked memory: one for each processor that packs, and those on their way.
func (p parcels) slots() int {
	switch {
	case p.packed:
		return packers(p.n) + 2*uploadsAtOnce
	case p.devices > 1:
		return 6 // devices differ in speed
	}
	return 3
}

// bytes is the page-locked memory of all slots.
func (p parcels) bytes() int64 {
	each := min(pieceOf(p.n), p.n)
	if p.packed {
		each = 8 * packedWords(packedLen(p.n), p.width)
	}
	return int64(p.slots()) * int64(each+pinnedUnit)
}

// delivery is a text on its way to the devices. It is read once. All devices copy from the same slots, page-locked
// memory of the first one: NVIDIA's driver knows that of other contexts, too. A copy for each would take the memory of
// the host as long as to read the text, from three devices on.
type delivery struct {
	parcels
	text    *Text
	slots   chan *textSlot // slots that are free
	boxes   []chan parcel  // parcels for each device
	strange chan bool      // whether the first device has packed characters without a code, at the end of a pass
}

// textSlot is memory for a piece.
type textSlot struct {
	words []uint64     // where the host packs
	bytes []byte       // where it does not
	users atomic.Int32 // devices that have not copied it
}

// parcel is a message to a device: a code, with which a pass through the text begins; a piece; the end of a pass; or,
// the zero value, the end of the text. There is a second pass where a guessed code lacked characters. Packed pieces
// come in any order.
type parcel struct {
	code *code
	slot *textSlot
	at   int // the first word of a packed piece, or the first character
	size int // words or characters
	ends bool
}

// uploadsAtOnce is how many packed pieces are on their way to a device.
const uploadsAtOnce = 4

// controls is the most parcels without a piece: two passes, and the end.
const controls = 5

func newDelivery(text *Text, p parcels) *delivery {
	d := &delivery{parcels: p, text: text, slots: make(chan *textSlot, p.slots()), strange: make(chan bool, 1)}
	for range p.devices {
		d.boxes = append(d.boxes, make(chan parcel, p.slots()+controls))
	}
	return d
}

// open takes the memory of the slots.
func (d *delivery) open(host *pinned) {
	for range cap(d.slots) {
		slot := &textSlot{}
		if d.packed {
			slot.words = take[uint64](host, packedWords(packedLen(d.n), d.width))
		} else {
			slot.bytes = take[byte](host, min(pieceOf(d.n), d.n))
		}
		d.slots <- slot
	}
}

// post gives a parcel to all devices. Their boxes have room for all.
func (d *delivery) post(p parcel) {
	if p.slot != nil {
		p.slot.users.Store(int32(len(d.boxes)))
	}
	for _, box := range d.boxes {
		box <- p
	}
}

// free waits for a slot.
func (d *delivery) free(ctx context.Context) (*textSlot, error) {
	select {
	case slot := <-d.slots:
		return slot, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// done tells that a device has copied a piece; each device calls it.
func (d *delivery) done(slot *textSlot) {
	if slot.users.Add(-1) == 0 {
		d.slots <- slot
	}
}

// settle waits until all devices have copied all.
func (d *delivery) settle(ctx context.Context) error {
	for range cap(d.slots) {
		if _, err := d.free(ctx); err != nil {
			return err
		}
	}
	return nil
}

// send reads the text. Errors: those of byCode; the context's.
func (d *delivery) send(ctx context.Context) error {
	err := d.text.byCode(d.width, func(c *code) (bool, error) {
		d.post(parcel{code: c})
		if d.packed {
			return d.pack(ctx, c)
		}
		return d.copy(ctx)
	})
	if err == nil {
		d.post(parcel{})
	}
	return err
}

// copy copies the text piece by piece, and tells whether there are characters without a code.
func (d *delivery) copy(ctx context.Context) (strange bool, err error) {
	var sum uint64
	for from := 0; from < d.n; from += pieceOf(d.n) {
		slot, err := d.free(ctx)
		if err != nil {
			return false, err
		}
		size := min(pieceOf(d.n), d.n-from)
		part, err := d.text.read(slot.bytes[:size], from)
		if err != nil {
			return false, err
		}
		sum += part
		d.post(parcel{slot: slot, at: from, size: size})
	}
	d.post(parcel{ends: true})
	select {
	case strange = <-d.strange:
		return strange, d.text.same(sum)
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
}

// pack packs the text by a code, and tells whether there are characters without one. Each processor packs pieces of its
// own: where all share a piece, they wait for each other longer than they pack.
func (d *delivery) pack(ctx context.Context, code *code) (bool, error) {
	packs := bitpack.New(&code.table, d.width)
	var next, sum atomic.Uint64
	var strange atomic.Bool
	group, working := errgroup.WithContext(ctx)
	for range packers(d.n) {
		group.Go(func() error {
			w := packer{delivery: d, packs: packs}
			if d.text.file != nil {
				w.scratch = make([]byte, min(surveyed, d.n))
			}
			for {
				from := (int(next.Add(1)) - 1) * packedLen(d.n)
				if from >= d.n {
					sum.Add(w.sum)
					return nil
				}
				if err := w.piece(working, from); err != nil {
					return err
				}
				if w.strange {
					strange.Store(true)
				}
			}
		})
	}
	if err := group.Wait(); err != nil {
		return false, err
	}
	return strange.Load(), d.text.same(sum.Load())
}

// packer is a processor that packs.
type packer struct {
	*delivery
	packs   *bitpack.Packer
	scratch []byte // of a file
	sum     uint64
	strange bool
}

// piece packs a piece.
func (w *packer) piece(ctx context.Context, from int) error {
	n, to := w.n, min(from+packedLen(w.n), w.n)
	at, end := from/64*w.width, to/64*w.width
	slot, err := w.free(ctx)
	if err != nil {
		return err
	}
	if to == n {
		end = packedWords(n, w.width)
		clear(slot.words) // the last characters are or-ed to words
	}
	words := slot.words[:end-at]
	for i := from; i < to; i += surveyed {
		part, sum, err := w.text.stretch(w.scratch, i, min(i+surveyed, to))
		if err != nil {
			return err
		}
		w.sum += sum
		w.strange = !w.packs.Pack(words[(i-from)/64*w.width:], part) || w.strange
	}
	w.post(parcel{slot: slot, at: at, size: end - at})
	return nil
}

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
