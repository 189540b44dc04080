package options

import (
	"github.com/spf13/pflag"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/cli"
)

// Order choose the order of suffixes.
type Order struct {
	*Job
	Order   cli.Choice
	letters string
	given   func() bool // --letters
}

// Add declares the flags, for these orders.
func (f *Order) Add(flags *pflag.FlagSet, orders ...suffixcl.Order) {
	f.Order = cli.Choice{Value: suffixcl.OrderPlain.String()}
	help := "order of suffixes"
	for i, o := range orders {
		f.Order.Of = append(f.Order.Of, o.String())
		help += [...]string{": ", ", "}[min(i, 1)] + o.String()
		if o == suffixcl.SpecialsLargest("") {
			flags.StringVar(&f.letters, "letters", "ACGT", "what is not special, for --order specials-largest")
			f.given = func() bool { return flags.Changed("letters") }
		}
	}
	flags.Var(&f.Order, "order", help)
}

// AllOrders are those of suffix and LCP arrays.
var AllOrders = []suffixcl.Order{suffixcl.OrderPlain, suffixcl.OrderEndLargest, suffixcl.SpecialsLargest(""),
	suffixcl.OrderMemory}

// Chosen is the order.
func (f *Order) Chosen() suffixcl.Order {
	for _, o := range AllOrders[1:] {
		switch {
		case o.String() != f.Order.Value:
		case o == suffixcl.SpecialsLargest(""):
			return suffixcl.SpecialsLargest(f.letters)
		default:
			return o
		}
	}
	return suffixcl.OrderPlain
}

// Plain tells whether there is nothing to choose.
func (f *Order) Plain() bool { return f.Chosen() == suffixcl.OrderPlain }

// Specials tells whether there are bytes that are equal to nothing.
func (f *Order) Specials() bool { return f.Order.Value == suffixcl.SpecialsLargest("").String() }

// Wrong tells of flags that do not go together.
func (f *Order) Wrong() error {
	switch {
	case f.given != nil && f.given() && !f.Specials():
		return cli.Usage("--letters is for --order specials-largest")
	case f.Plain():
		return nil
	case f.MPI:
		return cli.Usage("--order does not go with --mpi")
	case f.Order.Value == suffixcl.OrderMemory.String() && f.SymbolBytes() == 1:
		return cli.Usage("--order memory needs --symbols u16 or u32")
	case f.Order.Value != suffixcl.OrderMemory.String() && f.SymbolBytes() > 1:
		return cli.Usage("--order %s does not go with --symbols %s", f.Order.Value, f.Symbols.Value)
	}
	return nil
}
