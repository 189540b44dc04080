// ranges_lists.cl: packs a text, and sorts lists of its suffixes. ranges.cl, before it in a program, describes the
// arrays.
//
// A list has suffixes in groups of those that agree so far, with the slot of each in the range. A bitmap has the heads
// of the groups. What is alone in its group has its place in sa.
//
// Launch: one work-group of WG for each TILE elements. Local memory: ranges_split 4 bytes for each 32 elements,
// ranges_ends 4.

#ifndef TILE
#error "TILE: elements of a work-group, a multiple of 32"
#endif
#ifndef WHOLE_SHIFT
#error "WHOLE_SHIFT: the bits of a window below the number of characters"
#endif
#define NO_CODE 0xffffffffu
#define CHUNK ((TILE + WG - 1) / WG)
#define AHEAD 8 // suffixes, whose ranks are asked for on CPUs

// Packs `words` words of a piece of the text, from word `at` on. table has the code of each byte, or NO_CODE. The piece
// has `have` characters; its first one begins word `at`. counts[strange] is not 0 if one has no code.
KERNEL_WG(WG) ranges_pack(
    __global const uchar *piece, ulong have, __global const uint *table, uint width, ulong at, ulong words,
    __global ulong *packed, __global uint *counts, uint strange)
{
    bool all_coded = true;
    FOR_TILE(w, TILE, words) {
        ulong all = 0, c = 64 * w / width;
        for (int up = 64 - (int)width + (int)(64 * w - c * width); up > -(int)width; up -= (int)width, c++) {
            const uint known = c < have ? table[piece[c]] : 0u;
            const ulong code = known;
            all_coded &= known != NO_CODE;
            all |= up >= 0 ? code << up : code >> -up;
        }
        packed[at + w] = all;
    }
    if (!all_coded)
        atomic_inc(&counts[strange]);
}

// windows[x] = the first `bits` bits of listed suffix x, less `base`; from bit WHOLE_SHIFT on, how many whole
// characters the text has there.
KERNEL_WG(WG) ranges_keys(
    TEXT_PARAMS, __global const POS *suffixes, ulong listed, uint bits, ulong base, __global ulong *windows)
{
    FOR_TILE(x, TILE, listed) {
        const ulong i = POSITION(suffixes[x]), key = (packed_window(packed, width, i) >> (64 - bits)) - base;
        windows[x] = key | min(size - i, (ulong)(bits / width)) << WHOLE_SHIFT;
    }
}

// keys[x] = the first 64 bits of listed suffix x, less `base`, times scale / 2^64: in 32 bits.
KERNEL_WG(WG) ranges_short_keys(
    TEXT_PARAMS, __global const POS *suffixes, ulong listed, ulong base, ulong scale, __global uint *keys)
{
    FOR_TILE(x, TILE, listed)
        keys[x] = (uint)mul_hi(packed_window(packed, width, POSITION(suffixes[x])) - base, scale);
}

// windows[x] = that of listed suffix x, `depth` characters further.
KERNEL_WG(WG) ranges_windows(
    TEXT_PARAMS, __global const POS *suffixes, ulong listed, uint depth, __global ulong *windows)
{
    FOR_TILE(x, TILE, listed)
        windows[x] = window_at(TEXT_ARGS, POSITION(suffixes[x]) + depth);
}

// Splits groups where what they are sorted by differs: windows, or short keys if these are not null. sa gets the
// suffixes that are alone. all_heads, if not null, is a bitmap of slots that begin groups. heads and slots may be null:
// then all is one group, and the places are slots.
KERNEL_WG(WG) ranges_split(
    __global const ulong *windows, __global const uint *keys, __global const POS *suffixes,
    __global const uint *slots, __global const uint *heads, ulong listed, __global uint *split_heads,
    __global POS *sa, __global uint *all_heads)
{
    __local uint words[TILE / 32];
    for (uint w = get_local_id(0); w < TILE / 32; w += WG)
        words[w] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(x, TILE, listed) {
        const bool head = x == 0 || (keys != 0 ? keys[x] != keys[x - 1] : windows[x] != windows[x - 1]) ||
                          (heads != 0 && head_at(heads, x, listed));
        const bool last =
            x + 1 == listed || (keys != 0 ? keys[x] != keys[x + 1] : windows[x] != windows[x + 1]) ||
            (heads != 0 && head_at(heads, x + 1, listed));
        const uint slot = slots != 0 ? slots[x] : (uint)x;
        if (head) {
            atomic_or(&words[x % TILE / 32], 1u << x % 32);
            if (all_heads != 0)
                atomic_or(&all_heads[slot / 32], 1u << slot % 32);
        }
        if (head && last)
            sa[slot] = suffixes[x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint w = get_local_id(0); w < TILE / 32; w += WG) {
        const ulong to = (ulong)get_group_id(0) * (TILE / 32) + w;
        if (to * 32 < listed)
            split_heads[to] = words[w];
    }
}

// windows[x] = the rank of a sample after listed suffix x, all suffixes of a group agreeing up to there. It is
// in the lower half; in the upper half the class of the sample's distance, which is a residue of the cover. There is
// one for each suffix: a residue is the difference of two.
KERNEL_WG(WG) ranges_ranked(
    COVER_PARAMS, __global const uint *sample_ranks, __global const POS *suffixes, ulong listed,
    __global ulong *windows)
{
    FOR_TILE(x, TILE, listed) {
        const ulong i = POSITION(suffixes[x]);
        const uint distance = cover[(uint)((POS)i % period)];
        windows[x] = (ulong)cover[period + distance] << 32 | sample_ranks[sample_at(COVER_ARGS, i + distance)];
    }
}

// groups has where the group of each place starts. groups[listed + s] becomes the place after the group that starts at
// s, and counts[at] the number of runs of the largest. runs, those of RANGES_RUNS, may be null: then each suffix is
// one.
KERNEL_WG(WG) ranges_ends(
    __global const uint *heads, ulong listed, __global uint *groups, __global const uint *runs, __global uint *counts,
    uint at)
{
    __local uint most;
    if (get_local_id(0) == 0)
        most = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(x, TILE, listed) {
        if (head_at(heads, x + 1, listed)) {
            const uint start = groups[x];
            groups[listed + start] = (uint)x + 1;
            atomic_max(&most, (runs != 0 ? runs[x] - runs[start] : (uint)x - start) + 1);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_max(&counts[at], most);
}

// Whether listed suffix a is less than b, which agrees with it in d characters: by windows up to where both are in the
// sample, then by its ranks.
inline bool less_from(TEXT_PARAMS, COVER_PARAMS, __global const uint *ranks, POS a, POS b, uint d)
{
    const ulong i = POSITION(a), j = POSITION(b);
    const uint end = sampled_after(COVER_ARGS, i, j);
    ulong x = 0, y = 0;
    uint near = d + 2 * chars; // up to there by windows
    while (x == y && d <= end) {
        if (d >= near) {
            if (agree_far(TEXT_ARGS, i + d, j + d)) {
                d += 64 * FAR_WORDS / width;
                continue;
            }
            near = end + 1;
        }
        x = window_at(TEXT_ARGS, i + d);
        y = window_at(TEXT_ARGS, j + d);
        d += chars;
    }
    return x != y ? x < y : ranks[sample_at(COVER_ARGS, i + end)] < ranks[sample_at(COVER_ARGS, j + end)];
}

// Merges neighbours in each group of what `many` runs in a row have become; its suffixes agree in `agreed` characters.
// groups and runs are those of ranges_ends. A work-item writes CHUNK suffixes in a row: it searches for where these
// start in both, as merge path does, and goes on from there.
KERNEL_WG(WG) ranges_merge(
    TEXT_PARAMS, COVER_PARAMS, __global const uint *ranks, uint agreed, __global const uint *groups,
    __global const uint *runs, ulong listed, uint many, __global const POS *suffixes, __global POS *merged)
{
    const ulong tile = (ulong)get_group_id(0) * TILE, tile_end = min(tile + TILE, listed);
    const ulong first = min(tile + get_local_id(0) * CHUNK, tile_end), last = min(first + CHUNK, tile_end);
    ulong left = 0, middle = 0, right = 0, stop = first;
    for (ulong x = first; x < last; x++) {
        if (x == stop) { // the next pair; only the first one may have begun before
            const uint start = groups[x], end = groups[listed + start];
            const uint from = runs != 0 ? runs[start] : start, at = runs != 0 ? runs[x] : (uint)x; // numbers of runs
            const ulong beyond = runs != 0 ? runs[end - 1] + 1ul : end;
            const ulong a = from + (at - from) / many / 2 * 2 * (ulong)many;
            const ulong b = min(a + many, beyond), c = min(b + many, beyond);
            __global const uint *places = runs + listed;
            left = runs != 0 ? places[a] : a;
            middle = b == beyond ? end : runs != 0 ? places[b] : b;
            stop = c == beyond ? end : runs != 0 ? places[c] : c;
            right = middle;
            const ulong done = x - left, others = stop - middle;
            ulong low = max(done, others) - others, high = min(done, middle - left);
            while (low < high) {
                const ulong skip = (low + high) / 2;
                if (less_from(TEXT_ARGS, COVER_ARGS, ranks, suffixes[middle + done - 1 - skip], suffixes[left + skip],
                              agreed))
                    high = skip;
                else
                    low = skip + 1;
            }
            left += low;
            right += done - low;
        }
        const bool from_left =
            right >= stop || (left < middle && !less_from(TEXT_ARGS, COVER_ARGS, ranks, suffixes[right], suffixes[left],
                                                         agreed));
        merged[x] = suffixes[from_left ? left : right];
        const ulong ahead = POSITION(suffixes[min((from_left ? left : right) + AHEAD, listed - 1)]);
        PREFETCH(ranks + sample_at(COVER_ARGS, ahead));
        left += from_left;
        right += !from_left;
    }
}

// sa = the listed suffixes, in their slots. slots may be null.
KERNEL_WG(WG) ranges_place(
    __global const POS *suffixes, __global const uint *slots, ulong listed, __global POS *sa)
{
    FOR_TILE(x, TILE, listed)
        sa[slots != 0 ? slots[x] : (uint)x] = suffixes[x];
}

// transform[x] = the character before listed suffix x, 0 for the whole text, whose x goes to whole[0]. letters has the
// bytes of the codes. tagged: suffixes have these codes.
KERNEL_WG(WG) ranges_transform(
    TEXT_PARAMS, __global const uchar *letters, uint tagged, __global const POS *suffixes, ulong listed,
    __global uchar *transform, __global ulong *whole)
{
    FOR_TILE(x, TILE, listed) {
        const POS suffix = suffixes[x];
        const ulong i = POSITION(suffix);
        uchar letter = 0;
        if (i == 0)
            whole[0] = x;
        else
            letter = letters[tagged ? (ulong)suffix >> TAG : packed_window(packed, width, i - 1) >> (64 - width)];
        transform[x] = letter;
    }
}

// Names the samples that agree with suffix i in `depth` characters.
KERNEL_WG(WG) ranges_equal(
    TEXT_PARAMS, COVER_PARAMS, uint depth, ulong i, ulong samples, uint name, __global uint *names)
{
    const ulong window = window_at(TEXT_ARGS, i);
    FOR_TILE(x, TILE, samples) {
        const ulong j = sampled(COVER_ARGS, x);
        const ulong other = window_at(TEXT_ARGS, j);
        if (compare_suffixes(TEXT_ARGS, COVER_ARGS, (__global const uint *)0, depth, i, window, j, other) == 0)
            names[name_place(COVER_ARGS, samples, x)] = name;
    }
}

// ranks of the samples: of different names, from the names; else from the suffix array of the text of names.
KERNEL_WG(WG) ranges_ranks(
    COVER_PARAMS, ulong samples, __global const uint *names, __global const uint *sa, __global uint *ranks)
{
    const POS full = (POS)samples / residues, more = (POS)samples % residues;
    FOR_TILE(r, TILE, samples) {
        if (sa == 0) {
            ranks[r] = names[name_place(COVER_ARGS, samples, r)] - 1;
        } else {
            const POS place = sa[r], longer = more * (full + 1);
            const bool in_longer = place < longer;
            const POS rest = in_longer ? place : place - longer, length = in_longer ? full + 1 : full;
            const POS class = rest / length + (in_longer ? 0 : more);
            ranks[rest % length * residues + class] = (uint)r;
        }
    }
}
