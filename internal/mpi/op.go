package mpi

import (
	"fmt"
)

// Op combines elements in a reduction.
type Op int

// The operators. And, Or and Xor are of bits, for integers.
const (
	Sum Op = iota
	Prod
	Max
	Min
	And
	Or
	Xor
	numOps
)

var opNames = [numOps]string{"MPI_SUM", "MPI_PROD", "MPI_MAX", "MPI_MIN", "MPI_BAND", "MPI_BOR", "MPI_BXOR"}

// String is the standard's name.
func (op Op) String() string {
	if op < 0 || op >= numOps {
		return fmt.Sprintf("Op(%d)", int(op))
	}
	return opNames[op]
}

// Number is a type of elements that reductions combine.
type Number interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}
