package ranges

import (
	"cmp"
	"context"
	"encoding/binary"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/async"
	"github.com/suffixcl/suffixcl/internal/intmath"
)

// mostHostWidth is the most bits of a character of texts that the host packs. Wider ones are copied as they are: that
// takes as long, or less where there are few processors.
const mostHostWidth = 4

// leastPackers is the least number of processors by which packing is faster than copying the text to one device with
// memory of its own: each packs 2.3 GB/s, and a bus carries 23 to 29.
const leastPackers = 14

// hostPacks tells whether the host packs a text with characters of so many bits.
func hostPacks(s *device.Session, devices, width int) bool {
	fast := !s.Caps().CPUShape && runtime.GOMAXPROCS(0) >= leastPackers
	return width <= mostHostWidth && (devices > 1 || fast)
}

// hostText is the text on its way to the devices. The host packs it: so it is read once, and 0.25 bytes of DNA go to
// each.
type hostText struct {
	text  *Text
	width int
	slots []chan []uint64    // page-locked memory of each device, for pieces
	boxes []chan packedPiece // what each device gets
}

// packedPiece is a piece in a slot of a device, or the end of the text. Pieces come in any order, and once more where a
// guessed code lacked characters.
type packedPiece struct {
	at    int // of its first word
	words []uint64
	end   bool
}

// slotsOfText is how many slots a device has, and uploadsAtOnce how many of them are on their way to it.
const slotsOfText, uploadsAtOnce = 16, 4

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
	h := &hostText{text: text, width: width}
	for range devices {
		h.slots = append(h.slots, make(chan []uint64, slotsOfText))
		h.boxes = append(h.boxes, make(chan packedPiece, slotsOfText+1))
	}
	return h
}

// hostTextBytes is the host memory that packing takes: a piece for each processor, and slots.
func hostTextBytes(n, width, devices int) int64 {
	return int64(packers(n)+devices*slotsOfText) * 8 * int64(packedWords(packedLen(n), width))
}

// pack packs the text. Errors: those of byCode; the context's.
func (h *hostText) pack(ctx context.Context) error {
	err := h.text.byCode(h.width, func(c *code) (bool, error) { return h.packBy(ctx, c) })
	if err != nil {
		return err
	}
	for _, box := range h.boxes {
		select {
		case box <- packedPiece{end: true}:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// packBy packs the text by a code, and tells whether there are characters without one. Each processor packs pieces of
// its own: where all share a piece, they wait for each other longer than they pack.
func (h *hostText) packBy(ctx context.Context, code *code) (bool, error) {
	pairs := codePairsOf(code, h.width)
	var next, sum atomic.Uint64
	var strange atomic.Bool
	group, working := errgroup.WithContext(ctx)
	for range packers(h.text.n) {
		group.Go(func() error {
			w := packer{hostText: h, pairs: pairs, words: make([]uint64, packedWords(packedLen(h.text.n), h.width))}
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
	pairs   *codePairs
	words   []uint64
	scratch []byte // of a file
	sum     uint64
	strange bool
}

// piece packs a piece, and gives it to all devices.
func (w *packer) piece(ctx context.Context, from int) error {
	n, to := w.text.n, min(from+packedLen(w.text.n), w.text.n)
	at, end := from/unit*w.width, to/unit*w.width
	if to == n {
		end = packedWords(n, w.width)
		clear(w.words) // the last characters are or-ed to words
	}
	words := w.words[:end-at]
	for i := from; i < to; i += surveyed {
		part, sum, err := w.text.stretch(w.scratch, i, min(i+surveyed, to))
		if err != nil {
			return err
		}
		w.sum += sum
		w.strange = !w.pairs.pack(words[(i-from)/unit*w.width:], part) || w.strange
	}
	for k, slots := range w.slots {
		select {
		case slot := <-slots:
			copy(slot, words)
			w.boxes[k] <- packedPiece{at: at, words: slot[:len(words)]}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// codePairs has the codes of two bytes, of which the first is the lower one, and pairStrange where one has no code.
type codePairs struct {
	width int // bits of a code
	codes [1 << 16]uint16
}

const pairStrange = 1 << 15

func codePairsOf(c *code, width int) *codePairs {
	p := &codePairs{width: width}
	for pair := range p.codes {
		first, second := c.table[pair&0xff], c.table[pair>>8]
		if first == noCode || second == noCode {
			p.codes[pair] = pairStrange
		} else {
			p.codes[pair] = uint16(first<<width | second)
		}
	}
	return p
}

// unit is how many characters are packed at a time: `width` words.
const unit = 64

// pack packs characters that begin a word, as ranges_pack does. It tells whether all have codes.
func (p *codePairs) pack(words []uint64, text []byte) bool {
	all := uint16(0)
	for ; len(text) >= unit; text = text[unit:] {
		all |= p.packUnit(words, (*[unit]byte)(text))
		words = words[p.width:]
	}
	at, room := 0, 64 // bits of a word that are free
	for _, c := range text {
		pair := p.codes[uint16(c)|uint16(c)<<8]
		all |= pair
		code := uint64(pair) & (1<<p.width - 1)
		if room < p.width {
			words[at] |= code >> (p.width - room)
			at, room = at+1, room+64
		}
		room -= p.width
		words[at] |= code << room
	}
	return all&pairStrange == 0
}

// packUnit packs a unit, and returns the codes of its pairs, or-ed.
func (p *codePairs) packUnit(words []uint64, text *[unit]byte) (all uint16) {
	var eights [8]uint64 // codes of eight characters
	width := uint(p.width) & 7
	for k := range eights {
		c := binary.LittleEndian.Uint64(text[8*k:])
		a, b := p.codes[uint16(c)], p.codes[uint16(c>>16)]
		d, e := p.codes[uint16(c>>32)], p.codes[uint16(c>>48)]
		all |= a | b | d | e
		eights[k] = (uint64(a)<<(2*width)|uint64(b))<<(4*width) | uint64(d)<<(2*width) | uint64(e)
	}
	e := &eights
	switch width {
	case 1:
		words[0] = e[0]<<56 | e[1]<<48 | e[2]<<40 | e[3]<<32 | e[4]<<24 | e[5]<<16 | e[6]<<8 | e[7]
	case 2:
		words[0] = e[0]<<48 | e[1]<<32 | e[2]<<16 | e[3]
		words[1] = e[4]<<48 | e[5]<<32 | e[6]<<16 | e[7]
	case 3:
		words[0] = e[0]<<40 | e[1]<<16 | e[2]>>8
		words[1] = e[2]<<56 | e[3]<<32 | e[4]<<8 | e[5]>>16
		words[2] = e[5]<<48 | e[6]<<24 | e[7]
	case 4:
		words[0], words[1] = e[0]<<32|e[1], e[2]<<32|e[3]
		words[2], words[3] = e[4]<<32|e[5], e[6]<<32|e[7]
	}
	return all
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

// receive copies what is packed to the device, piece by piece.
func (r *run[P]) receive(ctx context.Context) (err error) {
	h, host, packed := r.hostText, r.host.all(), r.memory.packed.Buffer(r.session)
	for range slotsOfText {
		h.slots[r.number] <- take[uint64](host, packedWords(packedLen(r.n), r.shape.width))
	}
	type flight struct {
		copy async.Transfer
		slot []uint64
	}
	var flights []flight
	land := func(left int) (err error) {
		for len(flights) > left {
			first := flights[0]
			flights = flights[1:]
			if failed := first.copy.Wait(); err == nil {
				err = failed
			}
			h.slots[r.number] <- first.slot[:cap(first.slot)]
		}
		return err
	}
	defer func() { err = cmp.Or(err, land(0)) }() // before memory is released
	for {
		select {
		case next := <-h.boxes[r.number]:
			if next.end {
				code, _ := r.text.coded()
				return r.memory.letters.Buffer(r.session).Write(code.letters[:])
			}
			to := packed.View(next.at, len(next.words))
			flights = append(flights, flight{async.StartUpload(to, next.words), next.words})
			if err := land(uploadsAtOnce - 1); err != nil {
				return err
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
