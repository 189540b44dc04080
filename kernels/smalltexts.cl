// smalltexts.cl: suffix arrays or Burrows-Wheeler transforms of many short texts in one launch, by prefix doubling
// (Manber & Myers 1990; unsorted suffixes only, as Larsson & Sadakane 2007).
//
// A suffix is a word of 64 bits: a key above PLACE_BITS bits that count the characters after its first. So no two words
// of a text are equal, and a shorter suffix precedes longer ones with the same key. The first key has as many
// characters as fit, each by its number among the characters of the text; zeros follow the text. Suffixes with equal
// keys form a group; its rank is its first slot. Later keys are the rank of the group, and the ranks at `hops` places,
// `depth` characters apart, plus 1; 0 is the end of the text. A suffix shorter than the depth is always alone in its
// group. Suffixes alone in their groups leave the list. In the end the ranks are the inverse of the suffix array.
//
// Texts: bytes bounds[t] to bounds[t + 1] of text, counted from text_at. Without bounds there is one of n bytes.
// Results are at the same places: of TRANSFORM bytes from out_at on and primaries[t], the row of the end marker (0 of
// an empty text); else 32-bit words. A text has at most `room` bytes: at most 65,536, with LOCAL at most TILE.
//
// Launch, GPU shape: a work-group of WG for each text from number `first` on. CPU shape: work-groups of one work-item,
// each takes every get_num_groups(0)-th of count texts.
//
// Memory in words and ranks: those of `room` suffixes for each work-group, words twice. With LOCAL both are in local
// memory. Local memory, GPU shape: 8 bytes for each of TILE = WG*ITEMS suffixes, with LOCAL 10; 4 bytes for each
// work-item; 1 KiB.

#ifndef ITEMS
#error "ITEMS: suffixes of a work-item"
#endif
#ifndef LOCAL
#error "LOCAL: whether a text fits into a tile"
#endif
#ifndef TRANSFORM
#error "TRANSFORM: whether Burrows-Wheeler transforms are made instead of suffix arrays"
#endif

#define MAX_HOPS 8

#if TRANSFORM
#define RESULT_PARAMS __global uchar *out, ulong out_at, __global uint *primaries
#else
#define RESULT_PARAMS __global uint *out
#endif

// bits_of is how many bits numbers below n take, at least one.
inline uint bits_of(uint n) { return n > 2 ? 32 - (uint)clz(n - 1) : 1u; }

// hops_of is how many ranks a word holds, next to the rank of the group and the place.
inline uint hops_of(uint place_bits) { return min((64 - 2 * place_bits) / (place_bits + 1), (uint)MAX_HOPS); }

// low_bits of a word; 64 are not asked for.
inline ulong low_bits(uint bits) { return (1ul << bits) - 1; }

// row_of is the row of the transform that the suffix of a rank has; the end marker's is left out.
inline uint row_of(uint rank, uint whole) { return rank < whole ? rank + 1 : rank; }

#if IS_CPU || !LOCAL
#define MEMORY __global
#else
#define MEMORY __local
#endif

// rank_key is the ranks at `hops` places after suffix i.
inline ulong rank_key(MEMORY const ushort *ranks, uint i, uint n, uint depth, uint hops, uint bits)
{
    ulong key = 0;
    for (uint h = 0; h < hops; h++) {
        i += min(depth, n - i);
        key = key << bits | (i < n ? ranks[i] + 1u : 0u);
    }
    return key;
}

#if IS_CPU

#define DIGIT_BITS 8
#define DIGITS (1 << DIGIT_BITS)
#define PASSES (64 / DIGIT_BITS)
#define FEW 48 // words that are sorted by insertion

inline void sort_few(__global ulong *words, uint count)
{
    for (uint q = 1; q < count; q++) {
        const ulong word = words[q];
        uint to = q;
        for (; to > 0 && words[to - 1] > word; to--)
            words[to] = words[to - 1];
        words[to] = word;
    }
}

// Sorts by the bits from `low` on; words with equal ones keep their order. scratch is as long as words.
inline void sort_many(__global ulong *words, __global ulong *scratch, uint count, uint low, uint *starts)
{
    for (uint d = 0; d < PASSES * DIGITS; d++)
        starts[d] = 0;
    for (uint q = 0; q < count; q++) {
        ulong key = words[q] >> low;
        for (uint pass = 0; pass < PASSES; pass++) {
            starts[pass * DIGITS + key % DIGITS]++;
            key >>= DIGIT_BITS;
        }
    }
    __global ulong *from = words, *to = scratch;
    for (uint pass = 0; pass < PASSES; pass++) {
        uint *start = starts + pass * DIGITS;
        const uint shift = min(low + pass * DIGIT_BITS, 63u);
        // All words agree in this digit, as in those beyond the key.
        if (low + pass * DIGIT_BITS > 63 || start[(from[0] >> shift) % DIGITS] == count)
            continue;
        uint sum = 0;
        for (uint d = 0; d < DIGITS; d++) {
            const uint these = start[d];
            start[d] = sum;
            sum += these;
        }
        for (uint q = 0; q < count; q++) {
            const ulong word = from[q];
            to[start[(word >> shift) % DIGITS]++] = word;
        }
        __global ulong *other = from;
        from = to;
        to = other;
    }
    if (from != words)
        for (uint q = 0; q < count; q++)
            words[q] = from[q];
}

// Groups of periodic texts are in order, or in the opposite one: suffixes there differ by what follows the period.
inline void sort_words(__global ulong *words, __global ulong *scratch, uint count, uint low, uint *starts)
{
    uint rising = 1, falling = 1;
    while (rising < count && words[rising - 1] < words[rising])
        rising++;
    while (falling < count && words[falling - 1] > words[falling])
        falling++;
    if (rising >= count)
        return;
    if (falling == count) {
        for (uint q = 0; q < count / 2; q++) {
            const ulong word = words[q];
            words[q] = words[count - 1 - q];
            words[count - 1 - q] = word;
        }
    } else if (count <= FEW) {
        sort_few(words, count);
    } else {
        sort_many(words, scratch, count, low, starts);
    }
}

// Gives sorted words, whose group begins in slot `group`, their ranks, and lists those that are not alone: rank and
// place. A suffix shorter than `depth` ends its group. Returns the number of those listed.
inline uint split(__global const ulong *words, uint count, uint group, uint depth, uint place_bits, uint n,
                  __global ushort *ranks, __global ulong *list)
{
    uint listed = 0, head = 0;
    for (uint q = 0; q < count; q++) {
        const ulong word = words[q];
        const uint place = (uint)(word & low_bits(place_bits));
        const bool ends = q + 1 == count || (words[q + 1] ^ word) >> place_bits != 0 || place + 1 < depth;
        ranks[n - 1 - place] = (ushort)(group + head);
        if (!ends || head < q)
            list[listed++] = (ulong)(group + head) << place_bits | place;
        if (ends)
            head = q + 1;
    }
    return listed;
}

inline void sort_text(__global const uchar *text, uint n, __global ulong *words, __global ulong *list,
                      __global ushort *ranks, uint *starts)
{
    ushort codes[256];
    for (uint c = 0; c < 256; c++)
        codes[c] = 0;
    for (uint i = 0; i < n; i++)
        codes[text[i]] = 1;
    uint symbols = 0;
    for (uint c = 0; c < 256; c++) {
        const uint used = codes[c];
        codes[c] = (ushort)symbols;
        symbols += used;
    }
    const uint place_bits = bits_of(n), bits = bits_of(symbols), rank_bits = place_bits + 1;
    const uint width = (64 - place_bits) / bits, hops = (64 - place_bits) / rank_bits;
    ulong key = 0;
    for (uint place = 0; place < n; place++) {
        key = key >> bits | (ulong)codes[text[n - 1 - place]] << (width - 1) * bits;
        words[place] = key << place_bits | place;
    }
    sort_words(words, list, n, place_bits, starts);
    uint m = split(words, n, 0, width, place_bits, n, ranks, list);
    // Ranks that a round has refined are used by the rest of it.
    for (uint depth = width; m > 0; depth = min(depth * (hops + 1), n)) {
        uint listed = 0;
        for (uint first = 0; first < m;) {
            const uint group = (uint)(list[first] >> place_bits);
            uint end = first;
            for (; end < m && (uint)(list[end] >> place_bits) == group; end++) {
                const uint place = (uint)(list[end] & low_bits(place_bits));
                words[end] = rank_key(ranks, n - 1 - place, n, depth, hops, rank_bits) << place_bits | place;
            }
            sort_words(words + first, list + first, end - first, place_bits, starts);
            listed += split(words + first, end - first, group, 0, place_bits, n, ranks, list + listed);
            first = end;
        }
        m = listed;
    }
}

KERNEL_WG(WG) smalltexts(__global const uchar *text, ulong text_at, __global const uint *bounds, uint n, uint first,
                         uint count, RESULT_PARAMS, uint room, __global ulong *words, __global ushort *ranks)
{
    const uint groups = (uint)get_num_groups(0), group = (uint)get_group_id(0);
    __global ulong *mine = words + (ulong)group * 2 * room;
    __global ushort *rank = ranks + (ulong)group * room;
    uint starts[PASSES * DIGITS];
    for (uint t = first + group; t < count; t += groups) {
        const uint at = bounds != 0 ? bounds[t] : 0u, length = bounds != 0 ? bounds[t + 1] - at : n;
        __global const uchar *from = text + text_at + at;
        sort_text(from, length, mine, mine + room, rank, starts);
#if TRANSFORM
        __global uchar *to = out + out_at + at;
        const uint whole = length > 0 ? rank[0] : 0u;
        if (length > 0)
            to[0] = from[length - 1];
        for (uint i = 1; i < length; i++)
            to[row_of(rank[i], whole)] = from[i - 1];
        primaries[t] = length > 0 ? whole + 1 : 0u;
#else
        for (uint i = 0; i < length; i++)
            out[at + rank[i]] = i;
#endif
    }
}

#else // GPU shape

#define TILE (WG * ITEMS)
#if ITEMS > 31
#error "ITEMS: at most 31, a bit each and one more"
#endif
#define MEMORY_FENCE (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define LARGEST (~0ul)

DEFINE_WG_SCAN(wg_sum, uint, OP_ADD, 0u)

// The larger of the upper halves, and of the lower ones.
#define OP_MAX_HALVES(a, b) (max((a) & 0xffff0000u, (b) & 0xffff0000u) | max((a) & 0xffffu, (b) & 0xffffu))
DEFINE_WG_SCAN(wg_max_halves, uint, OP_MAX_HALVES, 0u)

// DEFINE_MERGE(merge, path, SPACE) defines
//   uint path(words, a_first, a_end, b_end, diagonal): how many of the first `diagonal` words of the merged runs
//   [a_first, a_end) and [a_end, b_end), of which neither is empty, are of the first one
//   void merge(words, a_first, a_end, b_end, diagonal, mine): the ITEMS words from there on
#define DEFINE_MERGE(merge, path, SPACE)                                                                           \
    inline uint path(SPACE const ulong *words, uint a_first, uint a_end, uint b_end, uint diagonal)                \
    {                                                                                                              \
        const uint a_count = a_end - a_first, b_count = b_end - a_end;                                             \
        uint lo = (uint)max((int)(diagonal - b_count), 0), hi = min(diagonal, a_count);                            \
        while (lo < hi) {                                                                                          \
            const uint mid = (lo + hi) / 2;                                                                        \
            const bool fewer = words[a_end + diagonal - 1 - mid] < words[a_first + mid];                           \
            hi = fewer ? mid : hi;                                                                                 \
            lo = fewer ? lo : mid + 1;                                                                             \
        }                                                                                                          \
        return lo;                                                                                                 \
    }                                                                                                              \
    inline void merge(SPACE const ulong *words, uint a_first, uint a_end, uint b_end, uint diagonal, ulong *mine)  \
    {                                                                                                              \
        const uint taken = path(words, a_first, a_end, b_end, diagonal);                                           \
        uint i = a_first + taken, j = a_end + diagonal - taken;                                                    \
        ulong a = words[min(i, a_end - 1)], b = words[min(j, b_end - 1)];                                          \
        UNROLL for (uint k = 0; k < ITEMS; k++) {                                                                  \
            const bool take_b = i >= a_end || (j < b_end && b < a);                                                \
            mine[k] = take_b ? b : a;                                                                              \
            i += take_b ? 0u : 1u;                                                                                 \
            j += take_b ? 1u : 0u;                                                                                 \
            const ulong next = words[take_b ? min(j, b_end - 1) : min(i, a_end - 1)];                              \
            a = take_b ? a : next;                                                                                 \
            b = take_b ? next : b;                                                                                 \
        }                                                                                                          \
    }

DEFINE_MERGE(merge_local, path_local, __local)

// Sorts the first `count` words of a tile. Words after them, up to a whole number of work-items, become the largest.
__attribute__((always_inline)) inline void sort_tile(__local ulong *words, uint count)
{
    const uint lid = get_local_id(0), first = lid * ITEMS, top = (count + ITEMS - 1) / ITEMS * ITEMS;
    ulong mine[ITEMS];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first < count) {
        UNROLL for (uint k = 0; k < ITEMS; k++)
            mine[k] = first + k < count ? words[first + k] : LARGEST;
        // Odd-even transposition.
        UNROLL for (uint round = 0; round < ITEMS; round++) {
            UNROLL for (uint k = round % 2; k + 1 < ITEMS; k += 2) {
                const ulong a = mine[k], b = mine[k + 1];
                mine[k] = min(a, b);
                mine[k + 1] = max(a, b);
            }
        }
        UNROLL for (uint k = 0; k < ITEMS; k++)
            words[first + k] = mine[k];
    }
    for (uint run = ITEMS; run < count; run *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint a_first = first / (2 * run) * (2 * run);
        const uint a_end = min(a_first + run, top), b_end = min(a_end + run, top);
        bool merge = first < top && a_end < b_end;
        if (merge)
            merge = words[a_end] < words[a_end - 1];
        if (merge)
            merge_local(words, a_first, a_end, b_end, first - a_first, mine);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (merge) {
            UNROLL for (uint k = 0; k < ITEMS; k++)
                words[first + k] = mine[k];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

#if !LOCAL

DEFINE_MERGE(merge_global, path_global, __global)

// Merges runs of `run` words, a whole number of tiles, from one array to another. Runs that are in order are copied.
inline void merge_runs(__global const ulong *from, __global ulong *to, uint count, uint run)
{
    const uint lid = get_local_id(0);
    ulong mine[ITEMS];
    for (uint base = 0; base < count; base += TILE) {
        const uint first = base + lid * ITEMS, a_first = base / (2 * run) * (2 * run);
        const uint a_end = min(a_first + run, count), b_end = min(a_end + run, count);
        bool merge = first < count && a_end < b_end;
        if (merge)
            merge = from[a_end] < from[a_end - 1];
        if (merge) {
            merge_global(from, a_first, a_end, b_end, first - a_first, mine);
        } else {
            UNROLL for (uint k = 0; k < ITEMS; k++)
                mine[k] = first + k < count ? from[first + k] : LARGEST;
        }
        UNROLL for (uint k = 0; k < ITEMS; k++)
            if (first + k < count)
                to[first + k] = mine[k];
    }
}

#endif

KERNEL_WG(WG) smalltexts(__global const uchar *text, ulong text_at, __global const uint *bounds, uint n, uint first,
                         uint count, RESULT_PARAMS, uint room, __global ulong *words_memory,
                         __global ushort *ranks_memory)
{
    __local ulong tile[TILE];
    __local uint tmp[WG];
    __local uint codes[256];
    __local uint left;
    const uint lid = get_local_id(0), group = (uint)get_group_id(0), t = first + group;
    const uint at = bounds != 0 ? bounds[t] : 0u, length = bounds != 0 ? bounds[t + 1] - at : n;
    __global const uchar *from = text + text_at + at;
#if TRANSFORM
    __global uchar *result = out + (out_at + at);
#else
    __global uint *result = out + at;
#endif
#if LOCAL
    __local ushort ranks[TILE];
    __local ulong *words = tile, *list = tile;
#else
    __global ulong *words = words_memory + (ulong)group * 2 * room, *list = words + room;
    __global ushort *ranks = ranks_memory + (ulong)group * room;
#endif

    // Numbers of the characters.
    for (uint c = lid; c < 256; c += WG)
        codes[c] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = lid; i < length; i += WG)
        codes[from[i]] = 1; // by all items that see the character: the same value
    barrier(CLK_LOCAL_MEM_FENCE);
    uint symbols = 0;
    for (uint base = 0; base < 256; base += WG) {
        const uint c = base + lid;
        uint used;
        const uint before = wg_sum(c < 256 ? codes[min(c, 255u)] : 0u, tmp, &used);
        if (c < 256)
            codes[c] = symbols + before;
        symbols += used;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = lid; i < length; i += WG)
        ranks[i] = (ushort)codes[from[i]];
    barrier(MEMORY_FENCE);

    const uint place_bits = bits_of(length), bits = bits_of(symbols), rank_bits = place_bits + 1;
    const uint width = (64 - place_bits) / bits;
    const uint hops = hops_of(place_bits), group_shift = place_bits + hops * rank_bits;
    uint m = length, depth = 0;
    while (m > 0) {
        // Words, sorted.
        for (uint base = 0; base < m; base += TILE) {
            const uint in_tile = min((uint)TILE, m - base), mine_first = lid * ITEMS;
            if (depth == 0) { // places from base on, their characters from the right to the left
                ulong key = 0;
                for (uint k = 0; k < width + ITEMS - 1; k++) {
                    const uint place = base + mine_first + k - (width - 1);
                    const uint code = place < length ? ranks[length - 1 - place] : 0u;
                    key = key >> bits | (ulong)code << (width - 1) * bits;
                    if (k >= width - 1 && place < length)
                        tile[place - base] = key << place_bits | place;
                }
            } else {
                for (uint k = 0; k < ITEMS; k++) {
                    const uint p = mine_first + k;
                    if (p < in_tile) {
                        const ulong entry = list[base + p];
                        const uint place = (uint)(entry & low_bits(place_bits));
                        const ulong key = rank_key(ranks, length - 1 - place, length, depth, hops, rank_bits);
                        tile[p] = entry >> place_bits << group_shift | key << place_bits | place;
                    }
                }
            }
            sort_tile(tile, in_tile);
#if !LOCAL
            for (uint p = lid; p < in_tile; p += WG)
                words[base + p] = tile[p];
            barrier(MEMORY_FENCE);
#endif
        }
        barrier(MEMORY_FENCE);
#if !LOCAL
        for (uint run = TILE; run < m; run *= 2) {
            merge_runs(words, list, m, run);
            __global ulong *other = words;
            words = list;
            list = other;
            barrier(MEMORY_FENCE);
        }
#endif

        // Ranks, and the list of those that are not alone. `open` is where the last group began, above where the last
        // one within it began.
        uint open = 0, listed = 0;
        for (uint base = 0; base < m; base += TILE) {
            const uint mine_first = base + lid * ITEMS;
            uint heads = 0, last = 0, groups = 0, end = m;
            ulong mine[ITEMS];
            ulong previous = mine_first > 0 && mine_first <= m ? words[mine_first - 1] : 0ul;
            UNROLL for (uint k = 0; k <= ITEMS; k++) {
                const uint q = mine_first + k;
                const ulong word = q < end ? words[q] : LARGEST;
                const bool group_head = q == 0 || (depth != 0 && (word ^ previous) >> group_shift != 0);
                const bool head = group_head || q >= end || (word ^ previous) >> place_bits != 0
                    || (uint)(previous & low_bits(place_bits)) + 1 < (depth == 0 ? width : 0u);
                heads |= (head ? 1u : 0u) << k;
                groups |= (group_head ? 1u : 0u) << k;
                if (k < ITEMS) {
                    mine[k] = word;
                    if (q < end && head)
                        last = group_head ? q << 16 | q : (last & 0xffff0000u) | q;
                }
                previous = word;
                OPAQUE(heads);
                OPAQUE(groups);
                OPAQUE(last);
                OPAQUE(end);
            }
            uint all;
            const uint before = wg_max_halves(last, tmp, &all);
            uint now = OP_MAX_HALVES(open, before), alone = 0;
            open = OP_MAX_HALVES(open, all);
            UNROLL for (uint k = 0; k < ITEMS; k++) {
                const uint q = mine_first + k;
                if (q < end) {
                    if (heads >> k & 1)
                        now = groups >> k & 1 ? q << 16 | q : (now & 0xffff0000u) | q;
                    const uint place = (uint)(mine[k] & low_bits(place_bits));
                    const uint slot = depth == 0 ? 0u : (uint)(mine[k] >> group_shift);
                    const uint rank = slot + (now & 0xffffu) - (now >> 16);
                    ranks[length - 1 - place] = (ushort)rank;
                    mine[k] = (ulong)rank << place_bits | place;
                }
                alone |= (q >= end || (heads >> k & 3) == 3 ? 1u : 0u) << k;
                OPAQUE(alone);
            }
            uint kept;
            uint to = listed + wg_sum(ITEMS - (uint)popcount(alone), tmp, &kept);
            listed += kept;
            UNROLL for (uint k = 0; k < ITEMS; k++)
                if ((alone >> k & 1) == 0)
                    list[to++] = mine[k];
        }
        if (lid == 0)
            left = listed;
        barrier(MEMORY_FENCE);
        m = left;
        depth = depth == 0 ? width : min(depth * (hops + 1), length);
    }

    // Slots of the suffixes, or symbols before them.
    const uint whole = length > 0 ? ranks[0] : 0u;
#if LOCAL
#define RESULT(j) tile[j]
#else
#define RESULT(j) result[j]
#endif
    for (uint i = lid; i < length; i += WG) {
#if TRANSFORM
        RESULT(i == 0 ? 0u : row_of(ranks[i], whole)) = from[i == 0 ? length - 1 : i - 1];
#else
        RESULT(ranks[i]) = i;
#endif
    }
#if LOCAL
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = lid; j < length; j += WG) {
#if TRANSFORM
        result[j] = (uchar)tile[j];
#else
        result[j] = (uint)tile[j];
#endif
    }
#endif
#if TRANSFORM
    if (lid == 0)
        primaries[t] = length > 0 ? whole + 1 : 0u;
#endif
}

#endif
