// duplicates_classes.cl: classes of items, after duplicates.cl in a program.
//
//   duplicates_keys      the fingerprints of listed windows
//   duplicates_sizes     the number of items of listed classes
//   duplicates_compare   finds the classes that are mixed: those with different items. Items are the same if their
//                        contexts are, and their windows are at the same places of them
//   duplicates_settle    sets the bits of windows: of those that are duplicates, and of those in mixed classes
//   duplicates_like      settles the windows that are like a given one
//
// Launch: one work-group of WG for each TILE elements. Local memory: none.

#ifndef TILE
#error "TILE: elements of a work-group"
#endif

#define KEEP_NONE 0u  // all copies are duplicates
#define KEEP_FIRST 1u // all but the first
#define KEEP_OTHER 2u // those before `other`

// Whether an item is a duplicate.
inline bool removed(ulong first, bool is_first, uint keep, ulong other)
{
    return keep == KEEP_NONE || (keep == KEEP_FIRST && !is_first) || (keep == KEEP_OTHER && first < other);
}

// keys[x] = the fingerprint of the window that item x is.
KERNEL_WG(WG) duplicates_keys(
    __global const uchar *text, uint length, ulong seed, __global const ulong *items, ulong n, __global ulong *keys)
{
    FOR_TILE(x, TILE, n)
        keys[x] = fingerprint(text, item_first(items[x]) * SYMBOL_BYTES, (ulong)length * SYMBOL_BYTES, seed);
}

// found has pairs: the first gets the number of items of the class that begins there, the second the item.
KERNEL_WG(WG) duplicates_sizes(
    __global const ulong *keys, __global const ulong *items, ulong n, ulong mask, ulong pairs, __global ulong *found)
{
    FOR_TILE(x, TILE, pairs) {
        const ulong first = found[2 * x];
        found[2 * x + 1] = items[first];
        found[2 * x] = class_last(keys, mask, first, n) + 1 - first;
    }
}

// Bit c of mixed is set if item c is the first of a class that is wanted and mixed.
KERNEL_WG(WG) duplicates_compare(
    __global const uchar *text, ulong bytes, uint length, __global const ulong *keys, __global const ulong *items,
    ulong n, ulong mask, ulong least, ulong other, __global uint *mixed)
{
    FOR_TILE(i, TILE, n) {
        const ulong first = class_first(keys, mask, i), last = class_last(keys, mask, i, n);
        const ulong a = items[i], b = items[first];
        const bool asked = first != i && wanted(items, first, last, least, other);
        const bool like = ((a ^ b) & (((ulong)1 << ITEM_SHIFT) - 1)) == 0;
        const ulong context = asked && like ? ((ulong)length + item_more(a)) * SYMBOL_BYTES : 0;
        const ulong same = agree(
            text, bytes, item_first(a) * SYMBOL_BYTES, text, bytes, item_first(b) * SYMBOL_BYTES, 0, context);
        if (asked && (!like || same < context))
            atomic_or(&mixed[first / 32], 1u << first % 32);
    }
}

// flags: windows that are duplicates. open: windows to be looked at on their own; settled ones leave it if `leave`.
// count[0] goes up by one for each item of a mixed class.
KERNEL_WG(WG) duplicates_settle(
    __global const ulong *keys, __global const ulong *items, ulong n, ulong mask, ulong least, ulong other, uint keep,
    __global const uint *mixed, uint leave, __global uint *flags, __global uint *open, __global uint *count)
{
    FOR_TILE(i, TILE, n) {
        const ulong first = class_first(keys, mask, i), last = class_last(keys, mask, i, n), item = items[i];
        const bool asked = wanted(items, first, last, least, other), stays = asked && bit_at(mixed, first);
        const bool is = asked && !stays && removed(item_first(item), first == i, keep, other);
        if (stays)
            atomic_inc(count);
        if (leave && !stays)
            atomic_and(&open[item_first(item) / 32], ~(1u << item_first(item) % 32));
        set_bits(stays ? open : flags, item_first(item), is || (stays && !leave) ? item_more(item) + 1 : 0);
    }
}

// Settles the windows of the bitmap `open` that are like one of them, the first in the text; flagged says whether they
// are wanted. n windows.
KERNEL_WG(WG) duplicates_like(
    __global const uchar *text, ulong bytes, uint length, ulong seed, ulong fingerprint_wanted, ulong like, ulong n,
    uint flagged, uint keep, ulong other, __global uint *flags, __global uint *open)
{
    FOR_TILE(i, TILE, n) {
        const bool is = (load_relaxed(&open[i / 32]) >> i % 32 & 1) != 0;
        if (chosen(text, bytes, length, seed, fingerprint_wanted, fingerprint_wanted, like, i, is)) {
            if (flagged && removed(i, i == like, keep, other))
                atomic_or(&flags[i / 32], 1u << i % 32);
            atomic_and(&open[i / 32], ~(1u << i % 32));
        }
    }
}
