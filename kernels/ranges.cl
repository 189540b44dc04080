// ranges.cl: suffixes of packed text by ranges of the suffix array. It has the functions that compare suffixes, for
// the other ranges_*.cl after it in a program, and the templates, which a macro chooses:
//
//   RANGES_KEEP      compaction: the listed suffixes that are in groups of more than so many
//   RANGES_STARTS    scan: where the group of each listed suffix starts
//   RANGES_RUNS      scan: the runs of a list
//   RANGES_NAMES     scan: names of the sample
//
// A text has `size` characters of `width` bits, packed from the top bit of each word; two words of zeros follow.
// The window of a suffix is a word: the codes of its first `chars` characters, zeros after the end, and below them how
// many characters the text has there, in `count_bits` bits. So windows compare as the suffixes do, and of two suffixes
// that agree in windows neither has ended.
//
// The sample has the positions whose residue by `period` is in a difference cover of `residues` residues, least first,
// the first of them 0. cover has the residue x for each difference d, x and x + d being in the cover; then the class of
// each residue, its number in the cover; then the residues. Samples are numbered in the order of the text.
// sample_ranks has the rank of each sample among the sample's suffixes.
//
// Launch and local memory: those of compact.cl and scan.cl.

// A listed suffix is its position. With 64 bits it may have the code of the character before it as well, from bit TAG
// on: so that character moves with it, and need not be fetched.

#ifndef POS
#error "POS: uint or ulong, a position"
#endif
#ifndef TAG
#error "TAG: the bits of a position in POS; 32 if all of them are"
#endif
#define POSITION(suffix) (TAG == 32 ? (ulong)(suffix) : (ulong)(suffix) & ((1ul << TAG) - 1))

#define TEXT_PARAMS __global const ulong *packed, ulong size, uint width, uint chars, uint count_bits
#define TEXT_ARGS packed, size, width, chars, count_bits
#define COVER_PARAMS __global const ushort *cover, uint period, uint residues
#define COVER_ARGS cover, period, residues

// The window of the suffix at i, which may be the end.
inline ulong window_at(TEXT_PARAMS, ulong i)
{
    ulong window = 0;
    if (i < size) {
        const ulong left = size - i;
        window = packed_window(packed, width, i) >> (64 - chars * width) << count_bits | min(left, (ulong)chars);
    }
    return window;
}

// The position of sample x.
inline ulong sampled(COVER_PARAMS, ulong x)
{
    return (POS)x / residues * (ulong)period + cover[2 * period + (uint)((POS)x % residues)];
}

// The number of the sample at i.
inline ulong sample_at(COVER_PARAMS, ulong i)
{
    return (POS)i / period * (ulong)residues + cover[period + (uint)((POS)i % period)];
}

// Where sample x is in the text of names: classes one after the other, each in the order of the text.
inline ulong name_place(COVER_PARAMS, ulong samples, ulong x)
{
    const POS class = (POS)x % residues, full = (POS)samples / residues, more = (POS)samples % residues;
    return class * full + min(class, more) + (POS)x / residues;
}

// How many characters after i and j both are in the sample: less than the period.
inline uint sampled_after(COVER_PARAMS, ulong i, ulong j)
{
    const uint ri = (uint)((POS)i % period), rj = (uint)((POS)j % period);
    const uint from = cover[rj >= ri ? rj - ri : rj + period - ri];
    return from >= ri ? from - ri : from + period - ri;
}

// Whether suffix i is less than suffix j, by ranks of the sample: they agree in a period.
inline bool less_by_ranks(COVER_PARAMS, __global const uint *sample_ranks, ulong i, ulong j)
{
    const uint offset = sampled_after(COVER_ARGS, i, j);
    return sample_ranks[sample_at(COVER_ARGS, i + offset)] < sample_ranks[sample_at(COVER_ARGS, j + offset)];
}

// Whether suffixes i and j, which have not ended, agree in the next 64 FAR_WORDS bits; false near the end of the text.
// Loads do not wait for each other, as those of windows do that are compared one after the other.
#define FAR_WORDS 8
inline bool agree_far(TEXT_PARAMS, ulong i, ulong j)
{
    if (max(i, j) + 64 * FAR_WORDS > size)
        return false;
    const uint s = (uint)(i * width % 64), t = (uint)(j * width % 64);
    __global const ulong *p = packed + i * width / 64, *q = packed + j * width / 64;
    ulong a = p[0], b = q[0], differ = 0;
    UNROLL for (uint k = 1; k <= FAR_WORDS; k++) {
        const ulong c = p[k], d = q[k];
        differ |= (a << s | c >> 1 >> (63 - s)) ^ (b << t | d >> 1 >> (63 - t));
        a = c;
        b = d;
    }
    return differ == 0;
}

// Compares suffix i with suffix j, whose first windows are given: -1, 0, 1. Without sample_ranks, up to `depth`.
inline int compare_suffixes(
    TEXT_PARAMS, COVER_PARAMS, __global const uint *sample_ranks, uint depth, ulong i, ulong first_i, ulong j,
    ulong first_j)
{
    ulong a = first_i, b = first_j;
    for (uint d = chars; a == b && d < depth && i != j; d += chars) {
        a = window_at(TEXT_ARGS, i + d);
        b = window_at(TEXT_ARGS, j + d);
    }
    int order = a < b ? -1 : a > b ? 1 : 0;
    if (order == 0 && sample_ranks != 0 && i != j)
        order = less_by_ranks(COVER_ARGS, sample_ranks, i, j) ? -1 : 1;
    return order;
}

// Bit x of a bitmap of n places; places 0 and n are heads.
inline bool head_at(__global const uint *heads, ulong x, ulong n)
{
    return x == 0 || x >= n || (heads[x / 32] >> x % 32 & 1) != 0;
}

// The group that place x of n is in: `before` of its places are before x, and it ends `after` places further. Either is
// 32 if it is not within 16.
inline void group_around(__global const uint *heads, ulong x, ulong n, uint *before, uint *after)
{
    const ulong from = x - min(x, 16ul), word = from / 32, left = n - from;
    const uint at = (uint)(x - from);
    ulong bits = heads[word];
    if (32 * word + 32 < n)
        bits |= (ulong)heads[word + 1] << 32;
    bits >>= from % 32;
    if (left <= 32)
        bits |= 1ul << left;
    if (from == 0)
        bits |= 1;
    const ulong to_x = bits & ((2ul << at) - 1), after_x = bits >> at >> 1 & 0xffff;
    *before = to_x != 0 ? at + (uint)clz(to_x) - 63 : 32u;
    *after = after_x != 0 ? 64 - (uint)clz(after_x & (0 - after_x)) : 32u;
}

// How many places the group of place x has, or more than 16.
inline uint group_size(__global const uint *heads, ulong x, ulong n)
{
    uint before, after;
    group_around(heads, x, n, &before, &after);
    return before + after;
}

#ifdef RANGES_KEEP

// Elements are n listed suffixes. Those in groups of more than `most` are kept, most being 1 to 16. slots may be null:
// then they are the places in the list. kept_heads is 0 before.
#define COMPACT_PARAMS                                                                                              \
    , __global const uint *heads, ulong listed, uint most, __global const POS *suffixes,                            \
        __global const uint *slots, __global POS *kept_suffixes, __global uint *kept_slots, __global uint *kept_heads
#define COMPACT_KEEP(i) (group_size(heads, i, listed) > most)
#define COMPACT_EMIT(i, to)                                            \
    {                                                                  \
        kept_suffixes[to] = suffixes[i];                               \
        kept_slots[to] = slots != 0 ? slots[i] : (uint)(i);            \
        if (head_at(heads, i, listed))                                 \
            atomic_or(&kept_heads[(to) / 32], 1u << (to) % 32);        \
    }

#endif

#ifdef RANGES_STARTS

// starts[x] = the first place of the group of place x.
#define T uint
#define OP OP_MAX
#define IDENTITY 0u
#define SCAN_PARAMS , __global const uint *heads, ulong listed, __global uint *starts
#define SCAN_LOAD(i) (head_at(heads, i, listed) ? (uint)(i) : 0u)
#define SCAN_STORE(i, before, value) starts[i] = value

#endif

#ifdef RANGES_RUNS

// runs[i] = the number of the run of place i, and runs[listed + r] the first place of run r. A run begins with each
// group, and where the upper half of the window differs.
#define T uint
#define OP OP_ADD
#define IDENTITY 0u
#define SCAN_PARAMS , __global const uint *heads, ulong listed, __global const ulong *windows, __global uint *runs
#define SCAN_LOAD(i) (head_at(heads, i, listed) || (windows[i] ^ windows[(i) - 1]) >> 32 != 0 ? 1u : 0u)
#define SCAN_STORE(i, before, value)                                                                                \
    {                                                                                                               \
        runs[i] = (value) - 1;                                                                                      \
        if ((value) != (before))                                                                                    \
            runs[listed + (before)] = (uint)(i);                                                                    \
    }

#endif

#ifdef RANGES_NAMES

// Names the n sorted samples of a range, from named + 1 on; a head begins a new name. counts[counter] = how many names
// there are.
#define T uint
#define OP OP_ADD
#define IDENTITY 0u
#define SCAN_PARAMS                                                                                                 \
    , __global const uint *heads, ulong listed, __global const POS *suffixes, COVER_PARAMS, ulong samples,          \
        uint named, __global uint *names, __global uint *counts, uint counter
#define SCAN_LOAD(i) (head_at(heads, i, listed) ? 1u : 0u)
#define SCAN_STORE(i, before, value)                                                                                \
    {                                                                                                               \
        names[name_place(COVER_ARGS, samples, sample_at(COVER_ARGS, suffixes[i]))] = named + (value);               \
        if ((i) + 1 == listed)                                                                                      \
            counts[counter] = value;                                                                                \
    }

#endif
