// segsort_merge.cl: a round of merges of sorted blocks of segments: template of merge.cl.
//
// Blocks are counted from the start of their segment, so that a segment of m blocks takes
// ceil(log2(m)) rounds, and no round touches two segments. All segments have their last
// round together: in the launch with `left` rounds left, those of fewer have yet to start,
// and are not in it; the rest have their items in the same buffers, and runs of
// WG*ITEMS << (rounds - left). This is the segmented merge of Wang, Baxter & Owens with its
// early exit, other than that segments exit before their rounds, not after them. Tiles
// are blocks: one work-group for each, in the order of the table (segsort.cl).

#define E K
#define MERGE_PARAMS , __global const uint4 *blocks, uint left, PAIRS_PARAMS(const)
#define MERGE_LESS(b, a) ((b) < (a))
#define MERGE_LOAD_A(i) keys_in[(ulong)keys_in_at + (i)]
#define MERGE_LOAD_B(i) keys_in[(ulong)keys_in_at + (i)]
#define MERGE_LOAD(from_b, i) keys_in[(ulong)keys_in_at + (i)]
#define MERGE_FROM 1
#define MERGE_STORE(to, x, from_b, from)      \
    do {                                      \
        keys_out[(ulong)keys_out_at + (to)] = x;                     \
        values_out[(ulong)values_out_at + (to)] = values_in[(ulong)values_in_at + (from)]; \
    } while (0)
#define MERGE_JOB(t, job)                                                                \
    do {                                                                                 \
        const uint4 block = blocks[t];                                                   \
        const uint r = block.w - left, pair = block.z >> (r + 1);                        \
        const ulong width = (ulong)(WG * ITEMS) << r, before = pair * (2 * width);       \
        job.a = job.to = block.x + before;                                               \
        job.na = min(width, block.y - before);                                           \
        job.b = job.a + job.na;                                                          \
        job.nb = min(width, block.y - before - job.na);                                  \
        job.first = (block.z - ((ulong)pair << (r + 1))) * (WG * ITEMS);                 \
    } while (0)
