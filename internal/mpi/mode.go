package mpi

import (
	"strings"
)

// Mode says how a file is opened.
type Mode int

// The modes, which are combined by |.
const (
	ModeCreate Mode = 1 << iota
	ModeReadOnly
	ModeWriteOnly
	ModeReadWrite
	ModeDeleteOnClose
	ModeUniqueOpen
	ModeExclusive
	ModeAppend
	ModeSequential
)

var modeNames = [...]string{
	"MPI_MODE_CREATE", "MPI_MODE_RDONLY", "MPI_MODE_WRONLY", "MPI_MODE_RDWR", "MPI_MODE_DELETE_ON_CLOSE",
	"MPI_MODE_UNIQUE_OPEN", "MPI_MODE_EXCL", "MPI_MODE_APPEND", "MPI_MODE_SEQUENTIAL",
}

// String has the standard's names.
func (m Mode) String() string {
	var names []string
	for i, name := range modeNames {
		if m&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, "|")
}

func (m Mode) of(a *abi) int {
	value := 0
	for i, bit := range a.modes {
		if m&(1<<i) != 0 {
			value |= bit
		}
	}
	return value
}
