package distributed

import (
	"unsafe"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Steps of 8 characters that a work-item of a merge may take: for each suffix, and besides.
var (
	stepsEach  = 48
	stepsFirst = 1 << 12
)

// Suffixes of a work-item: of a device of CPU shape, of another one, and where loops are short. A prefetch is so many
// suffixes ahead.
var (
	mergeItemsCPU   = 1 << 13
	mergeItemsGPU   = 32
	mergeItemsShort = 1 << 9
)

const prefetched = 12

// rankSteps is the most steps that a comparison by ranks takes, and one more.
const rankSteps = 5

// merger merges sorted lists of suffixes of a text of up to `size` characters on the device, n suffixes in all.
type merger[P position] struct {
	session  *device.Session
	kernel   *device.Kernel
	wg       int
	items    int
	steps    int
	layout   *device.Layout
	words    int // of the text
	text     *device.Slot[uint64]
	ranks    *device.Slot[P] // of samples; nil: suffixes are compared by their characters
	from, to *device.Slot[P]
	spent    *device.Slot[uint32]
}

func mergeSource[P position](s *device.Session, ranks bool) device.Source {
	by := 0
	if ranks {
		by = 1
	}
	return device.Source{Files: []string{"distributed_cover.cl", "distributed.cl"}, Defines: device.Defines{
		"WG": tuned.Of(s).Map.WG, "P": cltype.Name[P](), "AHEAD": prefetched, "RANKS": by,
	}}
}

// newMerger plans the merge, with ranks of so many samples, or without.
func newMerger[P position](s *device.Session, size uint64, samples, n int) *merger[P] {
	wg := tuned.Of(s).Map.WG
	program := s.Program(mergeSource[P](s, samples > 0))
	l, words := device.NewLayout("merge"), int(size+padding)/8
	m := &merger[P]{
		session: s, wg: wg, layout: l, words: words, kernel: program.Kernel("distributed_merge", wg),
		text: device.Reserve[uint64](l, "text", words), spent: device.Reserve[uint32](l, "steps", 1),
		from: device.Reserve[P](l, "suffixes", n), to: device.Reserve[P](l, "suffixes, merged", n),
	}
	if samples > 0 {
		m.ranks = device.Reserve[P](l, "ranks of samples", samples)
	}
	m.items = mergeItemsGPU
	if s.Caps().CPUShape {
		m.items = mergeItemsCPU
	}
	m.steps = m.items*(1+stepsEach) + stepsFirst
	if !tuned.Quirks(s.Caps()).LongLoops {
		m.items, m.steps = mergeItemsShort, 1<<15
	}
	if samples > 0 {
		m.steps = rankSteps * (m.items + 64)
	}
	return m
}

// mergedSuffixes merges runs of suffixes, of which run q has offsets in the block of rank q; nil on all ranks where
// some agree in too many characters. The result is where list was, if positions have 32 bits.
func mergedSuffixes[P position](r *rank, order suffixes[P], list []uint32, runs []int) ([]P, error) {
	merged, err := timed(r, func() ([]P, error) {
		return newMerger[P](r.session, r.n, len(order.ranks), len(list)).run(r, order, list, runs)
	})
	if err := r.agreed(err); err != nil {
		return nil, err
	}
	deep := 0
	if merged == nil {
		deep = 1
	}
	total, err := r.total(deep)
	if err != nil || total > 0 {
		return nil, err
	}
	return merged, nil
}

func (m *merger[P]) run(r *rank, order suffixes[P], list []uint32, runs []int) ([]P, error) {
	merged, in := any(list).([]P) // in place, where positions have as many bits as offsets
	if !in {
		merged = make([]P, len(list))
	}
	at := 0
	for q, n := range runs {
		first, _ := Bounds(r.n, len(runs), q)
		for i, v := range list[at : at+n] {
			merged[at+i] = P(first) + P(v)
		}
		at += n
	}
	left := make([]int, 0, len(runs))
	for _, n := range runs {
		if n > 0 {
			left = append(left, n)
		}
	}
	if len(left) <= 1 {
		return merged, nil
	}
	s := m.session
	s.Phase("merge")
	if err := (device.MemoryPlan{m.layout.Memory()}).Fits(s); err != nil {
		return nil, err
	}
	// The text and the ranks are in memory of the node.
	text := order.text[:8*m.words]
	m.text.In(unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(text))), m.words))
	if m.ranks != nil {
		m.ranks.In(order.ranks)
	}
	m.from.In(merged)
	if err := m.layout.Allocate(s); err != nil {
		return nil, err
	}
	defer m.layout.Release(s)
	words, spent := m.text.Buffer(s), m.spent.Buffer(s)
	spent.Fill(0)
	if err := device.Reinterpret[uint8](words).Upload(r.ctx, text, nil); err != nil {
		return nil, err
	}
	if m.ranks != nil {
		if err := m.ranks.Buffer(s).Upload(r.ctx, order.ranks, nil); err != nil {
			return nil, err
		}
	}
	from, to := m.from.Buffer(s), m.to.Buffer(s)
	if err := from.Upload(r.ctx, merged, nil); err != nil {
		return nil, err
	}
	for len(left) > 1 {
		left = m.round(words, r.n, left, from, to, spent)
		from, to = to, from
		if err := s.Check(r.ctx); err != nil {
			return nil, err
		}
	}
	var deep [1]uint32
	if err := spent.Read(deep[:]); err != nil || deep[0] > 0 {
		return nil, err
	}
	return merged, from.Download(r.ctx, merged, nil)
}

// round merges pairs of neighbouring runs.
func (m *merger[P]) round(text *device.Buffer[uint64], size uint64, runs []int, from, to *device.Buffer[P],
	spent *device.Buffer[uint32]) (next []int) {
	at := 0
	for ; len(runs) > 1; runs = runs[2:] {
		n := runs[0] + runs[1]
		args := []any{text, size, from, uint64(at), uint64(runs[0]), uint64(runs[1]), to, uint64(m.items), uint64(m.steps),
			spent}
		if m.ranks != nil {
			args = append(args, m.ranks.Buffer(m.session))
		}
		m.kernel.Launch(intmath.CeilDiv(n, m.wg*m.items), int64(n)*int64(2*cltype.Size[P]()+32), args...)
		next = append(next, n)
		at += n
	}
	if len(runs) == 1 {
		device.Copy(to.View(at, runs[0]), from.View(at, runs[0]), runs[0])
		next = append(next, runs[0])
	}
	return next
}
