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
// each 16 places, too, suffixsort_sample 10.75 for each place; suffixsort_induce has 10 for each place, and the table.

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
#ifndef ENTRIES
#error "ENTRIES: entries in local memory, from suffixsort_windows.cl"
#endif

#define INDUCED (WINDOWS / 4) // samples of a work-group
#define STAGED (5 * INDUCED)  // suffixes in local memory

// Entries of the codes of a work-group's places, and of more.
#define LOAD_ENTRIES                                       \
    __local uint codes[SYMBOLS], entries[PADDED(ENTRIES)]; \
    const ulong base = (ulong)get_group_id(0) * WINDOWS;   \
    load_table(table, codes);                              \
    barrier(CLK_LOCAL_MEM_FENCE);                          \
    load_entries(text, size, codes, base, entries);

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
        ulong code = code_from(entries, z, bits);
        for (uint k = 0; k < RUN; k++) {
            z--;
            const uint word = sampled[z / 32 + LOOK_BACK];
            code = prepend(entries[PADDED(z)], code);
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

// How many suffixes there are before those of a sample.
#define SUFFIXES_BEFORE(start) ((start).x + (start).y)

// The two words of a suffix's phrase. For the suffix array they are those of a window. For the transform hi has the
// first MAIN_BITS bits, and below them the symbol before the suffix, or `marker` for the first suffix; lo has the
// others.
#if SUFFIXSORT_SAMPLES == 1
#define SYMBOL_PARAMS
#define PHRASE_WORDS(code, suffix, symbol) ((uint2)(hi_of(code, bits), lo_of(code, bits) | (uint)(suffix)))
#define STORES_LOW(to) true
#else
#define SYMBOL_PARAMS , uint marker
#define PHRASE_WORDS(code, suffix, symbol)                                       \
    ((uint2)((uint)((code) >> 32) & ~0xffu | ((suffix) > 0 ? (symbol) : marker), \
             (uint)(((code) & ~0ul << (64 - bits)) >> 24) & 0xffff))
#define STORES_LOW(to) ((to) < long_count)
#endif

// hi and lo = the phrases of all suffixes, in the order of their next samples: long ones, then short ones. Their order
// in each is that of sa [count], the suffix array of samples. starts has how many there are before those of each.
//
// A work-item goes from a sample back to the one before: each phrase is the code of one more symbol, and the bits of
// the phrase after it that have room. Local memory brings them in order, STAGED at a time: nearly always that is all.
KERNEL_WG(WG) suffixsort_induce(
    __global const uchar *text, __global const uint *table, ulong size, uint bits, uint long_count,
    __global const uint *sa, ulong count, __global const uint *places, ulong places_at, __global const uint2 *starts,
    __global uint *hi, __global uint *lo, __global uint *cleared, uint cleared_words SYMBOL_PARAMS)
{
    __local uint codes[SYMBOLS];
    __local uint2 stage[STAGED];
    const ulong base = (ulong)get_group_id(0) * INDUCED, last = min(base + INDUCED, count);
    const uint2 all = (uint2)((uint)size - long_count, long_count);
    const uint2 first = starts[base], end = last < count ? starts[last] : all;
    const uint shorts = end.x - first.x, total = SUFFIXES_BEFORE(end) - SUFFIXES_BEFORE(first);
    load_table(table, codes);
    clear_words(cleared, cleared_words);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint from = 0; from < total; from += STAGED) {
        for (ulong e = base + get_local_id(0); e < last; e += WG) {
            const uint2 start = starts[e], next = e + 1 < count ? starts[e + 1] : all;
            const uint gap = SUFFIXES_BEFORE(next) - SUFFIXES_BEFORE(start), short_phrases = next.x - start.x;
            uint to = start.x - first.x - from;                     // of its short phrases
            const uint long_to = shorts + start.y - first.y - from; // of the others
            ulong i = places[places_at + sa[e]];
            const uint shift = (uint)(i % 8) * 8;
            const ulong word = eight(text, size, i / 8);
            const uint next_symbol = shift < 56 ? (uint)(word >> shift >> 8) & 0xff : i + 1 < size ? text[i + 1] : 0u;
            const uint entry = codes[word >> shift & 0xff], after = codes[i + 1 < size ? next_symbol : 256u];
            ulong code = prepend(entry, (ulong)(after >> 16) << 48);
            if (!RISES(entry, after))
                code = window(text, 0, codes, size, 0, bits, i) >> 8 << (64 - bits);
            ulong before = word << (56 - shift) << 8; // the characters before i, the last one in the high bits
            for (uint back = 0; back < gap; back++, i--) {
                if (i % 8 == 0)
                    before = i > 0 ? ((__global const ulong *)text)[i / 8 - 1] : 0ul;
                const uint symbol = (uint)(before >> 56), entry_before = codes[symbol];
                to = back == short_phrases ? long_to : to;
                if (to < STAGED)
                    stage[to] = PHRASE_WORDS(code, i, symbol);
                to++;
                code = prepend(entry_before, code);
                before <<= 8;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint s = get_local_id(0); s < min(total - from, (uint)STAGED); s += WG) {
            const uint c = from + s;
            const ulong to = c < shorts ? (ulong)long_count + first.x + c : (ulong)first.y + c - shorts;
            const uint2 words = stage[s];
            hi[to] = words.x;
            if (STORES_LOW(to))
                lo[to] = words.y;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
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
