package arrays

import (
	"errors"
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// Want is suffixcl.Want.
type Want struct {
	SA           bool
	LCP          bool
	BWT          bool
	Documents    bool
	Order        input.Order
	Every, First int
	Known        []uint32
	Into         *Result
}

// into is the memory of the caller.
func (w Want) into() Result {
	if w.Into == nil {
		return Result{}
	}
	return *w.Into
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

// Result is suffixcl.Result.
type Result struct {
	SA        []uint32
	First     int
	LCP       []uint32
	BWT       input.Text
	Primary   int
	Documents []uint32
	Order     input.Order
}

// check returns what is wrong with a wish.
func (w Want) check(text input.Text) error {
	switch {
	case w.Documents && !text.IsSet():
		return errors.New("suffixcl: a text that is no set has no documents")
	case w.Documents && w.Order != input.OrderPlain:
		return input.NoOrder(w.Order, "document array")
	case w.Every < 0 || w.First < 0:
		return fmt.Errorf("suffixcl: every %dth entry, from %d on", w.Every, w.First)
	case w.Every > 1 && w.Known != nil:
		return errors.New("suffixcl: all entries of a suffix array that is known are there")
	}
	if err := w.Order.Check(text); err != nil {
		return err
	}
	return w.checkInto(text)
}

// checkInto compares the memory of the caller with what is wanted.
func (w Want) checkInto(text input.Text) error {
	into, n := w.into(), text.Len()
	for _, array := range []struct {
		what   string
		wanted bool
		memory []uint32
		n      int
	}{
		{call.SuffixArrayName, w.SA && w.Known == nil, into.SA, w.entries(n)}, {call.LCPName, w.LCP, into.LCP, n},
		{call.DocumentsName, w.Documents, into.Documents, n},
	} {
		if array.wanted && array.memory != nil {
			if err := call.Exactly(array.what, len(array.memory), array.n); err != nil {
				return err
			}
		}
	}
	if !w.BWT || into.BWT.Symbols == nil {
		return nil
	}
	if got, want := into.BWT.SymbolBytes(), text.SymbolBytes(); got != want {
		return fmt.Errorf("suffixcl: a transform of symbols of %d bytes, of a text of symbols of %d", got, want)
	}
	return call.Exactly("transform", into.BWT.Len(), n)
}

// derived is what is made on the device of a suffix array that is sorted there, or known.
func (w Want) derived() Want {
	w.SA = w.SA && w.Known == nil
	return w
}

// known compares the length of a suffix array with that of its text.
func (w Want) known(n int) error {
	if w.Known == nil {
		return nil
	}
	return call.SameLength(call.SuffixArrayName, len(w.Known), n)
}

// withKnown is the result with its order, and with the suffix array that was there before.
func (r *Result) withKnown(want Want) *Result {
	r.Order = want.Order
	if want.SA && want.Known != nil {
		r.SA = want.Known
	}
	return r
}

// smallestEnd is the transform, and its primary index, of the text in whose order the end is smallest. Where it is
// largest that is the text with 255 - c for each c: the order of its suffixes is turned around.
func (r *Result) smallestEnd() (transform input.Text, primary int) {
	if r.Order.Kind != input.EndLargestKind {
		return r.Order.Turn(r.BWT), r.Primary
	}
	bytes := slices.Clone(r.BWT.Bytes())
	complement(bytes)
	slices.Reverse(bytes)
	if len(bytes) == 0 {
		return input.Text{Symbols: bytes}, 0
	}
	return input.Text{Symbols: bytes}, len(bytes) - r.Primary
}

// either is the memory of the caller, or, if that is nil, other memory.
func either[T any](into, other []T) []T {
	if into != nil {
		return into
	}
	return other
}

// first are the first n elements, which nothing is appended to; nil of nil.
func first[T any](of []T, n int) []T {
	if of == nil {
		return nil
	}
	return of[:n:n]
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
		r.BWT = input.Bytes([]byte{})
	}
	return r
}

// simple is the operation that makes what is wanted of a text, where that is one array of a text of bytes in plain
// order, or the check of one; else notSimple.
func (w Want) simple(text input.Text) call.Kind {
	if text.IsSet() || text.SymbolBytes() != 1 || w.Order != input.OrderPlain || w.Every > 1 {
		return notSimple
	}
	w.SA = w.SA && w.Known == nil
	if w.Known != nil {
		switch [2]bool{w.LCP, w.BWT} {
		case [2]bool{}:
			return knownArray
		case [2]bool{true, false}:
			return knownLCP
		case [2]bool{false, true}:
			return knownBWT
		}
		return notSimple
	}
	switch [3]bool{w.SA, w.LCP, w.BWT} {
	case [3]bool{true, false, false}:
		return sortedArray
	case [3]bool{false, true, false}:
		return sortedLCP
	case [3]bool{false, false, true}:
		return sortedBWT
	}
	return notSimple
}

// downloadEntries copies the entries of a suffix array that are wanted. All of them cross the bus, block by block.
func downloadEntries(c *call.Call, to []uint32, sa *device.Buffer[uint32], want Want) ([]uint32, error) {
	if want.Every <= 1 {
		return call.Download(c, to, sa)
	}
	c.Session.Phase("download")
	kept := to
	if kept == nil {
		kept = addressspace.Make[uint32](want.entries(sa.Len()))
	}
	err := c.EachBlock(sa.Len(), 1, []*device.Buffer[uint32]{sa}, func(first int, blocks [][]uint32) error {
		block := blocks[0]
		from := max(first-want.First+want.Every-1, 0) / want.Every // the first entry in the block
		to := want.entries(first + len(block))
		parallel.Do(max(to-from, 0), 1<<14, func(lo, hi int) {
			for k := from + lo; k < from+hi; k++ {
				kept[k] = block[want.First+k*want.Every-first]
			}
		})
		c.Progress("download", int64(first+len(block)), int64(sa.Len()))
		return nil
	})
	return kept, err
}

func complement(text []byte) {
	for i := range text {
		text[i] = ^text[i]
	}
}

// The kinds of what Want.simple tells, and of inverses.
var (
	notSimple   = call.Kind{}
	sortedArray = call.Kind{Name: "suffix array", Memory: true}
	sortedLCP   = call.Kind{Name: "LCP array", Memory: false}
	sortedBWT   = call.Kind{Name: "transform", Memory: true}
	knownArray  = call.Kind{Name: "check of a suffix array", Memory: true}
	knownLCP    = call.Kind{Name: "LCP array of a suffix array", Memory: false}
	knownBWT    = call.Kind{Name: "transform of a suffix array", Memory: false}
	invertedBWT = call.Kind{Name: "inverse of a transform", Memory: true}
)
