// suffixsort_lists.cl: groups of suffixes, lists of those that are to be sorted, rounds of large
// groups, and ranks; suffixsort.cl describes the arrays. A macro chooses:
//   SUFFIXSORT_MAP       the kernels that treat every element on its own, behind suffixsort_windows.cl
//   SUFFIXSORT_PARTITION first pass of the radix sort: suffixes with their ranks
//   SUFFIXSORT_STARTS    scan: where the suffixes of each word of the bitmap go
//   SUFFIXSORT_LASTS     scan: the last head before each word of the bitmap
//   SUFFIXSORT_REFINE    scan: ranks of large groups after a round of doubling
//
// Launch of the first: one work-group of WG for each WG*ITEMS elements.

#ifdef SUFFIXSORT_MAP

#ifndef SYMBOLS
#error "SYMBOLS: entries of the table, from suffixsort_windows.cl"
#endif

// classes = the elements of each word in small and in large groups; snapshot = the words, if it is
// wanted. An element for each of `words` words. A group within a word is small. Counts elements of either
// class, and tells whether a group is longer than `longest`, which is at least LIMIT.
KERNEL_WG(WG) suffixsort_classes(__global const uint *heads, ulong n, ulong words, uint longest, __global uint2 *classes, __global uint *snapshot, __global uint *counts, uint into)
{
    __local uint any, small_, large_;
    if (get_local_id(0) == 0)
        any = small_ = large_ = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint in_small = 0, in_large = 0;
    FOR_TILE(w, TILE, words) {
        const uint word = head_word(heads, w, n), next = head_word(heads, w + 1, n);
        uint alone = word & word >> 1;
        if (next % 2 == 1) // Oclgrind has no funnel shifts
            alone |= word & 0x80000000u;
        const uint valid = n - 32 * w >= 32 ? ~0u : (1u << n % 32) - 1;
        // From its last head on the word is of a group that ends `behind` elements after
        // it, and up to its first head of one that starts `before` elements ahead.
        uint before = 0, behind = 0;
        uint other = word << 31;
        for (ulong v = w; other == 0 && v > 0 && before < LIMIT;) {
            other = heads[--v];
            before += other != 0 ? clz(other) + 1 : 32u;
        }
        other = 0;
        for (ulong v = w + 1; other == 0 && behind < (word != 0 ? longest : LIMIT); v++) {
            other = head_word(heads, v, n);
            behind += other != 0 ? first_bit(other) : 32u;
        }
        uint large;
        if (word == 0) {
            large = before + 32 + behind > LIMIT ? ~0u : 0u;
        } else {
            const uint first = first_bit(word), last = last_bit(word);
            large = before + first > LIMIT ? (1u << first) - 1 : 0u;
            large |= 32 - last + behind > LIMIT ? ~0u << last : 0u;
            if (32 - last + behind > longest)
                atomic_or(&any, 1u);
        }
        large &= valid & ~alone;
        const uint small = valid & ~alone & ~large;
        classes[w] = (uint2)(small, large);
        in_small += popcount(small);
        in_large += popcount(large);
        if (snapshot != 0)
            snapshot[w] = word;
    }
    atomic_add(&small_, in_small);
    atomic_add(&large_, in_large);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        if (small_ > 0)
            atomic_add(&counts[into], small_);
        if (large_ > 0)
            atomic_add(&counts[into + 1], large_);
        if (any != 0)
            atomic_or(&counts[into + 2], 1u);
    }
}

// Where element j goes among those of its class.
#define AMONG(start, class, j) ((start) + popcount((class) & ((1u << (j) % 32) - 1)))

// Lists unsorted suffixes: those in small groups, if wanted; of those in large groups those from `first`
// to before `behind`.
KERNEL_WG(WG) suffixsort_list(__global const uint *depths, ulong depths_at, __global const uint *sa, ulong n, __global const uint *groups, __global const uint2 *classes, __global const uint2 *starts, uint small, __global ulong *places, ulong places_at, ulong first, ulong behind, __global uint *large, __global ulong *large_places, ulong large_at)
{
    const ulong end = min((ulong)(get_group_id(0) + 1) * TILE, n);
    for (ulong start = (ulong)get_group_id(0) * TILE + get_local_id(0); start < end; start += UNDER_WAY * WG) {
        uint2 class[UNDER_WAY];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++)
            class[u] = classes[min(start + u * WG, end - 1) / 32];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            const ulong r = start + u * WG;
            if (r >= end || !IS_MEMBER((small ? class[u].x : 0u) | class[u].y, r))
                continue;
            const uint2 before = starts[r / 32];
            const bool head = IS_SET(groups, r);
            const ulong place = PLACE((uint)r, depths[depths_at + DEPTH_INDEX(r, head)], head);
            const uint to = AMONG(before.y, class[u].y, r);
            if (IS_MEMBER(class[u].x, r)) {
                places[places_at + AMONG(before.x, class[u].x, r)] = place;
            } else if (to >= first && to < behind) {
                large[to - first] = sa[r];
                large_places[large_at + to - first] = place;
            }
        }
    }
}

// groups: the listed suffixes begin groups, until suffixsort_note tells which do not. An element
// for each of `words` words.
KERNEL_WG(WG) suffixsort_take(__global const uint2 *classes, __global const uint2 *starts, ulong words, uint small, ulong first, ulong behind, __global uint *groups)
{
    FOR_TILE(w, TILE, words) {
        const uint2 class = classes[w];
        uint taken = class.y;
        ulong number = starts[w].y;
        if (number < first || number + popcount(class.y) > behind) {
            for (uint rest = class.y; rest != 0; rest &= rest - 1, number++)
                if (number < first || number >= behind)
                    taken &= ~(rest & (0u - rest));
        }
        if (small)
            taken |= class.x;
        if (taken != 0)
            groups[w] |= taken;
    }
}

// groups and depths of the places that are left of those listed.
KERNEL_WG(WG) suffixsort_note(__global const ulong *places, ulong places_at, ulong m, __global uint *groups, __global uint *depths, ulong depths_at)
{
    FOR_TILE(j, TILE, m) {
        const ulong place = places[places_at + j];
        const uint slot = SLOT_OF(place);
        if (!HEAD_OF(place)) {
            atomic_and(&groups[slot / 32], ~(1u << slot % 32));
            depths[depths_at + (slot - 1) / 2] = DEPTH_OF(place);
        }
    }
}

// counts[into] = the last of the suffixes in large groups that begins one, and is not
// behind number `last` of them; it was 0. An element for each of `words` words.
KERNEL_WG(WG) suffixsort_cut(__global const uint *groups, __global const uint2 *classes, __global const uint2 *starts, ulong words, uint last, __global uint *counts, uint into)
{
    __local uint cut;
    if (get_local_id(0) == 0)
        cut = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(w, TILE, words) {
        const uint class = classes[w].y;
        uint rest = class & groups[w];
        while (rest != 0 && AMONG(starts[w].y, class, last_bit(rest)) > last)
            rest &= ~(1u << last_bit(rest));
        if (rest != 0)
            atomic_max(&cut, AMONG(starts[w].y, class, last_bit(rest)));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && cut > 0)
        atomic_max(&counts[into], cut);
}

// Lists those of large groups that have been split: those that are small or alone return
// to sa.
KERNEL_WG(WG) suffixsort_relist(__global const uint *suffixes, __global const ulong *all, ulong all_at, ulong m, __global const uint2 *classes, __global const uint2 *starts, __global ulong *places, ulong places_at, __global uint *large, __global ulong *large_places, ulong large_at, __global uint *sa)
{
    FOR_TILE(j, TILE, m) {
        const uint2 class = classes[j / 32], start = starts[j / 32];
        const uint suffix = suffixes[j];
        const ulong place = all[all_at + j];
        if (IS_MEMBER(class.y, j)) {
            const uint to = AMONG(start.y, class.y, j);
            large[to] = suffix;
            large_places[large_at + to] = place;
        } else {
            sa[SLOT_OF(place)] = suffix;
            if (IS_MEMBER(class.x, j))
                places[places_at + AMONG(start.x, class.x, j)] = place;
        }
    }
}

// keys[j] = window behind what suffix j is sorted by. For large groups.
KERNEL_WG(WG) suffixsort_extend(__global const uchar *text, __global const ulong *packed, __global const uint *table, ulong size, uint width, uint bits, __global const uint *suffixes, __global const ulong *places, ulong places_at, ulong m, __global uint *heads, __global ulong *keys)
{
    __local uint codes[SYMBOLS], words[TILE / 32];
    load_table(table, codes);
    clear_heads(words);
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(j, TILE, m) {
        const ulong place = places[places_at + j];
        keys[j] = window(text, packed, codes, size, width, bits, (ulong)suffixes[j] + DEPTH_OF(place));
        set_head(words, j, place);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    write_heads(words, m, heads);
}

// Splits large groups that are sorted by windows: their places get depth and head.
KERNEL_WG(WG) suffixsort_split(__global const ulong *keys, __global const uint *suffixes, ulong size, ulong m, __global ulong *places, ulong places_at, __global uint *heads)
{
    __local uint words[TILE / 32];
    clear_heads(words);
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(j, TILE, m) {
        const ulong key = keys[j], place = places[places_at + j];
        const uint before = suffixes[j - (j > 0)], depth = DEPTH_OF(place) + (uint)(key & 0xff);
        const bool head = HEAD_OF(place) || keys[j - (j > 0)] != key || (ulong)before + depth >= size;
        places[places_at + j] = PLACE(SLOT_OF(place), depth, head);
        set_head(words, j, PLACE(0, 0, head));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    write_heads(words, m, heads);
}

// keys[j] = rank of what is behind; the depths are noted. For listed small groups, whose number
// may be one of the counts.
KERNEL_WG(WG) suffixsort_follow(__global const uint *isa, __global const uint *sa, __global const ulong *places, ulong places_at, ulong m, __global const uint *counts, uint count, __global uint *keys, ulong keys_at, __global uint *depths, ulong depths_at)
{
    const ulong all = LISTED(m, counts, count), end = min((ulong)(get_group_id(0) + 1) * TILE, all);
    for (ulong start = (ulong)get_group_id(0) * TILE + get_local_id(0); start < end; start += UNDER_WAY * WG) {
        ulong place[UNDER_WAY], behind[UNDER_WAY];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++)
            place[u] = places[places_at + min(start + u * WG, end - 1)];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++)
            behind[u] = (ulong)sa[SLOT_OF(place[u])] + DEPTH_OF(place[u]);
        uint rank[UNDER_WAY];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++)
            rank[u] = isa[behind[u]];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            if (start + u * WG < end) {
                keys[keys_at + start + u * WG] = rank[u];
                if (HEAD_OF(place[u]))
                    depths[depths_at + SLOT_OF(place[u]) / 2] = DEPTH_OF(place[u]);
            }
        }
    }
}

// behind[r] = rank of what is behind the suffix in slot r, for all of n that are in small groups. Before it is
// their depth there, if it is `fresh`, of which depths have not been told; now they are.
KERNEL_WG(WG) suffixsort_follow_all(__global const uint *isa, __global const uint *sa, ulong n, __global const uint *groups, __global const uint2 *classes, __global uint *depths, ulong depths_at, uint fresh, __global uint *behind)
{
    const ulong end = min((ulong)(get_group_id(0) + 1) * TILE, n);
    for (ulong start = (ulong)get_group_id(0) * TILE + get_local_id(0); start < end; start += UNDER_WAY * WG) {
        bool small[UNDER_WAY];
        ulong at[UNDER_WAY];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            const ulong r = start + u * WG;
            small[u] = r < end && IS_MEMBER(classes[min(r, end - 1) / 32].x, r);
        }
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            const ulong r = start + u * WG;
            at[u] = small[u] ? sa[r] : 0u;
            if (small[u]) {
                const ulong index = depths_at + DEPTH_INDEX(r, IS_SET(groups, r));
                const uint depth = fresh ? behind[r] : depths[index];
                at[u] += depth;
                if (fresh)
                    depths[index] = depth;
            }
        }
        uint rank[UNDER_WAY];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++)
            rank[u] = small[u] ? isa[at[u]] : 0u;
        UNROLL for (uint u = 0; u < UNDER_WAY; u++)
            if (small[u])
                behind[start + u * WG] = rank[u];
    }
}

// depths of small groups from fresh ones of their suffixes.
KERNEL_WG(WG) suffixsort_deepen(__global const uint *fresh, ulong n, __global const uint *groups, __global const uint2 *classes, __global uint *depths, ulong depths_at)
{
    FOR_TILE(r, TILE, n) {
        if (IS_MEMBER(classes[r / 32].x, r) && !IS_SET(groups, r))
            depths[depths_at + (r - 1) / 2] = fresh[r];
    }
}

// Depths in bytes, and back: less is no more than slower.
KERNEL_WG(WG) suffixsort_narrow(__global const uint *depths, ulong depths_at, ulong m, __global uchar *bytes)
{
    FOR_TILE(w, TILE, m)
        bytes[w] = (uchar)min(depths[depths_at + w], 255u);
}

KERNEL_WG(WG) suffixsort_widen(__global const uchar *bytes, ulong m, __global uint *depths, ulong depths_at)
{
    FOR_TILE(w, TILE, m)
        depths[depths_at + w] = bytes[w];
}

// The same as suffixsort_follow for large groups; heads is their bitmap.
KERNEL_WG(WG) suffixsort_follow_large(__global const uint *isa, __global const uint *suffixes, __global const ulong *places, ulong places_at, ulong m, __global uint *heads, __global uint *keys, __global uint *depths, ulong depths_at)
{
    __local uint words[TILE / 32];
    clear_heads(words);
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(j, TILE, m) {
        const ulong place = places[places_at + j];
        keys[j] = isa[(ulong)suffixes[j] + DEPTH_OF(place)];
        set_head(words, j, place);
        if (HEAD_OF(place))
            depths[depths_at + SLOT_OF(place) / 2] = DEPTH_OF(place);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    write_heads(words, m, heads);
}

// heads = where large groups that are sorted by ranks begin.
KERNEL_WG(WG) suffixsort_differ(__global const uint *keys, __global const ulong *places, ulong places_at, ulong m, __global uint *heads)
{
    __local uint words[TILE / 32];
    clear_heads(words);
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(j, TILE, m)
        set_head(words, j, keys[j] != keys[j - (j > 0)] ? PLACE(0, 0, 1) : places[places_at + j]);
    barrier(CLK_LOCAL_MEM_FENCE);
    write_heads(words, m, heads);
}

// sa gets large groups back.
KERNEL_WG(WG) suffixsort_settle(__global const uint *suffixes, __global const ulong *places, ulong places_at, ulong m, __global uint *sa)
{
    FOR_TILE(j, TILE, m)
        sa[SLOT_OF(places[places_at + j])] = suffixes[j];
}

// isa of suffixes that are partitioned.
KERNEL_WG(WG) suffixsort_scatter(__global const uint *suffixes, __global const uint *ranks, ulong m, __global uint *isa)
{
    FOR_TILE(q, TILE, m)
        isa[suffixes[q]] = ranks[q];
}

KERNEL_WG(WG) suffixsort_invert(__global const uint *sa, __global const uint *groups, __global const uint *lasts, ulong n, __global uint *isa)
{
    FOR_TILE(r, TILE, n)
        isa[sa[r]] = rank_of(groups, lasts, r);
}

#endif

#ifdef SUFFIXSORT_PARTITION

#define RADIX_PARAMS , __global const uint *sa, __global const uint *groups, __global const uint *lasts, ulong part
#define RADIX_LOAD_KEY(p) sa[part + (p)]
#define RADIX_LOAD_VALUE(p) rank_of(groups, lasts, part + (p))

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

#ifdef SUFFIXSORT_REFINE

// The slots of the first suffixes of the old and of the new group. The first new one
// keeps the rank. Suffixes that still agree do so in their own depth and that of the group
// that follows, which is unsorted too.
#define T uint2
#define OP OP_MAX
#define IDENTITY ((uint2)(0u, 0u))
#define SCAN_PARAMS , __global const uint *keys, __global const uint *suffixes, __global ulong *places, ulong places_at, __global const uint *heads, __global const uint *depths, ulong depths_at, __global uint *isa
#define SLOT(j) SLOT_OF(places[places_at + (j)])
#define SCAN_LOAD(j) ((uint2)(HEAD_OF(places[places_at + (j)]) ? SLOT(j) : 0u, IS_SET(heads, j) ? SLOT(j) : 0u))
#define SCAN_STORE(j, before, value)                                                                                                  \
    {                                                                                                                                 \
        if ((value).x != (value).y)                                                                                                   \
            isa[suffixes[j]] = (value).y;                                                                                             \
        if (!IS_SET(heads, j) || (j) + 1 < n && !IS_SET(heads, (j) + 1))                                                              \
            places[places_at + (j)] = PLACE(SLOT(j), DEPTH_OF(places[places_at + (j)]) + depths[depths_at + keys[j] / 2], IS_SET(heads, j)); \
        else                                                                                                                          \
            places[places_at + (j)] = PLACE(SLOT(j), 0, 1);                                                                           \
    }

#endif
