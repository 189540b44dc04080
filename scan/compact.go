package scan

import (
	"fmt"
	"maps"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tune"
)

// Selection keeps the flagged elements of an array, in order.
type Selection[T Value] struct {
	t         *CompactTemplate
	partition bool
}

// NewSelect compiles a selection from up to n elements.
func NewSelect[T Value](s *device.Session, n int) (*Selection[T], error) {
	return newSelection[T](s, n, false)
}

// NewPartition compiles a stable partition of up to n elements: the flagged ones
// in order, then the others in order.
func NewPartition[T Value](s *device.Session, n int) (*Selection[T], error) {
	return newSelection[T](s, n, true)
}

func newSelection[T Value](s *device.Session, n int, partition bool) (*Selection[T], error) {
	t, err := NewCompactTemplate(s, n, nil, selectionDefines[T](partition))
	if err != nil {
		return nil, err
	}
	return &Selection[T]{t, partition}, nil
}

func selectionDefines[T Value](partition bool) device.Defines {
	typ, _ := clType[T]()
	p := 0
	if partition {
		p = 1
	}
	return device.Defines{"T": typ, "PARTITION": p}
}

// WorkspaceBytes is what Run carves from its workspace.
func (c *Selection[T]) WorkspaceBytes() int64 { return c.t.WorkspaceBytes() }

// Release frees the kernels.
func (c *Selection[T]) Release() {
	if c != nil {
		c.t.Release()
	}
}

// Run enqueues moving the elements among the first n of in whose flag is not 0
// to the start of out; their number goes to kept[0]. A partition fills the rest
// of out[:n] with the other elements. in and out must not overlap.
func (c *Selection[T]) Run(ws *device.Workspace, flags *device.Buffer[uint8], in, out *device.Buffer[T], n int, kept *device.Buffer[uint64]) {
	if n > in.Len() || n > flags.Len() || c.partition && n > out.Len() {
		in.Session().Fail(fmt.Errorf("scan: compacting %d elements in buffers of %d, %d flags", n, in.Len(), flags.Len()))
		return
	}
	_, size := clType[T]()
	c.t.Run(ws, n, 2+2*int64(size), kept, flags, in, out)
}

// CompactTemplate compacts elements that kernel code judges and moves.
type CompactTemplate struct {
	s                      *device.Session
	n, tile                int
	count, partials, write *device.Kernel
}

// CompactSource is the program of a CompactTemplate.
func CompactSource(set tune.Set, files []string, defines device.Defines) device.Source {
	defines = maps.Clone(defines)
	defines["WG"], defines["ITEMS"] = set.Compact.WG, set.Compact.Items
	return device.Source{Files: append(files[:len(files):len(files)], "compact.cl"), Defines: defines}
}

// NewCompactTemplate compiles a compaction of up to n elements. files define the
// template parameters listed in compact.cl; defines are their macros.
func NewCompactTemplate(s *device.Session, n int, files []string, defines device.Defines) (*CompactTemplate, error) {
	shape := s.Tuning().Compact
	program, err := s.Program(CompactSource(*s.Tuning(), files, defines))
	if err != nil {
		return nil, err
	}
	t := &CompactTemplate{s: s, n: n, tile: shape.WG * shape.Items}
	err = program.Kernels(shape.WG, map[string]**device.Kernel{
		"compact_count": &t.count, "compact_partials": &t.partials, "compact_write": &t.write,
	})
	if err != nil {
		return nil, err
	}
	return t, nil
}

// WorkspaceBytes is what Run carves from its workspace.
func (t *CompactTemplate) WorkspaceBytes() int64 {
	return device.WorkspaceBytes[uint64](t.s, device.Groups(t.n, t.tile)+1)
}

// Release frees the kernels.
func (t *CompactTemplate) Release() {
	if t == nil {
		return
	}
	t.count.Release()
	t.partials.Release()
	t.write.Release()
}

// Run enqueues the compaction of n elements; the number kept goes to kept[0].
// bytesPerElement is the traffic of one element over the whole compaction, for
// the profile; args are the COMPACT_PARAMS.
func (t *CompactTemplate) Run(ws *device.Workspace, n int, bytesPerElement int64, kept *device.Buffer[uint64], args ...any) {
	if n > t.n {
		t.s.Fail(fmt.Errorf("scan: compacting %d elements, planned for %d", n, t.n))
		return
	}
	tiles := device.Groups(n, t.tile)
	if tiles == 0 {
		kept.View(0, 1).Fill(0)
		return
	}
	defer ws.Reset(ws.Mark())
	counts := device.Carve[uint64](ws, tiles+1)
	third := bytesPerElement * int64(n) / 3
	t.count.Launch(tiles, third, append([]any{counts, uint64(n)}, args...)...)
	t.partials.Launch(1, 16*int64(tiles), counts, uint64(tiles), kept)
	t.write.Launch(tiles, 2*third, append([]any{counts, uint64(tiles), uint64(n)}, args...)...)
}
