package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/spf13/pflag"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/entries"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/seqio"
)

// addSymbols declares the flag for the symbols of a text.
func (f *jobFlags) addSymbols(flags *pflag.FlagSet) {
	f.symbols = cli.Choice{Value: "u8", Of: []string{"u8", "u16", "u32"}}
	flags.Var(&f.symbols, "symbols",
		"symbols of the text: u8 (bytes), or little-endian u16 or u32, which compare as numbers")
}

// symbolBytes is the number of bytes of a symbol.
func (f *jobFlags) symbolBytes() int {
	switch f.symbols.Value {
	case "u16":
		return 2
	case "u32":
		return 4
	}
	return 1
}

// addIndexSymbols declares the flag for the symbols of an index.
func (f *jobFlags) addIndexSymbols(flags *pflag.FlagSet) {
	f.symbols = cli.Choice{Of: []string{"u8", "u16", "u32"}}
	flags.Var(&f.symbols, "symbols", "symbols that the index must have: u8, u16 or u32")
}

// indexSymbols returns an error unless an index has the symbols that are asked for, if any are. Those of the index are
// the text's then.
func (f *jobFlags) indexSymbols(name string, width int) error {
	if f.symbols.Given && f.symbolBytes() != width {
		return fmt.Errorf("%s: an index of symbols of %s, and --symbols %s", name, bytesize.Count(width, "byte"),
			f.symbols.Value)
	}
	f.symbols.Value = fmt.Sprintf("u%d", 8*width)
	return nil
}

// wrongSymbols tells of flags that are for bytes.
func (f *jobFlags) wrongSymbols() error {
	if f.symbolBytes() > 1 && f.TextFlags.Options().Sequences.Format != seqio.Plain {
		return cli.Usage("--symbols %s needs --input plain", f.symbols.Value)
	}
	return nil
}

// plainSymbols is wrongSymbols of a verb that recognises records: a text of symbols has none. others are flags for
// bytes, and whether they are given.
func (f *jobFlags) plainSymbols(others map[string]bool) error {
	if f.symbolBytes() == 1 {
		return nil
	}
	if !f.Input.Given {
		f.Input.Value = seqio.Plain.String()
	}
	for _, name := range slices.Sorted(maps.Keys(others)) {
		if others[name] {
			return cli.Usage("--symbols %s does not go with --%s", f.symbols.Value, name)
		}
	}
	return f.wrongSymbols()
}

// wholeSymbols returns an error unless n bytes are whole symbols.
func (j *job) wholeSymbols(n int) error {
	if width := j.flags.symbolBytes(); n%width != 0 {
		return fmt.Errorf("%s: its size is no multiple of a symbol: %s, %d a symbol", j.report.File,
			bytesize.Count(n, "byte"), width)
	}
	return nil
}

// text is that of a file of symbols.
func (j *job) text(data []byte) (suffixcl.Text, error) {
	if err := j.wholeSymbols(len(data)); err != nil {
		return suffixcl.Text{}, err
	}
	switch j.flags.symbolBytes() {
	case 2:
		symbols := make([]uint16, len(data)/2)
		for i := range symbols {
			symbols[i] = binary.LittleEndian.Uint16(data[2*i:])
		}
		return suffixcl.Tokens16(symbols), nil
	case 4:
		symbols := make([]uint32, len(data)/4)
		for i := range symbols {
			symbols[i] = binary.LittleEndian.Uint32(data[4*i:])
		}
		return suffixcl.Tokens32(symbols), nil
	}
	return suffixcl.Bytes(data), nil
}

// appendSymbols appends little-endian symbols of so many bytes as numbers, with a space between two.
func appendSymbols(to, data []byte, width int) []byte {
	for at := 0; at < len(data); at += width {
		symbol := uint64(0)
		for i := range width {
			symbol |= uint64(data[at+i]) << (8 * i)
		}
		if at > 0 {
			to = append(to, ' ')
		}
		to = strconv.AppendUint(to, symbol, 10)
	}
	return to
}

// dataOf is the file of a text.
func dataOf(text suffixcl.Text) []byte {
	if symbols := text.Tokens32(); symbols != nil {
		data := make([]byte, 4*len(symbols))
		entries.Encode(data, 4, symbols)
		return data
	}
	symbols := text.Tokens16()
	if symbols == nil {
		return text.Bytes()
	}
	data := make([]byte, 2*len(symbols))
	parallel.Do(len(symbols), 1<<16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			binary.LittleEndian.PutUint16(data[2*i:], symbols[i])
		}
	})
	return data
}

// build makes arrays of a file of symbols.
func (j *job) build(ctx context.Context, data []byte, want suffixcl.Want) (*suffixcl.Result, error) {
	text, err := j.text(data)
	if err != nil {
		return nil, err
	}
	return j.engine.Arrays(text, want).All(j.measured(ctx))
}

// verifySymbols reads the files that are to be checked of a file of symbols, or in an order, and checks them.
func (j *job) verifySymbols(ctx context.Context, data []byte, saName string, flags *verifyFlags, primary int) error {
	text, err := j.text(data)
	if err != nil {
		return err
	}
	r := suffixcl.Result{Primary: primary, Order: flags.order.chosen()}
	if r.SA, err = j.array(ctx, suffixArrayFile, saName, text.Len()); err != nil {
		return err
	}
	if flags.bwt != "" {
		transform, err := readTransform(ctx, flags.bwt, len(data), j.progress.Of("read"))
		if err == nil {
			r.BWT, err = j.text(transform)
		}
		if err != nil {
			return err
		}
	}
	if flags.lcp != "" {
		if r.LCP, err = j.array(ctx, lcpFile, flags.lcp, text.Len()); err != nil {
			return err
		}
	}
	return j.engine.VerifyArrays(j.measured(ctx), text, &r)
}
