package bench

import (
	"context"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/testkit/synthetic"
)

// grain is how many elements are worth a processor of their own.
const grain = 1 << 14

// random fills a slice from a fixed sequence.
func random[T uint32 | uint64](n int, seed uint64) []T {
	values := make([]T, n)
	parallel.Do(n, grain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			values[i] = T(synthetic.Mix(seed, uint64(i)))
		}
	})
	return values
}

// numbers are 0, 1, 2, ...
func numbers[T uint32 | uint64](n int) []T {
	values := make([]T, n)
	for i := range values {
		values[i] = T(i)
	}
	return values
}

// setup collects allocations, so that the first error ends a preparation and
// everything is released.
type setup struct {
	ctx     context.Context
	s       *device.Session
	err     error
	release []func()
}

func (u *setup) releaseAll() {
	for _, f := range slices.Backward(u.release) {
		f()
	}
	u.release = nil
}

func buffer[T device.Element](u *setup, n int) *device.Buffer[T] {
	if u.err != nil {
		return nil
	}
	b, err := device.Alloc[T](u.s, n)
	if u.err = err; err == nil {
		u.release = append(u.release, b.Release)
	}
	return b
}

func upload[T device.Element](u *setup, data []T) *device.Buffer[T] {
	b := buffer[T](u, len(data))
	if u.err == nil {
		u.err = b.Upload(u.ctx, data, nil)
	}
	return b
}

func download[T device.Element](u *setup, b *device.Buffer[T], n int) ([]T, error) {
	data := make([]T, n)
	return data, b.Download(u.ctx, data, nil)
}

// plan is what every primitive has.
type plan interface{ Workspace() device.Pieces }

// workspace allocates what a plan needs.
func workspace(u *setup, p plan) *device.Workspace {
	if u.err != nil {
		return nil
	}
	ws, err := device.NewWorkspace(u.s, p.Workspace())
	if u.err = err; err != nil {
		return nil
	}
	u.release = append(u.release, ws.Release)
	return ws
}
