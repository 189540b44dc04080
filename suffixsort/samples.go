package suffixsort

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/scan"
)

// mainBits is how many bits of a phrase all suffixes are sorted by. The others are 0 in short phrases.
const mainBits = 24

// maxSamples is the largest number of samples of a text of n characters: the result has room for their array, their
// places, and two bytes for each.
func maxSamples(n int) int { return n * 2 / 5 / listAlign * listAlign }

// From how many characters on GPUs sort samples first, and of how many bits a code has then: shorter texts take as long
// as their kernels take to start, and those of few symbols are nearly sorted by their windows (docs/benchmarks.md).
const (
	leastSampled     = 3 << 20
	leastSampledBits = 2.5
)

// sampling chooses the samples of a text, and makes the order of all suffixes from that of samples:
// suffixsort_samples.cl.
type sampling struct {
	policy        int // of options
	first         firstSort
	mark, place   *device.Kernel // nil: no text of the sorter is sorted so
	induce, strip *device.Kernel
	number        *scan.Template // that of marks, which chains have
	start         *scan.Template
}

// newSampling plans it, but for number.
func newSampling(b builder, o options, first *firstSort) sampling {
	p := sampling{policy: o.Samples, first: *first}
	chosen := o.Samples == 0 && !b.session.Caps().CPUShape && b.n >= leastSampled
	if o.Extensions < 0 || !chosen && o.Samples <= 0 {
		return p
	}
	program, wg := b.session.Program(firstSource(b.set, true)), b.set.Map.WG
	p.first.heads = program.Kernel("suffixsort_heads", wg)
	p.mark, p.place = program.Kernel("suffixsort_mark", wg), program.Kernel("suffixsort_sample", wg)
	p.induce, p.strip = program.Kernel("suffixsort_induce", wg), program.Kernel("suffixsort_strip", wg)
	p.start = scan.NewTemplate(b.session, b.n, inducedTemplate)
	return p
}

// Workspace is what the steps carve from their workspace.
func (p *sampling) Workspace() device.Pieces {
	if p.start == nil {
		return nil
	}
	return p.start.Workspace()
}

// wants tells whether to sort samples of a text first.
func (p *sampling) wants(t *codedText) bool {
	return p.mark != nil && t.width == 0 &&
		(p.policy > 0 || t.n >= leastSampled && t.code.bits >= leastSampledBits)
}

// bits is how many bits tell of a suffix how far the next sample is. The first windows of samples, and those of an
// extension, have at least 26 bits of whole symbols more than the bits of the first windows: that is 16 bits, a symbol,
// and these bits.
func (p *sampling) bits(n int) int {
	bits := min(40, 64-indexBits(n))
	if p.first.bits > 0 {
		bits = min(bits, p.first.bits+10)
	}
	return bits
}

// samples are count samples of a text.
type samples struct {
	bits   int // of a window that has a rise, or tells that there is none
	count  int
	longs  int                    // suffixes of long phrases
	places *device.Buffer[uint32] // [count]
	gaps   *device.Buffer[uint16] // [count]
}

// choose counts the samples, and waits. marks get their numbers.
func (p *sampling) choose(ws *device.Workspace, t *codedText, sampled, longs, marks *device.Buffer[uint32],
	counts *roundCounts) (samples, error) {
	s := samples{bits: p.bits(t.n)}
	at := counts.next()
	p.mark.Launch(intmath.CeilDiv(t.n, p.first.perGroup), int64(t.n)*5/4,
		t.text, t.codes, uint64(t.n), uint32(s.bits), uint32(mainBits), sampled, longs, counts.buffer, at)
	p.number.Run(ws, intmath.CeilDiv(t.n, 32), 4+8, sampled.Args(), marks)
	got, err := counts.read()
	s.count, s.longs = got.unsorted.small, got.unsorted.large
	return s, err
}

// list makes places, gaps, and the windows of samples, of width bits, in words.Cur.
func (p *sampling) list(t *codedText, s samples, longs, marks *device.Buffer[uint32], width int, words *windowWords) {
	p.place.Launch(intmath.CeilDiv(t.n, p.first.perGroup), int64(t.n)*5/4+14*int64(s.count),
		t.text, t.codes, uint64(t.n), uint32(width), marks, longs, uint64(s.count), s.places.Args(), s.gaps.Args(),
		words.high.Cur, words.low.Cur)
}

// sort makes sa [n]uint32 from order [count]uint32, the suffix array of samples. words.low.Alt is sa, which has order
// and what s has, until the phrases are made.
func (p *sampling) sort(ws *device.Workspace, t *codedText, s samples, order, starts *device.Buffer[uint32],
	words *windowWords, sa *device.Buffer[uint32]) {
	p.start.Run(ws, s.count, 4+32+8, order, s.gaps.Args(), starts)
	p.induce.Launch(intmath.CeilDiv(s.count, p.first.perGroup/4), 8*int64(t.n)+(8+4+32+32)*int64(s.count),
		t.text, t.codes, uint64(t.n), uint32(s.bits), uint32(s.longs), order, uint64(s.count), s.places.Args(), starts,
		words.high.Cur, words.low.Cur)
	high, low := min(s.bits, 32), 32-max(s.bits-32, 0)
	main := max(high-mainBits, 0)
	if low < 32 {
		p.first.words.Run(ws, &words.low, &words.high, s.longs, low, 32)
		p.first.words.Run(ws, &words.high, &words.low, s.longs, 0, main)
	} else { // two passes, so that all suffixes are in the same buffers
		p.first.words.Run(ws, &words.high, &words.low, s.longs, 0, main/2)
		p.first.words.Run(ws, &words.high, &words.low, s.longs, main/2, main)
	}
	p.first.words.Run(ws, &words.high, &words.low, t.n, main, high)
	p.strip.Launch(intmath.CeilDiv(t.n, p.first.perGroup), 8*int64(t.n),
		words.low.Cur, uint64(t.n), uint32(indexBits(t.n)), sa)
}
