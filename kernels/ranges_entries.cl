// ranges_entries.cl: positions of suffixes as entries of a file. ranges.cl, before it in a program, describes
// positions. A macro chooses:
//
//   RANGES_ONLY   template for compact.cl: moves the positions that are kept
//   none          the kernel ranges_entries: packs positions
//
//   places   stretches of positions: where each of them begins, the first at 0; what is added in each; and of the
//            template, which are kept: those that are this modulo `every`, all if it is not less than that
//
// Launch: one work-group of WG for each TILE words of entries. No local memory.

// The stretch of a position, of those before `stretches`.
inline uint stretch_of(__global const ulong *places, uint stretches, ulong i)
{
    uint low = 0, high = stretches; // the last stretch that begins at i or before is in [low, high)
    while (high - low > 1) {
        const uint middle = low + (high - low) / 2;
        if (places[middle] <= i)
            low = middle;
        else
            high = middle;
    }
    return low;
}

#ifdef RANGES_ONLY

inline bool is_kept(__global const ulong *places, uint stretches, ulong every, ulong i)
{
    const ulong only = places[2 * stretches + stretch_of(places, stretches, i)];
    return only >= every || i % every == only;
}

#define COMPACT_PARAMS \
    , __global const POS *sa, ulong first, __global const ulong *places, uint stretches, ulong every, __global POS *to
#define COMPACT_ITEM POS
#define COMPACT_LOAD(i) sa[first + (i)]
#define COMPACT_KEEP(i) is_kept(places, stretches, every, POSITION(item))
#define COMPACT_EMIT(i, at) to[at] = item
#define COMPACT_BY_ITEM

#else

#ifndef TILE
#error "TILE: words of a work-group"
#endif

inline ulong placed(__global const ulong *places, uint stretches, ulong i)
{
    return stretches > 0 ? i + places[stretches + stretch_of(places, stretches, i)] : i;
}

// entries = the n suffixes from `first` on, so many bits each, the first in the lowest ones.
KERNEL_WG(WG) ranges_entries(
    __global const POS *sa, ulong first, ulong n, uint bits, __global const ulong *places, uint stretches,
    __global uint *entries)
{
    FOR_TILE(w, TILE, (bits * n + 31) / 32) {
        ulong x = 32 * w / bits;
        const uint before = (uint)(32 * w % bits); // of its bits
        ulong word = placed(places, stretches, POSITION(sa[first + x])) >> before;
        for (uint have = bits - before; have < 32 && x + 1 < n; have += bits) {
            x++;
            word |= placed(places, stretches, POSITION(sa[first + x])) << have;
        }
        entries[w] = (uint)word;
    }
}

#endif
