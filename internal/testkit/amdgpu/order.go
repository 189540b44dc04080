package amdgpu

import "strings"

// clock tells of each work-group how many of its fences are known: what it did before the last of these is in order.
type clock []uint32

// join makes the clock know what another one does.
func (c *clock) join(other clock, groups int) {
	if *c == nil && other != nil {
		*c = make(clock, groups)
	}
	for i, times := range other {
		(*c)[i] = max((*c)[i], times)
	}
}

// order is what a work-group knows of others by fences for the whole device and atomic operations between them, as
// Lamport (1978) has it. A fence of a wavefront counts for the work-group, whose barriers it is used with.
type order struct {
	fences    uint32 // that the work-group has passed
	known     clock  // since its last fence
	seen      clock  // by atomic operations, and known from the next fence on
	published clock  // what its atomic operations tell
}

// fence is one for the device, of both kinds.
func (w *wave) fence() {
	o, n := &w.group.order, w.launch.total
	w.launch.fenced.set(w.group.flat)
	o.fences++
	o.known.join(o.seen, n)
	o.published.join(o.known, n)
	if o.published == nil {
		o.published = make(clock, n)
	}
	o.published[w.group.flat] = o.fences
}

// meet notes an atomic operation on a word: it tells others what is published, and sees what they have.
func (w *wave) meet(b *buffer, offset int) {
	l, o := w.launch, &w.group.order
	if l.fenced == nil {
		return
	}
	at := b.base + uint64(offset)
	told := l.told[at]
	o.seen.join(told, l.total)
	told.join(o.published, l.total)
	l.told[at] = told
}

// after reports whether what another work-group did after so many fences is in order before what this one does.
func (w *wave) after(other, fences uint32) bool {
	known := w.group.order.known
	return known != nil && known[other] > fences
}

// afterAll is after of all other work-groups that have passed a fence.
func (w *wave) afterAll(fences uint32) bool {
	for other := range w.launch.fenced {
		if other != w.group.flat && !w.after(uint32(other), fences) {
			return false
		}
	}
	return w.launch.fenced != nil
}

// flats is a set of work-groups.
type flats map[int]struct{}

func (f *flats) set(flat int) {
	if *f == nil {
		*f = flats{}
	}
	(*f)[flat] = struct{}{}
}

// runInvalidate forgets what caches of a compute unit have: the last instruction of a fence. Those for a work-group
// have another scope.
func runInvalidate(w *wave, in *inst) {
	if !strings.HasPrefix(in.text, "buffer_inv") || strings.Contains(in.text, "sc1") {
		w.fence()
	}
}
