// distributed.cl: merges two sorted lists of suffixes of a text that is whole in memory, by 8 characters at a time
// (merge path: Odeh, Green, Mwassi, Shmueli & Birk, Merge Path, 2012).
//
// Launch: one work-item for each `items` suffixes of the result, in work-groups of WG. No local memory. A work-item
// finds its part of both lists by binary search, and merges it.
//
// P is the type of a position. With RANKS suffixes that agree in 32 characters are compared by the ranks of samples,
// for which distributed_cover.cl is needed. Without, by all their characters.

#ifndef AHEAD
#error "AHEAD: suffixes further on that memory is asked for"
#endif
#ifndef P
#error "P: uint or ulong"
#endif
#ifndef RANKS
#error "RANKS: 1 or 0"
#endif
#ifndef COVER_PERIOD
#error "COVER_PERIOD: distributed_cover.cl"
#endif
#ifndef COVER_NUMBER
#error "COVER_NUMBER: distributed_cover.cl"
#endif

// The text has zeros after its end, up to a whole word and three more.

// 8 characters from i on, the first in the low bits. The word after them is read, too.
inline ulong eight_at(__global const ulong *text, ulong i)
{
#if IS_CPU
    return as_ulong(vload8(0, (__global const uchar *)text + i));
#else
    const uint shift = (uint)(i % 8) * 8;
    return text[i / 8] >> shift | (text[i / 8 + 1] << 1) << (63 - shift); // as a shift by 64 would do nothing
#endif
}

// 8 characters from i on as a number, the first in the high bits.
inline ulong characters(__global const ulong *text, ulong i)
{
    return as_ulong(as_uchar8(eight_at(text, i)).s76543210);
}

// 16 characters from i on.
inline ulong2 head(__global const ulong *text, ulong i)
{
    return (ulong2)(characters(text, i), characters(text, i + 8));
}

// Whether 32 characters from i and from j on agree.
inline bool agree_32(__global const ulong *text, ulong i, ulong j)
{
#if IS_CPU
    __global const uchar *a = (__global const uchar *)text + i, *b = (__global const uchar *)text + j;
    const ulong2 differ = (as_ulong2(vload16(0, a)) ^ as_ulong2(vload16(0, b))) |
        (as_ulong2(vload16(1, a)) ^ as_ulong2(vload16(1, b)));
    return (differ.x | differ.y) == 0;
#else
    ulong differ = 0;
    UNROLL for (uint k = 0; k < 32; k += 8)
        differ |= eight_at(text, i + k) ^ eight_at(text, j + k);
    return differ == 0;
#endif
}

#if RANKS
#define RANKS_PARAM , __global const P *ranks
#define RANKS_ARGUMENT , ranks

// Whether the suffix at x is less than the one at y. Both have 31 characters or more, and agree in them.
inline bool rank_less(__global const P *ranks, P x, P y)
{
    const uint at = (uint)(x % COVER_PERIOD), difference = (uint)(y % COVER_PERIOD) + COVER_PERIOD - at;
    const uint k = (cover_common[difference % COVER_PERIOD] + COVER_PERIOD - at) % COVER_PERIOD;
    return ranks[COVER_NUMBER(x + k)] < ranks[COVER_NUMBER(y + k)];
}
#else
#define RANKS_PARAM
#define RANKS_ARGUMENT
#endif

// Whether the suffixes at x and y, which agree in `depth` characters, are told apart by the 8 characters cx and cy that
// follow, or by what is known beyond. Then *less says whether that at x comes first. A suffix that ends is the
// smaller one, and it is the one further on.
inline bool told_apart(
    __global const ulong *text, ulong size, ulong x, ulong y, ulong cx, ulong cy, ulong depth, bool *less RANKS_PARAM)
{
    const bool ended = max(x, y) + depth >= size;
    *less = ended ? x > y : cx < cy;
#if RANKS
    if (!ended && cx == cy && (depth == 24 || (depth == 0 && max(x, y) + 40 <= size && agree_32(text, x + 8, y + 8)))) {
        *less = max(x, y) + 32 > size ? x > y : rank_less(ranks, (P)x, (P)y);
        return true;
    }
#endif
    return ended || cx != cy;
}

// to[at .. at+na+nb) = the suffixes of from[at .. at+na) and of the nb after them, both sorted. A comparison of 8
// or 32 characters is a step. A work-item that needs more steps than it may take adds 1 to spent[0]; then the result is
// of no use, and work-items that start later do nothing.
KERNEL_WG(WG) distributed_merge(
    __global const ulong *text, ulong size, __global const P *from, ulong at, ulong na, ulong nb, __global P *to,
    ulong items, ulong steps, __global uint *spent RANKS_PARAM)
{
    const ulong first = min(((ulong)get_group_id(0) * WG + get_local_id(0)) * items, na + nb);
    const ulong last = min(first + items, na + nb);
    __global const P *a = from + at, *b = a + na;
    ulong left = first < last && load_relaxed(&spent[0]) == 0 ? steps : 0;
    const bool started = left > 0;
    bool less;

    // How many of the first suffixes are of a.
    // Signed, as Oclgrind does not know the instruction for a difference of at least 0.
    ulong low = (ulong)max((long)first - (long)nb, 0l), high = min(first, na), depth = 0;
    bool wide = true; // whether 32 characters may agree
    for (; low < high && left > 0; left--) {
        const ulong middle = (low + high) / 2, x = a[middle], y = b[first - 1 - middle];
        const ulong cx = characters(text, x + depth), cy = characters(text, y + depth);
#if RANKS
        wide = false;
#else
        wide = wide && max(x, y) + depth + 32 <= size && agree_32(text, x + depth, y + depth);
#endif
        if (!told_apart(text, size, x, y, cx, cy, depth, &less RANKS_ARGUMENT)) {
            depth += wide ? 32 : 8;
        } else {
            wide = true;
            if (less)
                low = middle + 1;
            else
                high = middle;
            depth = 0;
        }
    }

    ulong i = low, j = first - low, k = first;
    ulong x = left > 0 && i < na ? a[i] : 0, y = left > 0 && j < nb ? a[na + j] : 0;
    ulong2 head_x = head(text, x), head_y = head(text, y);
    depth = 0;
    for (; k < last && left > 0; left--) {
        if (i == na || j == nb) {
            less = i < na;
        } else if (depth == 0 && (head_x.s0 != head_y.s0 || head_x.s1 != head_y.s1)) {
            less = head_x.s0 < head_y.s0 || (head_x.s0 == head_y.s0 && head_x.s1 < head_y.s1);
        } else {
            depth = max(depth, 16ul);
            wide = !RANKS && max(x, y) + depth + 32 <= size && agree_32(text, x + depth, y + depth);
            const ulong cx = characters(text, x + depth), cy = characters(text, y + depth);
            if (!told_apart(text, size, x, y, cx, cy, depth, &less RANKS_ARGUMENT)) {
                depth += wide ? 32 : 8;
                continue;
            }
            depth = 0;
        }
        to[at + k] = (P)(less ? x : y);
        k++;

        // The list that the suffix came from goes on. Without branches: which one it is cannot be predicted.
        i += less;
        j += !less;
        const ulong of = less ? 0 : na, in = less ? i : j, end = less ? na : nb;
        PREFETCH((__global const uchar *)text + a[of + min(in + AHEAD, end - 1)]);
        const ulong next = a[of + min(in, end - 1)];
        const ulong2 head_next = head(text, next);
        x = less ? next : x;
        y = less ? y : next;
        head_x = less ? head_next : head_x;
        head_y = less ? head_y : head_next;
    }
    if (started && k < last)
        atomic_inc(&spent[0]);
}
