// ranges_entries.cl: positions of suffixes as entries of a file. ranges.cl, before it in a program, describes
// positions. A macro chooses:
//
//   RANGES_ONLY   template for compact.cl: moves the positions that are kept
//   none          the kernel ranges_entries: packs positions
//
//   places   stretches of positions: where each of them begins, the first at 0; what is added in each; and of the
//            template, which are kept: those that are this modulo `every`, all if it is not less than that
//   inverse  2^64 / every, rounded up: the upper half of (inverse * i, cut to 64 bits) * every is i modulo every if the
//            product of both is below 2^64 (D. Lemire, O. Kaser & N. Kurz, Faster remainder by direct computation,
//            2019)
//
// Launch: one work-group of WG for each TILE words of entries. No local memory.

// The last stretch that begins at a position or before. All work-items go round equally often. A sign is the mask of
// each step: compilers for CPUs make a branch of a choice, which is guessed wrong half the time.
inline uint stretch_of(__global const ulong *places, uint stretches, ulong i)
{
    uint low = 0;
    for (uint many = stretches; many > 1;) { // it is one of so many from `low` on
        const uint part = many / 2;
        low += part & (uint)((long)(places[low + part] - (i + 1)) >> 63);
        many -= part;
    }
    return low;
}

#ifdef RANGES_ONLY

inline bool is_kept(__global const ulong *places, uint stretches, ulong every, ulong inverse, ulong i)
{
    const ulong only = places[2 * stretches + stretch_of(places, stretches, i)];
    return only >= every || mul_hi(inverse * i, every) == only;
}

#define COMPACT_PARAMS \
    , __global const POS *sa, ulong first, __global const ulong *places, uint stretches, ulong every, \
        ulong inverse, __global POS *some
#define COMPACT_ITEM POS
#define COMPACT_LOAD(i) sa[first + (i)]
#define COMPACT_KEEP(i) is_kept(places, stretches, every, inverse, POSITION(item))
#define COMPACT_EMIT(i, to) some[to] = item
#define COMPACT_BY_ITEM

#else

#ifndef TILE
#error "TILE: words of a work-group"
#endif

inline ulong placed(__global const ulong *places, uint stretches, ulong i)
{
    return stretches > 0 ? i + places[stretches + stretch_of(places, stretches, i)] : i;
}

#if IS_CPU

// Bits that are packed from the first word on.
typedef struct {
    ulong held;
    uint bits; // how many of these are not written, less than 32
    ulong at, end; // words
} packed_bits;

inline void pack_on(packed_bits *p, ulong value, uint bits, __global uint *entries)
{
    p->held |= (value & ((1ul << bits) - 1)) << p->bits;
    p->bits += bits;
    if (p->bits >= 32 && p->at < p->end)
        entries[p->at++] = (uint)p->held;
    if (p->bits >= 32) {
        p->held >>= 32;
        p->bits -= 32;
    }
}

#endif

// entries = the n suffixes from `first` on, so many bits each, the first in the lowest ones. On CPUs a work-item takes
// 32 suffixes, which are whole words, and looks at each once.
KERNEL_WG(WG) ranges_entries(
    __global const POS *sa, ulong first, ulong n, uint bits, __global const ulong *places, uint stretches,
    __global uint *entries)
{
#if IS_CPU
    const ulong groups = (n + 31) / 32, each = (groups + get_num_groups(0) - 1) / get_num_groups(0);
    for (ulong g = get_group_id(0) * each + get_local_id(0); g < min((get_group_id(0) + 1) * each, groups); g += WG) {
        packed_bits p = {0, 0, g * bits, (bits * n + 31) / 32};
        for (ulong x = 32 * g; x < 32 * g + 32; x++) {
            const ulong value = x < n ? placed(places, stretches, POSITION(sa[first + x])) : 0;
            pack_on(&p, value, min(bits, 32u), entries);
            if (bits > 32)
                pack_on(&p, value >> 32, bits - 32, entries);
        }
    }
#else
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
#endif
}

#endif
