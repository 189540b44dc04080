// unbwt.cl: the text of a Burrows-Wheeler transform.
//
// Rank q is the q-th smallest row of text$ but for row 0, which is $text. A stable sort of
// the transform by character (UNBWT_SORT, template of a pass of radixsort.cl) gives next:
// next[q] is the rank of the suffix one character further, which is a chain from the
// whole text to END, where it is a transform, and a chain and cycles where it is not. The
// first character of a rank is told from where each character starts in the sorted ranks.
//
//   unbwt_firsts  where they start: firsts[c], and n for c = 256
//   unbwt_walk    follows the chain from many ranks at once, the splitters, each to the
//                 next one, and writes the characters into pieces
//   unbwt_jump    pointer jumping: how many characters from each piece to the end
//                 (Wyllie 1979)
//   unbwt_copy    pieces to their places in the text
//
// Every block of 2^LOG ranks has one splitter, at a hashed place, so that no regular text
// has them all in a row; the rank of the whole text is the one of its block. Piece b of at
// most 2^(LOG+1) characters starts at the splitter of block b; those from number `blocks` on go
// on where another is full. nodes[b] is the piece that follows, or END, in the low word
// and the number of characters in the high one.
//
// Launch: work-groups of WG; unbwt_walk: any number, which share the blocks; elsewhere
// one for each WG items. Local memory: unbwt_walk 1 KiB.

#define END 0xffffffffu
#define CAP_LOG(log) ((log) + 1)

#ifdef UNBWT_SORT

#define RADIX_PARAMS , __global const uchar *bwt, ulong primary
#define RADIX_LOAD_KEY(p) bwt[p]
#define RADIX_LOAD_VALUE(p) ((p) == 0 ? END : (uint)((p) < primary ? (p) - 1 : (p)))

#else

#ifndef CHAINS
#error "CHAINS: blocks that a work-item follows at a time"
#endif

// One work-item a character. characters are sorted.
KERNEL_WG(WG) unbwt_firsts(__global const uint *characters, ulong n, __global uint *firsts)
{
    const uint c = get_group_id(0) * WG + get_local_id(0);
    if (c <= 256) {
        ulong low = 0, high = n;
        while (low < high) {
            const ulong middle = (low + high) / 2;
            if (characters[middle] < c)
                low = middle + 1;
            else
                high = middle;
        }
        firsts[c] = (uint)low;
    }
}

inline uint splitter(uint block, uint log, uint whole)
{
    uint x = block;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    x ^= x >> 16;
    return block == whole >> log ? whole : (block << log) + (x & ((1u << log) - 1));
}

// The last character that starts at or before rank q.
inline ulong character(__local const uint *firsts, uint q)
{
    uint c = 0;
    UNROLL for (uint step = 128; step > 0; step /= 2)
        c += firsts[c + step] <= q ? step : 0;
    return c;
}

// nodes are END. more[0] counts the pieces that go on, 0 at first. A work-item follows
// CHAINS blocks' ranks at a time, as each mostly waits for memory.
KERNEL_WG(WG) unbwt_walk(
    __global const uint *next, ulong n, __global const uint *firsts, uint log, uint whole, uint blocks,
    __global ulong *pieces, __global ulong *nodes, __global uint *more)
{
    __local uint starts[256];
    for (uint c = get_local_id(0); c < 256; c += WG)
        starts[c] = firsts[c];
    barrier(CLK_LOCAL_MEM_FENCE);

    const uint items = (uint)get_num_groups(0) * WG, cap = 1u << CAP_LOG(log);
    uint block[CHAINS], piece[CHAINS], q[CHAINS], length[CHAINS];
    ulong word[CHAINS];
    UNROLL for (uint w = 0; w < CHAINS; w++)
    {
        block[w] = piece[w] = get_group_id(0) * WG + get_local_id(0) + w * items;
        q[w] = block[w] < blocks ? splitter(block[w], log, whole) : END;
        length[w] = 0;
        word[w] = 0;
    }
    bool busy = true;
    while (busy) {
        uint to[CHAINS];
        UNROLL for (uint w = 0; w < CHAINS; w++)
            to[w] = q[w] < n ? next[q[w]] : END;
        busy = false;
        UNROLL for (uint w = 0; w < CHAINS; w++)
        {
            bool stop = q[w] >= n; // a splitter after the last rank, or nothing left
            if (!stop) {
                word[w] |= character(starts, q[w]) << length[w] % 8 * 8;
                length[w]++;
                q[w] = to[w];
                const bool ends = q[w] == END, meets = !ends && q[w] == splitter(q[w] >> log, log, whole);
                stop = ends || meets;
                if (stop || length[w] % 8 == 0) {
                    pieces[((ulong)piece[w] * cap + length[w] - 1) / 8] = word[w];
                    word[w] = 0;
                }
                if (stop || length[w] == cap) {
                    const uint follows = ends ? END : meets ? q[w] >> log : blocks + atomic_inc(more);
                    nodes[piece[w]] = (ulong)length[w] << 32 | follows;
                    piece[w] = follows;
                    length[w] = 0;
                }
            }
            if (stop && block[w] < blocks) {
                block[w] += items * CHAINS;
                piece[w] = block[w];
                q[w] = block[w] < blocks ? splitter(block[w], log, whole) : END;
            }
            busy |= block[w] < blocks;
        }
    }
}

// Each node takes over the sums of three more: after k rounds it has those of 4^k.
KERNEL_WG(WG) unbwt_jump(__global const ulong *in, __global ulong *out, uint count)
{
    const uint k = get_group_id(0) * WG + get_local_id(0);
    if (k < count) {
        ulong v = in[k];
        for (uint hop = 0; hop < 3 && (uint)v != END; hop++)
            v = (v >> 32 << 32) + in[(uint)v];
        out[k] = v;
    }
}

// One work-item for 8 characters of a piece. ends: as nodes, after the jumps.
KERNEL_WG(WG) unbwt_copy(
    __global const ulong *pieces, uint log, __global const ulong *nodes, __global const ulong *ends, uint count,
    __global uchar *text, ulong n)
{
    const ulong t = (ulong)get_group_id(0) * WG + get_local_id(0), k = t * 8 >> CAP_LOG(log);
    if (k < count) {
        const uint first = (uint)(t * 8 - (k << CAP_LOG(log)));
        const uint length = (uint)(nodes[k] >> 32), rest = (uint)(ends[k] >> 32);
        if (first < length && (uint)ends[k] == END && rest >= length && rest <= n) {
            const ulong at = n - rest + first;
            ulong word = pieces[t];
            for (uint i = 0; i < min(8u, length - first); i++, word >>= 8)
                text[at + i] = (uchar)word;
        }
    }
}

#endif
