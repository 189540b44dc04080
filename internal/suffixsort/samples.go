package suffixsort

import (
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/radixsort"
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
	policy      int // of options
	first       firstSort
	mark, place *device.Kernel // nil: no text of the sorter is sorted so
	induce      *device.Kernel
	number      *scan.Template // that of marks, which chains have
	start       *scan.Template
	suffixes    *radixsort.Finish // of the sort of phrases
	transform   fromSamples
}

// newSampling plans it, but for number.
func newSampling(b builder, o options, first *firstSort) sampling {
	p := sampling{policy: o.Samples, first: *first}
	chosen := o.Samples == 0 && !b.session.Caps().CPUShape && b.n >= leastSampled
	if o.Extensions < 0 || !chosen && o.Samples <= 0 {
		return p
	}
	program, wg := b.session.Program(firstSource(b.set, ofSamples)), b.set.Map.WG
	p.first.heads = program.Kernel("suffixsort_heads", wg)
	p.mark, p.place = program.Kernel("suffixsort_mark", wg), program.Kernel("suffixsort_sample", wg)
	p.induce = program.Kernel("suffixsort_induce", wg)
	p.start = scan.NewTemplate(b.session, b.n, inducedTemplate)
	p.suffixes = radixsort.NewFinish(b.session, b.n, true, suffixesSource)
	tuned.Rarely(b.session, func() { p.transform = newFromSamples(b) })
	return p
}

// Workspace is what the steps carve from their workspace.
func (p *sampling) Workspace() device.Pieces {
	if p.start == nil {
		return nil
	}
	return p.start.Workspace().Or(p.transform.words.Workspace())
}

// wants tells whether to sort samples of a text first.
func (p *sampling) wants(c *code, n int) bool {
	return p.mark != nil && c.width == 0 && (p.policy > 0 || n >= leastSampled && c.bits >= leastSampledBits)
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
	long   *device.Buffer[uint32] // bitmap of the text: these
	marks  *device.Buffer[uint32] // bitmap of the text: samples, with how many are before each word
	places *device.Buffer[uint32] // [count]
	gaps   *device.Buffer[uint16] // [count]
}

// choose counts the samples, and waits. long and marks get what samples have.
func (p *sampling) choose(ws *device.Workspace, t *codedText, sampled, long, marks *device.Buffer[uint32],
	counts *roundCounts) (samples, error) {
	s := samples{bits: p.bits(t.n), long: long, marks: marks}
	p.mark.Launch(intmath.CeilDiv(t.n, p.first.perGroup), int64(t.n)*5/4,
		t.text, t.codes, uint64(t.n), uint32(s.bits), uint32(mainBits), sampled, long, counts.args(true))
	p.number.Run(ws, intmath.CeilDiv(t.n, 32), 4+8, sampled.Args(), marks)
	got, err := counts.read()
	s.count, s.longs = got.unsorted.small, got.unsorted.large
	return s, err
}

// list makes places, gaps, and the windows of samples, of width bits, in words.Cur. It clears what the sort of them
// wants.
func (p *sampling) list(t *codedText, s samples, width int, words *windowWords, sort *radixsort.Schedule) {
	p.place.Launch(intmath.CeilDiv(t.n, p.first.perGroup), int64(t.n)*5/4+14*int64(s.count),
		t.text, t.codes, uint64(t.n), uint32(width), s.marks, s.long, uint64(s.count), s.places.Args(), s.gaps.Args(),
		words.high.Cur, words.low.Cur, sort.Cleared())
}

// sort makes sa [n]uint32 from order [count]uint32, the suffix array of samples. words.low.Alt is sa, which has order
// and what s has, until the phrases are made.
func (p *sampling) sort(ws *device.Workspace, t *codedText, s samples, order, starts *device.Buffer[uint32],
	words *windowWords) {
	p.start.Run(ws, s.count, 4+32+8, order, s.gaps.Args(), starts)
	high, low := min(s.bits, 32), 32-max(s.bits-32, 0)
	main := max(high-mainBits, 0)
	byLow := radixsort.Range{N: s.longs, Keys: &words.low, Values: &words.high, Lo: low, Hi: 32}
	byHigh := radixsort.Range{N: s.longs, Keys: &words.high, Values: &words.low, Hi: main}
	if low == 32 { // two passes, so that all suffixes are in the same buffers
		byLow, byHigh.Lo = byHigh, main/2
		byLow.Hi = main / 2
	}
	// Three passes, the last of which writes the suffixes to sa.
	all := radixsort.Range{
		N: t.n, Keys: &words.high, Values: &words.low, Lo: main, Hi: high,
		Finish: p.suffixes, Args: []any{uint32(1)<<indexBits(t.n) - 1},
	}
	sort := p.first.words.Prepare(ws, byLow, byHigh, all)
	p.launch(p.induce, t, s, order, starts, words, sort)
	sort.Run()
}

// launch enqueues the kernel that makes the phrases of all suffixes, and what their sort wants cleared.
func (p *sampling) launch(kernel *device.Kernel, t *codedText, s samples, order, starts *device.Buffer[uint32],
	words *windowWords, sort *radixsort.Schedule, more ...any) {
	kernel.Launch(intmath.CeilDiv(s.count, p.first.perGroup/4), 8*int64(t.n)+(8+4+32+32)*int64(s.count),
		t.text, t.codes, uint64(t.n), uint32(s.bits), uint32(s.longs), order, uint64(s.count), s.places.Args(), starts,
		words.high.Cur, words.low.Cur, sort.Cleared(), more)
}

// fromSamples makes the Burrows-Wheeler transform from the order of samples. Phrases are sorted with the symbols before
// the suffixes, not with these.
type fromSamples struct {
	words        *radixsort.Series
	symbols      *radixsort.Finish
	induce, emit *device.Kernel
}

func newFromSamples(b builder) fromSamples {
	program, wg := b.session.Program(firstSource(b.set, ofTransform)), b.set.Map.WG
	return fromSamples{
		words:   radixsort.NewSeries(b.session, b.n, true),
		symbols: radixsort.NewFinish(b.session, b.n, false, symbolsSource),
		induce:  program.Kernel("suffixsort_induce", wg), emit: program.Kernel("suffixsort_emit", wg),
	}
}

// markerOf is a byte that the text has not, or false.
func markerOf(t *codedText) (marker uint32, ok bool) {
	at := slices.Index(t.table[:256], 0)
	return uint32(at), at >= 0
}

// transformed makes the transform out [n]uint8, and its primary index. words is as in sort.
func (p *sampling) transformed(ws *device.Workspace, t *codedText, s samples, order, starts *device.Buffer[uint32],
	words *windowWords, marker uint32, row *primary, out *device.Buffer[uint8]) {
	p.start.Run(ws, s.count, 4+32+8, order, s.gaps.Args(), starts)
	x := &p.transform
	low, high := &words.low, &words.high
	free := device.Reinterpret[uint8](high.Alt) // as it is again in the last pass
	sort := x.words.Prepare(ws,
		radixsort.Range{N: s.longs, Keys: low, Values: high, Hi: 8},
		radixsort.Range{N: s.longs, Keys: low, Values: high, Lo: 8, Hi: 16, Finish: p.suffixes, Args: []any{^uint32(0)}},
		radixsort.Range{N: t.n, Keys: high, Lo: 8, Hi: 8 + mainBits, Finish: x.symbols, Args: []any{marker, free, row.words}},
	)
	p.launch(x.induce, t, s, order, starts, words, sort, marker)
	sort.Run()
	x.emit.Launch(intmath.CeilDiv(t.n, p.first.perGroup), 2*int64(t.n), t.text, uint64(t.n), free, row.words, out.Args(),
		row.ask())
}
