// probe.cl: measures what no query tells reliably.

// probe_subgroup writes the number of work-items that run in lockstep to out[0]:
// 1 where it cannot be told. One work-group.
KERNEL_WG(WG) probe_subgroup(__global uint *out)
{
    uint width = 1;
#if HAS_PTX
    asm("mov.u32 %0, WARP_SZ;" : "=r"(width));
#elif defined(__AMDGCN__)
#if defined(__AMDGCN_WAVEFRONT_SIZE)
    width = __AMDGCN_WAVEFRONT_SIZE;
#elif defined(__has_builtin)
#if __has_builtin(__builtin_amdgcn_wavefrontsize)
    width = __builtin_amdgcn_wavefrontsize();
#endif
#endif
#elif defined(cl_khr_subgroups)
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
    width = sub_group_reduce_add(1u); // asking for the size ends PoCL 5's compiler
#endif
    if (get_local_id(0) == 0)
        out[0] = width;
}
