package ranges

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/suffixcl/suffixcl/internal/bitpack"
)

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
