// match_tree.cl: all occurrences of many patterns by descent in a suffix tree made of suffix array and LCP
// array (Liao, Sun, Ma & Qin, GPU accelerated multiple deoxyribose nucleic acid sequence parallel
// matching).
//
// The tree: an inner node is a slot j > 0, the leftmost of the least lcp of an interval of
// slots [low, high); it splits it in [low, j) and [j, high). So it is the binary form of
// the suffix tree: of equal lcp, the node on the right is the next sibling. nodes[j] =
// (lcp, node on the left or 0, node on the right or 0, first character after the lcp on
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
// Launch: work-groups of WG, one for each WG*ITEMS patterns, slots or minima. No local memory.

#define NONE 256u

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif
#ifndef FAN
#error "FAN: entries of a minimum"
#endif

// pyramid[to..to+m) from the `below` entries of lcp, or of pyramid from `from` on.
KERNEL_WG(WG) tree_minima(
    __global const uint *lcp, __global uint *pyramid, ulong from, ulong below, ulong to, ulong m, uint first)
{
    FOR_TILE(b, WG * ITEMS, m) {
        uint least = 0xffffffffu;
        for (ulong i = b * FAN; i < min(b * FAN + FAN, below); i++)
            least = min(least, first ? lcp[i] : pyramid[from + i]);
        pyramid[to + b] = least;
    }
}

KERNEL_WG(WG) tree_nodes(
    __global const uchar *text, ulong n, __global const uint *sa, __global const uint *lcp, __global uint4 *nodes)
{
    FOR_TILE(j, WG * ITEMS, n) {
        const ulong i = (ulong)sa[j] + lcp[j];
        nodes[j] = (uint4)(j > 0 ? lcp[j] : 0, 0, 0, i < n ? text[i] : NONE);
    }
}

// An entry of level l, 0 being lcp itself.
inline uint entry(__global const uint *lcp, __global const uint *pyramid, uint l, ulong base, ulong i)
{
    return l == 0 ? lcp[i] : pyramid[base + i];
}

// The last slot before j, from 1 on, whose lcp is at most v, 0 if there is none; or with
// `right` the first one after j whose lcp is less than v, n if there is none.
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
            const ulong before = neighbour(lcp, pyramid, n, j, lcp[j], false);
            const ulong after = neighbour(lcp, pyramid, n, j, lcp[j], true);
            if (before == 0 && after == n)
                nodes[0] = (uint)j;
            else if (after == n || (before > 0 && lcp[before] > lcp[after]))
                nodes[before * 4 + 2] = (uint)j;
            else
                nodes[after * 4 + 1] = (uint)j;
        }
    }
}

KERNEL_WG(WG) match_tree(
    __global const uchar *text, ulong n, __global const uint *sa, __global const uint4 *nodes,
    __global const uchar *patterns, ulong bytes, __global const uint *offsets, uint first, uint count,
    __global uint2 *intervals)
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
