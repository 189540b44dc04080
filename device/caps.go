package device

import (
	"fmt"
	"sort"
	"strings"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/driver"
)

// Caps is what a device can do. Algorithms ask Caps, never the driver.
type Caps struct {
	Name, DriverVersion, Platform string // as the driver reports them
	// Vendor names whose implementation drives the device: "nvidia", "amd", "intel", "apple", "arm", "pocl", "mesa",
	// "oclgrind" or "other".
	Vendor string
	Arch   string // "sm_90", "gfx90a", or empty

	ComputeUnits int
	MaxWorkGroup int   // work-items
	GlobalMem    int64 // bytes; see Available
	MaxAlloc     int64 // bytes in one buffer
	LocalMem     int64 // bytes, as reported

	// SubgroupWidth is the number of work-items that run in lockstep. A kernel measures it. It is 1 where it is
	// unknown, or where a subgroup is the whole work-group.
	SubgroupWidth int
	// CPUShape selects kernels with one work-item a chunk, instead of a work-group a tile.
	CPUShape bool
	// Int64Atomics says that the device has cl_khr_int64_base_atomics.
	Int64Atomics bool
	// ForwardProgress says that a work-group may wait for one that took a lower ticket.
	ForwardProgress bool

	openCLVersion string   // of the device
	extensions    []string // sorted
	kind          cl.DeviceType
	quirks        driver.Quirks
}

// gpu reports whether the device is a GPU.
func (c *Caps) gpu() bool { return c.kind&cl.DeviceTypeGPU != 0 && c.kind&cl.DeviceTypeCPU == 0 }

// DeviceFences reports whether DEVICE_FENCE of common.cl orders memory for the whole device. NVIDIA's driver has
// fences for a work-group only, but for those of PTX.
func (c *Caps) DeviceFences() bool {
	switch c.Vendor {
	case driver.NVIDIA:
		return c.quirks.PTX
	case driver.Intel, driver.Oclgrind: // not known; its search for races knows none
		return false
	}
	return true
}

// Kind is "gpu", "cpu" or "accelerator".
func (c *Caps) Kind() string {
	switch {
	case c.gpu():
		return "gpu"
	case c.kind&cl.DeviceTypeCPU != 0:
		return "cpu"
	default:
		return "accelerator"
	}
}

// hasExtension reports whether the device lists the extension.
func (c *Caps) hasExtension(name string) bool {
	i := sort.SearchStrings(c.extensions, name)
	return i < len(c.extensions) && c.extensions[i] == name
}

// prologue is the generated first part of every program: the capabilities as
// macros that common.cl turns into operations.
func (c *Caps) prologue() string {
	b := func(v bool) int {
		if v {
			return 1
		}
		return 0
	}
	var s strings.Builder
	fmt.Fprintf(&s, "#define IS_CPU %d\n", b(c.CPUShape))
	fmt.Fprintf(&s, "#define SUBGROUP %d\n", c.SubgroupWidth)
	fmt.Fprintf(&s, "#define LANES %d\n", c.quirks.Lanes)
	fmt.Fprintf(&s, "#define HAS_INT64_ATOMICS %d\n", b(c.Int64Atomics))
	fmt.Fprintf(&s, "#define FORWARD_PROGRESS %d\n", b(c.ForwardProgress))
	fmt.Fprintf(&s, "#define HAS_PTX %d\n", b(c.quirks.PTX))
	return s.String()
}

// identify fills Caps from what the driver reports; opening a session adds what only a
// kernel can tell (the subgroup width).
func identify(d *cl.Device) Caps {
	p := d.Platform()
	c := Caps{
		Name:          strings.TrimSpace(d.Name()),
		DriverVersion: d.DriverVersion(),
		openCLVersion: d.Version(),
		Platform:      p.Name(),
		Vendor:        driver.Of(p.Name(), p.Vendor(), d.Vendor(), d.Name()),
		kind:          d.Type(),
		ComputeUnits:  d.MaxComputeUnits(),
		MaxWorkGroup:  d.MaxWorkGroupSize(),
		GlobalMem:     d.GlobalMemSize(),
		MaxAlloc:      d.MaxMemAllocSize(),
		LocalMem:      d.LocalMemSize(),
		SubgroupWidth: 1,
		extensions:    strings.Fields(d.Extensions()),
	}
	sort.Strings(c.extensions)
	c.CPUShape = c.kind&cl.DeviceTypeCPU != 0
	c.quirks.UnifiedMemory = d.HostUnifiedMemory() || c.CPUShape
	c.quirks.HostBuffers = c.Vendor == driver.PoCL && c.CPUShape
	c.quirks.LongLoops = c.Vendor != driver.Mesa || !c.CPUShape
	c.quirks.FinishAfterFlush = c.Vendor != driver.Mesa
	c.Int64Atomics = c.hasExtension("cl_khr_int64_base_atomics")
	switch c.Vendor {
	case driver.NVIDIA:
		if major, minor, ok := d.NvidiaComputeCapability(); ok {
			c.Arch = fmt.Sprintf("sm_%d%d", major, minor)
			c.ForwardProgress = major >= 7 // independent thread scheduling since Volta
			c.quirks.PTX = true
		}
		c.quirks.ZeroCopy = d.AddressBits() == 64 // unified virtual addresses; Open tries
	case driver.AMD:
		// The device name is the architecture, with feature suffixes: "gfx90a:sramecc+:xnack-".
		if strings.HasPrefix(c.Name, "gfx") {
			c.Arch, _, _ = strings.Cut(c.Name, ":")
		}
		c.ForwardProgress = true
	case driver.Intel, driver.PoCL, driver.Oclgrind:
		c.ForwardProgress = true
	}
	return c
}

// Available is the device memory that sessions may allocate. A GPU with memory of its own keeps some, for programs and
// the stacks of their work-items: where nothing is left, launches fail.
func (c *Caps) Available() int64 {
	if c.quirks.UnifiedMemory {
		return c.GlobalMem
	}
	return c.GlobalMem - c.GlobalMem/32
}
