package suffixsort

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bwt"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// transform makes the Burrows-Wheeler transform of packed text, of which each suffix that was alone after the first
// sort has brought its symbol along.
type transform struct {
	grid
	forward *bwt.Forward
	emit    *device.Kernel
}

func newTransform(b builder) transform {
	t := transform{grid: b.grid, emit: b.maps(textFile, "transform")}
	tuned.Rarely(b.session, func() { t.forward = bwt.NewForward(b.session) })
	return t
}

// bringsSymbols tells whether the first sort brings the symbol before each suffix along: symbols have one or two bits,
// the low words hold them with the suffix, and out, in words, holds half a byte each.
func bringsSymbols(t *codedText, out *device.Buffer[uint8]) bool {
	if out == nil || t.width != 1 && t.width != precedingBits || indexBits(t.n) > 32-precedingBits || t.n < 8 {
		return false
	}
	_, at := out.Root()
	return at%4 == 0
}

// run writes the transform to out and the primary index to row. preceding are the symbols, which may have the memory of
// out; scratch is as long as out.
func (x *transform) run(t *codedText, sa, preceding *device.Buffer[uint32], scratch, out *device.Buffer[uint8],
	row *device.Buffer[uint32]) {
	x.forward.Sample(sa, 1<<32, row)
	var symbols uint32 // the bytes of the codes
	for b, entry := range t.table[:256] {
		if entry != 0 {
			symbols |= uint32(b) << (8 * (entry >> (32 - t.width)))
		}
	}
	x.emit.Launch(x.tiles(t.n), (1+1)*int64(t.n), preceding.Args(), sa, t.packed, uint32(t.width), symbols,
		uint64(t.n), row, scratch)
	device.Copy(out, scratch, t.n)
}

// primary is the primary index of a transform: a word on the device, which a kernel that knows it may tell the host.
type primary struct {
	session *device.Session
	words   *device.Buffer[uint32]
	answer  device.Answer
	known   bool // the kernel that was asked writes it
}

// ask are the arguments of that kernel.
func (p *primary) ask() []any {
	p.answer, p.known = p.session.Answer(1), true
	return p.answer.Args()
}

// read waits for it.
func (p *primary) read() (int, error) {
	var row [1]uint32
	answered, err := p.answer.Read(row[:])
	if !answered {
		err = p.words.View(0, 1).Read(row[:])
	}
	return int(row[0]), err
}
