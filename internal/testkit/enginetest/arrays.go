package enginetest

import (
	"context"
	"errors"
	"reflect"
	"strings"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/builders"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
)

// Everything that can be made of a text without documents.
var Everything = suffixcl.Want{SA: true, LCP: true, BWT: true}

// Built is a text of symbols with its arrays.
type Built struct {
	Text suffixcl.Text
	Want *suffixcl.Result
}

// BuiltOf are the arrays of symbols, by definition.
func BuiltOf[T uint16 | uint32](symbols []T, text func([]T) suffixcl.Text) Built {
	sa := conformance.ReferenceSymbolSuffixArray(symbols)
	transform, primary := conformance.ReferenceBWT(symbols, sa)
	return Built{text(symbols), &suffixcl.Result{
		SA: sa, LCP: conformance.ReferenceLCP(symbols, sa), BWT: text(transform), Primary: primary,
	}}
}

// Scaled are the bytes of a text as symbols, spread over all values.
func Scaled[T uint16 | uint32](text []byte, grams bool) []T {
	symbols := make([]T, len(text))
	for i, c := range text {
		symbols[i] = T(c) * (^T(0) / 255)
		if grams && i > 0 {
			symbols[i] ^= T(text[i-1])
		}
	}
	return symbols
}

// BuildAndVerify makes and checks the arrays of symbols: the text's, spread over all values, and some of more than 256
// values, which are far apart.
func BuildAndVerify(ctx context.Context, e *suffixcl.Engine, a Answers) error {
	wide := make([]uint32, 600)
	for i := range wide {
		wide[i] = uint32(i%300) * 2654435769
	}
	for _, b := range []Built{
		BuiltOf(wide, suffixcl.Tokens32), BuiltOf(Scaled[uint16](a.Text, true), suffixcl.Tokens16),
	} {
		r, err := e.Arrays(b.Text, Everything).All(ctx)
		if err != nil && strings.Contains(err.Error(), "texts of bytes only") { // another algorithm
			b.Text, b.Want = suffixcl.Bytes(a.Text), &suffixcl.Result{
				SA: a.SA, LCP: a.LCP, BWT: suffixcl.Bytes(a.Transform), Primary: a.Primary,
			}
			r, err = e.Arrays(b.Text, Everything).All(ctx)
		}
		if err != nil {
			return err
		}
		if !reflect.DeepEqual(b.Want, r) {
			return ErrWrong
		}
		if err := VerifyArrays(ctx, e, b.Text, r); err != nil {
			return err
		}
		text, err := e.Invert(r).All(ctx)
		if err != nil {
			return err
		}
		if !reflect.DeepEqual(b.Text, text) {
			return ErrWrong
		}
	}
	return nil
}

// setAndVerify makes and checks the arrays of the parts of a text, and of it in an order.
func setAndVerify(ctx context.Context, e *suffixcl.Engine, a Answers) error {
	texts := [][]byte{a.Text[:len(a.Text)/3], {}, a.Text[len(a.Text)/3:]}
	got, err := builders.SetArraysOf(e)(ctx, texts)
	if err != nil {
		return err
	}
	want := jobsuites.ReferenceSet(texts)
	if err := errors.Join(Right(nil, got.SA, want.SA), Right(nil, got.LCP, want.LCP),
		Right(nil, got.Documents, want.Documents), Right(nil, got.BWT, want.BWT)); err != nil {
		return err
	}
	text := suffixcl.Bytes(a.Text)
	r, err := e.Arrays(text, suffixcl.Want{SA: true, Order: suffixcl.OrderEndLargest}).All(ctx)
	if err != nil {
		return err
	}
	sa, _ := jobsuites.ReferenceSpecials(a.Text, func(byte) bool { return false })
	return errors.Join(Right(nil, r.SA, sa), VerifyArrays(ctx, e, text, r))
}
