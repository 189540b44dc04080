package device

import (
	"fmt"
	"sort"
	"strings"

	"github.com/suffixcl/suffixcl/cl"
)

// Vendor names whose implementation drives a device. It decides what can be
// assumed beyond the OpenCL specification.
type Vendor string

// The implementations that are told apart.
const (
	NVIDIA   Vendor = "nvidia"
	AMD      Vendor = "amd"
	Intel    Vendor = "intel"
	Apple    Vendor = "apple"
	ARM      Vendor = "arm"
	PoCL     Vendor = "pocl"
	Mesa     Vendor = "mesa" // rusticl and clover
	Oclgrind Vendor = "oclgrind"
	Other    Vendor = "other"
)

// Lanes names the form of the lane operations of common.cl.
type Lanes int

// The forms. LanesLocal works everywhere, with any subgroup width.
const (
	LanesLocal  Lanes = iota // through local memory and barriers
	LanesPTX                 // NVIDIA, inline assembly
	LanesAMDGCN              // AMD, compiler built-ins
	LanesKHR                 // cl_khr_subgroups with ballot and shuffle
)

// Caps is what a device can do. Algorithms ask Caps, never the driver.
type Caps struct {
	Name, DriverVersion, OpenCLVersion, Platform string
	Vendor                                       Vendor
	Type                                         cl.DeviceType
	Arch                                         string // "sm_90", "gfx90a", or empty

	ComputeUnits  int
	MaxWorkGroup  int
	GlobalMem     int64 // bytes
	MaxAlloc      int64 // bytes in one buffer
	LocalMem      int64 // bytes, as reported
	UnifiedMemory bool  // host and device share memory: no pinned staging

	// SubgroupWidth is the number of work-items that run in lockstep, measured
	// by a probe kernel; 1 where it is unknown or spans the work-group.
	SubgroupWidth int
	// Lanes is how the work-items of a subgroup talk.
	Lanes Lanes
	// CPUShape selects kernels with one work-item a chunk instead of tiles
	// shared by a work-group.
	CPUShape bool
	// Int64Atomics: cl_khr_int64_base_atomics.
	Int64Atomics bool
	// ForwardProgress: a work-group may wait for one that took a lower ticket.
	ForwardProgress bool
	// LongLoops: a work-item may go round its loops more than 65,535 times, all together, which
	// llvmpipe ends without a word.
	LongLoops bool
	// FinishAfterFlush: to finish a queue waits also for the commands before its last flush.
	// Mesa 22.3 waits only for those since.
	FinishAfterFlush bool
	// PTX: inline PTX assembly compiles.
	PTX bool
	// ZeroCopy: kernels reach pinned host memory by the address that it has on the host. Sessions
	// with a profile make no use of it.
	ZeroCopy bool

	Extensions []string
}

// GPU reports whether the device is a GPU.
func (c *Caps) GPU() bool { return c.Type&cl.DeviceTypeGPU != 0 && c.Type&cl.DeviceTypeCPU == 0 }

// Kind is "gpu", "cpu" or "accelerator", for people.
func (c *Caps) Kind() string {
	switch {
	case c.GPU():
		return "gpu"
	case c.Type&cl.DeviceTypeCPU != 0:
		return "cpu"
	default:
		return "accelerator"
	}
}

// HasExtension reports whether the device lists the extension.
func (c *Caps) HasExtension(name string) bool {
	i := sort.SearchStrings(c.Extensions, name)
	return i < len(c.Extensions) && c.Extensions[i] == name
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
	fmt.Fprintf(&s, "#define LANES %d\n", c.Lanes)
	fmt.Fprintf(&s, "#define HAS_INT64_ATOMICS %d\n", b(c.Int64Atomics))
	fmt.Fprintf(&s, "#define FORWARD_PROGRESS %d\n", b(c.ForwardProgress))
	fmt.Fprintf(&s, "#define HAS_PTX %d\n", b(c.PTX))
	return s.String()
}

// Identify fills Caps from what the driver reports; opening a session adds what only a
// kernel can tell (the subgroup width).
func Identify(d *cl.Device) Caps {
	p := d.Platform()
	c := Caps{
		Name:          strings.TrimSpace(d.Name()),
		DriverVersion: d.DriverVersion(),
		OpenCLVersion: d.Version(),
		Platform:      p.Name(),
		Vendor:        vendorOf(p.Name(), p.Vendor(), d.Vendor(), d.Name()),
		Type:          d.Type(),
		ComputeUnits:  d.MaxComputeUnits(),
		MaxWorkGroup:  d.MaxWorkGroupSize(),
		GlobalMem:     d.GlobalMemSize(),
		MaxAlloc:      d.MaxMemAllocSize(),
		LocalMem:      d.LocalMemSize(),
		UnifiedMemory: d.HostUnifiedMemory(),
		SubgroupWidth: 1,
		Extensions:    strings.Fields(d.Extensions()),
	}
	sort.Strings(c.Extensions)
	c.CPUShape = c.Type&cl.DeviceTypeCPU != 0
	c.UnifiedMemory = c.UnifiedMemory || c.CPUShape
	c.LongLoops = c.Vendor != Mesa || !c.CPUShape
	c.FinishAfterFlush = c.Vendor != Mesa
	c.Int64Atomics = c.HasExtension("cl_khr_int64_base_atomics")
	switch c.Vendor {
	case NVIDIA:
		if major, minor, ok := d.NvidiaComputeCapability(); ok {
			c.Arch = fmt.Sprintf("sm_%d%d", major, minor)
			c.ForwardProgress = major >= 7 // independent thread scheduling since Volta
			c.PTX = true
		}
		c.ZeroCopy = d.AddressBits() == 64 // unified virtual addresses; Open tries
	case AMD:
		// The device name is the architecture, with feature suffixes: "gfx90a:sramecc+:xnack-".
		if strings.HasPrefix(c.Name, "gfx") {
			c.Arch, _, _ = strings.Cut(c.Name, ":")
		}
		c.ForwardProgress = true
	case Intel, PoCL, Oclgrind:
		c.ForwardProgress = true
	}
	return c
}

// vendorOf decides who drives the device. The platform comes first: PoCL, Mesa and
// Apple drive CPUs and GPUs of every maker.
func vendorOf(platform, platformVendor, deviceVendor, deviceName string) Vendor {
	for _, v := range []struct {
		text, fragment string
		vendor         Vendor
	}{
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
			return v.vendor
		}
	}
	return Other
}

const probeGroup = 64

func probeSource() Source {
	return Source{Files: []string{"probe.cl"}, Defines: Defines{"WG": probeGroup}}
}

// probe measures with a kernel what no query tells reliably: the width of a
// subgroup, and whether PTX compiles. A device whose answer makes no sense keeps
// width 1; one that cannot build or run the kernel is of no use.
func (s *Session) probe() error {
	if s.caps.Vendor == PoCL || s.caps.CPUShape {
		return nil // subgroups of CPU drivers span the work-group: treat as none
	}
	out, err := Alloc[uint32](s, 1)
	if err != nil {
		return err
	}
	defer out.Release()
	measure := func() error {
		s.Program(probeSource()).Kernel("probe_subgroup", probeGroup).Launch(1, 4, out)
		return s.Finish()
	}
	if err = measure(); err != nil && s.caps.PTX {
		s.Recover()
		s.caps.PTX = false
		err = measure()
	}
	if err != nil {
		return fmt.Errorf("probing %s: %w", s.caps.Name, err)
	}
	var width [1]uint32
	if err := out.Read(width[:]); err != nil {
		return fmt.Errorf("probing %s: %w", s.caps.Name, err)
	}
	if w := int(width[0]); w >= 1 && w <= 64 && w&(w-1) == 0 { // lane masks have 64 bits
		s.caps.SubgroupWidth = w
		s.caps.Lanes = s.caps.lanes()
	}
	return nil
}

// lanes is the best form for the measured subgroup width.
func (c *Caps) lanes() Lanes {
	switch {
	case c.PTX && c.SubgroupWidth == 32:
		return LanesPTX
	case c.Vendor == AMD && c.SubgroupWidth >= 32:
		return LanesAMDGCN
	case c.SubgroupWidth >= 8 && c.HasExtension("cl_khr_subgroup_ballot") && c.HasExtension("cl_khr_subgroup_shuffle"):
		return LanesKHR
	default:
		return LanesLocal
	}
}
