// prefixes_count.cl: how many suffixes of a text of four letters, and of its reverse complement, begin with each
// sequence of letters: of as many letters as a table tells apart, or of fewer where what follows is no letter.
//
// packed and gaps are those of kmers.cl. Gaps have one more word, in which no character is a letter. prefixes.cl has
// the order of the sequences.
//
//   prefixes_count   counts the suffixes that begin in a part of the text
//
// Launch: work-groups of WG, one for each tile of WG*ITEMS words of 32 characters. No local memory. text.cl,
// kmers.cl and prefixes.cl are before this file in a program.

#ifndef ITEMS
#error "ITEMS: words of a work-item"
#endif

#define COUNTS_PARAMS TABLE_PARAMS, __global uint *counts, __global uint *carries
#define COUNTS_ARGS TABLE_ARGS, counts, carries

// Suffixes one after the other that begin with the same sequence, by its place, and are not counted yet.
typedef struct {
    ulong place;
    uint many;
} same_prefix;

inline void count_same(__global uint *counts, __global uint *carries, same_prefix of)
{
    if (of.many > 0 && of.place != NO_PLACE_IN_TABLE) {
        const uint before = atomic_add(&counts[of.place], of.many);
        if (before + of.many < before) {
            const uint slot = atomic_inc(&carries[0]);
            if (slot < MOST_CARRIES) {
                carries[1 + 2 * slot] = (uint)of.place;
                carries[2 + 2 * slot] = (uint)(of.place >> 32);
            }
        }
    }
}

// On CPUs what is to be counted waits for as many others, and its memory is asked for meanwhile: an atomic operation
// waits for memory, and all that follows for the operation.
#define WAITING 16

typedef struct {
#if IS_CPU
    same_prefix of[WAITING];
#endif
    uint turn;
} waiting_prefixes;

inline void count_soon(__global uint *counts, __global uint *carries, waiting_prefixes *waiting, same_prefix of)
{
#if IS_CPU
    if (of.place != NO_PLACE_IN_TABLE)
        PREFETCH(counts + of.place);
    const same_prefix next = waiting->of[waiting->turn];
    waiting->of[waiting->turn] = of;
    waiting->turn = (waiting->turn + 1) % WAITING;
    of = next;
#endif
    count_same(counts, carries, of);
}

// Adds a suffix that begins with `length` letters, the first in the high bits of a window. Runs of a letter would have
// all work-items wait for one count.
inline void add_prefix(COUNTS_PARAMS, waiting_prefixes *waiting, same_prefix *of, ulong window, uint length)
{
    if (length > 0) {
        const ulong place = place_in_table(TABLE_ARGS, length, window >> (64 - 2 * length));
        if (place != of->place) {
            count_soon(counts, carries, waiting, *of);
            of->place = place;
            of->many = 0;
        }
        of->many++;
    }
}

// Characters [from, end). Of the suffixes only those are counted whose distance from `last`, in both strands, is a
// multiple of `every`: last - i for that at i, i for that of the complement that begins at i.
KERNEL_WG(WG) prefixes_count(
    __global const ulong *packed, __global const uint *gaps, ulong from, ulong end, uint every, ulong last,
    COUNTS_PARAMS)
{
    const same_prefix none = {0, 0};
    same_prefix forward = none, backward = none;
    waiting_prefixes waiting;
    waiting.turn = 0;
#if IS_CPU
    for (uint k = 0; k < WAITING; k++)
        waiting.of[k] = none;
#endif
    const ulong words = (end + 31) / 32 - from / 32;
    FOR_TILE(x, WG * ITEMS, words) {
        const ulong w = from / 32 + x;
        const ulong after = gaps[w] | (ulong)gaps[w + 1] << 32;
        const ulong before = (w > 0 ? gaps[w - 1] : ~0u) | (ulong)gaps[w] << 32;
        for (uint c = 0; c < 32; c++) {
            const ulong i = 32 * w + c;
            const ulong ends = after >> c, ends_back = before << (31 - c);
            if (i < from || i >= end || (ends & 1) != 0)
                continue;
            if (every == 1 || (last - i) % every == 0) {
                const uint known = ends != 0 ? 63 - (uint)clz(ends & (0 - ends)) : 64;
                add_prefix(COUNTS_ARGS, &waiting, &forward, packed_window(packed, 2, i), min(letters, known));
            }
            if (every == 1 || i % every == 0) {
                const ulong window = i >= 31 ? packed_window(packed, 2, i - 31) : packed[0] >> (62 - 2 * i);
                const uint known = ends_back != 0 ? (uint)clz(ends_back) : 64;
                add_prefix(COUNTS_ARGS, &waiting, &backward, reversed(window), min(letters, known));
            }
        }
    }
    count_soon(counts, carries, &waiting, forward);
    count_soon(counts, carries, &waiting, backward);
#if IS_CPU
    for (uint k = 0; k < WAITING; k++)
        count_soon(counts, carries, &waiting, none);
#endif
}
