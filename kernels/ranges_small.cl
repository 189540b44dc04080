// ranges_small.cl: sorts the small groups of a list of suffixes. ranges.cl, before it in a program, describes the
// arrays, and ranges_lists.cl the lists.
//
// A group of at most MOST suffixes is sorted by insertion, in its slots of sa. Two suffixes are compared by windows up
// to where both are in the sample, and then by its ranks; to the depth, if there are no ranks.
//
// A work-group first lists its groups. Then each work-item takes one after the other, since they differ in the work
// that they are. Of the places 2 y and 2 y + 1 at most one is the head of a group of several.
//
// Launch: one work-group of WG for each TILE pairs of places. Local memory: 4 TILE + 8 bytes.

#ifndef TILE
#error "TILE: pairs of a work-group"
#endif
#ifndef MOST
#error "MOST: suffixes of a group"
#endif

// The window of the suffix at i, which may be the end, and the one that follows.
inline ulong2 windows_at(TEXT_PARAMS, ulong i)
{
    ulong2 windows = (ulong2)(0, 0);
    if (i < size) {
        const ulong left = size - i, at = i * width;
        const uint down = 64 - chars * width, shift = (uint)(at % 64), next = shift + chars * width;
        const ulong a = packed[at / 64], b = packed[at / 64 + 1], c = packed[at / 64 + 2];
        const ulong from = next < 64 ? a : b, to = next < 64 ? b : c;
        windows.x = (a << shift | b >> 1 >> (63 - shift)) >> down << count_bits | min(left, (ulong)chars);
        if (left > chars)
            windows.y = (from << next % 64 | to >> 1 >> (63 - next % 64)) >> down << count_bits |
                        min(left - chars, (ulong)chars);
    }
    return windows;
}

// The number of the sample that is `offset` characters after i, a multiple of the period and a residue.
inline ulong sample_after(COVER_PARAMS, ulong multiple, uint residue, uint offset)
{
    const uint r = residue + offset, over = r >= period ? 1 : 0;
    return (multiple + over) * residues + cover[period + r - (over ? period : 0)];
}

// Sorts the groups of 2 to MOST listed suffixes, which agree in `done` characters; if counted is less than 64, in as
// many more as the bits of their windows from that one on say. all_heads, if not null, gets those that differ from the
// one before. slots may be null: then they are the places.
KERNEL_WG(WG) ranges_small(
    TEXT_PARAMS, COVER_PARAMS, __global const uint *sample_ranks, uint done, uint counted, uint depth,
    __global const ulong *windows, __global const POS *suffixes, __global const uint *slots,
    __global const uint *heads, ulong listed, __global POS *sa, __global uint *all_heads)
{
    __local uint groups[TILE], found, taken;
    if (get_local_id(0) == 0) {
        found = 0;
        taken = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong base = 2 * (ulong)get_group_id(0) * TILE;
    FOR_TILE(y, TILE, (listed + 1) / 2) {
        ulong x = 2 * y;
        uint before, many;
        group_around(heads, x, listed, &before, &many);
        if (many == 1 && x + 1 < listed) { // it is alone
            x++;
            group_around(heads, x, listed, &before, &many);
        }
        if (before == 0 && many >= 2 && many <= MOST)
            groups[atomic_inc(&found)] = (uint)(x - base) << 5 | many;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint all = found;
    // Suffix a is compared with b, which is in place `at` of the sorted ones, from character d to `end`.
    // Exact for positions below 2^36. Of ULONG_MAX / period LLVM, up to 19, computes 32 bits for AMD GPUs.
    const ulong inverse = (1ul << 63) / period + 1;
    ulong x = 0, a = 0, b = 0, ma = 0, mb = 0;    // multiples of the period
    uint many = 0, slot = 0, sorted = 0, at = 0, start = 0, d = 0, near = 0, end = 0, differ = 0, ra = 0, rb = 0;
    bool begins = false;
    for (bool more = true; more;) {
        if (sorted == many) { // the next group
            const uint next = atomic_inc(&taken);
            more = next < all;
            if (more) {
                x = base + (groups[next] >> 5);
                many = groups[next] & 31;
                slot = slots != 0 ? slots[x] : (uint)x;
                start = done + (counted < 64 ? (uint)(windows[x] >> counted) : 0u);
                a = suffixes[x + 1];
                b = suffixes[x];
                sa[slot] = (POS)b;
                sorted = 1;
                at = 0;
                differ = 0;
                begins = true;
            }
        }
        if (more) {
            if (begins) {
                d = start;
                near = start + 4 * chars;
                end = depth;
                if (sample_ranks != 0) {
                    ma = mul_hi(2 * POSITION(a), inverse);
                    mb = mul_hi(2 * POSITION(b), inverse);
                    ra = (uint)(POSITION(a) - ma * period);
                    rb = (uint)(POSITION(b) - mb * period);
                    const uint from = cover[rb >= ra ? rb - ra : rb + period - ra];
                    end = (from >= ra ? from - ra : from + period - ra) + 1; // so both reach the sample
                }
                begins = false;
            }
            bool less = false, other = false, decided = true;
            if (d < end && d >= near && sample_ranks != 0 &&
                agree_far(TEXT_ARGS, POSITION(a) + d, POSITION(b) + d)) {
                d += 64 * FAR_WORDS / width;
                decided = false;
            } else if (d < end) {
                near = d >= near ? end : near; // they differ soon
                const ulong2 wa = windows_at(TEXT_ARGS, POSITION(a) + d), wb = windows_at(TEXT_ARGS, POSITION(b) + d);
                const bool first = wa.x != wb.x || d + chars >= end; // the others do not count
                less = first ? wa.x < wb.x : wa.y < wb.y;
                other = first ? wa.x != wb.x : wa.y != wb.y;
                d += first ? chars : 2 * chars;
                decided = other || (d >= end && sample_ranks == 0);
            } else if (sample_ranks != 0) {
                less = sample_ranks[sample_after(COVER_ARGS, ma, ra, end - 1)] <
                       sample_ranks[sample_after(COVER_ARGS, mb, rb, end - 1)];
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
                    at = sorted++;
                    a = sorted < many ? suffixes[x + sorted] : 0;
                }
                b = sa[slot + at];
                begins = true;
            }
            if (sorted == many && all_heads != 0) {
                const ulong bits = (ulong)(differ & ~1u) << slot % 32;
                if ((uint)bits != 0)
                    atomic_or(&all_heads[slot / 32], (uint)bits);
                if (bits >> 32 != 0)
                    atomic_or(&all_heads[slot / 32 + 1], (uint)(bits >> 32));
            }
        }
    }
}
