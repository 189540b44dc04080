package device

import (
	"fmt"

	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/hooks"
)

const probeGroup = 64

func probeSource() Source {
	return Source{Files: []string{"probe.cl"}, Defines: Defines{"WG": probeGroup}}
}

// probes tells whether probe builds a program: subgroups of CPU drivers span the work-group, and are treated as none.
func (c *Caps) probes() bool { return c.Vendor != driver.PoCL && !c.CPUShape }

// probeProgram is what probe builds, and the work-group of its kernel.
func (c *Caps) probeProgram() (src Source, wg int) {
	if c.quirks.ZeroCopy {
		return zeroCopySource(), zeroCopyGroup // which is built, and has the kernel
	}
	return probeSource(), probeGroup
}

// probe measures with a kernel what no query tells reliably: the width of a
// subgroup, and whether PTX compiles. A device whose answer makes no sense keeps
// width 1; one that cannot build or run the kernel is of no use.
func probe(s *Session) error {
	if !s.caps.probes() {
		return nil
	}
	src, wg := s.caps.probeProgram()
	defer hooks.Begin("measure subgroups")()
	out, err := Alloc[uint32](s, 1)
	if err != nil {
		return err
	}
	defer out.Release()
	measure := func() error {
		s.Program(src).Kernel("probe_subgroup", wg).Launch(1, 4, out)
		return s.Finish()
	}
	if err = measure(); err != nil && s.caps.quirks.PTX {
		s.Recover()
		s.caps.quirks.PTX = false
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
		s.caps.quirks.Lanes = s.caps.lanes()
	}
	return nil
}

// lanes is the best form for the measured subgroup width.
func (c *Caps) lanes() driver.Lanes {
	switch {
	case c.quirks.PTX && c.SubgroupWidth == 32:
		return driver.LanesPTX
	case c.Vendor == driver.AMD && c.SubgroupWidth >= 32:
		return driver.LanesAMDGCN
	case c.SubgroupWidth >= 8 && c.hasExtension("cl_khr_subgroup_ballot") && c.hasExtension("cl_khr_subgroup_shuffle"):
		return driver.LanesKHR
	default:
		return driver.LanesLocal
	}
}
