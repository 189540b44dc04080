// minima.cl: a tree of minima over an array, and searches in it: nearest lesser entries and least ones of a range, in
// O(log n). 2^FANOUT_LOG entries of a level have one in the next; the array is the lowest level. It is called lcp here,
// since all that search in one are LCP arrays.
//
//   minima_level          a level of minima from the one below, where MINIMA_LEVELS is defined
//
// Other files follow this one and use the functions.
//
// Launch: work-groups of WG, one for each tile of WG*ITEMS entries of a level. No local memory.

#ifndef FANOUT_LOG
#error "FANOUT_LOG: logarithm of the number of entries that have a minimum"
#endif

#define FANOUT (1u << FANOUT_LOG)

inline ulong blocks_at(ulong n, uint shift) { return (n + ((ulong)1 << shift) - 1) >> shift; }

#ifdef MINIMA_LEVELS

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

// minima[to..to+m): of the `below` entries of lcp, or of minima from `from` on.
KERNEL_WG(WG) minima_level(
    __global const uint *lcp, __global uint *minima, ulong from, ulong below, ulong to, ulong m, uint lowest)
{
    FOR_TILE(x, WG * ITEMS, m) {
        uint least = 0xffffffffu;
        for (ulong i = x << FANOUT_LOG; i < min((x + 1) << FANOUT_LOG, below); i++)
            least = min(least, lowest ? lcp[i] : minima[from + i]);
        minima[to + x] = least;
    }
}

#endif

// ---- Searches

typedef struct {
    __global const uint *lcp, *minima;
    ulong n;
} lengths;

// A block of slots: entry x of a level. Level 0 is lcp; minima holds the others, the lowest first.
typedef struct {
    ulong x, base;
    uint shift;
} block;

inline uint least_of(const lengths *a, const block *b, ulong x)
{
    return b->shift == 0 ? a->lcp[x] : a->minima[b->base + x];
}

// Up, where b->x begins a block of the level above and there is one.
inline void block_up(const lengths *a, block *b)
{
    const ulong size = blocks_at(a->n, b->shift);
    if ((b->x & (FANOUT - 1)) == 0 && size > FANOUT) {
        b->base += b->shift > 0 ? size : 0;
        b->shift += FANOUT_LOG;
        b->x >>= FANOUT_LOG;
    }
}

// Down; returns the number of entries there.
inline ulong block_down(const lengths *a, block *b)
{
    b->shift -= FANOUT_LOG;
    b->x <<= FANOUT_LOG;
    const ulong size = blocks_at(a->n, b->shift);
    b->base -= b->shift > 0 ? size : 0;
    return size;
}

// The first slot from i on whose lcp is less than v; n if there is none.
inline ulong next_less(const lengths *a, ulong i, uint v)
{
    block b = {v > 0 ? i : a->n, 0, 0};
    bool found = false;
    while (!found && b.x < blocks_at(a->n, b.shift)) {
        if (least_of(a, &b, b.x) >= v) {
            b.x++;
            block_up(a, &b);
        } else if (b.shift > 0) {
            block_down(a, &b);
        } else {
            found = true;
        }
    }
    return found ? b.x : a->n;
}

// The last slot before i whose lcp is at most v; 0 if there is none.
inline ulong last_at_most(const lengths *a, ulong i, uint v)
{
    block b = {i, 0, 0};
    bool found = false;
    while (!found && b.x > 0) {
        if (least_of(a, &b, b.x - 1) > v) {
            b.x--;
            block_up(a, &b);
        } else if (b.shift > 0) {
            const ulong size = block_down(a, &b);
            b.x = min(b.x, size);
        } else {
            found = true;
        }
    }
    return found ? b.x - 1 : 0;
}

// The least lcp in [i, end), or one of its entries that is less than `enough`.
inline uint least_between(const lengths *a, ulong i, ulong end, uint enough)
{
    block b = {i, 0, 0};
    uint least = 0xffffffffu;
    while (least >= enough && (b.x << b.shift) < end) {
        if (b.shift > 0 && ((b.x + 1) << b.shift) > end) {
            block_down(a, &b);
        } else {
            least = min(least, least_of(a, &b, b.x));
            b.x++;
            block_up(a, &b);
        }
    }
    return least;
}

// The first slot of the least lcp in [i, end), which holds one.
inline ulong least_slot(const lengths *a, ulong i, ulong end)
{
    block b = {i, 0, 0}, best = b;
    uint least = a->lcp[i];
    while (least > 0 && (b.x << b.shift) < end) {
        if (b.shift > 0 && ((b.x + 1) << b.shift) > end) {
            block_down(a, &b);
        } else {
            const uint here = least_of(a, &b, b.x);
            if (here < least) {
                least = here;
                best = b;
            }
            b.x++;
            block_up(a, &b);
        }
    }
    bool found = best.shift == 0;
    while (!found && best.x < blocks_at(a->n, best.shift)) {
        if (least_of(a, &best, best.x) != least)
            best.x++;
        else if (best.shift > 0)
            block_down(a, &best);
        else
            found = true;
    }
    return best.x;
}
