package device

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"unsafe"

	"github.com/suffixcl/suffixcl/cl"
)

// redZone is how many bytes after each allocation are watched: what a work-group may write in one go.
const redZone = 4 << 10

// span is the bytes of an allocation from one to another.
type span struct{ from, to int64 }

// view is what a launch is given of an allocation.
type view struct {
	of *allocation
	span
}

// watched is a red zone of a launch: what was there before it, what it is poisoned with, and what the launch has left.
type watched struct {
	of *allocation
	span
	saved, poison, found []byte
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
