package prefixdoubling

import (
	"context"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
)

// Sorter sorts the suffixes of texts of up to n characters by one of the algorithms. It may be used again and again; it
// holds its device memory until Release.
type Sorter struct {
	s      *device.Session
	n      int
	layout *device.Layout
	algorithm
}

// algorithm is what the sorters differ in.
type algorithm interface {
	// sort is Run for a text of one character and more that is not too long.
	sort(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32], progress progress) error
}

// progress is told how many of the total suffixes are in their final place.
type progress = func(phase string, done, total int64)

// Memory is the sorter's device memory, without text and result.
func (o *Sorter) Memory() device.PhaseMemory { return o.layout.Memory() }

// Allocate takes the device memory.
func (o *Sorter) Allocate() error { return o.layout.Allocate(o.s) }

// Release frees the device memory.
func (o *Sorter) Release() { o.layout.Release(o.s) }

// Run sorts the suffixes of text[:n] into sa[:n], n being the length of the text. Allocate must have been called.
// progress, if not nil, is told how many of the total suffixes are in their final place. Run returns when the last
// round is known to be the last; sa may still be under way, as usual for enqueued work.
//
// Errors: a text longer than planned, a device that does not compute right, the context's, the device's (with the
// phase).
func (o *Sorter) Run(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32],
	progress func(phase string, done, total int64)) error {
	n := text.Len()
	if n > o.n || sa.Len() < n {
		return fmt.Errorf("prefixdoubling: text of %d bytes, suffix array of %d entries, planned for %d", n, sa.Len(), o.n)
	}
	if n == 0 {
		return o.s.Check(ctx)
	}
	return o.sort(ctx, text, sa, progress)
}

func report(progress progress, phase string, done, total int) {
	if progress != nil {
		progress(phase, int64(done), int64(total))
	}
}
