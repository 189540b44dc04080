// Package amdcode compiles OpenCL C for AMD GPUs with clang and AMD's device libraries, without a device, and reads
// what comes of it: the kernels of a code object, their arguments and their instructions.
//
// Sources: LLVM, User Guide for AMDGPU Backend (code object V5).
package amdcode

import (
	"fmt"
	"strings"
)

// Target is an architecture to compile for.
type Target struct {
	Name      string // "gfx942"
	Wavefront int    // lanes
	// isa lists versions of the device library's architecture constant, best
	// first: older releases do not know newer chips, and nothing that the kernels
	// call depends on it.
	isa []string
}

var targets = []Target{
	{"gfx906", 64, []string{"906"}},               // GCN 5.1: Radeon VII, MI50
	{"gfx90a", 64, []string{"90a"}},               // CDNA 2: MI200
	{"gfx942", 64, []string{"942", "940", "90a"}}, // CDNA 3: MI300
	{"gfx1030", 32, []string{"1030"}},             // RDNA 2
	{"gfx1100", 32, []string{"1100", "1030"}},     // RDNA 3
}

// Targets lists all that is compiled for.
func Targets() []Target { return append([]Target(nil), targets...) }

// Names lists the names of all targets.
func Names() []string {
	var names []string
	for _, t := range targets {
		names = append(names, t.Name)
	}
	return names
}

// Lookup returns the target of a name.
func Lookup(name string) (Target, error) {
	for _, t := range targets {
		if t.Name == name {
			return t, nil
		}
	}
	return Target{}, fmt.Errorf("unknown target %q, want %s", name, strings.Join(Names(), ", "))
}
