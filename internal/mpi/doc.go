// Package mpi is a small, faithful binding of the Message Passing Interface, without cgo.
//
// The names are those of the standard: MPI_Comm_split is [Comm.Split], MPI_Alltoallv is [Alltoallv]. The library is
// looked up and loaded at the first call; there is nothing to link against. Three families of libraries are known,
// each by a table of its constants: Open MPI 4 and 5, MPICH and those of its ABI (Intel MPI, MVAPICH, Cray), and the
// ABI of MPI 5.
//
//	if err := mpi.Init(); err != nil { ... }
//	defer mpi.Finalize()
//	world := mpi.World()
//	sum := make([]uint64, 1)
//	err := mpi.Allreduce(ctx, world, mpi.Sum, []uint64{uint64(world.Rank())}, sum)
//
// A program in which MPI is initialised already hands over its communicator: see [FromFortran] and [Visit].
//
// # Environment
//
// SUFFIXCL_MPI_LIBRARY names the library. Otherwise it is the one that the program has loaded already. Where there is
// none, the launcher decides which family is tried first: its mpirun leaves variables in the environment, such as
// OMPI_COMM_WORLD_SIZE or PMI_SIZE.
//
// # Slices
//
// Data are Go slices of plain types: numbers, booleans, and arrays and structs of these. [Plain] tells whether a type
// is one; calls with other types return [ErrNotPlain]. Slices are pinned while the library works on them. All ranks
// have the same byte order and types.
//
// Counts are of elements and may exceed 2^31, which the C interface does not take: long messages are sent in parts.
// Where the library has no MPI_Ialltoallv_c, [Alltoallv] exchanges pairwise; [Gatherv] and [Allgatherv] do for long
// results.
//
// # Contexts and threads
//
// All calls run on one OS thread, the one that called MPI_Init_thread, whichever goroutine makes them; in [Visit] on
// that of its caller. So goroutines may use several communicators at once; one communicator belongs to one goroutine at
// a time, as the standard says.
//
// Transfers and collectives are non-blocking ones of the library, which are polled: a call returns soon after the end
// of its context. What it began cannot be taken back. The memory stays pinned, the communicator is unusable
// ([ErrBroken]), and the program should end all ranks by [Comm.Abort]. Functions without a
// context are local, or wait for the other ranks: their comments say so.
//
// # Errors
//
// A call that fails returns an [*Error] with the function, its class and the library's text; errors.Is(err,
// mpi.ErrTruncate) tells which class it is. [ErrNoLibrary] says what was tried and what to install.
package mpi
