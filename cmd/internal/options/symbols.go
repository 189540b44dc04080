package options

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/pflag"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/seqio"
)

// AddSymbols declares the flag for the symbols of a text.
func (f *Job) AddSymbols(flags *pflag.FlagSet) {
	f.Symbols = cli.Choice{Value: "u8", Of: []string{"u8", "u16", "u32"}}
	flags.Var(&f.Symbols, "symbols",
		"symbols of the text: u8 (bytes), or little-endian u16 or u32, which compare as numbers")
}

// SymbolBytes is the number of bytes of a symbol.
func (f *Job) SymbolBytes() int {
	switch f.Symbols.Value {
	case "u16":
		return 2
	case "u32":
		return 4
	}
	return 1
}

// AddIndexSymbols declares the flag for the symbols of an index.
func (f *Job) AddIndexSymbols(flags *pflag.FlagSet) {
	f.Symbols = cli.Choice{Of: []string{"u8", "u16", "u32"}}
	flags.Var(&f.Symbols, "symbols", "symbols that the index must have: u8, u16 or u32")
}

// IndexSymbols returns an error unless an index has the symbols that are asked for, if any are. Those of the index are
// the text's then.
func (f *Job) IndexSymbols(name string, width int) error {
	if f.Symbols.Given && f.SymbolBytes() != width {
		return fmt.Errorf("%s: an index of symbols of %s, and --symbols %s", name, bytesize.Count(width, "byte"),
			f.Symbols.Value)
	}
	f.Symbols.Value = fmt.Sprintf("u%d", 8*width)
	return nil
}

// WrongSymbols tells of flags that are for bytes.
func (f *Job) WrongSymbols() error {
	if f.SymbolBytes() > 1 && f.TextFlags.Options().Sequences.Format != seqio.Plain {
		return cli.Usage("--symbols %s needs --input plain", f.Symbols.Value)
	}
	return nil
}

// PlainSymbols is wrongSymbols of a verb that recognises records: a text of symbols has none. others are flags for
// bytes, and whether they are given.
func (f *Job) PlainSymbols(others map[string]bool) error {
	if f.SymbolBytes() == 1 {
		return nil
	}
	if !f.Input.Given {
		f.Input.Value = seqio.Plain.String()
	}
	for _, name := range slices.Sorted(maps.Keys(others)) {
		if others[name] {
			return cli.Usage("--symbols %s does not go with --%s", f.Symbols.Value, name)
		}
	}
	return f.WrongSymbols()
}
