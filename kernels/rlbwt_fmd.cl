// rlbwt_fmd.cl: an index of rlbwt.cl becomes the blocks of an .fmd. Package fmd has the format, encode.go of package
// rlbwt the steps. A chunk is some blocks of the index with the runs that those before have left.
//
//   rlbwt_heads        heads[i]: of block i - 1 of the chunk, how often the letter changes in it (from bit 6 on), its
//                      last letter (3 bits) and its first one
//   rlbwt_heads_count  how many maximal runs begin in each block
//   rlbwt_runs         runs[i]: the row where a maximal run begins, and its letter in the 3 lowest bits. Its end is
//                      where the next one begins
//   rlbwt_cut          cuts[i]: how many runs the .fmd block takes that begins with run i, if its own counts have 16
//                      bits (low byte) or 32 bits (high byte). The top bit of a byte: the counts of the next block have
//                      32 bits. 0: they have 64
//                      exits[STATES*segment + 2*offset + wide]: a block begins `offset` runs after the first one of
//                      the segment, with counts of 32 bits if `wide`. Where the first block of the next segment
//                      begins, as an offset (7 bits) and `wide` (1 bit), and how many blocks begin in the segment.
//                      NONE: a block has 2^30 rows or more
//   rlbwt_firsts       the first runs of the blocks that begin in each segment, from what is known of the first one:
//                      entries[segment] has its offset and `wide`, as exits, and the number of blocks before it
//   rlbwt_fmd_blocks   the blocks. Each writes its codes, and the counts at the beginning of the next block
//
// A code has 4 bits or more, so a block has MOST runs at most, and there are STATES ways into a segment. Each of them
// is followed through the segment.
//
// Launch: heads, heads_count, runs, fmd_blocks: a work-group for each WG*ITEMS elements; firsts: a work-item for each
// segment; cut: a work-group for each segment.

#ifndef SEGMENT
#error "SEGMENT: runs of a segment, MOST or more"
#endif
#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

#define MOST 95
#define AHEAD (SEGMENT + MOST + 1) // runs that the blocks of a segment depend on
#define STATES (2 * MOST)
#define NONE 0xffffffffu
#define NO_LETTER 7

#define CODE_BLOCK 8 // words of 64 bits
#define SHORT_ROWS (1ul << 14)
#define WIDE_ROWS (1ul << 30)
#define SHORT_BITS 384 // of codes, after counts of 16 bits
#define WIDE_BITS 256

#define ROW_OF(run) ((run) >> 3)

KERNEL_WG(WG) rlbwt_heads(__global const uint *blocks, ulong from, ulong n, __global uint *heads)
{
    FOR_TILE(i, WG * ITEMS, n + 1) {
        uint changes = 0, first = NO_LETTER, last = NO_LETTER;
        if (from + i > 0) {
            slots s;
            slots_begin(&s, blocks + (from + i - 1) * BLOCK);
            while (slots_next(&s)) {
                changes += last != NO_LETTER && s.letter != last;
                first = first == NO_LETTER ? s.letter : first;
                last = s.letter;
            }
        }
        heads[i] = changes << 6 | last << 3 | first;
    }
}

KERNEL_WG(WG) rlbwt_heads_count(__global const uint *heads, ulong n, __global uint *counts)
{
    FOR_TILE(i, WG * ITEMS, n + 1) {
        uint count = 0;
        if (i < n)
            count = (heads[i + 1] >> 6) + ((heads[i + 1] & 7) != (heads[i] >> 3 & 7));
        counts[i] = count;
    }
}

// first[i] is the run that begins first in block i or after it, after `base` others.
KERNEL_WG(WG) rlbwt_runs(
    __global const uint *blocks, __global const ulong *supers, ulong from, ulong n, __global const uint *heads,
    __global const uint *first, ulong base, __global ulong *runs)
{
    FOR_TILE(i, WG * ITEMS, n) {
        ulong row = block_row(blocks, supers, from + i);
        uint last = heads[i] >> 3 & 7;
        __global ulong *to = runs + base + first[i];
        slots s;
        slots_begin(&s, blocks + (from + i) * BLOCK);
        while (slots_next(&s)) {
            if (s.letter != last)
                *to++ = row << 3 | s.letter;
            last = s.letter;
            row += s.length;
        }
    }
}

inline uint high_bit(ulong length) { return 63 - (uint)clz(length); }

// The bits of the code of a run.
inline uint code_width(ulong length)
{
    const uint y = high_bit(length), z = 31 - (uint)clz(y + 1);
    return 2 * z + 1 + y + 3;
}

// A byte of cuts.
inline uint cut_of(uint count, ulong rows)
{
    return rows < SHORT_ROWS ? count : rows < WIDE_ROWS ? count | 128 : 0;
}

#if WG == 1

// From the last run of the segment to the first: where a block ends, and the next ones, is known then.
KERNEL_WG(WG) rlbwt_cut(__global const ulong *runs, __global ushort *cuts, __global uint *exits)
{
    __local uint sums[AHEAD];
    __local uint out[2 * SEGMENT];
    __global const ulong *own = runs + (ulong)get_group_id(0) * SEGMENT;
    ulong row = ROW_OF(own[0]);
    sums[0] = 0;
    for (uint j = 1; j < AHEAD; j++) {
        const ulong next = ROW_OF(own[j]);
        sums[j] = sums[j - 1] + code_width(next - row);
        row = next;
    }
    uint end_short = AHEAD - 1, end_wide = AHEAD - 1;
    for (uint i = SEGMENT; i-- > 0;) {
        while (sums[end_short] - sums[i] >= SHORT_BITS)
            end_short--;
        while (sums[end_wide] - sums[i] >= WIDE_BITS)
            end_wide--;
        row = ROW_OF(own[i]);
        const uint cut_short = cut_of(end_short - i, ROW_OF(own[end_short]) - row);
        const uint cut_wide = cut_of(end_wide - i, ROW_OF(own[end_wide]) - row);
        cuts[(ulong)get_group_id(0) * SEGMENT + i] = cut_short | cut_wide << 8;
        for (uint wide = 0; wide < 2; wide++) {
            const uint cut = wide ? cut_wide : cut_short, next = i + (cut & 127);
            uint found = NONE;
            if (cut != 0) {
                found = next - SEGMENT | (cut & 128) | 256;
                if (next < SEGMENT) {
                    found = out[2 * next + (cut >> 7)];
                    found += found != NONE ? 256 : 0;
                }
            }
            out[2 * i + wide] = found;
        }
    }
    for (uint state = 0; state < STATES; state++)
        exits[(ulong)get_group_id(0) * STATES + state] = out[state];
}

#else

DEFINE_WG_SCAN(scan_widths, uint, OP_ADD, 0)

#define EACH ((AHEAD + WG - 1) / WG)

// How many runs from the i-th on have less than so many bits. Sums are modulo 2^16.
inline uint fitting(__local const ushort *sums, uint i, uint bits)
{
    uint count = 0;
    for (uint step = 64; step > 0; step /= 2) {
        const uint more = count + step;
        if (more <= MOST && ((sums[i + more] - sums[i]) & 0xffff) < bits)
            count = more;
    }
    return count;
}

KERNEL_WG(WG) rlbwt_cut(__global const ulong *runs, __global ushort *cuts, __global uint *exits)
{
    __local ushort sums[AHEAD];
    __local ushort nexts[SEGMENT];
    __local uint tmp[WG];
    const uint lid = get_local_id(0);
    __global const ulong *own = runs + (ulong)get_group_id(0) * SEGMENT;
    for (uint j = lid; j < AHEAD; j += WG)
        sums[j] = j + 1 < AHEAD ? code_width(ROW_OF(own[j + 1]) - ROW_OF(own[j])) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint low = min(lid * EACH, (uint)AHEAD), high = min(low + EACH, (uint)AHEAD);
    uint part = 0, all;
    for (uint j = low; j < high; j++)
        part += sums[j];
    uint sum = scan_widths(part, tmp, &all);
    for (uint j = low; j < high; j++) {
        const uint width = sums[j];
        sums[j] = (ushort)sum;
        sum += width;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = lid; i < SEGMENT; i += WG) {
        const uint count_short = fitting(sums, i, SHORT_BITS), count_wide = fitting(sums, i, WIDE_BITS);
        const ulong row = ROW_OF(own[i]);
        const uint cut = cut_of(count_short, ROW_OF(own[i + count_short]) - row) |
                         cut_of(count_wide, ROW_OF(own[i + count_wide]) - row) << 8;
        nexts[i] = (ushort)cut;
        cuts[(ulong)get_group_id(0) * SEGMENT + i] = (ushort)cut;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint state = lid, i = state / 2, wide = state % 2, count = 0;
    while (state < STATES) {
        const uint cut = i < SEGMENT ? nexts[i] >> 8 * wide & 255 : 0;
        if (cut != 0) {
            i += cut & 127;
            wide = cut >> 7;
            count++;
        } else {
            exits[(ulong)get_group_id(0) * STATES + state] =
                i < SEGMENT ? NONE : i - SEGMENT | wide << 7 | count << 8;
            state += WG;
            i = state / 2;
            wide = state % 2;
            count = 0;
        }
    }
}

#endif

// Segments whose entry is NONE are left out.
KERNEL_WG(WG) rlbwt_firsts(
    __global const ushort *cuts, __global const uint2 *entries, ulong segments, __global uint *firsts)
{
    const ulong segment = get_global_id(0);
    if (segment >= segments)
        return;
    const uint2 entry = entries[segment];
    uint i = entry.x != NONE ? entry.x & 127 : SEGMENT, wide = entry.x >> 7 & 1;
    __global uint *to = firsts + entry.y;
    while (i < SEGMENT) {
        const ulong run = segment * SEGMENT + i;
        const uint cut = cuts[run] >> 8 * wide & 255;
        *to++ = (uint)run;
        i = cut != 0 ? i + (cut & 127) : SEGMENT;
        wide = cut >> 7;
    }
}

// The kind of the counts of so many rows: 16, 32 or 64 bits.
inline uint kind_of(ulong rows) { return rows < SHORT_ROWS ? 0 : rows < WIDE_ROWS ? 1 : 2; }

// The words of counts.
inline uint head_words(uint kind) { return kind == 0 ? 2 : kind == 1 ? 4 : 7; }

// Begins a block with the counts of the one before.
inline void put_head(__global ulong *to, uint kind, ulong rows, const ulong *has)
{
    if (kind == 0) {
        to[0] = rows | has[0] << 16 | has[1] << 32 | has[2] << 48;
        to[1] = has[3] | has[4] << 16 | has[5] << 32;
    } else if (kind == 1) {
        to[0] = rows | has[0] << 32 | 1ul << 62;
        to[1] = has[1] | has[2] << 32;
        to[2] = has[3] | has[4] << 32;
        to[3] = has[5];
    } else {
        to[0] = rows | 2ul << 62;
        UNROLL for (uint c = 0; c < LETTERS; c++) to[1 + c] = has[c];
    }
}

// Block b has the runs from firsts[b] to firsts[b + 1]. The counts of block 0 are there. Block n has counts alone.
KERNEL_WG(WG) rlbwt_fmd_blocks(
    __global const ulong *runs, __global const uint *firsts, ulong n, __global ulong *words)
{
    FOR_TILE(b, WG * ITEMS, n) {
        const uint from = firsts[b], to = firsts[b + 1];
        __global ulong *block = words + b * CODE_BLOCK;
        ulong run = runs[from];
        const ulong begin = ROW_OF(run);
        const uint kind = b == 0 ? (uint)(block[0] >> 62) : kind_of(begin - ROW_OF(runs[firsts[b - 1]]));
        ulong has[LETTERS] = {0, 0, 0, 0, 0, 0};
        ulong held = 0;
        uint at = head_words(kind), left = 64; // free bits of a word
        for (uint i = from; i < to; i++) {
            const ulong next = runs[i + 1], length = ROW_OF(next) - ROW_OF(run);
            const uint letter = (uint)run & 7, y = high_bit(length), width = code_width(length);
            const ulong code = ((ulong)(y + 1) << y | (length & ~(1ul << y))) << 3 | letter;
            if (width > left) {
                const uint over = width - left;
                block[at++] = held | code >> over;
                left = 64 - over;
                held = code << left;
            } else {
                left -= width;
                held |= code << left;
            }
            UNROLL for (uint c = 0; c < LETTERS; c++) has[c] += c == letter ? length : 0;
            run = next;
        }
        for (; at < CODE_BLOCK; at++) {
            block[at] = held;
            held = 0;
        }
        const ulong rows = ROW_OF(run) - begin;
        const uint following = kind_of(rows);
        put_head(block + CODE_BLOCK, following, rows, has);
        if (b + 1 == n)
            for (at = head_words(following); at < CODE_BLOCK; at++)
                block[CODE_BLOCK + at] = 0;
    }
}
