package call

import (
	"github.com/suffixcl/suffixcl/device"
)

// AsOperation is not an operation if there is an error.
func AsOperation[O Operation](o O, err error) (Operation, error) {
	if err != nil {
		return nil, err
	}
	return o, nil
}

// Kind is that of a job whose plan is kept for the next one. Its memory is kept, too, where Memory says so and it has
// one phase. The zero value is none.
type Kind struct {
	Name   string
	Memory bool
}

// Operation is what a job needs for texts of up to so many bytes: buffers and the steps that use them. It is
// planned once (plan.go), allocated phase by phase while it runs, and released.
type Operation interface {
	Plan() device.MemoryPlan
	Free(s *device.Session)
}

// Step is a part of an operation with device memory of its own.
type Step interface {
	Memory() device.PhaseMemory
	Allocate() error
	Release()
}

// PhaseOf is the memory of a step in addition to that of layouts, with bytes of host memory.
func PhaseOf(m device.PhaseMemory, host int64, layouts ...*device.Layout) device.PhaseMemory {
	var buffers []device.BufferMemory
	for _, l := range layouts {
		buffers = append(buffers, l.Memory().Buffers...)
	}
	m.Buffers = append(buffers, m.Buffers...)
	m.Host = host
	return m
}

// Combined is the plan of several operations.
type Combined struct{ Phases device.MemoryPlan }

func (p Combined) Plan() device.MemoryPlan { return p.Phases }

func (p Combined) Free(*device.Session) {}
