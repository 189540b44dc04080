package main

/*
#include "bridge.h"
*/
import "C"

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// ranks are a device of this rank, and the communicator of the program.
type ranks struct {
	communicator int32 // its Fortran handle
	session      *device.Session
	options      distributed.Options
	busy         sync.Mutex
}

// groups are the open handles of suffixcl_ranks_open.
var groups handles[*ranks]

//export suffixcl_ranks_block
func suffixcl_ranks_block(n C.uint64_t, count, rank C.int, first, length *C.uint64_t) C.int {
	return status(func() error {
		switch {
		case rank < 0 || rank >= count:
			return usage("rank %d of %d", int(rank), int(count))
		case first == nil || length == nil:
			return usage("first or length is NULL")
		}
		from, to := distributed.Bounds(uint64(n), int(count), int(rank))
		*first, *length = C.uint64_t(from), C.uint64_t(to-from)
		return nil
	})
}

//export suffixcl_ranks_open
func suffixcl_ranks_open(options *C.suffixcl_options, communicator C.int, made *C.uintptr_t) C.int {
	if made != nil {
		*made = 0
	}
	return status(func() error {
		return distributed.VisitMPI(int32(communicator), func(c distributed.Communicator) error {
			r := &ranks{communicator: int32(communicator)}
			err := guarded(func() error { return r.open(c, options, made) })
			b := distributed.New(c, nil, distributed.Options{})
			if err := b.Agree(context.Background(), err); err != nil {
				if r.session != nil {
					r.session.Close()
				}
				return err
			}
			*made = C.uintptr_t(groups.add(r))
			return nil
		})
	})
}

// open opens the device of this rank.
func (r *ranks) open(c distributed.Communicator, given *C.suffixcl_options, made *C.uintptr_t) error {
	o, wrong := optionsOf(given)
	selector, err := distributed.Selector(c, o.device) // which waits for the other ranks
	switch {
	case wrong != nil:
		return wrong
	case made == nil:
		return usage("made is NULL")
	}
	algorithm := distributed.Algorithm(cmp.Or(o.algorithm, string(distributed.PCSS)))
	if !slices.Contains(distributed.Algorithms(), algorithm) {
		return usage("options.algorithm is %q, and over ranks it is one of %v", o.algorithm, distributed.Algorithms())
	}
	if err == nil {
		r.options = distributed.Options{Algorithm: algorithm, Progress: o.progress, MaxMemory: o.maxMemory}
		r.session, err = device.Open(device.Config{Selector: selector, MaxMemory: o.maxMemory})
	}
	return tuned.Unusable(err)
}

//export suffixcl_ranks_close
func suffixcl_ranks_close(r C.uintptr_t) C.int {
	return status(func() error {
		h, err := groups.take(uintptr(r))
		if h == nil {
			return err
		}
		h.value.busy.Lock()
		defer h.value.busy.Unlock()
		return h.value.session.Close()
	})
}

//export suffixcl_ranks_cancel
func suffixcl_ranks_cancel(r C.uintptr_t) C.int {
	return status(func() error { return groups.cancel(uintptr(r)) })
}

// block has what a call over ranks takes and returns: the rank's block of the text and of the array.
type block struct {
	text []byte
	sa   []uint64
}

// together runs f on all ranks. prepare finds the memory of this one; all return if it fails on one.
func together(number C.uintptr_t, text *C.uint8_t, length C.uint64_t, sa *C.uint64_t, prepare func(*arguments),
	f func(ctx context.Context, b *distributed.Builder, in block) error) C.int {
	return groups.call(uintptr(number), func(ctx context.Context, r *ranks) error {
		if !r.busy.TryLock() {
			return usage("the handle is in another call")
		}
		defer r.busy.Unlock()
		return distributed.VisitMPI(r.communicator, func(c distributed.Communicator) error {
			return guarded(func() error {
				var a arguments
				in := block{slice[byte](&a, "block", text, length), slice[uint64](&a, "sa", sa, length)}
				prepare(&a)
				b := distributed.New(c, r.session, r.options)
				defer b.Release()
				if err := b.Agree(ctx, a.err); err != nil {
					return err
				}
				return f(ctx, b, in)
			})
		})
	})
}

//export suffixcl_ranks_suffix_array
func suffixcl_ranks_suffix_array(r C.uintptr_t, text *C.uint8_t, length C.uint64_t, sa *C.uint64_t) C.int {
	return together(r, text, length, sa, func(*arguments) {},
		func(ctx context.Context, b *distributed.Builder, in block) error {
			made, err := b.SuffixArray(ctx, in.text)
			copy(in.sa, made)
			return err
		})
}

//export suffixcl_ranks_lcp
func suffixcl_ranks_lcp(r C.uintptr_t, text *C.uint8_t, length C.uint64_t, sa, lcp *C.uint64_t) C.int {
	var out []uint64
	return together(r, text, length, sa, func(a *arguments) { out = slice[uint64](a, "lcp", lcp, length) },
		func(ctx context.Context, b *distributed.Builder, in block) error {
			made, err := b.LCP(ctx, in.text, in.sa)
			copy(out, made)
			return err
		})
}

//export suffixcl_ranks_bwt
func suffixcl_ranks_bwt(r C.uintptr_t, text *C.uint8_t, length C.uint64_t, sa *C.uint64_t, transform *C.uint8_t,
	primary *C.uint64_t) C.int {
	var (
		out   []byte
		index []C.uint64_t
	)
	return together(r, text, length, sa, func(a *arguments) {
		out, index = slice[byte](a, "transform", transform, length), slice[C.uint64_t](a, "primary", primary, 1)
	}, func(ctx context.Context, b *distributed.Builder, in block) error {
		made, at, err := b.BWT(ctx, in.text, in.sa)
		copy(out, made)
		index[0] = C.uint64_t(at)
		return err
	})
}

//export suffixcl_ranks_verify
func suffixcl_ranks_verify(r C.uintptr_t, text *C.uint8_t, length C.uint64_t, sa *C.uint64_t) C.int {
	return together(r, text, length, sa, func(*arguments) {},
		func(ctx context.Context, b *distributed.Builder, in block) error {
			return b.Verify(ctx, in.text, in.sa)
		})
}
