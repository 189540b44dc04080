! mpirun -n P ranks_f sorts the suffixes of a text that every rank makes, and checks the array.
program ranks
  use mpi
  use suffixcl
  implicit none
  integer, parameter :: n = 100000
  type(suffixcl_options) :: options
  type(c_ptr) :: handle
  character(kind=c_char), allocatable :: text(:)
  integer(c_int64_t), allocatable :: sa(:)
  integer(c_int64_t) :: first, length
  integer :: i, count, rank, failure, state

  call MPI_Init(failure)
  call MPI_Comm_size(MPI_COMM_WORLD, count, failure)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, failure)
  allocate(text(n))
  state = 1
  do i = 1, n
    state = mod(state * 75 + 74, 65537)
    text(i) = achar(97 + mod(state, 4))
  end do
  call check(suffixcl_ranks_block(int(n, c_int64_t), count, rank, first, length))
  allocate(sa(length))
  call check(suffixcl_ranks_open(options, MPI_COMM_WORLD, handle))
  call check(suffixcl_ranks_suffix_array(handle, text(first + 1:first + length), length, sa))
  call check(suffixcl_ranks_verify(handle, text(first + 1:first + length), length, sa))
  call check(suffixcl_ranks_close(handle))
  if (rank == 0) print '(a, i0)', 'smallest suffix: ', sa(1)
  call MPI_Finalize(failure)

contains

  subroutine check(status)
    integer(c_int), intent(in) :: status
    integer :: failure
    if (status == suffixcl_done) return
    print '(a)', suffixcl_message()
    call MPI_Abort(MPI_COMM_WORLD, status, failure)
  end subroutine
end program
