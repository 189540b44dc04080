package suffixcl

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/suffixcl/suffixcl/bwt"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/lcp"
	"github.com/suffixcl/suffixcl/verify"
)

// operation is one call: its parts, planned and then allocated phase by phase.
type operation struct {
	e      *Engine
	ctx    context.Context
	memory device.MemoryPlan

	resident *device.Layout // text or transform, and what outlives the sort
	textSlot *device.Slot[uint8]
	saSlot   *device.Slot[uint32] // nil for an inverse transform
	text     *device.Buffer[uint8]
	sa       *device.Buffer[uint32]

	sorter    sorter
	algorithm string // its name
	checker   *verify.Checker
	forward   *bwt.Forward
	inverse   *bwt.Inverse
	lengths   *lcp.Plan

	output  *device.Layout      // the result of the last phase but the suffix array
	outSlot *device.Slot[uint8] // transform, or text
	plcp    *device.Slot[uint32]
	lcp     *device.Slot[uint32]
	lcpWork *device.WorkspaceSlot

	cleanup func() // of what an operation prepares itself, may be nil
}

func (e *Engine) plan(op Op, n int) (*operation, error) {
	if n > MaxLen {
		return nil, &device.MemoryError{What: "text", Need: int64(n), Have: MaxLen, Limit: "longest text for 32-bit positions"}
	}
	o := &operation{e: e, resident: device.NewLayout("")}
	var err error
	textBytes, saBytes := int64(n), 4*int64(n)
	if op == OpInverseBWT {
		o.textSlot = device.Reserve[uint8](o.resident, "transform", n)
		if o.inverse, err = bwt.NewInverse(e.session, n); err == nil {
			o.output = device.NewLayout("")
			o.outSlot = device.Reserve[uint8](o.output, "text", n)
			o.addPhase(o.inverse.Memory(), 2*textBytes, o.output)
		}
	} else {
		o.textSlot = device.Reserve[uint8](o.resident, "text", n)
		o.saSlot = device.Reserve[uint32](o.resident, "suffix array", n)
	}
	if slices.Contains([]Op{OpSuffixArray, OpBWT, OpLCP, OpIndex, OpMatch}, op) {
		host := textBytes
		if op == OpSuffixArray {
			host += saBytes
		}
		err = o.chooseSorter(n, host)
	}
	if err == nil && slices.Contains([]Op{OpVerify, OpVerifyBWT, OpVerifyLCP, OpLCPOf, OpMatchOf}, op) {
		if o.checker, err = verify.New(e.session, n); err == nil {
			o.addPhase(o.checker.Memory(), textBytes+saBytes)
		}
	}
	if err == nil && (op == OpBWT || op == OpVerifyBWT) {
		if o.forward, err = bwt.NewForward(e.session); err == nil {
			o.output = device.NewLayout("")
			o.outSlot = device.Reserve[uint8](o.output, "transform", n)
			host := 2 * textBytes
			if op == OpVerifyBWT {
				host += saBytes + textBytes
			}
			o.addPhase(o.forward.Memory(), host, o.output)
		}
	}
	if err == nil && slices.Contains([]Op{OpLCP, OpLCPOf, OpVerifyLCP}, op) {
		if o.lengths, err = lcp.New(e.session, n); err == nil {
			o.output = device.NewLayout("lcp")
			o.plcp = device.Reserve[uint32](o.output, "PLCP", n)
			o.lcp = device.Reserve[uint32](o.output, "LCP", n)
			o.lcpWork = device.ReserveWorkspace(o.output, o.lengths.Workspace())
			host := textBytes + saBytes
			switch op {
			case OpLCPOf:
				host += saBytes
			case OpVerifyLCP:
				host += 2 * saBytes
			}
			o.addPhase(o.output.Memory(), host)
		}
	}
	if err != nil {
		o.release()
		return nil, err
	}
	return o, nil
}

// phase is a phase of the plan: the resident buffers, the part's own, and more.
func (o *operation) phase(m device.PhaseMemory, host int64, more ...*device.Layout) device.PhaseMemory {
	buffers := o.resident.Memory().Buffers
	for _, l := range more {
		buffers = append(buffers, l.Memory().Buffers...)
	}
	m.Buffers = append(buffers, m.Buffers...)
	m.Host = host
	return m
}

func (o *operation) addPhase(m device.PhaseMemory, host int64, more ...*device.Layout) {
	o.memory = append(o.memory, o.phase(m, host, more...))
}

func (o *operation) release() {
	s := o.e.session
	if o.sorter != nil {
		o.sorter.Release()
	}
	if o.checker != nil {
		o.checker.Release()
	}
	if o.forward != nil {
		o.forward.Release()
	}
	o.inverse.Release()
	o.lengths.Release()
	if o.output != nil {
		o.output.Release(s)
	}
	if o.cleanup != nil {
		o.cleanup()
	}
	o.resident.Release(s)
}

// run plans an operation, to which prepare may add phases, refuses it if it does not fit,
// and calls body.
func (e *Engine) run(ctx context.Context, op Op, n int, body func(*operation) error, prepare ...func(*operation) error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	o, err := e.plan(op, n)
	if err != nil {
		return err
	}
	defer e.session.Recover()
	defer o.release()
	for _, f := range prepare {
		if err := f(o); err != nil {
			return err
		}
	}
	if err := o.memory.Fits(e.session); err != nil {
		return err
	}
	o.ctx = ctx
	e.resetStats()
	e.stats.Algorithm = o.algorithm
	if err := o.resident.Allocate(e.session); err != nil {
		return err
	}
	o.text = o.textSlot.Buffer(e.session)
	if o.saSlot != nil {
		o.sa = o.saSlot.Buffer(e.session)
	}
	err = body(o)
	e.stats.PeakBytes = e.session.PeakBytes()
	return err
}

func (e *Engine) resetStats() {
	e.stats = Stats{}
	e.session.ResetPeak()
	e.session.ResetProfile()
}

// timed adds the time of f, enqueued work included, to a field of the stats.
func (o *operation) timed(d *time.Duration, f func() error) error {
	start := time.Now()
	err := f()
	if err == nil {
		err = o.e.session.Finish()
	}
	*d += time.Since(start)
	return err
}

// sort uploads the text and leaves its suffix array in sa; the sorter's memory is
// free afterwards.
func (o *operation) sort(text []byte) error {
	if err := o.sorter.Allocate(); err != nil {
		return err
	}
	if err := o.upload(text, nil); err != nil {
		return err
	}
	err := o.timed(&o.e.stats.Compute, func() error {
		return o.sorter.Run(o.ctx, o.text, o.sa, o.progress)
	})
	o.sorter.Release()
	o.sorter = nil
	return err
}

// given uploads text and suffix array. A suffix array of another length cannot be
// the text's.
func (o *operation) given(text []byte, sa []uint32) error {
	if len(sa) != len(text) {
		return &verify.Error{Slot: min(len(sa), len(text)), Why: fmt.Sprintf("is where the lengths differ: %d entries for %d characters", len(sa), len(text))}
	}
	return o.upload(text, sa)
}

func (o *operation) upload(text []byte, sa []uint32) error {
	o.e.session.Phase("upload")
	return o.timed(&o.e.stats.Upload, func() error {
		if err := o.text.Upload(o.ctx, text, o.phaseProgress("upload")); err != nil {
			return err
		}
		if sa == nil {
			return nil
		}
		return o.sa.Upload(o.ctx, sa, o.phaseProgress("upload"))
	})
}

func (o *operation) verify() error {
	if err := o.checker.Allocate(); err != nil {
		return err
	}
	err := o.timed(&o.e.stats.Compute, func() error { return o.checker.Run(o.ctx, o.text, o.sa) })
	o.checker.Release()
	o.checker = nil
	return err
}

func (o *operation) bwt() (out *device.Buffer[uint8], primary int, err error) {
	if err := o.output.Allocate(o.e.session); err != nil {
		return nil, 0, err
	}
	if err := o.forward.Allocate(); err != nil {
		return nil, 0, err
	}
	out = o.outSlot.Buffer(o.e.session)
	err = o.timed(&o.e.stats.Compute, func() error {
		primary, err = o.forward.Run(o.ctx, o.text, o.sa, out)
		return err
	})
	return out, primary, err
}

// unbwt uploads a transform and leaves its text in out.
func (o *operation) unbwt(transform []byte, primary int) (out *device.Buffer[uint8], err error) {
	if err := o.output.Allocate(o.e.session); err != nil {
		return nil, err
	}
	if err := o.inverse.Allocate(); err != nil {
		return nil, err
	}
	if err := o.upload(transform, nil); err != nil {
		return nil, err
	}
	out = o.outSlot.Buffer(o.e.session)
	err = o.timed(&o.e.stats.Compute, func() error { return o.inverse.Run(o.ctx, o.text, primary, out) })
	return out, err
}

// lcpArray computes and downloads the LCP array of text and suffix array, which must be
// right.
func (o *operation) lcpArray() ([]uint32, error) {
	s := o.e.session
	if err := o.output.Allocate(s); err != nil {
		return nil, err
	}
	s.Phase("lcp")
	err := o.timed(&o.e.stats.Compute, func() error {
		if err := s.Check(o.ctx); err != nil {
			return err
		}
		o.lengths.Run(o.lcpWork.Workspace(s), o.text, o.sa, o.plcp.Buffer(s), o.lcp.Buffer(s))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return download(o, o.lcp.Buffer(s))
}

func download[T device.Element](o *operation, b *device.Buffer[T]) ([]T, error) {
	o.e.session.Phase("download")
	host := make([]T, b.Len())
	err := o.timed(&o.e.stats.Download, func() error { return b.Download(o.ctx, host, o.phaseProgress("download")) })
	if err != nil {
		return nil, err
	}
	return host, nil
}

func (o *operation) progress(phase string, done, total int64) {
	if o.e.options.Progress != nil {
		o.e.options.Progress(Progress{Phase: phase, Done: done, Total: total})
	}
}

func (o *operation) phaseProgress(phase string) func(done, total int64) {
	return func(done, total int64) { o.progress(phase, done, total) }
}
