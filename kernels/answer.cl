// answer.cl: a kernel answers the host itself. A read after it would be a launch more. device.Answer has the arguments
// `host`, 0 where kernels do not reach host memory, and `number`. The host polls for words with the number.
//
// It has no kernels: launch shape and local memory are those of the other files.

// Whether this work-group is the last that asks, for one work-item of each. So it sees what the others have added
// before to counters, if it loads these by load_relaxed. asked is 0 before.
inline bool asks_last(__global uint *asked)
{
    DEVICE_FENCE
    const bool last = atomic_inc(asked) + 1 == get_num_groups(0);
    DEVICE_FENCE
    return last;
}

inline void answer(ulong host, uint number, uint w, uint value)
{
    ((volatile __global ulong *)host)[w] = (ulong)number << 32 | value;
}
