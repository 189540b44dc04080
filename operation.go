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

	input    *device.Layout // text or transform
	resident *device.Layout // what outlives the sort
	textSlot *device.Slot[uint8]
	saSlot   *device.Slot[uint32] // nil for an inverse transform
	text     *device.Buffer[uint8]
	sa       *device.Buffer[uint32]

	sorter    Sorter
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

	otherText *device.Slot[uint8] // what streams have twice
	otherSA   *device.Slot[uint32]
	otherOut  *device.Slot[uint8]

	repeats *repeatPlan // nil for other operations
	cleanup func()      // of what a part holds itself, may be nil
}

// part plans a part of an operation on n bytes: kernels, buffers and phase.
type part func(o *operation, n int) error

// operations are made of these parts, in this order. The numbers are bytes of host memory a
// character: text, arrays given, and results. Engine.Index, Matcher and the repeats add a
// part that depends on more than the length.
var operations = map[Op][]part{
	OpSuffixArray:  {sorting(5)},
	OpBWT:          {transformed, sorting(2), transforming(2)},
	OpSuffixArrays: {otherText, otherSA, sorting(10)},
	OpBWTs:         {otherText, otherOut, transformed, sorting(4), transformingEach},
	OpLCP:          {sorting(1), comparing(5)},
	OpLCPOf:        {checking(5), comparing(9)},
	OpInverseBWT:   {inverting(2)},
	OpVerify:       {checking(5)},
	OpVerifyBWT:    {checking(5), transforming(7)},
	OpVerifyLCP:    {checking(5), comparing(13)},
	OpIndex:        {sorting(1)},
	OpMatch:        {sorting(1)},
	OpMatchOf:      {checking(5)},
	OpRepeats:      {sorting(1), comparing(5)},
	OpAllRepeats:   {sorting(1), comparing(5)},
}

func (o *operation) reserveText(n int) {
	o.textSlot = device.Reserve[uint8](o.input, "text", n)
	o.saSlot = device.Reserve[uint32](o.resident, "suffix array", n)
}

func sorting(host int64) part {
	return func(o *operation, n int) error {
		o.reserveText(n)
		return o.chooseSorter(n, host*int64(n))
	}
}

// checking is what comes before the use of a suffix array that is given.
func checking(host int64) part {
	return func(o *operation, n int) error {
		o.reserveText(n)
		o.checker = verify.New(o.e.session, n)
		o.phase(o.checker.Memory(), host*int64(n))
		return nil
	}
}

// transformed has room for the transform from the beginning, for a Transformer.
func transformed(o *operation, n int) error {
	o.outSlot = device.Reserve[uint8](o.resident, "transform", n)
	return nil
}

func transforming(host int64) part {
	return func(o *operation, n int) error {
		o.output = device.NewLayout("")
		if o.outSlot == nil {
			o.outSlot = device.Reserve[uint8](o.output, "transform", n)
		}
		if _, ok := o.sorter.(Transformer); ok {
			return nil
		}
		o.forward = bwt.NewForward(o.e.session)
		o.phase(o.forward.Memory(), host*int64(n), o.output)
		return nil
	}
}

func inverting(host int64) part {
	return func(o *operation, n int) (err error) {
		o.textSlot = device.Reserve[uint8](o.input, "transform", n)
		if o.inverse, err = bwt.NewInverse(o.e.session, n); err == nil {
			o.output = device.NewLayout("")
			o.outSlot = device.Reserve[uint8](o.output, "text", n)
			o.phase(o.inverse.Memory(), host*int64(n), o.output)
		}
		return err
	}
}

func comparing(host int64) part {
	return func(o *operation, n int) (err error) {
		if o.lengths, err = lcp.New(o.e.session, n); err == nil {
			o.output = device.NewLayout("lcp")
			o.plcp = device.Reserve[uint32](o.output, "PLCP", n)
			o.lcp = device.Reserve[uint32](o.output, "LCP", n)
			o.lcpWork = device.ReserveWorkspace(o.output, o.lengths.Workspace())
			o.phase(o.output.Memory(), host*int64(n))
		}
		return err
	}
}

// plan of an operation on n bytes, with more parts.
func (e *Engine) plan(op Op, n int, more ...part) (*operation, error) {
	if err := device.CheckLen("text", n, MaxLen); err != nil {
		return nil, err
	}
	o := &operation{e: e, input: device.NewLayout(""), resident: device.NewLayout("")}
	for _, add := range append(slices.Clone(operations[op]), more...) {
		if err := add(o, n); err != nil {
			o.release()
			return nil, err
		}
	}
	return o, nil
}

// phase adds a phase to the plan: the resident buffers, the part's own, and more.
func (o *operation) phase(m device.PhaseMemory, host int64, more ...*device.Layout) {
	o.memory = append(o.memory, o.phaseOf(m, host, more...))
}

func (o *operation) phaseOf(m device.PhaseMemory, host int64, more ...*device.Layout) device.PhaseMemory {
	buffers := o.input.Memory().Buffers
	for _, l := range append([]*device.Layout{o.resident}, more...) {
		buffers = append(buffers, l.Memory().Buffers...)
	}
	m.Buffers = append(buffers, m.Buffers...)
	m.Host = host
	return m
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
	if o.inverse != nil {
		o.inverse.Release()
	}
	if o.output != nil {
		o.output.Release(s)
	}
	if o.cleanup != nil {
		o.cleanup()
	}
	o.resident.Release(s)
	o.input.Release(s)
}

// run plans an operation, refuses it if it does not fit, and calls body.
func (e *Engine) run(ctx context.Context, op Op, n int, body func(*operation) error, more ...part) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	o, err := e.plan(op, n, more...)
	if err != nil {
		return err
	}
	defer e.session.Recover()
	defer o.release()
	if err := o.memory.Fits(e.session); err != nil {
		return err
	}
	o.ctx = ctx
	e.resetStats()
	e.stats.Algorithm = o.algorithm
	if err := o.input.Allocate(e.session); err != nil {
		return err
	}
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
	return o.sortBy(text, func() error { return o.sorter.Run(o.ctx, o.text, o.sa, o.progress) })
}

// sortBWT leaves the transform, too.
func (o *operation) sortBWT(text []byte) (out *device.Buffer[uint8], primary int, err error) {
	t, ok := o.sorter.(Transformer)
	if !ok {
		if err := o.sort(text); err != nil {
			return nil, 0, err
		}
		return o.bwt()
	}
	out = o.outSlot.Buffer(o.e.session)
	err = o.sortBy(text, func() (err error) {
		primary, err = t.RunBWT(o.ctx, o.text, o.sa, out, o.progress)
		return err
	})
	return out, primary, err
}

func (o *operation) sortBy(text []byte, run func() error) error {
	if err := o.sorter.Allocate(); err != nil {
		return err
	}
	if err := o.upload(text, nil); err != nil {
		return err
	}
	err := o.timed(&o.e.stats.Compute, run)
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
	if err := o.computeLCP(); err != nil {
		return nil, err
	}
	return download(o, o.lcp.Buffer(o.e.session))
}

func (o *operation) computeLCP() error {
	s := o.e.session
	if err := o.output.Allocate(s); err != nil {
		return err
	}
	s.Phase("lcp")
	return o.timed(&o.e.stats.Compute, func() error {
		if err := s.Check(o.ctx); err != nil {
			return err
		}
		o.lengths.Run(o.lcpWork.Workspace(s), o.text, o.sa, o.plcp.Buffer(s), o.lcp.Buffer(s))
		return nil
	})
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
