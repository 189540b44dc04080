package scan

import (
	"fmt"
	"maps"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tune"
)

// Op is the operator of a scan.
type Op int

// The operators.
const (
	Sum Op = iota // identity 0, wraps around
	Max           // identity 0
)

// Value is the element type of array scans.
type Value interface{ uint32 | uint64 }

// Options of a Plan.
type Options struct {
	Op        Op
	Inclusive bool // element i includes value i
}

// Plan scans arrays of up to n elements.
type Plan[T Value] struct{ t *Template }

// NewPlan compiles a scan for arrays of up to n elements.
func NewPlan[T Value](s *device.Session, n int, o Options) (*Plan[T], error) {
	t, err := NewTemplate(s, n, planOptions[T](o))
	if err != nil {
		return nil, err
	}
	return &Plan[T]{t}, nil
}

// planOptions is the template of a scan of arrays.
func planOptions[T Value](o Options) TemplateOptions {
	typ, size := clType[T]()
	op := "OP_ADD"
	if o.Op == Max {
		op = "OP_MAX"
	}
	inclusive := 0
	if o.Inclusive {
		inclusive = 1
	}
	return TemplateOptions{
		ElementBytes: size,
		Defines:      device.Defines{"T": typ, "OP": op, "IDENTITY": "((" + typ + ")0)", "INCLUSIVE": inclusive},
	}
}

// WorkspaceBytes is what Run carves from its workspace.
func (p *Plan[T]) WorkspaceBytes() int64 { return p.t.WorkspaceBytes() }

// Release frees the kernels.
func (p *Plan[T]) Release() {
	if p != nil {
		p.t.Release()
	}
}

// Run enqueues the scan of the first n elements of in to out, which may be the
// same buffer.
func (p *Plan[T]) Run(ws *device.Workspace, in, out *device.Buffer[T], n int) {
	if n > in.Len() || n > out.Len() {
		in.Session().Fail(fmt.Errorf("scan: %d elements in buffers of %d and %d", n, in.Len(), out.Len()))
		return
	}
	_, size := clType[T]()
	p.t.Run(ws, n, 3*int64(size), in, out)
}

func clType[T Value]() (name string, size int) {
	if _, ok := any(T(0)).(uint64); ok {
		return "ulong", 8
	}
	return "uint", 4
}

// TemplateOptions says what a Template scans.
type TemplateOptions struct {
	// Files of package kernels that define the template parameters listed in
	// scan.cl, or none if Defines do.
	Files []string
	// Defines are the macros of the files, and T, OP and IDENTITY.
	Defines device.Defines
	// ElementBytes is sizeof(T).
	ElementBytes int
}

// Source is the program of the template.
func (o TemplateOptions) Source(set tune.Set) device.Source {
	defines := maps.Clone(o.Defines)
	defines["WG"], defines["ITEMS"] = set.Scan.WG, set.Scan.Items
	return device.Source{Files: append(o.Files[:len(o.Files):len(o.Files)], "scan.cl"), Defines: defines}
}

// Template scans elements that kernel code loads and stores.
type Template struct {
	s                       *device.Session
	n, tile, size           int
	reduce, partials, apply *device.Kernel
}

// NewTemplate compiles a scan of up to n elements.
func NewTemplate(s *device.Session, n int, o TemplateOptions) (*Template, error) {
	shape := s.Tuning().Scan
	program, err := s.Program(o.Source(*s.Tuning()))
	if err != nil {
		return nil, err
	}
	t := &Template{s: s, n: n, tile: shape.WG * shape.Items, size: o.ElementBytes}
	err = program.Kernels(shape.WG, map[string]**device.Kernel{
		"scan_reduce": &t.reduce, "scan_partials": &t.partials, "scan_apply": &t.apply,
	})
	if err != nil {
		return nil, err
	}
	return t, nil
}

// WorkspaceBytes is what Run carves from its workspace.
func (t *Template) WorkspaceBytes() int64 {
	return device.WorkspaceBytes[uint8](t.s, t.partialBytes(t.n))
}

func (t *Template) partialBytes(n int) int { return (device.Groups(n, t.tile) + 1) * t.size }

// Release frees the kernels.
func (t *Template) Release() {
	if t == nil {
		return
	}
	t.reduce.Release()
	t.partials.Release()
	t.apply.Release()
}

// Run enqueues the scan of n elements. bytesPerElement is the traffic of one
// element over the whole scan, for the profile; args are the SCAN_PARAMS.
func (t *Template) Run(ws *device.Workspace, n int, bytesPerElement int64, args ...any) {
	if n > t.n {
		t.s.Fail(fmt.Errorf("scan: %d elements, planned for %d", n, t.n))
		return
	}
	tiles := device.Groups(n, t.tile)
	if tiles == 0 {
		return
	}
	defer ws.Reset(ws.Mark())
	partials := device.Carve[uint8](ws, t.partialBytes(n))
	third := bytesPerElement * int64(n) / 3
	t.reduce.Launch(tiles, third, append([]any{partials, uint64(n)}, args...)...)
	t.partials.Launch(1, 2*int64(tiles*t.size), partials, uint64(tiles))
	t.apply.Launch(tiles, 2*third, append([]any{partials, uint64(n)}, args...)...)
}
