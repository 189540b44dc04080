// globalbarrier.cl: barriers for all work-groups of a launch that run at the same time, after Sorensen et al., Portable
// inter-workgroup barrier synchronisation for GPUs, 2016. Which ones these are is found first: a work-group joins when
// it starts. The first one waits for the others, but not for long, and closes; who comes later has no part. So every
// work-group that is waited for has started, and the device has to run these on. With a single work-group nobody waits.
//
// State: BARRIER_WORDS words, 0 before the launch.
//
// Launch: any number of work-groups; one where FORWARD_PROGRESS is not set, or DEVICE_FENCE is for a work-group. Local
// memory: BARRIER_SHARED words, of which the last is the work-group's call: work-items set it to call to all others at
// a barrier.

#define BARRIER_WORDS 3
#define BARRIER_SHARED 3
#define BARRIER_CALL 2
#define BARRIER_JOINED 0  // work-groups, and CLOSED
#define BARRIER_PARTY 1   // of work-groups, once closed
#define BARRIER_ARRIVED 2 // at all barriers: work-groups in the low half, calls in the high half
#define CLOSED 0x80000000u
#define PATIENCE 400 // looks for work-groups that have not started

// The number of this work-group among those that take part; *party is how many these are, 0 if it has no part.
inline uint join_barriers(__global uint *state, __local uint *shared, uint *party)
{
    if (get_local_id(0) == 0) {
        const uint number = atomic_inc(&state[BARRIER_JOINED]);
        uint all = 0;
        if (number == 0) {
            uint joined = 1;
            for (uint looks = 0; looks < PATIENCE && joined < get_num_groups(0); looks++)
                joined = load_relaxed(&state[BARRIER_JOINED]);
            all = atomic_or(&state[BARRIER_JOINED], CLOSED);
            store_relaxed(&state[BARRIER_PARTY], all);
        }
        while (all == 0 && number < CLOSED) {
            WAIT_IF(true)
            all = load_relaxed(&state[BARRIER_PARTY]);
        }
        shared[0] = number;
        shared[1] = all;
        shared[BARRIER_CALL] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    *party = shared[1];
    return shared[0];
}

// Waits until the party has arrived `times` times in all. Returns how many calls there were in all. At every other
// barrier nobody may call, so that those of the next one are not counted.
inline uint global_barrier(__global uint *state, __local uint *shared, uint party, uint times)
{
    DEVICE_FENCE
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        const uint mine = shared[BARRIER_CALL] != 0 ? 0x10001u : 1u;
        uint arrived = atomic_add(&state[BARRIER_ARRIVED], mine) + mine;
        while ((arrived & 0xffff) < party * times) {
            WAIT_IF(true)
            arrived = load_relaxed(&state[BARRIER_ARRIVED]);
        }
        shared[0] = arrived >> 16;
        shared[BARRIER_CALL] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    DEVICE_FENCE
    return shared[0];
}
