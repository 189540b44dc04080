// suffixsort_single.cl: sorts representatives in a single work-group, all rounds in local memory. suffixsort_chains.cl
// describes the arrays; it follows suffixsort_tile.cl in a program.
//
// A suffix stays with its work-item, which knows its place. As in suffixsort_groups.cl the new place is the number of
// smaller words (key, place) in the group. After the first round a key is the ranks at the ends of the next HOPS
// chains.
//
// Launch: one work-group of WG, for at most WG*ITEMS suffixes.
//
// Local memory: 12 bytes for each suffix, 1/8 more for the groups, and a word.

#ifndef ROOM
#error "ROOM: suffixes of a work-group, from suffixsort_tile.cl"
#endif

#define HOPS 4
#define RANK_BITS 12
#if ROOM > 1 << RANK_BITS
#error "ITEMS: at most 4096 suffixes"
#endif
#define SAME_KEY(a, b) (((a) ^ (b)) >> 16 == 0)

// Sorts m suffixes by their keys, and then by doubling until no two are in a group. `sorted` gets their ranks.
KERNEL_WG(WG) suffixsort_single(
    __global const uint *groups, uint m, __global const uint *keys, ulong keys_at, __global const uint *next,
    ulong next_at, __global const uint *order, ulong order_at, __global const uint *slots, ulong slots_at,
    __global uint *sorted, ulong sorted_at)
{
    __local ulong words[ROOM];
    __local ushort ranks[ROOM], nexts[ROOM];
    __local uint heads[WORDS], left;
    const uint lid = get_local_id(0);

    // Load the groups, keys, ranks and chains.
    for (uint w = lid; w < WORDS; w += WG)
        heads[w] = head_word(groups, w, m);
    barrier(CLK_LOCAL_MEM_FENCE);
    ulong key[ITEMS];
    uint number[ITEMS], place[ITEMS];
    UNROLL for (uint k = 0; k < ITEMS; k++) {
        place[k] = k * WG + lid;
        if (k * WG + lid < m) {
            number[k] = order[order_at + place[k]];
            key[k] = keys[keys_at + number[k]];
            ranks[number[k]] = (ushort)last_set(heads, place[k]);
            nexts[place[k]] = (ushort)next[next_at + place[k]];
        }
    }
    bool more = true;
    while (more) {
        // Share the words.
        UNROLL for (uint k = 0; k < ITEMS; k++) {
            key[k] = key[k] << 16 | place[k];
            if (k * WG + lid < m)
                words[place[k]] = key[k];
        }
        if (lid == 0)
            left = 0;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // order has been read

        // Count the smaller words of the group: the new place.
        uint first[ITEMS];
        UNROLL for (uint k = 0; k < ITEMS; k++) {
            if (k * WG + lid < m) {
                const uint end = next_set(heads, place[k]);
                first[k] = last_set(heads, place[k]);
                uint to = first[k];
                for (uint q = first[k]; q < end; q++)
                    to += words[q] < key[k];
                place[k] = to;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        // Scatter the words, and split the groups where keys differ.
        UNROLL for (uint k = 0; k < ITEMS; k++)
            if (k * WG + lid < m)
                words[place[k]] = key[k];
        barrier(CLK_LOCAL_MEM_FENCE);
        UNROLL for (uint k = 0; k < ITEMS; k++)
            if (k * WG + lid < m && place[k] > first[k] && !SAME_KEY(words[place[k] - 1], key[k]))
                set_bit(heads, place[k]);
        barrier(CLK_LOCAL_MEM_FENCE);

        // Rank.
        bool unsorted[ITEMS];
        UNROLL for (uint k = 0; k < ITEMS; k++) {
            unsorted[k] = false;
            if (k * WG + lid < m) {
                const uint rank = last_set(heads, place[k]);
                ranks[number[k]] = (ushort)rank;
                unsorted[k] = next_set(heads, place[k]) - rank > 1;
                if (unsorted[k])
                    atomic_or(&left, 1u);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        more = left != 0;

        // Double: the next key is the ranks along the chain, which goes on HOPS times as far.
        uint to[ITEMS];
        UNROLL for (uint k = 0; k < ITEMS; k++) {
            key[k] = 0;
            to[k] = 0;
            if (unsorted[k]) {
                to[k] = nexts[number[k]];
                for (uint h = 0; h < HOPS; h++) {
                    key[k] = key[k] << RANK_BITS | ranks[to[k]];
                    to[k] = nexts[to[k]];
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        UNROLL for (uint k = 0; k < ITEMS; k++)
            if (unsorted[k])
                nexts[number[k]] = (ushort)to[k];
    }

    // Store.
    UNROLL for (uint k = 0; k < ITEMS; k++)
        if (k * WG + lid < m)
            sorted[sorted_at + number[k]] = slots[slots_at + place[k]];
}
