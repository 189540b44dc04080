package mpi_test

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/mpi"
	"github.com/suffixcl/suffixcl/internal/testkit/mpitest"
)

func TestMain(m *testing.M) {
	if program := os.Getenv(rankVariable); program != "" {
		os.Exit(runRank(program))
	}
	os.Exit(m.Run())
}

// launch runs this binary as ranks.
func launch(t *testing.T, l mpitest.Launcher, ranks int, program string) mpitest.Result {
	return l.Run(t, ranks, []string{rankVariable + "=" + program}, os.Args[0])
}

func TestCalls(t *testing.T) {
	for i, l := range mpitest.Launchers(t) {
		for _, ranks := range []int{1, 2, 3, 4, 7} {
			if i > 0 && ranks != 3 && ranks != 7 && os.Getenv("SUFFIXCL_SOAK") != "1" { // one library with many numbers
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", l.Name, ranks), func(t *testing.T) { endsWell(t, l, ranks, "calls") })
		}
		for _, program := range []string{"parts", "pairwise", "adopt", "visit one", "visit several"} {
			t.Run(l.Name+"/"+program, func(t *testing.T) { endsWell(t, l, 3, program) })
		}
	}
}

func endsWell(t *testing.T, l mpitest.Launcher, ranks int, program string) {
	r := launch(t, l, ranks, program)
	assert.Zero(t, r.Code, r.Stderr)
	assert.Equal(t, ranks, strings.Count(r.Stdout, "rank ended well"), "%s%s", r.Stdout, r.Stderr)
}

func TestCancel(t *testing.T) {
	for _, l := range mpitest.Launchers(t) {
		t.Run(l.Name, func(t *testing.T) {
			r := launch(t, l, 2, "cancel")
			assert.Equal(t, allCancelled, r.Code, "%s%s", r.Stdout, r.Stderr)
		})
	}
}

func TestRanksEndTogether(t *testing.T) {
	for _, l := range mpitest.Launchers(t) {
		for _, program := range []string{"abort", "exit"} {
			t.Run(l.Name+"/"+program, func(t *testing.T) {
				r := launch(t, l, 3, program)
				assert.NotZero(t, r.Code, r.Stderr)
				assert.Less(t, r.Took, time.Minute, "a barrier waits for good")
				assert.NotContains(t, r.Stderr, "the barrier returned")
			})
		}
	}
}

func TestNoLibrary(t *testing.T) {
	if mpi.Initialized() {
		t.Skip("there is one")
	}
	t.Setenv("SUFFIXCL_MPI_LIBRARY", "/nowhere/libmpi.so")
	err := mpi.Init()
	require.ErrorIs(t, err, mpi.ErrNoLibrary)
	assert.Contains(t, err.Error(), "/nowhere/libmpi.so")
	assert.ErrorIs(t, mpi.World().Barrier(context.Background()), mpi.ErrNotInitialized)
	assert.ErrorIs(t, mpi.Finalize(), mpi.ErrNotInitialized)
	_, err = mpi.FromFortran(0)
	assert.ErrorIs(t, err, mpi.ErrNoLibrary)

	t.Setenv("SUFFIXCL_MPI_LIBRARY", "libc.so.6")
	assert.ErrorContains(t, mpi.Init(), "not a library of MPI 3.1")
}

func TestCandidates(t *testing.T) {
	assert.Contains(t, mpi.Candidates()[0], "libmpi", "Open MPI is first")
	assert.Equal(t, mpi.Candidates(), mpi.Candidates("OMPI_COMM_WORLD_SIZE"))
	first := mpi.Candidates("PMI_RANK", "PMI_SIZE")[0]
	assert.NotEqual(t, mpi.Candidates()[0], first)
	assert.Equal(t, mpi.Candidates(), mpi.Candidates("PMI_RANK", "PMIX_RANK"), "Open MPI under a launcher with PMIx")
}

func TestIdentify(t *testing.T) {
	for _, c := range []struct{ path, version, want string }{
		{"libmpich.so.12", "MPICH Version:\t4.0.2", "MPICH"},
		{"libmpi.so.12", "Intel(R) MPI Library 2021.10 for Linux* OS", "MPICH"},
		{"libmpi.so.12", "MPI VERSION    : CRAY MPICH version 8.1.25", "MPICH"},
		{"libmpi.so.12", "MVAPICH2 Version: 2.3.7", "MPICH"},
		{"/opt/lib/libmpi_abi.so.0", "MPICH Version: 5.0.0", "MPI 5 ABI"},
	} {
		got, err := mpi.Identify(c.path, c.version)
		require.NoError(t, err)
		assert.Equal(t, c.want, got, c.version)
	}
	_, err := mpi.Identify("libmpi.so.12", "Another MPI 1.0")
	assert.ErrorContains(t, err, "Another MPI 1.0")
	_, err = mpi.Identify("libmpi.so.40", "Open MPI v4.1.4", "ompi_mpi_comm_world")
	assert.ErrorContains(t, err, "ompi_mpi_comm_self", "an incomplete one")
}

// TestClasses has each family name each class once, and all have names.
func TestClasses(t *testing.T) {
	for family, classes := range mpi.ClassTables() {
		seen := map[mpi.Class]int{}
		for number, class := range classes {
			if class == 0 {
				continue
			}
			before, twice := seen[class]
			assert.False(t, twice, "%s: %v is %d and %d", family, class, before, number)
			seen[class] = number
			assert.True(t, strings.HasPrefix(class.Error(), "MPI_ERR_"), "%d", class)
		}
		assert.Equal(t, 5, seen[mpi.ErrComm], family)
	}
	assert.Equal(t, "MPI_ERR_RMA_SHARED", mpi.Class(49).Error(), "numbered as in the ABI of MPI 5")
	assert.Equal(t, "MPI_ERR_NO_SUCH_FILE", mpi.Class(42).Error())
	assert.Equal(t, "MPI error class 99", mpi.Class(99).Error())
}

func TestPlain(t *testing.T) {
	type good struct {
		A uint64
		B [3]struct{ C bool }
	}
	type bad struct {
		A uint64
		B [3]struct{ C []byte }
	}
	for _, v := range []any{byte(0), false, int64(0), float32(0), complex(1, 1), [4]uint32{}, good{}} {
		assert.True(t, mpi.Plain(reflect.TypeOf(v)), "%T", v)
	}
	for _, v := range []any{0, uint(0), uintptr(0), "", new(int), []byte{}, map[int]int{}, bad{}, func() {}} {
		assert.False(t, mpi.Plain(reflect.TypeOf(v)), "%T", v)
	}
}

func TestNames(t *testing.T) {
	assert.Equal(t, "MPI_BXOR", mpi.Xor.String())
	assert.Equal(t, "MPI_THREAD_SERIALIZED", mpi.ThreadSerialized.String())
}
