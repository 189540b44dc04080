// skew.cl: the steps of the skew algorithm (Karkkainen & Sanders 2003; on GPUs Deo &
// Keely 2013 and Wang, Baxter & Owens 2015, whose Figure 4 has the lines cited here).
//
// A step is chosen by a macro; those that have no kernel are template parameters for
// radixsort.cl, scan.cl, compact.cl and merge.cl. Names that macros declare end in _.
//
//   X      type of a symbol of the text: uchar, or uint where it is a rank from 1 on
//   BYTES  1 for uchar, 0 for uint
//   text   size symbols; after them is an end smaller than all
//   n0     number of suffixes in S0, and in S1: suffix `size`, the empty one, is in S1
//          where S1 would have fewer
//   m      number of suffixes in S12
//
// A suffix of S12 goes by its number j: 3j+1 is in S1 for j < n0, 3(j-n0)+2 in S2 for
// the rest. So S1 and then S2 are the text of the next level. A suffix of S0 goes by
// j too: it is 3j, and the one after it in the text is number j of S12.
//
//   order  numbers of suffixes in their order
//   ranks  of the suffixes of S12, by number, from 1 on: ISA_[12]
//   names  the same in the order of the suffixes
//
// Text, ranks and names are parts of buffers, since those of all levels share some: they begin
// at text_at, ranks_at and names_at of what kernels are given.
//
// Launch: work-groups of WG, one for each tile of WG*ITEMS elements; skew_small one.
// Local memory: WG words; skew_small 10*SMALL bytes and a word.

#ifndef X
#error "X: type of a symbol"
#endif
#ifndef BYTES
#error "BYTES: 1 if symbols are bytes, else 0"
#endif

#define POSITION(j) ((j) < n0 ? 3 * (j) + 1 : 3 * ((j) - n0) + 2)
#define SYMBOL(i) ((i) < size ? (uint)text[i] : 0u)
#define SYMBOL_OR_END(i) ((i) < size ? (uint)text[i] + BYTES : 0u)

#if defined(SK_SAMPLE) || defined(SK_KEYS)

// 32 bits of a triplet, those from first_bit on of three symbols of symbol_bits each, the
// end read as 0.
inline uint sk_key(__global const X *text, ulong size, ulong i, uint first_bit, uint symbol_bits)
{
    const uint head = SYMBOL(i), tail_bits = 2 * symbol_bits;
    if (first_bit >= tail_bits)
        return head >> (first_bit - tail_bits);
    // What is not needed may be in another line of the cache.
    const ulong tail = (ulong)SYMBOL(i + 1) << symbol_bits | (first_bit < symbol_bits ? SYMBOL(i + 2) : 0u);
    return (uint)(tail >> first_bit) | (tail_bits - first_bit < 32 ? head << (tail_bits - first_bit) : 0u);
}

#endif

#ifdef SK_SAMPLE

// Lines 2 to 5: suffixes of S12 by the lowest 32 bits of their triplets. They are taken
// from the end of the text to its start, so that the stable sort puts a suffix that ends
// within the triplet before those that go on with zeros.

// Number of pair p of m: the sample positions 1, 2, 4, 5, 7, ... from the last one on.
inline uint sk_from_end(uint p, uint m, uint n0)
{
    const uint q = m - 1 - p;
    return q / 2 + (q % 2 ? n0 : 0);
}

#define RADIX_PARAMS , __global const X *texts, ulong text_at, ulong size, uint n0, uint m, uint symbol_bits
#define RADIX_LOAD_KEY(p) sk_key(texts + text_at, size, POSITION((ulong)sk_from_end((uint)(p), m, n0)), 0, symbol_bits)
#define RADIX_LOAD_VALUE(p) sk_from_end((uint)(p), m, n0)

#endif

#ifdef SK_KEYS

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

// What further sorts sort by. Separate kernels, since a radix sort computes the keys
// of its first pass more than once, and these are gathered at random.

// Lines 2 to 5: the next 32 bits of the triplets.
KERNEL_WG(WG) skew_keys(
    __global const X *texts, ulong text_at, ulong size, uint n0, uint m, __global const uint *order, uint first_bit,
    uint symbol_bits, __global uint *keys)
{
    FOR_TILE(p, WG * ITEMS, m)
        keys[p] = sk_key(texts + text_at, size, POSITION((ulong)order[p]), first_bit, symbol_bits);
}

// Line 13 of Deo & Keely's: first symbols of suffixes of S0.
KERNEL_WG(WG) skew_first(
    __global const X *texts, ulong text_at, uint n0, __global const uint *order, __global uint *keys)
{
    FOR_TILE(p, WG * ITEMS, n0)
        keys[p] = texts[text_at + 3 * (ulong)order[p]];
}

#endif

#ifdef SK_HEADS

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

// Line 6: flags[p] = whether the triplet of suffix order[p] differs from that of the one
// before. *distinct += the number of flags that are set. keys are the triplets if
// `whole`, else their most significant bits.
DEFINE_WG_SCAN(wg_scan, uint, OP_ADD, 0u)

KERNEL_WG(WG) skew_heads(
    __global const X *texts, ulong text_at, ulong size, uint n0, uint m, __global const uint *keys, uint whole,
    __global const uint *order, __global uchar *flags, __global uint *distinct)
{
    __local uint tmp[WG];
    __global const X *text = texts + text_at;
    uint mine = 0;
    FOR_TILE(p, WG * ITEMS, m) {
        bool head = p == 0 || keys[p] != keys[p - 1];
        if (!head) {
            const ulong before = POSITION((ulong)order[p - 1]), i = POSITION((ulong)order[p]);
            head = before + 3 > size; // two that end are never equal
            if (!head && !whole)
                head = i + 3 > size || text[i] != text[before] || text[i + 1] != text[before + 1] ||
                       text[i + 2] != text[before + 2];
        }
        flags[p] = head;
        mine += head;
    }
    uint total;
    wg_scan(mine, tmp, &total);
    if (get_local_id(0) == 0)
        atomic_add(distinct, total);
}

#endif

#ifdef SK_RANK

// Line 7: the rank of a triplet is its number among the different ones or, with SLOTS,
// that of its first place in the order. Without an order, ranks are left in that of the
// suffixes.
#ifndef SLOTS
#error "SLOTS: 1 or 0"
#endif
#define T uint
#define IDENTITY 0u
#define SCAN_PARAMS , __global const uchar *flags, __global const uint *order, __global uint *ranks, ulong ranks_at
#define SCAN_STORE(p, before, value) ranks[ranks_at + (order ? order[p] : (uint)(p))] = value
#if SLOTS
#define OP OP_MAX
#define SCAN_LOAD(p) (flags[p] ? (uint)(p) + 1 : 0u)
#else
#define OP OP_ADD
#define SCAN_LOAD(p) ((uint)flags[p])
#endif

#endif

#ifdef SK_PARTITION

// Suffixes with their ranks: see skew_store_ranks.
#define RADIX_PARAMS , __global const uint *order, __global const uint *names, ulong names_at
#define RADIX_LOAD_KEY(p) order[p]
#define RADIX_LOAD_VALUE(p) (names ? names[names_at + (p)] : (uint)(p) + 1)

#endif

#ifdef SK_ORDER

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

// Lines 7 and 9: ranks, which are the names or, without names, places in the order, from
// 1 on.
KERNEL_WG(WG) skew_store_ranks(
    __global const uint *order, __global const uint *names, ulong names_at, uint m, __global uint *ranks,
    ulong ranks_at)
{
    FOR_TILE(p, WG * ITEMS, m)
        ranks[ranks_at + order[p]] = names ? names[names_at + p] : (uint)p + 1;
}

// Line 11 of Deo & Keely's: the order, from ranks that are all different.
KERNEL_WG(WG) skew_from_ranks(__global const uint *ranks, ulong ranks_at, uint m, __global uint *order)
{
    FOR_TILE(j, WG * ITEMS, m)
        order[ranks[ranks_at + j] - 1] = (uint)j;
}

#endif

#ifdef SK_S0

// Line 10: the suffixes of S1 in their order are those of S0 in the order of all but
// their first symbols, which are the keys of line 11.
#define COMPACT_PARAMS                                                                                  \
    , __global const X *texts, ulong text_at, uint n0, __global const uint *order, __global uint *keys, \
    __global uint *suffixes
#define COMPACT_ITEM uint
#define COMPACT_LOAD(p) order[p]
#define COMPACT_KEEP(p) (item < n0)
#define COMPACT_EMIT(p, to)                            \
    {                                                  \
        keys[to] = texts[text_at + 3 * (ulong)(item)]; \
        suffixes[to] = item;                           \
    }

#endif

#ifdef SK_SECOND

// Line 12 of Deo & Keely's: S0 by the ranks of S1.
#define RADIX_PARAMS , __global const uint *s1_ranks, ulong ranks_at
#define RADIX_LOAD_KEY(p) s1_ranks[ranks_at + (p)]
#define RADIX_LOAD_VALUE(p) ((uint)(p))

#endif

#ifdef SK_MERGE

// Line 12: S12, without the empty suffix, and S0. What decides between i of S0 and k of
// S12 is, for k in S1, (x[i], rank of i+1) and (x[k], rank of k+1), and for k in S2,
// (x[i], x[i+1], rank of i+2) and (x[k], x[k+1], rank of k+2). An element is therefore
//   of S0  x[i], x[i+1], rank of i+1, rank of i+2
//   of S1  x[k], NO_SYMBOL, rank of k+1, 0
//   of S2  x[k], x[k+1], rank of k+2, 0
#define E uint4
#define NO_SYMBOL 0xffffffffu

inline uint4 sk_of_s0(__global const X *text, ulong size, uint n0, uint m, __global const uint *ranks, uint j)
{
    const ulong i = 3 * (ulong)j;
    return (uint4)(SYMBOL_OR_END(i), SYMBOL_OR_END(i + 1), ranks[j], j < m - n0 ? ranks[n0 + j] : 0u);
}

inline uint4 sk_of_s12(__global const X *text, ulong size, uint n0, uint m, __global const uint *ranks, uint j)
{
    const ulong k = POSITION((ulong)j);
    const bool in_s1 = j < n0;
    const uint next = in_s1 ? n0 + j : j - n0 + 1, limit = in_s1 ? m : n0;
    return (uint4)(SYMBOL_OR_END(k), in_s1 ? NO_SYMBOL : SYMBOL_OR_END(k + 1), next < limit ? ranks[next] : 0u, 0u);
}

inline bool sk_less(uint4 s0, uint4 s12)
{
    if (s0.x != s12.x)
        return s0.x < s12.x;
    if (s12.y == NO_SYMBOL)
        return s0.z < s12.z;
    return s0.y != s12.y ? s0.y < s12.y : s0.w < s12.z;
}

#define MERGE_PARAMS                                                                                                   \
    , __global const X *texts, ulong text_at, ulong size, uint n0, uint m, __global const uint *ranks, ulong ranks_at, \
    __global const uint *sa12, uint skip, __global const uint *sa0, __global uint *sa
#define MERGE_LOAD_A(i) sk_of_s12(texts + text_at, size, n0, m, ranks + ranks_at, sa12[(i) + skip])
#define MERGE_LOAD_B(i) sk_of_s0(texts + text_at, size, n0, m, ranks + ranks_at, sa0[i])
#define MERGE_LESS(b, a) sk_less(b, a)
#define MERGE_FROM 1
#define MERGE_STORE(to, x, from_b, from)                                  \
    {                                                                     \
        const uint j_ = (from_b) ? sa0[from] : sa12[(from) + skip];       \
        sa[to] = (from_b) ? 3 * j_ : POSITION(j_);                        \
    }

#endif

#ifdef SK_SMALL

#ifndef SMALL
#error "SMALL: longest text of a work-group"
#endif

// Sorts the suffixes of a text of at most SMALL symbols, none of them above 65,534, by
// prefix doubling, as long as two agree. A rank is 1 more than the number of suffixes that
// are smaller. The pairs of ranks, with the suffix below them, are sorted by a bitonic
// network, all of whose comparators point upwards: what would be after the end stays
// there.
#define PAIR(word) ((word) & ~0xfffffffful)

KERNEL_WG(WG) skew_small(__global const X *texts, ulong text_at, uint size, __global uint *sa)
{
    __global const X *text = texts + text_at;
    __local ulong words[SMALL];
    __local ushort ranks[SMALL];
    __local uint agree; // the last round after which two did
    const uint lid = get_local_id(0);
    if (lid == 0)
        agree = 1;
    for (uint i = lid; i < size; i += WG)
        ranks[i] = (ushort)SYMBOL_OR_END(i);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint h = 1; h < 2 * size && agree == h; h *= 2) {
        for (uint i = lid; i < size; i += WG)
            words[i] = (ulong)((uint)ranks[i] << 16 | (i + h < size ? (uint)ranks[i + h] : 0u)) << 32 | i;
        for (uint run = 1; run < size; run *= 2) {
            for (uint d = run; d > 0; d /= 2) {
                barrier(CLK_LOCAL_MEM_FENCE);
                for (uint t = lid; t < (size + d) / 2; t += WG) {
                    const uint low = 2 * t - (t & (d - 1)), high = d == run ? low ^ (2 * d - 1) : low + d;
                    const ulong a = high < size ? words[low] : 0, b = high < size ? words[high] : 0;
                    if (a > b) {
                        words[low] = b;
                        words[high] = a;
                    }
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint p = lid; p < size; p += WG) {
            const ulong pair = PAIR(words[p]);
            uint smaller = 0, end = p; // their number is from one to the other
            while (smaller < end) {
                const uint middle = (smaller + end) / 2;
                if (words[middle] < pair)
                    smaller = middle + 1;
                else
                    end = middle;
            }
            ranks[(uint)words[p]] = (ushort)(smaller + 1);
            if (smaller < p)
                agree = 2 * h;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint p = lid; p < size; p += WG)
        sa[p] = (uint)words[p];
}

#endif
