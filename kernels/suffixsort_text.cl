// suffixsort_text.cl: the text before its suffixes are sorted, and its Burrows-Wheeler transform. suffixsort.cl
// describes the arrays. It follows suffixsort_windows.cl in a program.
//
// Launch: one work-group of WG for each WG*ITEMS elements.

#ifdef SUFFIXSORT_MAP

#ifndef TILE
#error "TILE: elements of a work-group, from suffixsort.cl"
#endif
#ifndef SYMBOLS
#error "SYMBOLS: entries of the table, from suffixsort_windows.cl"
#endif

// Counters of a byte: neighbours have separate ones, so that they wait less for each other where
// the text has a small alphabet.
#if IS_CPU
#define COPIES 1
#else
#define COPIES 4
#endif

// counts[c] += how often byte c occurs; 8 characters an element. counts[256] as note_recurrence has it, up to `last`;
// 0: another kernel looks. Answers the host, if it asks, by these 257 words.
KERNEL_WG(WG) suffixsort_count(
    __global const uchar *text, ulong size, ulong last, uint alike, __global uint *counts, ulong counts_at,
    ulong host, uint number)
{
    __local uint mine[256 * COPIES], found, last_group;
    for (uint c = get_local_id(0); c < 256 * COPIES; c += WG)
        mine[c] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint copy = get_local_id(0) % COPIES;
    const ulong words = (size + 7) / 8, end = min((ulong)(get_group_id(0) + 1) * TILE, words);
    const ulong whole = min(end, size / 8);
    for (ulong start = (ulong)get_group_id(0) * TILE + get_local_id(0); start < end; start += UNDER_WAY * WG) {
        ulong word[UNDER_WAY];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++)
            word[u] = eight(text, size, min(start + u * WG, words - 1));
        if (start + (UNDER_WAY - 1) * WG < whole) {
            UNROLL for (uint u = 0; u < UNDER_WAY; u++)
                UNROLL for (uint k = 0; k < 64; k += 8)
                    atomic_inc(&mine[(uint)(word[u] >> k & 0xff) * COPIES + copy]);
            continue;
        }
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            const ulong q = start + u * WG;
            const uint have = q < end ? (uint)min(size - 8 * q, 8ul) : 0u;
            for (uint k = 0; k < have; k++)
                atomic_inc(&mine[(uint)(word[u] >> 8 * k & 0xff) * COPIES + copy]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint c = get_local_id(0); c < 256; c += WG) {
        uint sum = 0;
        for (uint k = 0; k < COPIES; k++)
            sum += mine[c * COPIES + k];
        if (sum > 0)
            atomic_add(&counts[counts_at + c], sum);
    }
    note_recurrence(text, size, last, alike, (ulong)get_group_id(0) * TILE, TILE, counts,
        (uint)counts_at + 256, &found);
    if (get_local_id(0) == 0)
        last_group = 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0 && host != 0)
        last_group = asks_last(&counts[counts_at + 258]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint c = get_local_id(0); last_group != 0 && c < 257; c += WG)
        answer(host, number, c, load_relaxed(&counts[counts_at + c]));
}

// Packs 64/width symbols into each of `words` words.
KERNEL_WG(WG) suffixsort_pack(
    __global const uchar *text, ulong size, __global const uint *table, uint width, ulong words,
    __global ulong *packed)
{
    __local uint codes[SYMBOLS];
    load_table(table, codes);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint symbols = 64 / width;
    FOR_TILE(w, TILE, words) {
        ulong all = 0;
        for (uint k = 0; k < symbols; k += 8) {
            const ulong i = w * symbols + k;
            const ulong word = i < size ? eight(text, size, i / 8) : 0ul;
            for (uint j = 0; j < 8; j++)
                all = all << width | (i + j < size ? codes[word >> 8 * j & 0xff] >> (32 - width) : 0u);
        }
        packed[w] = all;
    }
}

// sa[p] = size-1-p: the suffixes of a text of one symbol.
KERNEL_WG(WG) suffixsort_descend(__global uint *sa, ulong size)
{
    FOR_TILE(p, TILE, size)
        sa[p] = (uint)(size - 1 - p);
}

// The Burrows-Wheeler transform as bwt.cl has it, from packed text; symbols has the bytes of the
// codes. Row 0 is $text, whose last character ends the text.
KERNEL_WG(WG) suffixsort_transform(
    __global const uint *preceding, ulong preceding_at, __global const uint *sa, __global const ulong *packed,
    uint width, uint symbols, ulong size, __global const uint *rows, __global uchar *bwt)
{
    const ulong skip = rows[0], end = min((ulong)(get_group_id(0) + 1) * TILE, size);
    if (get_global_id(0) == 0)
        bwt[0] = (uchar)(symbols >> 8 * symbol_before(packed, width, size));
    for (ulong start = (ulong)get_group_id(0) * TILE + get_local_id(0); start < end; start += UNDER_WAY * WG) {
        uint code[UNDER_WAY];
        ulong suffix[UNDER_WAY];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            const ulong r = min(start + u * WG, end - 1);
            code[u] = preceding[preceding_at + r / 8] >> 4 * (r % 8) & 15;
        }
        UNROLL for (uint u = 0; u < UNDER_WAY; u++)
            suffix[u] = code[u] == UNSETTLED ? sa[min(start + u * WG, end - 1)] : 0u;
        UNROLL for (uint u = 0; u < UNDER_WAY; u++)
            if (code[u] == UNSETTLED)
                code[u] = symbol_before(packed, width, suffix[u]);
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            const ulong r = start + u * WG;
            if (r < end && r + 1 != skip)
                bwt[r + 1 < skip ? r + 1 : r] = (uchar)(symbols >> 8 * code[u]);
        }
    }
}

#endif
