package arrays

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bwt"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/sorter"
	"github.com/suffixcl/suffixcl/internal/suffixsort"
	"github.com/suffixcl/suffixcl/internal/verify"
)

// Source is a text and its suffix array on the device: sorted there, or given and verified. Its memory is that of
// both while a sorter or checker works, and then that of both alone. Host memory is counted in bytes a character.
type Source struct {
	N         int
	Input     *device.Layout // the text, which may go first
	Layout    *device.Layout
	text      *device.Slot[uint8]
	sa        *device.Slot[uint32]
	transform *device.Slot[uint8] // for a BWT, else nil

	sorter    sorter.Sorter    // nil where the suffix array is given
	algorithm sorter.Algorithm // of the sorter
	checker   *verify.Checker  // nil where it is sorted
	ready     bool             // arrays and step are allocated
	Phases    device.MemoryPlan
}

func NewArrays(n int) *Source {
	input, l := device.NewLayout(""), device.NewLayout("")
	return &Source{N: n, Input: input, Layout: l,
		text: device.Reserve[uint8](input, "text", n), sa: device.Reserve[uint32](l, "suffix array", n)}
}

// newSorted plans sorting texts of up to n bytes, with more layouts that exist meanwhile.
func newSorted(e *call.Engine, n int, host int64, more ...*device.Layout) (*Source, error) {
	o := NewArrays(n)
	return o, o.Choose(e, sorter.Automatic, host, more...)
}

// newTransformed is newSorted with the transform.
func newTransformed(e *call.Engine, n int, host int64, more ...*device.Layout) (*Source, error) {
	o := NewArrays(n)
	o.transform = device.Reserve[uint8](o.Layout, "transform", n)
	return o, o.Choose(e, sorter.Automatic, host, more...)
}

// Choose makes the sorter: of what AlgorithmAuto stands for the first that fits.
func (o *Source) Choose(
	e *call.Engine, auto func(*device.Caps, int) []sorter.Algorithm, host int64, more ...*device.Layout,
) (err error) {
	if err := limits.CheckLen("text", o.N, limits.MaxLen); err != nil {
		return err
	}
	layouts := append([]*device.Layout{o.Input, o.Layout}, more...)
	phase := func(m device.PhaseMemory) device.PhaseMemory { return call.PhaseOf(m, host*int64(o.N), layouts...) }
	o.sorter, o.algorithm, err = sorter.Choose(e.Session, e.Algorithm, auto, o.N, func(m device.PhaseMemory) bool {
		return device.MemoryPlan{phase(m)}.Fits(e.Session) == nil
	})
	if err != nil {
		return err
	}
	if o.transform != nil {
		if sorter, ok := o.sorter.(*suffixsort.Sorter); ok {
			sorter.ExpectBWT()
		} else {
			bwt.NewForward(e.Session) // what the sorter takes, which is certain then
		}
	}
	o.Phases = device.MemoryPlan{phase(o.sorter.Memory())}
	return nil
}

// NewGiven plans verifying suffix arrays of texts of up to n bytes.
func NewGiven(e *call.Engine, n int, host int64) (*Source, error) {
	if err := limits.CheckLen("text", n, limits.MaxLen); err != nil {
		return nil, err
	}
	o := NewArrays(n)
	o.checker = verify.New(e.Session, n)
	o.Phases = device.MemoryPlan{call.PhaseOf(o.checker.Memory(), host*int64(n), o.Input, o.Layout)}
	return o, nil
}

func (o *Source) Plan() device.MemoryPlan { return o.Phases }

func (o *Source) step() call.Step {
	if o.sorter != nil {
		return o.sorter
	}
	return o.checker
}

func (o *Source) allocate(s *device.Session) error {
	if o.ready {
		return nil
	}
	if err := o.Input.Allocate(s); err != nil {
		return err
	}
	if err := o.Layout.Allocate(s); err != nil {
		return err
	}
	if err := o.step().Allocate(); err != nil {
		return err
	}
	o.ready = true
	return nil
}

// ArraysOf are the text and the suffix array of n characters.
func (o *Source) ArraysOf(s *device.Session, n int) (*device.Buffer[uint8], *device.Buffer[uint32]) {
	return o.text.Buffer(s).View(0, n), o.sa.Buffer(s).View(0, n)
}

// Sort copies text to the device and sorts its suffixes; with a transform it makes that, too.
func (o *Source) Sort(c *call.Call, text []byte) (primary int, err error) {
	c.Stats.Algorithm = o.algorithm
	call.PlacedOf(c, o, o.text, len(text), text)
	if err := o.allocate(c.Session); err != nil {
		return 0, err
	}
	in, sa := o.ArraysOf(c.Session, len(text))
	if err := call.Upload(c, in, text); err != nil {
		return 0, err
	}
	err = c.Compute(func() (err error) {
		if o.transform == nil {
			return o.sorter.Run(c.Ctx, in, sa, c.Progress)
		}
		primary, err = o.sorter.RunBWT(c.Ctx, in, sa, o.transform.Buffer(c.Session), c.Progress)
		return err
	})
	return primary, err
}

// verify copies text and suffix array to the device and checks them.
func (o *Source) verify(c *call.Call, text []byte, sa []uint32) error {
	if err := call.SameLength(call.SuffixArrayName, len(sa), len(text)); err != nil {
		return err
	}
	call.PlacedOf(c, o, o.text, len(text), text)
	call.PlacedOf(c, o, o.sa, len(sa), sa)
	if err := o.allocate(c.Session); err != nil {
		return err
	}
	in, array := o.ArraysOf(c.Session, len(text))
	if err := call.Upload(c, in, text); err != nil {
		return err
	}
	if err := call.Upload(c, array, sa); err != nil {
		return err
	}
	c.Progress("verify", 0, 0)
	return c.Compute(func() error { return o.checker.Run(c.Ctx, in, array) })
}

// Load sorts, or verifies the suffix array that is given, and frees what that took: the arrays stay.
func (o *Source) Load(c *call.Call, text []byte, sa []uint32) (err error) {
	if o.sorter != nil {
		_, err = o.Sort(c, text)
	} else {
		err = o.verify(c, text, sa)
	}
	o.step().Release()
	o.ready = false
	return err
}

func (o *Source) Free(s *device.Session) {
	o.step().Release()
	o.Input.Release(s)
	o.Layout.Release(s)
	o.ready = false
}

// The operations that have no type of their own, with the bytes of host memory a character: text, arrays given,
// and results.
func newSuffixArray(e *call.Engine, n int) (*Source, error) { return newSorted(e, n, 5) }
func newBWT(e *call.Engine, n int) (*Source, error)         { return newTransformed(e, n, 2) }
func newVerify(e *call.Engine, n int) (*Source, error)      { return NewGiven(e, n, 5) }

// NewSearched plans sorting a text that is searched.
func NewSearched(e *call.Engine, n int) (*Source, error) {
	o := NewArrays(n)
	return o, o.Choose(e, sorter.General, 1)
}

func newLCP(e *call.Engine, n int) (*comparing, error) {
	from, err := newSorted(e, n, 1)
	if err != nil {
		return nil, err
	}
	return newComparing(e, from, 5)
}

func newKnownLCP(e *call.Engine, n int) (*comparing, error) {
	from, err := NewGiven(e, n, 5)
	if err != nil {
		return nil, err
	}
	return newComparing(e, from, 9)
}
