package device

import (
	"slices"
	"unsafe"

	"github.com/suffixcl/suffixcl/cl"
)

// hostMemory makes page-locked memory of the host, and knows what of it callers hold.
type hostMemory struct {
	context *cl.Context
	queue   *queue
	held    []*pinned
}

// pinned is a buffer in host memory that stays mapped.
type pinned struct {
	mem    *cl.MemObject
	mapped *cl.MappedMemObject
	host   []byte // nil once released
}

// pin allocates page-locked memory.
func (h *hostMemory) pin(bytes int) (*pinned, error) {
	mem, err := h.context.CreateEmptyBuffer(cl.MemReadWrite|cl.MemAllocHostPtr, bytes)
	if err != nil {
		return nil, err
	}
	mapped, e, err := h.queue.commands.EnqueueMapBuffer(mem, true, cl.MapFlagRead|cl.MapFlagWrite, 0, bytes, nil)
	e.Release()
	if err != nil {
		mem.Release()
		return nil, err
	}
	return &pinned{mem, mapped, mapped.ByteSlice()}, nil
}

// unpin frees p, which may be nil.
func (h *hostMemory) unpin(p *pinned) {
	if p == nil {
		return
	}
	e, err := h.queue.commands.EnqueueUnmapMemObject(p.mem, p.mapped, nil)
	if err == nil {
		err = e.Wait()
		e.Release()
	}
	h.queue.fail(err)
	p.mem.Release()
	p.host = nil
}

// hold allocates for a caller.
func (h *hostMemory) hold(bytes int) (*pinned, error) {
	p, err := h.pin(bytes)
	if err == nil {
		h.held = append(h.held, p)
	}
	return p, err
}

// giveBack frees what hold has returned, unless that is done.
func (h *hostMemory) giveBack(p *pinned) {
	if i := slices.Index(h.held, p); i >= 0 {
		h.held = slices.Delete(h.held, i, i+1)
		h.unpin(p)
	}
}

// contains reports whether all of host is memory that a caller holds.
func (h *hostMemory) contains(host []byte) bool {
	if len(host) == 0 {
		return false
	}
	start := uintptr(unsafe.Pointer(&host[0]))
	return slices.ContainsFunc(h.held, func(p *pinned) bool {
		begin := uintptr(unsafe.Pointer(&p.host[0]))
		return start >= begin && len(host) <= len(p.host) && start-begin <= uintptr(len(p.host)-len(host))
	})
}

// release frees what callers hold.
func (h *hostMemory) release() {
	for _, p := range h.held {
		h.unpin(p)
	}
	h.held = nil
}
