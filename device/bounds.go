package device

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"github.com/suffixcl/suffixcl/cl"
)

// bounds checks, for tests, that kernels touch nothing but the views that they are given. All else of a buffer is a red
// zone for the time of a launch: the bytes around the views, and redZone bytes after the end of each allocation. It is
// poisoned before, and compared after. A kernel that writes there fails its launch. One that reads there computes with
// poison, which is another one in each launch, so that the suite sees it by the result. What was there comes back.
type bounds struct {
	session *Session
	poison  func(bytes int64) []byte
	mu      sync.Mutex // of transfers on other queues, which must not meet poison
}

// redZone is how many bytes after each allocation are watched: what a work-group may write in one go.
const redZone = 4 << 10

// span is the bytes of an allocation from one to another.
type span struct{ from, to int64 }

// watched is a red zone of a launch: what was there before it, what it is poisoned with, and what the launch has left.
type watched struct {
	of *allocation
	span
	saved, poison, found []byte
}

// launch runs a launch with these views. The error says what the kernel has overwritten.
func (b *bounds) launch(views []view, run func() error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.session.finishTransfers(); err != nil {
		return err
	}
	commands, zones := b.session.queue.commands, redZones(views)
	for i := range zones {
		b.fill(zones[i].poison)
	}
	if err := cmp.Or(
		transferZones(zones, func(z *watched) []byte { return z.saved }, commands.EnqueueReadBuffer),
		transferZones(zones, func(z *watched) []byte { return z.poison }, commands.EnqueueWriteBuffer),
	); err != nil {
		return err
	}
	if err := run(); err != nil {
		return err
	}
	if err := cmp.Or(
		transferZones(zones, func(z *watched) []byte { return z.found }, commands.EnqueueReadBuffer),
		transferZones(zones, func(z *watched) []byte { return z.saved }, commands.EnqueueWriteBuffer),
	); err != nil {
		return err
	}
	for i := range zones {
		if err := zones[i].compare(views); err != nil {
			return err
		}
	}
	return nil
}

// fill fills memory with poison.
func (b *bounds) fill(memory []byte) {
	for len(memory) > 0 {
		memory = memory[copy(memory, b.poison(int64(len(memory)))):]
	}
}

// transferZones copies between the zones and memory of the host. The queue is in order: to wait for the last is enough.
func transferZones(zones []watched, host func(*watched) []byte, enqueue func(mem *cl.MemObject, blocking bool,
	offset, size int, host unsafe.Pointer, wait []*cl.Event) (*cl.Event, error)) error {
	for i := range zones {
		z := &zones[i]
		memory := host(z)
		e, err := enqueue(z.of.root, i == len(zones)-1, int(z.from), len(memory), unsafe.Pointer(&memory[0]), nil)
		e.Release()
		if err != nil {
			return err
		}
	}
	return nil
}

// compare returns an error if a zone has anything but its poison.
func (z *watched) compare(views []view) error {
	if bytes.Equal(z.found, z.poison) {
		return nil
	}
	first := 0
	for z.found[first] == z.poison[first] {
		first++
	}
	var given []string
	for _, v := range views {
		if v.of == z.of {
			given = append(given, fmt.Sprintf("[%d, %d)", v.from, v.to))
		}
	}
	return fmt.Errorf("it has written byte %d of %s of %d bytes, and was given %v of it", z.from+int64(first), z.of.what,
		z.of.bytes, given)
}

// view is what a launch is given of an allocation.
type view struct {
	of *allocation
	span
}

// redZones are the bytes of the allocations of views that are in none of these.
func redZones(views []view) (zones []watched) {
	sorted := slices.Clone(views)
	slices.SortStableFunc(sorted, func(a, b view) int { return cmp.Compare(a.from, b.from) })
	seen := make(map[*allocation]bool)
	for _, v := range views {
		if seen[v.of] {
			continue
		}
		seen[v.of] = true
		end := int64(0) // of what is known
		zone := func(to int64) {
			if to > end {
				memory := func() []byte { return make([]byte, to-end) }
				zones = append(zones, watched{v.of, span{end, to}, memory(), memory(), memory()})
			}
		}
		for _, other := range sorted {
			if other.of == v.of {
				zone(other.from)
				end = max(end, other.to)
			}
		}
		zone(v.of.bytes + v.of.zone)
	}
	return zones
}

// finishTransfers waits for what other queues have begun.
func (s *Session) finishTransfers() error {
	for _, q := range []*cl.CommandQueue{s.uploads.commands, s.downloads.commands} {
		if q != nil {
			if err := q.Finish(); err != nil {
				return err
			}
		}
	}
	return nil
}
