// zerocopy.cl: copies a few words between a buffer and pinned host memory, which the kernels reach by its
// address on the host. Only drivers with Caps.ZeroCopy get them. So no command of a copy engine waits for
// those of transfers.
//
// A word for the host is a ulong: the number of the read above the value, in one store. The host polls for the number
// and needs no fence.
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
