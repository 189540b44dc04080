// suffixsort_groups.cl: a round of all small groups in one kernel. It sorts every group in its slots by a key of each
// suffix, and splits it. snapshot has the groups before. It follows suffixsort_keys.cl and suffixsort_tile.cl in a
// program; suffixsort.cl describes the arrays.
//
// Groups are sorted by counting: the place of a suffix in its group is the number of smaller words (key, place). A
// group whose keys are all equal, as copies of text have, is not counted.
//
// Launch: a work-group for each tile, as suffixsort_tile.cl has it.
//
// Local memory: 8.5 bytes for each of the WG*ITEMS suffixes, 4 for each work-item, the
// table of the code, and what suffixsort_tile.cl has.

#ifndef TILE_PARAMS
#error "TILE_PARAMS: parameters, from suffixsort_tile.cl"
#endif
#ifndef KEY_PARAMS
#error "KEY_PARAMS: parameters, from suffixsort_keys.cl"
#endif

// A suffix's word: its key, and below it its place among at most 256, which decides
// between equal ones.
#define SAME_KEY(a, b) (((a) ^ (b)) >> 8 == 0)

#if DOUBLING
#define DEPTH_OF_KEY(key) 0u
#define WORD(key, at) ((key) | (at))
#define ENDS(suffix, depth) false
#else
#define DEPTH_OF_KEY(key) ((uint)(key) & 0xff)
#define WORD(key, at) ((key) & ~0xfful | (at))
#define ENDS(suffix, depth) REACHES_END(suffix, depth)
#endif

#if IS_CPU

KERNEL_WG(WG) suffixsort_groups(TILE_PARAMS, __global uint *groups, __global uint *sa, KEY_PARAMS)
{
    LOAD_TABLE
    ulong words[LIMIT];
    uint suffixes[LIMIT], depths_[LIMIT], at[LIMIT];
    bool last_of[LIMIT];
    const ulong begin = (ulong)get_group_id(0) * SLOTS, last = min(begin + SLOTS, m);
    for (ulong j = next_group(TILE_ARGS, begin, last); j < last; j = next_group(TILE_ARGS, j, last)) {
        const uint size_ = group_size(TILE_ARGS, j), slot = (uint)j, depth = DEPTH_AT(slot, true);
        for (uint p = 0; p < size_; p++) {
            suffixes[p] = sa[sa_at + slot + p];
            const ulong key = KEY_OF(suffixes[p], depth);
            depths_[p] = depth + DEPTH_OF_KEY(key);
            words[p] = WORD(key, p);
        }
        for (uint p = 0; p < size_; p++) {
            uint smaller = 0;
            for (uint q = 0; q < size_; q++)
                smaller += words[q] < words[p];
            at[smaller] = p;
        }
        // Which of them, in order, is the last of its group.
        for (uint r = 0; r < size_; r++) {
            const uint p = at[r];
            last_of[r] = r + 1 == size_ || !SAME_KEY(words[p], words[at[r + 1]]) ||
                         ENDS(suffixes[p], depths_[p]);
        }
        uint first = 0;
        for (uint r = 0; r < size_; r++) {
            const uint p = at[r];
            const bool starts = r == 0 || last_of[r - 1];
            first = starts ? r : first;
            sa[sa_at + slot + r] = suffixes[p];
#if DOUBLING
            if (first > 0)
                ranks[ranks_at + suffixes[p]] = slots[slots_at + slot] + first;
#endif
            NOTE_DEPTH(slot + r, depths_[p], starts);
            if (starts && r > 0)
                atomic_or(&groups[(slot + r) / 32], 1u << (slot + r) % 32);
        }
        j += size_;
    }
}

#else

KERNEL_WG(WG) suffixsort_groups(TILE_PARAMS, __global uint *groups, __global uint *sa, KEY_PARAMS)
{
    // tile: the words, two at a time. Bitmaps: heads, where groups begin; mixed, where groups of several keys begin;
    // starts, where new groups begin; ended, suffixes that are sorted up to the end of the text.
    __local ulong2 tile[SPAN / 2];
    __local uint heads[WORDS], mixed[WORDS], starts[WORDS], ended[WORDS], tmp[WG];
    TILE_LOCALS
    __local ulong *words = (__local ulong *)tile;
    const uint lid = get_local_id(0);

    LOAD_TABLE
    const uint elements = LIST_TILE(tmp);
    for (uint done = 0; done < elements;) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint w = lid; w < WORDS; w += WG) {
            heads[w] = 0;
            mixed[w] = 0;
            starts[w] = 0;
            ended[w] = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        // Load as many groups as there is room for, with a word for each suffix.
        LOAD_GROUPS(done, elements, sa + sa_at, heads)
        uint depth[ITEMS];
        ulong word[ITEMS];
        UNROLL for (uint k = 0; k < ITEMS; k++) {
            const uint p = k * WG + lid, first = range[k] & 0xffff;
            if (range[k] != NONE) {
                depth[k] = DEPTH_AT(slot[k], p == first);
                const ulong key = KEY_OF(suffix[k], depth[k]);
                word[k] = WORD(key, p - first);
                words[p] = word[k];
                slot[k] -= p - first; // of the first
                depth[k] += DEPTH_OF_KEY(key);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        // Find the groups of several keys.
        UNROLL for (uint k = 0; k < ITEMS; k++) {
            const uint first = range[k] & 0xffff;
            if (range[k] != NONE && !SAME_KEY(words[first], word[k]))
                set_bit(mixed, first);
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        // Rank: count the smaller words of the group.
        uint to[ITEMS];
        UNROLL for (uint k = 0; k < ITEMS; k++) {
            const uint first = range[k] & 0xffff, end = range[k] >> 16;
            to[k] = k * WG + lid;
            if (range[k] != NONE && has_bit(mixed, first)) {
                to[k] = first;
                uint q = first;
                if (q % 2 == 1) {
                    to[k] += words[q] < word[k];
                    q++;
                }
                for (; q + 1 < end; q += 2) {
                    const ulong2 both = tile[q / 2];
                    to[k] += (both.x < word[k] ? 1u : 0u) + (both.y < word[k] ? 1u : 0u);
                }
                if (q < end)
                    to[k] += words[q] < word[k];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        // Scatter the words to local memory.
        UNROLL for (uint k = 0; k < ITEMS; k++) {
            if (range[k] != NONE) {
                words[to[k]] = word[k];
                if (ENDS(suffix[k], depth[k]))
                    set_bit(ended, to[k]);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        // Find where the new groups start.
        UNROLL for (uint k = 0; k < ITEMS; k++) {
            if (range[k] != NONE) {
                const uint first = range[k] & 0xffff, r = to[k];
                if (r == first || !SAME_KEY(words[r - (r > first)], word[k]) || has_bit(ended, r - (r > first)))
                    set_bit(starts, r);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // sa and depths have been read

        // Store the suffixes, their ranks and depths, and the new groups.
        UNROLL for (uint k = 0; k < ITEMS; k++) {
            if (range[k] != NONE) {
                const uint p = k * WG + lid, first = range[k] & 0xffff, r = to[k], to_slot = slot[k] + (r - first);
                if (r != p)
                    sa[sa_at + to_slot] = suffix[k];
#if DOUBLING
                const uint start = last_set(starts, r);
                if (start != first)
                    ranks[ranks_at + suffix[k]] = slots[slots_at + slot[k]] + (start - first);
#endif
                NOTE_DEPTH(to_slot, depth[k], has_bit(starts, r));
                if (r != first && has_bit(starts, r))
                    atomic_or(&groups[to_slot / 32], 1u << to_slot % 32);
            }
        }
        done += taken;
    }
}

#endif
