package arrays

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bwt"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/lcp"
)

// comparing is the LCP array of a source.
type comparing struct {
	*Source
	lengths   *lcp.Plan
	output    *device.Layout
	plcp, lcp *device.Slot[uint32]
	ws        *device.WorkspaceSlot
}

// newComparing plans LCP arrays after a source.
func newComparing(e *call.Engine, from *Source, host int64) (*comparing, error) {
	lengths, err := lcp.New(e.Session, from.N)
	if err != nil {
		return nil, err
	}
	o := &comparing{Source: from, lengths: lengths, output: device.NewLayout("lcp")}
	o.plcp = device.Reserve[uint32](o.output, "PLCP", from.N)
	o.lcp = device.Reserve[uint32](o.output, "LCP", from.N)
	o.ws = device.ReserveWorkspace(o.output, lengths.Workspace())
	o.Phases = append(o.Phases, call.PhaseOf(o.output.Memory(), host*int64(from.N), from.Input, from.Layout))
	return o, nil
}

// Compare loads text and suffix array and computes the LCP array of n entries.
func (o *comparing) Compare(c *call.Call, text []byte, sa []uint32) (*device.Buffer[uint32], error) {
	if err := o.Load(c, text, sa); err != nil {
		return nil, err
	}
	if err := o.output.Allocate(c.Session); err != nil {
		return nil, err
	}
	c.Phase("lcp")
	in, array := o.ArraysOf(c.Session, len(text))
	lengths := o.lcp.Buffer(c.Session).View(0, len(text))
	return lengths, c.Compute(func() error {
		if err := c.Session.Check(c.Ctx); err != nil {
			return err
		}
		o.lengths.Run(o.ws.Workspace(c.Session), in, array, o.plcp.Buffer(c.Session), lengths)
		return nil
	})
}

func (o *comparing) Free(s *device.Session) {
	o.output.Release(s)
	o.Source.Free(s)
}

// transforming is the transform of a suffix array that is given.
type transforming struct {
	*Source
	forward *bwt.Forward
	output  *device.Layout
	out     *device.Slot[uint8]
}

func newTransforming(e *call.Engine, n int) (*transforming, error) {
	from, err := NewGiven(e, n, 5)
	if err != nil {
		return nil, err
	}
	o := &transforming{Source: from, forward: bwt.NewForward(e.Session), output: device.NewLayout("")}
	o.out = device.Reserve[uint8](o.output, "transform", n)
	o.Phases = append(o.Phases, call.PhaseOf(o.forward.Memory(), 7*int64(n), from.Input, from.Layout, o.output))
	return o, nil
}

// Run verifies the suffix array and makes the transform.
func (o *transforming) Run(c *call.Call, text []byte, sa []uint32) (out *device.Buffer[uint8], primary int, err error) {
	if err := o.Load(c, text, sa); err != nil {
		return nil, 0, err
	}
	if err := o.output.Allocate(c.Session); err != nil {
		return nil, 0, err
	}
	if err := o.forward.Allocate(); err != nil {
		return nil, 0, err
	}
	in, array := o.ArraysOf(c.Session, len(text))
	out = o.out.Buffer(c.Session).View(0, len(text))
	c.Progress("bwt", 0, 0)
	err = c.Compute(func() (err error) {
		primary, err = o.forward.Run(c.Ctx, in, array, out)
		return err
	})
	return out, primary, err
}

func (o *transforming) Free(s *device.Session) {
	o.forward.Release()
	o.output.Release(s)
	o.Source.Free(s)
}
