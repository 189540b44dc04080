package suffixsort

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/periodic"
)

// codedText is a text with its code: shape text [n]uint8, codes [tableWords]uint32. packed is read where the code has
// a width.
type codedText struct {
	*code
	n      int
	text   *device.Buffer[uint8]
	packed *device.Buffer[uint64]
	codes  *device.Buffer[uint32] // the table of the code

	suffixes int                    // that are sorted: n, or samples
	places   *device.Buffer[uint32] // of samples, or nil
}

// args are the arguments of kernels about windows of so many bits.
func (t *codedText) args(bits int) []any {
	return []any{t.text, t.packed, t.codes, uint64(t.n), uint32(t.width), uint32(bits)}
}

// suffixArgs are the arguments of kernels about windows of suffixes.
func (t *codedText) suffixArgs(bits int) []any {
	return append(t.args(bits), append([]any{uint64(t.suffixes)}, t.places.Args()...)...)
}

// packedWords is the number of words of 64 bits of a text of symbols of width bits.
func packedWords(n, width int) int { return intmath.CeilDiv(n, 64/width) + 1 }

// coder counts the bytes of a text, makes their code, and packs the text.
//
// Its arrays on the host are for all runs: made for each, they would be most of what a short text leaves to the garbage
// collector, which stops a stream of texts for a millisecond or two (docs/benchmarks.md).
type coder struct {
	grid
	session          *device.Session
	even             bool // codes may have one width
	looks            bool // package periodic looks where the text recurs
	countBytes, pack *device.Kernel
	code             code
	counts           [countPeriods + 1]uint32
	words            [tableWords]uint32
}

func newCoder(b builder, o options) coder {
	return coder{
		grid: b.grid, session: b.session, even: !o.Uneven, looks: b.session.Caps().CPUShape,
		countBytes: b.maps(textFile, "count"), pack: b.maps(textFile, "pack"),
	}
}

// count counts the bytes in counters from `at` on, and waits. recurs is what package periodic has found before, or on
// GPUs this kernel.
func (c *coder) count(text *device.Buffer[uint8], counts *device.Buffer[uint32],
	at int) (bytes []uint32, recurs uint32, err error) {
	n, last, alike := text.Len(), 0, 0
	if !c.looks {
		last, alike = periodic.Looked(n)
	}
	answer := c.session.Answer(len(c.counts))
	c.countBytes.Launch(c.tiles(intmath.CeilDiv(n, 8)), int64(n), text, uint64(n), uint64(last), uint32(alike),
		counts.View(at, countsOfBytes).Args(), answer.Args())
	answered, err := answer.Read(c.counts[:])
	if !answered {
		err = counts.View(at, len(c.counts)).Read(c.counts[:])
	}
	return c.counts[:countPeriods], c.counts[countPeriods], err
}

// encode writes the table of a code, and packs the text if the code has a width.
func (c *coder) encode(by code, text *device.Buffer[uint8], table *device.Buffer[uint32],
	packed *device.Buffer[uint64]) (codedText, error) {
	c.code = by
	t := codedText{code: &c.code, n: text.Len(), text: text, packed: packed, codes: table, suffixes: text.Len()}
	if err := table.Write(t.words(&c.words)); err != nil {
		return t, err
	}
	if t.width > 0 {
		words := packedWords(t.n, t.width)
		c.pack.Launch(c.tiles(words), int64(t.n)+8*int64(words),
			text, uint64(t.n), table, uint32(t.width), uint64(words), packed)
	}
	return t, nil
}
