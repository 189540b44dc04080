! suffixcl for Fortran: the functions of suffixcl.h, which says what they do, as a module. Lengths and positions are
! unsigned in C. A block of a rank and its array are arguments as they are; positions count from 0.
module suffixcl
  use, intrinsic :: iso_c_binding
  implicit none
  public
  private :: copied

  integer(c_int), parameter :: suffixcl_done = 0, suffixcl_failed = 1, suffixcl_usage = 2, suffixcl_no_device = 3, &
    suffixcl_memory = 4, suffixcl_mismatch = 5, suffixcl_rank = 6, suffixcl_interrupted = 130

  type, bind(c) :: suffixcl_options
    integer(c_size_t) :: size = 48
    type(c_ptr) :: device = c_null_ptr
    type(c_ptr) :: algorithm = c_null_ptr
    integer(c_int64_t) :: max_memory = 0
    type(c_funptr) :: progress = c_null_funptr
    type(c_ptr) :: progress_data = c_null_ptr
  end type

  interface
    function suffixcl_message_c() bind(c, name='suffixcl_message') result(message)
      import :: c_ptr
      type(c_ptr) :: message
    end function

    function suffixcl_version_c() bind(c, name='suffixcl_version') result(version)
      import :: c_ptr
      type(c_ptr) :: version
    end function

    function suffixcl_open(options, made) bind(c) result(status)
      import :: suffixcl_options, c_ptr, c_int
      type(suffixcl_options), intent(in) :: options
      type(c_ptr), intent(out) :: made
      integer(c_int) :: status
    end function

    function suffixcl_close(s) bind(c) result(status)
      import :: c_ptr, c_int
      type(c_ptr), value :: s
      integer(c_int) :: status
    end function

    function suffixcl_cancel(s) bind(c) result(status)
      import :: c_ptr, c_int
      type(c_ptr), value :: s
      integer(c_int) :: status
    end function

    function suffixcl_suffix_array(s, text, n, sa) bind(c) result(status)
      import :: c_ptr, c_int, c_int64_t, c_int32_t, c_char
      type(c_ptr), value :: s
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int64_t), value :: n
      integer(c_int32_t), intent(out) :: sa(*)
      integer(c_int) :: status
    end function

    ! Without a suffix array that is known: suffixcl_lcp(s, text, n, lcp=lcp).
    function suffixcl_lcp(s, text, n, sa, lcp) bind(c) result(status)
      import :: c_ptr, c_int, c_int64_t, c_int32_t, c_char
      type(c_ptr), value :: s
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int64_t), value :: n
      integer(c_int32_t), intent(in), optional :: sa(*)
      integer(c_int32_t), intent(out) :: lcp(*)
      integer(c_int) :: status
    end function

    ! Results that are not wanted are c_null_ptr.
    function suffixcl_ranges(s, text, n, sa, lcp, transform, primary) bind(c) result(status)
      import :: c_ptr, c_int, c_int64_t, c_char
      type(c_ptr), value :: s
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int64_t), value :: n
      type(c_ptr), value :: sa, lcp, transform, primary
      integer(c_int) :: status
    end function

    function suffixcl_bwt(s, text, n, transform, primary) bind(c) result(status)
      import :: c_ptr, c_int, c_int64_t, c_char
      type(c_ptr), value :: s
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int64_t), value :: n
      character(kind=c_char), intent(out) :: transform(*)
      integer(c_int64_t), intent(out) :: primary
      integer(c_int) :: status
    end function

    function suffixcl_inverse_bwt(s, transform, n, primary, text) bind(c) result(status)
      import :: c_ptr, c_int, c_int64_t, c_char
      type(c_ptr), value :: s
      character(kind=c_char), intent(in) :: transform(*)
      integer(c_int64_t), value :: n, primary
      character(kind=c_char), intent(out) :: text(*)
      integer(c_int) :: status
    end function

    function suffixcl_verify(s, text, n, sa) bind(c) result(status)
      import :: c_ptr, c_int, c_int64_t, c_int32_t, c_char
      type(c_ptr), value :: s
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int64_t), value :: n
      integer(c_int32_t), intent(in) :: sa(*)
      integer(c_int) :: status
    end function

    function suffixcl_ranks_block(n, ranks, rank, first, length) bind(c) result(status)
      import :: c_int, c_int64_t
      integer(c_int64_t), value :: n
      integer(c_int), value :: ranks, rank
      integer(c_int64_t), intent(out) :: first, length
      integer(c_int) :: status
    end function

    function suffixcl_ranks_open(options, communicator, made) bind(c) result(status)
      import :: suffixcl_options, c_ptr, c_int
      type(suffixcl_options), intent(in) :: options
      integer(c_int), value :: communicator
      type(c_ptr), intent(out) :: made
      integer(c_int) :: status
    end function

    function suffixcl_ranks_close(r) bind(c) result(status)
      import :: c_ptr, c_int
      type(c_ptr), value :: r
      integer(c_int) :: status
    end function

    function suffixcl_ranks_cancel(r) bind(c) result(status)
      import :: c_ptr, c_int
      type(c_ptr), value :: r
      integer(c_int) :: status
    end function

    function suffixcl_ranks_suffix_array(r, block, length, sa) bind(c) result(status)
      import :: c_ptr, c_int, c_int64_t, c_char
      type(c_ptr), value :: r
      character(kind=c_char), intent(in) :: block(*)
      integer(c_int64_t), value :: length
      integer(c_int64_t), intent(out) :: sa(*)
      integer(c_int) :: status
    end function

    function suffixcl_ranks_lcp(r, block, length, sa, lcp) bind(c) result(status)
      import :: c_ptr, c_int, c_int64_t, c_char
      type(c_ptr), value :: r
      character(kind=c_char), intent(in) :: block(*)
      integer(c_int64_t), value :: length
      integer(c_int64_t), intent(in) :: sa(*)
      integer(c_int64_t), intent(out) :: lcp(*)
      integer(c_int) :: status
    end function

    function suffixcl_ranks_bwt(r, block, length, sa, transform, primary) bind(c) result(status)
      import :: c_ptr, c_int, c_int64_t, c_char
      type(c_ptr), value :: r
      character(kind=c_char), intent(in) :: block(*)
      integer(c_int64_t), value :: length
      integer(c_int64_t), intent(in) :: sa(*)
      character(kind=c_char), intent(out) :: transform(*)
      integer(c_int64_t), intent(out) :: primary
      integer(c_int) :: status
    end function

    function suffixcl_ranks_verify(r, block, length, sa) bind(c) result(status)
      import :: c_ptr, c_int, c_int64_t, c_char
      type(c_ptr), value :: r
      character(kind=c_char), intent(in) :: block(*)
      integer(c_int64_t), value :: length
      integer(c_int64_t), intent(in) :: sa(*)
      integer(c_int) :: status
    end function
  end interface

contains

  ! suffixcl_message is what the last call that failed on this thread has to say.
  function suffixcl_message() result(message)
    character(:), allocatable :: message
    message = copied(suffixcl_message_c())
  end function

  ! suffixcl_version is that of the library.
  function suffixcl_version() result(version)
    character(:), allocatable :: version
    version = copied(suffixcl_version_c())
  end function

  ! copied is a string of C of less than 4096 characters.
  function copied(from) result(to)
    type(c_ptr), intent(in) :: from
    character(:), allocatable :: to
    character(kind=c_char), pointer :: text(:)
    integer :: n
    call c_f_pointer(from, text, [4096])
    to = ''
    do n = 1, 4096
      if (text(n) == c_null_char) exit
      to = to // text(n)
    end do
  end function
end module
