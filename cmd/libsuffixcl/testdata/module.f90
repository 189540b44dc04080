! What the module for Fortran has, but for ranks: the version, and a suffix array that is left out, too.
program module
  use suffixcl
  implicit none
  type(suffixcl_options) :: options
  type(c_ptr) :: handle
  character(kind=c_char) :: text(6) = ['b', 'a', 'n', 'a', 'n', 'a']
  integer(c_int32_t) :: sa(6), lcp(6), given(6)

  call check(suffixcl_open(options, handle))
  call check(suffixcl_cancel(handle))
  call check(suffixcl_suffix_array(handle, text, 6_c_int64_t, sa))
  call check(suffixcl_lcp(handle, text, 6_c_int64_t, lcp=lcp))
  call check(suffixcl_lcp(handle, text, 6_c_int64_t, sa, given))
  if (any(sa /= [5, 3, 1, 0, 4, 2]) .or. any(lcp /= [0, 1, 3, 0, 0, 2]) .or. any(given /= lcp)) stop 1
  call check(suffixcl_close(handle))
  if (suffixcl_cancel(handle) /= suffixcl_usage .or. suffixcl_ranks_cancel(handle) /= suffixcl_usage) stop 1
  if (index(suffixcl_message(), 'closed') == 0 .or. len(suffixcl_version()) == 0) stop 1
  print '(a)', 'ended well'

contains

  subroutine check(status)
    integer(c_int), intent(in) :: status
    if (status == suffixcl_done) return
    print '(a)', suffixcl_message()
    stop 1
  end subroutine
end program
