// duplicates.cl: windows of a text that occur several times. It has what the files after it in a program share, and the
// templates of the compaction, which a macro chooses:
//
//   DUPLICATES_WINDOWS    the windows of a bitmap
//   DUPLICATES_RUNS       where runs of a bitmap begin or end
//   DUPLICATES_FREQUENT   classes with many items
//   DUPLICATES_CANDIDATES items that are not alone in their class
//
// A window is `length` symbols of SYMBOL_BYTES. The window that begins at symbol p is called p. A text has bytes in
// whole words of 8, and at least a word after them.
//
// An item stands for successive windows: its word has the first of them in the bits from ITEM_SHIFT on, then how far
// after it the anchor is (duplicates_select.cl), then how many windows there are after the first. Its context is all
// symbols of its windows.
//
// A class is a run of equal keys, in their low bits, in a sorted list of items. Its items are in the order of the text.
//
// Launch and local memory: those of compact.cl.

#ifndef SYMBOL_BYTES
#error "SYMBOL_BYTES: 1, 2 or 4"
#endif

#define PLACE_BITS 10
#define ITEM_SHIFT (2 * PLACE_BITS)
#define PLACE_MASK ((1u << PLACE_BITS) - 1)

inline ulong item_first(ulong item) { return item >> ITEM_SHIFT; }
inline uint item_anchor(ulong item) { return (uint)(item >> PLACE_BITS) & PLACE_MASK; }
inline uint item_more(ulong item) { return (uint)item & PLACE_MASK; }

inline ulong mix(ulong x)
{
    x *= 0x9e3779b97f4a7c15ul;
    return x ^ x >> 32;
}

// The low `bytes` bytes.
inline ulong low_bytes(ulong bytes) { return ~0ul >> (64 - 8 * bytes); }

// The fingerprint of bytes from byte i on.
inline ulong fingerprint(__global const uchar *text, ulong i, ulong bytes, ulong seed)
{
    ulong h = seed ^ bytes, k = 0;
    for (; k + 8 <= bytes; k += 8)
        h = mix(h ^ word_at(text, i + k));
    if (k < bytes)
        h = mix(h ^ (word_at(text, i + k) & low_bytes(bytes - k)));
    return mix(h * 0xff51afd7ed558ccdul);
}

inline bool bit_at(__global const uint *bits, ulong i) { return (bits[i / 32] >> i % 32 & 1) != 0; }

// Sets `count` bits from bit `from` on; none where count is 0. A loop in a branch might lose work-items on NVIDIA.
inline void set_bits(__global uint *bits, ulong from, ulong count)
{
    const ulong end = from + count;
    for (ulong at = from; at < end; at = (at / 32 + 1) * 32) {
        const uint left = (uint)min(end - at, 32 - at % 32);
        atomic_or(&bits[at / 32], (~0u >> (32 - left)) << at % 32);
    }
}

// The first and the last item of the class of item i, of n.
inline ulong class_first(__global const ulong *keys, ulong mask, ulong i)
{
    const ulong key = keys[i] & mask;
    ulong step = 1;
    for (; step <= i && (keys[i - step] & mask) == key; step *= 2)
        i -= step;
    for (step /= 2; step > 0; step /= 2)
        if (step <= i && (keys[i - step] & mask) == key)
            i -= step;
    return i;
}

inline ulong class_last(__global const ulong *keys, ulong mask, ulong i, ulong n)
{
    const ulong key = keys[i] & mask;
    ulong step = 1;
    for (; i + step < n && (keys[i + step] & mask) == key; step *= 2)
        i += step;
    for (step /= 2; step > 0; step /= 2)
        if (i + step < n && (keys[i + step] & mask) == key)
            i += step;
    return i;
}

// What is wanted: classes of at least `least` items; if `other` is not 0, with items on both sides of it.
inline bool wanted(__global const ulong *items, ulong first, ulong last, ulong least, ulong other)
{
    return last - first + 1 >= least &&
           (other == 0 || (item_first(items[first]) < other && item_first(items[last]) >= other));
}

#if defined(DUPLICATES_WINDOWS) || defined(TILE)

// Whether a window p of the bitmap, or none if !open, has a fingerprint in [low, high], and is like window `like`, if
// that is not ~0.
inline bool chosen(
    __global const uchar *text, ulong bytes, uint length, ulong seed, ulong low, ulong high, ulong like, ulong p,
    bool open)
{
    const ulong m = (ulong)length * SYMBOL_BYTES;
    const ulong f = fingerprint(text, p * SYMBOL_BYTES, open && (low != 0 || high != ~0ul) ? m : 0, seed);
    const bool in = open && ((low == 0 && high == ~0ul) || (f >= low && f <= high));
    const ulong end = in && like != ~0ul ? m : 0;
    return agree(text, bytes, p * SYMBOL_BYTES, text, bytes, (end > 0 ? like : p) * SYMBOL_BYTES, 0, end) == end && in;
}

#endif

#ifdef DUPLICATES_WINDOWS

// Windows of the bitmap. The first `capacity` of those kept are written, if items is not null.
#define COMPACT_PARAMS                                                                                        \
    , __global const uint *bits, __global const uchar *text, ulong bytes, uint length, ulong seed, ulong low, \
        ulong high, ulong like, ulong capacity, __global ulong *items
#define COMPACT_KEEP(i) chosen(text, bytes, length, seed, low, high, like, i, bit_at(bits, i))
#define COMPACT_EMIT(i, to)                    \
    {                                          \
        if (items != 0 && (to) < capacity)     \
            items[to] = (i) << ITEM_SHIFT;     \
    }

#endif

#ifdef DUPLICATES_RUNS

// Bits from `from` on, of n. places gets where runs begin; with `ends`, where they end.
#define COMPACT_PARAMS , __global const uint *bits, ulong from, uint ends, __global ulong *places
#define COMPACT_KEEP(i)                                                                                   \
    (bit_at(bits, from + (i)) &&                                                                          \
     (ends ? !bit_at(bits, from + (i) + 1) : from + (i) == 0 || !bit_at(bits, from + (i) - 1)))
#define COMPACT_EMIT(i, to) places[to] = from + (i)

#endif

#ifdef DUPLICATES_FREQUENT

// Items that are the first of classes that are wanted and not mixed. The places of the first `capacity` are written.
inline bool frequent(
    __global const ulong *keys, __global const ulong *items, ulong listed, ulong mask, ulong least, ulong other,
    __global const uint *mixed, ulong i)
{
    const ulong last = class_last(keys, mask, i, listed);
    const bool first = i == 0 || ((keys[i] ^ keys[i - 1]) & mask) != 0;
    return first && !bit_at(mixed, i) && wanted(items, i, last, least, other);
}

#define COMPACT_PARAMS                                                                                     \
    , __global const ulong *keys, __global const ulong *items, ulong listed, ulong mask, ulong least,      \
        ulong other, __global const uint *mixed, ulong capacity, __global ulong *found
#define COMPACT_KEEP(i) frequent(keys, items, listed, mask, least, other, mixed, i)
#define COMPACT_EMIT(i, to)         \
    {                               \
        if ((to) < capacity)        \
            found[2 * (to)] = (i);  \
    }

#endif

#ifdef DUPLICATES_CANDIDATES

// Items of classes that are wanted.
#define COMPACT_PARAMS                                                                                    \
    , __global const ulong *keys, __global const ulong *items, ulong listed, ulong mask, ulong least,     \
        ulong other, __global ulong *kept_keys, __global ulong *kept_items
#define COMPACT_KEEP(i)                                                                                   \
    wanted(items, class_first(keys, mask, i), class_last(keys, mask, i, listed), least, other)
#define COMPACT_EMIT(i, to)             \
    {                                   \
        kept_keys[to] = keys[i] & mask; \
        kept_items[to] = items[i];      \
    }

#endif
