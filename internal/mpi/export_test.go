package mpi

import (
	"runtime"

	"github.com/ebitengine/purego"
)

// SetMaxPart has calls of the library move at most n bytes or elements.
func SetMaxPart(n int) (restore func()) {
	old := maxPart
	maxPart = n
	return func() { maxPart = old }
}

// WithoutLargeCounts has Alltoallv do without MPI_Ialltoallv_c.
func WithoutLargeCounts() { loaded.Load().address[mpiIalltoallvC] = 0 }

// Candidates are the libraries that are tried with these variables in the environment.
func Candidates(variables ...string) []string {
	return candidates(func(name string) (string, bool) {
		for _, v := range variables {
			if v == name {
				return "", true
			}
		}
		return "", false
	})
}

// Identify names the family of a library.
func Identify(path, version string, symbols ...string) (string, error) {
	a, err := identify(path, version, func(name string) uintptr {
		for i, s := range symbols {
			if s == name {
				return uintptr(i + 1)
			}
		}
		return 0
	})
	if err != nil {
		return "", err
	}
	return a.name, nil
}

// ClassTables are the classes by each family's numbers.
func ClassTables() map[string][]Class {
	return map[string][]Class{"MPICH": mpich.classes, "MPI 5 ABI": standard.classes}
}

// FortranOf is the handle of the world as MPI_Comm_c2f returns it, where that needs no call.
func FortranOf() (int32, bool) {
	c := World()
	if c.l.abi != mpich {
		return 0, c.l.abi != standard // Open MPI numbers its communicators from 0, the world
	}
	return int32(uint32(c.handle)), true
}

// NullFortran is the handle of MPI_COMM_NULL as MPI_Comm_c2f returns it.
func NullFortran() int32 {
	if l := loaded.Load(); l.abi == mpich {
		return int32(l.abi.commNull)
	}
	return 2 // Open MPI's
}

// InitAsProgram initialises MPI as a program does that calls it itself, with a thread level, which it returns by the
// library's number.
func InitAsProgram(level ThreadLevel) (provided, multiple int, err error) {
	l, err := load()
	if err != nil {
		return 0, 0, err
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	out := new(int32)
	pin.Pin(out)
	err = l.call(mpiInitThread, 0, 0, word(l.abi.threadLevels[level]), address(out))
	return int(*out), l.abi.threadLevels[ThreadMultiple], err
}

// FinalizeAsProgram ends what InitAsProgram began.
func FinalizeAsProgram() error { return loaded.Load().call(mpiFinalize) }

// DuplicateAsProgram duplicates the world, and returns the handle as MPI_Comm_c2f does.
func DuplicateAsProgram() (int32, error) {
	l := loaded.Load()
	var pin runtime.Pinner
	defer pin.Unpin()
	out := new(uint64)
	pin.Pin(out)
	if err := l.call(mpiCommDup, l.abi.commWorld, address(out)); err != nil || l.abi == mpich {
		return int32(uint32(*out)), err
	}
	toFortran, err := findSymbol(openedLibrary(l.path), "MPI_Comm_c2f")
	if err != nil {
		return 0, err
	}
	r, _, _ := purego.SyscallN(toFortran, uintptr(*out))
	return int32(r), nil
}

// WorldHandler is the error handler of the world.
func WorldHandler() (uint64, error) {
	l := loaded.Load()
	var pin runtime.Pinner
	defer pin.Unpin()
	out := new([2]uint64)
	pin.Pin(out)
	if err := l.call(mpiCommGetErrhandler, l.abi.commWorld, address(&out[0])); err != nil {
		return 0, err
	}
	out[1] = out[0]
	return out[0], l.call(mpiErrhandlerFree, address(&out[1]))
}

// Returning runs f while errors of the world are returned.
func Returning(f func() error) error {
	l := loaded.Load()
	return l.returning(l.abi.commWorld, f)
}
