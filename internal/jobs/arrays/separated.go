package arrays

import (
	"cmp"
	"sync"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/lcp"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/sets"
	"github.com/suffixcl/suffixcl/internal/sorter"
	"github.com/suffixcl/suffixcl/internal/verify"
)

// Gathering makes the arrays of a text with separators, sorted or given.
type Gathering struct {
	shape sets.Shape
	n     int // characters of the text
	isSet bool
	want  Want
	code  sets.Code
	// byCode: the LCP array is made from that of the code.
	byCode bool

	Kept  *device.Layout // what the coder has, and the text
	text  *device.Slot[uint8]
	coder *sets.Coder

	sorter codeSorter // nil where the suffix array is given

	// Arrays of the code become those of the text where they are.
	Array *device.Layout
	sa    *device.Slot[uint32]

	arrays    *device.Layout
	documents *device.Slot[uint32]
	bwt       *device.Slot[uint8]
	whole     *device.Slot[uint32] // the slot of the whole text

	// Memory of the caller that arrays are made in, or nil.
	placed struct {
		sa, documents, lcp []uint32
		bwt                []uint8
	}

	Definition *device.Layout // the text in symbols of 32 bits
	wide       *device.Slot[uint32]
	checker    *verify.SymbolChecker[uint32] // nil where it is sorted

	lengths   *lcp.SymbolPlan[uint32] // nil where it is not made by the definition
	LCPLayout *device.Layout
	PLCP, LCP *device.Slot[uint32]
	ws        *device.WorkspaceSlot

	Phases device.MemoryPlan
}

func (o *Gathering) Plan() device.MemoryPlan { return o.Phases }

// NewGathering plans the arrays of texts of a shape with so many letters, or, where these are negative, verifying. The
// LCP array is made from that of the code, or, where the text in symbols of 32 bits is of use after it, from that.
func NewGathering(e *call.Engine, shape sets.Shape, letters int, want Want, byCode bool) (*Gathering, error) {
	o := &Gathering{shape: shape, n: shape.N, want: want, code: sets.Code{Shape: shape}}
	if !shape.Least {
		o.n--
	}
	given := letters < 0
	o.byCode = byCode && want.LCP && !given
	if !given {
		o.code = sets.NewCode(shape, letters)
	}
	if err := limits.CheckLen("text", o.n, limits.MaxLen); err != nil {
		return nil, err
	}
	if err := limits.CheckLen("text with the numbers of its separators", o.code.Len(), limits.MaxLen); err != nil {
		return nil, err
	}
	o.Kept = device.NewLayout("")
	o.text = device.Reserve[uint8](o.Kept, "text", o.n)
	o.coder = sets.New(e.Session, shape, o.code.Len())
	o.coder.Reserve(o.Kept)
	o.Array = device.NewLayout("")
	o.sa = device.Reserve[uint32](o.Array, "suffix array", o.code.Len())
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

func (o *Gathering) planSorter(e *call.Engine, host int64) (err error) {
	kept := []*device.Layout{o.Kept, o.Array}
	if o.code.Bytes {
		o.sorter, err = newCodeSorting(e, o.code, o.byCode, host, kept, sorter.OfBytes)
	} else {
		o.sorter, err = newCodeSorting(e, o.code, o.byCode, host, kept, sorter.OfSymbols[uint16])
	}
	if err != nil {
		return err
	}
	o.Phases = device.MemoryPlan{call.PhaseOf(o.sorter.Memory(), host, kept...)}
	if o.byCode {
		o.LCPLayout = device.NewLayout("decoding")
		o.LCP = device.Reserve[uint32](o.LCPLayout, "LCP", o.code.Len())
		o.Phases = append(o.Phases, call.PhaseOf(o.sorter.comparing(), host, append(kept, o.LCPLayout)...))
	}
	return nil
}

// planDerived plans the arrays, after those of the code or given.
func (o *Gathering) planDerived(e *call.Engine, given bool, host int64) (err error) {
	n := o.shape.N
	o.arrays = device.NewLayout("decoding")
	if o.want.Documents {
		o.documents = device.Reserve[uint32](o.arrays, "document array", n)
	}
	if o.want.BWT {
		o.bwt = device.Reserve[uint8](o.arrays, "transform", n)
		o.whole = device.Reserve[uint32](o.arrays, "slot of the text", 1)
	}
	o.Definition = device.NewLayout("")
	o.wide = device.Reserve[uint32](o.Definition, "text of symbols", n)
	switch {
	case given:
		o.checker = verify.NewSymbols[uint32](e.Session, n)
		o.Phases = device.MemoryPlan{call.PhaseOf(o.checker.Memory(), host, o.Kept, o.Array, o.arrays, o.Definition)}
	case o.byCode:
		o.Phases = append(o.Phases, call.PhaseOf(o.arrays.Memory(), host, o.Kept, o.Array, o.LCPLayout))
	default:
		o.Phases = append(o.Phases, call.PhaseOf(o.arrays.Memory(), host, o.Kept, o.Array))
	}
	if !o.want.LCP || o.byCode {
		return nil
	}
	if o.lengths, err = lcp.NewSymbols[uint32](e.Session, n); err != nil {
		return err
	}
	l := device.NewLayout("lcp")
	o.LCPLayout = l
	o.PLCP, o.LCP = device.Reserve[uint32](l, "PLCP", n), device.Reserve[uint32](l, "LCP", n)
	o.ws = device.ReserveWorkspace(l, o.lengths.Workspace())
	o.Phases = append(o.Phases, call.PhaseOf(l.Memory(), host, o.Kept, o.Array, o.arrays, o.Definition))
	return nil
}

func (o *Gathering) Free(s *device.Session) {
	if o.sorter != nil {
		o.sorter.Release()
	}
	if o.checker != nil {
		o.checker.Release()
	}
	for _, l := range []*device.Layout{o.Kept, o.Array, o.arrays, o.Definition, o.LCPLayout} {
		if l != nil {
			l.Release(s)
		}
	}
}

// Load copies the text to the device.
func (o *Gathering) Load(c *call.Call, from *input.Separated) error {
	o.isSet = from.Set
	call.Placed(c, o.text, from.Text)
	if err := o.Kept.Allocate(c.Session); err != nil {
		return err
	}
	if err := call.Upload(c, o.text.Buffer(c.Session), from.Text); err != nil {
		return err
	}
	return call.Upload(c, o.coder.Ends(), from.Ends)
}

// Suffixes is the suffix array.
func (o *Gathering) Suffixes(s *device.Session) *device.Buffer[uint32] {
	return o.sa.Buffer(s).View(0, o.shape.N)
}

// place has results be made in new memory of the host, unless the caller has some. Arrays of the code are longer than
// those of the text: by more than an eighth they would waste it.
func (o *Gathering) place(c *call.Call) {
	fits, into := o.code.Len()-o.n <= max(o.n/8, 1), o.want.into()
	if o.want.wholeSA() && fits && into.SA == nil {
		o.placed.sa = call.Placed(c, o.sa, nil)
	}
	if o.byCode && fits && into.LCP == nil {
		o.placed.lcp = call.Placed(c, o.LCP, nil)
	}
	if o.want.Documents && into.Documents == nil {
		o.placed.documents = call.Placed(c, o.documents, nil)
	}
	if o.want.BWT && o.isSet && into.BWT.Symbols == nil {
		o.placed.bwt = call.Placed(c, o.bwt, nil)
	}
}

// Sort makes the arrays, but LCP only by the code.
func (o *Gathering) Sort(c *call.Call, occurs *[256]bool) error {
	c.Stats.Algorithm = o.sorter.chosen()
	o.place(c)
	if err := cmp.Or(o.Array.Allocate(c.Session), o.sorter.Allocate()); err != nil {
		return err
	}
	text, sa := o.text.Buffer(c.Session), o.sa.Buffer(c.Session)
	err := c.Compute(func() error {
		c.Phase("coding")
		o.coder.Index(o.code.Len(), o.code.Digits)
		return o.sorter.Sort(c, o.coder, occurs, text, sa)
	})
	if err == nil && o.byCode {
		if err = o.LCPLayout.Allocate(c.Session); err == nil {
			err = o.sorter.Compare(c, o.coder, occurs, text, sa, o.LCP.Buffer(c.Session))
		}
	}
	o.sorter.Release()
	if err != nil {
		return err
	}
	if err := o.arrays.Allocate(c.Session); err != nil {
		return err
	}
	return c.Compute(func() error {
		c.Phase("decoding")
		to := o.decoded(c.Session)
		if o.byCode {
			to.LCP = o.LCP.Buffer(c.Session)
		}
		o.coder.Decode(sa, text, to)
		return c.Session.Check(c.Ctx)
	})
}

// decoded are the arrays that are wanted besides the suffix array.
func (o *Gathering) decoded(s *device.Session) (to sets.Decoded) {
	if o.documents != nil {
		to.Documents = o.documents.Buffer(s)
	}
	if o.bwt != nil {
		to.BWT, to.Whole = o.bwt.Buffer(s), o.whole.Buffer(s)
	}
	return to
}

// Define makes the text in symbols of 32 bits.
func (o *Gathering) Define(c *call.Call) error {
	if err := o.Definition.Allocate(c.Session); err != nil {
		return err
	}
	return c.Compute(func() error {
		c.Phase("coding")
		o.coder.Index(o.shape.N, 0)
		o.coder.Widen(o.text.Buffer(c.Session), o.wide.Buffer(c.Session))
		return c.Session.Check(c.Ctx)
	})
}

// Verify checks a suffix array, and makes the other arrays but LCP of it.
func (o *Gathering) Verify(c *call.Call, array []uint32) error {
	if err := o.Define(c); err != nil {
		return err
	}
	call.Placed(c, o.sa, array)
	if err := cmp.Or(o.Array.Allocate(c.Session), o.arrays.Allocate(c.Session)); err != nil {
		return err
	}
	sa := o.Suffixes(c.Session)
	if err := call.Upload(c, sa.View(0, o.n), array); err != nil {
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
	c.Progress("verify", 0, 0)
	return c.Compute(func() error {
		if err := o.checker.Run(c.Ctx, o.wide.Buffer(c.Session), sa); err != nil {
			return err
		}
		o.checker.Release()
		if o.documents != nil || o.bwt != nil {
			o.coder.Decode(sa, o.text.Buffer(c.Session), o.decoded(c.Session))
		}
		return c.Session.Check(c.Ctx)
	})
}

// Compare makes the LCP array. The text is defined.
func (o *Gathering) Compare(c *call.Call) error {
	if err := o.LCPLayout.Allocate(c.Session); err != nil {
		return err
	}
	return c.Compute(func() error {
		c.Phase("lcp")
		if err := c.Session.Check(c.Ctx); err != nil {
			return err
		}
		s := c.Session
		o.lengths.Run(o.ws.Workspace(s), o.wide.Buffer(s), o.Suffixes(s), o.PLCP.Buffer(s), o.LCP.Buffer(s))
		return nil
	})
}

// result downloads what is wanted.
func (o *Gathering) result(c *call.Call) (r *Result, err error) {
	r = &Result{Order: o.want.Order}
	into := o.want.into()
	get := func(into, placed []uint32, from *device.Slot[uint32]) (array []uint32) {
		if err == nil {
			array, err = call.Download(c, either(into, first(placed, o.n)), from.Buffer(c.Session).View(0, o.n))
		}
		return array
	}
	if o.want.SA {
		r.SA, err = downloadEntries(c, either(into.SA, first(o.placed.sa, o.n)), o.sa.Buffer(c.Session).View(0, o.n), o.want)
	}
	if o.want.Documents {
		r.Documents = get(into.Documents, o.placed.documents, o.documents)
	}
	if o.want.LCP {
		r.LCP = get(into.LCP, o.placed.lcp, o.LCP)
	}
	if o.want.BWT && err == nil {
		r.BWT, r.Primary, err = o.transform(c)
	}
	return r, err
}

// transform is that of a set, or of a text and its end, without the row that has the end.
func (o *Gathering) transform(c *call.Call) (input.Text, int, error) {
	if o.isSet {
		to := either(o.want.into().BWT.Bytes(), first(o.placed.bwt, o.n))
		transform, err := call.Download(c, to, o.bwt.Buffer(c.Session).View(0, o.n))
		return input.Bytes(transform), 0, err
	}
	slot, err := call.Download(c, nil, o.whole.Buffer(c.Session))
	if err != nil {
		return input.Text{}, 0, err
	}
	transform, primary := o.want.into().BWT.Bytes(), int(slot[0])
	if transform == nil {
		transform = addressspace.Make[uint8](o.n)
	}
	from := o.bwt.Buffer(c.Session)
	if _, err := call.Download(c, transform[:primary], from.View(0, primary)); err != nil {
		return input.Text{}, 0, err
	}
	_, err = call.Download(c, transform[primary:], from.View(primary+1, o.n-primary))
	return input.Bytes(transform), primary, err
}

// separatedArrays is Arrays of a text with separators, which are looked for once.
func separatedArrays(e *call.Engine, text input.Text, want Want) call.Job[*Result, *Result] {
	type lettered struct {
		*input.Separated
		occurs *[256]bool
		count  int
	}
	find := sync.OnceValues(func() (l lettered, err error) {
		if l.Separated, err = want.Order.Separate(text); err != nil {
			return l, err
		}
		l.count = -1
		if want.Known == nil {
			l.occurs, l.count = l.Letters()
		}
		return l, nil
	})
	return call.NewJob(e, func() (*Gathering, error) {
		from, err := find()
		if err != nil {
			return nil, err
		}
		return NewGathering(e, from.Shape(), from.count, want.derived(), true)
	}, func(c *call.Call, o *Gathering, yield func(*Result) error) error {
		from, err := find()
		if err == nil {
			err = want.known(len(from.Text))
		}
		switch {
		case err != nil:
			return err
		case len(from.Text) == 0:
			return yield(noArrays(want))
		}
		if err := o.Load(c, from.Separated); err != nil {
			return err
		}
		if want.Known != nil {
			err = o.Verify(c, want.Known)
		} else {
			err = o.Sort(c, from.occurs)
		}
		if err == nil && want.LCP && !o.byCode {
			err = o.Compare(c)
		}
		if err != nil {
			return err
		}
		r, err := o.result(c)
		if err != nil {
			return err
		}
		return yield(r.withKnown(want))
	}, call.Only[*Result])
}
