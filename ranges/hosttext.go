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

// hostText is the text on its way to the devices. The host packs it: so it is read once, and 0.25 bytes of DNA go to
// each. All devices copy from the same slots, page-locked memory of the first one: NVIDIA's driver knows that of other
// contexts, too. A copy for each would take the memory of the host as long as to read the text, from three devices on.
type hostText struct {
	text  *Text
	width int
	slots chan *textSlot      // that are free
	boxes []chan *packedPiece // what each device gets
}

// textSlot is memory for a piece.
type textSlot struct {
	words []uint64
	users atomic.Int32 // devices that have not copied it
}

// packedPiece is a piece in a slot, or, without one, the end of the text. Pieces come in any order, and once more where
// a guessed code lacked characters.
type packedPiece struct {
	at    int // of its first word
	words []uint64
	slot  *textSlot
}

// uploadsAtOnce is how many slots are on their way to a device.
const uploadsAtOnce = 4

// slotsOfText is how many slots a text of n characters has: one for each processor, and those on their way.
func slotsOfText(n int) int { return packers(n) + 2*uploadsAtOnce }

// packedLen is how many of n characters a processor packs at a time.
func packedLen(n int) int { return min(pieceOf(n), 4<<20) }

// packers is how many processors pack a text of n characters.
func packers(n int) int {
	if n == 0 {
		return 0
	}
	return min(runtime.GOMAXPROCS(0), intmath.CeilDiv(n, packedLen(n)))
}

func newHostText(text *Text, width, devices int) *hostText {
	h := &hostText{text: text, width: width, slots: make(chan *textSlot, slotsOfText(text.n))}
	for range devices {
		h.boxes = append(h.boxes, make(chan *packedPiece, slotsOfText(text.n)+1))
	}
	return h
}

// hostTextBytes is the host memory of the slots.
func hostTextBytes(n, width int) int64 {
	return int64(slotsOfText(n)) * int64(8*packedWords(packedLen(n), width)+pinnedUnit)
}

// pack packs the text. Errors: those of byCode; the context's.
func (h *hostText) pack(ctx context.Context) error {
	err := h.text.byCode(h.width, func(c *code) (bool, error) { return h.packBy(ctx, c) })
	if err != nil {
		return err
	}
	for _, box := range h.boxes {
		select {
		case box <- &packedPiece{}:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// packBy packs the text by a code, and tells whether there are characters without one. Each processor packs pieces of
// its own: where all share a piece, they wait for each other longer than they pack.
func (h *hostText) packBy(ctx context.Context, code *code) (bool, error) {
	packs := bitpack.New(&code.table, h.width)
	var next, sum atomic.Uint64
	var strange atomic.Bool
	group, working := errgroup.WithContext(ctx)
	for range packers(h.text.n) {
		group.Go(func() error {
			w := packer{hostText: h, packs: packs}
			if h.text.file != nil {
				w.scratch = make([]byte, min(surveyed, h.text.n))
			}
			for {
				from := (int(next.Add(1)) - 1) * packedLen(h.text.n)
				if from >= h.text.n {
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
	return strange.Load(), h.text.same(sum.Load())
}

// packer is a processor that packs.
type packer struct {
	*hostText
	packs   *bitpack.Packer
	scratch []byte // of a file
	sum     uint64
	strange bool
}

// piece packs a piece, and gives it to all devices.
func (w *packer) piece(ctx context.Context, from int) error {
	n, to := w.text.n, min(from+packedLen(w.text.n), w.text.n)
	at, end := from/64*w.width, to/64*w.width
	var slot *textSlot
	select {
	case slot = <-w.slots:
	case <-ctx.Done():
		return context.Cause(ctx)
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
	slot.users.Store(int32(len(w.boxes)))
	for _, box := range w.boxes {
		box <- &packedPiece{at: at, words: words, slot: slot} // there is room for all slots
	}
	return nil
}

// loadPacked has the packed text on the device. The first device has it packed.
func (r *run[P]) loadPacked(ctx context.Context) error {
	ending, stop := context.WithCancel(ctx)
	defer stop()
	group, working := errgroup.WithContext(ending)
	if r.number == 0 {
		group.Go(func() error { return r.hostText.pack(working) })
	}
	err := r.receive(working)
	if err != nil {
		stop()
	}
	return cmp.Or(context.Cause(ctx), group.Wait(), err)
}

// receive copies what is packed to the device, piece by piece. The slots are the first device's, which returns when all
// have copied all.
func (r *run[P]) receive(ctx context.Context) (err error) {
	h, packed := r.hostText, r.memory.packed.Buffer(r.session)
	if r.number == 0 {
		for host := r.host.all(); len(h.slots) < cap(h.slots); {
			h.slots <- &textSlot{words: take[uint64](host, packedWords(packedLen(r.n), r.shape.width))}
		}
	}
	type flight struct {
		copy async.Transfer
		slot *textSlot
	}
	var flights []flight
	land := func(left int) (err error) {
		for len(flights) > left {
			first := flights[0]
			flights = flights[1:]
			if failed := first.copy.Wait(); err == nil {
				err = failed
			}
			if first.slot.users.Add(-1) == 0 {
				h.slots <- first.slot
			}
		}
		return err
	}
	defer func() { err = cmp.Or(err, land(0)) }() // before memory is released
	for {
		select {
		case next := <-h.boxes[r.number]:
			if next.slot == nil {
				if err := cmp.Or(land(0), h.wait(ctx, r.number)); err != nil {
					return err
				}
				code, _ := r.text.coded()
				return r.memory.letters.Buffer(r.session).Write(code.letters[:])
			}
			to := packed.View(next.at, len(next.words))
			flights = append(flights, flight{async.StartUpload(to, next.words), next.slot})
			if err := land(uploadsAtOnce - 1); err != nil {
				return err
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// wait waits for all slots, in whose memory the first device goes on.
func (h *hostText) wait(ctx context.Context, device int) error {
	if device > 0 {
		return nil
	}
	for range cap(h.slots) {
		select {
		case <-h.slots:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}
