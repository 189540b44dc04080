// Command libsuffixcl is no command but a shared library for C, C++ and Fortran: `make lib` builds it. suffixcl.h says
// what its functions do. It is the only part of the module that needs cgo.
package main

/*
#include "bridge.h"
*/
import "C"

import (
	"cmp"
	"context"
	"errors"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

func main() {}

// engines are the open handles of suffixcl_open.
var engines handles[*engine]

// engine is one with the session that it has.
type engine struct {
	*suffixcl.Engine
	session *device.Session
}

//export suffixcl_open
func suffixcl_open(options *C.suffixcl_options, made *C.uintptr_t) C.int {
	return status(func() error {
		if made == nil {
			return usage("made is NULL")
		}
		*made = 0
		o, err := optionsOf(options)
		if err != nil {
			return err
		}
		algorithm, err := suffixcl.ParseAlgorithm(cmp.Or(o.algorithm, string(suffixcl.AlgorithmAuto)))
		if err != nil {
			return err
		}
		if o.command != "" {
			cli.TryDrivers(o.command)
		}
		session, err := device.Open(device.Config{Selector: o.device, MaxMemory: o.maxMemory, Helper: o.command})
		if err != nil {
			return tuned.Unusable(err)
		}
		e, err := suffixcl.New(session, suffixcl.EngineOptions{Algorithm: algorithm, Progress: o.progress})
		if err != nil {
			return errors.Join(err, session.Close())
		}
		*made = C.uintptr_t(engines.add(&engine{e, session}))
		return nil
	})
}

//export suffixcl_close
func suffixcl_close(s C.uintptr_t) C.int {
	return status(func() error {
		h, err := engines.take(uintptr(s))
		if h == nil {
			return err
		}
		of := func(x searched) bool { return x.engine == uintptr(s) }
		indexes.drop(of)
		matchers.drop(of)
		return h.value.Close()
	})
}

//export suffixcl_cancel
func suffixcl_cancel(s C.uintptr_t) C.int {
	return status(func() error { return engines.cancel(uintptr(s)) })
}

//export suffixcl_suffix_array
func suffixcl_suffix_array(s C.uintptr_t, text *C.uint8_t, n C.uint64_t, sa *C.uint32_t) C.int {
	return engines.call(uintptr(s), func(ctx context.Context, e *engine) error {
		var a arguments
		in, out := slice[byte](&a, "text", text, n), slice[uint32](&a, "sa", sa, n)
		if a.err != nil {
			return a.err
		}
		return e.SuffixArrayInto(ctx, out, in)
	})
}

//export suffixcl_lcp
func suffixcl_lcp(s C.uintptr_t, text *C.uint8_t, n C.uint64_t, sa, lcp *C.uint32_t) C.int {
	return engines.call(uintptr(s), func(ctx context.Context, e *engine) error {
		var a arguments
		in, out := slice[byte](&a, "text", text, n), slice[uint32](&a, "lcp", lcp, n)
		switch {
		case a.err != nil:
			return a.err
		case sa == nil:
			return e.LCPInto(ctx, out, in)
		}
		want := suffixcl.Want{LCP: true, Known: slice[uint32](&a, "sa", sa, n), Into: &suffixcl.Result{LCP: out}}
		_, err := e.Arrays(suffixcl.Bytes(in), want).All(ctx)
		return err
	})
}

//export suffixcl_ranges
func suffixcl_ranges(s C.uintptr_t, text *C.uint8_t, n C.uint64_t, sa, lcp *C.uint64_t, transform *C.uint8_t,
	primary *C.uint64_t) C.int {
	return engines.call(uintptr(s), func(ctx context.Context, e *engine) error {
		var a arguments
		in, positions := slice[byte](&a, "text", text, n), wanted[uint64](&a, "sa", sa, n)
		lengths, rows := wanted[uint64](&a, "lcp", lcp, n), wanted[byte](&a, "transform", transform, n)
		switch {
		case sa == nil && lcp == nil && transform == nil && n > 0:
			a.fail("sa, lcp and transform are NULL")
		case transform != nil && primary == nil:
			a.fail("primary is NULL, and should have the index of the transform")
		}
		if a.err != nil {
			return a.err
		}
		o := suffixcl.RangeOptions{NoPositions: sa == nil, LCP: lcp != nil, Transform: transform != nil}
		o.Yield = func(b suffixcl.SuffixBlock) error {
			if positions != nil {
				copy(positions[b.First:], b.Positions)
			}
			if lengths != nil {
				copy(lengths[b.LCPFirst:], b.LCP)
			}
			if rows != nil {
				copy(rows[b.TransformFirst:], b.Transform)
			}
			return nil
		}
		state, err := e.Ranges(suffixcl.Bytes(in), o).All(ctx)
		if primary != nil {
			*primary = C.uint64_t(state.Primary)
		}
		return err
	})
}

//export suffixcl_bwt
func suffixcl_bwt(s C.uintptr_t, text *C.uint8_t, n C.uint64_t, transform *C.uint8_t, primary *C.uint64_t) C.int {
	return engines.call(uintptr(s), func(ctx context.Context, e *engine) error {
		var a arguments
		in, out := slice[byte](&a, "text", text, n), slice[byte](&a, "transform", transform, n)
		index := slice[C.uint64_t](&a, "primary", primary, 1)
		if a.err != nil {
			return a.err
		}
		at, err := e.BWTInto(ctx, out, in)
		index[0] = C.uint64_t(at)
		return err
	})
}

//export suffixcl_inverse_bwt
func suffixcl_inverse_bwt(s C.uintptr_t, transform *C.uint8_t, n, primary C.uint64_t, text *C.uint8_t) C.int {
	return engines.call(uintptr(s), func(ctx context.Context, e *engine) error {
		var a arguments
		in, out := slice[byte](&a, "transform", transform, n), slice[byte](&a, "text", text, n)
		if a.err != nil {
			return a.err
		}
		return e.InverseBWTInto(ctx, out, in, int(min(primary, longest)))
	})
}

//export suffixcl_inverse_bwt_plan
func suffixcl_inverse_bwt_plan(s C.uintptr_t, n C.uint64_t, plan *C.suffixcl_plan) C.int {
	return engines.call(uintptr(s), func(ctx context.Context, e *engine) error {
		var a arguments
		length := number(&a, "n", n)
		if plan == nil {
			a.fail("plan is NULL")
		}
		if a.err != nil {
			return a.err
		}
		_, err := plans(ctx, e, plan, e.Invert(&suffixcl.Result{BWT: suffixcl.Length(1, length)}))
		return err
	})
}

//export suffixcl_verify
func suffixcl_verify(s C.uintptr_t, text *C.uint8_t, n C.uint64_t, sa *C.uint32_t) C.int {
	return engines.call(uintptr(s), func(ctx context.Context, e *engine) error {
		var a arguments
		in, array := slice[byte](&a, "text", text, n), slice[uint32](&a, "sa", sa, n)
		if a.err != nil {
			return a.err
		}
		return e.Verify(ctx, in, array)
	})
}
