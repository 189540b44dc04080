// prefixdoubling.cl: the steps of Osipov's prefix doubling (SPIRE 2012; the pseudo
// code is Figure 5, left, of Wang, Baxter & Owens 2015), and the initial sort and the
// global sort of Manber & Myers, which GPU-LS (gpuls.cl) shares.
//
// A step is chosen by a macro; the scan and compaction steps are template
// parameters for radixsort.cl, scan.cl and compact.cl. Names that macros declare end in _, so
// that they hide none of the kernel's.
//
//   sa    n suffixes in h-order: sorted by their first h characters
//   isa   n ranks: isa[i] is the slot of the head of the h-group of suffix i
//   done  a bit a suffix: its h-group holds no other suffix, its rank is final
//
// The end of the text is smaller than every character, so a suffix of at most h
// characters is alone in its h-group.

#define IS_DONE(i) ((done[(i) >> 5] >> ((i) & 31)) & 1u)
#define SET_DONE(i) atomic_or(&done[(i) >> 5], 1u << ((i) & 31))

#ifdef PD_PREFIX

// Line 2, first pass of the radix sort: the key of pair p is the first 4 characters of
// suffix size-1-p, the end of the text read as 0. Suffixes go in from the last to the
// first, so that the stable sort puts a suffix that ends within the key before those
// that go on with zeros.
inline uint pd_prefix(__global const uchar *text, ulong size, ulong i)
{
    uint key = (uint)text[i] << 24;
    if (i + 4 <= size)
        key |= (uint)text[i + 1] << 16 | (uint)text[i + 2] << 8 | text[i + 3];
    else
        for (uint c = 1; c < size - i; c++)
            key |= (uint)text[i + c] << (24 - 8 * c);
    return key;
}

#define RADIX_PARAMS , __global const uchar *text, ulong size
#define RADIX_LOAD_KEY(p) pd_prefix(text, size, size - 1 - (p))
#define RADIX_LOAD_VALUE(p) ((uint)(size - 1 - (p)))

#endif

#ifdef PD_INITIAL

// Line 3: the slot of the head of each 4-group, by a maximum scan over the sorted
// keys.
#define T uint
#define OP OP_MAX
#define IDENTITY 0u
#define SCAN_PARAMS \
    , __global const uint *keys, __global const uint *sa, __global uint *isa, __global uint *done, ulong size
#define HEAD(p) ((p) == 0 || keys[p] != keys[(p) - 1] || (ulong)sa[(p) - 1] + 4 >= size)
#define SCAN_LOAD(p) (HEAD(p) ? (uint)(p) : 0u)
#define SCAN_STORE(p, before, value)                        \
    {                                                      \
        const uint i_ = sa[p];                             \
        isa[i_] = value;                                   \
        if (HEAD(p) && ((p) + 1 == size || HEAD((p) + 1))) \
            SET_DONE(i_);                                  \
    }

#endif

#ifdef PD_TUPLES

// Line 6 and line 10: scan the suffixes s in h-order; each is the second half of
// the 2h-prefix of suffix s-h. Where s-h is not done, the tuple
// (s-h, isa[s-h], isa[s]) goes on: key isa[s-h], tuple isa[s] << 32 | s-h.
#define COMPACT_PARAMS                                                                                            \
    , __global const uint *sa, __global const uint *isa, __global const uint *done, ulong h, __global uint *keys, \
    __global ulong *tuples
#define COMPACT_KEEP(j) (sa[j] >= h && !IS_DONE(sa[j] - (uint)h))
#define COMPACT_EMIT(j, to)                        \
    {                                             \
        const uint s_ = sa[j], i_ = s_ - (uint)h; \
        keys[to] = isa[i_];                       \
        tuples[to] = (ulong)isa[s_] << 32 | i_;   \
    }

#endif

#ifdef PD_REFINE

// Lines 8 and 9: the tuples are in 2h-order. A maximum scan over (p at heads of
// h-groups, p at heads of 2h-groups) tells where both groups of a tuple start; the
// key is the slot of the former, which gives slot and rank.
#define T uint2
#define OP OP_MAX
#define IDENTITY ((uint2)(0u, 0u))
#define SCAN_PARAMS                                                                                   \
    , __global const uint *keys, __global const ulong *tuples, __global uint *sa, __global uint *isa, \
    __global uint *done, ulong size
#define H_HEAD(p) ((p) == 0 || keys[p] != keys[(p) - 1])
#define H2_HEAD(p) (H_HEAD(p) || tuples[p] >> 32 != tuples[(p) - 1] >> 32)
#define SCAN_LOAD(p) ((uint2)(H_HEAD(p) ? (uint)(p) : 0u, H2_HEAD(p) ? (uint)(p) : 0u))
#define SCAN_STORE(p, before, value)                             \
    {                                                                    \
        const uint i_ = (uint)tuples[p], group_ = keys[p];               \
        const uint start_ = (value).x, head_ = (value).y;                \
        sa[group_ + ((uint)(p) - start_)] = i_;                          \
        if (head_ != start_)                                             \
            isa[i_] = group_ + (head_ - start_);                         \
        if (head_ == (uint)(p) && ((p) + 1 == size || H2_HEAD((p) + 1))) \
            SET_DONE(i_);                                                \
    }

#endif

#ifdef PD_CHARACTERS

// The initial sort of Manber-Myers and GPU-LS, first pass of the radix sort: as PD_PREFIX,
// with the first `characters` of a suffix, up to 8, in the low bits of the key.
inline ulong pd_characters(__global const uchar *text, ulong size, ulong i, uint characters)
{
    ulong key = 0;
    if (i + 16 <= size) { // two words that hold the 8 bytes, the first of them lowest
        __global const ulong *words = (__global const ulong *)text + i / 8;
        const uint shift = (uint)(i % 8) * 8;
        const ulong bytes = words[0] >> shift | words[1] << 1 << (63 - shift);
        key = as_ulong(as_uchar8(bytes).s76543210);
    } else {
        const uint left = (uint)min(size - i, 8ul);
        for (uint c = 0; c < left; c++)
            key = key << 8 | text[i + c];
        key <<= 64 - 8 * left;
    }
    return key >> (64 - 8 * characters);
}

#define RADIX_PARAMS , __global const uchar *text, ulong size, uint characters
#define RADIX_LOAD_KEY(p) pd_characters(text, size, size - 1 - (p), characters)
#define RADIX_LOAD_VALUE(p) ((uint)(size - 1 - (p)))

#endif

#ifdef PD_PAIRS

// The global sort of Manber & Myers, first pass of the radix sort: the key of suffix p is
// (isa[p], isa[p+h]), ranks having `rank_bits` bits. A suffix of at most h characters has a rank
// of its own, so its second half does not matter.
#define RADIX_PARAMS , __global const uint *isa, ulong h, uint rank_bits, ulong size
#define RADIX_LOAD_KEY(p) ((ulong)isa[p] << rank_bits | ((p) + h < size ? isa[(p) + h] : 0u))
#define RADIX_LOAD_VALUE(p) ((uint)(p))

#endif

#ifdef PD_RANK

// Ranks of all suffixes, sorted by keys: the slot of the head of each h-group by a maximum
// scan, and the number of groups by a sum, which goes to groups[0]. With PD_RANK 2 also the
// heads, a byte each: a difference, since Oclgrind takes a comparison of elements of
// vectors that holds for 255.
#define T uint2
#define OP(a, b) pd_rank(a, b)
#define IDENTITY ((uint2)(0u, 0u))
#if PD_RANK == 2
#define PD_HEADS , __global uchar *restrict heads
#define PD_MARK(p, head) heads[p] = head
#else
#define PD_HEADS
#define PD_MARK(p, head)
#endif
#define SCAN_PARAMS                                                                                                \
    , __global const ulong *restrict keys, __global const uint *restrict sa, __global uint *restrict isa, ulong h, \
    ulong size, __global ulong *restrict groups PD_HEADS
#define SCAN_LOAD(p) pd_element((p), (p) == 0 | keys[p] != keys[max((p), 1ul) - 1] | sa[max((p), 1ul) - 1] + h >= size)
#define SCAN_STORE(p, before, value)              \
    {                                             \
        isa[sa[p]] = (value).x;                   \
        PD_MARK(p, (value).y - (before).y);       \
        if ((p) + 1 == size)                      \
            groups[0] = (value).y;                \
    }

inline uint2 pd_element(ulong p, uint head) { return (uint2)(head ? (uint)p : 0u, head); }
inline uint2 pd_rank(uint2 a, uint2 b) { return (uint2)(max(a.x, b.x), a.y + b.y); }

#endif
