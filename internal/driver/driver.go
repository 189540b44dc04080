// Package driver tells OpenCL implementations apart, and holds facts about them beyond the specification.
package driver

import "strings"

// The implementations, as device.Caps.Vendor names them.
const (
	NVIDIA   = "nvidia"
	AMD      = "amd"
	Intel    = "intel"
	Apple    = "apple"
	ARM      = "arm"
	PoCL     = "pocl"
	Mesa     = "mesa" // rusticl and clover
	Oclgrind = "oclgrind"
	Other    = "other"
)

// Of decides who drives a device, from the names that platform and device give. The platform comes first: PoCL,
// Mesa and Apple drive CPUs and GPUs of every maker.
func Of(platform, platformVendor, deviceVendor, deviceName string) string {
	for _, v := range []struct{ text, fragment, name string }{
		{platform, "portable computing language", PoCL},
		{platform, "oclgrind", Oclgrind},
		{platform, "rusticl", Mesa},
		{platform, "clover", Mesa},
		{platformVendor, "apple", Apple},
		{deviceVendor, "nvidia", NVIDIA},
		{deviceVendor, "advanced micro devices", AMD},
		{deviceVendor, "amd", AMD},
		{deviceName, "gfx", AMD},
		{deviceVendor, "intel", Intel},
		{deviceVendor, "arm", ARM},
	} {
		if strings.Contains(strings.ToLower(v.text), v.fragment) {
			return v.name
		}
	}
	return Other
}

// Lanes names the form of the lane operations of common.cl.
type Lanes int

// The forms. LanesLocal works everywhere, with any subgroup width.
const (
	LanesLocal  Lanes = iota // through local memory and barriers
	LanesPTX                 // NVIDIA, inline assembly
	LanesAMDGCN              // AMD, compiler built-ins
	LanesKHR                 // cl_khr_subgroups with ballot and shuffle
)

// Quirks are properties of a device for which importers do not ask.
type Quirks struct {
	// UnifiedMemory: host and device share memory, so that pinned staging gains nothing.
	UnifiedMemory bool
	// Lanes is how the work-items of a subgroup talk.
	Lanes Lanes
	// LongLoops: a work-item may go round its loops more than 65,535 times, all together, which
	// llvmpipe ends without a word.
	LongLoops bool
	// FinishAfterFlush: to finish a queue waits also for the commands before its last flush. Mesa 22.3 waits only for the
	// commands after it.
	FinishAfterFlush bool
	// HostBuffers: buffers are memory of the process that no one has used yet, and a map is where they are.
	HostBuffers bool
	// PTX: inline PTX assembly compiles.
	PTX bool
	// ZeroCopy: kernels reach pinned host memory by the address that it has on the host. Sessions
	// with a profile make no use of it.
	ZeroCopy bool
}
