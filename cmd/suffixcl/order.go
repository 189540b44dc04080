package main

import (
	"context"

	"github.com/spf13/pflag"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
)

// orderFlags choose the order of suffixes.
type orderFlags struct {
	*jobFlags
	order   cli.Choice
	letters string
	given   func() bool // --letters
}

// add declares the flags, for these orders.
func (f *orderFlags) add(flags *pflag.FlagSet, orders ...suffixcl.Order) {
	f.order = cli.Choice{Value: suffixcl.OrderPlain.String()}
	help := "order of suffixes"
	for i, o := range orders {
		f.order.Of = append(f.order.Of, o.String())
		help += [...]string{": ", ", "}[min(i, 1)] + o.String()
		if o == suffixcl.SpecialsLargest("") {
			flags.StringVar(&f.letters, "letters", "ACGT", "what is not special, for --order specials-largest")
			f.given = func() bool { return flags.Changed("letters") }
		}
	}
	flags.Var(&f.order, "order", help)
}

// allOrders are those of suffix and LCP arrays.
var allOrders = []suffixcl.Order{suffixcl.OrderPlain, suffixcl.OrderEndLargest, suffixcl.SpecialsLargest(""),
	suffixcl.OrderMemory}

// chosen is the order.
func (f *orderFlags) chosen() suffixcl.Order {
	for _, o := range allOrders[1:] {
		switch {
		case o.String() != f.order.Value:
		case o == suffixcl.SpecialsLargest(""):
			return suffixcl.SpecialsLargest(f.letters)
		default:
			return o
		}
	}
	return suffixcl.OrderPlain
}

// plain tells whether there is nothing to choose.
func (f *orderFlags) plain() bool { return f.chosen() == suffixcl.OrderPlain }

// wrong tells of flags that do not go together.
func (f *orderFlags) wrong() error {
	switch {
	case f.given != nil && f.given() && f.order.Value != suffixcl.SpecialsLargest("").String():
		return cli.Usage("--letters is for --order specials-largest")
	case f.plain():
		return nil
	case f.mpi:
		return cli.Usage("--order does not go with --mpi")
	case f.order.Value == suffixcl.OrderMemory.String() && f.symbolBytes() == 1:
		return cli.Usage("--order memory needs --symbols u16 or u32")
	case f.order.Value != suffixcl.OrderMemory.String() && f.symbolBytes() > 1:
		return cli.Usage("--order %s does not go with --symbols %s", f.order.Value, f.symbols.Value)
	}
	return nil
}

// plan is that of planText, for texts in an order: where its memory depends on the text, that is read. given tells
// whether the suffix array is known.
func (f *orderFlags) plan(
	want func() suffixcl.Want, given func() bool,
) func(context.Context, *job, string) (device.MemoryPlan, error) {
	return func(ctx context.Context, j *job, name string) (device.MemoryPlan, error) {
		if f.plain() || f.symbolBytes() > 1 {
			return planText(f.Options)(ctx, j, name)
		}
		text, err := j.openDeviceAndText(ctx, name, f.Options())
		if err != nil {
			return nil, err
		}
		w := want()
		w.Order = f.chosen()
		if given() {
			w.Known = []uint32{}
		}
		return j.engine.Arrays(suffixcl.Bytes(text), w).Plan(ctx)
	}
}
