// suffixsort_chains.cl: chains of groups. Group A leads to group B if the suffixes one character on from those of A are
// all the suffixes of B: then both have the same order, and A need not be sorted. A group that leads to no other ends a
// chain. Its suffixes are representatives: they are sorted, for all groups whose chains end there.
//
// It follows suffixsort.cl in a program, which describes the arrays. A macro chooses:
//
//   SUFFIXSORT_MAP     the kernels that treat every element on its own
//   SUFFIXSORT_MARKED  scan: how many representatives start before each word of marks
//
// Representatives are numbered in the order of the text. So the number of those before a place is the number of the
// next one, where the chain of that place ends. They are sorted as all suffixes are, with slots, groups and ranks:
//
//   marks  for each 32 places of the text the bits of those where representatives start, and how many start before
//   order  the numbers of representatives in order: their sa
//   slots  their slots in sa
//   ranks  of each number: the first slot in sa of its group
//   next   of each number: the number at the end of the chain of the place up to which its group is sorted
//   keys   of each number: the rank of that place; later the rank at the end of its chain, and in the low 27 bits, if
//          ranks have no more, the rank one chain further. By number, so that neighbours lead to neighbours
//
// Launch: one work-group of WG for each WG*ITEMS elements, or fewer, or `span` slots.

typedef uint2 Marks;

// How many marks are before place i.
#define MARKED_BEFORE(marks, i) ((marks)[(i) / 32].y + popcount((marks)[(i) / 32].x & ((1u << (i) % 32) - 1)))

#ifdef SUFFIXSORT_MAP

#ifndef TILE
#error "TILE: elements of a work-group, from suffixsort.cl"
#endif

// Sets bits of ends: the first slots of groups that lead to no other. isa has the ranks of all suffixes, or those of
// suffixsort_want. The last suffix of the text is sorted.
KERNEL_WG(WG) suffixsort_link(
    __global const uint *isa, __global const uint *sa, ulong n, uint span, __global const uint *groups,
    __global const uint *lasts, __global const uint2 *classes, __global uint *ends, ulong ends_at)
{
    MEMBER_LOCALS
    const uint total = LIST_MEMBERS(classes, ALL_CLASSES, n, span);
    FOR_MEMBERS(start, total) {
        bool head[UNDER_WAY];
        ulong here[UNDER_WAY], before[UNDER_WAY];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            const ulong r = MEMBER(min(start + u * WG, total - 1));
            head[u] = IS_SET(groups, r);
            here[u] = sa[r] + 1ul;
            before[u] = head[u] ? here[u] : sa[r - 1] + 1ul;
        }
        uint to[UNDER_WAY], to_before[UNDER_WAY];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            to[u] = isa[here[u]];
            to_before[u] = isa[before[u]];
        }
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            if (start + u * WG >= total)
                continue;
            const ulong r = MEMBER(start + u * WG);
            const uint first = rank_of(groups, lasts, r);
            const ulong there = rank_in(to[u], n) + (r - first); // the slot that corresponds to r
            bool leads = to[u] == to_before[u] && there < n && (head[u] || !IS_SET(groups, there));
            if (r + 1 == n || IS_SET(groups, r + 1))
                leads = leads && (there + 1 == n || IS_SET(groups, there + 1));
            if (!leads && !(load_relaxed(&ends[ends_at + first / 32]) >> first % 32 & 1))
                atomic_or(&ends[ends_at + first / 32], 1u << first % 32);
        }
    }
}

// chosen = the classes of groups that end chains. Counts their suffixes, and clears marked. An element is one of
// `words` words.
KERNEL_WG(WG) suffixsort_choose(
    __global const uint *groups, __global const uint *lasts, __global const uint2 *classes, ulong words,
    __global const uint *ends, ulong ends_at, __global uint2 *chosen, __global uint *marked, ulong marked_at,
    __global uint *counts, uint into, ulong host, uint number)
{
    __local uint sums[2];
    if (get_local_id(0) == 0)
        sums[0] = sums[1] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint2 mine = (uint2)(0u, 0u);
    FOR_TILE(w, SHARE(words), words) {
        const uint2 class = classes[w];
        const uint unsorted = class.x | class.y, word = groups[w];
        uint all = 0;
        if (unsorted != 0) {
            const uint inside = word != 0 ? word & (0u - word) : 0u; // the first group that begins here
            const uint before = word != 0 ? inside - 1 : ~0u;
            if ((unsorted & before) != 0) {
                const uint first = rank_of(groups, lasts, 32 * w);
                all = IS_SET(ends + ends_at, first) ? before : 0u;
            }
            // A group that ends a chain becomes a run of ones from its head to the next head.
            uint rest = ends[ends_at + w] & word;
            for (; rest != 0; rest &= rest - 1) {
                const uint head = rest & (0u - rest), later_heads = word & ~(head | (head - 1));
                const uint next = later_heads & (0u - later_heads); // 0: the group goes on to the end of the word
                all |= next - head;
            }
            all &= unsorted;
        }
        const uint2 both = (uint2)(all & class.x, all & class.y);
        chosen[w] = both;
        marked[marked_at + w] = 0;
        mine += popcount(both);
    }
    count_classes(mine, sums, counts, into);
    if (get_local_id(0) == 0)
        answer_counts(counts, into, host, number);
}

// Lists the first `room` of the chosen suffixes, the representatives: places in the text, slots, and, in marked, bits
// of these places.
KERNEL_WG(WG) suffixsort_gather(
    __global const uint *sa, ulong n, uint span, __global const uint2 *chosen, __global const uint2 *starts, uint room,
    __global uint *places, ulong places_at, __global uint *slots, ulong slots_at, __global uint *marked,
    ulong marked_at)
{
    MEMBER_LOCALS
    const uint total = LIST_MEMBERS(chosen, ALL_CLASSES, n, span);
    FOR_MEMBERS(start, total) {
        uint place[UNDER_WAY], to[UNDER_WAY];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            const ulong r = MEMBER(min(start + u * WG, total - 1));
            const uint2 class = chosen[r / 32], first = starts[r / 32];
            to[u] = number_of(first.x + first.y, class.x | class.y, (uint)r);
            place[u] = sa[r];
        }
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            if (start + u * WG < total && to[u] < room) {
                places[places_at + to[u]] = place[u];
                slots[slots_at + to[u]] = (uint)MEMBER(start + u * WG);
                atomic_or(&marked[marked_at + place[u] / 32], 1u << place[u] % 32);
            }
        }
    }
}

// The last place from `first` on that has `bits` bits before `end`; first if there is none.
inline ulong last_full(
    __global const uchar *text, __global const uint *table, ulong size, uint bits, ulong first, ulong end)
{
    for (uint used = 0; used < bits && end > first; end--)
        used += table[end - 1 < size ? text[end - 1] : 256u] & 0xff;
    return end;
}

// How many of n samples further the first `depth` symbols from a sample tell, of which the first `bits` bits tell how
// far the next one is. Two samples next to each other are known from those bits, others from the rise. Places are read
// UNDER_WAY at a time.
inline uint samples_in(
    __global const uchar *text, __global const uint *table, ulong size, uint bits, ulong n,
    __global const uint *places, ulong places_at, uint number, uint depth)
{
    const ulong first = places[places_at + number], end = first + depth;
    ulong full = ~0ul; // not known
    ulong at = first;  // of the last sample that is known
    uint count = 0;
    bool more = true;
    for (uint rounds = depth; more && rounds > 0; rounds--) {
        uint next[UNDER_WAY];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++)
            next[u] = places[places_at + min(number + count + 1ul + u, n - 1)];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            more = more && number + count + 1 < n;
            if (more && next[u] == at + 1 && full == ~0ul)
                full = last_full(text, table, size, bits, first, end);
            more = more && (next[u] > at + 1 ? next[u] + 2ul <= end : next[u] <= full);
            at = more ? next[u] : at;
            count += more;
        }
    }
    return count;
}

// Numbers m representatives: replaces the places in order by numbers. depth_of gets the depth of the group of each
// number, heads where groups begin in order. Where samples are sorted the depth is in samples.
KERNEL_WG(WG) suffixsort_number(
    __global const uchar *text, __global const ulong *packed, __global const uint *table, ulong size, uint width,
    uint bits, ulong n, __global const uint *places, ulong places_at, __global const uint *groups, uint uniform,
    __global const uchar *depths, ulong depths_at,
    __global const Marks *marks, ulong m, __global const uint *slots, ulong slots_at, __global uint *order,
    ulong order_at, __global uint *heads, __global uint *depth_of, ulong depth_of_at)
{
    __local uint words[TILE / 32];
    clear_heads(words);
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong share = SHARE(m), begin = get_group_id(0) * share, end = min(begin + share, m);
    for (ulong start = begin + get_local_id(0); start < end; start += UNDER_WAY * WG) {
        uint number[UNDER_WAY], depth[UNDER_WAY];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            const ulong j = start + u * WG;
            number[u] = depth[u] = 0;
            if (j < end) { // from end on another work-group writes
                const uint place = order[order_at + j], slot = slots[slots_at + j];
                const bool head = IS_SET(groups, slot);
                number[u] = MARKED_BEFORE(marks, place);
                depth[u] = DEPTH_OF(slot, head);
                if (places != 0)
                    depth[u] = samples_in(text, table, size, bits, n, places, places_at, place, depth[u]);
                set_head(words, j - begin, head);
            }
        }
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            if (start + u * WG < end) {
                order[order_at + start + u * WG] = number[u];
                depth_of[depth_of_at + number[u]] = depth[u];
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    write_heads(words, (uint)share, m, heads);
}

// Sets ranks, keys and next of m representatives. next has the depths of their groups before. An element is one of
// `bytes` bytes of marks.
KERNEL_WG(WG) suffixsort_depart(
    __global const uint *isa, ulong n, __global const Marks *marks, ulong bytes, ulong m, __global uint *next,
    ulong next_at, __global uint *ranks, ulong ranks_at, __global uint *keys, ulong keys_at)
{
    FOR_TILE(b, SHARE(bytes), bytes) {
        const Marks mark = marks[b / 4];
        uint rest = mark.x & (0xffu << b % 4 * 8), number = mark.y + popcount(mark.x & ((1u << b % 4 * 8) - 1));
        for (; rest != 0; rest &= rest - 1, number++) {
            const ulong i = b / 4 * 32 + first_bit(rest), end = min(i + next[next_at + number], n - 1);
            ranks[ranks_at + number] = rank_in(isa[i], n);
            keys[keys_at + number] = rank_in(isa[end], n);
            // No representative may follow, but then the suffix at the end is sorted.
            next[next_at + number] = (uint)min((ulong)MARKED_BEFORE(marks, end), m - 1);
        }
    }
}

// How far a representative, whose rank is its slot, is from the first slot of its group.
#define SHIFT_OF(slot) ((slot) - rank_of(groups, lasts, slot))

// Replaces the ranks of m representatives by their shifts: for suffixsort_settle of many more suffixes.
KERNEL_WG(WG) suffixsort_shift(
    __global uint *ranks, ulong ranks_at, ulong m, __global const uint *groups, __global const uint *lasts)
{
    FOR_TILE(x, SHARE(m), m)
        ranks[ranks_at + x] = SHIFT_OF(ranks[ranks_at + x]);
}

// sorted = the unsorted suffixes in the order of the representatives at the ends of their chains. A suffix is as far
// from the first slot of its group as that of its chain. ranks are shifts if `shifted`.
KERNEL_WG(WG) suffixsort_settle(
    __global const uint *sa, ulong n, uint span, __global const uint *groups, __global const uint *lasts,
    __global const uint2 *classes, __global const Marks *marks, __global const uint *ranks, ulong ranks_at,
    uint shifted, __global uint *sorted)
{
    MEMBER_LOCALS
    const uint total = LIST_MEMBERS(classes, ALL_CLASSES, n, span);
    FOR_MEMBERS(start, total) {
        uint suffix[UNDER_WAY], number[UNDER_WAY], slot[UNDER_WAY];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++)
            suffix[u] = sa[MEMBER(min(start + u * WG, total - 1))];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++)
            number[u] = MARKED_BEFORE(marks, suffix[u]);
        UNROLL for (uint u = 0; u < UNDER_WAY; u++)
            slot[u] = ranks[ranks_at + number[u]];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            if (start + u * WG < total) {
                const uint far = shifted ? slot[u] : SHIFT_OF(slot[u]);
                sorted[rank_of(groups, lasts, MEMBER(start + u * WG)) + far] = suffix[u];
            }
        }
    }
}

// sa = sorted, in the slots that were unsorted.
KERNEL_WG(WG) suffixsort_return(
    __global const uint *sorted, ulong n, uint span, __global const uint2 *classes, __global uint *sa)
{
    MEMBER_LOCALS
    const uint total = LIST_MEMBERS(classes, ALL_CLASSES, n, span);
    for (uint j = get_local_id(0); j < total; j += WG)
        sa[MEMBER(j)] = sorted[MEMBER(j)];
}

// The same in the order of the text, straight to sa: isa, marks and ranks of the m representatives are read in order,
// and only sa is not. An element is a place of the text. If bwt is not null it gets the Burrows-Wheeler transform, as
// bwt.cl has it, instead of sa, and rows[0] the primary index, which answers the host if it asks.
KERNEL_WG(WG) suffixsort_settle_text(
    __global const uint *isa, ulong n, __global const uint *groups, __global const uint *lasts,
    __global const Marks *marks, ulong m, __global const uint *ranks, ulong ranks_at, __global uint *sa,
    __global const uchar *text, __global uint *rows, __global uchar *bwt, ulong bwt_at, ulong host, uint number)
{
    __local uint shifts[UNDER_WAY * WG + 1]; // of representatives from the first of the places on, and of the next one
    __local uint skip;
    const uint lid = get_local_id(0);
    const ulong begin = (ulong)get_group_id(0) * TILE, end = min(begin + TILE, n);
    if (lid == 0) {
        skip = 0;
        if (bwt != 0)
            skip = rank_in(isa[0], n) + (has_others(groups, n, isa[0]) ? SHIFT_OF(ranks[ranks_at]) : 0u) + 1;
        if (bwt != 0 && begin == 0) {
            rows[0] = skip;
            if (host != 0)
                answer(host, number, 0, skip);
            bwt[bwt_at] = text[n - 1];
        }
    }
    for (ulong first = begin; first < end; first += UNDER_WAY * WG) {
        const uint before = MARKED_BEFORE(marks, first);
        uint word[UNDER_WAY], next[UNDER_WAY]; // the number of the next representative, from `before` on
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            const ulong i = min(first + u * WG + lid, n - 1);
            const Marks mark = marks[i / 32];
            word[u] = isa[i];
            next[u] = mark.y + popcount(mark.x & ((1u << i % 32) - 1)) - before;
            if (first + u * WG + lid < end && (mark.x >> i % 32 & 1))
                shifts[next[u]] = ranks[ranks_at + before + next[u]] - rank_in(word[u], n);
            // The representative of the last places may be far after them.
            if (first + u * WG + lid == min(first + UNDER_WAY * WG, end) - 1) {
                const uint after = next[u] + (mark.x >> i % 32 & 1);
                if (before + after < m)
                    shifts[after] = SHIFT_OF(ranks[ranks_at + before + after]);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            const ulong i = first + u * WG + lid;
            if (i < end) {
                const bool several = has_others(groups, n, word[u]);
                const uint slot = rank_in(word[u], n) + (several ? shifts[next[u]] : 0u);
                if (several && bwt == 0)
                    sa[slot] = (uint)i;
                if (i > 0 && bwt != 0)
                    bwt[bwt_at + slot + (slot + 1 < skip)] = text[i - 1];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

#endif

#ifdef SUFFIXSORT_MARKED

#define T uint
#define OP OP_ADD
#define IDENTITY 0u
#define SCAN_PARAMS , __global const uint *marked, ulong marked_at, __global Marks *marks
#define SCAN_LOAD(w) popcount(marked[marked_at + (w)])
#define SCAN_STORE(w, before, value) marks[w] = (Marks)(marked[marked_at + (w)], before)

#endif
