package suffixcl

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/sais"
	"github.com/suffixcl/suffixcl/suffixsort"
)

// Want says what Build makes.
type Want struct {
	SA  bool // the suffix array
	LCP bool // the LCP array
	BWT bool // the Burrows-Wheeler transform
	// Documents: the document array, of a set of texts.
	Documents bool
	// Order of the suffixes.
	Order Order
	// Every: only the entries First, First + Every, First + 2 Every, ... of the suffix array; 0 and 1: all.
	Every, First int
}

// entries is how many entries of a suffix array of n are wanted.
func (w Want) entries(n int) int {
	if w.Every <= 1 {
		return n
	}
	return max(n-w.First+w.Every-1, 0) / w.Every
}

// wholeSA tells whether all entries of the suffix array are wanted.
func (w Want) wholeSA() bool { return w.SA && w.Every <= 1 }

// Result is what Build has made of a text of n symbols, nil or zero where it was not wanted.
type Result struct {
	SA  []uint32 // sa [n]uint32, as SuffixArray has it, in symbols; with Want.Every only these entries
	LCP []uint32 // lcp [n]uint32, as LCP has it, in symbols
	// BWT is the transform [n], of the symbols of the text, as BWT has it: without the row of the whole text, Primary.
	// In orders in which the end is largest the row of the empty suffix is the last one.
	BWT     Text
	Primary int
	// Documents [n]uint32 are the numbers of the texts of a set, from 0, in which the suffixes of SA begin.
	Documents []uint32
	// Order of the suffixes.
	Order Order
}

// Build makes several arrays of one text in one call. Texts have up to MaxLen symbols. See PlanBuild for the memory,
// for sets PlanSet. Of a suffix array of which not all entries are wanted only these take memory on the host.
//
// Symbols of 16 and 32 bits compare as numbers, and may have any values. They are sorted by AlgorithmSuffixsort and
// AlgorithmSAIS. Errors as SuffixArray, and an error of another algorithm, or of an order that the text or an array
// does not have.
func (e *Engine) Build(ctx context.Context, text Text, want Want) (*Result, error) {
	return e.build(ctx, text, nil, want)
}

// BuildOf is Build for a suffix array that is known: sa [n], in the order that is wanted. It is verified first, on the
// device in linear time. Memory: PlanBuildOf. Errors as Build, and a *MismatchError if sa is another array.
func (e *Engine) BuildOf(ctx context.Context, text Text, sa []uint32, want Want) (*Result, error) {
	if want.Every > 1 {
		return nil, errors.New("suffixcl: all entries of a suffix array that is known are there")
	}
	derived := want
	derived.SA = false
	r, err := e.build(ctx, text, &sa, derived)
	if err == nil && want.SA {
		r.SA = sa
	}
	return r, err
}

// build makes what is wanted of a text, whose suffix array is given, or sorted where that is nil.
func (e *Engine) build(ctx context.Context, text Text, given *[]uint32, want Want) (*Result, error) {
	switch {
	case want.Documents && !text.isSet():
		return nil, errors.New("suffixcl: a text that is no set has no documents")
	case want.Every < 0 || want.First < 0:
		return nil, fmt.Errorf("suffixcl: every %dth entry, from %d on", want.Every, want.First)
	}
	s, err := want.Order.separate(text)
	if err != nil {
		return nil, err
	}
	if s != nil {
		return e.buildSeparated(ctx, s, given, want)
	}
	var r *Result
	switch symbols := want.Order.turn(text).symbols.(type) {
	case []uint16:
		r, err = buildAll(ctx, e, symbols, given, want, newSymbolSorter[uint16])
	case []uint32:
		r, err = buildAll(ctx, e, symbols, given, want, newSymbolSorter[uint32])
	default:
		r, err = buildAll(ctx, e, text.Bytes(), given, want, newByteSorter)
	}
	if err != nil {
		return nil, err
	}
	r.BWT, r.Order = want.Order.turn(r.BWT), want.Order
	return r, nil
}

// VerifyBuild returns nil if the arrays of a result are those of the text, in the order of the result, and else a
// *MismatchError. The suffix array must be there; other arrays are checked where they are. The suffix array is checked
// in linear time, on the device. A nil *Result is that of the empty text. Other errors as Build.
func (e *Engine) VerifyBuild(ctx context.Context, text Text, r *Result) error {
	if r == nil {
		r = &Result{}
	}
	made, err := e.BuildOf(ctx, text, r.SA,
		Want{LCP: r.LCP != nil, BWT: r.BWT.symbols != nil, Documents: r.Documents != nil, Order: r.Order})
	if err != nil {
		return err
	}
	return compareResults(r, made)
}

// InvertBuild returns the text whose transform and primary index a result has, of the same symbols. The transform of a
// set has no primary index, and is not inverted, nor is that of an order with specials. A nil *Result is that of the
// empty text. Errors as InverseBWT; such an order.
func (e *Engine) InvertBuild(ctx context.Context, r *Result) (Text, error) {
	if r == nil {
		r = &Result{}
	}
	switch r.Order.kind {
	case specialsLargest:
		return Text{}, &OrderError{r.Order, "transform that is inverted"}
	case endLargest:
		return e.invertEndLargest(ctx, r)
	}
	var text Text
	var err error
	switch symbols := r.Order.turn(r.BWT).symbols.(type) {
	case []uint16:
		text, err = invertSymbols(ctx, e, symbols, r.Primary)
	case []uint32:
		text, err = invertSymbols(ctx, e, symbols, r.Primary)
	default:
		var inverse []byte
		inverse, err = e.InverseBWT(ctx, r.BWT.Bytes(), r.Primary)
		text = Text{inverse}
	}
	return r.Order.turn(text), err
}

// invertEndLargest is InvertBuild for OrderEndLargest. If c becomes 255 - c, the order of suffixes turns around,
// and the end is smallest.
func (e *Engine) invertEndLargest(ctx context.Context, r *Result) (Text, error) {
	transform := slices.Clone(r.BWT.Bytes())
	if transform == nil && r.BWT.Len() > 0 {
		return Text{}, &OrderError{r.Order, "text of symbols"}
	}
	complement := func(text []byte) {
		for i := range text {
			text[i] = ^text[i]
		}
	}
	complement(transform)
	slices.Reverse(transform)
	primary := 0
	if len(transform) > 0 {
		primary = len(transform) - r.Primary
	}
	text, err := e.InverseBWT(ctx, transform, primary)
	complement(text)
	return Text{text}, err
}

// PlanInvertBuild is PlanBuild for InvertBuild of a transform of n symbols. Errors as PlanBuild.
func (e *Engine) PlanInvertBuild(ctx context.Context, symbolBytes, n int) (device.MemoryPlan, error) {
	if symbolBytes == 1 {
		return e.Plan(ctx, OpInverseBWT, n)
	}
	return planSymbols(ctx, e, symbolBytes,
		nil, // see above
		func() (operation, error) { return newInvertingSymbols[uint16](e, n) },
		func() (operation, error) { return newInvertingSymbols[uint32](e, n) })
}

func invertSymbols[T symbol](ctx context.Context, e *Engine, transform []T, primary int) (Text, error) {
	c, err := e.begin(ctx)
	if err != nil {
		return Text{}, err
	}
	defer c.end()
	o, err := prepareAlone(c, func() (*inverting[T], error) { return newInvertingSymbols[T](e, len(transform)) })
	if err != nil {
		return Text{}, err
	}
	defer o.release(c.s)
	out, err := o.run(c, transform, primary)
	if err != nil {
		return Text{}, err
	}
	text, err := download(c, nil, out)
	return Text{text}, err
}

// PlanBuild returns the device and host memory of Build for a text of n symbols of so many bytes: 1, 2 or 4. It calls
// no driver. Errors as Plan; another number of bytes.
func (e *Engine) PlanBuild(ctx context.Context, symbolBytes, n int, want Want) (device.MemoryPlan, error) {
	return planSymbols(ctx, e, symbolBytes,
		func() (operation, error) { return newBuilding(e, n, want, newByteSorter) },
		func() (operation, error) { return newBuilding(e, n, want, newSymbolSorter[uint16]) },
		func() (operation, error) { return newBuilding(e, n, want, newSymbolSorter[uint32]) })
}

// PlanVerifyBuild is PlanBuild for BuildOf, and for VerifyBuild of a result that has the suffix array and what is
// wanted. Errors as PlanBuild.
func (e *Engine) PlanVerifyBuild(ctx context.Context, symbolBytes, n int, want Want) (device.MemoryPlan, error) {
	return planSymbols(ctx, e, symbolBytes,
		func() (operation, error) { return newChecking[uint8](e, n, want) },
		func() (operation, error) { return newChecking[uint16](e, n, want) },
		func() (operation, error) { return newChecking[uint32](e, n, want) })
}

// planSymbols is planAlone of the operation for symbols of so many bytes.
func planSymbols(
	ctx context.Context, e *Engine, symbolBytes int, of1, of2, of4 func() (operation, error),
) (device.MemoryPlan, error) {
	return planAlone(ctx, e, func() (operation, error) {
		switch symbolBytes {
		case 1:
			return of1()
		case 2:
			return of2()
		case 4:
			return of4()
		}
		return nil, fmt.Errorf("suffixcl: symbols of %d bytes, wants 1, 2 or 4", symbolBytes)
	})
}

func buildAll[T symbol](ctx context.Context, e *Engine, text []T, given *[]uint32, want Want,
	sorters symbolSorters[T]) (_ *Result, err error) {
	c, err := e.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer c.end()
	if given != nil {
		if err := sameLength(suffixArrayName, len(*given), len(text)); err != nil {
			return nil, err
		}
	}
	o, err := prepareAlone(c, func() (*building[T], error) {
		if given != nil {
			return newChecking[T](e, len(text), want)
		}
		return newBuilding(e, len(text), want, sorters)
	})
	if err != nil {
		return nil, err
	}
	defer o.release(c.s)
	if given != nil {
		err = o.verify(c, text, *given)
	} else {
		err = o.sort(c, text)
	}
	if err != nil {
		return nil, err
	}
	return o.derive(c, text)
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
	switch symbols := made.BWT.symbols.(type) {
	case []uint16:
		return compareTransforms(r.BWT, symbols)
	case []uint32:
		return compareTransforms(r.BWT, symbols)
	}
	return compareTransforms(r.BWT, made.BWT.Bytes())
}

func compareTransforms[T symbol](got Text, want []T) error {
	symbols, ok := got.symbols.([]T)
	if !ok {
		return &MismatchError{What: transformName, At: -1, Why: fmt.Sprintf("has symbols of %T", got.symbols)}
	}
	return compareSlots(transformName, symbols, want)
}

func wrongPrimary(got, want int) error {
	why := fmt.Sprintf("has primary index %d instead of %d", got, want)
	return &MismatchError{What: transformName, At: -1, Why: why}
}

// compareSlots returns a *MismatchError for the first difference.
func compareSlots[T symbol](what string, got, want []T) error {
	if err := sameLength(what, len(got), len(want)); err != nil {
		return err
	}
	for j := range want {
		if got[j] != want[j] {
			return &MismatchError{What: what, At: j, Why: fmt.Sprintf("holds %d instead of %d", got[j], want[j])}
		}
	}
	return nil
}

// symbolSorter is a Sorter of texts of symbols. Run overwrites the text, which has TextLen symbols.
type symbolSorter[T symbol] interface {
	arraySorter[T]
	TextLen(n int) int
}

// symbolSorters makes a sorter of texts of up to n symbols, with the memory that is left.
type symbolSorters[T symbol] func(e *Engine, n int, fits func(device.PhaseMemory) bool) (symbolSorter[T], Algorithm,
	error)

// byteSorter is a Sorter as a symbolSorter.
type byteSorter struct{ Sorter }

func (byteSorter) TextLen(n int) int { return n }

func newByteSorter(e *Engine, n int, fits func(device.PhaseMemory) bool) (symbolSorter[uint8], Algorithm, error) {
	sorter, algorithm, err := newSorter(e.session, e.algorithm, automatic, n, fits)
	return byteSorter{sorter}, algorithm, err
}

// symbolAlgorithms sort texts of symbols.
var symbolAlgorithms = []Algorithm{AlgorithmSuffixsort, AlgorithmSAIS}

func newSymbolSorter[T uint16 | uint32](e *Engine, n int, _ func(device.PhaseMemory) bool) (symbolSorter[T], Algorithm,
	error) {
	algorithm := e.algorithm
	if algorithm == AlgorithmAuto {
		algorithm = AlgorithmSuffixsort
		if caps := e.session.Caps(); caps.CPUShape && n <= sais.Longest(caps) {
			algorithm = AlgorithmSAIS
		}
	}
	if !slices.Contains(symbolAlgorithms, algorithm) {
		return nil, "", onlyBytesError{algorithm}
	}
	if algorithm == AlgorithmSAIS {
		sorter, err := sais.NewSymbols[T](e.session, n)
		return sorter, algorithm, err
	}
	sorter, err := suffixsort.NewSymbols[T](e.session, n)
	return sorter, algorithm, err
}
