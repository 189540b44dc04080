// fmindex.cl: building an FM-index and searching in it (Ferragina & Manzini, Opportunistic
// data structures with applications, FOCS 2000; Wang, Baxter & Owens, section 3.3).
//
// The transform of a text of n characters is stored without its row of the end marker, as
// bwt.cl writes it: row r of the n + 1 rows of text$ is place r, or r - 1 behind row
// `primary`. Occ(c, r), how often c is in the rows before r, is rank(c, place(r)).
//
//   FM_LAYOUT 4      for up to 4 symbols. A block of 64 places is two uint4, one sector:
//                    how often each symbol was before, and two planes of 64 bits. Places
//                    of other characters, the escapes, have the bits of symbol 0 and are
//                    not counted, so that the counts of two blocks tell how many are
//                    between. Runs of them, for which LF leads to rows in a row, are
//                    listed: three words each, the first place, the row that LF leads to
//                    from there, and the escapes before.
//   FM_LAYOUT 256    a wavelet matrix (Claude, Navarro & Ordonez 2015) of `levels` bit
//                    vectors, the highest bit of the symbols first. A block of 96 places is
//                    a uint4: the ones before, and 96 bits.
//
//   FM_STEP FM_BUILD      fm_sectors, fm_bits, fm_marks: blocks whose counts are those of
//                         the block itself
//   FM_STEP FM_SUM        template of the sums of counts (scan.cl): of a block's first
//                         word (FM_WORDS 1), or of the half that `half` tells (2)
//   FM_STEP FM_ESCAPES    template that lists the escapes (compact.cl)
//   FM_STEP FM_SAMPLES    template that lists the sampled positions (compact.cl)
//   FM_STEP FM_PARTITION  template that sorts by a bit for the next level (compact.cl)
//   FM_STEP FM_SEARCH     fm_count, fm_locate
//
// Whatever an index holds, a search touches nothing outside of its buffers and ends.
//
// Launch: work-groups of WG: fm_sectors, fm_bits, fm_marks one for each WG*ITEMS blocks,
// fm_count and fm_locate for each WG*ITEMS patterns and occurrences. Local memory:
// FM_SEARCH 1,536 bytes.

#define FM_BUILD 1
#define FM_SUM 2
#define FM_ESCAPES 3
#define FM_SAMPLES 4
#define FM_PARTITION 5
#define FM_SEARCH 6

#define NONE 256u // no symbol

#ifndef FM_STEP
#error "FM_STEP: which part"
#endif

#if FM_STEP == FM_BUILD

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

KERNEL_WG(WG) fm_sectors(
    __global const uchar *bwt, ulong n, __global const uint *codes, uint count, __global uint4 *blocks)
{
    FOR_TILE(b, WG * ITEMS, count) {
        const ulong end = min(b * 64 + 64, n);
        ulong low = 0, high = 0, escaped = 0;
        for (ulong p = b * 64; p < end; p++) {
            const uint c = codes[bwt[p]], at = p % 64;
            low |= (ulong)(c & (c != NONE)) << at;
            high |= (ulong)(c >> 1 & (c != NONE)) << at;
            escaped |= (ulong)(c == NONE) << at;
        }
        const uint both = popcount(low & high), ones = popcount(low), twos = popcount(high);
        const uint others = (uint)(b * 64 < n ? end - b * 64 : 0) - (uint)popcount(escaped);
        blocks[2 * b] = (uint4)(others - ones - twos + both, ones - both, twos - both, both);
        blocks[2 * b + 1] = (uint4)(as_uint2(low), as_uint2(high));
    }
}

// A block of 96 bits: how many are set, and the bits.
#define COUNTED(words)                                                                           \
    ((uint4)(popcount(words[0]) + popcount(words[1]) + popcount(words[2]), words[0], words[1], words[2]))

// A level of the wavelet matrix: bit `shift` of the symbols.
KERNEL_WG(WG) fm_bits(
    __global const uchar *symbols, ulong n, __global const uint *codes, uint shift, uint count,
    __global uint4 *blocks, ulong first)
{
    FOR_TILE(b, WG * ITEMS, count) {
        uint words[3] = {0, 0, 0};
        const ulong end = min(b * 96 + 96, n);
        for (ulong p = b * 96; p < end; p++)
            words[(p - b * 96) / 32] |= (codes[symbols[p]] >> shift & 1) << (p - b * 96) % 32;
        blocks[first + b] = COUNTED(words);
    }
}

// Which slots have positions that are sampled.
KERNEL_WG(WG) fm_marks(__global const uint *sa, ulong n, uint rate, uint count, __global uint4 *blocks)
{
    FOR_TILE(b, WG * ITEMS, count) {
        uint words[3] = {0, 0, 0};
        const ulong end = min(b * 96 + 96, n);
        for (ulong j = b * 96; j < end; j++)
            words[(j - b * 96) / 32] |= (uint)(sa[j] % rate == 0) << (j - b * 96) % 32;
        blocks[b] = COUNTED(words);
    }
}

#elif FM_STEP == FM_SUM

#ifndef FM_WORDS
#error "FM_WORDS: 1 or 2"
#endif
#define OP OP_ADD
#if FM_WORDS == 1
#define T uint
#define IDENTITY 0u
#define SCAN_PARAMS , __global uint *blocks, ulong from_block
#define SCAN_LOAD(i) blocks[(from_block + (i)) * 4]
#define SCAN_STORE(i, before, value) blocks[(from_block + (i)) * 4] = before
#else
#define T uint2
#define IDENTITY ((uint2)(0))
#define SCAN_PARAMS , __global uint2 *blocks, ulong which
#define SCAN_LOAD(i) blocks[(i) * 4 + which]
#define SCAN_STORE(i, before, value) blocks[(i) * 4 + which] = before
#endif

#elif FM_STEP == FM_ESCAPES

#define COMPACT_PARAMS , __global const uchar *bwt, __global const uint *codes, __global uint2 *escapes
#define COMPACT_ITEM uchar
#define COMPACT_LOAD(i) bwt[i]
#define COMPACT_KEEP(i) (codes[item] == NONE)
#define COMPACT_EMIT(i, to) escapes[to] = (uint2)((uint)(i), item)

#elif FM_STEP == FM_SAMPLES

#define COMPACT_PARAMS , __global const uint *sa, uint rate, __global uint *samples
#define COMPACT_ITEM uint
#define COMPACT_LOAD(i) sa[i]
#define COMPACT_KEEP(i) (item % rate == 0)
#define COMPACT_EMIT(i, to) samples[to] = item / rate

#elif FM_STEP == FM_PARTITION

#define COMPACT_PARAMS , __global const uchar *in, __global const uint *codes, uint shift, __global uchar *out
#define COMPACT_ITEM uchar
#define COMPACT_LOAD(i) in[i]
#define COMPACT_KEEP(i) ((codes[item] >> shift & 1) == 0)
#define COMPACT_EMIT(i, to) out[to] = item
#define COMPACT_DROP(i, to) out[kept + (to)] = item

#else

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif
#ifndef FM_LAYOUT
#error "FM_LAYOUT: 4 or 256"
#endif

inline uint place(uint row, uint primary) { return row - (row > primary); }

// The ones before bit r of the 96 behind a count.
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

#endif
