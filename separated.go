package suffixcl

import (
	"context"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/sets"
	"github.com/suffixcl/suffixcl/lcp"
	"github.com/suffixcl/suffixcl/verify"
)

// codeSorter sorts the code of a text with separators.
type codeSorter interface {
	step
	// sort enqueues coding the text, and sorts the code.
	sort(c *call, coder *sets.Coder, occurs *[256]bool, text *device.Buffer[uint8]) error
	// compare enqueues making the LCP array of the code, after sort.
	compare(c *call, coder *sets.Coder, occurs *[256]bool, text *device.Buffer[uint8]) error
	// comparing is the memory of compare.
	comparing() device.PhaseMemory
	// array is the suffix array of the code, lengths its LCP array, or nil.
	array(s *device.Session) *device.Buffer[uint32]
	lengths(s *device.Session) *device.Buffer[uint32]
	chosen() Algorithm
}

// codeSorting is a codeSorter for symbols of type T.
type codeSorting[T uint8 | uint16] struct {
	sorter    symbolSorter[T]
	algorithm Algorithm
	session   *device.Session
	code      sets.Code
	layout    *device.Layout
	text      *device.Slot[T]
	sa        *device.Slot[uint32]

	lcp      *lcp.SymbolPlan[T] // nil where LCP arrays are not made from that of the code
	compared *device.Layout
	lcps     *device.Slot[uint32]
	scratch  *device.Layout
	plcp     *device.Slot[uint32]
	ws       *device.WorkspaceSlot
}

func newCodeSorting[T uint8 | uint16](e *Engine, code sets.Code, compare bool, host int64, kept *device.Layout,
	sorters symbolSorters[T]) (codeSorter, error) {
	n := code.Len()
	o := &codeSorting[T]{session: e.session, code: code, layout: device.NewLayout("")}
	o.sa = device.Reserve[uint32](o.layout, "suffix array of the code", n)
	var err error
	o.sorter, o.algorithm, err = sorters(e, n, func(m device.PhaseMemory) bool {
		m.Buffers = append(m.Buffers, device.BufferMemory{Name: "code", Bytes: int64(n) * int64(symbolBytes[T]())})
		return device.MemoryPlan{phaseOf(m, host, kept, o.layout)}.Fits(e.session) == nil
	})
	if err != nil {
		return nil, err
	}
	o.text = device.Reserve[T](o.layout, "code", o.sorter.TextLen(n))
	o.compared, o.scratch = device.NewLayout(""), device.NewLayout("lcp")
	if compare {
		if o.lcp, err = lcp.NewSymbols[T](e.session, n); err != nil {
			return nil, err
		}
		o.lcps = device.Reserve[uint32](o.compared, "LCP array of the code", n)
		o.plcp = device.Reserve[uint32](o.scratch, "PLCP", n)
		o.ws = device.ReserveWorkspace(o.scratch, o.lcp.Workspace())
	}
	return o, nil
}

func (o *codeSorting[T]) chosen() Algorithm { return o.algorithm }

func (o *codeSorting[T]) Memory() device.PhaseMemory {
	return phaseOf(o.sorter.Memory(), 0, o.layout)
}

func (o *codeSorting[T]) Allocate() error {
	if err := o.layout.Allocate(o.session); err != nil {
		return err
	}
	return o.sorter.Allocate()
}

func (o *codeSorting[T]) Release() {
	o.sorter.Release()
	for _, l := range []*device.Layout{o.layout, o.compared, o.scratch} {
		l.Release(o.session)
	}
}

func (o *codeSorting[T]) comparing() device.PhaseMemory {
	return phaseOf(o.scratch.Memory(), 0, o.layout, o.compared)
}

func (o *codeSorting[T]) compare(c *call, coder *sets.Coder, occurs *[256]bool, text *device.Buffer[uint8]) error {
	for _, l := range []*device.Layout{o.compared, o.scratch} {
		if err := l.Allocate(c.s); err != nil {
			return err
		}
	}
	coded := o.text.Buffer(c.s)
	err := c.compute(func() error {
		c.s.Phase("lcp")
		if symbolBytes[T]() > 1 { // the sorter has overwritten it
			if err := sets.Encode(coder, o.code, occurs, text, coded); err != nil {
				return err
			}
		}
		o.lcp.Run(o.ws.Workspace(c.s), coded.View(0, o.code.Len()), o.array(c.s), o.plcp.Buffer(c.s), o.lengths(c.s))
		return c.s.Check(c.ctx)
	})
	o.scratch.Release(c.s)
	return err
}

func (o *codeSorting[T]) lengths(s *device.Session) *device.Buffer[uint32] {
	if o.lcps == nil {
		return nil
	}
	return o.lcps.Buffer(s)
}

func (o *codeSorting[T]) array(s *device.Session) *device.Buffer[uint32] { return o.sa.Buffer(s) }

func (o *codeSorting[T]) sort(c *call, coder *sets.Coder, occurs *[256]bool, text *device.Buffer[uint8]) error {
	coded := o.text.Buffer(c.s)
	c.s.Phase("coding")
	if err := sets.Encode(coder, o.code, occurs, text, coded); err != nil {
		return err
	}
	if err := o.sorter.Run(c.ctx, coded, o.sa.Buffer(c.s), c.progress); err != nil {
		return err
	}
	o.sorter.Release() // the array stays
	return nil
}

// gathering makes the arrays of a text with separators, sorted or given.
type gathering struct {
	shape sets.Shape
	n     int // characters of the text
	isSet bool
	want  Want
	code  sets.Code
	// byCode: the LCP array is made from that of the code.
	byCode bool

	kept  *device.Layout // what the coder has, and the text
	text  *device.Slot[uint8]
	coder *sets.Coder

	sorter codeSorter // nil where the suffix array is given

	arrays    *device.Layout
	sa        *device.Slot[uint32]
	documents *device.Slot[uint32]
	bwt       *device.Slot[uint8]
	whole     *device.Slot[uint32] // the slot of the whole text

	definition *device.Layout // the text in symbols of 32 bits
	wide       *device.Slot[uint32]
	checker    *verify.SymbolChecker[uint32] // nil where it is sorted

	lengths   *lcp.SymbolPlan[uint32]
	lcpLayout *device.Layout
	plcp, lcp *device.Slot[uint32]
	ws        *device.WorkspaceSlot

	plan device.MemoryPlan
}

func (o *gathering) memory() device.MemoryPlan { return o.plan }

// newGathering plans the arrays of texts of a shape with so many letters, or, where these are negative, verifying. The
// LCP array is made from that of the code, or, where the text in symbols of 32 bits is of use after it, from that.
func newGathering(e *Engine, shape sets.Shape, letters int, want Want, byCode bool) (*gathering, error) {
	o := &gathering{shape: shape, n: shape.N, want: want, code: sets.Code{Shape: shape}}
	if !shape.Least {
		o.n--
	}
	given := letters < 0
	o.byCode = byCode && want.LCP && !given
	if !given {
		o.code = sets.NewCode(shape, letters)
	}
	if err := limits.CheckLen("text", o.n, MaxLen); err != nil {
		return nil, err
	}
	if err := limits.CheckLen("text with the numbers of its separators", o.code.Len(), MaxLen); err != nil {
		return nil, err
	}
	o.kept = device.NewLayout("")
	o.text = device.Reserve[uint8](o.kept, "text", o.n)
	o.coder = sets.New(e.session, shape, o.code.Len())
	o.coder.Reserve(o.kept)
	host := hostBytes[uint8](o.n, want) + 4*int64(shape.M)
	if want.Documents {
		host += 4 * int64(o.n)
	}
	if given {
		host += hostBytes[uint8](o.n, Want{SA: true}) - int64(o.n)
	} else if err := o.planSorter(e, host); err != nil {
		return nil, err
	}
	return o, o.planDerived(e, given, host)
}

func (o *gathering) planSorter(e *Engine, host int64) (err error) {
	if o.code.Bytes {
		o.sorter, err = newCodeSorting(e, o.code, o.byCode, host, o.kept, newByteSorter)
	} else {
		o.sorter, err = newCodeSorting(e, o.code, o.byCode, host, o.kept, newSymbolSorter[uint16])
	}
	if err != nil {
		return err
	}
	o.plan = device.MemoryPlan{phaseOf(o.sorter.Memory(), host, o.kept)}
	if o.byCode {
		o.plan = append(o.plan, phaseOf(o.sorter.comparing(), host, o.kept))
	}
	return nil
}

// planDerived plans the arrays, after those of the code or given.
func (o *gathering) planDerived(e *Engine, given bool, host int64) (err error) {
	n := o.shape.N
	o.arrays = device.NewLayout("arrays")
	o.sa = device.Reserve[uint32](o.arrays, "suffix array", n)
	if o.want.Documents {
		o.documents = device.Reserve[uint32](o.arrays, "document array", n)
	}
	if o.want.BWT {
		o.bwt = device.Reserve[uint8](o.arrays, "transform", n)
		o.whole = device.Reserve[uint32](o.arrays, "slot of the text", 1)
	}
	if o.byCode {
		o.lcp = device.Reserve[uint32](o.arrays, "LCP", n)
	}
	o.definition = device.NewLayout("")
	o.wide = device.Reserve[uint32](o.definition, "text of symbols", n)
	if given {
		o.checker = verify.NewSymbols[uint32](e.session, n)
		o.plan = device.MemoryPlan{phaseOf(o.checker.Memory(), host, o.kept, o.arrays, o.definition)}
	} else {
		code := device.PhaseMemory{Phase: "decoding", Buffers: []device.BufferMemory{
			{Name: "suffix array of the code", Bytes: 4 * int64(o.code.Len())},
			{Name: "code", Bytes: int64(o.code.Len()) * int64(o.code.SymbolBytes())},
		}}
		if o.byCode {
			code.Buffers = append(code.Buffers,
				device.BufferMemory{Name: "LCP array of the code", Bytes: 4 * int64(o.code.Len())})
		}
		o.plan = append(o.plan, phaseOf(code, host, o.kept, o.arrays))
	}
	if !o.want.LCP || o.byCode {
		return nil
	}
	if o.lengths, err = lcp.NewSymbols[uint32](e.session, n); err != nil {
		return err
	}
	l := device.NewLayout("lcp")
	o.lcpLayout = l
	o.plcp, o.lcp = device.Reserve[uint32](l, "PLCP", n), device.Reserve[uint32](l, "LCP", n)
	o.ws = device.ReserveWorkspace(l, o.lengths.Workspace())
	o.plan = append(o.plan, phaseOf(l.Memory(), host, o.kept, o.arrays, o.definition))
	return nil
}

func (o *gathering) release(s *device.Session) {
	if o.sorter != nil {
		o.sorter.Release()
	}
	if o.checker != nil {
		o.checker.Release()
	}
	for _, l := range []*device.Layout{o.kept, o.arrays, o.definition, o.lcpLayout} {
		if l != nil {
			l.Release(s)
		}
	}
}

// load copies the text to the device.
func (o *gathering) load(c *call, from *separated) error {
	o.isSet = from.set
	if err := o.kept.Allocate(c.s); err != nil {
		return err
	}
	if err := upload(c, o.text.Buffer(c.s), from.text); err != nil {
		return err
	}
	return upload(c, o.coder.Ends(), from.ends)
}

// sort makes the arrays, but LCP only by the code.
func (o *gathering) sort(c *call, occurs *[256]bool) error {
	c.stats.Algorithm = o.sorter.chosen()
	if err := o.sorter.Allocate(); err != nil {
		return err
	}
	text := o.text.Buffer(c.s)
	err := c.compute(func() error {
		c.s.Phase("coding")
		o.coder.Mark(o.code.Len(), o.code.Digits)
		return o.sorter.sort(c, o.coder, occurs, text)
	})
	if err == nil && o.byCode {
		err = o.sorter.compare(c, o.coder, occurs, text)
	}
	if err != nil {
		return err
	}
	if err := o.arrays.Allocate(c.s); err != nil {
		return err
	}
	err = c.compute(func() error {
		c.s.Phase("decoding")
		to := o.decoded(c.s, o.sa.Buffer(c.s))
		if o.byCode {
			to.CodeLCP, to.LCP = o.sorter.lengths(c.s), o.lcp.Buffer(c.s)
		}
		o.coder.Decode(o.code, o.sorter.array(c.s), text, to)
		return c.s.Check(c.ctx)
	})
	o.sorter.Release()
	return err
}

// decoded are the arrays that are wanted, with a suffix array.
func (o *gathering) decoded(s *device.Session, sa *device.Buffer[uint32]) sets.Decoded {
	to := sets.Decoded{SA: sa}
	if o.documents != nil {
		to.Documents = o.documents.Buffer(s)
	}
	if o.bwt != nil {
		to.BWT, to.Whole = o.bwt.Buffer(s), o.whole.Buffer(s)
	}
	return to
}

// define makes the text in symbols of 32 bits.
func (o *gathering) define(c *call) error {
	if err := o.definition.Allocate(c.s); err != nil {
		return err
	}
	return c.compute(func() error {
		c.s.Phase("coding")
		o.coder.Mark(o.shape.N, 0)
		o.coder.Widen(o.text.Buffer(c.s), o.wide.Buffer(c.s))
		return c.s.Check(c.ctx)
	})
}

// verify checks a suffix array, and makes the other arrays but LCP of it.
func (o *gathering) verify(c *call, array []uint32) error {
	if err := o.define(c); err != nil {
		return err
	}
	if err := o.arrays.Allocate(c.s); err != nil {
		return err
	}
	sa := o.sa.Buffer(c.s)
	if err := upload(c, sa.View(0, o.n), array); err != nil {
		return err
	}
	if !o.shape.Least { // the end is the last suffix
		if err := sa.View(o.n, 1).Write([]uint32{uint32(o.n)}); err != nil {
			return err
		}
	}
	if err := o.checker.Allocate(); err != nil {
		return err
	}
	return c.compute(func() error {
		if err := o.checker.Run(c.ctx, o.wide.Buffer(c.s), sa); err != nil {
			return err
		}
		o.checker.Release()
		if o.documents != nil || o.bwt != nil {
			none := sets.Code{Shape: o.shape}
			o.coder.Decode(none, sa, o.text.Buffer(c.s), o.decoded(c.s, nil))
		}
		return c.s.Check(c.ctx)
	})
}

// compare makes the LCP array. The text is defined.
func (o *gathering) compare(c *call) error {
	if err := o.lcpLayout.Allocate(c.s); err != nil {
		return err
	}
	return c.compute(func() error {
		c.s.Phase("lcp")
		if err := c.s.Check(c.ctx); err != nil {
			return err
		}
		o.lengths.Run(o.ws.Workspace(c.s), o.wide.Buffer(c.s), o.sa.Buffer(c.s), o.plcp.Buffer(c.s), o.lcp.Buffer(c.s))
		return nil
	})
}

// result downloads what is wanted.
func (o *gathering) result(c *call) (r *Result, err error) {
	r = &Result{Order: o.want.Order}
	get := func(from *device.Slot[uint32]) (array []uint32) {
		if err == nil {
			array, err = download(c, nil, from.Buffer(c.s).View(0, o.n))
		}
		return array
	}
	if o.want.SA {
		r.SA, err = downloadEntries(c, o.sa.Buffer(c.s).View(0, o.n), o.want)
	}
	if o.want.Documents {
		r.Documents = get(o.documents)
	}
	if o.want.LCP {
		r.LCP = get(o.lcp)
	}
	if o.want.BWT && err == nil {
		r.BWT, r.Primary, err = o.transform(c)
	}
	return r, err
}

// transform is that of a set, or of a text and its end, without the row that has the end.
func (o *gathering) transform(c *call) (Text, int, error) {
	if o.isSet {
		transform, err := download(c, nil, o.bwt.Buffer(c.s).View(0, o.n))
		return Bytes(transform), 0, err
	}
	slot, err := download(c, nil, o.whole.Buffer(c.s))
	if err != nil {
		return Text{}, 0, err
	}
	transform, primary := addressspace.Make[uint8](o.n), int(slot[0])
	from := o.bwt.Buffer(c.s)
	if _, err := download(c, transform[:primary], from.View(0, primary)); err != nil {
		return Text{}, 0, err
	}
	_, err = download(c, transform[primary:], from.View(primary+1, o.n-primary))
	return Bytes(transform), primary, err
}

// noArrays are the arrays of the empty text.
func noArrays(want Want) *Result {
	r := &Result{Order: want.Order}
	for wanted, array := range map[*[]uint32]bool{&r.SA: want.SA, &r.LCP: want.LCP, &r.Documents: want.Documents} {
		if array {
			*wanted = []uint32{}
		}
	}
	if want.BWT {
		r.BWT = Bytes([]byte{})
	}
	return r
}

func (e *Engine) buildSeparated(ctx context.Context, from *separated, want Want) (*Result, error) {
	c, err := e.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer c.end()
	if want.Documents && !from.least {
		return nil, &OrderError{want.Order, "document array"}
	}
	if len(from.text) == 0 {
		return noArrays(want), nil
	}
	occurs, letters := from.letters()
	o, err := prepareAlone(c, func() (*gathering, error) { return newGathering(e, from.shape(), letters, want, true) })
	if err != nil {
		return nil, err
	}
	defer o.release(c.s)
	if err := o.load(c, from); err != nil {
		return nil, err
	}
	if err := o.sort(c, occurs); err != nil {
		return nil, err
	}
	return o.result(c)
}

func (e *Engine) verifySeparated(ctx context.Context, from *separated, r *Result) error {
	c, err := e.begin(ctx)
	if err != nil {
		return err
	}
	defer c.end()
	n := len(from.text)
	if err := sameLength(suffixArrayName, len(r.SA), n); err != nil {
		return err
	}
	want := Want{LCP: r.LCP != nil, BWT: r.BWT.symbols != nil, Documents: r.Documents != nil, Order: r.Order}
	if want.Documents && !from.least {
		return &OrderError{want.Order, "document array"}
	}
	made := noArrays(want)
	if n > 0 {
		o, err := prepareAlone(c, func() (*gathering, error) { return newGathering(e, from.shape(), -1, want, false) })
		if err != nil {
			return err
		}
		defer o.release(c.s)
		if err := o.load(c, from); err != nil {
			return err
		}
		if err := o.verify(c, r.SA); err != nil {
			return err
		}
		if want.LCP {
			if err := o.compare(c); err != nil {
				return err
			}
		}
		if made, err = o.result(c); err != nil {
			return err
		}
	}
	return compareResults(r, made)
}

// compareResults returns a *MismatchError for the first array that is not the one that was made.
func compareResults(r, made *Result) error {
	if r.LCP != nil {
		if err := compareSlots(lcpName, r.LCP, made.LCP); err != nil {
			return err
		}
	}
	if r.Documents != nil {
		if err := compareSlots(documentsName, r.Documents, made.Documents); err != nil {
			return err
		}
	}
	if r.BWT.symbols == nil {
		return nil
	}
	if r.Primary != made.Primary {
		return wrongPrimary(r.Primary, made.Primary)
	}
	if r.BWT.Bytes() == nil && r.BWT.Len() > 0 {
		return &MismatchError{What: transformName, At: -1, Why: fmt.Sprintf("has symbols of %T", r.BWT.symbols)}
	}
	return compareSlots(transformName, r.BWT.Bytes(), made.BWT.Bytes())
}

// PlanSet returns the device and host memory of Build for a set. It calls no driver. Errors as PlanBuild.
func (e *Engine) PlanSet(ctx context.Context, c *Collection, want Want) (device.MemoryPlan, error) {
	return e.PlanOrdered(ctx, Set(c), want)
}

// PlanOrdered is PlanBuild for a text that is there, in an order that its memory depends on.
func (e *Engine) PlanOrdered(ctx context.Context, text Text, want Want) (device.MemoryPlan, error) {
	s, err := want.Order.separate(text)
	switch {
	case err != nil:
		return nil, err
	case s == nil:
		return e.PlanBuild(ctx, text.symbolBytes(), text.Len(), want)
	}
	_, letters := s.letters()
	return planAlone(ctx, e, func() (operation, error) { return newGathering(e, s.shape(), letters, want, true) })
}
