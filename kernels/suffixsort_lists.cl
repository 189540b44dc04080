// suffixsort_lists.cl: classes of groups, rounds of large groups, which are listed, and ranks. suffixsort.cl describes
// the arrays. A macro chooses:
//
//   SUFFIXSORT_MAP        the kernels that treat every element on its own, after suffixsort_windows.cl
//   SUFFIXSORT_PARTITION  first pass of the radix sort: suffixes with their ranks
//   SUFFIXSORT_STARTS     scan: how many suffixes in small and in large groups are before each word of classes
//   SUFFIXSORT_LASTS      scan: the last head before each word of groups
//
// Launch of the first: one work-group of WG for each WG*ITEMS elements, of suffixsort_list for each `span` slots.

#ifdef SUFFIXSORT_MAP

#ifndef SYMBOLS
#error "SYMBOLS: entries of the table, from suffixsort_windows.cl"
#endif

// classes = the elements of each word in small and in large groups of several; snapshot = the words. Counts the
// elements of either class, and tells in bit 0 whether a group is longer than `longest`, in bit 1 whether one is longer
// than `shorter`. Both are at least LIMIT. A group within a word is small. An element is one of `words` words.
KERNEL_WG(WG) suffixsort_classes(
    __global const uint *heads, ulong n, ulong words, uint longest, uint shorter, __global uint2 *classes,
    __global uint *snapshot, __global uint *counts, uint into, ulong host, uint number)
{
    __local uint any, sums[2];
    if (get_local_id(0) == 0)
        any = sums[0] = sums[1] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint2 mine = (uint2)(0u, 0u);
    FOR_TILE(w, SHARE(words), words) {
        const uint word = head_word(heads, w, n), next = head_word(heads, w + 1, n);
        uint alone = word & word >> 1;
        if (next % 2 == 1) // Oclgrind has no funnel shifts
            alone |= word & 0x80000000u;
        const uint valid = n - 32 * w >= 32 ? ~0u : (1u << n % 32) - 1;
        // The group of the word's last head ends `after` elements after the word. The group of the elements before its
        // first head starts `before` elements before the word.
        uint before = 0, after = 0;
        uint other = word << 31;
        for (ulong v = w; other == 0 && v > 0 && before < LIMIT;) {
            other = heads[--v];
            before += other != 0 ? clz(other) + 1 : 32u;
        }
        other = 0;
        for (ulong v = w + 1; other == 0 && after < (word != 0 ? longest : LIMIT); v++) {
            other = head_word(heads, v, n);
            after += other != 0 ? first_bit(other) : 32u;
        }
        uint large;
        if (word == 0) {
            large = before + 32 + after > LIMIT ? ~0u : 0u;
        } else {
            const uint first = first_bit(word), last = last_bit(word);
            large = before + first > LIMIT ? (1u << first) - 1 : 0u;
            large |= 32 - last + after > LIMIT ? ~0u << last : 0u;
            if (32 - last + after > shorter)
                atomic_or(&any, 32 - last + after > longest ? 3u : 2u);
        }
        large &= valid & ~alone;
        const uint small = valid & ~alone & ~large;
        const uint2 both = (uint2)(small, large);
        classes[w] = both;
        mine += popcount(both);
        snapshot[w] = word;
    }
    count_classes(mine, sums, counts, into);
    if (get_local_id(0) == 0) {
        if (any != 0)
            atomic_or(&counts[into + 2], any);
        answer_counts(counts, into, host, number);
    }
}

// Lists the suffixes number [first, end) in large groups: with their slots, heads, which are 0 before, and keys, if
// `listed` is not null.
KERNEL_WG(WG) suffixsort_list(
    __global const uint *sa, ulong sa_at, ulong n, uint span, __global const uint *groups,
    __global const uint2 *classes, __global const uint2 *starts, ulong first, ulong end, __global uint *suffixes,
    ulong suffixes_at, __global uint *slots, ulong slots_at, __global uint *heads, __global const uint *keys,
    ulong keys_at, uint key_words, __global ulong *listed)
{
    MEMBER_LOCALS
    const uint total = LIST_MEMBERS(classes, LARGE_CLASS, n, span);
    FOR_MEMBERS(start, total) {
        uint number[UNDER_WAY], suffix[UNDER_WAY];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            const ulong r = MEMBER(min(start + u * WG, total - 1));
            number[u] = number_of(starts[r / 32].y, classes[r / 32].y, (uint)r);
            suffix[u] = sa[sa_at + r];
        }
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            if (start + u * WG >= total || number[u] < first || number[u] >= end)
                continue;
            const ulong r = MEMBER(start + u * WG);
            const uint to = (uint)(number[u] - first);
            suffixes[suffixes_at + to] = suffix[u];
            slots[slots_at + to] = (uint)r;
            if (IS_SET(groups, r))
                atomic_or(&heads[to / 32], 1u << to % 32);
            if (listed != 0)
                listed[to] = key_at(keys, keys_at, key_words, suffix[u]);
        }
    }
}

// counts[into] = the number of the last suffix in a large group that begins a group, `last` at most. It is 0 before. An
// element is one of `words` words.
KERNEL_WG(WG) suffixsort_cut(
    __global const uint *groups, __global const uint2 *classes, __global const uint2 *starts, ulong words, uint last,
    __global uint *counts, uint into)
{
    __local uint cut;
    if (get_local_id(0) == 0)
        cut = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(w, TILE, words) {
        const uint class = classes[w].y;
        uint rest = class & groups[w];
        while (rest != 0 && number_of(starts[w].y, class, last_bit(rest)) > last)
            rest &= ~(1u << last_bit(rest));
        if (rest != 0)
            atomic_max(&cut, number_of(starts[w].y, class, last_bit(rest)));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && cut > 0)
        atomic_max(&counts[into], cut);
}

// keys[j] = the next window of suffix j, with its end.
KERNEL_WG(WG) suffixsort_extend(
    __global const uchar *text, __global const ulong *packed, __global const uint *table, ulong size, uint width,
    uint bits, ulong n, __global const uint *places, ulong places_at, __global const uint *suffixes,
    ulong suffixes_at, __global const uint *slots, ulong slots_at, ulong m, __global const uint *heads, uint uniform,
    __global const uchar *depths, ulong depths_at, __global ulong *keys)
{
    __local uint codes[SYMBOLS];
    load_table(table, codes);
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(j, TILE, m) {
        const uint slot = slots[slots_at + j];
        const uint depth = DEPTH_OF(slot, IS_SET(heads, j));
        const ulong i = PLACE_OF(suffixes[suffixes_at + j]) + depth;
        keys[j] = until_end(window(text, packed, codes, size, width, bits, i), size - i);
    }
}

// Whether listed suffix j, sorted by its key, begins a group.
#define BEGINS(keys, heads, j) (IS_SET(heads, j) || (keys)[(j) - ((j) > 0)] != (keys)[j])

// Splits large groups that are sorted by their keys; the suffixes return to sa. Changes depths, if not null:
// of two slots that share a depth, the first that does not begin a group does it.
KERNEL_WG(WG) suffixsort_split(
    __global const ulong *keys, ulong keys_at, __global const uint *suffixes, ulong suffixes_at,
    __global const uint *slots, ulong slots_at, ulong m, __global const uint *heads, __global uint *groups,
    __global uint *sa, ulong sa_at, __global uchar *depths, ulong depths_at)
{
    keys += keys_at;
    FOR_TILE(j, TILE, m) {
        const uint slot = slots[slots_at + j];
        sa[sa_at + slot] = suffixes[suffixes_at + j];
        if (BEGINS(keys, heads, j)) {
            if (!IS_SET(heads, j))
                atomic_or(&groups[slot / 32], 1u << slot % 32);
        } else if (depths != 0 && (slot % 2 == 1 || BEGINS(keys, heads, j - 1))) {
            const ulong at = depths_at + (slot - 1) / 2;
            depths[at] = DEPTH_BYTE(depths[at] + ((uint)keys[j] & 0xff) - 1);
        }
    }
}

// ranks of the listed suffixes.
KERNEL_WG(WG) suffixsort_rank(
    __global const uint *suffixes, ulong suffixes_at, __global const uint *listed, ulong listed_at, ulong m,
    __global const uint *groups, __global const uint *lasts, __global const uint *slots, ulong slots_at,
    __global uint *ranks, ulong ranks_at)
{
    FOR_TILE(j, TILE, m)
        ranks[ranks_at + suffixes[suffixes_at + j]] = slots[slots_at + rank_of(groups, lasts, listed[listed_at + j])];
}

// isa of suffixes that are partitioned. Clears a bitmap of them.
KERNEL_WG(WG) suffixsort_scatter(
    __global const uint *suffixes, __global const uint *ranks, ulong m, __global uint *isa, __global uint *cleared,
    ulong cleared_at)
{
    clear_tile(cleared + cleared_at, m);
    FOR_TILE(q, TILE, m)
        isa[suffixes[q]] = ranks[q];
}

// The same from groups. Without lasts, a work-group looks for the last head before its slots, however far it is.
KERNEL_WG(WG) suffixsort_invert(
    __global const uint *sa, __global const uint *groups, __global const uint *lasts, ulong n, __global uint *isa,
    __global uint *cleared, ulong cleared_at)
{
    __local uint before; // 1 + that head; slot 0 begins a group
    const uint lid = get_local_id(0);
    const ulong first = (ulong)get_group_id(0) * (TILE / 32); // word of groups
    if (lid == 0)
        before = lasts != 0 ? lasts[first] : 1u;
    barrier(CLK_LOCAL_MEM_FENCE);
    // Each work-item looks into other words, until one has found a head after those. By a maximum that changes nothing
    // clang would load, which is a race.
    for (ulong w = first; lasts == 0 && w > lid && atomic_max(&before, 1u) < 32 * (w - lid); w -= min(w, (ulong)WG)) {
        const uint word = groups[w - lid - 1];
        if (word != 0)
            atomic_max(&before, (uint)(32 * (w - lid)) - clz(word));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(r, TILE, n) {
        ulong w = r / 32;
        uint word = groups[w] & ((2u << r % 32) - 1);
        while (word == 0 && w > first)
            word = groups[--w];
        const uint rank = (word != 0 ? (uint)(32 * w + 32) - clz(word) : before) - 1;
        isa[sa[r]] = isa_word(groups, n, rank, r);
    }
    clear_tile(cleared + cleared_at, n);
}

// Sets the bits of the places whose ranks chains ask for, which are 0 before: of suffixes that are not sorted, the
// places after them, and the places up to which they are.
KERNEL_WG(WG) suffixsort_want(
    __global const uint *sa, ulong n, uint span, __global const uint *groups, __global const uint2 *classes,
    uint uniform, __global const uchar *depths, ulong depths_at, __global uint *wanted)
{
    MEMBER_LOCALS
    const uint total = LIST_MEMBERS(classes, ALL_CLASSES, n, span);
    FOR_MEMBERS(start, total) {
        ulong place[UNDER_WAY], end[UNDER_WAY];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            const ulong r = MEMBER(min(start + u * WG, total - 1));
            place[u] = sa[r];
            end[u] = min(place[u] + DEPTH_OF(r, IS_SET(groups, r)), n - 1);
        }
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            if (start + u * WG < total) {
                const ulong bits = 3ul << place[u] % 32; // the last place is sorted
                atomic_or(&wanted[place[u] / 32], (uint)bits);
                if (bits >> 32 != 0)
                    atomic_or(&wanted[place[u] / 32 + 1], (uint)(bits >> 32));
                atomic_or(&wanted[end[u] / 32], 1u << end[u] % 32);
            }
        }
    }
}

// isa of these places only: most suffixes are sorted. Clears a bitmap.
KERNEL_WG(WG) suffixsort_invert_wanted(
    __global const uint *sa, __global const uint *groups, __global const uint *lasts, ulong n,
    __global const uint *wanted, __global uint *isa, __global uint *cleared, ulong cleared_at)
{
    clear_tile(cleared + cleared_at, n);
    const ulong end = min((ulong)(get_group_id(0) + 1) * TILE, n);
    for (ulong start = (ulong)get_group_id(0) * TILE + get_local_id(0); start < end; start += UNDER_WAY * WG) {
        uint place[UNDER_WAY], word[UNDER_WAY];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++)
            place[u] = sa[min(start + u * WG, end - 1)];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++)
            word[u] = wanted[place[u] / 32];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            const ulong r = start + u * WG;
            if (r < end && IS_MEMBER(word[u], place[u]))
                isa[place[u]] = isa_word(groups, n, rank_of(groups, lasts, r), r);
        }
    }
}

#endif

#ifdef SUFFIXSORT_PARTITION

#define RADIX_PARAMS , __global const uint *sa, __global const uint *groups, __global const uint *lasts, ulong slots
#define RADIX_LOAD_KEY(p) sa[p]
#define RADIX_LOAD_VALUE(p) isa_word(groups, slots, rank_of(groups, lasts, p), p)

#endif

#ifdef SUFFIXSORT_STARTS

#define T uint2
#define OP OP_ADD
#define IDENTITY ((uint2)(0u, 0u))
#define SCAN_PARAMS , __global const uint2 *classes, __global uint2 *starts
#define SCAN_LOAD(w) popcount(classes[w])
#define SCAN_STORE(w, before, value) starts[w] = before

#endif

#ifdef SUFFIXSORT_LASTS

// One more than the slot, 0 if there is none.
#define T uint
#define OP OP_MAX
#define IDENTITY 0u
#define SCAN_PARAMS , __global const uint *groups, __global uint *lasts
#define SCAN_LOAD(w) (groups[w] != 0 ? (uint)(32 * (w) + 32 - clz(groups[w])) : 0u)
#define SCAN_STORE(w, before, value) lasts[w] = before

#endif
