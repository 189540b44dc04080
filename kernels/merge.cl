// merge.cl: stable merge of two sorted sequences A and B along the merge path
// (Odeh, Green, Mwassi, Shmueli & Birk 2012; Green, McColl & Bader 2012): output d
// starts where the path crosses diagonal d, which a binary search finds without
// merging what is before. Equal elements of A go before those of B.
//
// Launch, GPU shape: merge_partition one work-item for each tile, work-groups of WG; merge_tiles one
// work-group of WG for each tile of WG*ITEMS outputs, which it merges in local memory, so that loads and
// stores are coalesced. CPU shape (WG 1): one work-item merges a tile of ITEMS outputs sequentially.
//
// Template parameters, so that an algorithm can merge what it computes:
//   E                        element type: what is compared and kept in local memory
//   MERGE_PARAMS             kernel parameters, each preceded by a comma
//   MERGE_LOAD_A(i), MERGE_LOAD_B(i)
//                            element i of A, of B; evaluated several times. i is ulong
//   MERGE_LOAD(from_b, i)    optional: element i of B or of A without a branch
//   MERGE_LESS(b, a)         whether b, from B, goes before a, from A; never asked about
//                            two elements of one sequence, nor the other way round
//   MERGE_STORE(to, x, from_b, from)
//                            consumes x, element `from` of A, or of B if from_b, as
//                            number `to` of the output. It must not change what the
//                            others read.
//   MERGE_FROM               1 if MERGE_STORE uses from_b or from: 2 bytes of local
//                            memory for each element, else 0
//   MERGE_JOB(t, job)        optional: sets job, a merge_job, to what tile t does, where a
//                            launch merges many pairs of sequences; the kernels do
//                            without na and nb then. The tiles of a pair stand one after
//                            the other.
//
// Local memory, GPU shape: (WG*ITEMS + 1) * (sizeof(E) + 2*MERGE_FROM).

#ifndef ITEMS
#error "ITEMS: outputs of a work-item"
#endif
#ifndef E
#error "E: element type"
#endif

// Without a template: arrays of keys of type E, with or without values of type V.
#ifndef MERGE_PARAMS
#ifndef HAS_VALUES
#error "HAS_VALUES: 1 or 0"
#endif
#if HAS_VALUES && !defined(V)
#error "V: value type"
#endif
#define MERGE_LESS(b, a) ((b) < (a))
#define MERGE_LOAD_A(i) a_keys[i]
#define MERGE_LOAD_B(i) b_keys[i]
#define MERGE_LOAD(from_b, i) ((from_b) ? b_keys : a_keys)[i]
#define MERGE_FROM HAS_VALUES
#if HAS_VALUES
#define MERGE_PARAMS                                                                                    \
    , __global const E *a_keys, __global const E *b_keys, __global E *keys, __global const V *a_values, \
    __global const V *b_values, __global V *values
#define MERGE_STORE(to, x, from_b, from)                       \
    do {                                                       \
        keys[to] = x;                                          \
        values[to] = (from_b) ? b_values[from] : a_values[from]; \
    } while (0)
#else
#define MERGE_PARAMS , __global const E *a_keys, __global const E *b_keys, __global E *keys
#define MERGE_STORE(to, x, from_b, from) keys[to] = x
#endif
#endif

#ifndef MERGE_FROM
#error "MERGE_FROM: 1 if MERGE_STORE uses from_b or from, else 0"
#endif

#ifndef MERGE_LOAD
#define MERGE_LOAD(from_b, i) ((from_b) ? MERGE_LOAD_B(i) : MERGE_LOAD_A(i))
#endif

#define TILE (WG * ITEMS)

// What a tile merges: elements [a, a + na) of A with [b, b + nb) of B. Of the outputs,
// which go to the places from `to` on, it makes those from number `first` on.
typedef struct {
    ulong a, na, b, nb, to, first;
} merge_job;

#ifdef MERGE_JOB
#define MERGE_SIZES
#else
#define MERGE_SIZES , ulong na, ulong nb
#define MERGE_JOB(t, job)                \
    do {                                 \
        job.a = job.b = job.to = 0;      \
        job.na = na;                     \
        job.nb = nb;                     \
        job.first = (ulong)(t) * TILE;   \
    } while (0)
#endif

// splits[t] = how many of the outputs before tile t come from A, for t in [0, tiles).
KERNEL_WG(WG) merge_partition(__global ulong *splits, ulong tiles MERGE_SIZES MERGE_PARAMS)
{
    const ulong t = (ulong)get_group_id(0) * WG + get_local_id(0);
    if (t < tiles) {
        merge_job job;
        MERGE_JOB(t, job);
        ulong lo = (ulong)max((long)(job.first - job.nb), 0l), hi = min(job.first, job.na);
        while (lo < hi) {
            const ulong mid = lo + (hi - lo) / 2;
            const E a = MERGE_LOAD_A(job.a + mid);
            const E b = MERGE_LOAD_B(job.b + (job.first - 1 - mid));
            if (MERGE_LESS(b, a))
                hi = mid;
            else
                lo = mid + 1;
        }
        splits[t] = lo;
    }
}

// How many of the outputs up to the end of tile t come from A.
inline ulong split_after(__global const ulong *splits, ulong t, const merge_job job)
{
    return job.first + TILE >= job.na + job.nb ? job.na : splits[t + 1];
}

#if IS_CPU

KERNEL_WG(WG) merge_tiles(__global const ulong *splits MERGE_SIZES MERGE_PARAMS)
{
    merge_job job;
    MERGE_JOB(get_group_id(0), job);
    const ulong a_end = job.a + job.na, b_end = job.b + job.nb;
    ulong i = job.a + splits[get_group_id(0)], j = job.b + (job.first - splits[get_group_id(0)]);
    ulong to = job.to + job.first;
    const ulong last = job.to + min(job.first + TILE, job.na + job.nb);
    if (i < a_end && j < b_end) {
        E a = MERGE_LOAD_A(i), b = MERGE_LOAD_B(j);
        while (to < last) {
            if (MERGE_LESS(b, a)) {
                MERGE_STORE(to, b, true, j);
                to++;
                if (++j == b_end)
                    break;
                b = MERGE_LOAD_B(j);
            } else {
                MERGE_STORE(to, a, false, i);
                to++;
                if (++i == a_end)
                    break;
                a = MERGE_LOAD_A(i);
            }
        }
    }
    for (; to < last && i < a_end; to++, i++) {
        const E a = MERGE_LOAD_A(i);
        MERGE_STORE(to, a, false, i);
    }
    for (; to < last; to++, j++) {
        const E b = MERGE_LOAD_B(j);
        MERGE_STORE(to, b, true, j);
    }
}

#else // GPU shape

KERNEL_WG(WG) merge_tiles(__global const ulong *splits MERGE_SIZES MERGE_PARAMS)
{
    __local E tile[TILE + 1]; // the last place is read, and nothing is made of it
#if MERGE_FROM
    __local ushort source[TILE];
#endif
    const uint lid = get_local_id(0);
    merge_job job;
    MERGE_JOB(get_group_id(0), job);
    const ulong split = splits[get_group_id(0)];
    const ulong a_first = job.a + split, b_first = job.b + (job.first - split), first = job.to + job.first;
    const uint count = (uint)min((ulong)TILE, job.na + job.nb - job.first);
    const uint a_count = (uint)(split_after(splits, get_group_id(0), job) - split);

    // Load the elements of A, then those of B, then the last one again. All loads are under way before the first
    // is waited for.
    E mine[ITEMS];
    UNROLL for (uint k = 0; k < ITEMS; k++) {
        const uint q = min(k * WG + lid, count - 1);
        const bool from_b = q >= a_count;
        mine[k] = MERGE_LOAD(from_b, (from_b ? b_first - a_count : a_first) + q);
    }
    UNROLL for (uint k = 0; k < ITEMS; k++)
        tile[k * WG + lid] = mine[k];
    if (lid == 0)
        tile[TILE] = mine[0];
    barrier(CLK_LOCAL_MEM_FENCE);

    // Split: a work-item makes ITEMS consecutive outputs, from the place where their diagonal crosses the path.
    const uint diagonal = min(lid * ITEMS, count), b_count = count - a_count;
    uint lo = (uint)max((int)(diagonal - b_count), 0), hi = min(diagonal, a_count);
    while (lo < hi) {
        const uint mid = (lo + hi) / 2;
        const E a = tile[mid], b = tile[a_count + diagonal - 1 - mid];
        if (MERGE_LESS(b, a))
            hi = mid;
        else
            lo = mid + 1;
    }
    // Merge. i and j are places in the tile. After the end of A comes B, and after that something else:
    // it is read, but never taken.
    uint i = lo, j = a_count + diagonal - lo;
    E a = tile[i], b = tile[j];
#if MERGE_FROM
    ushort origin[ITEMS];
#endif
    UNROLL for (uint k = 0; k < ITEMS; k++) {
        const bool take_b = j < count && (i >= a_count || MERGE_LESS(b, a));
        mine[k] = take_b ? b : a;
#if MERGE_FROM
        origin[k] = (ushort)(take_b ? j : i);
#endif
        const uint next = min((take_b ? j : i) + 1, (uint)TILE);
        const E x = tile[next];
        if (take_b) {
            b = x;
            j = next;
        } else {
            a = x;
            i = next;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    // Exchange, so that consecutive work-items write consecutive outputs.
    UNROLL for (uint k = 0; k < ITEMS; k++) {
        tile[lid * ITEMS + k] = mine[k];
#if MERGE_FROM
        source[lid * ITEMS + k] = origin[k];
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    // Store.
    UNROLL for (uint k = 0; k < ITEMS; k++) {
        const uint q = k * WG + lid;
        if (q < count) {
            const E x = tile[q];
#if MERGE_FROM
            const uint from = source[q];
            const bool from_b = from >= a_count;
            MERGE_STORE(first + q, x, from_b, from_b ? b_first + (from - a_count) : a_first + from);
#else
            MERGE_STORE(first + q, x, false, 0);
#endif
        }
    }
}

#endif
