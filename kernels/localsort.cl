// localsort.cl: a merge sort of a work-group's items in local memory: each work-item sorts ITEMS of them, then pairs of
// runs are merged along the merge path, pairs that are in order excepted.
//
//   K, K64     key type; K64 1 if it is ulong
//   SEGMENTED  1 if items are ordered by their segment first; 0 if only by key and tag
//
// It has no kernels. Local memory: 8 bytes an item, 12 if K64.

#ifndef ITEMS
#error "ITEMS: items of a work-item"
#endif
#ifndef K
#error "K: key type"
#endif
#ifndef K64
#error "K64: 1 if keys have 64 bits, else 0"
#endif
#ifndef SEGMENTED
#error "SEGMENTED: 1 if tags begin with a segment, else 0"
#endif

#if !IS_CPU

#define CAPACITY (WG * ITEMS)

// What is sorted: no two are equal, and the largest pads the end.
#if K64
typedef ulong2 item; // key, and a tag: segment << 16 | place, if SEGMENTED
#define ITEM_LARGEST ((ulong2)(~0ul, ~0ul))
#define ITEM_LOCAL __local ulong keys_[CAPACITY]; __local uint tags_[CAPACITY];
#define ITEM_PARAMS __local ulong *keys_, __local uint *tags_
#define ITEM_ARGS keys_, tags_
#define ITEM_GET(q) (ulong2)(keys_[q], (ulong)tags_[q])
#define ITEM_PUT(q, e)              \
    do {                         \
        keys_[q] = (e).x;        \
        tags_[q] = (uint)(e).y;  \
    } while (0)
#define ITEM_MAKE(segment, key, place) (ulong2)(key, (ulong)((segment) << 16 | (place)))
#define ITEM_KEY(e) (e).x
#define ITEM_PLACE(e) ((uint)(e).y & 0xffff)
inline bool item_less(item a, item b)
{
    const uint s = SEGMENTED ? (uint)a.y >> 16 : 0u, t = SEGMENTED ? (uint)b.y >> 16 : 0u;
    return s < t || (s == t && (a.x < b.x || (a.x == b.x && (uint)a.y < (uint)b.y)));
}
#else
typedef ulong item; // segment << 48 | key << 16 | place
#define ITEM_LARGEST (~0ul)
#define ITEM_LOCAL __local ulong words_[CAPACITY];
#define ITEM_PARAMS __local ulong *words_
#define ITEM_ARGS words_
#define ITEM_GET(q) words_[q]
#define ITEM_PUT(q, e) words_[q] = e
#define ITEM_MAKE(segment, key, place) ((ulong)(segment) << 48 | (ulong)(key) << 16 | (place))
#define ITEM_KEY(e) (K)((e) >> 16)
#define ITEM_PLACE(e) ((uint)(e) & 0xffff)
inline bool item_less(item a, item b) { return a < b; }
#endif

// Sorts the first `count` items, of each `team` work-items on their own. All of them are there when it is called, and
// when it returns. It is long, and compilers that do not inline it do not find it either: AMD's.
#if ITEMS > 32
#error "ITEMS: at most 32"
#endif
#define NETWORK 5 // 2^5 items

__attribute__((always_inline)) inline void sort_items(ITEM_PARAMS, uint count, uint team)
{
    // ITEMS for each work-item, by an odd-even merge sort.
    const uint lid = get_local_id(0), first = lid * ITEMS, top = (count + ITEMS - 1) / ITEMS * ITEMS;
    item mine[ITEMS];
    if (first < count) {
        UNROLL for (uint k = 0; k < ITEMS; k++)
            mine[k] = first + k < count ? ITEM_GET(first + k) : ITEM_LARGEST;
        UNROLL for (uint lp = 0; lp < NETWORK; lp++)
        {
            UNROLL for (uint lk = 0; lk < NETWORK; lk++)
            {
                UNROLL for (uint k = 0; k < ITEMS; k++)
                {
                    const uint p = 1u << lp, d = p >> lk, skip = lk == 0 ? 0u : d;
                    if (p < ITEMS && d > 0 && k >= skip && (k - skip) / max(d, 1u) % 2 == 0 && k + d < ITEMS &&
                        k / (2 * p) == (k + d) / (2 * p)) {
                        const item a = mine[k], b = mine[(k + d) % ITEMS];
                        const bool swap = item_less(b, a);
                        mine[k] = swap ? b : a;
                        mine[(k + d) % ITEMS] = swap ? a : b;
                    }
                }
            }
        }
        UNROLL for (uint k = 0; k < ITEMS; k++)
            ITEM_PUT(first + k, mine[k]);
    }

    // Merge runs of `run` work-items. What a work-item holds in `mine` is what stands in
    // its place.
    for (uint run = 1; run < team && run * ITEMS < count; run *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint a_first = (lid & ~(2 * run - 1)) * ITEMS;
        const uint a_end = min(a_first + run * ITEMS, top), b_end = min(a_end + run * ITEMS, top);
        bool merge = first < top && a_end < b_end;
        if (merge)
            merge = item_less(ITEM_GET(a_end), ITEM_GET(a_end - 1));
        if (merge) {
            const uint diagonal = first - a_first, a_count = a_end - a_first, b_count = b_end - a_end;
            uint lo = (uint)max((int)(diagonal - b_count), 0), hi = min(diagonal, a_count);
            while (lo < hi) {
                const uint mid = (lo + hi) / 2;
                if (item_less(ITEM_GET(a_end + diagonal - 1 - mid), ITEM_GET(a_first + mid)))
                    hi = mid;
                else
                    lo = mid + 1;
            }
            uint i = a_first + lo, j = a_end + diagonal - lo;
            item a = ITEM_GET(min(i, a_end - 1)), b = ITEM_GET(min(j, b_end - 1));
            UNROLL for (uint k = 0; k < ITEMS; k++) {
                const bool take_b = i >= a_end || (j < b_end && item_less(b, a));
                mine[k] = take_b ? b : a;
                i += take_b ? 0u : 1u;
                j += take_b ? 1u : 0u;
                const item next = ITEM_GET(take_b ? min(j, b_end - 1) : min(i, a_end - 1));
                a = take_b ? a : next;
                b = take_b ? next : b;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (merge) {
            UNROLL for (uint k = 0; k < ITEMS; k++)
                ITEM_PUT(first + k, mine[k]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

#endif
