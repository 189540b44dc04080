// match.cl: all occurrences of many patterns by binary search in a suffix array, or in a
// suffix tree made of suffix array and LCP array (Liao, Sun, Ma & Qin, GPU accelerated
// multiple deoxyribose nucleic acid sequence parallel matching).
//
//   match_table     where the suffixes begin that start with each string of k characters:
//                   table[x] is the first slot whose suffix is not less than string x,
//                   0 <= x <= strings; codes[c] is the digit of character c, NONE if the
//                   text does not hold it
//   match_paper     Alg. 1 of the paper: two binary searches, from the first character
//   match_array     one search for both boundaries: it begins between two entries of the
//                   table, compares 16 characters at a time, and from those on that both
//                   ends of the interval share with the pattern (Manber & Myers 1993)
//   match_gather    positions of occurrences
//
// The tree: an inner node is a slot j > 0, the leftmost of the least lcp of an interval of
// slots [low, high); it splits it in [low, j) and [j, high). So it is the binary form of
// the suffix tree: of equal lcp, the node on the right is the next sibling. nodes[j] =
// (lcp, node on the left or 0, node on the right or 0, first character behind the lcp on
// the right or NONE); nodes[0].x is the root. It is the Cartesian tree of the LCP array:
// the parent of a node is the nearer in value of its nearest lesser neighbours, found in
// a pyramid of minima, each of FAN entries of the level below.
//
//   tree_minima     one level of the pyramid from the one below
//   tree_nodes      the nodes themselves, without links
//   tree_links      each node tells its parent
//   match_tree      descends from the root, character by character along the edges
//
// Whatever the arrays hold, nothing outside of the buffers is touched, and a search ends.
//
// Launch: work-groups of WG, one for each WG*ITEMS patterns, strings, slots or
// occurrences. No local memory.

#define NONE 256u

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif
#ifndef FAN
#error "FAN: entries of a minimum"
#endif

// Compares the suffix at i with a pattern of m characters from `at` on, which agree in the
// first *h: -1, 0 where the pattern is a prefix, 1. *h becomes what they share.
inline int compare(__global const uchar *text, ulong n, ulong i, __global const uchar *patterns, ulong bytes, ulong at, uint m, uint *h)
{
    const ulong end = min((ulong)m, n - i), same = agree(text, n, i, patterns, bytes, at, min((ulong)*h, end), end);
    *h = (uint)same;
    int order = 0;
    if (same < m)
        order = same == n - i || text[i + same] < patterns[at + same] ? -1 : 1;
    return order;
}

KERNEL_WG(WG) match_table(__global const uchar *text, ulong n, __global const uint *sa, __global const uint *codes, uint k, uint sigma, ulong strings, __global uint *table)
{
    FOR_TILE(x, WG * ITEMS, strings + 1) {
        ulong low = 0, high = n;
        while (low < high) {
            const ulong middle = (low + high) / 2, i = min((ulong)sa[middle], n);
            // Shorter suffixes stand before the strings that begin like them.
            ulong y = 0;
            bool shorter = false;
            for (uint d = 0; d < k; d++) {
                const bool inside = i + d < n;
                y = y * sigma + (inside ? min(codes[text[i + d]], sigma - 1) : 0);
                shorter |= !inside;
            }
            if (y < x || (y == x && shorter))
                low = middle + 1;
            else
                high = middle;
        }
        table[x] = (uint)low;
    }
}

KERNEL_WG(WG) match_array(__global const uchar *text, ulong n, __global const uint *sa, __global const uint *codes, uint k, uint sigma, ulong strings, __global const uint *table, __global const uchar *patterns, ulong bytes, __global const uint *offsets, uint first, uint count, __global uint2 *intervals)
{
    FOR_TILE(t, WG * ITEMS, count) {
        const ulong q = first + t;
        const uint at = offsets[q], m = (uint)min((ulong)offsets[q + 1], bytes) - at;
        ulong x = 0, span = 1;
        bool known = m > 0;
        for (uint d = 0; d < k; d++) {
            if (d < m) {
                const uint c = codes[patterns[at + d]];
                known = known && c != NONE;
                x = x * sigma + (c == NONE ? 0 : c);
            } else {
                x *= sigma;
                span *= sigma;
            }
        }
        uint low = 0, high = 0;
        if (known) {
            // The suffixes of fewer than k characters that begin with the pattern, and so
            // end behind it, stand before those of the table.
            low = min(table[x], (uint)n);
            high = max(low, min(table[x + span], (uint)n));
            low -= min(low, span > 1 ? k : 0);
        }
        // What the pattern shares with the suffixes before low and from high on.
        uint below = 0, above = 0, middle = 0;
        bool found = false;
        while (low < high && !found) {
            middle = low + (high - low) / 2;
            uint h = min(below, above);
            const int order = compare(text, n, min((ulong)sa[middle], n), patterns, bytes, at, m, &h);
            if (order < 0) {
                low = middle + 1;
                below = h;
            } else if (order > 0) {
                high = middle;
                above = h;
            } else {
                found = true;
            }
        }
        uint left = middle, right = middle + 1;
        while (found && low < left) {
            const uint between = low + (left - low) / 2;
            uint h = below;
            if (compare(text, n, min((ulong)sa[between], n), patterns, bytes, at, m, &h) < 0) {
                low = between + 1;
                below = h;
            } else {
                left = between;
            }
        }
        while (found && right < high) {
            const uint between = right + (high - right) / 2;
            uint h = above;
            if (compare(text, n, min((ulong)sa[between], n), patterns, bytes, at, m, &h) > 0) {
                high = between;
                above = h;
            } else {
                right = between + 1;
            }
        }
        intervals[q] = found ? (uint2)(left, right) : (uint2)(0);
    }
}

KERNEL_WG(WG) match_paper(__global const uchar *text, ulong n, __global const uint *sa, __global const uchar *patterns, ulong bytes, __global const uint *offsets, uint first, uint count, __global uint2 *intervals)
{
    FOR_TILE(t, WG * ITEMS, count) {
        const ulong q = first + t;
        const uint at = offsets[q], m = (uint)min((ulong)offsets[q + 1], bytes) - at;
        uint bounds[2];
        for (int side = 0; side < 2; side++) {
            uint low = 0, high = m > 0 ? (uint)n : 0;
            while (low < high) {
                const uint middle = low + (high - low) / 2;
                const ulong i = min((ulong)sa[middle], n), end = min((ulong)m, n - i);
                ulong h = 0;
                while (h < end && text[i + h] == patterns[at + h])
                    h++;
                int order = 0;
                if (h < m)
                    order = h == n - i || text[i + h] < patterns[at + h] ? -1 : 1;
                if (order < side)
                    low = middle + 1;
                else
                    high = middle;
            }
            bounds[side] = low;
        }
        intervals[q] = bounds[0] < bounds[1] ? (uint2)(bounds[0], bounds[1]) : (uint2)(0);
    }
}

KERNEL_WG(WG) match_gather(__global const uint *sa, ulong n, __global const uint2 *intervals, __global const ulong *firsts, uint count, ulong first, ulong m, __global uint *positions)
{
    FOR_TILE(t, WG * ITEMS, m) {
        const uint q = pattern_of(firsts, count, first + t);
        const ulong j = intervals[q].x + (first + t - firsts[q]);
        positions[t] = j < n ? sa[j] : (uint)n;
    }
}

// pyramid[to..to+m) from the `below` entries of lcp, or of pyramid from `from` on.
KERNEL_WG(WG) tree_minima(__global const uint *lcp, __global uint *pyramid, ulong from, ulong below, ulong to, ulong m, uint first)
{
    FOR_TILE(b, WG * ITEMS, m) {
        uint least = 0xffffffffu;
        for (ulong i = b * FAN; i < min(b * FAN + FAN, below); i++)
            least = min(least, first ? lcp[i] : pyramid[from + i]);
        pyramid[to + b] = least;
    }
}

KERNEL_WG(WG) tree_nodes(__global const uchar *text, ulong n, __global const uint *sa, __global const uint *lcp, __global uint4 *nodes)
{
    FOR_TILE(j, WG * ITEMS, n) {
        const ulong i = (ulong)sa[j] + lcp[j];
        nodes[j] = (uint4)(j > 0 ? lcp[j] : 0, 0, 0, i < n ? text[i] : NONE);
    }
}

// An entry of level l, 0 being lcp itself.
inline uint entry(__global const uint *lcp, __global const uint *pyramid, uint l, ulong base, ulong i) { return l == 0 ? lcp[i] : pyramid[base + i]; }

// The last slot before j, from 1 on, whose lcp is at most v, 0 if there is none; or with
// `right` the first one behind j whose lcp is less than v, n if there is none.
inline ulong neighbour(__global const uint *lcp, __global const uint *pyramid, ulong n, ulong j, uint v, bool right)
{
    // Up: what is left of the block on each level, until an entry is small enough.
    ulong i = j, base = 0, size = n;
    uint l = 0;
    bool found = false, ended = false;
    while (!found && !ended) {
        const ulong block = i / FAN;
        if (right) {
            const ulong end = min(block * FAN + FAN, size);
            for (i++; i < end && !found; i++)
                found = entry(lcp, pyramid, l, base, i) < v;
            i -= found;
        } else {
            const ulong begin = block * FAN;
            while (i > begin && !found) {
                i--;
                found = entry(lcp, pyramid, l, base, i) <= v;
            }
        }
        if (!found) {
            ended = size <= FAN;
            base = l == 0 ? 0 : base + size;
            size = (size + FAN - 1) / FAN;
            i = block;
            l++;
        }
    }
    // Down: the outermost entry of the block that is small enough.
    while (found && l > 0) {
        l--;
        ulong below = n;
        base = 0;
        for (uint up = 0; up < l; up++) {
            base = up == 0 ? 0 : base + below;
            below = (below + FAN - 1) / FAN;
        }
        const ulong begin = i * FAN, end = min(begin + FAN, below);
        bool here = false;
        if (right) {
            for (i = begin; i < end && !here; i++)
                here = entry(lcp, pyramid, l, base, i) < v;
            i -= here;
        } else {
            for (i = end; i > begin && !here;) {
                i--;
                here = entry(lcp, pyramid, l, base, i) <= v;
            }
        }
        found = here;
    }
    return found ? i : right ? n : 0;
}

// lcp[0] must be 0, so that slot 0 ends the search to the left.
KERNEL_WG(WG) tree_links(__global const uint *lcp, __global const uint *pyramid, ulong n, __global uint *nodes)
{
    FOR_TILE(j, WG * ITEMS, n) {
        if (j > 0) {
            const ulong before = neighbour(lcp, pyramid, n, j, lcp[j], false), behind = neighbour(lcp, pyramid, n, j, lcp[j], true);
            if (before == 0 && behind == n)
                nodes[0] = (uint)j;
            else if (behind == n || (before > 0 && lcp[before] > lcp[behind]))
                nodes[before * 4 + 2] = (uint)j;
            else
                nodes[behind * 4 + 1] = (uint)j;
        }
    }
}

KERNEL_WG(WG) match_tree(__global const uchar *text, ulong n, __global const uint *sa, __global const uint4 *nodes, __global const uchar *patterns, ulong bytes, __global const uint *offsets, uint first, uint count, __global uint2 *intervals)
{
    FOR_TILE(t, WG * ITEMS, count) {
        const ulong q = first + t;
        const uint at = offsets[q], m = (uint)min((ulong)offsets[q + 1], bytes) - at;
        uint low = 0, high = m > 0 ? (uint)n : 0, depth = 0, node = n > 0 ? nodes[0].x : 0;
        // Of the interval [low, high) node is the root, 0 for a leaf; the first `depth`
        // characters have been compared.
        for (bool more = high > 0; more;) {
            more = false;
            const uint4 here = node > low && node < high ? nodes[node] : (uint4)(m, 0, 0, NONE);
            uint h = depth;
            const uint edge = min(m, here.x);
            const ulong i = min((ulong)sa[low], n);
            if (compare(text, n, i, patterns, bytes, at, edge, &h) != 0) {
                high = low;
            } else if (edge < m) {
                depth = edge;
                const uint c = patterns[at + depth];
                if (i + depth < n && text[i + depth] == c) { // the leftmost child
                    high = node;
                    node = here.y;
                    more = true;
                } else { // its siblings
                    uint4 sibling = here;
                    bool next = true;
                    while (next) {
                        low = node;
                        node = sibling.z;
                        const bool hit = sibling.w == c;
                        next = false;
                        if (node > low && node < high) {
                            const uint4 right = nodes[node];
                            if (right.x == depth) { // the next sibling: the child ends there
                                if (hit) {
                                    high = node;
                                    node = right.y;
                                } else {
                                    sibling = right;
                                    next = true;
                                }
                            }
                        }
                        more = hit;
                        if (!hit && !next)
                            high = low;
                    }
                }
            }
        }
        intervals[q] = low < high ? (uint2)(low, high) : (uint2)(0);
    }
}
