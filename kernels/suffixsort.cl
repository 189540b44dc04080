// suffixsort.cl: what the kernels of package suffixsort share. The package sorts suffixes by windows of coded text. It
// extends the windows of groups that agree, and doubles the ends of chains of the groups that remain. This is the first
// part of its programs, after heads.cl:
//
//   suffixsort_text.cl     the text before the sort, and its transform after it
//   suffixsort_windows.cl  windows, and the kernels around the first sort; needs text.cl
//   suffixsort_samples.cl  samples, and the order of all suffixes from that of samples
//   suffixsort_lists.cl    rounds of large groups, which are listed; ranks
//   suffixsort_keys.cl     what a round sorts by, where it needs no lists
//   suffixsort_tile.cl     which small groups a work-group sorts
//   suffixsort_groups.cl   a round of small groups
//   suffixsort_middle.cl   a round of large groups
//   suffixsort_chains.cl   chains of groups, and the representatives at their ends
//   suffixsort_single.cl   all rounds of representatives that one work-group has room for
//
// A macro chooses the program:
//
//   SUFFIXSORT_MAP     kernels that treat every element on its own: one work-group of WG for each WG*ITEMS elements, a
//                      multiple of 32; where the elements are some of the slots, for each `span` slots
//   SUFFIXSORT_FIRST   the kernels around the first sort, of all suffixes or, with SUFFIXSORT_SAMPLES, of samples
//   SUFFIXSORT_GROUPS  kernels that sort groups by keys they make
//
// The others are template parameters of radixsort.cl and scan.cl.
//
// A window of a suffix is the next bits of its code. The first sort sorts pairs of words:
//
//   hi  the first 32 bits, or fewer if it sorts by fewer, in the low bits
//   lo  the suffix, in as many bits as the length takes. Above it, if wanted, two bits for the symbol before the
//       suffix. In the top bits the rest of what the sort is by
//
// A later window is a ulong: 56 bits of code from bit 8 on, and in the low 8 bits the number of whole symbols in them.
// Zeros follow the end of the text. Of suffixes that agree the later one is smaller if its window reaches the end. All
// sorts are stable and start from the last suffix, so that one comes first, and is final.
//
//   table      for each byte its code in the top 16 bits and the code's length below. Entry 256 is that of the least
//              symbol, whose code is zeros. DECODED entries of ushort follow, see suffixsort_heads
//   packed     the text in symbols of `width` (1, 2 or 4) bits, the first in the top bits of a word, and a word of
//              zeros at the end. width is 0 where codes differ in length
//   sa         the suffixes in order, each in its slot
//   groups     bitmap of the slots where groups begin
//   lasts      for each word of groups 1 + the last slot before it where a group begins. Null on GPUs where groups are
//              short
//   depths     how many symbols a group is sorted by, at most MAX_DEPTH. A group in slots s, s + 1, ... has its depth
//              under s/2, (s + 1)/2, ..., but for the last of them, which the next group may have. A depth that is too
//              small costs time, not correctness. In packed text all groups have the depth `uniform`, which is 0 in
//              others
//   classes    for each word of groups two words: the slots in small and in large groups of several suffixes
//   starts     how many of either are before the word
//   suffixes   the listed suffixes, of large groups
//   slots      where these are in sa
//   heads      bitmap of where their groups begin
//   counts     how often each byte occurs, and two words of package periodic; for each round how many suffixes it
//              leaves in small and in large groups, and which of two lengths a group is longer than
//   isa        the rank of each suffix: the first slot of its group. In the top bit whether the group has others, if
//              there are at most FLAGGED suffixes
//   preceding  for each slot 4 bits: the code of the symbol before its suffix, or UNSETTLED where the first sort leaves
//              several suffixes. For the Burrows-Wheeler transform of packed text of at most 2 bits a symbol
//
// An array that is part of a larger buffer begins at element ARRAY_at of it.
//
// A small group has at most LIMIT suffixes and is sorted in its slots of sa. Large groups are listed in order, as many
// at a time as there is room for.
//
// It has no kernels: launch shape and local memory are those of the other parts.

// The place of a suffix in the text. Where samples are sorted a suffix is the number of one, and places has places.
//
// REACHES_END tells whether one of n suffixes is sorted up to the end of the text: it is smaller than those that agree.
// Between a suffix and the end are no more others than characters.
#if defined(SUFFIXSORT_FIRST) && !defined(SUFFIXSORT_SAMPLES)
#define PLACE_OF(suffix) ((ulong)(suffix))
#define REACHES_END(suffix, depth) (PLACE_OF(suffix) + (depth) >= size)
#else
#define PLACE_OF(suffix) (places != 0 ? (ulong)places[places_at + (suffix)] : (ulong)(suffix))
#define REACHES_END(suffix, depth) ((ulong)(suffix) + (depth) >= n && PLACE_OF(suffix) + (depth) >= size)
#endif

// The pair of words of a window for the first sort, by `bits` bits.
inline uint hi_of(ulong code, uint bits) { return (uint)(code >> 32) >> (32 - min(bits, 32u)); }

inline uint lo_of(ulong code, uint bits) { return bits > 32 ? (uint)(code >> (64 - bits)) << (64 - bits) : 0u; }

// Bit j of a bitmap.
#define IS_SET(words, j) ((words)[(j) / 32] >> (j) % 32 & 1)

// Where the depth of the group of slot r stands.
#define DEPTH_INDEX(r, head) (((r) - !(head)) / 2)
#define MAX_DEPTH 255u

// That depth, and what stands for it in depths.
#define DEPTH_OF(r, head) (uniform > 0 ? uniform : (uint)depths[depths_at + DEPTH_INDEX(r, head)])
#define DEPTH_BYTE(depth) ((uchar)min(depth, MAX_DEPTH))

// Whether element j is in a class, of which this is the word.
#define IS_MEMBER(class, j) ((class) >> (j) % 32 & 1)

#define UNDER_WAY 4 // elements at once, which wait for several reads, one after the other

// Elements of a work-group where the launch decides, a multiple of 32: so few of few elements that these keep more than
// some compute units busy.
#define SHARE(n) ((((n) + get_num_groups(0) - 1) / get_num_groups(0) + LEAST_SHARE - 1) / LEAST_SHARE * LEAST_SHARE)
#define LEAST_SHARE (WG > 32 ? WG : 32)

// Key x of those that begin at word `at`, a multiple of 2: of one word, or of two.
inline ulong key_at(__global const uint *keys, ulong at, uint words, ulong x)
{
    return words == 1 ? keys[at + x] : ((__global const ulong *)(keys + at))[x];
}

// The first slot of the group of slot r. It is in the word of r, or lasts have it, or a word before has it. CPUs always
// have lasts: llvmpipe's lanes without a work-item load zeros, and would go through all words.
inline uint rank_of(__global const uint *groups, __global const uint *lasts, ulong r)
{
    ulong w = r / 32;
    uint word = groups[w] & ((2u << r % 32) - 1);
#if IS_CPU
    if (word == 0)
        return lasts[w] - 1;
#else
    if (word == 0 && lasts != 0)
        return lasts[w] - 1;
    while (word == 0 && w > 0)
        word = groups[--w];
#endif
    return (uint)(32 * w) + 31 - clz(word);
}

// The word of isa for the suffix in slot r, one of n, and what is in it. Few kernels ask for others, and of long texts
// none: it would take a twentieth of their inversion.
#define FLAGGED (1ul << 23)
inline uint isa_word(__global const uint *groups, ulong n, uint rank, ulong r)
{
    if (n > FLAGGED)
        return rank;
    const bool alone = rank == r && (r + 1 == n || IS_SET(groups, r + 1));
    return alone ? rank : rank | 0x80000000u;
}

inline uint rank_in(uint word, ulong n) { return n > FLAGGED ? word : word & 0x7fffffffu; }

inline bool has_others(__global const uint *groups, ulong n, uint word)
{
    return n > FLAGGED ? word + 1 < n && !IS_SET(groups, word + 1) : word >> 31 != 0;
}

#if defined(SUFFIXSORT_MAP) || defined(SUFFIXSORT_FIRST)

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif
#ifndef LIMIT
#error "LIMIT: suffixes of a small group, at least 32"
#endif

#define TILE (WG * ITEMS)
#define UNSETTLED 15u

// Clears what the sort of a kernel's words wants: radixsort.
inline void clear_words(__global uint *words, uint count)
{
    for (ulong w = get_global_id(0); w < count; w += get_global_size(0))
        words[w] = 0;
}

// Clears the words of a bitmap of n elements that are of the tile.
inline void clear_tile(__global uint *words, ulong n)
{
    FOR_TILE(w, TILE / 32, (n + 31) / 32)
        words[w] = 0;
}

// The bitmap of a tile.
inline void clear_heads(__local uint *words)
{
    for (uint w = get_local_id(0); w < TILE / 32; w += WG)
        words[w] = 0;
}

inline void set_head(__local uint *words, ulong j, bool head)
{
    if (head)
        atomic_or(&words[j % TILE / 32], 1u << j % 32);
}

// The work-group has `share` of m elements, or what there are.
inline void write_heads(__local const uint *words, uint share, ulong m, __global uint *heads)
{
    for (uint w = get_local_id(0); w < share / 32; w += WG) {
        const ulong to = (ulong)get_group_id(0) * (share / 32) + w;
        if (to * 32 < m)
            heads[to] = words[w];
    }
}

#endif

#if defined(SUFFIXSORT_MAP) || defined(SUFFIXSORT_FIRST)

// Counters of a round, from `into` on: suffixes in small and in large groups; bits of lengths; one is not used; whether
// a large group was left as it is; work-groups that have counted.
#define COUNTERS 6
#define COUNTER_LEFT 4
#define COUNTER_ASKED 5

// Answers the host, if it asks, by the first three counters of the round, and whether a group was left in the round
// before: `into` is COUNTERS or more. For the work-item that has added for its work-group.
inline void answer_counts(__global uint *counts, uint into, ulong host, uint number)
{
    if (host != 0 && asks_last(&counts[into + COUNTER_ASKED])) {
        for (uint c = 0; c < 3; c++)
            answer(host, number, c, load_relaxed(&counts[into + c]));
        answer(host, number, 3, load_relaxed(&counts[into - COUNTERS + COUNTER_LEFT]));
    }
}

#endif

#ifdef SUFFIXSORT_MAP

// Adds what the work-items count in small and in large groups to counts. sums are 0 before a barrier.
inline void count_classes(uint2 mine, __local uint *sums, __global uint *counts, uint into)
{
    atomic_add(&sums[0], mine.x);
    atomic_add(&sums[1], mine.y);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        for (uint c = 0; c < 2; c++)
            if (sums[c] > 0)
                atomic_add(&counts[into + c], sums[c]);
    }
}

// Kernels for some of the slots look through `span` of them a work-group, LIST_SLOTS at most, a multiple of 32.
#define LIST_SLOTS (8 * TILE)

DEFINE_WG_SCAN(wg_count, uint, OP_ADD, 0u)

// The slots of a work-group that are in these classes, counted from its first slot; how many they are. words
// and starts have LIST_SLOTS / 32 words, tmp WG.
inline uint list_members(
    __global const uint2 *classes, uint2 wanted, ulong n, uint span, __local ushort *list, __local uint *words,
    __local uint *starts, __local uint *tmp)
{
    const uint lid = get_local_id(0);
    const ulong first = (ulong)get_group_id(0) * (span / 32);
    uint total = 0;
    for (uint from = 0; from < span / 32; from += WG) {
        const uint w = from + lid;
        uint mask = 0;
        if (w < span / 32 && 32 * (first + w) < n) {
            const uint2 class = classes[first + w] & wanted;
            mask = class.x | class.y;
        }
        uint sum;
        const uint before = wg_count(popcount(mask), tmp, &sum);
        if (w < span / 32) {
            words[w] = mask;
            starts[w] = total + before;
        }
        total += sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (total < span / 8) { // most words have none
        for (uint w = lid; w < span / 32; w += WG) {
            uint to = starts[w];
            for (uint rest = words[w]; rest != 0; rest &= rest - 1)
                list[to++] = (ushort)(32 * w + first_bit(rest));
        }
    } else {
        for (uint s = lid; s < span; s += WG)
            if (IS_SET(words, s))
                list[starts[s / 32] + popcount(words[s / 32] & ((1u << s % 32) - 1))] = (ushort)s;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return total;
}

// The number of element j in its class.
inline uint number_of(uint start, uint class, uint j) { return start + popcount(class & ((1u << j % 32) - 1)); }

// FOR_MEMBERS walks `start` over them, for UNDER_WAY at once; MEMBER is the slot of number j.
#define MEMBER_LOCALS                                 \
    __local ushort member_list[LIST_SLOTS];           \
    __local uint member_words[LIST_SLOTS / 32], member_starts[LIST_SLOTS / 32], member_tmp[WG];
#define LIST_MEMBERS(classes, wanted, n, span) \
    list_members(classes, wanted, n, span, member_list, member_words, member_starts, member_tmp)
#define FOR_MEMBERS(start, total) for (uint start = get_local_id(0); start < (total); start += UNDER_WAY * WG)
#define MEMBER(j) ((ulong)get_group_id(0) * span + member_list[j])
#define ALL_CLASSES ((uint2)(~0u, ~0u))
#define LARGE_CLASS ((uint2)(0u, ~0u))

#endif
