// suffixsort_samples.cl: samples of a text, and the order of all suffixes from that of samples. suffixsort.cl describes
// the arrays. A macro chooses:
//
//   SUFFIXSORT_SAMPLES  the kernels, after suffixsort_windows.cl; 2: those that make the transform from samples
//   SUFFIXSORT_INDUCED  scan: where suffixes are whose next sample is each
//
// Symbols have one of two classes. A rise is a symbol of class 0 before one of class 1. A place of the text is a sample
// if a rise begins there, or if none is in the first `bits` bits from there on. So these bits tell how far the next
// sample is: of suffixes that agree in them, the order is that of their next samples. After the end of the text come
// symbols of code 0.
//
// From a suffix to the end of the next rise is its phrase. No phrase begins with another. It is long if it has more
// than `main` bits, or no rise.
//
//   sampled  bitmap of the text: samples
//   longs    bitmap of the text: suffixes of long phrases
//   places   where each sample is; samples are numbered in the order of the text
//   gaps     for each sample how many suffixes have it as next sample, << 8, and how many of these have short phrases:
//            it and those right before it
//
// Launch of the kernels: one work-group of WG for each WG*RUN places, of suffixsort_induce for a fourth as many
// samples.
//
// Local memory: 4 bytes for each of the WG*RUN places and 64 more, and 1028 for the table. suffixsort_mark has 4 for
// each 16 places, too, suffixsort_sample 10.75 for each place; suffixsort_induce has 3.5 for each place, and
// the table.

#define CLASS(entry) ((entry) >> 8 & 1)
#define RISES(entry, next) (CLASS(entry) < CLASS(next))

#ifdef SUFFIXSORT_SAMPLES

#ifndef RUN
#error "RUN: places that a work-item treats in a row"
#endif
#ifndef WINDOWS
#error "WINDOWS: places of a work-group, from suffixsort_windows.cl"
#endif
#ifndef PADDED
#error "PADDED: places in local memory, from suffixsort_windows.cl"
#endif
#ifndef SYMBOLS
#error "SYMBOLS: entries of the table, from suffixsort_windows.cl"
#endif

#define INDUCED (WINDOWS / 4)              // samples of a work-group
#define STAGED (WINDOWS * 2)               // suffixes in a bitmap

// Entries of the codes of a work-group's places, and of 64 more.
#define ENTRIES (WINDOWS + 64)
#define LOAD_ENTRIES                                                        \
    __local uint codes[SYMBOLS], entries[PADDED(ENTRIES)];                  \
    const ulong base = (ulong)get_group_id(0) * WINDOWS;                    \
    load_table(table, codes);                                               \
    barrier(CLK_LOCAL_MEM_FENCE);                                           \
    for (uint z = get_local_id(0); z < ENTRIES; z += WG)                    \
        entries[PADDED(z)] = codes[base + z < size ? text[base + z] : 256u];

#if SUFFIXSORT_SAMPLES == 1

// sampled and longs; counts how many of either there are.
KERNEL_WG(WG) suffixsort_mark(
    __global const uchar *text, __global const uint *table, ulong size, uint bits, uint main_bits,
    __global uint *sampled, __global uint *longs, __global uint *counts, uint into, ulong host, uint number)
{
    LOAD_ENTRIES
    __local uint samples_[WINDOWS / 32], longs_[WINDOWS / 32], sums[2];
    for (uint w = get_local_id(0); w < WINDOWS / 32; w += WG)
        samples_[w] = longs_[w] = 0;
    if (get_local_id(0) < 2)
        sums[get_local_id(0)] = 0;
    if (WG == 1)
        sums[1] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    // How many bits the phrase after the run has, if not more than `bits`.
    uint z = get_local_id(0) * RUN + RUN, phrase = 0;
    for (uint y = z; phrase <= bits && y < ENTRIES - 1; y++) { // bounded for llvmpipe: suffixsort_windows.cl
        const uint entry = entries[PADDED(y)], next = entries[PADDED(y + 1)];
        phrase += entry & 0xff;
        if (RISES(entry, next)) {
            phrase += next & 0xff;
            break;
        }
    }

    // The run, from the last place to the first.
    uint next = entries[PADDED(z)], sample = 0, long_ = 0;
    for (uint k = 0; k < RUN; k++) {
        z--;
        const uint entry = entries[PADDED(z)];
        const bool rises = RISES(entry, next), inside = base + z < size;
        phrase = (entry & 0xff) + (rises ? next & 0xff : phrase);
        sample |= inside && (rises || phrase > bits) ? 1u << z % 32 : 0u;
        long_ |= inside && phrase > main_bits ? 1u << z % 32 : 0u;
        next = entry;
        if (z % 32 == 0 || k + 1 == RUN) {
            atomic_or(&samples_[z / 32], sample);
            atomic_or(&longs_[z / 32], long_);
            sample = long_ = 0;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint w = get_local_id(0); w < WINDOWS / 32; w += WG) {
        if (base + 32 * w < size) {
            sampled[base / 32 + w] = samples_[w];
            longs[base / 32 + w] = longs_[w];
            atomic_add(&sums[0], popcount(samples_[w]));
            atomic_add(&sums[1], popcount(longs_[w]));
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        for (uint c = 0; c < 2; c++)
            if (sums[c] > 0)
                atomic_add(&counts[into + c], sums[c]);
        answer_counts(counts, into, host, number);
    }
}

// How far from place z of a tile back to the one before that is set, `most` if none is. words begin LOOK_BACK words
// before the tile.
#define LOOK_BACK 2
inline uint back_from(__local const uint *words, uint z, uint most)
{
    const uint from = z + 32 * LOOK_BACK;
    uint w = from / 32, word = words[w] & ((1u << from % 32) - 1);
    while (word == 0 && w > 0)
        word = words[--w];
    return min(word != 0 ? from - 32 * w - last_bit(word) : most, most);
}

// places, gaps, and hi[p], lo[p]: the window and the number of sample count-1-p.
KERNEL_WG(WG) suffixsort_sample(
    __global const uchar *text, __global const uint *table, ulong size, uint bits, __global const uint2 *marks,
    __global const uint *longs, ulong count, __global uint *places, ulong places_at, __global ushort *gaps,
    ulong gaps_at, __global uint *hi, __global uint *lo, __global uint *cleared, uint cleared_words)
{
    LOAD_ENTRIES
    clear_words(cleared, cleared_words);
    __local ulong windows[PADDED64(WINDOWS)]; // of the samples of the tile
    __local ushort at[WINDOWS];
    __local uint sampled[WINDOWS / 32 + LOOK_BACK], stops[WINDOWS / 32 + LOOK_BACK], bounds[2];
    const uint lid = get_local_id(0);
    if (lid == 0)
        bounds[0] = bounds[1] = marks[base / 32].y;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint w = lid; w < WINDOWS / 32 + LOOK_BACK; w += WG) {
        const ulong from = base / 32 + w; // of LOOK_BACK words further on
        const bool inside = from >= LOOK_BACK && 32 * (from - LOOK_BACK) < size;
        const uint2 mark = inside ? marks[from - LOOK_BACK] : (uint2)(0u, 0u);
        sampled[w] = mark.x;
        stops[w] = inside ? mark.x | longs[from - LOOK_BACK] : 0u;
        if (inside && w >= LOOK_BACK)
            atomic_max(&bounds[1], mark.y + popcount(mark.x));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint first = bounds[0], samples = bounds[1] - first;
    uint z = lid * RUN + RUN;
    if (base + z - RUN < size) {
        ulong code = 0;
        for (uint y = z, filled = 0; filled < 56 && y < ENTRIES; y++) {
            const uint entry = entries[PADDED(y)];
            code |= (ulong)(entry >> 16) << 48 >> filled;
            filled += entry & 0xff;
        }
        for (uint k = 0; k < RUN; k++) {
            z--;
            const uint entry = entries[PADDED(z)], word = sampled[z / 32 + LOOK_BACK];
            code = (ulong)(entry >> 16) << 48 | code >> (entry & 0xff);
            if (word >> z % 32 & 1) {
                const uint number = marks[base / 32 + z / 32].y - first + popcount(word & ((1u << z % 32) - 1));
                windows[PADDED64(number)] = code;
                at[number] = (ushort)z;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = lid; s < samples; s += WG) {
        const uint number = first + s, y = at[s];
        const ulong code = windows[PADDED64(s)], p = count - 1 - number;
        hi[p] = hi_of(code, bits);
        lo[p] = lo_of(code, bits) | number;
        places[places_at + number] = (uint)(base + y);
        const uint most = (uint)min(base + y + 1, 0xfful);
        const bool long_ = IS_SET(longs, base + y);
        gaps[gaps_at + number] = (ushort)(back_from(sampled, y, most) << 8 | (long_ ? 0u : back_from(stops, y, most)));
    }
}

#endif

// The phrase of suffix i, or as much of it as `bits` bits show. How many bits it has is not known before it is read.
inline ulong phrase_of(
    __global const uchar *text, __local const uint *codes, ulong size, uint bits, ulong i)
{
    uint entry = 0xff00u, used = 0; // of no class
    ulong code = 0;
    bool ends = false;
    if (i + 2 * MAX_SYMBOLS <= size) {
        __global const ulong *words = (__global const ulong *)text + i / 8;
        const uint shift = (uint)(i % 8) * 8;
        ulong low = words[0], high = words[1];
        ulong symbols = shift > 0 ? low >> shift | high << (64 - shift) : low;
        for (uint k = 0; used < bits && !ends && k < MAX_SYMBOLS; k++) {
            if (k % 8 == 0 && k > 0) {
                low = high;
                high = words[k / 8 + 1];
                symbols = shift > 0 ? low >> shift | high << (64 - shift) : low;
            }
            const uint next = codes[symbols & 0xff];
            symbols >>= 8;
            code |= (ulong)(next >> 16) << 48 >> used;
            used += next & 0xff;
            ends = RISES(entry, next);
            entry = next;
        }
        return code;
    }
    for (uint rounds = bits; used < bits && !ends && rounds > 0; i++, rounds--) { // bounded for llvmpipe
        const uint next = codes[i < size ? text[i] : 256u];
        code |= (ulong)(next >> 16) << 48 >> used;
        used += next & 0xff;
        ends = RISES(entry, next);
        entry = next;
    }
    return code;
}

// How many suffixes there are before those of a sample.
#define SUFFIXES_BEFORE(start) ((start).x + (start).y)

// Stores the phrase of a suffix as element `to`. For the suffix array as a pair of words, as windows are. For the
// transform hi has the first MAIN_BITS bits, and below them the symbol before the suffix, or `marker` for the first
// suffix; lo has the others, where there are any.
#if SUFFIXSORT_SAMPLES == 1
#define SYMBOL_PARAMS
#define STORE_PHRASE(to, code, suffix)                  \
    {                                                   \
        hi[to] = hi_of(code, bits);                     \
        lo[to] = lo_of(code, bits) | (suffix);          \
    }
#else
#define SYMBOL_PARAMS , uint marker
#define STORE_PHRASE(to, code, suffix)                                                                        \
    {                                                                                                         \
        const uint symbol_ = (suffix) > 0 ? (uint)text[(suffix) - 1] : marker;                                \
        hi[to] = (uint)((code) >> 32) & ~0xffu | symbol_;                                                     \
        if (to < long_count)                                                                                  \
            lo[to] = (uint)(((code) & ~0ul << (64 - bits)) >> 24) & 0xffff;                                   \
    }
#endif

// hi and lo = the phrases of all suffixes, in the order of their next samples: long ones, then short ones. Their order
// in each is that of sa [count], the suffix array of samples. starts has how many there are before those of each.
KERNEL_WG(WG) suffixsort_induce(
    __global const uchar *text, __global const uint *table, ulong size, uint bits, uint long_count,
    __global const uint *sa, ulong count, __global const uint *places, ulong places_at, __global const uint2 *starts,
    __global uint *hi, __global uint *lo, __global uint *cleared, uint cleared_words SYMBOL_PARAMS)
{
    __local uint codes[SYMBOLS], place[INDUCED];
    __local uint2 start[INDUCED + 1];
    __local uint firsts[STAGED / 32], before[STAGED / 32]; // bitmap: samples; how many are before the word
    const uint lid = get_local_id(0);
    const ulong base = (ulong)get_group_id(0) * INDUCED;
    const uint have = (uint)min(count - base, (ulong)INDUCED);
    load_table(table, codes);
    clear_words(cleared, cleared_words);
    for (uint e = lid; e <= have; e += WG) {
        start[e] = base + e < count ? starts[base + e] : (uint2)((uint)size - long_count, long_count);
        if (e < have)
            place[e] = places[places_at + sa[base + e]];
    }
    for (uint w = lid; w < STAGED / 32; w += WG)
        firsts[w] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint origin = SUFFIXES_BEFORE(start[0]), total = SUFFIXES_BEFORE(start[have]) - origin;
    for (uint e = lid; e < have; e += WG) {
        const uint c = SUFFIXES_BEFORE(start[e]) - origin;
        if (c < STAGED)
            atomic_or(&firsts[c / 32], 1u << c % 32);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint w = lid; w < STAGED / 32; w += WG) {
        uint sum = 0;
        for (uint v = 0; v < w; v++)
            sum += popcount(firsts[v]);
        before[w] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint c = lid; c < total; c += WG) {
        // The sample of suffix c: in the bitmap, or where samples are rare the last one up to c.
        uint e = 0;
        if (c < STAGED) {
            e = before[c / 32] + popcount(firsts[c / 32] & ((2u << c % 32) - 1)) - 1;
        } else {
            for (uint high = have; high - e > 1;) {
                const uint middle = (e + high) / 2;
                const bool up_to = SUFFIXES_BEFORE(start[middle]) - origin <= c;
                e = up_to ? middle : e;
                high = up_to ? high : middle;
            }
        }
        const uint back = c + origin - SUFFIXES_BEFORE(start[e]), shorts = start[e + 1].x - start[e].x;
        const uint suffix = place[e] - back;
        const ulong to = back < shorts ? (ulong)long_count + start[e].x + back : (ulong)start[e].y + back - shorts;
        const ulong code = phrase_of(text, codes, size, bits, suffix);
        STORE_PHRASE(to, code, suffix)
    }
}

#if SUFFIXSORT_SAMPLES == 2

// The transform, as bwt.cl has it, from the symbols before the sorted suffixes. Row 0 is $text, whose last character
// ends the text. rows[0] is the row of the whole text, which is left out. It answers the host if it asks.
KERNEL_WG(WG) suffixsort_emit(
    __global const uchar *text, ulong size, __global const uchar *symbols, __global const uint *rows,
    __global uchar *bwt, ulong bwt_at, ulong host, uint number)
{
    const ulong skip = rows[0];
    if (host != 0 && get_global_id(0) == 0)
        answer(host, number, 0, (uint)skip);
    FOR_TILE(j, WINDOWS, size)
        bwt[bwt_at + j] = j == 0 ? text[size - 1] : symbols[j - (j < skip)];
}

#endif

#endif

#ifdef SUFFIXSORT_INDUCED

// starts = how many suffixes with short and with long phrases have a next sample before each sample in order.
#define SCAN_PARAMS , __global const uint *sa, __global const ushort *gaps, ulong gaps_at, __global uint2 *starts
#define T uint2
#define OP OP_ADD
#define IDENTITY ((uint2)(0u, 0u))
#define SCAN_LOAD(r) suffixes_of(gaps[gaps_at + sa[r]])
#define SCAN_STORE(r, before, value) starts[r] = before

inline uint2 suffixes_of(uint gap) { return (uint2)(gap & 0xff, (gap >> 8) - (gap & 0xff)); }

#endif
