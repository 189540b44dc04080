// fmindex_search.cl: counts and locates patterns by an FM-index; fmindex.cl describes it.
//
// Whatever an index holds, a search touches nothing outside of its buffers and ends.
//
// Launch: one work-group of WG for each WG*ITEMS patterns or occurrences. Local memory: 1,536 bytes.

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif
#ifndef FM_LAYOUT
#error "FM_LAYOUT: 4 or 256"
#endif

inline uint place(uint row, uint primary) { return row - (row > primary); }

// The ones before bit r of the 96 after a count.
inline uint ones_before(uint4 block, uint r)
{
    const uint all = 0xffffffffu, r1 = sub_sat(r, 32u), r2 = sub_sat(r, 64u);
    return popcount(block.y & (r < 32 ? ~(all << r) : all)) + popcount(block.z & (r1 < 32 ? ~(all << r1) : all)) +
           popcount(block.w & ~(all << r2));
}

inline bool bit_of(uint4 block, uint r) { return (r < 32 ? block.y : r < 64 ? block.z : block.w) >> r % 32 & 1; }

#define INDEX_PARAMS                                                                                     \
    __global const uint4 *blocks, __global const uint *runs, uint count_runs, uint escaped, uint levels, \
    __global const uint *table, uint n, uint primary

#if FM_LAYOUT == 4

#define INDEX blocks, runs, count_runs, escaped, n

inline uint sum4(uint4 v) { return v.x + v.y + v.z + v.w; }

// Tells about place p of block b: .x how many escapes are before it in its block; .y the
// row that LF leads to if it is one itself, NO_ROW if not.
#define NO_ROW 0xffffffffu
inline uint2 escapes_at(
    __global const uint4 *blocks, __global const uint *runs, uint count_runs, uint escaped, uint n, uint4 counts,
    uint b, uint p)
{
    uint2 found = (uint2)(0, NO_ROW);
    const uint sum = sum4(counts);
    if (count_runs > 0 && (b >= n / 64 || sum4(blocks[2 * b + 2]) - sum != 64)) {
        uint low = 0, high = count_runs; // the runs that begin at p or before
        while (low < high) {
            const uint middle = low + (high - low) / 2;
            if (runs[3 * (ulong)middle] <= p)
                low = middle + 1;
            else
                high = middle;
        }
        if (low > 0) {
            __global const uint *run = runs + 3 * (ulong)(low - 1);
            const uint inside = p - run[0], length = (low < count_runs ? run[5] : escaped) - run[2];
            found.x = run[2] + min(inside, length) - (b * 64 - sum);
            if (inside < length)
                found.y = run[1] + inside;
        }
    }
    return found;
}

inline uint rank_in(uint4 counts, uint4 planes, uint c, uint p)
{
    const ulong low = as_ulong(planes.lo), high = as_ulong(planes.hi);
    const ulong same = (c & 1 ? low : ~low) & (c & 2 ? high : ~high);
    const uint before = c & 2 ? (c & 1 ? counts.w : counts.z) : (c & 1 ? counts.y : counts.x);
    return before + (uint)popcount(same & ~(~0ul << p % 64));
}

inline uint rank(
    __global const uint4 *blocks, __global const uint *runs, uint count_runs, uint escaped, uint n,
    __local const uint *bases, uint c, uint p)
{
    const uint b = p / 64;
    const uint4 counts = blocks[2 * b], planes = blocks[2 * b + 1];
    uint r = bases[c] + rank_in(counts, planes, c, p);
    if (c == 0)
        r -= escapes_at(INDEX, counts, b, p).x;
    return r;
}

// The row of the suffix that is longer by the character at place p.
inline uint longer(
    __global const uint4 *blocks, __global const uint *runs, uint count_runs, uint escaped, uint n,
    __local const uint *bases, uint p)
{
    const uint b = p / 64;
    const uint4 counts = blocks[2 * b], planes = blocks[2 * b + 1];
    const uint c = (uint)(as_ulong(planes.lo) >> p % 64 & 1) | (uint)(as_ulong(planes.hi) >> p % 64 & 1) << 1;
    uint r = bases[c] + rank_in(counts, planes, c, p);
    if (c == 0) {
        const uint2 escape = escapes_at(INDEX, counts, b, p);
        r = escape.y != NO_ROW ? escape.y : r - escape.x;
    }
    return r;
}

#else

#define INDEX blocks, n, levels, table

// table[512 + l] are the zeros of level l.
inline uint rank(
    __global const uint4 *blocks, uint n, uint levels, __global const uint *table, __local const uint *bases, uint c,
    uint p)
{
    const uint stride = n / 96 + 1;
    uint i = p;
    for (uint l = 0; l < levels; l++) {
        const uint4 block = blocks[(ulong)l * stride + i / 96];
        const uint ones = block.x + ones_before(block, i % 96);
        i = min(n, c >> (levels - 1 - l) & 1 ? table[512 + l] + ones : i - ones);
    }
    return bases[c] + i;
}

inline uint longer(
    __global const uint4 *blocks, uint n, uint levels, __global const uint *table, __local const uint *bases, uint p)
{
    const uint stride = n / 96 + 1;
    uint i = p, c = 0;
    for (uint l = 0; l < levels; l++) {
        const uint4 block = blocks[(ulong)l * stride + i / 96];
        const uint ones = block.x + ones_before(block, i % 96);
        const bool bit = bit_of(block, i % 96);
        i = min(n, bit ? table[512 + l] + ones : i - ones);
        c = c << 1 | bit;
    }
    return bases[c] + i;
}

#endif

// table: [0, 256) the symbol of each character of a pattern, [256, 512) for each symbol
// what is to be added to its rank. No return before the barrier.
inline void load_table(__global const uint *table, __local ushort *codes, __local uint *bases)
{
    for (uint c = get_local_id(0); c < 256; c += WG) {
        codes[c] = (ushort)table[c];
        bases[c] = table[256 + c];
    }
}

// intervals[q]: the rows that begin with pattern q; x = y where there is none, and of the
// empty pattern.
KERNEL_WG(WG) fm_count(
    INDEX_PARAMS, __global const uchar *patterns, ulong bytes, __global const uint *offsets, uint first, uint count,
    __global uint2 *intervals)
{
    __local ushort codes[256];
    __local uint bases[256];
    load_table(table, codes, bases);
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(t, WG * ITEMS, count) {
        const ulong q = first + t;
        const uint from = offsets[q], to = (uint)min((ulong)offsets[q + 1], bytes);
        uint low = 0, high = from < to ? n + 1 : 0;
        ulong word = 0;
        for (uint j = to; j > from && low < high;) {
            j--;
            const bool whole = j / 8 < bytes / 8;
            if (whole && (j % 8 == 7 || j + 1 == to))
                word = ((__global const ulong *)patterns)[j / 8];
            const uint c = codes[whole ? (uchar)(word >> j % 8 * 8) : patterns[j]];
            if (c == NONE) {
                high = low;
            } else {
                low = min(n + 1, rank(INDEX, bases, c, place(low, primary)));
                high = min(n + 1, rank(INDEX, bases, c, place(high, primary)));
            }
        }
        intervals[q] = low < high ? (uint2)(low, high) : (uint2)(0);
    }
}

// positions[t] is that of occurrence first + t, t < m.
KERNEL_WG(WG) fm_locate(
    INDEX_PARAMS, __global const uint4 *marks, __global const uint *samples, uint sampled, uint rate,
    __global const uint2 *intervals, __global const ulong *firsts, uint count, ulong first, ulong m,
    __global uint *positions)
{
    __local ushort codes[256];
    __local uint bases[256];
    load_table(table, codes, bases);
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(t, WG * ITEMS, m) {
        const uint q = pattern_of(firsts, count, first + t);
        uint row = intervals[q].x + (uint)(first + t - firsts[q]);
        uint position = n;
        bool found = false;
        for (uint steps = 0; steps < rate && row > 0 && row <= n && !found; steps++) {
            const uint slot = row - 1;
            const uint4 block = marks[slot / 96];
            found = bit_of(block, slot % 96);
            if (found)
                position = samples[min(sampled - 1, block.x + ones_before(block, slot % 96))] * rate + steps;
            else
                row = longer(INDEX, bases, min(n - 1, place(row, primary)));
        }
        positions[t] = min(position, n);
    }
}
