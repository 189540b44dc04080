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
	spare   *pinned // what was given back last, to be held again; nil: none
	most    int     // bytes that are kept so
}

// mostSpare is how much page-locked memory a session keeps, of devices with memory of their own: it takes 0.5 ms a MB.
const mostSpare = 256 << 20

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

// hold allocates for a caller, or takes what is kept.
func (h *hostMemory) hold(bytes int) (*pinned, error) {
	p := h.spare
	if p == nil || len(p.host) < bytes || len(p.host)/4 > bytes {
		var err error
		if p, err = h.pin(bytes); err != nil {
			return nil, err
		}
	} else {
		h.spare = nil
	}
	h.held = append(h.held, p)
	return p, nil
}

// giveBack keeps or frees what hold has returned, unless that is done.
func (h *hostMemory) giveBack(p *pinned) {
	if i := slices.Index(h.held, p); i >= 0 {
		h.held = slices.Delete(h.held, i, i+1)
		if len(p.host) <= h.most {
			h.spare, p = p, h.spare
		}
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

// release frees what callers hold, and what is kept.
func (h *hostMemory) release() {
	h.unpin(h.spare)
	h.spare = nil
	for _, p := range h.held {
		h.unpin(p)
	}
	h.held = nil
}
