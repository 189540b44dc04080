// radixsort_histogram.cl: how often each digit occurs, for all passes of a radix sort at once.
//
// control[place * RADIX + d] += number of keys with digit d in place `place`, the bits from lo + place * width
// on, which end at hi. The keys are dealt to the work-groups in pieces of `piece`.
//
// A work-group has COPIES counters of each digit, so that fewer lanes meet in one. Counting is by increments:
// hardware adds up those of a subgroup.
//
// Launch: radix_clear one work-group of WG for each 4*WG words, radix_histogram any number of work-groups.
// Local memory: PLACES * RADIX * COPIES * 4.

#ifndef ITEMS
#error "ITEMS: keys that a work-item has under way"
#endif
#ifndef COPIES
#error "COPIES: counters of a digit in a work-group"
#endif

#ifdef RADIX_SERIES
#define PLACES RADIX_SERIES
#else
#define PLACES sizeof(K) // as many as bytes
#endif

// Adds the counters of a work-group to the histogram.
inline void add_counters(__local const uint *counters, uint places, __global uint *control)
{
    for (uint d = get_local_id(0); d < places * RADIX; d += WG) {
        uint sum = 0;
        for (uint c = 0; c < COPIES; c++)
            sum += counters[d * COPIES + (c + get_local_id(0)) % COPIES]; // not all in one bank
        if (sum > 0)
            atomic_add(&control[d], sum);
    }
}

#ifdef RADIX_SERIES

// The same of words of two arrays, in pieces of less than 2^32. A place has 16 bits of digits and more_digits: the
// shift, from bit 5 on the number of bits, in bit 9 the array, and in bit 10 whether all n words are counted, else the
// first `prefix`. No word of an array is read beyond its count.
KERNEL_WG(WG) radix_histogram_series(
    __global uint *control, ulong piece, ulong n, ulong prefix, ulong first_count, ulong second_count, ulong digits,
    ulong more_digits, uint places, __global const K *first_words, __global const K *second_words)
{
    __local uint counters[PLACES * RADIX * COPIES], digit_of[PLACES];
    const uint lid = get_local_id(0), copy = lid % COPIES;
    for (uint c = lid; c < places * RADIX * COPIES; c += WG)
        counters[c] = 0;
    for (uint place = lid; place < places; place += WG)
        digit_of[place] = (uint)((place < 4 ? digits : more_digits) >> place % 4 * 16) & 0xffff;
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong first = get_group_id(0) * piece, end = min(first + piece, n);
    const uint before = (uint)(min(end, max(prefix, first)) - first); // words of the prefix
    for (uint array = 0; array < 2; array++) {
        __global const K *words = (array == 0 ? first_words : second_words) + first;
        const ulong count = array == 0 ? first_count : second_count;
        const uint last = (uint)(min(end, max(count, first)) - first);
        for (uint base = lid; base < last; base += WG * ITEMS) {
            K keys[ITEMS];
            UNROLL for (uint k = 0; k < ITEMS; k++)
                keys[k] = words[min(base + k * WG, last - 1)];
            for (uint place = 0; place < places; place++) {
                const uint digit = digit_of[place], limit = digit >> 10 & 1 ? last : min(last, before);
                if ((digit >> 9 & 1) != array || base >= limit)
                    continue;
                const uint shift = digit & 31, mask = (1u << (digit >> 5 & 15)) - 1;
                const uint of_place = place * RADIX * COPIES + copy;
                if (base + (ITEMS - 1) * WG < limit) {
                    UNROLL for (uint k = 0; k < ITEMS; k++)
                        atomic_inc(&counters[of_place + DIGIT(keys[k]) * COPIES]);
                } else { // as few as there are: what counts for nothing takes as long
                    for (uint i = base; i < limit; i += WG)
                        atomic_inc(&counters[of_place + DIGIT(words[i]) * COPIES]);
                }
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    add_counters(counters, places, control);
}

#else

// words[0..n) = 0.
KERNEL_WG(WG) radix_clear(__global uint *words, uint n)
{
    FOR_TILE(i, WG * 4, n)
        words[i] = 0;
}

// Counts the digit of a key in a place.
inline void count(__local uint *counters, K key, uint place, uint lo, uint hi, uint width)
{
    const uint shift = lo + place * width, mask = (1u << min(width, hi - shift)) - 1;
    atomic_inc(&counters[(place * RADIX + DIGIT(key)) * COPIES]);
}

// Also clears the `words` words from control[status_at] on, for the look-back of the first pass.
KERNEL_WG(WG) radix_histogram(
    __global uint *control, ulong status_at, ulong words, ulong n, ulong piece, uint lo, uint hi, uint width,
    uint places RADIX_PARAMS)
{
    __local uint counters[PLACES * RADIX * COPIES];
    const uint lid = get_local_id(0), copy = lid % COPIES;
    const ulong all = (ulong)get_num_groups(0) * WG;
    for (ulong i = (ulong)get_group_id(0) * WG + lid; i < words; i += all)
        control[status_at + i] = 0;
    for (uint c = lid; c < PLACES * RADIX * COPIES; c += WG)
        counters[c] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    const ulong first = get_group_id(0) * piece, end = min(first + piece, n);
    for (ulong base = first + lid; base < end; base += WG * ITEMS) {
        if (base + WG * (ITEMS - 1) < end) {
            K keys[ITEMS];
            UNROLL for (uint k = 0; k < ITEMS; k++)
                keys[k] = RADIX_LOAD_KEY(base + k * WG);
            for (uint place = 0; place < places; place++) {
                UNROLL for (uint k = 0; k < ITEMS; k++)
                    count(counters + copy, keys[k], place, lo, hi, width);
            }
        } else {
            for (ulong i = base; i < end; i += WG) {
                const K key = RADIX_LOAD_KEY(i);
                for (uint place = 0; place < places; place++)
                    count(counters + copy, key, place, lo, hi, width);
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    add_counters(counters, places, control);
}

#endif
