// ranges_small.cl: sorts the small groups of a list of suffixes. ranges.cl, before it in a program, describes the
// arrays, and ranges_lists.cl the lists.
//
// A group of at most MOST suffixes is sorted by insertion, in its slots of sa. Two suffixes are compared by windows, to
// the depth, and then by ranks of the sample, if there are any.
//
// Each work-item takes the places 2 y and 2 y + 1. At most one of them is the head of a group of several.
//
// Launch: one work-group of WG for each TILE pairs of places. No local memory.

#ifndef TILE
#error "TILE: pairs of a work-group"
#endif
#ifndef MOST
#error "MOST: suffixes of a group"
#endif

// Sorts the groups of 2 to MOST listed suffixes, which agree in `done` characters. all_heads, if not null, gets those
// that differ from the one before. slots may be null: then they are the places.
KERNEL_WG(WG) ranges_small(
    TEXT_PARAMS, COVER_PARAMS, __global const uint *sample_ranks, uint done, uint depth,
    __global const POS *suffixes, __global const uint *slots, __global const uint *heads, ulong listed,
    __global POS *sa, __global uint *all_heads)
{
    FOR_TILE(y, TILE, (listed + 1) / 2) {
        ulong x = 2 * y;
        uint before, many;
        group_around(heads, x, listed, &before, &many);
        if (many == 1 && x + 1 < listed) { // it is alone
            x++;
            group_around(heads, x, listed, &before, &many);
        }
        if (before == 0 && many >= 2 && many <= MOST) {
            const uint slot = slots != 0 ? slots[x] : (uint)x;
            uint sorted = 1, at = 0, d = done, differ = 0;
            ulong a = suffixes[x + 1], b = suffixes[x];
            sa[slot] = (POS)b;
            // Suffix a is compared with b, which is in place `at` of the sorted ones.
            while (sorted < many) {
                bool less = false, other = false, decided = true;
                if (d < depth) {
                    const ulong wa = window_at(TEXT_ARGS, a + d), wb = window_at(TEXT_ARGS, b + d);
                    less = wa < wb;
                    other = wa != wb;
                    d += chars;
                    decided = other || (d >= depth && sample_ranks == 0);
                } else if (sample_ranks != 0) {
                    less = less_by_ranks(COVER_ARGS, sample_ranks, a, b);
                    other = true;
                }
                if (decided) {
                    if (less)
                        sa[slot + at + 1] = (POS)b;
                    if (less && at > 0) {
                        at--;
                    } else {
                        const uint to = less ? 0 : at + 1, before_a = (1u << to) - 1;
                        const uint after_a = (differ & ~before_a) | (uint)(to < sorted) << to; // they are greater
                        sa[slot + to] = (POS)a;
                        differ = (differ & before_a) | (uint)other << to | after_a << 1;
                        sorted++;
                        at = sorted - 1;
                        a = sorted < many ? suffixes[x + sorted] : 0;
                    }
                    b = sa[slot + at];
                    d = done;
                }
            }
            if (all_heads != 0) {
                const ulong bits = (ulong)(differ & ~1u) << slot % 32;
                if ((uint)bits != 0)
                    atomic_or(&all_heads[slot / 32], (uint)bits);
                if (bits >> 32 != 0)
                    atomic_or(&all_heads[slot / 32 + 1], (uint)(bits >> 32));
            }
        }
    }
}
