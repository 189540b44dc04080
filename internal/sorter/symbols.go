package sorter

import (
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/sais"
	"github.com/suffixcl/suffixcl/internal/suffixsort"
	"github.com/suffixcl/suffixcl/internal/usage"
)

// Symbols is a Sorter of texts of symbols. Run overwrites the text, which has TextLen symbols.
type Symbols[T input.Symbol] interface {
	arraySorter[T]
	TextLen(n int) int
}

// Choice makes a sorter of texts of up to n symbols, with the memory that is left.
type Choice[T input.Symbol] func(s *device.Session, choice Algorithm, n int, fits func(device.PhaseMemory) bool) (
	Symbols[T], Algorithm, error)

// byteSorter is a Sorter as a sorter of symbols.
type byteSorter struct{ Sorter }

func (byteSorter) TextLen(n int) int { return n }

// OfBytes is the Choice of texts of bytes.
func OfBytes(s *device.Session, choice Algorithm, n int, fits func(device.PhaseMemory) bool) (
	Symbols[uint8], Algorithm, error) {
	sorter, algorithm, err := Choose(s, choice, Automatic, n, fits)
	return byteSorter{sorter}, algorithm, err
}

// symbolAlgorithms sort texts of symbols.
var symbolAlgorithms = []Algorithm{Suffixsort, SAIS}

// OfSymbols is the Choice of texts of symbols of several bytes.
func OfSymbols[T uint16 | uint32](s *device.Session, choice Algorithm, n int, _ func(device.PhaseMemory) bool) (
	Symbols[T], Algorithm, error) {
	algorithm := choice
	if algorithm == Auto {
		algorithm = Suffixsort
		if caps := s.Caps(); caps.CPUShape && n <= sais.Longest(caps) {
			algorithm = SAIS
		}
	}
	if !slices.Contains(symbolAlgorithms, algorithm) {
		return nil, "", onlyBytesError{algorithm}
	}
	if algorithm == SAIS {
		sorter, err := sais.NewSymbols[T](s, n)
		return sorter, algorithm, err
	}
	sorter, err := suffixsort.NewSymbols[T](s, n)
	return sorter, algorithm, err
}

// onlyBytesError is that of texts of symbols for an algorithm that does not take them.
type onlyBytesError struct{ algorithm Algorithm }

func (e onlyBytesError) Error() string {
	return fmt.Sprintf("suffixcl: %s sorts texts of bytes only; texts of symbols: %v", e.algorithm, symbolAlgorithms)
}

func (onlyBytesError) Is(target error) bool { return target == ErrUnknown || target == usage.Err }
