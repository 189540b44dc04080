package duplicates

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/scan"
)

// Phases of a run.
const (
	phaseUpload  = "upload"
	phaseAnchors = "anchors"
	phaseWindows = "windows"
	phaseRanges  = "ranges"
)

const (
	// frequentLen is the number of frequent classes of a part that are looked at.
	frequentLen = 1 << 14
	// leastCapacity is the least number of entries of the lists.
	leastCapacity = 64
	// mostRounds bounds the rounds with new fingerprints.
	mostRounds = 32
)

// resident finds the duplicates of a text that is on the device as a whole.
type resident struct {
	s       *device.Session
	n       int // symbols, at most
	entries int // offsets of documents, at most
	o       Options
	k       kernels

	layout      *device.Layout
	text        *device.Slot[uint8]
	documents   *device.Slot[uint64]
	flags, open *device.Slot[uint32] // bitmaps of windows: duplicates; windows that are open
	counts      counts
	lists       lists
	histogram   *device.Slot[uint32]
	ws          *device.WorkspaceSlot

	windows *scan.CompactTemplate
	runs    *scan.CompactTemplate
}

// lists are the items that are sorted at a time.
type lists struct {
	capacity    int
	keys, items [2]*device.Slot[uint64]
	mixed       *device.Slot[uint32]
	kept        *device.Slot[uint64]
	count       *device.Slot[uint32]
	found       *device.Slot[uint64]
	radix       *radixsort.Plan[uint64, uint64]
	frequent    *scan.CompactTemplate // nil if not wanted
}

func newLists(s *device.Session, l *device.Layout, capacity int, o Options) lists {
	pair := func(name string) [2]*device.Slot[uint64] {
		return [2]*device.Slot[uint64]{device.Reserve[uint64](l, name, capacity), device.Reserve[uint64](l, name, capacity)}
	}
	t := lists{capacity: capacity, keys: pair("fingerprints"), items: pair("items"),
		mixed: device.Reserve[uint32](l, "mixed classes", bitWords(capacity)),
		kept:  device.Reserve[uint64](l, "number kept", 1), count: device.Reserve[uint32](l, "number mixed", 1),
		radix: radixsort.NewPairs[uint64, uint64](s, capacity)}
	if o.Frequent > 0 {
		t.found = device.Reserve[uint64](l, "frequent classes", 2*frequentLen)
		t.frequent = scan.NewCompactTemplate(s, capacity, source(o.SymbolBytes, "FREQUENT"))
	}
	return t
}

func (t *lists) workspace() device.Pieces {
	p := t.radix.Workspace()
	if t.frequent != nil {
		p = p.Or(t.frequent.Workspace())
	}
	return p
}

// bitWords is the number of words of a bitmap of n bits, and of the one after them.
func bitWords(n int) int { return n/32 + 1 }

// textBytes is the size of a text of so many bytes on the device: whole words, and one more.
func textBytes(bytes int) int { return intmath.RoundUp(bytes, 8) + 8 }

// zero writes zeros after a text. NVIDIA's driver (580) does not fill bytes from 2^31 on.
func zero(b *device.Buffer[uint8]) error { return b.Write(make([]uint8, b.Len())) }

// newResident plans for texts of up to n symbols, with the largest lists that fit.
func newResident(s *device.Session, n int, o Options) (*resident, error) {
	most := max(n/4, leastCapacity)
	if o.Capacity > 0 {
		return planResident(s, n, o.Documents+1, o.Capacity, o), nil
	}
	var r *resident
	for capacity := most; ; capacity = max(capacity*3/4, leastCapacity) {
		r = planResident(s, n, o.Documents+1, min(capacity, 1<<31), o)
		err := r.fits()
		if err == nil || capacity == leastCapacity {
			return r, err
		}
		// Fewer than an eighth of the items at a time: pieces are faster.
		if capacity < min(r.k.items(n)/8, 1<<16) {
			return r, err
		}
	}
}

func (r *resident) fits() error {
	return device.MemoryPlan{r.memory("duplicates", 0)}.Fits(r.s)
}

func planResident(s *device.Session, n, entries, capacity int, o Options) *resident {
	r := &resident{s: s, n: n, entries: entries, o: o, k: newKernels(s, o), layout: device.NewLayout("duplicates")}
	l := r.layout
	r.text = device.Reserve[uint8](l, "text", textBytes(n*o.SymbolBytes))
	r.documents = device.Reserve[uint64](l, "documents", entries)
	r.flags = device.Reserve[uint32](l, "duplicates", bitWords(n))
	r.open = device.Reserve[uint32](l, "open windows", bitWords(n))
	r.counts = newCounts(s, l, r.k.selectTiles(n))
	r.lists = newLists(s, l, capacity, o)
	r.histogram = device.Reserve[uint32](l, "histogram", 1<<bucketBits)
	r.windows = scan.NewCompactTemplate(s, n, source(o.SymbolBytes, "WINDOWS"))
	r.runs = scan.NewCompactTemplate(s, r.runsAtOnce(), source(o.SymbolBytes, "RUNS"))
	r.ws = device.ReserveWorkspace(l,
		r.lists.workspace().Or(r.counts.sums.Workspace(), r.windows.Workspace(), r.runs.Workspace()))
	return r
}

// runsAtOnce is how many bits are searched for runs at a time: there is room for the runs.
func (r *resident) runsAtOnce() int { return min(max(r.n, 1), 2*r.lists.capacity-1) }

func (r *resident) memory(phase string, host int64) device.PhaseMemory {
	m := r.layout.Memory()
	m.Phase, m.Host = phase, host
	return m
}

// input is a text, or contexts that are treated as one text.
type input struct {
	text      []byte
	documents []uint64
	other     int // 0: there is no other set
}

// sink takes runs of duplicates, in the order of the text.
type sink interface {
	add(first, last uint64) error
}

// residentRun is the state of a run.
type residentRun struct {
	*resident
	ctx      context.Context
	in       input
	ws       *device.Workspace
	windows  int // window starts of the text
	progress func(phase string, done, total int64)
	result   Result
	settled  int64
}

// run hands the runs of duplicates to out.
func (r *resident) run(ctx context.Context, in input, out sink, progress func(string, int64, int64)) (
	Result, error) {
	n := len(in.text) / r.o.SymbolBytes
	if n < r.o.Length {
		return Result{}, r.s.Check(ctx)
	}
	if err := r.layout.Allocate(r.s); err != nil {
		return Result{}, err
	}
	defer r.layout.Release(r.s)
	x := &residentRun{resident: r, ctx: ctx, in: in, ws: r.ws.Workspace(r.s), windows: n - r.o.Length + 1,
		progress: progress}
	for _, step := range []func() error{x.load, x.findItems, x.findWindows} {
		if err := step(); err != nil {
			return Result{}, err
		}
	}
	return x.result, x.handOut(out)
}

func (x *residentRun) begin(phase string, done, total int64) error {
	x.s.Phase(phase)
	x.progress(phase, done, total)
	return x.s.Check(x.ctx)
}

func (x *residentRun) load() error {
	if err := x.begin(phaseUpload, 0, int64(len(x.in.text))); err != nil {
		return err
	}
	text := x.text.Buffer(x.s)
	tail := len(x.in.text) / 8 * 8
	if err := zero(text.View(tail, textBytes(len(x.in.text))-tail)); err != nil {
		return err
	}
	err := text.View(0, len(x.in.text)).Upload(x.ctx, x.in.text, func(done, total int64) {
		x.progress(phaseUpload, done, total)
	})
	if err != nil {
		return err
	}
	if err := x.documents.Buffer(x.s).View(0, len(x.in.documents)).Upload(x.ctx, x.in.documents, nil); err != nil {
		return err
	}
	x.flags.Buffer(x.s).Fill(0)
	x.open.Buffer(x.s).Fill(0)
	return x.s.Check(x.ctx)
}

// findItems settles the windows of items that are alone, or in classes of one kind. The others are open then.
func (x *residentRun) findItems() error {
	if err := x.begin(phaseAnchors, 0, int64(x.windows)); err != nil {
		return err
	}
	c := &selection{k: &x.k, s: x.s, text: x.text.Buffer(x.s), documents: x.documents.Buffer(x.s),
		entries: len(x.in.documents), windows: x.windows, counts: x.counts, ws: x.ws,
		histogram: x.histogram.Buffer(x.s), bits: x.open.Buffer(x.s)}
	total, err := c.count(0, anyKey)
	if err != nil {
		return err
	}
	if total <= x.lists.capacity {
		l := x.list()
		c.list(0, anyKey, 0, l.keys.Cur, l.items.Cur)
		_, err := x.settleClasses(l, total, itemKeyBits(total), false)
		return err
	}
	histogram, err := x.histogramOf(c)
	if err != nil {
		return err
	}
	done := 0
	for _, part := range buckets(histogram, x.lists.capacity) {
		if err := x.begin(phaseAnchors, int64(done), int64(total)); err != nil {
			return err
		}
		done += part.items
		if part.items > x.lists.capacity {
			c.launch(selectMark, part.low, part.high, 0, nil, nil)
			continue
		}
		l := x.list()
		m, err := c.count(part.low, part.high)
		if err != nil {
			return err
		}
		c.list(part.low, part.high, 0, l.keys.Cur, l.items.Cur)
		if _, err := x.settleClasses(l, m, itemKeyBits(m), false); err != nil {
			return err
		}
	}
	return nil
}

// histogramOf counts the items by the high bits of their keys.
func (x *residentRun) histogramOf(c *selection) ([]uint64, error) {
	return histogramOf(c, make([]uint64, 1<<bucketBits))
}

// histogramOf adds the items of a selection to a histogram.
func histogramOf(c *selection, sum []uint64) ([]uint64, error) {
	c.histogram.Fill(0)
	c.launch(selectHistogram, 0, anyKey, 0, nil, nil)
	part := make([]uint32, len(sum))
	err := c.histogram.Read(part)
	for b, items := range part {
		sum[b] += uint64(items)
	}
	return sum, err
}

// itemKeyBits is how many bits of keys are sorted for m items: enough that few classes are mixed by chance.
func itemKeyBits(m int) int { return min(intmath.RoundUp(bits.Len(uint(m))+12, 8), mostKeyBits) }

// windowKeyBits is how many bits of keys are sorted for windows: enough that hardly a class is mixed.
func windowKeyBits(m int) int { return min(intmath.RoundUp(bits.Len(uint(m))+24, 8), mostKeyBits) }

// list is the list that is sorted.
type list struct{ keys, items radixsort.Pair[uint64] }

func (x *residentRun) list() *list {
	buffers := func(p [2]*device.Slot[uint64]) radixsort.Pair[uint64] {
		return radixsort.Pair[uint64]{Cur: p[0].Buffer(x.s), Alt: p[1].Buffer(x.s)}
	}
	return &list{buffers(x.lists.keys), buffers(x.lists.items)}
}

// keep is the value of Keep that the kernels are told.
func (x *residentRun) keep() uint32 {
	switch {
	case x.in.other > 0 && x.o.Both:
		return keepNone
	case x.in.other > 0:
		return keepOther
	case x.o.KeepFirst:
		return keepFirst
	}
	return keepNone
}

// settleClasses sorts m listed items and settles the windows of classes of one kind. The windows of other classes
// become open, or stay open if the items are open windows. It returns the number of items in these other classes.
func (x *residentRun) settleClasses(l *list, m, keyBits int, open bool) (mixedItems int, err error) {
	x.result.Parts++
	if m == 0 {
		return 0, nil
	}
	t, s := &x.lists, x.s
	t.radix.Run(x.ws, &l.keys, &l.items, m, 0, keyBits)
	mixed, count := t.mixed.Buffer(s), t.count.Buffer(s)
	mixed.View(0, bitWords(m)).Fill(0)
	count.Fill(0)
	mask := ^uint64(0) >> (mostKeyBits - keyBits)
	least, other := uint64(x.o.MinCount), uint64(x.in.other)
	leave := uint32(0)
	if open {
		leave = 1
	}
	x.k.compare.Launch(x.k.tiles(m), int64(m)*int64(x.o.Length*x.o.SymbolBytes), x.text.Buffer(s),
		uint64(len(x.in.text)), uint32(x.o.Length), l.keys.Cur, l.items.Cur, uint64(m), mask, least, other, mixed)
	x.k.settle.Launch(x.k.tiles(m), 48*int64(m), l.keys.Cur, l.items.Cur, uint64(m), mask, least, other, x.keep(), mixed,
		leave, x.flags.Buffer(s), x.open.Buffer(s), count)
	if t.frequent != nil {
		if err := x.findFrequent(l, m, mask, other); err != nil {
			return 0, err
		}
	}
	var items [1]uint32
	err = count.Read(items[:])
	return int(items[0]), err
}

// findFrequent notes the classes with many items.
func (x *residentRun) findFrequent(l *list, m int, mask, other uint64) error {
	t := &x.lists
	kept, found := t.kept.Buffer(x.s), t.found.Buffer(x.s)
	var count [1]uint64
	for least := uint64(x.o.MinCount); ; least *= 2 {
		t.frequent.Run(x.ws, m, 40, kept, l.keys.Cur, l.items.Cur, uint64(m), mask, least, other, t.mixed.Buffer(x.s),
			uint64(frequentLen), found)
		if err := kept.Read(count[:]); err != nil {
			return err
		}
		if count[0] <= frequentLen {
			break
		}
	}
	pairs := make([]uint64, 2*count[0])
	if len(pairs) == 0 {
		return nil
	}
	x.k.sizes.Launch(x.k.tiles(int(count[0])), 32*int64(count[0]), l.keys.Cur, l.items.Cur, uint64(m), mask, count[0],
		found)
	if err := found.View(0, len(pairs)).Download(x.ctx, pairs, nil); err != nil {
		return err
	}
	for i := 0; i < len(pairs); i += 2 {
		first, more := pairs[i+1]>>itemShift, pairs[i+1]&(1<<placeBits-1)
		x.note(first, more, pairs[i])
	}
	return nil
}

// note adds a frequent class to the result.
func (x *residentRun) note(first, more, count uint64) {
	x.result.Frequent = append(x.result.Frequent,
		Passage{Range{first, first + more + uint64(x.o.Length)}, count})
}

// seedOf is the seed of the fingerprints of a round.
func seedOf(round int) uint64 { return uint64(round+1) * 0xd1342543de82ef95 }

// findWindows settles the open windows.
func (x *residentRun) findWindows() error {
	for round := range mostRounds {
		open, err := x.collect(seedOf(round), 0, anyKey, anyLike, x.windows, nil)
		if err != nil || open == 0 {
			return err
		}
		if err := x.begin(phaseWindows, 0, int64(open)); err != nil {
			return err
		}
		x.settled = 0
		mixed := 0
		parts := intmath.CeilDiv(open, max(x.lists.capacity*4/5, 1))
		step := anyKey/uint64(parts) + 1 // 0 for one part
		for low, part := uint64(0), 0; part < parts; part++ {
			high := low + step - 1
			if part == parts-1 {
				high = anyKey
			}
			in, err := x.settleWindows(seedOf(round), low, high, int64(open))
			if err != nil {
				return err
			}
			mixed += in
			low = high + 1
		}
		if mixed == 0 {
			return nil
		}
	}
	return fmt.Errorf("duplicates: windows with equal fingerprints after %d rounds", mostRounds)
}

// collect lists the first open windows below `below` whose fingerprints are in [low, high] and that are like another,
// if l is not nil, and returns how many there are.
func (x *residentRun) collect(seed, low, high, like uint64, below int, l *list) (int, error) {
	kept := x.lists.kept.Buffer(x.s)
	var items *device.Buffer[uint64]
	if l != nil {
		items = l.items.Cur
	}
	bytes := int64(x.o.Length * x.o.SymbolBytes)
	if low == 0 && high == anyKey && l == nil {
		bytes = 1
	}
	x.resident.windows.Run(x.ws, below, bytes, kept, x.open.Buffer(x.s), x.text.Buffer(x.s), uint64(len(x.in.text)),
		uint32(x.o.Length), seed, low, high, like, uint64(x.lists.capacity), items)
	var count [1]uint64
	err := kept.Read(count[:])
	m := min(int(count[0]), x.lists.capacity)
	if l != nil && err == nil {
		x.k.keys.Launch(x.k.tiles(m), int64(m)*int64(x.o.Length*x.o.SymbolBytes), x.text.Buffer(x.s), uint32(x.o.Length),
			seed, items, uint64(m), l.keys.Cur)
	}
	return int(count[0]), err
}

// settleWindows settles the open windows with fingerprints in [low, high], and returns how many stay open.
func (x *residentRun) settleWindows(seed, low, high uint64, total int64) (int, error) {
	for {
		if err := x.begin(phaseWindows, x.settled, total); err != nil {
			return 0, err
		}
		l := x.list()
		m, err := x.collect(seed, low, high, anyLike, x.windows, l)
		if err != nil {
			return 0, err
		}
		if m <= x.lists.capacity {
			mixed, err := x.settleClasses(l, m, windowKeyBits(m), true)
			x.settled += int64(m)
			return mixed, err
		}
		// Too many, maybe of one kind: that of the first.
		like, err := x.settleLike(seed, l)
		if err != nil {
			return 0, err
		}
		x.settled += int64(like)
		if low == high || like >= m/4 {
			continue
		}
		middle := low + (high-low)/2
		mixed, err := x.settleWindows(seed, low, middle, total)
		if err != nil {
			return 0, err
		}
		more, err := x.settleWindows(seed, middle+1, high, total)
		return mixed + more, err
	}
}

// settleLike settles the windows that equal the first listed one, and returns their number.
func (x *residentRun) settleLike(seed uint64, l *list) (int, error) {
	var key, item [1]uint64
	if err := l.keys.Cur.View(0, 1).Read(key[:]); err != nil {
		return 0, err
	}
	if err := l.items.Cur.View(0, 1).Read(item[:]); err != nil {
		return 0, err
	}
	first := item[0] >> itemShift
	count, err := x.collect(seed, key[0], key[0], first, x.windows, nil)
	if err != nil {
		return 0, err
	}
	wanted := count >= x.o.MinCount
	if x.in.other > 0 {
		before, err := x.collect(seed, key[0], key[0], first, min(x.in.other, x.windows), nil)
		if err != nil {
			return 0, err
		}
		wanted = wanted && before > 0 && before < count
	}
	flagged := uint32(0)
	if wanted {
		flagged = 1
		if x.o.Frequent > 0 {
			x.note(first, 0, uint64(count))
		}
	}
	x.k.like.Launch(x.k.tiles(x.windows), int64(x.windows)/8, x.text.Buffer(x.s), uint64(len(x.in.text)),
		uint32(x.o.Length), seed, key[0], first, uint64(x.windows), flagged, x.keep(), uint64(x.in.other),
		x.flags.Buffer(x.s), x.open.Buffer(x.s))
	return count, nil
}

// handOut hands the runs of duplicates to out.
func (x *residentRun) handOut(out sink) error {
	kept, bitmap := x.lists.kept.Buffer(x.s), x.flags.Buffer(x.s)
	var places [2][]uint64 // where runs begin and end
	for from := 0; from < x.windows; from += x.runsAtOnce() {
		if err := x.begin(phaseRanges, int64(from), int64(x.windows)); err != nil {
			return err
		}
		count := min(x.runsAtOnce(), x.windows-from)
		for k := range places {
			to := x.lists.keys[k].Buffer(x.s)
			x.runs.Run(x.ws, count, 1, kept, bitmap, uint64(from), uint32(k), to)
			var found [1]uint64
			if err := kept.Read(found[:]); err != nil {
				return err
			}
			have := len(places[k])
			places[k] = append(places[k], make([]uint64, found[0])...)
			if found[0] == 0 {
				continue
			}
			if err := to.View(0, int(found[0])).Download(x.ctx, places[k][have:], nil); err != nil {
				return err
			}
		}
		ended := len(places[1])
		for i, last := range places[1] {
			if err := out.add(places[0][i], last); err != nil {
				return err
			}
		}
		places[0] = append(places[0][:0], places[0][ended:]...)
		places[1] = places[1][:0]
	}
	return nil
}
