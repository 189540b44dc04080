package main

/*
#include "bridge.h"
*/
import "C"

import (
	"context"
	"unsafe"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
)

// text is one of C: that of the library, and how many symbols its arrays have.
type text struct {
	suffixcl.Text
	n           int
	symbolBytes int
}

// textOf views a text of C. A call that plans takes one without symbols, and gets no set then.
func textOf(a *arguments, name string, given *C.suffixcl_text, planned bool) (made text) {
	if given == nil {
		a.fail("%s is NULL", name)
		return made
	}
	t := whole(a, name, given)
	made.symbolBytes = max(number(a, name+".symbol_bytes", t.symbol_bytes), 1)
	made.n = number(a, name+".n", t.n)
	isSet := t.offsets != nil || t.ends != nil
	switch {
	case a.err != nil:
		return made
	case made.symbolBytes != 1 && made.symbolBytes != 2 && made.symbolBytes != 4:
		a.fail("%s.symbol_bytes is %d: 1, 2 and 4 are possible", name, made.symbolBytes)
	case isSet && made.symbolBytes != 1:
		a.fail("%s is a set, and its symbols have %d bytes: sets are of bytes", name, made.symbolBytes)
	case t.offsets != nil && t.ends != nil:
		a.fail("%s has offsets and ends: a set has one of them", name)
	case !isSet && t.texts != 0:
		a.fail("%s.texts is %d, and it has neither offsets nor ends", name, uint64(t.texts))
	case planned && t.symbols == nil && !isSet:
		made.Text = suffixcl.Length(made.symbolBytes, made.n)
	case made.symbolBytes == 2:
		made.Text = suffixcl.Tokens16(aligned[uint16](a, name+".symbols", t.symbols, t.n))
	case made.symbolBytes == 4:
		made.Text = suffixcl.Tokens32(aligned[uint32](a, name+".symbols", t.symbols, t.n))
	default:
		letters := slice[byte](a, name+".symbols", (*C.uint8_t)(t.symbols), t.n)
		if !isSet {
			made.Text = suffixcl.Bytes(letters)
			break
		}
		made.Text = setOf(a, name, t, letters)
		made.n = made.Len()
	}
	return made
}

// setOf is the set that a text of bytes is.
func setOf(a *arguments, name string, t C.suffixcl_text, letters []byte) (set suffixcl.Text) {
	if t.texts >= longest {
		a.fail("%s.texts is %d", name, uint64(t.texts))
		return set
	}
	if t.offsets != nil {
		offsets := slice[uint64](a, name+".offsets", t.offsets, t.texts+1)
		checkAscending(a, name+".offsets", offsets, uint64(len(letters)))
		if a.err == nil && offsets[t.texts] != uint64(len(letters)) {
			a.fail("%s.offsets end at %d, and the text at %d", name, offsets[t.texts], len(letters))
		}
		if a.err != nil {
			return set
		}
		texts := make([][]byte, t.texts)
		for k := range texts {
			texts[k] = letters[offsets[k]:offsets[k+1]]
		}
		return suffixcl.Documents(texts...)
	}
	ends := slice[uint32](a, name+".ends", t.ends, t.texts)
	if a.err != nil {
		return set
	}
	made, err := suffixcl.NewCollection(letters, ends)
	if err != nil {
		a.err = err
		return set
	}
	return suffixcl.Set(made)
}

// aligned is slice for symbols of several bytes.
func aligned[T any](a *arguments, name string, p unsafe.Pointer, n C.uint64_t) []T {
	var symbol T
	if n > 0 && uintptr(p)%unsafe.Alignof(symbol) != 0 {
		a.fail("%s is at no multiple of %d", name, unsafe.Alignof(symbol))
		return nil
	}
	return slice[T](a, name, (*C.uint8_t)(p), n)
}

// planner is a job, of which a plan is wanted or not.
type planner interface {
	Plan(ctx context.Context) (device.MemoryPlan, error)
}

// plans fills the plan of C that a call was given, and tells whether there was one.
func plans(ctx context.Context, e *engine, p *C.suffixcl_plan, job planner) (planned bool, err error) {
	if p == nil {
		return false, nil
	}
	var a arguments
	given := whole(&a, "plan", p)
	table := wanted[byte](&a, "plan.table", given.table, C.uint64_t(given.table_size))
	if a.err != nil {
		return true, a.err
	}
	plan, err := job.Plan(ctx)
	if err != nil {
		return true, err
	}
	p.device, p.host = C.int64_t(plan.Device()), C.int64_t(plan.Host())
	if len(table) > 0 {
		table[copy(table[:len(table)-1], plan.String())] = 0
	}
	return true, plan.Fits(e.session)
}
