package mpi

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
