package main

import "C"

import (
	"context"
	"sync"
)

// handles are the objects to which C has pointers. The pointers are numbers that are never used again, so that a closed
// handle is known.
type handles[T any] struct {
	mu   sync.Mutex
	last uintptr
	open map[uintptr]*handle[T]
}

// handle is an open one with the calls that run on it.
type handle[T any] struct {
	value T
	mu    sync.Mutex
	calls map[*context.CancelFunc]struct{}
}

var errHandle = usage("the handle is closed, or none")

func (h *handles[T]) add(value T) uintptr {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open == nil {
		h.open = make(map[uintptr]*handle[T])
	}
	h.last++
	h.open[h.last] = &handle[T]{value: value}
	return h.last
}

func (h *handles[T]) get(number uintptr) (*handle[T], error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if one, ok := h.open[number]; ok {
		return one, nil
	}
	return nil, errHandle
}

// take removes a handle; NULL is nil without an error.
func (h *handles[T]) take(number uintptr) (*handle[T], error) {
	if number == 0 {
		return nil, nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	one, ok := h.open[number]
	if !ok {
		return nil, errHandle
	}
	delete(h.open, number)
	return one, nil
}

// drop removes the handles that belong to one that is closed.
func (h *handles[T]) drop(of func(value T) bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for number, one := range h.open {
		if of(one.value) {
			delete(h.open, number)
		}
	}
}

// call runs f for a handle until somebody cancels it, and returns the status.
func (h *handles[T]) call(number uintptr, f func(ctx context.Context, value T) error) C.int {
	return status(func() error {
		one, err := h.get(number)
		if err != nil {
			return err
		}
		ctx, done := one.begin()
		defer done()
		return f(ctx, one.value)
	})
}

// begin makes the context of a call. done must be called.
func (h *handle[T]) begin() (ctx context.Context, done func()) {
	ctx, cancel := context.WithCancel(context.Background())
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.calls == nil {
		h.calls = make(map[*context.CancelFunc]struct{})
	}
	h.calls[&cancel] = struct{}{}
	return ctx, func() {
		cancel()
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.calls, &cancel)
	}
}

// cancel ends the contexts of the calls that run.
func (h *handles[T]) cancel(number uintptr) error {
	one, err := h.get(number)
	if err != nil {
		return err
	}
	one.cancel()
	return nil
}

// cancel ends the contexts of the calls that run.
func (h *handle[T]) cancel() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for cancel := range h.calls {
		(*cancel)()
	}
}
