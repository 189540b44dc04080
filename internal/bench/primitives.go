package bench

import (
	"context"
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/scan"
)

// Primitives are the cases of `suffixcl bench primitives`. The names are also
// those of bench/cub, so that results can be matched.
func Primitives() []Case {
	return []Case{
		sortPairs[uint32]("radix sort pairs u32/u32", 32),
		sortPairs[uint64]("radix sort pairs u64/u32", 64),
		sortPairs[uint64]("radix sort pairs u64/u32, 40 bits", 40),
		{"exclusive sum u32", prepareSum},
		{"select 50 %", prepareSelect},
	}
}

// random fills a slice from a fixed sequence (splitmix64), the same everywhere.
func random[T radixsort.Value](n int, seed uint64) []T {
	values := make([]T, n)
	for i := range values {
		x := seed + uint64(i+1)*0x9e3779b97f4a7c15
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		values[i] = T(x ^ x>>31)
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

// plan is what every primitive has.
type plan interface {
	Workspace() device.Pieces
	Release()
}

func workspace[P plan](u *setup, p P, err error) *device.Workspace {
	if u.err != nil {
		return nil
	}
	if u.err = err; err != nil {
		return nil
	}
	u.release = append(u.release, p.Release)
	ws, err := device.NewWorkspace(u.s, p.Workspace())
	if u.err = err; err != nil {
		return nil
	}
	u.release = append(u.release, ws.Release)
	return ws
}

// done makes a job, or releases what there is.
func (u *setup) done(j job) (*job, error) {
	if u.err != nil {
		u.releaseAll()
		return nil, u.err
	}
	j.release = u.releaseAll
	return &j, nil
}

func sortPairs[K radixsort.Value](name string, bits int) Case {
	return Case{name, func(ctx context.Context, s *device.Session, n int) (*job, error) {
		u := &setup{ctx: ctx, s: s}
		p, err := radixsort.NewPairs[K, uint32](s, n)
		ws := workspace(u, p, err)
		host := random[K](n, 1)
		if bits < 64 {
			for i := range host {
				host[i] &= K(uint64(1)<<bits - 1)
			}
		}
		input := upload(u, host)
		keys := radixsort.Pair[K]{Cur: buffer[K](u, n), Alt: buffer[K](u, n)}
		values := radixsort.Pair[uint32]{Cur: buffer[uint32](u, n), Alt: buffer[uint32](u, n)}
		if u.err == nil {
			values.Cur.Fill(0)
		}
		keyBytes := int64(8)
		if _, ok := any(K(0)).(uint32); ok {
			keyBytes = 4
		}
		return u.done(job{
			bytes:   2 * int64(n) * (keyBytes + 4) * int64((bits+7)/8),
			restore: func() { device.Copy(keys.Cur, input, n) },
			run:     func() { p.Run(ws, &keys, &values, n, 0, bits) },
			check: func() error {
				got := make([]K, n)
				if err := keys.Cur.Download(ctx, got, nil); err != nil {
					return err
				}
				if !slices.IsSorted(got) {
					return fmt.Errorf("the result is not sorted")
				}
				var sum, want K
				for i := range got {
					sum, want = sum+got[i], want+host[i]
				}
				if sum != want {
					return fmt.Errorf("keys were lost")
				}
				return nil
			},
		})
	}}
}

func prepareSum(ctx context.Context, s *device.Session, n int) (*job, error) {
	u := &setup{ctx: ctx, s: s}
	p, err := scan.NewPlan[uint32](s, n, scan.Options{})
	ws := workspace(u, p, err)
	host := random[uint32](n, 2)
	in, out := upload(u, host), buffer[uint32](u, n)
	return u.done(job{
		bytes: 8 * int64(n),
		run:   func() { p.Run(ws, in, out, n) },
		check: func() error {
			got := make([]uint32, n)
			if err := out.Download(ctx, got, nil); err != nil {
				return err
			}
			var sum uint32
			for i, v := range host {
				if got[i] != sum {
					return fmt.Errorf("element %d is %d instead of %d", i, got[i], sum)
				}
				sum += v
			}
			return nil
		},
	})
}

func prepareSelect(ctx context.Context, s *device.Session, n int) (*job, error) {
	u := &setup{ctx: ctx, s: s}
	p, err := scan.NewSelectIf[uint32](s, n, "(item & 1) == 0", scan.CompactOptions{})
	ws := workspace(u, p, err)
	host := random[uint32](n, 3)
	in, out, kept := upload(u, host), buffer[uint32](u, n), buffer[uint64](u, 1)
	return u.done(job{
		bytes: 6 * int64(n), // each read, half of them written
		run:   func() { p.Run(ws, 0, in, out, n, kept) },
		check: func() error {
			want := make([]uint32, 0, n/2)
			for _, v := range host {
				if v%2 == 0 {
					want = append(want, v)
				}
			}
			got := make([]uint32, len(want))
			if err := out.Download(ctx, got, nil); err != nil {
				return err
			}
			if !slices.Equal(got, want) {
				return fmt.Errorf("the selected elements differ")
			}
			return nil
		},
	})
}
