// suffixsort_middle.cl: a round of large groups without the lists of suffixsort_lists.cl. One that fits is sorted in
// the local memory of a work-group, several short ones at once. A longer one is divided before, by items of a sample:
// a bucket has the items from one of these to the next, and fits. It follows suffixsort_keys.cl and localsort.cl in a
// program; suffixsort.cl describes the arrays. Items are (key, suffix), equal keys by descending suffix, which is the
// order before. So nothing else has to be stable.
//
//   DIVIDE  1  suffixsort_divide and suffixsort_distribute
//           0  suffixsort_find, suffixsort_middle and, with DOUBLING, suffixsort_rerank
//   FIT     suffixes that fit: WG*ITEMS of suffixsort_middle
//
//   jobs    what fits: from 0 on what takes a work-group, from jobs_room on what a team sorts. A group: first slot,
//           suffixes, NOWHERE, NOWHERE. A bucket: its group in longs, suffixes, its place in parts, the first suffix of
//           the next bucket, NOWHERE of the last one. With DOUBLING suffixsort_middle writes: first slot of the bucket,
//           NOWHERE if it is left as it is, suffixes, place in parts, first slot of the group
//   longs   after these, longer groups: first slot, suffixes, depth, the job of the first bucket << 8 | buckets. 0
//           buckets: the group is left as it is
//   parts   the suffixes of buckets, each with room for FIT
//   counts  COUNT_* from `at` on; 0 before
//
// Launch: suffixsort_find a work-item for each word of groups; the others work-groups of WG, as many as are useful.
//
// Local memory: 12 bytes for each of WG*ITEMS items, the table of the code; for ranks another bit for each item.
// suffixsort_distribute has 3 bytes for each of these and 16 for each of BUCKETS.

#ifndef DIVIDE
#error "DIVIDE: 1 to divide groups, 0 to sort them"
#endif
#ifndef FIT
#error "FIT: suffixes of a group that is sorted in local memory"
#endif
#ifndef KEY_PARAMS
#error "KEY_PARAMS: parameters, from suffixsort_keys.cl"
#endif
#ifndef CAPACITY
#error "CAPACITY: items in local memory, from localsort.cl"
#endif

#define NOWHERE 0xffffffffu
#define BUCKET_FIT (FIT - 1) // with the first suffix of the next bucket

#define COUNT_JOBS 0  // of work-groups
#define COUNT_TEAMS 1 // jobs of teams
#define COUNT_LONGS 2
#define COUNT_PARTS 3 // buckets with room
#define COUNT_LEFT 4  // whether a group is left as it is

// The item of a suffix.
#if DOUBLING
#define ITEM_OF(suffix, depth) (ulong2)(KEY_OF(suffix, depth), (ulong)~(suffix))
#else
#define ITEM_OF(suffix, depth) \
    (ulong2)(until_end(KEY_OF(suffix, depth), size - (PLACE_OF(suffix) + (depth))), (ulong)~(suffix))
#endif

#define JOBS_PARAMS(in) __global in uint4 *jobs, uint jobs_room
#define LONGS (jobs + 2ul * jobs_room)

#if DIVIDE

// A bucket has two fifths of FIT on average, at most, and so many items of the sample that one of more than FIT is
// rare.
#define BUCKETS (CAPACITY / 16 > 255 ? 255u : CAPACITY / 16 > 8 ? CAPACITY / 16 : 8u)
#define MOST_BUCKETS 255
#define BUCKET (FIT * 2 / 5)
#define LONGEST (BUCKETS * BUCKET)

// A number that does not follow the text.
inline uint scrambled(uint x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

// Makes the buckets of longer groups. There is room for parts_room.
KERNEL_WG(WG) suffixsort_divide(
    JOBS_PARAMS(), __global const uint *groups, ulong m, uint parts_room, __global uint *counts, uint at,
    __global const uint *sa, KEY_PARAMS)
{
    ITEM_LOCAL
    __local uint length, part, job;
    LOAD_TABLE
    const uint lid = get_local_id(0), total = min(counts[at + COUNT_LONGS], jobs_room);
    for (uint g = get_group_id(0); g < total; g += get_num_groups(0)) {
        // How long is it?
        const uint slot = LONGS[g].x;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid == 0)
            length = LONGEST + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint w = slot / 32 + 1 + lid; w <= slot / 32 + LONGEST / 32 + 1; w += WG) {
            const uint word = head_word(groups, w, m);
            if (word != 0)
                atomic_min(&length, 32 * w + first_bit(word) - slot);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint size_ = length, wanted = (size_ + BUCKET - 1) / BUCKET;
        if (lid == 0) {
            part = size_ <= LONGEST ? atomic_add(&counts[at + COUNT_PARTS], wanted) : parts_room;
            job = jobs_room;
            if (part < parts_room && wanted <= parts_room - part)
                job = atomic_add(&counts[at + COUNT_JOBS], wanted);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const bool room = job <= jobs_room && wanted <= jobs_room - job;
        if (!room) {
            for (uint b = lid; b < wanted && job + b < jobs_room; b += WG)
                jobs[job + b] = (uint4)(g, 0, 0, NOWHERE);
            if (lid == 0)
                atomic_or(&counts[at + COUNT_LEFT], 1u);
        }

        // Sort a sample, an item of each of as many pieces. The first of a bucket is every so many.
        const uint depth = DEPTH_AT(slot, true), buckets = room ? wanted : 0u;
        const uint each = room ? min(min((uint)CAPACITY, size_) / wanted, 32u) : 0u, sampled = each * buckets;
        const uint piece = size_ / max(sampled, 1u);
        for (uint p = lid; p < sampled; p += WG) {
            const uint suffix = sa[sa_at + slot + p * piece + scrambled(slot + p) % piece];
            const item e = ITEM_OF(suffix, depth);
            ITEM_PUT(p, e);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        sort_items(ITEM_ARGS, sampled, WG);
        for (uint b = lid; b < buckets; b += WG)
            jobs[job + b] = (uint4)(g, 0, (part + b) * FIT, b + 1 < buckets ? ~tags_[(b + 1) * each] : NOWHERE);
        if (lid == 0)
            LONGS[g] = (uint4)(slot, size_, depth, job << 8 | buckets);
    }
}

// A word of a job. Other work-groups count in the second, so the four are not loaded together.
#define JOB_WORD(job, word) (((__global const uint *)(jobs + (job)))[word])

// Brings the suffixes of longer groups to their buckets, WG*ITEMS at a time.
KERNEL_WG(WG) suffixsort_distribute(
    JOBS_PARAMS(), __global uint *parts, ulong parts_at, __global uint *counts, uint at, __global const uint *sa,
    KEY_PARAMS)
{
    __local ulong first_keys[MOST_BUCKETS];
    __local uint first_tags[MOST_BUCKETS], taken[MOST_BUCKETS];
    __local uchar bucket[CAPACITY];
    __local ushort place[CAPACITY]; // in the bucket, of those of the piece
    LOAD_TABLE
    const uint lid = get_local_id(0), total = min(counts[at + COUNT_LONGS], jobs_room), wgs = get_num_groups(0);
    uint turn = get_group_id(0); // the piece of the group that is for this work-group
    for (uint g = 0; g < total; g++) {
        const uint4 group = LONGS[g];
        const uint slot = group.x, size_ = group.y, depth = group.z, job = group.w >> 8, buckets = group.w & 0xff;
        const uint pieces = buckets > 0 ? (size_ + CAPACITY - 1) / CAPACITY : 0u;
        for (; turn < pieces; turn += wgs) {
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint b = lid; b < buckets; b += WG) {
                if (b > 0) {
                    const item e = ITEM_OF(JOB_WORD(job + b - 1, 3), depth);
                    first_keys[b] = e.x;
                    first_tags[b] = (uint)e.y;
                }
                taken[b] = 0;
            }
            barrier(CLK_LOCAL_MEM_FENCE);

            // The bucket of each is the last whose first item is not larger.
            const uint begin = turn * CAPACITY, count = min((uint)CAPACITY, size_ - begin);
            for (uint p = lid; p < count; p += WG) {
                const item e = ITEM_OF(sa[sa_at + slot + begin + p], depth);
                uint b = 0;
                for (uint high = buckets; high - b > 1;) {
                    const uint middle = (b + high) / 2;
                    const bool before = item_less(e, (ulong2)(first_keys[middle], (ulong)first_tags[middle]));
                    high = before ? middle : high;
                    b = before ? b : middle;
                }
                bucket[p] = (uchar)b;
                place[p] = (ushort)atomic_add(&taken[b], 1u);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint b = lid; b < buckets; b += WG) {
                const uint more = taken[b];
                if (more > 0) {
                    taken[b] = atomic_add((__global uint *)&jobs[job + b] + 1, more);
                    if (taken[b] + more > BUCKET_FIT)
                        atomic_or(&counts[at + COUNT_LEFT], 1u);
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint p = lid; p < count; p += WG) {
                const uint b = bucket[p], to = taken[b] + place[p];
                if (to < BUCKET_FIT)
                    parts[parts_at + JOB_WORD(job + b, 2) + to] = sa[sa_at + slot + begin + p];
            }
        }
        turn -= pieces;
    }
}

#else

#define TEAMS 4 // of a work-group
#define TEAM (WG / TEAMS)
#define TEAM_FIT (TEAM * ITEMS)

// The end of the group that begins in word w, if it has at most FIT suffixes; else something further on. Words are read
// several at a time.
#define AHEAD 8
inline ulong group_end(__global const uint *groups, ulong w, ulong slot, ulong n)
{
    for (w++; 32 * w <= slot + FIT; w += AHEAD) {
        uint words[AHEAD];
        UNROLL for (uint u = 0; u < AHEAD; u++)
            words[u] = head_word(groups, w + u, n);
        UNROLL for (uint u = 0; u < AHEAD; u++)
            if (words[u] != 0)
                return 32 * (w + u) + first_bit(words[u]);
    }
    return slot + FIT + 1;
}

// Lists the large groups: jobs, and at most longs_room longs. They begin in one of `words` words.
KERNEL_WG(WG) suffixsort_find(
    JOBS_PARAMS(), uint longs_room, __global const uint *groups, ulong n, ulong words, __global const uint2 *classes,
    __global uint *counts, uint at)
{
    const ulong w = get_global_id(0);
    const uint heads = w < words ? head_word(groups, w, n) & classes[w].y : 0u;
    if (heads != 0) { // of one group: none ends in the word in which it begins
        const uint slot = (uint)(32 * w) + last_bit(heads);
        const uint size_ = (uint)(group_end(groups, w, slot, n) - slot);
        const uint kind = size_ <= TEAM_FIT ? COUNT_TEAMS : size_ <= FIT ? COUNT_JOBS : COUNT_LONGS;
        const uint number = atomic_add(&counts[at + kind], 1u);
        if (number >= (kind == COUNT_LONGS ? longs_room : jobs_room))
            atomic_or(&counts[at + COUNT_LEFT], 1u);
        else if (kind == COUNT_LONGS)
            LONGS[number] = (uint4)(slot, 0, 0, 0);
        else
            jobs[(kind == COUNT_TEAMS ? jobs_room : 0u) + number] = (uint4)(slot, size_, NOWHERE, NOWHERE);
    }
}

KERNEL_WG(WG) suffixsort_middle(
    JOBS_PARAMS(), __global const uint *parts, ulong parts_at, __global const uint *counts, uint at,
    __global uint *groups, __global uint *sa, KEY_PARAMS)
{
    ITEM_LOCAL
    __local uint before[2]; // suffixes in buckets before, and whether a bucket has more than fit
#if DOUBLING
    __local uint starts[CAPACITY / 32 + 1];
#endif
    LOAD_TABLE
    const uint lid = get_local_id(0);
    const uint alone = min(counts[at + COUNT_JOBS], jobs_room), teams = min(counts[at + COUNT_TEAMS], jobs_room);
    const uint turns = alone + (teams + TEAMS - 1) / TEAMS;
    for (uint j = get_group_id(0); j < turns; j += get_num_groups(0)) {
        // A job for the work-group, or one for each team. The team's items begin at `first`.
        const bool together = j < alone;
        const uint wg = together ? WG : TEAM, tl = together ? lid : lid % TEAM;
        const uint first = together ? 0u : lid / TEAM * TEAM_FIT;
        const uint number = together ? j : (j - alone) * TEAMS + lid / TEAM;
        uint4 job = (uint4)(0, 0, NOWHERE, NOWHERE);
        if (together || number < teams)
            job = jobs[together ? number : jobs_room + number];
        const bool bucket = job.z != NOWHERE; // then of all work-items
        const uint4 group = bucket ? LONGS[job.x] : (uint4)(job.x, 0, 0, 0);
        if (lid < 2)
            before[lid] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint b = lid; b < (group.w & 0xff); b += WG) {
            const uint other = (group.w >> 8) + b, count = jobs[other].y;
            if (other < j)
                atomic_add(&before[0], count);
            if (count > BUCKET_FIT)
                atomic_or(&before[1], 1u);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint slot = group.x + (bucket ? before[0] : 0u), size_ = bucket && before[1] != 0 ? 0u : job.y;
        const uint depth = bucket ? group.z : size_ > 0 ? DEPTH_AT(slot, true) : 0u;
        // The first of the next bucket is the last.
        const uint items = size_ > 0 && job.w != NOWHERE ? size_ + 1 : size_;
        if (DOUBLING && bucket && lid == 0) {
            // Words of their own: clang stores all four of a uint4, and others read the second.
            __global uint *job_words = (__global uint *)&jobs[j];
            job_words[0] = size_ > 0 ? slot : NOWHERE;
            job_words[3] = group.x;
        }

        barrier(CLK_LOCAL_MEM_FENCE); // the items of the turn before have been read
        UNROLL for (uint k = 0; k < ITEMS; k++) {
            const uint p = k * wg + tl;
            if (p < size_)
                tags_[first + p] = bucket ? parts[parts_at + job.z + p] : sa[sa_at + slot + p];
            else if (p < items)
                tags_[first + p] = job.w;
        }
        for (uint p = tl; p < wg * ITEMS; p += wg) {
            item e = ITEM_LARGEST;
            if (p < items)
                e = ITEM_OF(tags_[first + p], depth);
            ITEM_PUT(first + p, e);
        }
#if DOUBLING
        for (uint w = lid; w < CAPACITY / 32 + 1; w += WG)
            starts[w] = 0;
#endif
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // sa and depths have been read
        sort_items(ITEM_ARGS, together ? items : CAPACITY, wg);
#if DOUBLING
        for (uint p = tl; p < size_; p += wg)
            if (p > 0 && keys_[first + p] != keys_[first + p - 1])
                atomic_or(&starts[(first + p) / 32], 1u << (first + p) % 32);
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        for (uint p = tl; p < items; p += wg) {
            const item e = ITEM_GET(first + p);
            // The bucket before tells whether a bucket begins with a head. But an odd slot shares its depth with the
            // next one: it is for its bucket, and nobody's if a group begins there.
            if (p > 0) {
                const bool begins = keys_[first + p - 1] != e.x;
                if (begins)
                    atomic_or(&groups[(slot + p) / 32], 1u << (slot + p) % 32);
                NOTE_DEPTH(slot + p, depth + ((uint)e.x & 0xff) - 1, begins || (p == size_ && (slot + p) % 2 == 1))
            } else if (slot != group.x && slot % 2 == 1 && (items == 1 || keys_[1] != e.x)) {
                NOTE_DEPTH(slot, depth + ((uint)e.x & 0xff) - 1, false)
            }
            if (p == size_)
                break;
            const uint sorted = ~(uint)e.y;
            sa[sa_at + slot + p] = sorted;
#if DOUBLING
            uint w = (first + p) / 32, word = starts[w] & ((2u << (first + p) % 32) - 1);
            while (word == 0 && w > first / 32)
                word = starts[--w];
            if (word != 0 && 32 * w + last_bit(word) > first)
                ranks[ranks_at + sorted] = slots[slots_at + slot + 32 * w + last_bit(word) - first];
#endif
        }
    }
}

#if DOUBLING

// Ranks of the first group of each bucket, which may begin in a bucket before.
KERNEL_WG(WG) suffixsort_rerank(
    JOBS_PARAMS(const), __global const uint *counts, uint at, __global const uint *groups,
    __global const uint *sa, KEY_PARAMS)
{
    __local uint begin, end;
    const uint lid = get_local_id(0), total = min(counts[at + COUNT_JOBS], jobs_room);
    for (uint j = get_group_id(0); j < total; j += get_num_groups(0)) {
        const uint4 job = jobs[j];
        const bool bucket = job.z != NOWHERE && job.x != NOWHERE;
        const uint slot = bucket ? job.x : 0u, size_ = bucket ? job.y : 0u;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid == 0) {
            begin = bucket ? job.w : 0u;
            end = slot + size_;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint w = (bucket ? job.w : 0u) / 32 + lid; bucket && w <= (slot + size_) / 32; w += WG) {
            const uint word = groups[w], up_to = w == slot / 32 ? (2u << slot % 32) - 1 : w < slot / 32 ? ~0u : 0u;
            if ((word & up_to) != 0)
                atomic_max(&begin, 32 * w + last_bit(word & up_to));
            if ((word & ~up_to) != 0)
                atomic_min(&end, 32 * w + first_bit(word & ~up_to));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint rank = slots[slots_at + begin];
        for (uint r = slot + lid; r < end; r += WG)
            ranks[ranks_at + sa[sa_at + r]] = rank;
    }
}

#endif

#endif
