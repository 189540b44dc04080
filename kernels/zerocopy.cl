// zerocopy.cl: a few words between a buffer and pinned host memory, which the kernels reach by the address
// that it has on the host. Only drivers are given them that do so (Caps.ZeroCopy); no command of a copy engine
// is needed, which would wait for those of transfers.
//
// A word that goes to the host is a ulong, the number of the read above the value, in one store: so the host,
// which looks for it, needs no fence.
//
// Launch: one work-group of WG.

KERNEL_WG(WG) zerocopy_read(__global const uint *from, ulong from_at, uint words, ulong host, uint number)
{
    volatile __global ulong *to = (volatile __global ulong *)host;
    for (uint w = get_local_id(0); w < words; w += WG)
        to[w] = (ulong)number << 32 | from[from_at + w];
}

KERNEL_WG(WG) zerocopy_write(ulong host, uint words, __global uint *to, ulong to_at)
{
    volatile __global const uint *from = (volatile __global const uint *)host;
    for (uint w = get_local_id(0); w < words; w += WG)
        to[to_at + w] = from[w];
}
