package source

import (
	"encoding/binary"
	"fmt"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/entries"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// WholeSymbols returns an error unless n bytes are whole symbols.
func (s *Source) WholeSymbols(n int) error {
	if width := s.Flags.SymbolBytes(); n%width != 0 {
		return fmt.Errorf("%s: its size is no multiple of a symbol: %s, %d a symbol", s.Report.File,
			bytesize.Count(n, "byte"), width)
	}
	return nil
}

// Text is that of a file of symbols.
func (s *Source) Text(data []byte) (suffixcl.Text, error) {
	if err := s.WholeSymbols(len(data)); err != nil {
		return suffixcl.Text{}, err
	}
	switch s.Flags.SymbolBytes() {
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

// DataOf is the file of a text.
func DataOf(text suffixcl.Text) []byte {
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
