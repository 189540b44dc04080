package suffixsort

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/periodic"
	"github.com/suffixcl/suffixcl/segsort"
)

// memory is the device memory of a Sorter.
type memory struct {
	session *device.Session
	arena   arena
	kept    *device.Layout // in all runs
	shared  *device.Layout // which skew has while it sorts

	table  *device.Slot[uint32]
	counts *device.Slot[uint32]
	tail   *device.Slot[uint8] // of a periodic text

	tenants                [tenants]tenant // of the text of the run
	blocks                 [blocks]*device.Slot[uint32]
	heads, lastHeads       *device.Slot[uint32] // of all suffixes
	classes                *device.Slot[uint32]
	endHeads, endLastHeads *device.Slot[uint32] // of representatives
	workspace              *device.WorkspaceSlot
}

// planMemory sizes the memory. workspace is that of the longest step.
func planMemory(s *device.Session, a arena, workspace device.Pieces) *memory {
	m := &memory{session: s, arena: a}
	m.kept = device.NewLayout("sort")
	m.table = device.Reserve[uint32](m.kept, "code", tableWords)
	m.counts = device.Reserve[uint32](m.kept, "counts", countWords)
	m.tail = device.Reserve[uint8](m.kept, "end of a periodic text", periodic.Most(a.n))

	l := device.NewLayout("sort")
	words := a.words()
	reserve := func(b block, name string) { m.blocks[b] = device.Reserve[uint32](l, name, words[b]) }
	reserve(blockISA, "windows and ISA")
	reserve(blockOrder, "windows and representatives")
	reserve(blockRanks, "windows, slots and ranks")
	reserve(blockPacked, "packed text, or depths")
	bitmap, ends := segsort.HeadWords(a.n), segsort.HeadWords(a.capacity.Representatives)
	m.heads = device.Reserve[uint32](l, "groups of all", bitmap)
	m.lastHeads = device.Reserve[uint32](l, "last heads of all", bitmap)
	m.classes = device.Reserve[uint32](l, "small and large groups of all", 2*bitmap)
	reserve(blockStarts, "starts of words of all")
	m.endHeads = device.Reserve[uint32](l, "groups of representatives", ends)
	m.endLastHeads = device.Reserve[uint32](l, "last heads of representatives", ends)
	reserve(blockClasses, "small and large groups of representatives")
	reserve(blockHeads, "heads of representatives")
	m.workspace = device.ReserveWorkspace(l, workspace)
	m.shared = l
	return m
}

func (m *memory) allocate() error {
	for _, l := range []*device.Layout{m.kept, m.shared} {
		if err := l.Allocate(m.session); err != nil {
			m.release()
			return err
		}
	}
	return nil
}

func (m *memory) release() {
	m.kept.Release(m.session)
	m.shared.Release(m.session)
}

// fit places the tenants of a text of n characters.
func (m *memory) fit(n int) { m.tenants = m.arena.tenants(n, form{}) }

// groups are those of all suffixes, whose array is given.
func (m *memory) groups(sa *device.Buffer[uint32]) groups {
	return groups{
		n: sa.Len(), suffixes: sa, heads: m.heads.Buffer(m.session), snapshot: m.words(tenantSnapshot),
		lastHeads: m.lastHeads.Buffer(m.session), classes: m.classes.Buffer(m.session),
		starts: m.words(tenantWindowStarts),
	}
}

// words is a tenant in words of 32 bits.
func (m *memory) words(id tenantID) *device.Buffer[uint32] {
	t := &m.tenants[id]
	return m.blocks[t.block].Buffer(m.session).View(t.offset, t.words)
}

// longs is a tenant in words of 64 bits.
func (m *memory) longs(id tenantID) *device.Buffer[uint64] {
	return device.Reinterpret[uint64](m.words(id))
}

// bytes is a tenant in bytes.
func (m *memory) bytes(id tenantID) *device.Buffer[uint8] {
	return device.Reinterpret[uint8](m.words(id))
}
